/** Cells that are instants, and what the clocks of a time zone show at them. */
import { dayMs, minuteMs } from "../../language/durations.js";
import { firstInstantOf, localMs } from "../../time/zone.js";
import { epochMs, timeOf } from "../cell-type.js";

const quarterMs = 15 * minuteMs;

/** An instant, and what the clocks show then, in milliseconds since their own 1970. */
export interface Moment {
  readonly ms: number;
  readonly local: number;
  /** Whether it stands for a whole day. */
  readonly isDay: boolean;
}

/** How a clock reads a value. */
interface Reading {
  /** Whether a number is an instant, in seconds or milliseconds since 1970. */
  readonly epoch?: true;
  /** Whether a time without an offset is one of the zone; otherwise it is one of UTC, as the APIs have it. */
  readonly zoned?: true;
}

/** Reads instants as the clocks of one time zone show them. */
export interface Clock {
  readonly zone: string;
  /** The moment that a value is; undefined for what is none. */
  momentOf(value: unknown, how?: Reading): Moment | undefined;
  /** The first instant of the day after one. */
  dayAfter(moment: Moment): number;
  /** The first instant at which the clocks show a time. */
  instantOf(local: number): number;
  /** An instant in ISO form with the zone's offset. */
  textOf(ms: number): string;
}

// Three months of five minutes are 26,000.
const maxRemembered = 50_000;

/** Makes the clock of a time zone. */
export function createClock(zone: string): Clock {
  // Asking for an offset takes microseconds, and a report has a million rows; a day without a change of clocks has one.
  const ofDays = new Map<number, number | undefined>();
  const ofQuarters = new Map<number, number>();
  const askedOffset = (ms: number): number => localMs(zone, ms) - ms;
  function offsetAt(ms: number): number {
    if (zone === "UTC") return 0;
    const day = Math.floor(ms / dayMs);
    if (!ofDays.has(day)) {
      const [first, next] = [askedOffset(day * dayMs), askedOffset((day + 1) * dayMs)];
      ofDays.set(day, first === next ? first : undefined);
    }
    const known = ofDays.get(day);
    if (known !== undefined) return known;
    // Clocks change at whole quarters of an hour.
    const quarter = Math.floor(ms / quarterMs);
    const offset = ofQuarters.get(quarter) ?? askedOffset(quarter * quarterMs);
    ofQuarters.set(quarter, offset);
    return offset;
  }
  const at = (ms: number): Moment => ({ ms, local: ms + offsetAt(ms), isDay: false });
  const ofDay = (local: number): Moment => ({ ms: firstInstantOf(zone, local), local, isDay: true });
  function ofText(value: string, isZoned: boolean): Moment | undefined {
    const time = timeOf(value);
    if (!time) return undefined;
    // A date alone is that day wherever it is read: it is not moved into another zone.
    if (time.kind === "day") return ofDay(time.ms);
    return at(isZoned && time.kind === "local" ? firstInstantOf(zone, time.ms) : time.ms);
  }
  // Most times stand in a report as often as it has groups.
  const read = new Map<string, Moment>();
  function remembered(value: string): Moment | undefined {
    const known = read.get(value);
    if (known) return known;
    const moment = ofText(value, false);
    if (read.size >= maxRemembered) read.clear();
    if (moment) read.set(value, moment);
    return moment;
  }

  return {
    zone,
    momentOf(value, { epoch = false, zoned = false } = {}) {
      const moment = typeof value !== "string" ? undefined : zoned ? ofText(value, true) : remembered(value);
      const ms = moment || !epoch ? undefined : epochMs(value);
      return ms === undefined ? moment : at(ms);
    },
    dayAfter: ({ local }) => firstInstantOf(zone, (Math.floor(local / dayMs) + 1) * dayMs),
    instantOf: (local) => (zone === "UTC" ? local : firstInstantOf(zone, local)),
    textOf(ms) {
      const offset = offsetAt(ms);
      const text = new Date(ms + offset).toISOString();
      const short = text.replace(/(?::00)?\.000Z$/, "").replace(/Z$/, "");
      if (offset === 0) return `${short}Z`;
      const size = Math.abs(offset) / minuteMs;
      const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
      return `${short}${offset < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
    },
  };
}
