/** A time before the first that an API still has, and that first one in its place. */
import type { Arguments } from "../language/conduct.js";
import { dayMs } from "../language/durations.js";
import { type FieldProblem, shown } from "../language/failure.js";
import { readInstant } from "./instant.js";

/** How far back an API goes, for the argument in which its time is given. */
interface Reach {
  readonly argument: string;
  /** The first time that it has, written as the argument takes it. */
  readonly earliest: string;
  /** Why, as the end of a sentence. */
  readonly because: string;
  /** The longest relative period that reaches no further, where one can be given in place of the argument. */
  readonly period?: string;
}

/** What is wrong with a call whose time is before the first one; nothing where it is not, or is left out. */
export function tooEarly(args: Arguments, { argument, earliest, because, period }: Reach): readonly FieldProblem[] {
  const given = args[argument];
  if (given === undefined || readInstant(given) >= readInstant(earliest)) return [];
  const isRelative = args["period"] !== undefined;
  const field = isRelative ? "period" : argument;
  const takes = isRelative ? `a period that begins on ${earliest} or later` : `${earliest} or later`;
  const value = isRelative ? period : earliest;
  return [
    {
      field,
      given: shown(args[field]),
      takes: `${takes}: ${because}`,
      ...(value === undefined ? {} : { mends: [{ at: [field], value, isGuess: true }] }),
    },
  ];
}

/** The first UTC midnight of the last so many days, as an ISO time. */
export const midnightWithin = (days: number, nowMs: number): string =>
  new Date(Math.ceil((nowMs - days * dayMs) / dayMs) * dayMs).toISOString().replace(".000Z", "Z");
