/** The account's groups as they are now: user administration changes them, and other services show them. */
import { dayMs } from "../../time/durations.js";
import { type Authorship, authorshipAt } from "../primitives/authored.js";
import { byId } from "../primitives/store.js";
import type { World } from "../world.js";
import { groups, portalUser, subGroups } from "./account.js";

export interface AccountGroup extends Authorship {
  readonly id: number;
  name: string;
  /** The group above it; a top group has none. */
  parentId?: number | undefined;
  readonly contractIds: readonly string[];
  /** Members that were written but are not declared. */
  others?: Readonly<Record<string, unknown>>;
}

/** The group above all others. */
export const topGroupId = 22_222;

const stateOf = (world: World): Map<number, AccountGroup> =>
  world.state("groups", () => {
    const authorship = authorshipAt(world.startedAtMs - 700 * dayMs, portalUser);
    return byId<number, AccountGroup>([...groups, ...subGroups].map((group) => ({ ...group, ...authorship })));
  });

/** All groups, in the order in which they were made. */
export const groupsOf = (world: World): readonly AccountGroup[] => [...stateOf(world).values()];

/** Whether a group is another one or below it. */
export function isWithin(world: World, id: number, above: number): boolean {
  const parentId = stateOf(world).get(id)?.parentId;
  return id === above || (parentId !== undefined && isWithin(world, parentId, above));
}

/** Makes a group below another one, under the same contracts. */
export function addGroup(world: World, name: string, parent: AccountGroup): AccountGroup {
  const group: AccountGroup = {
    id: world.next("group", 60_001),
    name,
    parentId: parent.id,
    contractIds: parent.contractIds,
    ...authorshipAt(world.now()),
  };
  stateOf(world).set(group.id, group);
  return group;
}

export const removeGroup = (world: World, id: number): void => void stateOf(world).delete(id);
