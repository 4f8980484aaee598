/** The emulated user administration: groups, properties, roles and users of one account. */
import { users as declared } from "../../../tools/users/index.js";
import type { ErrorFormat } from "../../reply.js";
import { emulated } from "../../service.js";
import { groupBehaviours } from "./groups.js";
import { identityBehaviours } from "./identities.js";
import { lookupBehaviours } from "./lookups.js";
import { roleBehaviours } from "./roles.js";

/** The service's own error format: the status is called httpStatus, and the types are numbered (public facts C, 1). */
export const errorFormat: ErrorFormat = ({ status, title, detail, more: { code = status } }, { url }, world) => ({
  body: {
    type: `/useradmin-api/error-types/${code}`,
    title,
    detail,
    instance: `${url.pathname}#${world.next("user error", 1)}`,
    httpStatus: status,
    errors: [],
    warnings: [],
  },
});

export const users = emulated(declared, errorFormat, {
  ...groupBehaviours,
  ...roleBehaviours,
  ...identityBehaviours,
  ...lookupBehaviours,
});
