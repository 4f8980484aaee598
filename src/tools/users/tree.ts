/** The tree of groups, who has access to each by cascading roles, and users and groups in words. */
import type { Arguments, View } from "../../language/conduct.js";
import { type Membership, membership } from "../../language/guards.js";
import { defined, isRecord, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { type GrantNode, Grants, Group, type GroupNode, UserItem } from "./shapes.js";

/** A group with the path to it. */
export interface GroupPlace {
  readonly group: GroupNode;
  /** From the top group to this one, itself included. */
  readonly line: readonly GroupNode[];
}

function* walkGroups(groups: readonly GroupNode[], above: readonly GroupNode[]): Generator<GroupPlace> {
  for (const group of groups) {
    const line = [...above, group];
    yield { group, line };
    yield* walkGroups(group.subGroups ?? [], line);
  }
}

/** Every group of a list of trees, each after its parent; empty if the body is no such list. */
export const groupPlacesIn = (body: unknown): GroupPlace[] => [
  ...walkGroups(z.array(Group).safeParse(body).data ?? [], []),
];

export const groupPlaceOf = (all: readonly GroupPlace[], groupId: unknown): GroupPlace | undefined =>
  all.find(({ group }) => group.groupId === groupId);

/** The names from the top to a group: `Everything / Shops`. */
export const groupPathOf = ({ line }: GroupPlace): string => line.map(({ groupName }) => groupName).join(" / ");

/** A role in a group, without the roles in its sub-groups. */
export interface GroupRole {
  readonly groupId: number | undefined;
  readonly roleId: number;
  readonly roleName: string | undefined;
  readonly groupName: string | undefined;
}

const rolesOfGrant = ({ groupId, roleId, roleName, groupName, isBlocked, subGroups = [] }: GrantNode): GroupRole[] =>
  isBlocked
    ? []
    : [
        ...(typeof roleId === "number" ? [{ groupId, roleId, roleName, groupName }] : []),
        ...subGroups.flatMap(rolesOfGrant),
      ];

/** The roles that grants give, at any depth; a blocked grant gives none, nor does a body that is no list of grants. */
export const groupRolesIn = (grants: unknown): GroupRole[] =>
  (Grants.safeParse(grants).data ?? []).flatMap(rolesOfGrant);

/** The roles in groups that are lost and gained between two lists of grants. */
export const groupRoleChange = (before: unknown, after: unknown): Membership<GroupRole> =>
  membership(groupRolesIn(before), groupRolesIn(after), ({ groupId, roleId }) => `${groupId} ${roleId}`);

export type ListedUser = z.output<typeof UserItem>;
export const usersIn = (body: unknown): ListedUser[] => z.array(UserItem).safeParse(body).data ?? [];

/** The users who have a role in a group or in one above it. */
export function usersWithAccess({ line }: GroupPlace, users: readonly ListedUser[]): ListedUser[] {
  const ids = new Set<number | undefined>(line.map(({ groupId }) => groupId));
  return users.filter(({ authGrants }) => groupRolesIn(authGrants).some(({ groupId }) => ids.has(groupId)));
}

export const groupOutline: View = {
  arguments: { outline: z.boolean().optional().describe("true: a flat list with paths") },
  schema: z.array(
    z.looseObject({ groupId: z.int(), path: z.string(), parentGroupId: z.int().optional(), subGroups: z.int() }),
  ),
  show: (body, { outline }) =>
    outline === true
      ? {
          value: groupPlacesIn(body).map((place) => {
            const { groupId, parentGroupId, subGroups = [], actions } = place.group;
            return defined({ groupId, path: groupPathOf(place), parentGroupId, subGroups: subGroups.length, actions });
          }),
        }
      : undefined,
};

/** A user by name and login: `"Rosa Chen" (rchen)`; by id if no name is known. */
export function personName(person: unknown, id?: unknown): string {
  const [first, last, login, uiIdentityId] = ["firstName", "lastName", "uiUserName", "uiIdentityId"].map((key) =>
    memberAt(person, key),
  );
  const name = [first, last].filter((part) => typeof part === "string" && part !== "").join(" ");
  const key = login ?? uiIdentityId ?? id;
  if (name === "") return key === undefined ? "an unknown user" : plainOrQuoted(key);
  return key === undefined ? plainOrQuoted(name) : `${plainOrQuoted(name)} (${plainOrQuoted(key)})`;
}

/** The user that a call names, with the name if the state has it: `user "Rosa Chen" (rchen), A-B-100003`. */
export function userOf({ uiIdentityId }: Arguments, present: unknown): string {
  const id = plainOrQuoted(uiIdentityId);
  return isRecord(present) && present["firstName"] !== undefined ? `user ${personName(present)}, ${id}` : `user ${id}`;
}

/** What the approver types: the login, or the id. */
export const loginOf = ({ uiIdentityId }: Arguments, present: unknown): string =>
  String(memberAt(present, "uiUserName") ?? uiIdentityId);

/** Several users in words: `"Rosa Chen" (rchen), "Lena Weber" (lweber)`. */
export const peopleInWords = (persons: readonly unknown[]): string =>
  listInWords(persons, (one) => personName(one)) || "no users";

/** Something by its id, with its name if that is known: `"Shop EU" (10333526)`. */
export const nameWithId = (name: unknown, id: unknown): string =>
  `${name === undefined ? "" : `${plainOrQuoted(name)} `}(${plainOrQuoted(id)})`;

/** A group by its path and its id. */
export const groupWords = (place: GroupPlace | undefined, id: unknown): string =>
  place === undefined
    ? `group ${plainOrQuoted(id)}`
    : `group ${plainOrQuoted(groupPathOf(place))} (${plainOrQuoted(id)})`;
