/** The parts of time that rows are grouped by: hours, weekdays, days, weeks, months, and spans such as 7 days. */
import { dayMs, hourMs, minuteMs } from "../../language/durations.js";
import type { Clock, Moment } from "./clock.js";

/** The first instant of a part of time, and the first one after it. */
type Bounds = readonly [fromMs: number, toMs: number];

/** A part of time that moments fall into, each numbered in its order. */
export interface Slot {
  readonly numberOf: (moment: Moment) => number;
  readonly labelOf: (number: number, clock: Clock) => string | number;
  /**
   * When the part with a number begins and ends; absent where it comes again and again, as an hour of the day does. Where it
   * is present, two periods are compared by their distance from the start of each.
   */
  readonly boundsOf?: (number: number, clock: Clock) => Bounds;
  /** The same parts counted from another moment; absent where the calendar says when they begin. */
  readonly countedFrom?: (start: Moment) => Slot;
}

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const dayOf = ({ local }: Moment): number => Math.floor(local / dayMs);
const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
const monthOf = ({ local }: Moment): number => new Date(local).getUTCFullYear() * 12 + new Date(local).getUTCMonth();
const monthLabel = (month: number): string =>
  `${Math.floor(month / 12)}-${String((((month % 12) + 12) % 12) + 1).padStart(2, "0")}`;
const ofMonth = (month: number): number => Date.UTC(Math.floor(month / 12), ((month % 12) + 12) % 12, 1);

/** The bounds of a part that begins and ends at times of the clocks. */
const between = (from: number, to: number, clock: Clock): Bounds => [clock.instantOf(from), clock.instantOf(to)];

/** The week of ISO 8601, which belongs to the year that its Thursday is in. Week 0 is that of Thursday, 1 January 1970. */
function weekLabel(week: number): string {
  const thursday = week * 7;
  const year = new Date(thursday * dayMs).getUTCFullYear();
  const number = Math.floor((thursday - Date.UTC(year, 0, 1) / dayMs) / 7) + 1;
  return `${year}-W${String(number).padStart(2, "0")}`;
}

const hour: Slot = {
  numberOf: ({ local }) => Math.floor(local / hourMs) - 24 * Math.floor(local / dayMs),
  labelOf: (number) => number,
};
const weekday: Slot = {
  // 1 January 1970 was a Thursday.
  numberOf: (moment) => (((dayOf(moment) + 3) % 7) + 7) % 7,
  labelOf: (number) => weekdays[number] ?? number,
};
/** Each hour by its first instant, so that the hour which the clocks show twice is two. */
const hours: Slot = {
  numberOf: ({ ms, local }) => ms - (((local % hourMs) + hourMs) % hourMs),
  labelOf: (number, clock) => clock.textOf(number),
  boundsOf: (number) => [number, number + hourMs],
};
const day: Slot = {
  numberOf: dayOf,
  labelOf: dateOf,
  boundsOf: (number, clock) => between(number * dayMs, (number + 1) * dayMs, clock),
};
const week: Slot = {
  numberOf: (moment) => Math.floor((dayOf(moment) + 3) / 7),
  labelOf: weekLabel,
  boundsOf: (number, clock) => between((number * 7 - 3) * dayMs, (number * 7 + 4) * dayMs, clock),
};
const month: Slot = {
  numberOf: monthOf,
  labelOf: monthLabel,
  boundsOf: (number, clock) => between(ofMonth(number), ofMonth(number + 1), clock),
};

/** Minutes and hours, which last as long whatever the clocks show. */
function elapsed(lengthMs: number, { ms }: Moment): Slot {
  return {
    numberOf: (moment) => Math.floor((moment.ms - ms) / lengthMs),
    labelOf: (number, clock) => clock.textOf(ms + number * lengthMs),
    boundsOf: (number) => [ms + number * lengthMs, ms + (number + 1) * lengthMs],
    countedFrom: (start) => elapsed(lengthMs, start),
  };
}

/** Days, which begin at the same time of the clocks. */
function byClock(lengthMs: number, { local }: Moment): Slot {
  const from = (number: number): number => local + number * lengthMs;
  return {
    numberOf: (moment) => Math.floor((moment.local - local) / lengthMs),
    labelOf: (number, clock) =>
      local % dayMs === 0 ? dateOf(from(number) / dayMs) : clock.textOf(clock.instantOf(from(number))),
    boundsOf: (number, clock) => between(from(number), from(number + 1), clock),
    countedFrom: (start) => byClock(lengthMs, start),
  };
}

/** Months of the calendar, the first of which has the start in it. */
function byMonth(count: number, start: Moment): Slot {
  const from = (number: number): number => monthOf(start) + number * count;
  return {
    numberOf: (moment) => Math.floor((monthOf(moment) - monthOf(start)) / count),
    labelOf: (number) => monthLabel(from(number)),
    boundsOf: (number, clock) => between(ofMonth(from(number)), ofMonth(from(number + 1)), clock),
    countedFrom: (other) => byMonth(count, other),
  };
}

const units: Readonly<Record<string, (count: number, start: Moment) => Slot>> = {
  minute: (count, start) => elapsed(count * minuteMs, start),
  hour: (count, start) => elapsed(count * hourMs, start),
  day: (count, start) => byClock(count * dayMs, start),
  week: (count, start) => byClock(7 * count * dayMs, start),
  month: byMonth,
};

/** The functions of an instant that the calendar defines, by all the names that people have for them. */
const slots: ReadonlyMap<string, Slot> = new Map([
  ["hour", hour],
  ["hour_of_day", hour],
  ["weekday", weekday],
  ["day_of_week", weekday],
  ["hours", hours],
  ["day", day],
  ["days", day],
  ["date", day],
  ["week", week],
  ["weeks", week],
  ["month", month],
  ["months", month],
]);

const epoch: Moment = { ms: 0, local: 0, isDay: false };
const counted = /^([1-9]\d{0,3})[ _]?(minute|hour|day|week|month)s?$/;

/** The part of time that a name is for, such as `week` or `7 days`; undefined for any other name. */
export function slotNamed(name: string): Slot | undefined {
  const [, count, unit = ""] = counted.exec(name) ?? [];
  return count === undefined ? slots.get(name) : units[unit]?.(Number(count), epoch);
}

/** The same for an error, without the second names. */
export const slotText = "hour, weekday, hours, day, week, month or a span such as 7 days, as in hour(time)";
