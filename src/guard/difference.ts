/** What a write would change: the records added, removed and changed, short enough to read. */
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../api/member.js";
import { canonical } from "./canonical.js";

/** One member that differs; lists are compared as collections of records, because their order means nothing. */
export interface Difference {
  readonly at: string;
  readonly added?: readonly unknown[];
  readonly removed?: readonly unknown[];
  readonly addedCount?: number;
  readonly removedCount?: number;
  readonly from?: unknown;
  readonly to?: unknown;
  /** The member is there now and would be gone; `from` is its value. */
  readonly isRemoved?: true;
}

type Path = readonly PropertyKey[];

export interface DifferenceOptions {
  /** Where the values stand, for the path of each difference. */
  readonly at?: Path;
  /** Shows a value that differs, such as with its secrets masked; receives the path of the value. */
  readonly show?: (value: unknown, path: Path) => unknown;
}

const maxExamples = 5;

/** The places of the items that the other list does not have, each as often as the other lacks it. */
function placesOnlyIn(items: readonly unknown[], others: readonly unknown[]): number[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(canonical(other), (left.get(canonical(other)) ?? 0) + 1);
  return items.flatMap((item, place) => {
    const key = canonical(item);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? [] : [place];
  });
}

/**
 * Compares the present value with the one that would replace it; an empty result means that nothing would change. The
 * values are compared as they are and shown as `show` has them, so that a change of a secret is seen as a change.
 */
export function differences(present: unknown, proposed: unknown, options: DifferenceOptions = {}): Difference[] {
  const { at: path = [], show = (value) => value } = options;
  const at = path.map(String).join(".");
  if (isDeepStrictEqual(present, proposed)) return [];
  if (isRecord(present) && isRecord(proposed)) {
    const keys = [...new Set([...Object.keys(present), ...Object.keys(proposed)])];
    return keys.flatMap((key) => differences(present[key], proposed[key], { at: [...path, key], show }));
  }
  const before = present === undefined ? [] : present;
  const after = proposed === undefined ? [] : proposed;
  if (Array.isArray(before) && Array.isArray(after)) {
    const added = placesOnlyIn(after, before);
    const removed = placesOnlyIn(before, after);
    if (added.length === 0 && removed.length === 0) return [];
    const shownFrom = (list: readonly unknown[], places: readonly number[]) =>
      places.slice(0, maxExamples).map((place) => show(list[place], [...path, place]));
    return [
      {
        at,
        addedCount: added.length,
        removedCount: removed.length,
        added: shownFrom(after, added),
        removed: shownFrom(before, removed),
      },
    ];
  }
  if (proposed === undefined) return [{ at, from: show(present, path), isRemoved: true }];
  return [{ at, from: show(present, path), to: show(proposed, path) }];
}
