/** The tree of groups: where a group stands, and who has access to it by the roles that cascade from above. */
import { z } from "../../language/z.js";
import { type GrantNode, Group, type GroupNode, UserItem } from "./shapes.js";

/** A group with the way to it. */
export interface Placed {
  readonly group: GroupNode;
  /** From the top group to this one, itself included. */
  readonly line: readonly GroupNode[];
}

function* placesIn(groups: readonly GroupNode[], above: readonly GroupNode[]): Generator<Placed> {
  for (const group of groups) {
    const line = [...above, group];
    yield { group, line };
    yield* placesIn(group.subGroups ?? [], line);
  }
}

/** Every group of a list of trees, each after its parent; empty for what is no such list. */
export const placed = (body: unknown): Placed[] => [...placesIn(z.array(Group).safeParse(body).data ?? [], [])];

export const placeOf = (all: readonly Placed[], groupId: unknown): Placed | undefined =>
  all.find(({ group }) => group.groupId === groupId);

/** The names from the top to a group: `Everything / Shops`. */
export const pathOf = ({ line }: Placed): string => line.map(({ groupName }) => groupName).join(" / ");

export const isSameTop = (one: Placed, other: Placed): boolean => one.line[0] === other.line[0];

/** A role in a group, without those that another one contains. */
interface Held {
  readonly groupId: number | undefined;
  readonly roleId: number;
  readonly roleName: string | undefined;
  readonly groupName: string | undefined;
}

/** The roles that grants give, at any depth; a blocked one gives none. */
export const heldIn = (grants: readonly GrantNode[] | undefined): Held[] =>
  (grants ?? []).flatMap(({ groupId, roleId, roleName, groupName, isBlocked, subGroups }) => [
    ...(roleId === undefined || roleId === null || isBlocked ? [] : [{ groupId, roleId, roleName, groupName }]),
    ...(isBlocked ? [] : heldIn(subGroups)),
  ]);

export type ListedUser = z.output<typeof UserItem>;
export const usersIn = (body: unknown): ListedUser[] => z.array(UserItem).safeParse(body).data ?? [];

/** Who has a role in a group or in one above it. */
export function accessTo({ line }: Placed, users: readonly ListedUser[]): ListedUser[] {
  const ids = new Set<number | undefined>(line.map(({ groupId }) => groupId));
  return users.filter(({ authGrants }) => heldIn(authGrants).some(({ groupId }) => ids.has(groupId)));
}
