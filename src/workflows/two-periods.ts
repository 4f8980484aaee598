/** A past period and the one that it is compared with, from arguments that are written as those of a report. */
import { invalidInput } from "../arguments/index.js";
import { z } from "../language/z.js";
import { isoText, readInstant, withInstants } from "../time/instant.js";
import { boundPeriod, boundsOf, orderProblems, Period, TimeZone } from "../time/period.js";
import { Timestamp } from "../tools/fields.js";

/** A stretch of time: milliseconds since 1970, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The arguments of a tool that looks at a past period. */
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
const given = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/**
 * The period that is asked for.
 * @throws Failure `invalid_input`
 */
export function spanOf(
  tool: string,
  { period, start, end, timeZone }: PastPeriod,
  byDefault: string,
  nowMs: number,
): Span {
  const times = z.strictObject({ start: Timestamp.optional(), end: Timestamp.optional() });
  const placed = withInstants(times, given({ start, end }), timeZone);
  const isBare = period === undefined && start === undefined && end === undefined;
  const values = { ...given({ period: isBare ? byDefault : period, timeZone }), ...(placed.values as object) };
  const bound = boundPeriod(bounds, values, () => true, nowMs);
  const problems = [...placed.problems, ...bound.problems, ...orderProblems(bounds, bound.values)];
  if (problems.length > 0) throw invalidInput(tool, problems);
  const span = { start: readInstant(bound.values["start"]), end: readInstant(bound.values["end"]) };
  if (span.start < span.end) return span;
  throw invalidInput(tool, [{ field: "end", takes: "a time later than start, because end is exclusive" }]);
}

/** Periods that are not followed by their like at once: part of a day or a month, and months of different lengths. */
const counterparts: Readonly<Record<string, string>> = {
  today: "yesterday",
  this_month: "last_month",
  last_month: "last_2_months",
};

/**
 * The period that one is compared with: the same hours of the day before, the same days of the month before, the whole
 * month before, and otherwise as much time just before it.
 */
export function spanBefore({ period = "", timeZone = "UTC" }: PastPeriod, { start, end }: Span, nowMs: number): Span {
  const counterpart = counterparts[period];
  if (counterpart === undefined) return { start: start - (end - start), end: start };
  const before = boundsOf(counterpart, timeZone, nowMs).start;
  return { start: before, end: period === "last_month" ? start : Math.min(before + (end - start), start) };
}

export const written = ({ start, end }: Span): string => `${isoText(start)} to ${isoText(end)}`;
