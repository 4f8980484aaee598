/** What a list that is not shown whole comes to: its totals, and its extremes with when they happened. */
import type { Shows } from "../api/conduct.js";
import type { RowFile } from "../api/row-file.js";
import { cheapRows, type Row } from "./rows.js";

const leastRows = 20;
const maxMembers = 6;
// Adding up what only names or counts something would say nothing.
const isName = (member: string): boolean =>
  /(^|[^a-z])(id|code|status|version|port|year|month|day)s?$|Id$|Code$|cpcode/.test(member);

// What is longer is no figure, and the summary is not cut: it has to be short by itself.
const maxChars = 40;
const isNumber = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value.length <= maxChars && /^-?\d+(\.\d+)?$/.test(value));
const isTime = (value: unknown): boolean =>
  typeof value === "string" && value.length <= maxChars && /^\d{4}-\d\d-\d\d(T|$)/.test(value);

/** The members of the first rows whose values are all of a kind. */
function membersWith(rows: readonly Row[], isOfKind: (value: unknown) => boolean): string[] {
  const first = rows.slice(0, 50);
  const names = Object.keys(first[0] ?? {}).filter(({ length }) => length <= maxChars);
  return names.filter((member) => first.every((row) => isOfKind(row[member])));
}

/** A cell as a number; only the first rows are known to have one. */
const figureOf = (value: unknown): number =>
  (typeof value === "string" && value.length > maxChars) || value === null ? Number.NaN : Number(value);

/** The sum of whole numbers exactly, of others without the dust of binary fractions. */
function sumOf(rows: readonly Row[], member: string): string {
  let sum = 0;
  let isWhole = true;
  for (const row of rows) {
    const value = figureOf(row[member]);
    if (Number.isNaN(value)) continue;
    sum += value;
    isWhole &&= Number.isInteger(value);
  }
  if (!isWhole) return String(Number(sum.toPrecision(12)));
  if (Number.isSafeInteger(sum)) return String(sum);
  const exact = (value: unknown) => {
    const figure = figureOf(value);
    if (Number.isNaN(figure)) return 0n;
    return typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : BigInt(figure);
  };
  return String(rows.reduce((total, row) => total + exact(row[member]), 0n));
}

/** The first row with the largest value, or with the smallest. */
function extremeOf(rows: readonly Row[], member: string, sign: 1 | -1): Row | undefined {
  let best: Row | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const value = sign * figureOf(row[member]);
    if (value > most) [best, most] = [row, value];
  }
  return best;
}

/** The members to add up. */
const measuredIn = (rows: readonly Row[]): string[] =>
  membersWith(rows, isNumber)
    .filter((member) => !isName(member))
    .slice(0, maxMembers);

function sentence(member: string, time: string | undefined, sum: string, max: Row | undefined, min: Row | undefined) {
  const at = (row: Row | undefined) => (time !== undefined && isTime(row?.[time]) ? ` at ${row?.[time]}` : "");
  return `sum ${sum}; max ${max?.[member]}${at(max)}; min ${min?.[member]}${at(min)}`;
}

/**
 * The summary of the rows of a body: how many there are, and of each of their first numbers the sum, the maximum and the
 * minimum with their times.
 * @returns undefined where there are few rows, or none with numbers to add up.
 */
export function summaryOf(body: unknown, shows: Shows): Readonly<Record<string, string | number>> | undefined {
  const rows = cheapRows(body, shows);
  if (rows.length < leastRows) return undefined;
  const members = measuredIn(rows);
  if (members.length === 0) return undefined;
  const [time] = membersWith(rows, isTime);
  const told = members.map((member) => {
    const [max, min] = [extremeOf(rows, member, 1), extremeOf(rows, member, -1)];
    return [member, sentence(member, time, sumOf(rows, member), max, min)] as const;
  });
  return { rows: rows.length, ...Object.fromEntries(told) };
}

/**
 * The same of rows in a file, of which the sums and the places of the extremes are known.
 * @param first The first rows.
 * @param rowAt Reads a row.
 */
export function summaryOfFile(
  { columns, count }: Pick<RowFile, "columns" | "count">,
  first: readonly Row[],
  rowAt: (row: number) => Row | undefined,
): Readonly<Record<string, string | number>> {
  const [time] = membersWith(first, isTime);
  const told = measuredIn(first).flatMap((member) => {
    const figures = columns.find(({ name }) => name === member);
    if (figures === undefined || figures.mostRow < 0) return [];
    const { sum, mostRow, leastRow } = figures;
    return [[member, sentence(member, time, sum, rowAt(mostRow), rowAt(leastRow))] as const];
  });
  return { rows: count, ...Object.fromEntries(told) };
}
