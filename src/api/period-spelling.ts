/** The ways in which people write a relative period, read as the one form that arguments take. */
import { meantBy } from "./nearest.js";

const named = ["today", "yesterday", "this_month", "last_month"];
const units: readonly (readonly [RegExp, unit: "h" | "d" | "m", count: number])[] = [
  [/^(h|hr|hour)$/, "h", 1],
  [/^(d|day)$/, "d", 1],
  [/^(w|wk|week)$/, "d", 7],
  [/^(mo|month)$/, "m", 1],
  [/^(y|yr|year)$/, "m", 12],
];
const counts: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, six: 6 };
const written =
  /^(?:the_)?(?:(last|past|previous|prev|next|coming)_?)?(?:(\d{1,3}|an?|one|two|three|six)_?)?([a-z]+?)s?$/;

/** The period that a text means, such as `last_7d` for "last week"; undefined for one that cannot be read. */
export function periodMeant(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  const text = given
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  const [, direction = "last", count = "1", word = ""] = written.exec(text) ?? [];
  const [, unit, size] = units.find(([pattern]) => pattern.test(word)) ?? [];
  if (unit === undefined || size === undefined) return meantBy(text, named);
  const total = (counts[count] ?? Number(count)) * size;
  const isNext = direction === "next" || direction === "coming";
  if (unit !== "m") return `${isNext ? "next" : "last"}_${total}${unit}`;
  if (isNext) return undefined;
  return total === 1 ? "last_month" : `last_${total}_months`;
}
