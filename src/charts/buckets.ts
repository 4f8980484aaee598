/** The steps of a series: added up to hours and days as the clocks of a zone show them, and which were not measured to their end. */
import { dayMs, hourMs } from "../language/durations.js";
import { endsOf, type Point, type Series, Tally, type TimeData } from "./series.js";
import { clockText, startOfDay, startOfHour } from "./times.js";

/** The time in which everything was measured; an end of it that is not known is left out. */
export interface Measured {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** When the step that begins at an instant ends: months and days are not all equally long. */
function endOf(zone: string, at: number, stepMs: number): number {
  const start = new Date(at);
  if (stepMs >= 28 * dayMs && stepMs <= 31 * dayMs) return start.setUTCMonth(start.getUTCMonth() + 1);
  return stepMs === dayMs && startOfDay(zone, at) === at ? startOfDay(zone, at + 1.5 * dayMs) : at + stepMs;
}

/** The time that data is about: what is known of it, and else from its first step to the end of its last one. */
export function measuredBy({ series, stepMs }: TimeData, zone: string, { from, until }: Measured): Required<Measured> {
  const [first, last] = endsOf(series);
  return { from: from ?? first, until: until ?? endOf(zone, last, stepMs) };
}

/** The data with its steps marked that were not measured to their end. */
export function withIncomplete(
  { series, stepMs }: TimeData,
  zone: string,
  { from, until }: Required<Measured>,
): TimeData {
  const isIncomplete = (at: number): boolean =>
    (from !== undefined && at < from) || (until !== undefined && endOf(zone, at, stepMs) > until);
  const marked = (point: Point): Point => (isIncomplete(point.at) ? { ...point, isIncomplete: true } : point);
  return { stepMs, series: series.map((one) => ({ ...one, points: one.points.map(marked) })) };
}

export const completeOf = (points: readonly Point[]): readonly Point[] =>
  points.filter(({ isIncomplete }) => isIncomplete !== true);

/** The incomplete steps of series, in the order of time: those before the first complete step, and the others. */
export function incompleteIn(series: readonly Series[]): {
  readonly first: readonly number[];
  readonly last: readonly number[];
} {
  const points = series.flatMap((one) => one.points);
  const begin = Math.min(...completeOf(points).map(({ at }) => at));
  const times = new Set(points.flatMap(({ at, isIncomplete }) => (isIncomplete ? [at] : [])));
  const sorted = [...times].sort((a, b) => a - b);
  const isFirst = (at: number): boolean => at < begin && begin !== Number.POSITIVE_INFINITY;
  return { first: sorted.filter(isFirst), last: sorted.filter((at) => !isFirst(at)) };
}

type Length = "hour" | "day";

/** The beginning of the hour or the day that an instant is in; neighboring instants are mostly in the same one. */
function starter(zone: string, length: Length): (at: number) => number {
  let [start, certain] = [Number.NaN, Number.NaN];
  return (at) => {
    if (at >= start && at < certain) return start;
    start = length === "hour" ? startOfHour(zone, at) : startOfDay(zone, at);
    // No clock changes within a quarter of an hour that begins with one.
    certain = at - (at % (hourMs / 4)) + hourMs / 4;
    return start;
  };
}

/** A series with one point an hour or a day: the sum of its values, or their mean where they do not add up. */
export function bucketed(series: Series, zone: string, length: Length): Series {
  const startOf = starter(zone, length);
  const tally = new Tally<number>(series.unit);
  for (const { at, value } of series.points) tally.add(startOf(at), value);
  return { ...series, points: tally.entries().map(([at, value]) => ({ at, value })) };
}

/** A cell of a heat map: an hour of the clocks on one day. */
interface Cell {
  /** When the hour began, the first time where the clocks show it twice. */
  readonly at: number;
  readonly day: number;
  readonly hour: number;
  readonly value: number;
  readonly isIncomplete: boolean;
}

/** Cells by hour and day, the days in their order. */
export interface Cells {
  readonly days: readonly number[];
  readonly cells: readonly Cell[];
  /** Whether the clocks showed an hour twice, whose cell then has the mean of both. */
  readonly hasTwice: boolean;
}

/** The hours of a series of hours by day and hour of the day on the clocks of a zone. */
export function cellsOf(series: Series, zone: string): Cells {
  const dayOf = starter(zone, "day");
  const byPlace = new Map<
    string,
    { at: number; day: number; hour: number; sum: number; count: number; isIncomplete: boolean }
  >();
  const days = new Set<number>();
  for (const { at, value, isIncomplete = false } of series.points) {
    const day = dayOf(at);
    const hour = Number(clockText(zone, at).slice(0, 2));
    const place = byPlace.get(`${day} ${hour}`) ?? { at, day, hour, sum: 0, count: 0, isIncomplete };
    byPlace.set(`${day} ${hour}`, {
      ...place,
      sum: place.sum + value,
      count: place.count + 1,
      isIncomplete: place.isIncomplete || isIncomplete,
    });
    days.add(day);
  }
  // A day without any values is a column all the same, or its neighbors would seem to follow each other.
  const known = [...days];
  for (let day = known[0] ?? 0; day < (known.at(-1) ?? 0); day = startOfDay(zone, day + 1.5 * dayMs)) days.add(day);
  const cells = [...byPlace.values()].map(({ sum, count, ...cell }) => ({ ...cell, value: sum / count }));
  return {
    days: [...days].sort((a, b) => a - b),
    cells,
    hasTwice: [...byPlace.values()].some(({ count }) => count > 1),
  };
}
