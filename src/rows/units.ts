/** The units of columns: as an operation declares them, or as a body states them beside the columns' names. */
import type { AnswerDisplay } from "../language/conduct.js";
import { isRecord, memberAt } from "../language/member.js";
import type { Row } from "./index.js";

// A unit comes from outside, and is repeated in every result.
const longestUnit = 20;
const isUnit = (unit: unknown): unit is string =>
  typeof unit === "string" && unit !== "" && unit.length <= longestUnit && unit.toLowerCase() !== "count";

/** Whether a column of a view is of a column of the rows: itself, its aggregate, or a comparison. */
const isOf = (label: string, column: string): boolean =>
  label === column || label.startsWith(`${column} `) || label.includes(`(${column})`);

/**
 * The units of the columns of rows, by the names that these have in the body; a count has none.
 * The rows are those that are shown: a view has only the columns that it names.
 * @returns undefined if no unit is known.
 */
export function unitsOf(
  body: unknown,
  { units = {}, columns: from }: AnswerDisplay,
  [first]: readonly Row[],
): Readonly<Record<string, string>> | undefined {
  const columns = from && memberAt(body, from.columns);
  const stated = Array.isArray(columns) ? columns.filter(isRecord).map(({ name, unit }) => [String(name), unit]) : [];
  const labels = Object.keys(first ?? {});
  const known = [...Object.entries<unknown>(units), ...stated].filter(
    ([name, unit]) => isUnit(unit) && labels.some((label) => isOf(label, String(name))),
  );
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
