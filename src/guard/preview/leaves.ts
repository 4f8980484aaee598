/** Every scalar of a value, line by line; a long list is counted, grouped and given a digest besides. */
import { isRecord } from "../../api/member.js";
import type { z } from "../../api/z.js";
import { canonical } from "../canonical.js";
import type { Path } from "../difference.js";
import { digestOfValue } from "./digest.js";
import { clipped, type Entry, single, together } from "./entry.js";
import { countOf, isScalar, memberForms, placeOf, written } from "./text.js";

const maxItems = 10;
const maxGroups = 5;

/** What a text is one of many of: the host of a URL, the domain of a mail address or of a host's name. */
function groupOf(item: unknown): string | undefined {
  if (typeof item !== "string") return undefined;
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(item)?.[1] ?? /^[^@\s]+@([^@\s]+)$/.exec(item)?.[1];
  return host ?? /^[^./\s]+\.((?=[^/\s]+\.[^/\s])[^/\s]+)$/.exec(item)?.[1];
}

/** The groups of a list with their counts, the largest first; nothing where an item belongs to none. */
function groupsIn(items: readonly unknown[]): string {
  const counts = new Map<string, number>();
  for (const item of items) {
    const group = groupOf(item);
    if (group === undefined) return "";
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const named = sorted
    .slice(0, maxGroups)
    .map(([group, count]) => `${clipped(written(group), 80)}: ${count.toLocaleString("en-US")}`);
  const rest = sorted.length - named.length;
  return `; ${[...named, ...(rest > 0 ? [`${countOf(rest, "other group")}`] : [])].join(", ")}`;
}

interface Place {
  /** What is written before the path, such as that it is the state now. */
  readonly before: string;
  readonly path: Path;
  readonly forms: readonly z.ZodType[];
}

/** What stands before a value; nothing but `before` where it is the whole. */
const labelOf = ({ before, path }: Place): string => `${before}${path.length === 0 ? "" : `${placeOf(path)}: `}`;

/** Whether all members of a record are scalars, so that it can be read on one line. */
const isFlat = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isScalar);

function listEntry(raw: readonly unknown[], shown: readonly unknown[], place: Place): Entry {
  const { before, path, forms } = place;
  const different = new Set(raw.map(canonical)).size;
  const twice = different === raw.length ? "" : `, ${different.toLocaleString("en-US")} different`;
  const count = `${labelOf(place)}${countOf(raw.length, "item")}${twice}`;
  const items = together(
    raw.map((item, index): Entry => {
      const inner = { before, path: [...path, index], forms: memberForms(forms, index) };
      return isFlat(shown[index])
        ? single(`${labelOf(inner)}${written(shown[index], inner.forms)}`)
        : leaves(item, shown[index], inner);
    }),
  );
  if (raw.length <= maxItems) return together([single(count), items]);
  const head = `${count}; digest ${digestOfValue(raw)}`;
  const [first, last] = [items.brief[0], items.brief.at(-1)];
  const brief = [
    { text: `${head}${groupsIn(shown)}`, whole: 1 },
    ...[first, last].filter((line) => line !== undefined),
  ];
  return { lines: [head, ...items.lines], brief };
}

/**
 * The scalars of a value with their paths.
 * @param raw The value as it is, for its digests.
 * @param shown The same value, as `withMasks` has it.
 */
export function leaves(raw: unknown, shown: unknown, place: Place): Entry {
  const { before, path, forms } = place;
  if (isScalar(shown)) return single(`${labelOf(place)}${written(shown, forms)}`);
  if (Array.isArray(raw) && Array.isArray(shown)) return listEntry(raw, shown, place);
  const members = Object.entries(shown as Readonly<Record<string, unknown>>);
  const of = raw as Readonly<Record<string, unknown>>;
  return together(
    members.map(([key, member]) =>
      leaves(of[key], member, { before, path: [...path, key], forms: memberForms(forms, key) }),
    ),
  );
}
