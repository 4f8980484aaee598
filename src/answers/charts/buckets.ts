/** The steps of a series: aggregated to hours and days of a time zone, with incomplete ones marked. */
import { dayMs, hourMs } from "../../time/durations.js";
import { type ChartSeries, endsOf, type Point, PointTally, type TimeData } from "./series.js";
import { clockText, startOfDay, startOfHour } from "./times.js";

/** The period that was fully measured, with unknown ends left out. */
export interface MeasuredPeriod {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** When the step that begins at an instant ends: months and days differ in length. */
function endOf(zone: string, at: number, stepMs: number): number {
  const start = new Date(at);
  if (stepMs >= 28 * dayMs && stepMs <= 31 * dayMs) return start.setUTCMonth(start.getUTCMonth() + 1);
  return stepMs === dayMs && startOfDay(zone, at) === at ? startOfDay(zone, at + 1.5 * dayMs) : at + stepMs;
}

/** The period of data: what is known of it, else from its first step to the end of its last one. */
export function measuredPeriodOf(
  { series, stepMs }: TimeData,
  zone: string,
  { from, until }: MeasuredPeriod,
): Required<MeasuredPeriod> {
  const [first, last] = endsOf(series);
  return { from: from ?? first, until: until ?? endOf(zone, last, stepMs) };
}

/** The data with incomplete steps marked. */
export function withIncomplete(
  { series, stepMs }: TimeData,
  zone: string,
  { from, until }: Required<MeasuredPeriod>,
): TimeData {
  const isIncomplete = (at: number): boolean =>
    (from !== undefined && at < from) || (until !== undefined && endOf(zone, at, stepMs) > until);
  const marked = (point: Point): Point => (isIncomplete(point.at) ? { ...point, isIncomplete: true } : point);
  return { stepMs, series: series.map((one) => ({ ...one, points: one.points.map(marked) })) };
}

export const completeOf = (points: readonly Point[]): readonly Point[] =>
  points.filter(({ isIncomplete }) => isIncomplete !== true);

/** The incomplete steps of series, in order: those before the first complete step, and the others. */
export function incompleteIn(series: readonly ChartSeries[]): {
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

/** The start of the hour or day of an instant; cached, because neighboring instants usually share it. */
function startFinder(zone: string, length: Length): (at: number) => number {
  let [start, certain] = [Number.NaN, Number.NaN];
  return (at) => {
    if (at >= start && at < certain) return start;
    start = length === "hour" ? startOfHour(zone, at) : startOfDay(zone, at);
    // Clocks do not change within a quarter of an hour.
    certain = at - (at % (hourMs / 4)) + hourMs / 4;
    return start;
  };
}

/** A series with one point per hour or day: the sum of its values, or their mean if they cannot be added. */
export function bucketSeries(series: ChartSeries, zone: string, length: Length): ChartSeries {
  const startOf = startFinder(zone, length);
  const tally = new PointTally<number>(series.unit);
  for (const { at, value } of series.points) tally.add(startOf(at), value);
  return { ...series, points: tally.entries().map(([at, value]) => ({ at, value })) };
}

/** A cell of a heat map: an hour of a day in local time. */
interface Cell {
  /** When the hour began, the first time if it occurs twice. */
  readonly at: number;
  readonly day: number;
  readonly hour: number;
  readonly value: number;
  readonly isIncomplete: boolean;
}

/** Cells by hour and day, the days in order. */
export interface HeatCells {
  readonly days: readonly number[];
  readonly cells: readonly Cell[];
  /** Whether an hour occurred twice, whose cell then has the mean of both. */
  readonly hasTwice: boolean;
}

/** The hours of an hourly series by day and hour of the day in a time zone. */
export function heatCellsOf(series: ChartSeries, zone: string): HeatCells {
  const dayOf = startFinder(zone, "day");
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
  // A day without values still has a column, because otherwise its neighbors would seem consecutive.
  const known = [...days];
  for (let day = known[0] ?? 0; day < (known.at(-1) ?? 0); day = startOfDay(zone, day + 1.5 * dayMs)) days.add(day);
  const cells = [...byPlace.values()].map(({ sum, count, ...cell }) => ({ ...cell, value: sum / count }));
  return {
    days: [...days].sort((a, b) => a - b),
    cells,
    hasTwice: [...byPlace.values()].some(({ count }) => count > 1),
  };
}
