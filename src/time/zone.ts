/** Local times of a time zone and their instants, even on days when clocks change. */
import { guessName } from "../text/nearest.js";
import { dayMs, hourMs, minuteMs } from "./durations.js";

/** Whether a time zone exists. */
export const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

/** The time zone of the machine, or of `TZ`. */
export const machineZone = (): string => new Intl.DateTimeFormat("en").resolvedOptions().timeZone;

/** What a time zone argument takes. */
export const zoneText = "a time zone such as Asia/Tokyo or UTC";

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf("/") + 1);

/** The zone that an invalid name means: by its city, or misspelled. */
export function guessZone(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  const zones = Intl.supportedValuesOf("timeZone");
  const city = guessName(cityOf(given), zones.map(cityOf));
  const ofCity = zones.filter((zone) => cityOf(zone) === city);
  return guessName(given, zones) ?? (ofCity.length === 1 ? ofCity[0] : undefined);
}

// A formatter is slow to create, and successive calls usually concern the same zone.
let last: { readonly zone: string; readonly format: Intl.DateTimeFormat } | undefined;
function formatOf(zone: string): Intl.DateTimeFormat {
  if (last?.zone !== zone)
    last = { zone, format: new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }) };
  return last.format;
}

/** The UTC offset of a zone at an instant, in milliseconds. */
function offsetMs(zone: string, instantMs: number): number {
  const parts = formatOf(zone).formatToParts(instantMs);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * minuteMs);
}

/** The local time of an instant in a zone, as milliseconds since the local 1970. */
export const localMs = (zone: string, instantMs: number): number => instantMs + offsetMs(zone, instantMs);

/** An offset in the notation of times: `+05:30`. */
export function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / minuteMs;
  const two = (number: number): string => String(Math.floor(number)).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** An instant in local time with its offset; undefined for an invalid instant. */
export function zonedText(zone: string, instantMs: number): string | undefined {
  if (Number.isNaN(new Date(instantMs).getTime())) return undefined;
  const offset = offsetMs(zone, instantMs);
  return new Date(instantMs + offset).toISOString().replace(/(\.000)?Z$/, "") + offsetText(offset);
}

/** The instants of a local time in a zone, earliest first: two if the clocks go back, none if they skip it. */
function instantsOf(zone: string, local: number): number[] {
  const offsets = new Set([local - dayMs, local + dayMs].map((near) => offsetMs(zone, near)));
  return [...offsets]
    .map((offset) => local - offset)
    .filter((instant) => localMs(zone, instant) === local)
    .sort((a, b) => a - b);
}

/** The instant at which the clocks of a zone change within a day of a local time. */
function changeNear(zone: string, local: number): number {
  let [before, after] = [local - dayMs, local + dayMs];
  const offset = offsetMs(zone, before);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetMs(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** The first instant with a local time or a later one. */
export const firstInstantOf = (zone: string, local: number): number =>
  instantsOf(zone, local)[0] ?? changeNear(zone, local);

/** The instant of a local time, and whether it occurs twice; the local times on either side if it is skipped. */
export function placeLocal(
  zone: string,
  local: number,
):
  | { readonly instantMs: number; readonly isAmbiguous: boolean }
  | { readonly lastBeforeMs: number; readonly firstAfterMs: number } {
  const [instantMs, second] = instantsOf(zone, local);
  if (instantMs !== undefined) return { instantMs, isAmbiguous: second !== undefined };
  const change = changeNear(zone, local);
  return { lastBeforeMs: localMs(zone, change - 1), firstAfterMs: localMs(zone, change) };
}
