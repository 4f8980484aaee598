/** The emulated user administration: groups, properties, roles and users of one account. */
import { users as declared } from "../../../tools/users/index.js";
import { emulateService } from "../../service.js";
import { groupBehaviours } from "./groups.js";
import { identityBehaviours } from "./identities.js";
import { lookupBehaviours } from "./lookups.js";
import { roleBehaviours } from "./roles.js";
import { errorFormat } from "./store.js";

export const users = emulateService(declared, errorFormat, {
  ...groupBehaviours,
  ...roleBehaviours,
  ...identityBehaviours,
  ...lookupBehaviours,
});
