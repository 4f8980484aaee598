/** The emulated property service: properties whose versions reach the networks by the clock. */
import { properties as declared } from "../../../tools/properties/index.js";
import { emulated } from "../../service.js";
import { accountBehaviours } from "./account.js";
import { activationBehaviours } from "./activations.js";
import { contentBehaviours } from "./content.js";
import { errorFormat } from "./lookup.js";
import { versionBehaviours } from "./versions.js";

export const properties = emulated(declared, errorFormat, {
  ...accountBehaviours,
  ...versionBehaviours,
  ...contentBehaviours,
  ...activationBehaviours,
});
