/** The network lists of the emulated account, and where their activations stand by the clock. */
import { dayMs } from "../../../language/durations.js";
import { type Authored, authored } from "../../primitives/authored.js";
import { byId } from "../../primitives/store.js";
import type { World } from "../../world.js";
import { groups, mainContractId, portalUser } from "../account.js";

export type Environment = "STAGING" | "PRODUCTION";
export type Type = "IP" | "GEO";

/** What a version of a list consists of. */
export interface Content {
  readonly name: string;
  readonly description?: string | undefined;
  readonly list: readonly string[];
  /** What was written in addition. */
  readonly [member: string]: unknown;
}

export interface Activation {
  readonly id: number;
  readonly listId: string;
  readonly environment: Environment;
  readonly syncPoint: number;
  readonly atMs: number;
  readonly lastsMs: number;
  readonly isInitial: boolean;
  /** How many there have been on the network, this one included. */
  readonly count: number;
  readonly by: string;
  readonly comments?: string | undefined;
}

export interface Stored extends Authored {
  readonly id: string;
  readonly type: Type;
  readonly contractId: string;
  readonly groupId: number;
  /** Managed by the vendor: everyone may read it, and no one else may change it. */
  readonly isShared: boolean;
  content: Content;
  syncPoint: number;
  /** The versions that were activated. */
  readonly versions: Map<number, Content>;
}

// The real service takes 25 minutes for the first activation and 5 to 10 for others; a demo cannot wait that long.
export const lastsMs = { initial: 60_000, later: 15_000 } as const;

interface State {
  readonly lists: Map<string, Stored>;
  readonly activations: Map<number, Activation>;
  /** The lists by subscriber. */
  readonly subscribers: Map<string, Set<string>>;
}

const own = { contractId: mainContractId, groupId: groups[0]?.id ?? 0, isShared: false } as const;

export const stateOf = (world: World): State =>
  world.state("network lists", () => {
    const at = (daysAgo: number) => world.startedAtMs - daysAgo * dayMs;
    const list = (
      id: string,
      type: Type,
      content: Content,
      syncPoint: number,
      versions: [number, Content][],
    ): Stored => ({
      ...{ ...own, ...authored(at(60), portalUser), id, type, content, syncPoint },
      versions: new Map(versions),
    });
    const blocked = (...elements: string[]): Content => ({
      ...{ name: "Blocked addresses", description: "Scrapers", list: elements },
    });
    const countries: Content = { name: "Countries without delivery", list: ["KP", "SY"] };
    const exits: Content = { name: "Anonymizing exits", list: ["192.0.2.201", "192.0.2.202"] };
    const activation = (id: number, listId: string, environment: Environment, syncPoint: number, days: number) => ({
      ...{ id, listId, environment, syncPoint, atMs: at(days), lastsMs: lastsMs.initial },
      ...{ isInitial: true, count: 1, by: portalUser },
    });
    return {
      lists: byId([
        list("25614_BLOCKED", "IP", blocked("2001:db8:7::/48", "203.0.113.64/28", "203.0.113.7"), 5, [
          [3, blocked("203.0.113.7", "203.0.113.9")],
          [4, blocked("203.0.113.64/28", "203.0.113.7")],
        ]),
        list("25615_COUNTRIES", "GEO", countries, 2, [[2, countries]]),
        list("25616_TRIAL", "IP", { name: "Trial", description: "Never activated", list: ["192.0.2.44"] }, 1, []),
        { ...list("1024_EXITS", "IP", exits, 65, [[65, exits]]), isShared: true },
      ]),
      activations: byId([
        activation(7_001, "25614_BLOCKED", "PRODUCTION", 3, 30),
        activation(7_002, "25614_BLOCKED", "STAGING", 4, 10),
        activation(7_003, "25615_COUNTRIES", "PRODUCTION", 2, 50),
      ]),
      subscribers: new Map(),
    };
  });

/** The activations of a list on a network, oldest first. */
export const activationsOn = (world: World, listId: string, environment: Environment): readonly Activation[] =>
  [...stateOf(world).activations.values()].filter((one) => one.listId === listId && one.environment === environment);

export const isPending = (world: World, { atMs, lastsMs: lasts }: Activation): boolean => world.now() < atMs + lasts;

export type Status = "INACTIVE" | "PENDING_ACTIVATION" | "ACTIVE" | "MODIFIED";

/** Where the latest activation of a list on a network stands. */
export function statusOn(world: World, { id, syncPoint }: Stored, environment: Environment): Status {
  const last = activationsOn(world, id, environment).at(-1);
  if (last === undefined) return "INACTIVE";
  if (isPending(world, last)) return "PENDING_ACTIVATION";
  return last.syncPoint === syncPoint ? "ACTIVE" : "MODIFIED";
}
