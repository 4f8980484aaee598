/**
 * The cache of each host. A purge makes content cold; each request for a cold object fetches it again, so the cache
 * fills with the traffic: quickly with popular objects, slowly at night. Edge servers ask their parents first, so the
 * origin sees fewer requests than the edge misses.
 */
import { hourMs } from "../../../time/durations.js";
import type { World } from "../../world.js";
import { locations } from "../account.js";
import { type FinishedPurge, finishedPurges } from "../purge/index.js";
import { outagesOf, visitedSince } from "./conditions.js";
import { hitsBySlot, hostParts, midgressShare, slotMs } from "./series.js";
import { cachedObjects, isEstablished, keptSeconds, originShare, purgedShare, staleAfter, urlsOf } from "./sites.js";

/** What makes part of a host's cache cold at an instant. */
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

/** How many caches of edge servers lie in front of each parent. */
const edgeCaches = locations.length;

function coolingOf(world: World, cpCode: string, hostName: string, purge: FinishedPurge): readonly Cooling[] {
  const { kind, objects, atMs, isValidation } = purge;
  const share = purgedShare(world, cpCode, hostName, purge);
  if (share === 0) return [];
  const all = cachedObjects(world, hostName);
  const count = kind === "url" ? urlsOf(cpCode, hostName, objects).length : all * share;
  return [{ atMs, isValidation, share, objects: Math.max(1, Math.min(all, count)) }];
}

/** What its beginning, purges and the ends of outages have made cold in a host's cache, in order. */
function coolingsOf(world: World, cpCode: string, hostName: string): readonly Cooling[] {
  const all = cachedObjects(world, hostName);
  const since = visitedSince(world, hostName);
  const empty =
    since === undefined || isEstablished(hostName)
      ? []
      : [{ atMs: since, share: 1, objects: all, isValidation: false }];
  const purges = finishedPurges(world).flatMap((purge) => coolingOf(world, cpCode, hostName, purge));
  const ended = outagesOf(world, hostName).flatMap(({ host, fromMs, untilMs }): readonly Cooling[] => {
    if (untilMs === undefined) return [];
    const share = staleAfter(host, untilMs - fromMs);
    return [{ atMs: untilMs, share, objects: all * share, isValidation: true }];
  });
  return [...empty, ...purges, ...ended].sort((a, b) => a.atMs - b.atMs);
}

/** The mean share of cold requests while a cache of so many objects has its requests from one number to another. */
const meanCold = (objects: number, from: number, to: number): number =>
  to - from < 1e-6 ? objects / (objects + from) : (objects / (to - from)) * Math.log((objects + to) / (objects + from));

/** A share that no longer shows in any figure. */
const negligible = 0.0005;

/** The share of a slot that follows an instant. */
const partAfter = (atMs: number, slotStart: number): number =>
  Math.min(1, Math.max(0, (slotStart + slotMs - atMs) / slotMs));

/** The requests of a slot that bring something into a host's cache, and how long that is kept. */
interface Filling {
  readonly hits: number;
  readonly keptMs: number;
}
const nothing: Filling = { hits: 0, keptMs: Number.POSITIVE_INFINITY };

const fillingsIn = (world: World, cpCode: string, hostName: string, hour: number): readonly Filling[] =>
  hitsBySlot(world, cpCode, hour).map((hits, index) => {
    const found = hostParts(world, cpCode, hour + index * slotMs).find(({ host }) => host.name === hostName);
    if (!found || found.conditions.failing > 0) return nothing;
    const { host, part } = found;
    // A stream says for each of its parts how long it is kept, so that is not known of the host.
    return { hits: hits * part * (1 - originShare(world, host)), keptMs: 1_000 * keptSeconds(host) || nothing.keptMs };
  });

/**
 * How much of a slot a cooling still counts: what would have expired since then would be asked for anyway.
 * @returns the share of the slot in which it counts, and how much on average there.
 */
function remainder({ atMs }: Cooling, slotStart: number, keptMs: number) {
  const from = Math.max(0, slotStart - atMs);
  const to = Math.min(slotStart + slotMs - atMs, keptMs);
  return to <= from ? { covered: 0, left: 0 } : { covered: (to - from) / slotMs, left: 1 - (from + to) / (2 * keptMs) };
}

/**
 * How cold the cache of a CP code's host is in the slots of a period.
 * @returns By the start of each slot, in milliseconds since 1970; a slot that is missing is warm.
 */
export function coldSlots(world: World, cpCode: string, hostName: string, to: number): (slotStart: number) => Coldness {
  const slots = new Map<number, Coldness>();
  const hours = new Map<number, readonly Filling[]>();
  const all = coolingsOf(world, cpCode, hostName);
  for (const [index, cooling] of all.entries()) {
    const { atMs, share, objects, isValidation } = cooling;
    let requests = 0;
    let cold = share;
    for (let hour = Math.floor(atMs / hourMs) * hourMs; hour < to && cold > negligible; hour += hourMs) {
      const fillings = hours.get(hour) ?? fillingsIn(world, cpCode, hostName, hour);
      hours.set(hour, fillings);
      fillings.forEach(({ hits, keptMs }, at) => {
        const start = hour + at * slotMs;
        if (start + slotMs <= atMs) return;
        const { covered, left } = remainder(cooling, start, keptMs);
        // What is made cold again counts there, and no longer here.
        const still = all
          .slice(index + 1)
          .reduce((rest, later) => rest * (1 - later.share * partAfter(later.atMs, start)), left * share);
        const until = requests + hits * covered * share;
        const edge = covered * still * meanCold(objects * edgeCaches, requests, until);
        const parent = covered * still * meanCold(objects, requests, until);
        const slot = slots.get(start) ?? warm;
        slots.set(start, {
          edge: slot.edge + edge,
          parent: slot.parent + parent,
          validated: slot.validated + (isValidation ? parent : 0),
        });
        requests += hits * partAfter(atMs, start) * share;
        cold = (still * objects * edgeCaches) / (objects * edgeCaches + requests);
      });
    }
  }
  return (slotStart) => {
    const { edge, parent, validated } = slots.get(slotStart) ?? warm;
    return parent === 0 ? warm : { edge, parent, validated: validated / parent };
  };
}

/** What one request with a success costs on average; shares of requests. */
export interface Cost {
  readonly origin: number;
  readonly midgress: number;
  /** The part of the origin's requests that is only confirmed, without a body. */
  readonly validated: number;
}
/** The requests behind the successful ones of a host, by those that go to the origin with a warm cache, and how cold it is. */
export function costOf(usual: number, { edge, parent, validated }: Coldness): Cost {
  const more = (1 - usual) * parent;
  return {
    origin: usual + more,
    midgress: midgressShare + Math.max(0, 1 - usual - midgressShare) * edge,
    validated: more === 0 ? 0 : (validated * more) / (usual + more),
  };
}
