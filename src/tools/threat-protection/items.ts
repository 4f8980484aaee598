/** The items of a custom list: as previews name them, and only as values, which take a third of the space. */
import type { View } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { plain } from "../../language/words.js";
import { z } from "../../language/z.js";
import { Items } from "./shapes.js";

const maxNamed = 5;

/**
 * The values of a list's first items and the number of the others; undefined if none could be read.
 * @param count The number of items, if a more reliable one is known than that of the response.
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

const confidences = { 2: "known", 1: "suspected", 0: "unknown" } as const;
const kinds = { LIST_TYPE_DOMAIN: "domains", LIST_TYPE_IP: "ips" } as const;
const isKnown = <M extends object>(map: M, key: PropertyKey): key is keyof M => Object.hasOwn(map, key);

/**
 * The view of a page of items. Values have no member that a write takes, so that a page which was read this way cannot
 * be written back as the whole list.
 */
export const itemsView: View = {
  arguments: { valuesOnly: z.boolean().optional().describe("true: values by confidence") },
  schema: z.looseObject({ totalCount: z.int(), values: z.record(z.string(), z.array(z.string())) }),
  show: (body, { valuesOnly }) => {
    if (valuesOnly !== true) return undefined;
    const { data } = Items.safeParse(body);
    if (data === undefined) return undefined;
    const values: Record<string, string[]> = {};
    for (const { type, value, confidenceLevelId = 0 } of data.items) {
      const confidence = isKnown(confidences, confidenceLevelId) ? confidences[confidenceLevelId] : confidenceLevelId;
      const key = `${confidence} ${isKnown(kinds, type) ? kinds[type] : type}`;
      values[key] ??= [];
      values[key].push(value);
    }
    return { value: { totalCount: data.totalCount, values } };
  },
};
