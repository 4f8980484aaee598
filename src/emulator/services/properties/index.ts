/** The emulated property service: properties whose versions reach the networks by the clock. */
import { properties as declared } from "../../../tools/properties/index.js";
import { emulated } from "../../service.js";
import { accountBehaviours } from "./account.js";
import { activationBehaviours } from "./activations.js";
import { errorFormat } from "./common.js";
import { versionBehaviours } from "./versions.js";

export const properties = emulated(declared, {
  behaviours: { ...accountBehaviours, ...versionBehaviours, ...activationBehaviours },
  errorFormat,
});
