/** The summary of a truncated list: its totals, and its extremes with their times and identities. */
import type { AnswerDisplay } from "../language/conduct.js";
import { isoText } from "../time/instant.js";
import { epochMs, isNumber, isTimeName, timeOf } from "./cell-type.js";
import { cheapRows, type Row } from "./index.js";
import { Measure } from "./measure.js";
import type { RowFile } from "./row-file.js";
import type { NamesOf } from "./size.js";

const leastRows = 20;
const maxMembers = 6;
// The sum of identifiers or counts would be meaningless.
const isName = (member: string): boolean =>
  /(^|[^a-z])(id|code|status|version|port|year|month|day)s?$|Id$|Code$|cpcode/.test(member);

// Values of a moment, or of the whole, are not additive.
const isLevel = (member: string, { levels = [] }: AnswerDisplay): boolean =>
  levels.includes(member) ||
  /(?:^|[^a-z])(?:avg|average|mean|median|min|max|peak|p\d+|rate|ratio|share|percent(?:age)?|pct|per second|latency|duration)(?:$|[^a-z])/i.test(
    member.replaceAll(/([a-z])([A-Z])/g, "$1 $2"),
  );

// The summary is never truncated, so it has to be short.
const maxNameChars = 40;
const isTime = (value: unknown): boolean => timeOf(value) !== undefined;
const startsWithYear = /^\d{4}-/;
// Seconds or milliseconds since 1970, in a field whose name indicates it.
const isEpoch = (member: string, rows: readonly Row[]): boolean =>
  isTimeName(member) && rows.slice(0, 50).every((row) => epochMs(row[member]) !== undefined);

/** A time with its zone, UTC if it has no offset, as in the APIs; empty for anything else. */
function timeText(value: unknown): string {
  const time = timeOf(value);
  if (!time) return "";
  const text = String(value);
  if (!startsWithYear.test(text)) return isoText(time.ms)?.slice(0, time.kind === "day" ? 10 : undefined) ?? "";
  return time.kind === "local" ? `${text} UTC` : text;
}

/** The fields of the first rows whose values all have one type. */
function membersWith(rows: readonly Row[], isOfKind: (value: unknown) => boolean): string[] {
  const first = rows.slice(0, 50);
  const names = Object.keys(first[0] ?? {}).filter(({ length }) => length <= maxNameChars);
  return names.filter((member) => first.every((row) => isOfKind(row[member])));
}

/** The fields to sum. */
const measuredIn = (rows: readonly Row[]): string[] =>
  membersWith(rows, isNumber)
    .filter((member) => !isName(member) && !isEpoch(member, rows))
    .slice(0, maxMembers);

const leastComputed = 3;

/** Whether computing with a result makes sense: it has at least a few rows with measured numbers or times. */
export function isComputable(body: unknown, shows: AnswerDisplay = {}, namesOf?: NamesOf): boolean {
  const rows = cheapRows(body, shows, namesOf);
  return rows.length >= leastComputed && (measuredIn(rows).length > 0 || membersWith(rows, isTime).length > 0);
}

const maxKeys = 3;
const maxKeyLength = 60;
const isKey = (value: unknown): boolean =>
  (typeof value === "string" || typeof value === "number") && String(value).length <= maxKeyLength;

/** The fields that identify a row, in addition to its time: those that differ between rows and are not measured. */
const keysOf = (rows: readonly Row[], measures: readonly string[], time: string | undefined): readonly string[] =>
  membersWith(rows, isKey)
    .filter((member) => member !== time && !measures.includes(member) && !isEpoch(member, rows))
    .filter((member) => rows.some((row) => row[member] !== rows[0]?.[member]))
    .slice(0, maxKeys);

/** The time and identity of a row. */
function rowIdentity(rows: readonly Row[], measures: readonly string[], time: string | undefined) {
  const keys = keysOf(rows, measures, time);
  return (row: Row | undefined): string => {
    if (row === undefined) return "";
    const when = time === undefined ? "" : timeText(row[time]);
    const which = keys.flatMap((key) => (isKey(row[key]) ? [`${key} ${row[key]}`] : []));
    return `${when === "" ? "" : ` at ${when}`}${which.length === 0 ? "" : ` (${which.join(", ")})`}`;
  };
}

/** The summary of a field: its sum, or its mean to six digits over the rows that have a number; and its extremes. */
function memberSummary(
  member: string,
  { sum, numbers, mostRow, leastRow }: ReturnType<Measure["figures"]>,
  isMean: boolean,
  rowAt: (row: number) => Row | undefined,
  at: ReturnType<typeof rowIdentity>,
) {
  const total = isMean ? `mean ${Number((Number(sum) / numbers).toPrecision(6))}` : `sum ${sum}`;
  const [max, min] = [rowAt(mostRow), rowAt(leastRow)];
  return `${total}; max ${max?.[member]}${at(max)}; min ${min?.[member]}${at(min)}`;
}

/** The UTC hours of rows, if their times determine them; undefined if one does not, or if no hour has several rows. */
function hoursOf(rows: readonly Row[], time: string): readonly string[] {
  const hours = rows.map((row) => {
    const at = timeText(row[time]);
    return at[13] === ":" && at.endsWith("Z") ? at.slice(0, 13) : "";
  });
  const count = new Set(hours).size;
  return count < 2 || count === rows.length || hours.includes("") ? [] : hours;
}

/** The hour with the largest sum. */
function busiestHour(sums: ReadonlyMap<string, number>): string {
  const [first, ...others] = sums;
  const best = others.reduce((most, one) => (one[1] > (most?.[1] ?? 0) ? one : most), first);
  return best ? `; busiest hour ${best[0]}:00Z with ${Number(best[1].toPrecision(12))}` : "";
}

/**
 * The summary of the rows of a body: their number and, for each of the first numeric fields, the sum (or the mean of a
 * rate or share), the maximum and minimum with their rows, and the busiest hour.
 * @returns undefined if there are few rows, or none with numbers.
 */
export function summarizeRows(
  body: unknown,
  shows: AnswerDisplay,
  namesOf?: NamesOf,
): Readonly<Record<string, string | number>> | undefined {
  const rows = cheapRows(body, shows, namesOf);
  if (rows.length < leastRows) return undefined;
  const members = measuredIn(rows);
  if (members.length === 0) return undefined;
  const [time] = membersWith(rows, isTime);
  const hours = time === undefined ? [] : hoursOf(rows, time);
  const at = rowIdentity(rows, members, time);
  const summaries = members.map((member) => {
    const measure = new Measure();
    const ofHours = new Map<string, number>();
    for (const [index, row] of rows.entries()) {
      const number = measure.add(row[member], index) ?? 0;
      const hour = hours[index];
      if (hour !== undefined) ofHours.set(hour, (ofHours.get(hour) ?? 0) + number);
    }
    const isMean = isLevel(member, shows);
    const summary = memberSummary(member, measure.figures(), isMean, (row) => rows[row], at);
    return [member, summary + (isMean ? "" : busiestHour(ofHours))] as const;
  });
  return { rows: rows.length, ...Object.fromEntries(summaries) };
}

/**
 * The same for rows in a file, whose sums and extremes are known, without the busiest hour.
 * @param first The first rows.
 * @param rowAt Reads a row.
 */
export function summarizeRowFile(
  { columns, count }: Pick<RowFile, "columns" | "count">,
  first: readonly Row[],
  rowAt: (row: number) => Row | undefined,
  shows: AnswerDisplay = {},
): Readonly<Record<string, string | number>> {
  const members = measuredIn(first);
  const [time] = membersWith(first, isTime);
  const at = rowIdentity(first, members, time);
  const summaries = members.flatMap((member) => {
    const figures = columns.find(({ name }) => name === member);
    if (figures === undefined || figures.mostRow < 0) return [];
    return [[member, memberSummary(member, figures, isLevel(member, shows), rowAt, at)] as const];
  });
  return { rows: count, ...Object.fromEntries(summaries) };
}
