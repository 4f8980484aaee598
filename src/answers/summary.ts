/** What a list that is not shown whole comes to: its totals, and its extremes with when and where they are. */
import type { Shows } from "../api/conduct.js";
import { hasOffset } from "../api/instant.js";
import type { RowFile } from "../api/row-file.js";
import { cheapRows, type Row } from "./rows.js";
import type { NamesOf } from "./size.js";

const leastRows = 20;
const maxMembers = 6;
// Adding up what only names or counts something would say nothing.
const isName = (member: string): boolean =>
  /(^|[^a-z])(id|code|status|version|port|year|month|day)s?$|Id$|Code$|cpcode/.test(member);

// What is measured of a moment, or of all at once, is no larger for being measured twice.
const isLevel = (member: string, { levels = [] }: Shows): boolean =>
  levels.includes(member) ||
  /(?:^|[^a-z])(?:avg|average|mean|median|min|max|peak|p\d+|rate|ratio|share|percent(?:age)?|pct|per second|latency|duration)(?:$|[^a-z])/i.test(
    member.replaceAll(/([a-z])([A-Z])/g, "$1 $2"),
  );

// What is longer is no figure, and the summary is not cut: it has to be short by itself.
const maxChars = 40;
const isNumber = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value.length <= maxChars && /^-?\d+(\.\d+)?$/.test(value));
const isoDate = /^\d{4}-\d\d-\d\d(?:$|[T ])/;
// As HTTP and log lines write them: Sun, 22 Nov 2026 02:05:48 GMT.
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const isTime = (value: unknown): boolean =>
  typeof value === "string" && value.length <= maxChars && (isoDate.test(value) || httpDate.test(value));
// Seconds or milliseconds since 1970, under a name that says so.
const isEpoch = (member: string, rows: readonly Row[]): boolean =>
  /time|date|epoch|stamp/i.test(member) && rows.slice(0, 50).every((row) => Number(row[member]) > 1e9);

/** A time with its zone, one without an offset as one of UTC, as the APIs have them; empty for what is no time. */
function timeText(value: unknown): string {
  if (!isTime(value)) return "";
  const text = String(value);
  if (httpDate.test(text)) return new Date(text).toISOString().replace(".000Z", "Z");
  return text.length > 10 && !hasOffset(text.replace(" ", "T")) ? `${text} UTC` : text;
}

/** The members of the first rows whose values are all of a kind. */
function membersWith(rows: readonly Row[], isOfKind: (value: unknown) => boolean): string[] {
  const first = rows.slice(0, 50);
  const names = Object.keys(first[0] ?? {}).filter(({ length }) => length <= maxChars);
  return names.filter((member) => first.every((row) => isOfKind(row[member])));
}

/** The members to add up. */
const measuredIn = (rows: readonly Row[]): string[] =>
  membersWith(rows, isNumber)
    .filter((member) => !isName(member) && !isEpoch(member, rows))
    .slice(0, maxMembers);

const leastComputed = 3;

/** Whether something could be computed from an answer: it has a few rows at least, with numbers that measure, or with times. */
export function isComputable(body: unknown, shows: Shows = {}, namesOf?: NamesOf): boolean {
  const rows = cheapRows(body, shows, namesOf);
  return rows.length >= leastComputed && (measuredIn(rows).length > 0 || membersWith(rows, isTime).length > 0);
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

/** The mean to six digits, over the rows that have a value. */
function meanOf(rows: readonly Row[], member: string): string {
  let [sum, count] = [0, 0];
  for (const row of rows) {
    const value = figureOf(row[member]);
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return String(Number((sum / count).toPrecision(6)));
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

const maxKeys = 3;
const maxKeyLength = 60;
const isKey = (value: unknown): boolean =>
  (typeof value === "string" || typeof value === "number") && String(value).length <= maxKeyLength;

/** The members that say which row one is, beside its time: those that differ from row to row and are no measures. */
const keysOf = (rows: readonly Row[], measures: readonly string[], time: string | undefined): readonly string[] =>
  membersWith(rows, isKey)
    .filter((member) => member !== time && !measures.includes(member) && !isEpoch(member, rows))
    .filter((member) => rows.some((row) => row[member] !== rows[0]?.[member]))
    .slice(0, maxKeys);

/** Says of a row when and which it is, by what its list has for that. */
function placing(rows: readonly Row[], measures: readonly string[], time: string | undefined) {
  const keys = keysOf(rows, measures, time);
  return (row: Row | undefined): string => {
    if (row === undefined) return "";
    const when = time === undefined ? "" : timeText(row[time]);
    const which = keys.flatMap((key) => (isKey(row[key]) ? [`${key} ${row[key]}`] : []));
    return `${when === "" ? "" : ` at ${when}`}${which.length === 0 ? "" : ` (${which.join(", ")})`}`;
  };
}

/** What is said of a member: what it comes to in all, and its extremes with their places. */
function sentence(
  member: string,
  total: string,
  extremes: readonly (Row | undefined)[],
  at: ReturnType<typeof placing>,
) {
  const [max, min] = extremes;
  return `${total}; max ${max?.[member]}${at(max)}; min ${min?.[member]}${at(min)}`;
}

/** The UTC hours of rows, as far as their times say them; nothing where one does not, or no hour has several rows. */
function hoursOf(rows: readonly Row[], time: string): readonly string[] {
  const hours = rows.map((row) => {
    const at = timeText(row[time]);
    return at[13] === ":" && at.endsWith("Z") ? at.slice(0, 13) : "";
  });
  const count = new Set(hours).size;
  return count < 2 || count === rows.length || hours.includes("") ? [] : hours;
}

/** The hour in which a member is largest in all, with its sum. */
function busiestHour(rows: readonly Row[], member: string, hours: readonly string[]): string {
  const sums = new Map<string, number>();
  for (const [at, hour] of hours.entries()) sums.set(hour, (sums.get(hour) ?? 0) + (figureOf(rows[at]?.[member]) || 0));
  const [first, ...others] = sums;
  const best = others.reduce((most, one) => (one[1] > (most?.[1] ?? 0) ? one : most), first);
  return best ? `; busiest hour ${best[0]}:00Z with ${Number(best[1].toPrecision(12))}` : "";
}

/**
 * The summary of the rows of a body: how many there are, and of each of their first numbers the sum, or the mean of what is
 * a rate or a share, the maximum and the minimum with when and where they are, and the busiest hour.
 * @returns undefined where there are few rows, or none with numbers.
 */
export function summaryOf(
  body: unknown,
  shows: Shows,
  namesOf?: NamesOf,
): Readonly<Record<string, string | number>> | undefined {
  const rows = cheapRows(body, shows, namesOf);
  if (rows.length < leastRows) return undefined;
  const members = measuredIn(rows);
  if (members.length === 0) return undefined;
  const [time] = membersWith(rows, isTime);
  const hours = time === undefined ? [] : hoursOf(rows, time);
  const at = placing(rows, members, time);
  const told = members.map((member) => {
    const isMean = isLevel(member, shows);
    const total = isMean ? `mean ${meanOf(rows, member)}` : `sum ${sumOf(rows, member)}`;
    const extremes = [extremeOf(rows, member, 1), extremeOf(rows, member, -1)];
    return [member, sentence(member, total, extremes, at) + (isMean ? "" : busiestHour(rows, member, hours))] as const;
  });
  return { rows: rows.length, ...Object.fromEntries(told) };
}

/**
 * The same of rows in a file, of which the sums and the places of the extremes are known; the busiest hour is not.
 * @param first The first rows.
 * @param rowAt Reads a row.
 */
export function summaryOfFile(
  { columns, count }: Pick<RowFile, "columns" | "count">,
  first: readonly Row[],
  rowAt: (row: number) => Row | undefined,
  shows: Shows = {},
): Readonly<Record<string, string | number>> {
  const members = measuredIn(first);
  const [time] = membersWith(first, isTime);
  const at = placing(first, members, time);
  const told = members.flatMap((member) => {
    const figures = columns.find(({ name }) => name === member);
    if (figures === undefined || figures.mostRow < 0) return [];
    const { sum, mostRow, leastRow } = figures;
    const mean = Number((Number(sum) / count).toPrecision(6));
    const total = isLevel(member, shows) ? `mean ${mean}` : `sum ${sum}`;
    return [[member, sentence(member, total, [rowAt(mostRow), rowAt(leastRow)], at)] as const];
  });
  return { rows: count, ...Object.fromEntries(told) };
}
