/** The traffic behind the reports: the same for an instant whatever is asked, with a day's curve and one incident. */
import type { World } from "../world.js";

export const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const slotMs = 300_000;

/** A stretch of time in which the origin failed; milliseconds since 1970. */
export interface Incident {
  readonly start: number;
  readonly end: number;
}

/** The one incident: the day before the world's first day, in the early afternoon (UTC), so that log lines still show it. */
export const incident = (world: World): Incident =>
  world.state("incident", () => {
    const start = Math.floor(world.now() / dayMs) * dayMs - dayMs + 13 * hourMs;
    return { start, end: start + 2 * hourMs };
  });

/** One value for each way in which traffic is split. */
interface Dimensions {
  readonly endpoint_id: string;
  readonly api_key: string;
  readonly http_method: string;
  readonly response_code: string;
}
export type Dimension = keyof Dimensions;

const shares: Readonly<Record<Dimension, Readonly<Record<string, number>>>> = {
  endpoint_id: { "101": 0.5, "102": 0.3, "103": 0.2 },
  api_key: { "7001": 0.6, "7002": 0.25, "7003": 0.15 },
  http_method: { get: 0.78, post: 0.15, head: 0.03, put: 0.02, delete: 0.02 },
  response_code: { "200": 0.862, "301": 0.02, "304": 0.06, "403": 0.012, "404": 0.04, "500": 0.003, "503": 0.003 },
};

export const dimensionValues = (dimension: Dimension): readonly string[] => Object.keys(shares[dimension]);

const cpCodeRates: Readonly<Record<string, number>> = { "12345": 90_000, "12346": 26_000, "67890": 9_000 };
const zoneRates: Readonly<Record<string, number>> = { "example.com": 160, "shop.example": 35 };

/** The account's objects of a report's object type. */
export const objectsOf = (objectType: "edns" | "contracts" | "cpcode"): readonly string[] =>
  objectType === "cpcode" ? Object.keys(cpCodeRates) : objectType === "edns" ? Object.keys(zoneRates) : ["C-1FRYVV3"];

/** How busy an hour is against the average one: quiet at night, busiest in the evening, quieter at the weekend. */
function rhythm(hourStart: number): number {
  const date = new Date(hourStart);
  const day = 1 + 0.62 * Math.cos(((date.getUTCHours() - 19) / 24) * 2 * Math.PI);
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  return day * (isWeekend ? 0.8 : 1.08);
}

const yearMs = 365 * dayMs;
/** Traffic grows by eight percent in a year. */
const growth = (hourStart: number): number => 1.08 ** ((hourStart - Date.UTC(2026, 0, 1)) / yearMs);

const isWithin = ({ start, end }: Incident, at: number): boolean => at >= start && at < end;

/** Of an hour's traffic, the part that falls into a piece of it; the twelve slots differ a little and add up to one. */
function partOfHour(world: World, object: string, hourStart: number, from: number, to: number): number {
  if (from <= hourStart && to >= hourStart + hourMs) return 1;
  const weights = Array.from(
    { length: 12 },
    (_, slot) => 0.9 + 0.2 * world.noise("slot", object, hourStart / slotMs + slot),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.reduce((sum, weight, slot) => {
    const start = hourStart + slot * slotMs;
    const covered = Math.max(0, Math.min(to, start + slotMs) - Math.max(from, start)) / slotMs;
    return sum + (weight / total) * covered;
  }, 0);
}

/** What the incident leaves of the usual traffic, and how many times as many server errors are in it. */
const failing = { traffic: 0.85, serverErrors: 40 };

/**
 * The share of each response code at an instant, in milliseconds since 1970; together they make one. In the incident
 * the server errors are forty times as many as usual, in the fewer requests that there are.
 */
export function responseMix(world: World, at: number): Readonly<Record<string, number>> {
  const usual = shares.response_code;
  if (!isWithin(incident(world), at)) return usual;
  const isServerError = (code: string): boolean => code.startsWith("5");
  const usualErrors = Object.entries(usual).reduce((sum, [code, share]) => sum + (isServerError(code) ? share : 0), 0);
  const more = failing.serverErrors / failing.traffic;
  const others = (1 - usualErrors * more) / (1 - usualErrors);
  return Object.fromEntries(
    Object.entries(usual).map(([code, share]) => [code, share * (isServerError(code) ? more : others)]),
  );
}

/** The hours that a period touches. */
function* hoursOf(from: number, to: number): Generator<number> {
  for (let hour = Math.floor(from / hourMs) * hourMs; hour < to; hour += hourMs) yield hour;
}

/** Requests of a CP code in a period, by response code; whole numbers only come out when rows are written. */
export function hitsByCode(world: World, cpCode: string, from: number, to: number): Record<string, number> {
  const sums: Record<string, number> = {};
  const rate = cpCodeRates[cpCode] ?? 0;
  for (const hour of hoursOf(from, to)) {
    const isFailing = isWithin(incident(world), hour);
    const usual = rate * growth(hour) * rhythm(hour) * (0.94 + 0.12 * world.noise("hits", cpCode, hour / hourMs));
    const hits = usual * (isFailing ? failing.traffic : 1);
    const part = partOfHour(world, cpCode, hour, from, to);
    for (const [code, share] of Object.entries(responseMix(world, hour)))
      sums[code] = (sums[code] ?? 0) + hits * share * part;
  }
  return sums;
}

/** The share of traffic that falls to some values of a dimension; one where they are not limited. */
export const shareOf = (
  dimension: Exclude<Dimension, "response_code">,
  values: readonly string[] | undefined,
): number => (values === undefined ? 1 : values.reduce((sum, value) => sum + (shares[dimension][value] ?? 0), 0));

/** Bytes that one response of a code takes on its way out. */
export const bytesPerHit = (code: string): number =>
  code === "200" ? 18_400 : code === "304" ? 310 : code.startsWith("3") ? 420 : 1_150;

/** DNS responses of a zone in a period, and how many of them were NXDOMAIN. */
export function dnsResponses(
  world: World,
  zone: string,
  from: number,
  to: number,
): { readonly hits: number; readonly nxdomain: number } {
  let hits = 0;
  let nxdomain = 0;
  for (const hour of hoursOf(from, to)) {
    const perSecond =
      (zoneRates[zone] ?? 0) * growth(hour) * rhythm(hour) * (0.95 + 0.1 * world.noise("dns", zone, hour / hourMs));
    const responses = perSecond * 3_600 * partOfHour(world, zone, hour, from, to);
    hits += responses;
    nxdomain += responses * (0.018 + 0.006 * world.noise("nxdomain", zone, hour / hourMs));
  }
  return { hits, nxdomain };
}

/** Availability of the DNS service in a period, in percent. */
export function availability(world: World, contract: string, from: number, to: number): number {
  let sum = 0;
  let weight = 0;
  for (const hour of hoursOf(from, to)) {
    const covered = (Math.min(to, hour + hourMs) - Math.max(from, hour)) / hourMs;
    const value = isWithin(incident(world), hour)
      ? 96.8 + 0.6 * world.noise("down", contract, hour / hourMs)
      : 99.97 + 0.03 * world.noise("up", contract, hour / hourMs);
    sum += value * covered;
    weight += covered;
  }
  return weight === 0 ? 100 : sum / weight;
}
