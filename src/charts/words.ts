/** Says in words what a picture shows, for those who do not see it. */
import type { Cells } from "./buckets.js";
import { type Unit, wholeFigure } from "./figures.js";
import { highestOf, lowestOf } from "./lines.js";
import type { Groups, Point, Series } from "./series.js";
import { exactText, stepText } from "./times.js";

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const withUnit = (name: string, { name: unit }: Unit): string =>
  unit === "" || unit === "%" ? name : `${name} (${unit})`;

/** The total of values that add up, and the mean of all. */
function sizes(values: readonly number[], unit: Unit): string {
  const mean = `mean ${wholeFigure(sumOf(values) / values.length, unit)}`;
  return unit.isSummed ? `total ${wholeFigure(sumOf(values), unit)}, ${mean}` : mean;
}

function extremes(points: readonly Point[], unit: Unit, zone: string): string {
  const [high, low] = [highestOf(points), lowestOf(points)];
  const at = (point: Point | undefined) =>
    point ? `${wholeFigure(point.value, unit)} at ${exactText(zone, point.at)}` : "";
  return `highest ${at(high)}, lowest ${at(low)}`;
}

/** One sentence a series. */
export const seriesInWords = (series: readonly Series[], stepMs: number, zone: string): string[] =>
  series.map(({ name, unit, points }) => {
    const values = points.map(({ value }) => value);
    if (values.length === 0) return `${withUnit(name, unit)}: no values.`;
    const count = values.length === 1 ? "1 point" : `${values.length} points, ${stepText(stepMs)}`;
    return `${withUnit(name, unit)}: ${count}; ${sizes(values, unit)}; ${extremes(points, unit, zone)}.`;
  });

const told = 5;

/** One sentence a metric: the largest groups with their shares. */
export const groupsInWords = (groups: readonly Groups[]): string[] =>
  groups.map(({ name, unit, values }) => {
    const total = sumOf(values.map(({ value }) => value));
    const share = (value: number) =>
      unit.isSummed && total > 0 ? ` (${Number(((100 * value) / total).toFixed(1))} %)` : "";
    const largest = values
      .slice(0, told)
      .map(({ group, value }) => `${group} ${wholeFigure(value, unit)}${share(value)}`);
    const counted = unit.isSummed ? `; total ${wholeFigure(total, unit)}` : "";
    const more = values.length > told ? `, and ${values.length - told} more bars` : "";
    return `${withUnit(name, unit)}: ${values.length === 1 ? "1 group" : `${values.length} bars`}${counted}; ${largest.join(", ")}${more}.`;
  });

/** The usual day of a heat map: which hours have the most and the least on average. */
export function usualDay({ cells }: Cells, unit: Unit): string {
  const hours = new Map<number, number[]>();
  for (const { hour, value } of cells) hours.set(hour, [...(hours.get(hour) ?? []), value]);
  const means = [...hours]
    .map(([hour, values]) => ({ hour, mean: sumOf(values) / values.length }))
    .sort((a, b) => b.mean - a.mean || a.hour - b.hour);
  const said = (one: { readonly hour: number; readonly mean: number } | undefined) =>
    one ? `${String(one.hour).padStart(2, "0")}:00 (${wholeFigure(one.mean, unit)})` : "";
  return `By the mean of all days the busiest hour of the day begins at ${said(means[0])}, the quietest at ${said(means.at(-1))}.`;
}
