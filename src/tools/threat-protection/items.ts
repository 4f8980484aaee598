/** The items of a custom list as previews name them. */
import { memberAt } from "../../language/member.js";
import { plain } from "../../language/words.js";

const maxNamed = 5;

/**
 * The first items of a list by their values, and how many there are besides; undefined where none could be read.
 * @param count How many the list has, where that is known better than by the answer.
 */
export function itemsInWords(items: unknown, count?: number): string | undefined {
  const list = memberAt(items, "items");
  if (!Array.isArray(list)) return undefined;
  const total = count ?? memberAt(items, "totalCount");
  const named = list.slice(0, maxNamed).map((one) => plain(memberAt(one, "value")));
  const more = (typeof total === "number" ? total : list.length) - named.length;
  if (named.length === 0) return "no items";
  return `${named.join(", ")}${more > 0 ? ` and ${more.toLocaleString("en-US")} more` : ""}`;
}
