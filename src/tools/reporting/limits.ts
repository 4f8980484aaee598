/** Limits by report: each report accepts only its own intervals, metrics and filters. */
import type { Check } from "../../language/check.js";
import { type FieldProblem, shown } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { didYouMean, meantBy } from "../../language/nearest.js";

/** What a field accepts. */
interface Limit {
  /** The allowed values of the field, or of its elements if it is a list; an empty list allows none. */
  readonly values?: readonly string[];
  /** The allowed member names. */
  readonly names?: readonly string[];
  readonly isRequired?: boolean;
}

/** Limits by subject: the values of some arguments, joined by slashes. An unlisted subject has no limits. */
interface Limits {
  readonly by: readonly string[];
  /** Maps a subject to the limits of its fields, which are named by paths into the arguments. */
  readonly of: Readonly<Record<string, Readonly<Record<string, Limit>>>>;
}

/** A problem for each value that is not allowed; the elements of a list are checked one by one. */
function* disallowedValues(
  field: string,
  value: unknown,
  values: readonly string[],
  subject: string,
): Generator<FieldProblem> {
  const path = field.split(".");
  const given: readonly (readonly [PropertyKey[], unknown])[] = Array.isArray(value)
    ? value.map((one, at) => [[...path, at], one])
    : [[path, value]];
  for (const [at, one] of given) {
    if (values.includes(String(one))) continue;
    const meant = meantBy(String(one), values);
    yield {
      field,
      given: shown(one),
      takes:
        values.length === 0
          ? `nothing: ${subject} takes none`
          : `one of ${values.join(", ")} for ${subject}${didYouMean(String(one), values)}`,
      ...(meant === undefined ? {} : { mends: [{ at, value: meant }] }),
    };
  }
}

/** A problem for each member whose name is not allowed. */
function* disallowedNames(
  field: string,
  value: object,
  names: readonly string[],
  subject: string,
): Generator<FieldProblem> {
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue;
    const meant = meantBy(name, names);
    yield {
      field: `${field}.${name}`,
      takes: `nothing: ${subject} has ${names.length === 0 ? "no such members" : `only ${names.join(", ")}`}${didYouMean(name, names)}`,
      ...(meant === undefined ? {} : { mends: [{ at: [...field.split("."), name], name: meant }] }),
    };
  }
}

function* problemsOf(field: string, value: unknown, limit: Limit, subject: string): Generator<FieldProblem> {
  const { values, names, isRequired = false } = limit;
  if (value === undefined) {
    if (isRequired) yield { field, takes: `one of ${values?.join(", ")}; ${subject} requires it` };
    return;
  }
  if (values !== undefined) yield* disallowedValues(field, value, values, subject);
  if (names !== undefined) yield* disallowedNames(field, value as object, names, subject);
}

/** Checks that a call's arguments are within the limits of its subject. */
export const withinLimits =
  (limits: Limits): Check =>
  ({ args }) => {
    const subject = limits.by.map((name) => String(args[name])).join("/");
    const own = Object.hasOwn(limits.of, subject) ? limits.of[subject] : undefined;
    return Object.entries(own ?? {}).flatMap(([field, limit]) => [
      ...problemsOf(field, memberAt(args, field), limit, subject),
    ]);
  };
