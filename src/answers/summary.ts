/** What a list that is not shown whole comes to: its totals, and its extremes with when they happened. */
import type { Shows } from "../api/conduct.js";
import { hasOffset } from "../api/instant.js";
import { cheapRows, type Row } from "./rows.js";

const leastRows = 20;
const maxMembers = 6;
// Adding up what only names or counts something would say nothing.
const isName = (member: string): boolean =>
  /(^|[^a-z])(id|code|status|version|port|year|month|day)s?$|Id$|Code$|cpcode/.test(member);

// What is measured of a moment, or of all at once, is no larger for being measured twice.
const isLevel = (member: string): boolean =>
  /(?:^|[^a-z])(?:avg|average|mean|median|min|max|peak|p\d+|rate|ratio|share|percent(?:age)?|pct|per second|latency|duration)(?:$|[^a-z])/i.test(
    member.replaceAll(/([a-z])([A-Z])/g, "$1 $2"),
  );

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));
const isoDate = /^\d{4}-\d\d-\d\d(?:$|[T ])/;
// As HTTP and log lines write them: Sun, 22 Nov 2026 02:05:48 GMT.
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const isTime = (value: unknown): boolean => typeof value === "string" && (isoDate.test(value) || httpDate.test(value));
// Seconds or milliseconds since 1970, under a name that says so.
const isEpoch = (member: string, rows: readonly Row[]): boolean =>
  /time|date|epoch|stamp/i.test(member) && rows.slice(0, 50).every((row) => Number(row[member]) > 1e9);

/** A time with its zone; one without an offset is of UTC, as the APIs have them. */
function timeText(value: unknown): string {
  const text = String(value);
  if (httpDate.test(text)) return new Date(text).toISOString().replace(".000Z", "Z");
  return text.length > 10 && !hasOffset(text.replace(" ", "T")) ? `${text} UTC` : text;
}

/** The members of the first rows whose values are all of a kind. */
function membersWith(rows: readonly Row[], isOfKind: (value: unknown) => boolean): string[] {
  const first = rows.slice(0, 50);
  return Object.keys(first[0] ?? {}).filter((member) => first.every((row) => isOfKind(row[member])));
}

/** The sum of whole numbers exactly, of others without the dust of binary fractions. */
function sumOf(rows: readonly Row[], member: string): string {
  let sum = 0;
  let isWhole = true;
  for (const row of rows) {
    const value = Number(row[member] ?? 0);
    if (Number.isNaN(value)) continue;
    sum += value;
    isWhole &&= Number.isInteger(value);
  }
  if (!isWhole) return String(Number(sum.toPrecision(12)));
  if (Number.isSafeInteger(sum)) return String(sum);
  return String(rows.reduce((total, row) => total + BigInt(String(row[member] ?? 0)), 0n));
}

/** The mean to six digits, over the rows that have a value. */
function meanOf(rows: readonly Row[], member: string): string {
  let [sum, count] = [0, 0];
  for (const row of rows) {
    const value = Number(row[member] ?? Number.NaN);
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
    const value = sign * Number(row[member] ?? Number.NaN);
    if (value > most) [best, most] = [row, value];
  }
  return best;
}

const maxKeys = 3;
const maxKeyLength = 60;

/** The members that say which row one is, beside its time: those that differ from row to row and are no measures. */
function keysOf(rows: readonly Row[], measures: readonly string[], time: string | undefined): readonly string[] {
  const isKey = (value: unknown) =>
    (typeof value === "string" || typeof value === "number") && String(value).length <= maxKeyLength;
  return membersWith(rows, isKey)
    .filter((member) => member !== time && !measures.includes(member) && !isEpoch(member, rows))
    .filter((member) => rows.some((row) => row[member] !== rows[0]?.[member]))
    .slice(0, maxKeys);
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
  for (const [at, hour] of hours.entries()) sums.set(hour, (sums.get(hour) ?? 0) + Number(rows[at]?.[member] ?? 0));
  const [first, ...others] = sums;
  const best = others.reduce((most, one) => (one[1] > (most?.[1] ?? 0) ? one : most), first);
  return best ? `; busiest hour ${best[0]}:00Z with ${Number(best[1].toPrecision(12))}` : "";
}

/**
 * The summary of the rows of a body: how many there are, and of each of their first numbers the sum, or the mean of what is
 * a rate or a share, the maximum and the minimum with when and where they are, and the busiest hour.
 * @returns undefined where there are few rows, or none with numbers.
 */
export function summaryOf(body: unknown, shows: Shows): Readonly<Record<string, string | number>> | undefined {
  const rows = cheapRows(body, shows);
  if (rows.length < leastRows) return undefined;
  const members = membersWith(rows, isNumber)
    .filter((member) => !isName(member) && !isEpoch(member, rows))
    .slice(0, maxMembers);
  if (members.length === 0) return undefined;
  const [time] = membersWith(rows, isTime);
  const hours = time === undefined ? [] : hoursOf(rows, time);
  const keys = keysOf(rows, members, time);
  const at = (row: Row | undefined) => {
    const when = time === undefined || row === undefined ? "" : ` at ${timeText(row[time])}`;
    const where = row === undefined ? [] : keys.map((key) => `${key} ${row[key]}`);
    return where.length === 0 ? when : `${when} (${where.join(", ")})`;
  };
  const told = members.map((member) => {
    const [max, min] = [extremeOf(rows, member, 1), extremeOf(rows, member, -1)];
    const isMean = isLevel(member) || (shows.levels?.includes(member) ?? false);
    const total = isMean ? `mean ${meanOf(rows, member)}` : `sum ${sumOf(rows, member)}`;
    const hour = isMean ? "" : busiestHour(rows, member, hours);
    return [member, `${total}; max ${max?.[member]}${at(max)}; min ${min?.[member]}${at(min)}${hour}`] as const;
  });
  return { rows: rows.length, ...Object.fromEntries(told) };
}
