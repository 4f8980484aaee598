/** Describes a picture in words, and in block characters for a terminal. */
import { completeOf, type HeatCells, incompleteIn } from "./buckets.js";
import { figure, nameWithUnit, type Unit, wholeFigure } from "./figures.js";
import type { ChartSeries, Groups, Point, TimeData } from "./series.js";
import { beginsAtZero, highestOf, lowestOf } from "./time-layout.js";
import { dayTexts, exactText, momentText, stepText } from "./times.js";

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const withUnit = (name: string, { name: unit }: Unit): string =>
  unit === "" || unit === "%" ? name : `${name} (${unit})`;

const valuesOf = (points: readonly Point[]): number[] => points.map(({ value }) => value);

/** The total of values that can be added, and the mean of the complete ones. */
function sizes(points: readonly Point[], complete: readonly Point[], unit: Unit): string[] {
  const total = unit.isSummed ? [`total ${wholeFigure(sumOf(valuesOf(points)), unit)}`] : [];
  const mean = complete.length === 0 ? [] : [`mean ${wholeFigure(sumOf(valuesOf(complete)) / complete.length, unit)}`];
  return [...total, ...mean];
}

/** The highest value, which may still grow, and the lowest complete one. */
function extremes(points: readonly Point[], complete: readonly Point[], unit: Unit, zone: string): string[] {
  const at = (which: string, point: Point | undefined) =>
    point === undefined
      ? []
      : [
          `${which} ${wholeFigure(point.value, unit)}${point.isIncomplete ? " so far" : ""} at ${exactText(zone, point.at)}`,
        ];
  return [...at("highest", highestOf(points)), ...at("lowest", lowestOf(complete))];
}

/** Which steps are incomplete, and the effect on the figures. */
function incompleteInWords(series: readonly ChartSeries[], zone: string): string[] {
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

/** One sentence per series, and one about incomplete steps. */
export const seriesInWords = (series: readonly ChartSeries[], stepMs: number, zone: string): string[] => [
  ...series.map(({ name, unit, points }) => {
    if (points.length === 0) return `${withUnit(name, unit)}: no values.`;
    const count = points.length === 1 ? "1 point" : `${points.length} points, ${stepText(stepMs)}`;
    const complete = completeOf(points);
    const parts = [count, sizes(points, complete, unit).join(", "), extremes(points, complete, unit, zone).join(", ")];
    return `${withUnit(name, unit)}: ${parts.filter((part) => part !== "").join("; ")}.`;
  }),
  ...incompleteInWords(series, zone),
];

const groupInWords = 5;

/** One sentence per metric: the largest groups with their shares. */
export const groupsInWords = (groups: readonly Groups[]): string[] =>
  groups.map(({ name, unit, values }) => {
    const total = sumOf(values.map(({ value }) => value));
    const share = (value: number) =>
      unit.isSummed && total > 0 ? ` (${Number(((100 * value) / total).toFixed(1))} %)` : "";
    const largest = values
      .slice(0, groupInWords)
      .map(({ group, value }) => `${group} ${wholeFigure(value, unit)}${share(value)}`);
    const counted = unit.isSummed ? `; total ${wholeFigure(total, unit)}` : "";
    const more = values.length > groupInWords ? `, and ${values.length - groupInWords} more bars` : "";
    return `${withUnit(name, unit)}: ${values.length === 1 ? "1 group" : `${values.length} bars`}${counted}; ${largest.join(", ")}${more}.`;
  });

/** The average day of a heat map: the hours with the highest and lowest means. */
export function usualDay({ cells }: HeatCells, unit: Unit): string {
  const hours = new Map<number, number[]>();
  const complete = cells.filter(({ isIncomplete }) => !isIncomplete);
  for (const { hour, value } of complete.length > 0 ? complete : cells)
    hours.set(hour, [...(hours.get(hour) ?? []), value]);
  const means = [...hours]
    .map(([hour, values]) => ({ hour, mean: sumOf(values) / values.length }))
    .sort((a, b) => b.mean - a.mean || a.hour - b.hour);
  const hourText = (one: { readonly hour: number; readonly mean: number } | undefined) =>
    one ? `${String(one.hour).padStart(2, "0")}:00 (${wholeFigure(one.mean, unit)})` : "";
  return `By the mean of all days the busiest hour of the day begins at ${hourText(means[0])}, the quietest at ${hourText(means.at(-1))}.`;
}

const blocks = [..."▁▂▃▄▅▆▇█"];
/** Replaces an incomplete value, which a low block would show as a fall. */
const incomplete = "·";
const hours = 24;
/** More days than this are more readable as an image. */
const maxDays = 31;
const maxName = 28;

/** The block of a value on a scale. */
function blockOf(value: number, low: number, high: number): string {
  const share = high > low ? (value - low) / (high - low) : value > 0 ? 1 : 0;
  return blocks[Math.min(blocks.length - 1, Math.max(0, Math.floor(share * blocks.length)))] ?? "";
}

const incompleteNote = (text: readonly string[]): string[] =>
  text.some((line) => line.includes(incomplete)) ? [`${incomplete} not complete`] : [];

/** Parts on as few lines as possible. */
function filled(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + part.length <= width) lines[lines.length - 1] = `${last}  ${part}`;
    else lines.push(part);
  }
  return lines;
}

const leastOf = (values: readonly number[]): number => values.reduce((least, value) => Math.min(least, value), 0);
const mostOf = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), -Infinity);

/**
 * A line of blocks for each series, all over the same time, each on its own scale, under its highest and lowest value.
 * If there are more steps than room, a block is the highest of its steps, so that no peak is lost; for shares near a
 * hundred percent it is the lowest.
 */
export function seriesInBlocks({ series, stepMs }: TimeData, zone: string, width: number): string[] {
  const times = series.flatMap(({ points }) => points.map(({ at }) => at));
  const [from, to] = [times.reduce((a, b) => Math.min(a, b)), mostOf(times)];
  const steps = Math.round((to - from) / stepMs) + 1;
  const columns = Math.max(1, Math.min(width, steps));
  const lines = series.flatMap(({ name, unit, points }) => {
    const isFromZero = beginsAtZero(unit, series);
    const [high, low] = [highestOf(points), lowestOf(completeOf(points))];
    const extremes = [["max", high] as const, ["min", low] as const].flatMap(([which, point]) =>
      point ? [`${which} ${figure(point.value, unit)} · ${momentText(zone, point.at, stepMs)}`] : [],
    );
    const cells: Point[][] = Array.from({ length: columns }, () => []);
    for (const point of points)
      cells[Math.min(columns - 1, Math.floor((Math.round((point.at - from) / stepMs) * columns) / steps))]?.push(point);
    const values = points.map(({ value }) => value);
    const [base, top] = [isFromZero ? leastOf(values) : (low?.value ?? 0), mostOf(values)];
    const line = cells.map((cell) => {
      const of = completeOf(cell);
      const shown = isFromZero ? highestOf(of) : lowestOf(of);
      return shown ? blockOf(shown.value, base, top) : cell.length > 0 ? incomplete : " ";
    });
    const said = extremes.length === 0 ? ["no values"] : extremes;
    return { head: filled([`${nameWithUnit(name, unit)}:`, ...said], width), line: line.join("") };
  });
  const ends = [from, to].map((at) => momentText(zone, at, stepMs));
  const gap = columns - ends.join("").length;
  return [
    ...lines.flatMap(({ head, line }) => [...head, line]),
    ...(gap > 0 ? [ends.join(" ".repeat(gap))] : []),
    ...incompleteNote(lines.map(({ line }) => line)),
  ];
}

/** A line of blocks for each day, one per hour, all on one scale; none if there are too many days. */
export function cellsInBlocks({ days, cells }: HeatCells, zone: string): string[] {
  if (days.length > maxDays) return [];
  const labels = dayTexts(zone, days, 1);
  const room = Math.max(...labels.map((label) => label.length)) + 1;
  const values = cells.map(({ value }) => value);
  const [low, high] = [leastOf(values), mostOf(values)];
  const lines = days.map((day, index) => {
    const line = Array.from({ length: hours }, (_, hour) => {
      const cell = cells.find((one) => one.day === day && one.hour === hour);
      return cell === undefined ? " " : cell.isIncomplete ? incomplete : blockOf(cell.value, low, high);
    });
    return `${(labels[index] ?? "").padEnd(room)}${line.join("")}`.trimEnd();
  });
  const scale = [0, 6, 12, 18].map((hour) => `${String(hour).padStart(2, "0")}:00`.padEnd(6)).join("");
  return [" ".repeat(room) + scale.trimEnd(), ...lines, ...incompleteNote(lines)];
}

const short = (name: string): string =>
  name.length <= maxName ? name : `${name.slice(0, maxName / 2)}…${name.slice(1 - maxName / 2)}`;

/** A row of blocks for each group, of the first metric. */
export function groupsInBlocks(groups: readonly Groups[], width: number): string[] {
  const [first] = groups;
  if (!first) return [];
  const rows = first.values.map(({ group, value }) => ({ name: short(group), value, said: figure(value, first.unit) }));
  const nameRoom = Math.max(...rows.map(({ name }) => name.length));
  const room = Math.max(1, width - nameRoom - Math.max(...rows.map(({ said }) => said.length)) - 2);
  const most = Math.max(Number.MIN_VALUE, ...rows.map(({ value }) => Math.abs(value)));
  const row = (value: number) => "█".repeat(Math.round((Math.abs(value) / most) * room));
  return rows.map(({ name, value, said }) => `${name.padEnd(nameRoom)} ${row(value)} ${said}`);
}
