/** What a caller says of the rows it wants to see: which, in which order, and what is computed of them. */
import { z } from "../../language/z.js";

const text = z.string().min(1).max(1_000);
/** A list of short texts; one text alone is taken as such a list, because that is how it is often written. */
const texts = z.union([z.array(text).min(1).max(50), text]);

/** What is shown of the rows of an answer. */
export const View = z.strictObject({
  rows: text.optional().describe("Path of the list, if there are several"),
  fields: texts.optional().describe("name, period.start"),
  where: texts
    .optional()
    .describe('All hold: "status = 404", "name contains shop", "type in A,AAAA", "end is empty", "end < now+30d"'),
  sort: texts.optional().describe("-hits for descending"),
  top: z.int().min(1).max(10_000).optional().describe("First n; the rest is summed"),
  group_by: texts
    .optional()
    .describe("Members, or hour (of day), weekday, hours, day, 7 days, week, month: hour(time)"),
  aggregate: texts.optional().describe("sum(hits), mean, min, max, count, count(distinct x), p95, share"),
  compare: z.literal("previous_period").optional().describe("Adds the change"),
  time_zone: z.string().min(1).max(60).optional().describe("Default UTC"),
});
export type View = z.output<typeof View>;

/** Whether a sign opens a quoted name. */
export const opensName = (sign: string): boolean => sign === '"' || sign === "`";

/**
 * The places in a text outside its quotes, which are none themselves.
 * @param opens Whether a sign opens a quote, by the one before it; the same one closes it.
 */
export function* placesOutsideQuotes(
  text: string,
  opens: (sign: string, before: string) => boolean,
): Generator<number> {
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (opens(sign, text[at - 1] ?? "")) quote = sign;
    else yield at;
  }
}

/** The parts of a text between commas that stand outside brackets and quotes. */
export function partsOf(written: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const at of placesOutsideQuotes(written, opensName)) {
    const sign = written[at];
    if (sign === "(") depth += 1;
    else if (sign === ")") depth -= 1;
    else if (sign === "," && depth <= 0) {
      parts.push(written.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, written.slice(start)].map((part) => part.trim()).filter((part) => part !== "");
}

/** The texts of a list that may have been written as one text with commas. */
export const namesIn = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined ? [] : typeof given === "string" ? partsOf(given) : given.map((one) => one.trim());
