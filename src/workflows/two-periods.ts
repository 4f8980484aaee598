/** A past period and the one that it is compared with, from arguments like those of a report. */
import { defined } from "../language/member.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { isoText, readInstant, withInstants } from "../time/instant.js";
import { boundPeriod, boundsOf, orderProblems, Period, TimeZone } from "../time/period.js";
import { Timestamp } from "../tools/fields.js";

/** A period: milliseconds since 1970, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The arguments of a tool for a past period. */
export const pastPeriod = (byDefault: string) => ({
  period: Period.optional().describe(`Default ${byDefault}`),
  start: Timestamp.optional().describe("Instead of period"),
  end: Timestamp.optional(),
  timeZone: TimeZone.optional(),
});

export interface PastPeriod {
  readonly period?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly timeZone?: string | undefined;
}

const bounds = { start: "start", end: "end", form: "iso", isPast: true } as const;

/**
 * The requested period.
 * @throws Failure `invalid_input`
 */
export function spanOf(
  tool: string,
  { period, start, end, timeZone }: PastPeriod,
  byDefault: string,
  nowMs: number,
): Span {
  const times = z.strictObject({ start: Timestamp.optional(), end: Timestamp.optional() });
  const withTimes = withInstants(times, defined({ start, end }), timeZone);
  const isBare = period === undefined && start === undefined && end === undefined;
  const values = {
    ...defined({ period: isBare ? byDefault : period, timeZone }),
    ...(withTimes.values as object),
  };
  const bound = boundPeriod(bounds, values, () => true, nowMs);
  const problems = [...withTimes.problems, ...bound.problems, ...orderProblems(bounds, bound.values)];
  if (problems.length > 0) throw invalidInput(tool, problems);
  const span = { start: readInstant(bound.values["start"]), end: readInstant(bound.values["end"]) };
  if (span.start < span.end) return span;
  throw invalidInput(tool, [{ field: "end", takes: "a time later than start, because end is exclusive" }]);
}

/**
 * Periods that are not compared with the directly preceding one: parts of a day or month, and months, which differ in
 * length.
 */
const counterparts: Readonly<Record<string, string>> = {
  today: "yesterday",
  this_month: "last_month",
  last_month: "last_2_months",
};

/**
 * The period of comparison: the same hours of the previous day, the same days of the previous month, the whole previous
 * month, and otherwise the directly preceding period of the same length.
 */
export function spanBefore({ period = "", timeZone = "UTC" }: PastPeriod, { start, end }: Span, nowMs: number): Span {
  const counterpart = counterparts[period];
  if (counterpart === undefined) return { start: start - (end - start), end: start };
  const before = boundsOf(counterpart, timeZone, nowMs).start;
  return { start: before, end: period === "last_month" ? start : Math.min(before + (end - start), start) };
}

export const spanText = ({ start, end }: Span): string => `${isoText(start)} to ${isoText(end)}`;
