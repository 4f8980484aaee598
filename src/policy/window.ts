/** The times at which a rule applies: an interval, or hours of the week in a time zone. */
import { dayMs, minuteMs } from "../time/durations.js";
import { isZone, localMs } from "../time/zone.js";

/** Whether an instant is in a window; its start is inclusive, its end exclusive. */
export type PolicyWindow = (nowMs: number) => boolean;

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
  return startMs < endMs ? (nowMs) => startMs <= nowMs && nowMs < endMs : undefined;
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

function hoursOfWeek(text: string): PolicyWindow | undefined {
  const parts = weekly.exec(text.replace(/\S+/, (word) => word.toLowerCase()));
  if (parts === null) return undefined;
  // Stryker disable next-line StringLiteral: in what matches, all but the last day are there.
  const [, first = "", last = first, h1 = "", m1 = "", h2 = "", m2 = "", zone = ""] = parts;
  const [start, end] = [minuteOf(h1, m1, false), minuteOf(h2, m2, true)];
  if (start === undefined || end === undefined || start === end || !isZone(zone)) return undefined;
  const on = daysFrom(first, last);
  return (nowMs) => {
    const local = localMs(zone, nowMs);
    const today = new Date(local).getUTCDay();
    const minute = Math.floor((((local % dayMs) + dayMs) % dayMs) / minuteMs);
    // Stryker disable next-line EqualityOperator: they are never equal.
    if (start < end) return on.has(today) && start <= minute && minute < end;
    // The window continues after midnight, on a day that need not be in its list.
    return (on.has(today) && start <= minute) || (on.has((today + 6) % 7) && minute < end);
  };
}

/** The window that a text describes; undefined if it is invalid. */
export const windowOf = (text: string): PolicyWindow | undefined => interval(text) ?? hoursOfWeek(text);
