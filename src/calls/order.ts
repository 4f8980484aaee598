/** The order of a list before and after a change, as notes in the result. */
import type { Order } from "../language/conduct.js";
import { memberAt } from "../language/member.js";
import { hasValue, quotedValue } from "../wire/sentences.js";

const maxNames = 12;
/** How many items before the first difference are shown. */
const lead = 4;

type Read = () => Promise<{ readonly body: unknown } | undefined>;

/** The names of the list's items, in order; undefined if the list cannot be read. */
export async function itemNames({ of, by }: Order, read: Read): Promise<readonly string[] | undefined> {
  // The change itself must not fail because its order could not be shown.
  const state = await read().catch(() => undefined);
  const items = memberAt(state?.body, of);
  if (!Array.isArray(items)) return undefined;
  return items.map((item) => {
    const name = by.map((member) => memberAt(item, member)).find(hasValue);
    return name === undefined ? "(without a name)" : quotedValue(name);
  });
}

/** A part of a list with the indexes of its items, and the numbers of omitted items on either side. */
function partText(names: readonly string[], from: number): string {
  if (names.length === 0) return "none";
  const shown = names.slice(from, from + maxNames).map((name, at) => `${from + at} ${name}`);
  const after = names.length - from - shown.length;
  return [...(from > 0 ? [`(${from} before)`] : []), ...shown, ...(after > 0 ? [`(${after} after)`] : [])].join(", ");
}

/** The order of a list before and after a change, as notes; if it cannot be read, a note states that. */
export function notesOnOrder(
  { of }: Order,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): readonly string[] {
  if (!before || !after) return [`The order of ${of} could not be read.`];
  const differing = after.findIndex((name, at) => name !== before[at]);
  const from = Math.max(0, (differing < 0 ? after.length : differing) - lead);
  return [`Order of ${of} before: ${partText(before, from)}.`, `Order of ${of} after: ${partText(after, from)}.`];
}
