/** The permissions of a role, those that a change removes, and previews of changes for everyone who holds it. */
import type { Arguments } from "../../language/conduct.js";
import { guardsOf } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { listed, plain } from "../../language/words.js";
import { z } from "../../language/z.js";
import { GrantedRoles } from "./shapes.js";
import { people } from "./tree.js";

/** The permissions of a role; undefined if they are not shown. */
export const permitsOf = (role: unknown): z.output<typeof GrantedRoles> | undefined =>
  GrantedRoles.safeParse(memberAt(role, "grantedRoles")).data;

type Permits = NonNullable<ReturnType<typeof permitsOf>>;

/** The permissions in the first list that the second lacks. */
export const missingFrom = (all: Permits, from: Permits): Permits =>
  all.filter(({ grantedRoleId }) => !from.some((one) => one.grantedRoleId === grantedRoleId));

/** The permissions that a change removes from a role; a change without a list of them removes none. */
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

const ofRole = guardsOf("role", (args, present) => `${roleName(args, present)}, held by ${holders(present)}`, target);

export const roleChange = ofRole("CHANGE", {
  kind: "access",
  replaces: "body",
  write: "merge",
  undo: "rewrite",
  results: ({ body }, present) => {
    const [before, after] = [permitsOf(present), permitsOf(body)];
    if (after === undefined) return "its permissions stay the same";
    if (before === undefined) return `it will permit ${words(after)}`;
    return `they lose ${words(missingFrom(before, after))} and gain ${words(missingFrom(after, before))}`;
  },
});

export const roleDeletion = ofRole("DELETE", {
  kind: "delete",
  results: (_, present) => {
    const before = permitsOf(present);
    return before && `it permits ${words(before)}`;
  },
  undo: { by: "Call user_role_create, which creates a role with the same permissions, but another id." },
});
