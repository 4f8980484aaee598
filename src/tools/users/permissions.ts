/** What a role permits, and what a change of it takes away. */
import { memberAt } from "../../language/member.js";
import type { z } from "../../language/z.js";
import { GrantedRoles } from "./shapes.js";

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
