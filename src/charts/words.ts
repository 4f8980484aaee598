/** Says in words what a picture shows, for those who do not see it. */
import type { Cells } from "./buckets.js";
import { type Unit, wholeFigure } from "./figures.js";
import { completeOf, incompleteIn } from "./incomplete.js";
import { highestOf, lowestOf } from "./lines.js";
import type { Groups, Point, Series } from "./series.js";
import { exactText, stepText } from "./times.js";

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const withUnit = (name: string, { name: unit }: Unit): string =>
  unit === "" || unit === "%" ? name : `${name} (${unit})`;

const valuesOf = (points: readonly Point[]): number[] => points.map(({ value }) => value);

/** The total of values that add up, and the mean of the complete ones. */
function sizes(points: readonly Point[], complete: readonly Point[], unit: Unit): string[] {
  const total = unit.isSummed ? [`total ${wholeFigure(sumOf(valuesOf(points)), unit)}`] : [];
  const mean = complete.length === 0 ? [] : [`mean ${wholeFigure(sumOf(valuesOf(complete)) / complete.length, unit)}`];
  return [...total, ...mean];
}

/** The highest, which may be one that still grows, and the lowest of those that do not. */
function extremes(points: readonly Point[], complete: readonly Point[], unit: Unit, zone: string): string[] {
  const at = (which: string, point: Point | undefined) =>
    point === undefined
      ? []
      : [
          `${which} ${wholeFigure(point.value, unit)}${point.isIncomplete ? " so far" : ""} at ${exactText(zone, point.at)}`,
        ];
  return [...at("highest", highestOf(points)), ...at("lowest", lowestOf(complete))];
}

/** Which steps were not measured to their end, and what that means for the figures. */
function incompleteInWords(series: readonly Series[], zone: string): string[] {
  const { first, last } = incompleteIn(series);
  const steps = (which: string, times: readonly number[]) => {
    const [begin] = times;
    if (begin === undefined) return [];
    const at = exactText(zone, begin);
    return [times.length === 1 ? `the ${which} step, ${at},` : `the ${which} ${times.length} steps, from ${at} on,`];
  };
  const which = [...steps("first", first), ...steps("last", last)].join(" and ");
  if (which === "") return [];
  const isOne = first.length + last.length === 1;
  const counts = series.some(({ unit }) => unit.isSummed)
    ? `${isOne ? "it counts" : "they count"} in the total, but not in`
    : `${isOne ? "it does" : "they do"} not count in`;
  return [
    `${which[0]?.toUpperCase()}${which.slice(1)} ${isOne ? "is" : "are"} not complete: ${counts} the mean or the lowest.`,
  ];
}

/** One sentence a series, and one about the steps that are not complete. */
export const seriesInWords = (series: readonly Series[], stepMs: number, zone: string): string[] => [
  ...series.map(({ name, unit, points }) => {
    if (points.length === 0) return `${withUnit(name, unit)}: no values.`;
    const count = points.length === 1 ? "1 point" : `${points.length} points, ${stepText(stepMs)}`;
    const complete = completeOf(points);
    const parts = [count, sizes(points, complete, unit).join(", "), extremes(points, complete, unit, zone).join(", ")];
    return `${withUnit(name, unit)}: ${parts.filter((part) => part !== "").join("; ")}.`;
  }),
  ...incompleteInWords(series, zone),
];

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
  const complete = cells.filter(({ isIncomplete }) => !isIncomplete);
  for (const { hour, value } of complete.length > 0 ? complete : cells)
    hours.set(hour, [...(hours.get(hour) ?? []), value]);
  const means = [...hours]
    .map(([hour, values]) => ({ hour, mean: sumOf(values) / values.length }))
    .sort((a, b) => b.mean - a.mean || a.hour - b.hour);
  const said = (one: { readonly hour: number; readonly mean: number } | undefined) =>
    one ? `${String(one.hour).padStart(2, "0")}:00 (${wholeFigure(one.mean, unit)})` : "";
  return `By the mean of all days the busiest hour of the day begins at ${said(means[0])}, the quietest at ${said(means.at(-1))}.`;
}
