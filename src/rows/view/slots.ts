/** The parts of time by which rows are grouped, and the period that determines whether they are complete. */
import { dayMs, hourMs, minuteMs } from "../../time/durations.js";
import type { Row } from "../index.js";
import { type Clock, type LocalMoment, momentsOf, type Period, type Scope } from "./scope.js";

/** The first instant of a part of time, and the first one after it. */
type Bounds = readonly [fromMs: number, toMs: number];

/** A kind of part of time into which moments fall, numbered in order. */
export interface Slot {
  readonly numberOf: (moment: LocalMoment) => number;
  readonly labelOf: (number: number, clock: Clock) => string | number;
  /**
   * When the part with a number begins and ends; absent for recurring parts, such as an hour of the day. If present,
   * two periods are compared by their distance from the start of each.
   */
  readonly boundsOf?: (number: number, clock: Clock) => Bounds;
  /** The same parts counted from another moment; absent if the calendar determines when they begin. */
  readonly countedFrom?: (start: LocalMoment) => Slot;
}

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const dayOf = ({ local }: LocalMoment): number => Math.floor(local / dayMs);
const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
const monthOf = ({ local }: LocalMoment): number =>
  new Date(local).getUTCFullYear() * 12 + new Date(local).getUTCMonth();
const monthLabel = (month: number): string =>
  `${Math.floor(month / 12)}-${String((((month % 12) + 12) % 12) + 1).padStart(2, "0")}`;
const ofMonth = (month: number): number => Date.UTC(Math.floor(month / 12), ((month % 12) + 12) % 12, 1);

/** The bounds of a part that begins and ends at local times. */
const between = (from: number, to: number, clock: Clock): Bounds => [clock.instantOf(from), clock.instantOf(to)];

/** The week of ISO 8601, which belongs to the year of its Thursday. Week 0 is that of Thursday, 1 January 1970. */
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
/** Each hour by its first instant, so that a repeated local hour counts as two. */
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

/** Minutes and hours, whose length does not depend on the clocks. */
function elapsed(lengthMs: number, { ms }: LocalMoment): Slot {
  return {
    numberOf: (moment) => Math.floor((moment.ms - ms) / lengthMs),
    labelOf: (number, clock) => clock.textOf(ms + number * lengthMs),
    boundsOf: (number) => [ms + number * lengthMs, ms + (number + 1) * lengthMs],
    countedFrom: (start) => elapsed(lengthMs, start),
  };
}

/** Days, which begin at the same local time. */
function byClock(lengthMs: number, { local }: LocalMoment): Slot {
  const from = (number: number): number => local + number * lengthMs;
  return {
    numberOf: (moment) => Math.floor((moment.local - local) / lengthMs),
    labelOf: (number, clock) =>
      local % dayMs === 0 ? dateOf(from(number) / dayMs) : clock.textOf(clock.instantOf(from(number))),
    boundsOf: (number, clock) => between(from(number), from(number + 1), clock),
    countedFrom: (start) => byClock(lengthMs, start),
  };
}

/** Calendar months, the first of which contains the start. */
function byMonth(count: number, start: LocalMoment): Slot {
  const from = (number: number): number => monthOf(start) + number * count;
  return {
    numberOf: (moment) => Math.floor((monthOf(moment) - monthOf(start)) / count),
    labelOf: (number) => monthLabel(from(number)),
    boundsOf: (number, clock) => between(ofMonth(from(number)), ofMonth(from(number + 1)), clock),
    countedFrom: (other) => byMonth(count, other),
  };
}

const units: Readonly<Record<string, (count: number, start: LocalMoment) => Slot>> = {
  minute: (count, start) => elapsed(count * minuteMs, start),
  hour: (count, start) => elapsed(count * hourMs, start),
  day: (count, start) => byClock(count * dayMs, start),
  week: (count, start) => byClock(7 * count * dayMs, start),
  month: byMonth,
};

/** The calendar functions of an instant, by all of their names. */
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

const epoch: LocalMoment = { ms: 0, local: 0, isDay: false };
const counted = /^([1-9]\d{0,3})[ _]?(minute|hour|day|week|month)s?$/;

/** The kind of part with a name, such as `week` or `7 days`; undefined for any other name. */
export function slotByName(name: string): Slot | undefined {
  const [, count, unit = ""] = counted.exec(name) ?? [];
  return count === undefined ? slots.get(name) : units[unit]?.(Number(count), epoch);
}

/** The same for an error, without synonyms. */
export const slotText = "hour, weekday, hours, day, week, month or a span such as 7 days, as in hour(time)";

/** The earliest moment of a field, which is the start of a period that is not known otherwise. */
export function earliest(scope: Scope, rows: readonly Row[], path: string): number {
  const momentOf = momentsOf(scope, path);
  return rows.reduce((least, row) => Math.min(least, momentOf(row)?.ms ?? least), Number.POSITIVE_INFINITY);
}

// Fewer times do not determine a distance.
const leastTimes = 3;

/** The period of rows at a constant distance, as in reports; undefined for any others. */
function periodOfSeries(times: readonly number[]): Period | undefined {
  const [startMs] = times;
  const lastMs = times.at(-1);
  if (startMs === undefined || lastMs === undefined || times.length < leastTimes) return undefined;
  const gaps = times.slice(1).map((ms, at) => ms - (times[at] ?? ms));
  const step = gaps.reduce((least, gap) => Math.min(least, gap));
  const isDense = 2 * times.length > (lastMs - startMs) / step;
  return isDense && gaps.every((gap) => gap % step === 0) ? { startMs, endMs: lastMs + step } : undefined;
}

/** The period of the rows by one of their times: as requested, or derived from their distance. */
function periodOf(scope: Scope, path: string): Period | undefined {
  const momentOf = momentsOf(scope, path);
  const moments = scope.rows.flatMap((row) => momentOf(row) ?? []);
  // A date is the same day in every zone, and so is a period of dates; local days differ in length.
  const areDays = moments.length > 0 && moments.every(({ isDay }) => isDay);
  const times = [...new Set(moments.map(({ ms, local }) => (areDays ? local : ms)))].sort((a, b) => a - b);
  const { period: scopePeriod, clock, nowMs } = scope;
  const period = scopePeriod ? { ...scopePeriod, endMs: Math.min(scopePeriod.endMs, nowMs) } : periodOfSeries(times);
  if (!period) return undefined;
  // Other times than that of the period, such as a creation time, can be before it.
  const isWithin = (times[0] ?? period.startMs) >= period.startMs && (times.at(-1) ?? period.startMs) < period.endMs;
  if (!isWithin) return undefined;
  return areDays ? { startMs: clock.instantOf(period.startMs), endMs: clock.instantOf(period.endMs) } : period;
}

/** The moment from which spans count: the start of the period, or the day of the first row. */
export function startOf(scope: Scope, path: string): LocalMoment {
  const { clock } = scope;
  const at = (ms: number): LocalMoment => clock.momentOf(new Date(ms).toISOString()) ?? { ms, local: ms, isDay: false };
  const period = periodOf(scope, path);
  if (period) return at(period.startMs);
  const first = earliest(scope, scope.rows, path);
  if (!Number.isFinite(first)) return at(0);
  return at(clock.instantOf(Math.floor(at(first).local / dayMs) * dayMs));
}

/** How much of a part of time a period covers, in a readable unit. */
function coverageText(coveredMs: number, wholeMs: number): string {
  const [unitMs, unit] =
    wholeMs >= 2 * dayMs ? [dayMs, "days"] : wholeMs > hourMs ? [hourMs, "hours"] : [minuteMs, "minutes"];
  const count = (ms: number) => Number((ms / unitMs).toFixed(1));
  return `${count(coveredMs)} of ${count(wholeMs)} ${unit}`;
}

/** Notes which of the shown parts the period covers only partly, because their values are smaller. */
export function notePartial(
  scope: Scope,
  { label, path }: { readonly label: string; readonly path: string },
  slot: Slot,
  numbers: readonly number[],
): void {
  const period = slot.boundsOf && periodOf(scope, path);
  if (!slot.boundsOf || !period) return;
  const partial: string[] = [];
  for (const number of new Set(numbers)) {
    const [fromMs, toMs] = slot.boundsOf(number, scope.clock);
    const covered = Math.min(toMs, period.endMs) - Math.max(fromMs, period.startMs);
    if (covered > 0 && covered < toMs - fromMs)
      partial.push(`${slot.labelOf(number, scope.clock)} (${coverageText(covered, toMs - fromMs)})`);
  }
  if (partial.length > 0) scope.notes.push(`Partial in ${label}: ${partial.join(", ")}.`);
}
