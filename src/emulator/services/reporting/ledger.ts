/** What the edge, its parents and the origin had to serve: the traffic of hosts, step by step, with the cache as it was. */
import type { World } from "../../world.js";
import type { AccountHost } from "../account.js";
import { type Coldness, type Cost, coldSlots, costOf } from "./cache.js";
import { bytesPerHit, hostParts, hoursOf, initialMix, midgressShare, mixUnder, slotMs, slotsIn } from "./series.js";
import { originShare } from "./sites.js";

/** Requests and bytes at one side. */
interface Load {
  readonly hits: number;
  readonly bytes: number;
}
/** The traffic of a host with one response code in a step of time. */
export interface Entry {
  readonly startMs: number;
  readonly cpCode: string;
  readonly hostName: string;
  readonly code: string;
  readonly edge: Load;
  readonly midgress: Load;
  readonly origin: Load;
}

const load = (hits: number, bytes: number): Load => ({ hits, bytes });
/** The bytes of an answer that only confirms what the CDN has. */
const confirmation = bytesPerHit("304");

/** What so many requests with a code come to, of which a part was denied at the edge and so went nowhere. */
function sidesOf(code: string, hits: number, denied: number, { origin, midgress, validated }: Cost) {
  const perHit = bytesPerHit(code);
  const isSuccess = Number(code) < 400;
  const asked = (hits - denied) * (isSuccess ? origin : 1);
  const passed = (hits - denied) * (isSuccess ? midgress : midgressShare);
  return {
    edge: load(hits, hits * perHit),
    midgress: load(passed, passed * perHit),
    origin: load(asked, asked * (isSuccess ? perHit - validated * Math.max(0, perHit - confirmation) : perHit)),
  };
}

/** How cold the caches of hosts are in slots until an instant; what is found of a host is kept. */
function coldnessUntil(world: World, to: number): (host: AccountHost, slotStart: number) => Coldness {
  const known = new Map<string, (slotStart: number) => Coldness>();
  return ({ cpCode, name }, slotStart) => {
    const key = `${cpCode} ${name}`;
    const slots = known.get(key) ?? coldSlots(world, String(cpCode), name, to);
    known.set(key, slots);
    return slots(slotStart);
  };
}

/** The shares of the requests answered with a code that go to the origin, by host, until an instant: errors always do. */
export function missesUntil(world: World, to: number): (host: AccountHost, code: string, atMs: number) => number {
  const coldness = coldnessUntil(world, to);
  return (host, code, atMs) =>
    Number(code) >= 400
      ? 1
      : costOf(originShare(world, host), coldness(host, Math.floor(atMs / slotMs) * slotMs)).origin;
}

/** The traffic of a CP code in a slot, of which so many requests are counted. */
function* entriesIn(
  world: World,
  cpCode: string,
  startMs: number,
  hits: number,
  coldness: ReturnType<typeof coldnessUntil>,
): Generator<Entry> {
  const mix = initialMix(world, cpCode, startMs);
  for (const { host, part, conditions } of hostParts(world, cpCode, startMs)) {
    const own = hits * part;
    const cost = costOf(originShare(world, host), coldness(host, startMs));
    // What is served in an outage is fresh, so only the failing requests have been to the origin.
    const ownCost = conditions.failing > 0 ? { ...cost, origin: 0, validated: 0 } : cost;
    for (const [code, share] of Object.entries(mixUnder(conditions, mix))) {
      const denied = code === "403" ? own * conditions.denied : 0;
      yield { startMs, cpCode, hostName: host.name, code, ...sidesOf(code, own * share, denied, ownCost) };
    }
  }
}

/**
 * The traffic of CP codes in a period, in steps of five minutes. Sums of it agree with the reports of Reporting v1.
 * @param counted The share of a slot that has been counted, by its start: the last ones are incomplete.
 */
export function* entriesOf(
  world: World,
  cpCodes: readonly string[],
  [from, to]: readonly [from: number, to: number],
  counted: (slotStart: number) => number,
): Generator<Entry> {
  const coldness = coldnessUntil(world, to);
  for (const cpCode of cpCodes)
    for (const hour of hoursOf(from, to))
      for (const { start, hits } of slotsIn(world, cpCode, hour, from, to)) {
        const own = hits * counted(start);
        if (own > 0) yield* entriesIn(world, cpCode, start, own, coldness);
      }
}

/** The bytes of a CP code between the edge and its parents in a period, beyond the usual share, by response code. */
export function extraMidgressByCode(world: World, cpCode: string, from: number, to: number): Record<string, number> {
  const sums: Record<string, number> = {};
  const changeable = Math.max(from, world.startedAtMs);
  if (changeable >= to) return sums;
  for (const { code, edge, midgress } of entriesOf(world, [cpCode], [changeable, to], () => 1))
    sums[code] = (sums[code] ?? 0) + midgress.bytes - edge.bytes * midgressShare;
  return sums;
}

/** The requests of a CP code that went to the origin in a period, by response code. */
export function originHitsByCode(world: World, cpCode: string, from: number, to: number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { code, origin } of entriesOf(world, [cpCode], [from, to], () => 1))
    sums[code] = (sums[code] ?? 0) + origin.hits;
  return sums;
}
