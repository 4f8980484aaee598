/** Draws in characters, for a terminal: a line of blocks for a series or a day, a row of them for a group. */
import type { Cells } from "./buckets.js";
import { figure, nameWithUnit } from "./figures.js";
import { completeOf } from "./incomplete.js";
import { beginsAtZero, highestOf, lowestOf } from "./lines.js";
import type { Groups, Point, TimeData } from "./series.js";
import { dayTexts, momentText } from "./times.js";

const blocks = [..."▁▂▃▄▅▆▇█"];
/** In the place of a value that is not complete, which a low block would call a fall. */
const incomplete = "·";
const hours = 24;
/** More days than this are read better as an image. */
const maxDays = 31;
const maxName = 28;

/** The block of a value between the ends of a scale. */
function blockOf(value: number, low: number, high: number): string {
  const share = high > low ? (value - low) / (high - low) : value > 0 ? 1 : 0;
  return blocks[Math.min(blocks.length - 1, Math.max(0, Math.floor(share * blocks.length)))] ?? "";
}

const incompleteNote = (text: readonly string[]): string[] =>
  text.some((line) => line.includes(incomplete)) ? [`${incomplete} not complete`] : [];

/** Parts on as few lines as have room for them. */
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
 * A line of blocks for each series, all of them over the same time, each on its own scale, under its highest and lowest.
 * Where steps have no room for a block each, a block is the highest of its steps, so that no peak is lost; of shares near a
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

/** A line of blocks for each day, one an hour, all on one scale; none for more days than are read well. */
export function cellsInBlocks({ days, cells }: Cells, zone: string): string[] {
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
