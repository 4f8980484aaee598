/** Relative periods, such as yesterday in Tokyo, turned into the start and the end that an operation takes. */
import { z } from "./z.js";

/**
 * The arguments of an operation that bound a period, and how they are written: as instants of which the end is exclusive,
 * or as UTC dates of which the last one counts whole.
 */
export interface PeriodArguments {
  readonly start: string;
  readonly end: string;
  readonly form: "iso" | "epochMs" | "date";
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const pattern = /^(?:today|yesterday|last_([1-9]\d{0,2})(h|d))$/;

/** `last_24h`, `last_7d`, `yesterday`, `today`. */
export const Period = z
  .string()
  .regex(pattern, "last_24h, last_7d (any number of hours or days), yesterday or today")
  .describe("Instead of start and end: last_24h, last_7d, yesterday, today");

const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

/** The zone whose days `yesterday` and `today` are. */
export const TimeZone = z
  .string()
  .refine(isZone, "a time zone such as Asia/Tokyo or UTC")
  .describe("For period; UTC when left out");

/** How far a zone is ahead of UTC at an instant, in milliseconds. */
function offsetMs(zone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(instant);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * 60_000);
}

/** The first instant of the local day that lies so many days before the one of `instant`. */
function startOfDay(zone: string, instant: number, daysBefore: number): number {
  const local = Math.floor((instant + offsetMs(zone, instant)) / dayMs - daysBefore) * dayMs;
  const near = local - offsetMs(zone, instant);
  // Where the clocks change around it, midnight is there twice or not at all: the first instant that is not before it counts.
  const begins = [near - 3 * hourMs, near + 3 * hourMs].map((at) => local - offsetMs(zone, at));
  return Math.min(...begins.filter((at) => at + offsetMs(zone, at) >= local));
}

/**
 * The bounds of a period; hours and days back count from the last full hour.
 * @param nowMs Milliseconds since 1970.
 * @returns start, inclusive, and end, exclusive, in milliseconds since 1970.
 */
export function boundsOf(
  period: string,
  zone: string,
  nowMs: number,
): { readonly start: number; readonly end: number } {
  const hour = Math.floor(nowMs / hourMs) * hourMs;
  if (period === "yesterday") return { start: startOfDay(zone, nowMs, 1), end: startOfDay(zone, nowMs, 0) };
  if (period === "today")
    return { start: startOfDay(zone, nowMs, 0), end: Math.max(hour, startOfDay(zone, nowMs, 0) + hourMs) };
  const [, count = "1", unit = "h"] = pattern.exec(period) ?? [];
  return { start: hour - Number(count) * (unit === "d" ? dayMs : hourMs), end: hour };
}

const iso = (ms: number): string => new Date(ms).toISOString();
const writers: Readonly<Record<PeriodArguments["form"], (start: number, end: number) => readonly [unknown, unknown]>> =
  {
    iso: (start, end) => [iso(start).replace(".000Z", "Z"), iso(end).replace(".000Z", "Z")],
    epochMs: (start, end) => [start, end],
    date: (start, end) => [iso(start).slice(0, 10), iso(end - 1).slice(0, 10)],
  };

/** A relative period as the values of the arguments that bound it, and the sentence that says what it was taken for. */
export function writtenPeriod(
  { start: startName, end: endName, form }: PeriodArguments,
  period: string,
  zone: string,
  nowMs: number,
): { readonly values: Readonly<Record<string, unknown>>; readonly note: string } {
  const { start, end } = boundsOf(period, zone, nowMs);
  const [first, last] = writers[form](start, end);
  const range = form === "date" ? `the UTC days ${first} to ${last}` : `${iso(start)} to ${iso(end)}`;
  return { values: { [startName]: first, [endName]: last }, note: `${period} (${zone}) is ${range}.` };
}
