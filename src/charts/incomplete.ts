/** Which steps of a series were not measured to their end, so that a low value of theirs is no fall. */
import { dayMs } from "../language/durations.js";
import type { Point, Series, TimeData } from "./series.js";
import { startOfDay } from "./times.js";

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
  const ends = series.flatMap(({ points }) => [points[0], points.at(-1)].flatMap((point) => point?.at ?? []));
  return { from: from ?? Math.min(...ends), until: until ?? endOf(zone, Math.max(...ends), stepMs) };
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
