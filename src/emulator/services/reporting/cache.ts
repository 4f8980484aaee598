/**
 * The cache of each CP code. A purge makes its content cold; each request for a cold object fetches it again, so the cache
 * fills with the traffic: quickly with popular objects, slowly at night. Edge servers ask their parents first, so the
 * origin sees fewer requests than the edge misses.
 */
import { hourMs } from "../../../time/durations.js";
import type { World } from "../../world.js";
import { cpCodes, everyHost, locations } from "../account.js";
import { servedHosts } from "../properties/served.js";
import { type FinishedPurge, finishedPurges } from "../purge/index.js";
import { originShareAt, outagesOf, staleAfter } from "./conditions.js";
import { hitsBySlot, midgressShare, slotMs } from "./series.js";

/** What makes part of a CP code's cache cold at an instant. */
interface Cooling {
  readonly atMs: number;
  /** The share of the requests for cacheable objects that ask for these. */
  readonly share: number;
  /** How many objects they are. */
  readonly objects: number;
  /** Whether the objects are still there, and the origin is only asked if they have changed. */
  readonly isValidation: boolean;
}

/** How a slot's requests for cacheable objects fare; shares of them. */
export interface Coldness {
  /** Those that an edge server has to ask a parent for. */
  readonly edge: number;
  /** Those that a parent has to ask the origin for. */
  readonly parent: number;
  /** Of what the origin is asked for because of it, the part that it only confirms. */
  readonly validated: number;
}
const warm: Coldness = { edge: 0, parent: 0, validated: 0 };

/** The objects that a CP code has in the cache: a few in a hundred of an hour's requests. */
const objectsOf = (world: World, cpCode: string): number => {
  const { hitsPerHour = 0 } = cpCodes.find(({ id }) => id === cpCode) ?? {};
  return Math.max(50, hitsPerHour * (0.02 + 0.06 * world.noise("cached objects", cpCode)));
};
/** How many caches of edge servers lie in front of each parent. */
const edgeCaches = locations.length;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");
/** The CP code in an ARL, or that of the host in a URL. */
function cpCodeOf(world: World, url: string): string {
  const inArl = /\/\w\/\d+\/(\d+)\//.exec(url)?.[1];
  const host = servedHosts(world).find(({ name }) => name === hostOf(url));
  return inArl ?? String(host?.cpCode ?? "");
}

/** How popular an object is: most have hardly any requests. */
const popularity = (world: World, url: string): number => 0.0002 + 0.05 * world.noise("popularity", url) ** 4;

function coolingOf(world: World, cpCode: string, purge: FinishedPurge): Cooling | undefined {
  const { kind, objects, atMs, isValidation } = purge;
  const all = objectsOf(world, cpCode);
  if (kind === "cpcode") return objects.includes(cpCode) ? { atMs, isValidation, share: 1, objects: all } : undefined;
  if (kind === "tag") {
    const share = 1 - objects.reduce((left, tag) => left * (1 - 0.1 - 0.3 * world.noise("tagged", tag, cpCode)), 1);
    return { atMs, isValidation, share, objects: Math.max(1, all * share) };
  }
  const own = [...new Set(objects)].filter((url) => cpCodeOf(world, url) === cpCode);
  const share = Math.min(
    1,
    own.reduce((sum, url) => sum + popularity(world, url), 0),
  );
  return own.length === 0 ? undefined : { atMs, isValidation, share, objects: own.length };
}

/** What purges and the ends of outages have made cold in a CP code. */
function coolingsOf(world: World, cpCode: string): readonly Cooling[] {
  const purges = finishedPurges(world).flatMap((purge) => coolingOf(world, cpCode, purge) ?? []);
  const ended = everyHost.flatMap(({ name }) =>
    outagesOf(world, name).flatMap(({ host, fromMs, untilMs }): readonly Cooling[] => {
      if (untilMs === undefined || String(host.cpCode) !== cpCode) return [];
      const share = staleAfter(host, untilMs - fromMs);
      return [{ atMs: untilMs, share, objects: objectsOf(world, cpCode) * share, isValidation: true }];
    }),
  );
  return [...purges, ...ended];
}

/** The mean share of cold requests while a cache of so many objects has its requests from one number to another. */
const meanCold = (objects: number, from: number, to: number): number =>
  to - from < 1e-6 ? objects / (objects + from) : (objects / (to - from)) * Math.log((objects + to) / (objects + from));

/** A share that no longer shows in any figure. */
const negligible = 0.0005;

/**
 * How cold a CP code's cache is in the slots of a period.
 * @returns By the start of each slot, in milliseconds since 1970; a slot that is missing is warm.
 */
export function coldSlots(world: World, cpCode: string, to: number): (slotStart: number) => Coldness {
  const slots = new Map<number, { edgeWarm: number; parentWarm: number; fetched: number; validated: number }>();
  for (const { atMs, share, objects, isValidation } of coolingsOf(world, cpCode)) {
    let requests = 0;
    let cold = share;
    for (let hour = Math.floor(atMs / hourMs) * hourMs; hour < to && cold > negligible; hour += hourMs)
      hitsBySlot(world, cpCode, hour).forEach((hits, at) => {
        const start = hour + at * slotMs;
        const covered = Math.min(1, Math.max(0, (start + slotMs - atMs) / slotMs));
        if (covered === 0) return;
        const until = requests + hits * covered * share;
        const edge = covered * share * meanCold(objects * edgeCaches, requests, until);
        const parent = covered * share * meanCold(objects, requests, until);
        const slot = slots.get(start) ?? { edgeWarm: 1, parentWarm: 1, fetched: 0, validated: 0 };
        slots.set(start, {
          edgeWarm: slot.edgeWarm * (1 - edge),
          parentWarm: slot.parentWarm * (1 - parent),
          fetched: slot.fetched + parent,
          validated: slot.validated + (isValidation ? parent : 0),
        });
        requests = until;
        cold = (share * objects * edgeCaches) / (objects * edgeCaches + requests);
      });
  }
  return (slotStart) => {
    const slot = slots.get(slotStart);
    if (!slot) return warm;
    const { edgeWarm, parentWarm, fetched, validated } = slot;
    return { edge: 1 - edgeWarm, parent: 1 - parentWarm, validated: fetched === 0 ? 0 : validated / fetched };
  };
}

/** What one request with a success costs on average; shares of requests. */
export interface Cost {
  readonly origin: number;
  readonly midgress: number;
  /** The part of the origin's requests that is only confirmed, without a body. */
  readonly validated: number;
}
/** The requests behind the successful ones of a CP code, with its cache as cold as it is. */
export function costOf(cpCode: string, { edge, parent, validated }: Coldness): Cost {
  const usual = originShareAt(cpCode);
  const more = (1 - usual) * parent;
  return {
    origin: usual + more,
    midgress: midgressShare + Math.max(0, 1 - usual - midgressShare) * edge,
    validated: more === 0 ? 0 : (validated * more) / (usual + more),
  };
}
