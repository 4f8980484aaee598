/** Where a call does not fit the definition of an imported operation. */
import { isRecord } from "../language/member.js";
import { z } from "../language/z.js";
import type { ArgumentsSchema } from "./arguments-schema.js";
import { isQuickPattern, longestMatched } from "./patterns.js";

type Members = Readonly<Record<string, unknown>>;

/** A place where arguments do not fit the definition, and why, in words. */
export interface Misfit {
  readonly path: readonly PropertyKey[];
  readonly why: string;
}

const mostMisfits = 5;
const mostNamed = 4;

const quoted = (values: readonly unknown[], most: number): string =>
  values
    .slice(0, most)
    .map((one) => JSON.stringify(typeof one === "string" ? one.slice(0, 60) : one))
    .join(", ");

const units: Readonly<Record<string, string>> = { string: "characters", array: "items", object: "members" };

/** Why a value is beyond a bound, as the end of a sentence: `has fewer than 3 characters`, `is below 1`. */
function beyond(origin: string, bound: number | bigint, [counted, measured]: readonly [string, string]): string {
  const unit = units[origin];
  return unit === undefined ? `is ${measured} ${bound}` : `has ${counted} than ${bound} ${unit}`;
}

/** Why a value does not fit, as the end of a sentence. */
function whyNot(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return `has ${quoted(issue.keys, 3)}, which is not defined`;
    case "invalid_value":
      return `is not one of ${quoted(issue.values, 8)}`;
    case "invalid_type":
      return `is not of the type ${issue.expected}`;
    case "too_small":
      return beyond(issue.origin, issue.minimum, ["fewer", issue.inclusive ? "below" : "not above"]);
    case "too_big":
      return beyond(issue.origin, issue.maximum, ["more", issue.inclusive ? "above" : "not below"]);
    case "invalid_format":
      return issue.format === "regex" ? `does not match ${issue.pattern}` : "does not fit";
    case "custom":
      return "is there twice";
    default:
      return "does not fit";
  }
}

/** The places of an issue; of a union, those of the branch that fits best. */
function placesOf(
  issue: z.core.$ZodIssue,
  before: readonly PropertyKey[],
): readonly (Misfit & { readonly isMissing: boolean })[] {
  const path = [...before, ...issue.path];
  // More than one branch fits: the branches keep less than the definition states, often nothing at all.
  if (issue.code === "invalid_union" && issue.errors.length === 0) return [];
  const isMissing = (issue.code === "invalid_type" || issue.code === "invalid_value") && issue.input === undefined;
  if (issue.code !== "invalid_union") return [{ path, why: whyNot(issue), isMissing }];
  const depth = (one: readonly z.core.$ZodIssue[]) => Math.max(0, ...one.map((inner) => inner.path.length));
  const [best = []] = [...issue.errors].sort((a, b) => depth(b) - depth(a) || a.length - b.length);
  return best.flatMap((inner) => placesOf(inner, path));
}

/** Missing members as one misfit of the object that lacks them, after all others: definitions require too many. */
function withMissing(misfits: readonly (Misfit & { readonly isMissing: boolean })[]): readonly Misfit[] {
  const missing = misfits.filter(({ isMissing }) => isMissing);
  const others = misfits.filter(({ isMissing }) => !isMissing);
  const parents = new Map(missing.map(({ path }) => [JSON.stringify(path.slice(0, -1)), path.slice(0, -1)]));
  const lacking = [...parents].map(([key, path]) => {
    const names = missing
      .filter((one) => JSON.stringify(one.path.slice(0, -1)) === key)
      .map((one) => String(one.path.at(-1)));
    const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
    return { path, why: `lacks ${names.slice(0, mostNamed).join(", ")}${more}` };
  });
  return [...others, ...lacking].map(({ path, why }) => ({ path, why }));
}

/** The misfits in the issues of a value that was parsed with `reportInput`. */
export const misfitsOf = (issues: readonly z.core.$ZodIssue[]): readonly Misfit[] =>
  withMissing(issues.flatMap((issue) => placesOf(issue, [])));

/** The length of the longest text in a value, in characters. */
const longestIn = (value: unknown): number =>
  typeof value === "string"
    ? value.length
    : typeof value === "object" && value !== null
      ? Object.values(value).reduce<number>((most, one) => Math.max(most, longestIn(one)), 0)
      : 0;

/**
 * A schema that can be tried on arguments: its patterns are quick, and no texts are too long for them. It has no defaults, which
 * would stand for what is required.
 */
function triableSchema(schema: ArgumentsSchema, args: Members): ArgumentsSchema {
  const isShort = longestIn(args) <= longestMatched;
  const text = JSON.stringify(schema, (key, value: unknown) => {
    const isPattern = key === "pattern" && typeof value === "string";
    // A member can have the name of a keyword, and is then an object.
    const isOut = isPattern ? !isShort || !isQuickPattern(value) : key === "default" && !isRecord(value);
    return isOut ? undefined : value;
  });
  return JSON.parse(text) as ArgumentsSchema;
}

/** Where arguments do not fit their schema: it is advice, because a quarter of the vendor's own examples does not fit. */
export function misfitsIn(schema: ArgumentsSchema, args: Members): readonly Misfit[] {
  const { confirm: _, ...requestArguments } = args;
  const result = z
    .fromJSONSchema(triableSchema(schema, requestArguments) as Parameters<typeof z.fromJSONSchema>[0])
    .safeParse(requestArguments, { reportInput: true });
  const issues = result.error?.issues ?? [];
  return misfitsOf(issues).slice(0, mostMisfits);
}
