/** What an argument takes, in words, for one that its schema refuses. */
import { shown } from "./failure.js";
import { z } from "./z.js";

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function takes(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeNames[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.length === 1 ? shown(issue.values[0]) : `one of ${issue.values.map(shown).join(", ")}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? `at least ${issue.minimum} ${issue.origin === "string" ? "characters" : "items"}`
        : `${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return issue.origin === "string" || issue.origin === "array"
        ? `at most ${issue.maximum} ${issue.origin === "string" ? "characters" : "items"}`
        : `${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
    case "invalid_union":
      return (
        [...new Set(issue.errors.flatMap((branch) => branch.slice(0, 1).map(takes)))].join(" or ") || "another shape"
      );
    case "invalid_key":
    case "invalid_element":
      return issue.issues.map(takes).join(" and ");
    default:
      return issue.message;
  }
}

/** Both bounds of a number that is beyond one of them, where it has both. */
function rangeText({ code }: z.core.$ZodIssue, at: z.ZodType | undefined): string | undefined {
  if (!(at instanceof z.ZodNumber) || (code !== "too_small" && code !== "too_big")) return undefined;
  const [least, most] = [at.minValue, at.maxValue];
  const isBounded = [least, most].every((bound) => Number.isFinite(bound) && Math.abs(Number(bound)) < maxBound);
  return isBounded ? `${at.isInt ? "a whole number" : "a number"} from ${least} to ${most}` : undefined;
}
// What every whole number has as its bounds.
const maxBound = Number.MAX_SAFE_INTEGER;

/** How a single value is written where a list is taken. */
function listText(issue: z.core.$ZodIssue, given: unknown, seen: unknown): string | undefined {
  if (issue.code !== "invalid_type" || issue.expected !== "array" || typeof given === "object") return undefined;
  return `a list, such as [${shown(seen)}]`;
}

/**
 * What an argument takes.
 * @param at Its schema, where it is known.
 * @param seen What was given, as it can be shown.
 */
export const expectedText = (
  issue: z.core.$ZodIssue,
  at: z.ZodType | undefined,
  given: unknown,
  seen: unknown,
): string => rangeText(issue, at) ?? listText(issue, given, seen) ?? takes(issue);
