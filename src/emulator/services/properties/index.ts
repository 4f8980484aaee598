/** The emulated property service of the documents; what it keeps is that of today's, too. */
import { properties as declared } from "../../../tools/properties/index.js";
import { emulateService } from "../../service.js";
import { accountBehaviours } from "./account.js";
import { activationBehaviours } from "./activations.js";
import { contentBehaviours } from "./content.js";
import { behavioursInVersion } from "./generation.js";
import { errorFormat } from "./lookup.js";
import { versionBehaviours } from "./versions.js";

const behaviours = { ...accountBehaviours, ...versionBehaviours, ...contentBehaviours, ...activationBehaviours };

export const properties = emulateService(declared, errorFormat, behavioursInVersion("v0", behaviours));
