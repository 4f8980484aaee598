/** The account's traffic: deterministic for each instant, with a daily curve and its incidents. */
import { dayMs, hourMs } from "../../../time/durations.js";
import type { World } from "../../world.js";
import { type AccountHost, cpCodes, everyHost, incidentCpCode, refusedCpCode, servedZones } from "../account.js";
import { zoneNames } from "../dns/zones.js";
import { currentCpCodes } from "../properties/served.js";
import { isSteady, shareKeptFrom } from "../threat-protection/visitors.js";
import { arrivingShare, type Conditions, conditionsOf, deliveredHosts, firstChange } from "./conditions.js";
import { initialRequests, originShare, requestsPerHour } from "./sites.js";

export const slotMs = 300_000;
/** The share of the requests and bytes that edge servers get from their parents with a warm cache. */
export const midgressShare = 0.12;
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A period in which the origin failed; milliseconds since 1970. */
export interface Incident {
  readonly start: number;
  readonly end: number;
}

/** The shop's incident: the day before the world's first day, in the early afternoon (UTC), recent enough for the log lines. */
export function incident({ startedAtMs }: World): Incident {
  const start = Math.floor(startedAtMs / dayMs) * dayMs - dayMs + 13 * hourMs;
  return { start, end: start + 2 * hourMs };
}

/** When the origin of the shop's API began to refuse every connection: some hours before the world started. */
const refusedSince = ({ startedAtMs }: World): number => Math.floor(startedAtMs / hourMs) * hourMs - 6 * hourMs;

/** The dimensions of the traffic, with the share of each value. */
export type TrafficDimension = "endpoint_id" | "api_key" | "http_method" | "response_code";
const shares: Readonly<Record<TrafficDimension, Readonly<Record<string, number>>>> = {
  endpoint_id: { "101": 0.5, "102": 0.3, "103": 0.2 },
  api_key: { "7001": 0.6, "7002": 0.25, "7003": 0.15 },
  http_method: { get: 0.78, post: 0.15, head: 0.03, put: 0.02, delete: 0.02 },
  response_code: { "200": 0.862, "301": 0.02, "304": 0.06, "403": 0.012, "404": 0.04, "500": 0.003, "503": 0.003 },
};

export const dimensionValues = (dimension: TrafficDimension): readonly string[] => Object.keys(shares[dimension]);

/** The account's objects of a report's object type. */
export function objectsOf(world: World, objectType: "edns" | "contracts" | "cpcode"): readonly string[] {
  if (objectType === "cpcode") return currentCpCodes(world).map(({ id }) => id);
  return objectType === "edns" ? zoneNames(world) : [...new Set(servedZones.map(({ contractId }) => contractId))];
}

/** How busy an hour is relative to the average: quiet at night, busiest in the evening, quieter at the weekend. */
function rhythm(hourStart: number): number {
  const date = new Date(hourStart);
  const day = 1 + 0.62 * Math.cos(((date.getUTCHours() - 19) / 24) * 2 * Math.PI);
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  return day * (isWeekend ? 0.8 : 1.08);
}

const yearMs = 365 * dayMs;
/** Traffic grows by eight percent a year. */
const growth = (hourStart: number): number => 1.08 ** ((hourStart - Date.UTC(2026, 0, 1)) / yearMs);

const isWithin = ({ start, end }: Incident, at: number): boolean => at >= start && at < end;

/** The shares of an hour's traffic in its twelve slots; they vary slightly and add up to one. */
function slotShares(world: World, object: string, hourStart: number): readonly number[] {
  const weights = Array.from(
    { length: hourMs / slotMs },
    (_, slot) => 0.9 + 0.2 * world.noise("slot", object, hourStart / slotMs + slot),
  );
  const all = sum(weights);
  return weights.map((weight) => weight / all);
}

/** The share of a slot that a period covers. */
const coveredOf = (start: number, from: number, to: number): number =>
  Math.max(0, Math.min(to, start + slotMs) - Math.max(from, start)) / slotMs;

/** The share of an hour's traffic that falls into part of the hour. */
function partOfHour(world: World, object: string, hourStart: number, from: number, to: number): number {
  if (from <= hourStart && to >= hourStart + hourMs) return 1;
  return sum(
    slotShares(world, object, hourStart).map((share, slot) => share * coveredOf(hourStart + slot * slotMs, from, to)),
  );
}

/** The share of the usual traffic that is left in the incident, and the factor by which server errors increase. */
const failing = { traffic: 0.85, serverErrors: 40 };

/** Whether a CP code is affected by the incident at an instant. */
const isInIncident = (world: World, cpCode: string, at: number): boolean =>
  cpCode === incidentCpCode && isWithin(incident(world), at);

/** Whether a CP code has the origin that has refused all connections since before the world's start. */
const isRefused = (world: World, cpCode: string, at: number): boolean =>
  cpCode === refusedCpCode && at >= refusedSince(world) && at < world.startedAtMs;
const refusedMix: Readonly<Record<string, number>> = { "503": 1 };

/** The share of each response code in normal operation. */
export const usualMix: Readonly<Record<string, number>> = shares.response_code;

const isServerError = (code: string): boolean => code.startsWith("5");
/** The part of a sum by response code that server errors are. */
export const serverErrorsIn = (byCode: Readonly<Record<string, number>>): number =>
  sum(Object.entries(byCode).map(([code, part]) => (isServerError(code) ? part : 0)));
const usualErrors = serverErrorsIn(usualMix);

/** The share of each response code where requests are neither denied nor failing because of a change. */
export function initialMix(world: World, cpCode: string, at: number): Readonly<Record<string, number>> {
  if (isRefused(world, cpCode, at)) return refusedMix;
  if (!isInIncident(world, cpCode, at)) return usualMix;
  const more = failing.serverErrors / failing.traffic;
  const others = (1 - usualErrors * more) / (1 - usualErrors);
  return Object.fromEntries(
    Object.entries(usualMix).map(([code, share]) => [code, share * (isServerError(code) ? more : others)]),
  );
}

/** The share of each response code of a CP code's requests under the conditions of one host; they add up to one. */
export function mixUnder(
  { denied, failing: failed }: Conditions,
  mix: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  if (denied === 0 && failed === 0) return mix;
  if (denied === 0 && failed === 1) return refusedMix;
  const left = (1 - denied) * (1 - failed);
  const shares = Object.fromEntries(Object.entries(mix).map(([code, share]) => [code, share * left]));
  shares["403"] = (shares["403"] ?? 0) + denied;
  shares["503"] = (shares["503"] ?? 0) + (1 - denied) * failed;
  return shares;
}

/** A host of a CP code at an instant, with its part of the CP code's requests, and what happens to them. */
export interface HostPart {
  readonly host: AccountHost;
  readonly part: number;
  readonly conditions: Conditions;
}
/** The hosts of a CP code with requests at an instant. */
export function hostParts(world: World, cpCode: string, at: number): readonly HostPart[] {
  const own = trafficOf(world, cpCode, at)
    .filter(({ hits }) => hits > 0)
    .map(({ host, hits }) => ({ host, hits: hits * reachOf(world, host.name, at) }));
  const all = total(own);
  return own.map(({ host, hits }) => {
    const part = all === 0 ? 1 / own.length : hits / all;
    return { host, part, conditions: conditionsOf(world, host.name, at) };
  });
}

/**
 * The share of each response code of a CP code at an instant, in milliseconds since 1970; they add up to one. In
 * the incident there are forty times the usual server errors, in fewer requests.
 */
export function responseMix(world: World, cpCode: string, at: number): Readonly<Record<string, number>> {
  const mix = initialMix(world, cpCode, at);
  if (at < world.startedAtMs) return mix;
  const parts = hostParts(world, cpCode, at);
  const [first] = parts;
  // The same object for the usual case, which callers recognize.
  if (!first || parts.every(({ conditions: { denied, failing: failed } }) => denied === 0 && failed === 0)) return mix;
  if (parts.length === 1) return mixUnder(first.conditions, mix);
  const sums: Record<string, number> = {};
  for (const { part, conditions } of parts)
    for (const [code, share] of Object.entries(mixUnder(conditions, mix)))
      sums[code] = (sums[code] ?? 0) + part * share;
  return sums;
}

/** The share of a CP code's requests that fail because of an incident at an instant; zero in normal operation. */
export function failingShare(world: World, cpCode: string, at: number): number {
  const isFailing =
    initialMix(world, cpCode, at) !== usualMix ||
    (at >= world.startedAtMs && hostParts(world, cpCode, at).some(({ conditions }) => conditions.failing > 0));
  return isFailing ? serverErrorsIn(responseMix(world, cpCode, at)) : 0;
}

/** The share of a CP code's requests with these response codes that go to the origin of warm caches: errors always do. */
export const warmOriginShare = (
  world: World,
  cpCode: string,
  at: number,
  mix: Readonly<Record<string, number>>,
): number =>
  sum(
    hostParts(world, cpCode, at).flatMap(({ host, part }) =>
      Object.entries(mix).map(([code, share]) => part * share * (Number(code) >= 400 ? 1 : originShare(world, host))),
    ),
  );

/** The requests in an hour that a traffic model expects: without noise, incidents and what was activated since. */
export const expectedHits = (cpCode: string, hour: number): number =>
  (cpCodes.find(({ id }) => id === cpCode)?.hitsPerHour ?? 0) * growth(hour) * rhythm(hour);

/** A host with its requests in an average hour. */
interface Traffic {
  readonly host: AccountHost;
  readonly hits: number;
}
const initialTraffic: readonly Traffic[] = everyHost.map((host) => ({ host, hits: initialRequests(host.name) }));

/**
 * The traffic of each host at an instant, or of those of a CP code: visitors come to a name, and its requests count for
 * whatever delivers it.
 */
export const trafficAt = (world: World, atMs: number, cpCode?: string): readonly Traffic[] =>
  atMs < world.startedAtMs
    ? initialTraffic
    : deliveredHosts(world, atMs)
        .filter((host) => cpCode === undefined || String(host.cpCode) === cpCode)
        .map((host) => ({
          host,
          hits: arrivingShare(world, host.name, atMs) === 0 ? 0 : requestsPerHour(world, host.name),
        }));

const total = (all: readonly Traffic[]): number => sum(all.map(({ hits }) => hits));
const initialOf = new Map(
  cpCodes.map(({ id }) => [id, initialTraffic.filter(({ host }) => String(host.cpCode) === id)]),
);
// Most requested hours lie before the world's start, where the traffic is the same in every hour.
const trafficOf = (world: World, cpCode: string, at: number): readonly Traffic[] =>
  at < world.startedAtMs ? (initialOf.get(cpCode) ?? []) : trafficAt(world, at, cpCode);

/** The usual requests of a CP code in an hour, by the hosts that it has at an instant in it. */
function hitsOfHour(world: World, cpCode: string, hour: number, at = hour): number {
  const usual = total(trafficOf(world, cpCode, at)) * growth(hour) * rhythm(hour);
  const hits = usual * (0.94 + 0.12 * world.noise("hits", cpCode, hour / hourMs));
  return hits * (isInIncident(world, cpCode, hour) ? failing.traffic : 1);
}

/** The share of a host's usual requests that arrive: those that names lead to it, and threat protection lets through. */
const reachOf = (world: World, hostName: string, at: number): number =>
  arrivingShare(world, hostName, at) * (1 - shareKeptFrom(world, hostName, at));

/** The share of a CP code's usual requests that its hosts have in the slot that begins then. */
function reach(world: World, cpCode: string, slotStart: number): number {
  const traffic = trafficOf(world, cpCode, slotStart);
  const usual = total(traffic);
  return usual === 0 ? 1 : sum(traffic.map(({ host, hits }) => hits * reachOf(world, host.name, slotStart))) / usual;
}

/** Whether an hour lies before everything that was changed in the world. */
const isUnchanged = (world: World, hour: number): boolean =>
  hour + hourMs <= world.startedAtMs || hour + hourMs <= (firstChange(world) ?? Number.POSITIVE_INFINITY);

/**
 * The same for a whole hour, so that what is live is only looked up once; undefined in the rare hour in which that
 * changes.
 */
const steadyReach = (world: World, cpCode: string, hour: number): number | undefined =>
  isUnchanged(world, hour) && isSteady(world, hour, hour + hourMs) ? reach(world, cpCode, hour) : undefined;

/** Requests of a CP code in each of the twelve slots of an hour. */
export function hitsBySlot(world: World, cpCode: string, hour: number): readonly number[] {
  const shares = slotShares(world, cpCode, hour);
  const steady = steadyReach(world, cpCode, hour);
  if (steady !== undefined) {
    const hits = hitsOfHour(world, cpCode, hour);
    return shares.map((share) => share * hits * steady);
  }
  return shares.map((share, index) => {
    const at = hour + index * slotMs;
    return share * hitsOfHour(world, cpCode, hour, at) * reach(world, cpCode, at);
  });
}

/** The slots of an hour that overlap a period, each with its start and the requests of a CP code that lie in the period. */
export function slotsIn(world: World, cpCode: string, hour: number, from: number, to: number) {
  return hitsBySlot(world, cpCode, hour).flatMap((hits, index) => {
    const start = hour + index * slotMs;
    const covered = coveredOf(start, from, to);
    return covered > 0 ? [{ start, hits: hits * covered }] : [];
  });
}

/** Requests of a CP code in part of an hour. */
function hitsInPart(world: World, cpCode: string, hour: number, from: number, to: number): number {
  const steady = steadyReach(world, cpCode, hour);
  return steady === undefined
    ? sum(slotsIn(world, cpCode, hour, from, to).map(({ hits }) => hits))
    : hitsOfHour(world, cpCode, hour) * partOfHour(world, cpCode, hour, from, to) * steady;
}

/** The hours that a period overlaps. */
export function* hoursOf(from: number, to: number): Generator<number> {
  for (let hour = Math.floor(from / hourMs) * hourMs; hour < to; hour += hourMs) yield hour;
}

/** Requests of a CP code in a period, by response code; they are rounded only when rows are written. */
export function hitsByCode(world: World, cpCode: string, from: number, to: number): Record<string, number> {
  const sums: Record<string, number> = {};
  const add = (hits: number, at: number) => {
    for (const [code, share] of Object.entries(responseMix(world, cpCode, at)))
      sums[code] = (sums[code] ?? 0) + hits * share;
  };
  for (const hour of hoursOf(from, to)) {
    if (isUnchanged(world, hour)) add(hitsInPart(world, cpCode, hour, from, to), hour);
    else for (const { hits, start } of slotsIn(world, cpCode, hour, from, to)) add(hits, start);
  }
  return sums;
}

/** The share of traffic for some values of a dimension; one if there is no limit. */
export const shareOf = (
  dimension: Exclude<TrafficDimension, "response_code">,
  values: readonly string[] | undefined,
) => (values === undefined ? 1 : sum(values.map((value) => shares[dimension][value] ?? 0)));

/** The outbound bytes of one response with a code. */
export const bytesPerHit = (code: string): number =>
  code === "200" ? 18_400 : code === "304" ? 310 : code.startsWith("3") ? 420 : 1_150;

/** DNS responses of a zone in a period, and how many of them were NXDOMAIN. */
export function dnsResponses(world: World, zone: string, from: number, to: number) {
  let hits = 0;
  let nxdomain = 0;
  // A zone added later is not delegated yet, so it receives no queries.
  const usual = servedZones.find(({ name }) => name === zone)?.responsesPerSecond ?? 0;
  for (const hour of hoursOf(from, to)) {
    const perSecond = usual * growth(hour) * rhythm(hour) * (0.95 + 0.1 * world.noise("dns", zone, hour / hourMs));
    const responses = perSecond * 3_600 * partOfHour(world, zone, hour, from, to);
    hits += responses;
    nxdomain += responses * (0.018 + 0.006 * world.noise("nxdomain", zone, hour / hourMs));
  }
  return { hits, nxdomain };
}

/** Availability of the DNS service in a period, in percent. */
export function availability(world: World, contract: string, from: number, to: number): number {
  let percents = 0;
  let hours = 0;
  for (const hour of hoursOf(from, to)) {
    const covered = (Math.min(to, hour + hourMs) - Math.max(from, hour)) / hourMs;
    const value = isWithin(incident(world), hour)
      ? 96.8 + 0.6 * world.noise("down", contract, hour / hourMs)
      : 99.97 + 0.03 * world.noise("up", contract, hour / hourMs);
    percents += value * covered;
    hours += covered;
  }
  return hours === 0 ? 100 : percents / hours;
}
