/** What a role permits, what a change takes away, and what a person has to know before it changes for all who hold it. */
import type { Arguments, Guard } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { listed, plain } from "../../language/words.js";
import { z } from "../../language/z.js";
import { GrantedRoles } from "./shapes.js";
import { people } from "./tree.js";

/** What a role permits; undefined where that is not shown. */
export const permitsOf = (role: unknown): z.output<typeof GrantedRoles> | undefined =>
  GrantedRoles.safeParse(memberAt(role, "grantedRoles")).data;

type Permits = NonNullable<ReturnType<typeof permitsOf>>;

/** Those of the first that the second has not. */
export const missingFrom = (all: Permits, from: Permits): Permits =>
  all.filter(({ grantedRoleId }) => !from.some((one) => one.grantedRoleId === grantedRoleId));

/** What a change takes from a role; what it does not name stays. */
export function lostPermissions(role: unknown, change: unknown): Permits {
  const [before, after] = [permitsOf(role), permitsOf(change)];
  return before === undefined || after === undefined ? [] : missingFrom(before, after);
}

const roleName = ({ roleId }: Arguments, present: unknown): string => {
  const name = memberAt(present, "roleName");
  return `role ${name === undefined ? "" : `${plain(name)} `}(${plain(roleId)})`;
};
const words = (all: NonNullable<ReturnType<typeof permitsOf>>): string =>
  all.length === 0
    ? "nothing"
    : listed(all.map(({ grantedRoleId, grantedRoleName }) => plain(grantedRoleName ?? grantedRoleId)));
const holders = (present: unknown): string => {
  const users = z.array(z.unknown()).safeParse(memberAt(present, "users")).data;
  return users === undefined ? "an unknown number of users" : people(users);
};
const target = (args: Arguments, present: unknown): string => String(memberAt(present, "roleName") ?? args["roleId"]);

export const roleChange: Guard = {
  kind: "access",
  thing: "role",
  replaces: "body",
  write: "merge",
  undo: "rewrite",
  target,
  says: (args, present) => {
    const [before, after] = [permitsOf(present), permitsOf(args["body"])];
    const head = `CHANGE ${roleName(args, present)}, held by ${holders(present)}`;
    if (after === undefined) return `${head}: what it permits stays`;
    return before === undefined
      ? `${head}: it then permits ${words(after)}`
      : `${head}: they lose ${words(missingFrom(before, after))} and gain ${words(missingFrom(after, before))}`;
  },
};

export const roleDeletion: Guard = {
  kind: "delete",
  thing: "role",
  target,
  says: (args, present) => {
    const before = permitsOf(present);
    return `DELETE ${roleName(args, present)}, held by ${holders(present)}${before === undefined ? "" : `, which permits ${words(before)}`}`;
  },
  undo: { by: "Call user_role_create, which makes a role with the same permissions, with another id." },
};
