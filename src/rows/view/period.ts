/** The period that rows are for, from which spans are counted and by which parts of time are whole or partial. */
import { dayMs, hourMs, minuteMs } from "../../language/durations.js";
import type { Row } from "../index.js";
import type { Moment } from "./clock.js";
import { momentsOf, type Period, type Scope } from "./scope.js";
import type { Slot } from "./slots.js";

/** The earliest moment of a member; the start of a period that is not known otherwise. */
export function earliest(scope: Scope, rows: readonly Row[], path: string): number {
  const momentOf = momentsOf(scope, path);
  return rows.reduce((least, row) => Math.min(least, momentOf(row)?.ms ?? least), Number.POSITIVE_INFINITY);
}

// Of fewer times nothing says that they follow each other.
const leastTimes = 3;

/** The period of rows that follow each other at one distance, as those of a report do; undefined for any others. */
function periodOfSeries(times: readonly number[]): Period | undefined {
  const [startMs] = times;
  const lastMs = times.at(-1);
  if (startMs === undefined || lastMs === undefined || times.length < leastTimes) return undefined;
  const gaps = times.slice(1).map((ms, at) => ms - (times[at] ?? ms));
  const step = gaps.reduce((least, gap) => Math.min(least, gap));
  const isDense = 2 * times.length > (lastMs - startMs) / step;
  return isDense && gaps.every((gap) => gap % step === 0) ? { startMs, endMs: lastMs + step } : undefined;
}

/** The period of the rows by one of their times: as it was asked for, or as the rows follow each other. */
function periodOf(scope: Scope, path: string): Period | undefined {
  const momentOf = momentsOf(scope, path);
  const moments = scope.rows.flatMap((row) => momentOf(row) ?? []);
  // A date is that day in every zone, and a period of dates is one of them; days of a zone are not all as long.
  const areDays = moments.length > 0 && moments.every(({ isDay }) => isDay);
  const times = [...new Set(moments.map(({ ms, local }) => (areDays ? local : ms)))].sort((a, b) => a - b);
  const { period: asked, clock, nowMs } = scope;
  const period = asked ? { ...asked, endMs: Math.min(asked.endMs, nowMs) } : periodOfSeries(times);
  if (!period) return undefined;
  // Another time than the one of the period, such as when something was created, can be before it.
  const isWithin = (times[0] ?? period.startMs) >= period.startMs && (times.at(-1) ?? period.startMs) < period.endMs;
  if (!isWithin) return undefined;
  return areDays ? { startMs: clock.instantOf(period.startMs), endMs: clock.instantOf(period.endMs) } : period;
}

/** The moment from which spans are counted: when the period begins, or the day of the first row. */
export function startOf(scope: Scope, path: string): Moment {
  const { clock } = scope;
  const at = (ms: number): Moment => clock.momentOf(new Date(ms).toISOString()) ?? { ms, local: ms, isDay: false };
  const period = periodOf(scope, path);
  if (period) return at(period.startMs);
  const first = earliest(scope, scope.rows, path);
  if (!Number.isFinite(first)) return at(0);
  return at(clock.instantOf(Math.floor(at(first).local / dayMs) * dayMs));
}

/** How much of a part of time a period covers, in the unit that a reader counts it in. */
function coverageText(coveredMs: number, wholeMs: number): string {
  const [unitMs, unit] =
    wholeMs >= 2 * dayMs ? [dayMs, "days"] : wholeMs > hourMs ? [hourMs, "hours"] : [minuteMs, "minutes"];
  const count = (ms: number) => Number((ms / unitMs).toFixed(1));
  return `${count(coveredMs)} of ${count(wholeMs)} ${unit}`;
}

/** Notes which of the parts that are shown the period covers only partly, because their figures are smaller for that. */
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
