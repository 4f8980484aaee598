/** The times at which a rule applies: an interval, or hours of the week in a time zone. */
import { dayMs, minuteMs } from "../time/durations.js";
import { firstInstantOf, isZone, localMs } from "../time/zone.js";

/** A window, which includes its start but not its end. */
export interface PolicyWindow {
  /** The end of the window that an instant is in, in milliseconds; undefined if it is in none. */
  readonly endMs: (nowMs: number) => number | undefined;
  /** The time zone of its hours; an interval has none. */
  readonly zone?: string;
}

/** The notation of a window, for errors. */
export const windowText =
  "a window: 2026-11-26T00:00Z/2026-11-30T00:00Z, whose times have an offset, or fri 16:00-24:00 Europe/Berlin, or mon-fri 22:00-06:00 UTC";

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const day = `(?:${days.join("|")})`;
const weekly = new RegExp(`^(${day})(?:-(${day}))? (\\d{2}):(\\d{2})-(\\d{2}):(\\d{2}) (\\S+)$`);
const dayMinutes = 1_440;

function interval(text: string): PolicyWindow | undefined {
  // Stryker disable next-line StringLiteral: any text that is no instant will do for one that is missing.
  const [start = "", end = "", ...more] = text.split("/");
  if (more.length > 0 || !instant.test(start) || !instant.test(end)) return undefined;
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
  // An invalid time is NaN, and compares as false.
  return startMs < endMs ? { endMs: (nowMs) => (startMs <= nowMs && nowMs < endMs ? endMs : undefined) } : undefined;
}

/** The minute of the day of a time; undefined if it is invalid; 24:00 only as an end. */
function minuteOf(hours: string, minutes: string, isEnd: boolean): number | undefined {
  const minute = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && (minute < dayMinutes || (isEnd && minute === dayMinutes)) ? minute : undefined;
}

/** The days from one to another, wrapping around the end of the week. */
function daysFrom(first: string, last: string): ReadonlySet<number> {
  const [from, to] = [first, last].map((name) => days.indexOf(name as (typeof days)[number])) as [number, number];
  return new Set(Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, at) => (from + at) % 7));
}

/** The first instant after another at which the local time is one or later. */
function endOfLocal(zone: string, local: number, afterMs: number): number {
  const first = firstInstantOf(zone, local);
  // Where clocks go back, the end comes twice, and the hour before the second one belongs to the window as well.
  return first > afterMs ? first : afterMs + local - localMs(zone, afterMs);
}

function hoursOfWeek(text: string): PolicyWindow | undefined {
  const parts = weekly.exec(text.replace(/\S+/, (word) => word.toLowerCase()));
  if (parts === null) return undefined;
  // Stryker disable next-line StringLiteral: in what matches, all but the last day are there.
  const [, first = "", last = first, h1 = "", m1 = "", h2 = "", m2 = "", zone = ""] = parts;
  const [start, end] = [minuteOf(h1, m1, false), minuteOf(h2, m2, true)];
  if (start === undefined || end === undefined || start === end || !isZone(zone)) return undefined;
  const on = daysFrom(first, last);
  const endMs = (nowMs: number): number | undefined => {
    const local = localMs(zone, nowMs);
    const midnight = Math.floor(local / dayMs) * dayMs;
    const today = new Date(midnight).getUTCDay();
    const minute = Math.floor((local - midnight) / minuteMs);
    const isOvernight = start > end;
    const beganToday = on.has(today) && start <= minute && (isOvernight || minute < end);
    // The window continues after midnight, on a day that need not be in its list.
    const beganYesterday = isOvernight && on.has((today + 6) % 7) && minute < end;
    if (!beganToday && !beganYesterday) return undefined;
    const endLocal = midnight + end * minuteMs + (beganToday && isOvernight ? dayMs : 0);
    return endOfLocal(zone, endLocal, nowMs);
  };
  return { endMs, zone };
}

/** The window that a text describes; undefined if it is invalid. */
export const windowOf = (text: string): PolicyWindow | undefined => interval(text) ?? hoursOfWeek(text);

/** More windows than this that follow one another, each in the end of the last, do not end in any time that matters. */
const mostInARow = 400;

/** The end of windows that overlap or follow one another. */
export interface WindowsEnd {
  /** In milliseconds; absent if no end is known. */
  readonly atMs?: number;
  /** The zone of the window that ends last, if it has one. */
  readonly zone?: string;
}

/** When none of the windows holds any more; undefined if none holds now. */
export function endOfWindows(windows: readonly PolicyWindow[], nowMs: number): WindowsEnd | undefined {
  let last: PolicyWindow | undefined;
  let atMs = nowMs;
  for (let count = 0; count <= mostInARow; count += 1) {
    const next = windows.find((one) => one.endMs(atMs) !== undefined);
    const zone = last?.zone === undefined ? {} : { zone: last.zone };
    if (next === undefined) return last && { atMs, ...zone };
    last = next;
    atMs = next.endMs(atMs) ?? atMs;
  }
  return last?.zone === undefined ? {} : { zone: last.zone };
}
