/**
 * Periods: relative ones, such as yesterday in Tokyo, converted to the arguments of an operation, and the previous
 * period of a call.
 */
import type { PeriodArguments, PeriodBounds, PeriodMonths } from "../language/define.js";
import { type FieldProblem, quoteValue } from "../language/failure.js";
import { withSpelling } from "../language/mend.js";
import { z } from "../language/z.js";
import { guessName } from "../text/nearest.js";
import { dayMs, hourMs } from "./durations.js";
import { hasOffset, isoText, readInstant, readUsDate, usDateOf } from "./instant.js";
import { firstInstantOf, guessZone, isZone, localMs, zoneText } from "./zone.js";

const named = ["today", "yesterday", "this_month", "last_month"];
const units: readonly (readonly [RegExp, unit: "h" | "d" | "m", count: number])[] = [
  [/^(h|hr|hour)$/, "h", 1],
  [/^(d|day)$/, "d", 1],
  [/^(w|wk|week)$/, "d", 7],
  [/^(mo|month)$/, "m", 1],
  [/^(y|yr|year)$/, "m", 12],
];
const counts: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, six: 6 };
const loosePattern =
  /^(?:the_)?(?:(last|past|previous|prev|next|coming)_?)?(?:(\d{1,3}|an?|one|two|three|six)_?)?([a-z]+?)s?$/;

/** The period that a text means, such as `last_7d` for "last week"; undefined for an unknown one. */
function guessPeriod(input: unknown): string | undefined {
  if (typeof input !== "string") return undefined;
  const text = input
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  const [, direction = "last", count = "1", word = ""] = loosePattern.exec(text) ?? [];
  const [, unit, size] = units.find(([pattern]) => pattern.test(word)) ?? [];
  if (unit === undefined || size === undefined) return guessName(text, named);
  const total = (counts[count] ?? Number(count)) * size;
  const isNext = direction === "next" || direction === "coming";
  if (unit !== "m") return `${isNext ? "next" : "last"}_${total}${unit}`;
  if (isNext) return undefined;
  return total === 1 ? "last_month" : `last_${total}_months`;
}

type Values = Readonly<Record<string, unknown>>;

const maxMonths = 15;
const pattern =
  /^(?:today|yesterday|this_month|last_month|last_([1-9]|1[0-5])_months|(last|next)_([1-9]\d{0,2})(h|d))$/;

/** `last_24h`, `next_7d`, `yesterday`, `today`, `this_month`, `last_month`, `last_3_months`. */
export const Period = withSpelling(
  z
    .string()
    .regex(
      pattern,
      `last_24h or next_7d (any number of hours or days), yesterday, today, this_month, last_month or last_3_months (at most ${maxMonths})`,
    ),
  guessPeriod,
);

/** The zone of a period's days and months, and of times without an offset. */
export const TimeZone = withSpelling(z.string().refine(isZone, zoneText), guessZone);

/**
 * The descriptions of the arguments `period` and `timeZone` of an operation in the list; without a period, of the zone
 * only.
 */
export function periodWords(declared: PeriodArguments | undefined): {
  readonly period: string;
  readonly timeZone: string;
} {
  const ofTimes = "For times without an offset";
  if (!declared) return { period: "", timeZone: ofTimes };
  if (declared.form === "month")
    return {
      period: "Instead of months: this_month, last_month, last_3_months",
      timeZone: "For period; default UTC",
    };
  const { start, end, form, isPast } = declared;
  const next = isPast ? "" : ", next_7d";
  return {
    period: `Instead of ${start} and ${end}: today, yesterday, last_24h, last_7d${next}, last_month`,
    timeZone: `For period${form === "date" ? "" : " and times without an offset"}; default UTC`,
  };
}

/** The first moment of the month a number of months after the zone's present one, in local time. */
function monthOf(zone: string, nowMs: number, later: number): Date {
  const today = new Date(localMs(zone, nowMs));
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + later, 1));
}

/**
 * The bounds of a period; hours and days count from the last full hour.
 * @param nowMs Milliseconds since 1970.
 * @param areDaysWhole Whether the period has to consist of whole local days, which then end with yesterday or begin
 * with today.
 * @returns start, inclusive, and end, exclusive, in milliseconds since 1970.
 */
export function boundsOf(
  period: string,
  zone: string,
  nowMs: number,
  areDaysWhole = false,
): { readonly start: number; readonly end: number } {
  const hour = Math.floor(nowMs / hourMs) * hourMs;
  const today = Math.floor(localMs(zone, nowMs) / dayMs) * dayMs;
  const day = (later: number) => firstInstantOf(zone, today + later * dayMs);
  const month = (later: number) => firstInstantOf(zone, monthOf(zone, nowMs, later).getTime());
  const upToNow = (start: number) => ({ start, end: areDaysWhole ? day(1) : Math.max(hour, start + hourMs) });
  const [, months = "1", direction, count = "1", unit] = pattern.exec(period) ?? [];
  if (period === "yesterday") return { start: day(-1), end: day(0) };
  if (period === "today") return upToNow(day(0));
  if (period === "this_month") return upToNow(month(0));
  if (direction === undefined) return { start: month(-Number(months)), end: month(0) };
  const isNext = direction === "next";
  if (areDaysWhole) {
    const days = unit === "d" ? Number(count) : Math.ceil(Number(count) / 24);
    return isNext ? { start: day(0), end: day(days) } : { start: day(-days), end: day(0) };
  }
  const length = Number(count) * (unit === "d" ? dayMs : hourMs);
  return isNext ? { start: hour, end: hour + length } : { start: hour - length, end: hour };
}

const iso = (ms: number): string => new Date(ms).toISOString();
const writers: Readonly<Record<PeriodBounds["form"], (start: number, end: number) => readonly [unknown, unknown]>> = {
  iso: (start, end) => [isoText(start), isoText(end)],
  epochMs: (start, end) => [start, end],
  usDate: (start, end) => [usDateOf(iso(start)), usDateOf(iso(end))],
  date: (start, end) => [iso(start).slice(0, 10), iso(end - 1).slice(0, 10)],
};

/** The arguments that replace a relative period, and sentences on how it was interpreted. */
interface BoundedPeriod {
  readonly values: Values;
  readonly problems: readonly FieldProblem[];
  readonly notes: readonly string[];
}

const wholeDayIntervals: readonly unknown[] = ["DAY", "WEEK", "MONTH"];

function boundBy(
  { start, end, form, interval, isPast }: PeriodBounds,
  values: Values,
  zone: string,
  nowMs: number,
): BoundedPeriod {
  const period = String(values["period"]);
  if (isPast && period.startsWith("next_")) {
    const takes = "a past period, such as last_7d: there is no data for the future yet";
    return { values, problems: [{ field: "period", given: quoteValue(period), takes }], notes: [] };
  }
  const isByDay = interval !== undefined && wholeDayIntervals.includes(values[interval]);
  const bounds = boundsOf(period, zone, nowMs, isByDay || form === "date");
  const [first, last] = writers[form](bounds.start, bounds.end);
  const range =
    form === "date" ? `the UTC days ${first} to ${last}` : `${isoText(bounds.start)} to ${isoText(bounds.end)}`;
  // The intervals of a report are in UTC, whatever the offset of its start (document A, "Reporting").
  const isOffUtc = isByDay && (bounds.start % dayMs !== 0 || bounds.end % dayMs !== 0);
  const days = `The API counts by UTC days, so the first and last days are only partly days of ${zone}; use timeZone UTC or the interval HOUR for whole ones.`;
  return {
    values: { ...values, [start]: first, [end]: last },
    problems: [],
    notes: [`${period} (${zone}) is ${range}.`, ...(isOffUtc ? [days] : [])],
  };
}

function boundByMonths({ one, range }: PeriodMonths, values: Values, zone: string, nowMs: number): BoundedPeriod {
  const period = String(values["period"]);
  const [, months = "1"] = pattern.exec(period) ?? [];
  if (!period.endsWith("_month") && !period.endsWith("_months")) {
    const takes = `this_month, last_month or last_3_months (at most ${maxMonths}), because usage is reported by whole months`;
    return { values, problems: [{ field: "period", given: quoteValue(period), takes }], notes: [] };
  }
  const isOne = months === "1";
  const last = monthOf(zone, nowMs, period === "this_month" ? 0 : -1);
  const first = isOne ? last : monthOf(zone, nowMs, -Number(months));
  const monthsAndYears = [first, last].flatMap((date) => [date.getUTCMonth() + 1, date.getUTCFullYear()]);
  const [from, to] = [first, last].map((date) => date.toISOString().slice(0, 7));
  return {
    values: { ...values, ...Object.fromEntries((isOne ? one : range).map((name, at) => [name, monthsAndYears[at]])) },
    problems: [],
    notes: [`${period} (${zone}) is ${isOne ? to : `${from} to ${to}`}.`],
  };
}

/** The arguments that a relative period replaces. */
export const boundsNamed = (declared: PeriodArguments): readonly string[] =>
  declared.form === "month" ? [...declared.one, ...declared.range] : [declared.start, declared.end];

/**
 * Replaces a relative period by the arguments that bound one.
 * @param isRequired Whether an operation needs one of these arguments without a period.
 */
export function boundPeriod(
  declared: PeriodArguments,
  values: Values,
  isRequired: (name: string) => boolean,
  nowMs: number,
): BoundedPeriod {
  const names = boundsNamed(declared);
  const { period, timeZone = "UTC" } = values as { period?: string; timeZone?: string };
  if (period === undefined) {
    const missing = names.filter((name) => values[name] === undefined && isRequired(name));
    const takes = "a time; it is required, unless period is given";
    return { values, notes: [], problems: missing.map((field) => ({ field, takes })) };
  }
  const related = names.filter((name) => values[name] !== undefined);
  if (related.length > 0) {
    const takes = "nothing together with period: use one or the other";
    return {
      values,
      notes: [],
      problems: related.map((field) => ({ field, given: quoteValue(values[field]), takes })),
    };
  }
  return declared.form === "month"
    ? boundByMonths(declared, values, timeZone, nowMs)
    : boundBy(declared, values, timeZone, nowMs);
}

const boundMs = (form: PeriodBounds["form"], value: unknown): number =>
  form === "usDate" ? readUsDate(String(value)) : readInstant(value);

/** The problem of a period that ends before it begins. */
export function orderProblems(declared: PeriodArguments, values: Values): FieldProblem[] {
  const problem = (start: string, end: string): FieldProblem => ({
    field: end,
    given: quoteValue(values[end]),
    takes: `nothing earlier than ${start}, which is ${quoteValue(values[start])}: the period would end before it begins`,
  });
  if (declared.form === "month") {
    const [fromMonth, fromYear, toMonth, toYear] = declared.range;
    if (declared.range.some((name) => values[name] === undefined)) return [];
    const count = (month: string, year: string) => Number(values[year]) * 12 + Number(values[month]);
    if (count(toMonth, toYear) >= count(fromMonth, fromYear)) return [];
    return [values[toYear] === values[fromYear] ? problem(fromMonth, toMonth) : problem(fromYear, toYear)];
  }
  const { start, end } = declared;
  const [first, last] = [values[start], values[end]];
  if (first === undefined || last === undefined) return [];
  // Times with and without an offset cannot be compared.
  if (declared.form === "iso" && hasOffset(String(first)) !== hasOffset(String(last))) return [];
  return boundMs(declared.form, last) < boundMs(declared.form, first) ? [problem(start, end)] : [];
}

/** The arguments of the previous period, when both begin, and when the present one ends, in milliseconds since 1970. */
interface PreviousPeriod {
  readonly args: Values;
  readonly starts: { readonly currentMs: number; readonly endMs: number; readonly previousMs: number };
}

/** The number of months of a period that begins and ends with a UTC month; undefined for any other. */
function monthsIn(startMs: number, endMs: number): number | undefined {
  const [start, end] = [new Date(startMs), new Date(endMs)];
  const isFirst = (at: Date) => at.getUTCDate() === 1 && at.getTime() % dayMs === 0;
  if (!isFirst(start) || !isFirst(end)) return undefined;
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}

function monthsEarlier(ms: number, months: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months, 1);
}

function beforeMonths(
  { one, range }: Extract<PeriodArguments, { form: "month" }>,
  values: Values,
): PreviousPeriod | undefined {
  const [fromMonth, fromYear, toMonth, toYear] = range;
  const [from, to] =
    values[one[0]] === undefined ? [[fromMonth, fromYear] as const, [toMonth, toYear] as const] : [one, one];
  const firstOf = ([month, year]: readonly [string, string]) =>
    Date.UTC(Number(values[year]), Number(values[month]) - 1, 1);
  const [currentMs, lastMs] = [firstOf(from), firstOf(to)];
  const count = (monthsIn(currentMs, lastMs) ?? Number.NaN) + 1;
  if (!(count > 0)) return undefined;
  const named = ([month, year]: readonly [string, string], ms: number): Values => ({
    [month]: new Date(ms).getUTCMonth() + 1,
    [year]: new Date(ms).getUTCFullYear(),
  });
  const previousMs = monthsEarlier(currentMs, count);
  return {
    args: { ...named(from, previousMs), ...named(to, monthsEarlier(lastMs, count)) },
    starts: { currentMs, endMs: monthsEarlier(lastMs, -1), previousMs },
  };
}

/**
 * The previous period of validated arguments: of the same length, or the same number of months if it consists of UTC
 * months.
 * @returns undefined if the arguments name no period with two bounds.
 */
export function previousPeriod(declared: PeriodArguments, values: Values): PreviousPeriod | undefined {
  if (declared.form === "month") return beforeMonths(declared, values);
  const { start, end, form } = declared;
  const [first, last] = [values[start], values[end]];
  if (first === undefined || last === undefined) return undefined;
  const currentMs = boundMs(form, first);
  // The last day of a period of dates is inclusive.
  const endMs = boundMs(form, last) + (form === "date" ? dayMs : 0);
  if (!(endMs > currentMs)) return undefined;
  const months = monthsIn(currentMs, endMs);
  const previousMs = months === undefined ? 2 * currentMs - endMs : monthsEarlier(currentMs, months);
  const [before, until] = writers[form](previousMs, currentMs);
  return {
    args: { [start]: before, [end]: until },
    starts: { currentMs, endMs, previousMs },
  };
}
