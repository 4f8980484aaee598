/** The account's groups as they are now: user administration changes them, and other services show them. */
import type { World } from "../world.js";
import { mainContractId, portalUser, groups as seeds } from "./account.js";

export interface Group {
  readonly id: number;
  name: string;
  /** The group above it; a top group has none. */
  parentId?: number;
  readonly contractIds: readonly string[];
  readonly createdAtMs: number;
  readonly createdBy: string;
  modifiedAtMs: number;
  modifiedBy: string;
  /** What was written besides what the declarations name. */
  others?: Readonly<Record<string, unknown>>;
}

const dayMs = 86_400_000;
/** The group above all others. */
export const topGroupId = 22_222;
const contractIds = [mainContractId];
/** The groups below those that contracts are sold to. */
const subGroups = [
  { id: 33_333, name: "Campaigns", contractIds, parentId: 11_111 },
  { id: 44_444, name: "Archive", contractIds, parentId: topGroupId },
  { id: 55_555, name: "Retired shops", contractIds, parentId: 44_444 },
] as const;

const stateOf = (world: World): Map<number, Group> =>
  world.state("groups", () => {
    const atMs = world.startedAtMs - 700 * dayMs;
    const made = { createdAtMs: atMs, createdBy: portalUser, modifiedAtMs: atMs, modifiedBy: portalUser };
    const sold = seeds.map((group) => ({
      ...group,
      ...(group.id === topGroupId ? {} : { parentId: topGroupId }),
    }));
    return new Map([...sold, ...subGroups].map((group): [number, Group] => [group.id, { ...group, ...made }]));
  });

/** All groups, in the order in which they were made. */
export const groupsOf = (world: World): readonly Group[] => [...stateOf(world).values()];

/** Makes a group below another one, under the same contracts. */
export function addGroup(world: World, name: string, parent: Group, by: string): Group {
  const atMs = world.now();
  const group: Group = {
    id: world.next("group", 60_001),
    name,
    parentId: parent.id,
    contractIds: parent.contractIds,
    createdAtMs: atMs,
    createdBy: by,
    modifiedAtMs: atMs,
    modifiedBy: by,
  };
  stateOf(world).set(group.id, group);
  return group;
}

export const removeGroup = (world: World, id: number): void => void stateOf(world).delete(id);
