/** Roles, grants and blocked properties: what they permit, and previews of their changes, with who gains and loses what. */
import type { Arguments } from "../../language/conduct.js";
import { guardsOf, type Membership, membership } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { GrantedRoles, Grants, Property, Role } from "./shapes.js";
import {
  type GroupRole,
  groupPathOf,
  groupPlaceOf,
  groupPlacesIn,
  groupRoleChange,
  groupRolesIn,
  loginOf,
  nameWithId,
  peopleInWords,
  userOf,
} from "./tree.js";

/** The permissions of a role; undefined if they are not shown. */
export const permitsOf = (role: unknown): z.output<typeof GrantedRoles> | undefined =>
  GrantedRoles.safeParse(memberAt(role, "grantedRoles")).data;

type GrantedRole = z.output<typeof GrantedRoles>[number];

/** The permissions that are lost and gained between two lists of them. */
export const permitChange = (before: readonly GrantedRole[], after: readonly GrantedRole[]): Membership<GrantedRole> =>
  membership(before, after, ({ grantedRoleId }) => grantedRoleId);

/** The permissions that a change removes from a role; a change without a list of them removes none. */
export function lostPermissions(role: unknown, change: unknown): readonly GrantedRole[] {
  const [before, after] = [permitsOf(role), permitsOf(change)];
  return before === undefined || after === undefined ? [] : permitChange(before, after).lost;
}

/** The name of a permission in a sentence. */
export const permitName = ({ grantedRoleId, grantedRoleName }: GrantedRole): string =>
  plainOrQuoted(grantedRoleName ?? grantedRoleId);

/** A clause on what a user or the holders of a role lose and gain. */
const turnover = <T>(
  who: "the user" | "its holders",
  { lost, gained }: Membership<T>,
  wordsOf: (one: T) => string,
): string => {
  const [lose, gain] = who === "its holders" ? ["lose", "gain"] : ["loses", "gains"];
  return `${who} ${lose} ${listInWords(lost, wordsOf) || "nothing"} and ${gain} ${listInWords(gained, wordsOf) || "nothing"}`;
};

const ofRole = guardsOf(
  "role",
  ({ roleId }, present) => {
    const users = memberAt(present, "users");
    const holders = Array.isArray(users) ? peopleInWords(users) : "an unknown number of users";
    return `role ${nameWithId(memberAt(present, "roleName"), roleId)}, held by ${holders}`;
  },
  ({ roleId }, present) => String(memberAt(present, "roleName") ?? roleId),
);

export const roleChange = ofRole("CHANGE", {
  kind: "access",
  replaces: "body",
  write: "merge",
  undo: "rewrite",
  results: ({ body }, present) => {
    const [before, after] = [permitsOf(present), permitsOf(body)];
    if (after === undefined) return "its permissions stay the same";
    return before === undefined
      ? `it will permit ${listInWords(after, permitName) || "nothing"}`
      : turnover("its holders", permitChange(before, after), permitName);
  },
});

export const roleDeletion = ofRole("DELETE", {
  kind: "delete",
  results: (_, present) => {
    const before = permitsOf(present);
    return before && `it permits ${listInWords(before, permitName) || "nothing"}`;
  },
  undo: { by: "Call user_role_create, which creates a role with the same permissions, but another id." },
});

/** The words for a role in a group: by the names that were read for the preview, or by their ids. */
export function roleWords({ groups, roles }: Arguments): (held: GroupRole) => string {
  // Among several reads, null is a role that does not exist.
  const known = (z.array(Role.nullable()).safeParse(roles).data ?? []).filter((one) => one !== null);
  const tree = groupPlacesIn(groups);
  return ({ roleId, roleName, groupId }) => {
    const role = known.find((one) => one.roleId === roleId)?.roleName ?? roleName ?? roleId;
    const place = groupPlaceOf(tree, groupId);
    if (groupId === undefined) return `${plainOrQuoted(role)} in the whole account`;
    return `${plainOrQuoted(role)} in ${place === undefined ? `group ${plainOrQuoted(groupId)}` : plainOrQuoted(groupPathOf(place))}`;
  };
}

export const grantChange = guardsOf(
  "roles",
  (args, present) => `THE ROLES of ${userOf(args, present)}`,
  loginOf,
)("REPLACE", {
  kind: "access",
  results: ({ body }, present, related) => {
    const now = Grants.safeParse(memberAt(present, "authGrants")).data;
    return now === undefined
      ? `the user will have ${listInWords(groupRolesIn(body), roleWords(related)) || "nothing"}`
      : turnover("the user", groupRoleChange(now, body), roleWords(related));
  },
  undo: {
    tool: "user_grants_replace",
    args: ({ given: { uiIdentityId }, before }) => {
      const body = memberAt(before, "authGrants");
      return body === undefined ? undefined : { uiIdentityId, body };
    },
  },
});

const idsIn = (value: unknown): readonly number[] => z.array(z.int()).safeParse(value).data ?? [];

const propertiesIn = ({ properties }: Arguments) => z.array(Property).safeParse(properties).data ?? [];

export const blockedChange = guardsOf(
  "blocked properties",
  ({ groupId: id, ...args }, _, related) => {
    const name = propertiesIn(related).find(({ groupId }) => groupId === id)?.groupName;
    const group = name === undefined ? plainOrQuoted(id) : nameWithId(name, id);
    return `THE BLOCKED PROPERTIES of ${userOf(args, related["user"])}, in group ${group}`;
  },
  (args, _, { user }) => loginOf(args, user),
)("REPLACE", {
  kind: "access",
  replaces: "body",
  undo: "rewrite",
  results: ({ body }, present, related) => {
    const known = propertiesIn(related);
    const nameOf = (id: number) =>
      plainOrQuoted(known.find(({ propertyId }) => propertyId === id)?.propertyName ?? `property ${id}`);
    // What is no longer blocked is gained.
    return present === undefined
      ? `the user will not be able to work on ${listInWords(idsIn(body), nameOf) || "nothing"}`
      : turnover("the user", membership(idsIn(body), idsIn(present)), nameOf);
  },
});
