/** The differences between two values as data: what changes, and what differs without being a change. */
import { isDeepStrictEqual } from "node:util";
import { canonical } from "../text/canonical.js";
import type { IgnoredKind, ReviewForm } from "./conduct.js";
import { isRecord, memberAt } from "./member.js";

export type ValuePath = readonly PropertyKey[];

/** An item of a list with its index. */
export interface ChangedItem {
  readonly index: number;
  readonly value: unknown;
}
export type ItemPair = readonly [before: ChangedItem, after: ChangedItem];

/** A value that is replaced; undefined where there is none. */
export interface ReplacedValue {
  readonly path: ValuePath;
  readonly from: unknown;
  readonly to: unknown;
  /** Why the difference is no change. */
  readonly ignored?: IgnoredKind;
}

/** A list whose items differ, or their order. */
export interface ChangedList {
  readonly path: ValuePath;
  readonly added: readonly ChangedItem[];
  readonly removed: readonly ChangedItem[];
  /** The other items, in their new order. */
  readonly staying: readonly ItemPair[];
}

export type ValueChange = ReplacedValue | ChangedList;

const placeOf = (path: ValuePath): string => path.map(String).join(".");

/**
 * Whether the order of a list means nothing.
 * @param path Its path in the whole, or in the item around it.
 */
export const isSet = (
  { sets = [], ordered }: ReviewForm,
  path: ValuePath,
  ...states: readonly (readonly unknown[])[]
): boolean =>
  (sets === "all" || sets.includes(placeOf(path))) && !states.some((list) => list.length > 0 && ordered?.(list));

/** Why a difference of the member at a path, in the whole or in the item around it, is no change; undefined if it is one. */
export const ignoredKind = ({ ignores }: ReviewForm, path: ValuePath): "id" | "stamp" | undefined =>
  memberAt(ignores, [placeOf(path)]) as "id" | "stamp" | undefined;

/** Whether the member at a path, in the whole or in the item around it, means the same as its absence. */
export const isUsual = (value: unknown, path: ValuePath, { usual = {} }: ReviewForm): boolean =>
  (Array.isArray(value) && value.length === 0) ||
  ["*", placeOf(path)].some((one) => Object.hasOwn(usual, one) && canonical(usual[one]) === canonical(value));

/** A value without what is no change, so that values are equal if their differences are all ignored. */
function essence(value: unknown, form: ReviewForm, path: ValuePath): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => essence(item, form, []));
    return isSet(form, path, value) ? items.map(canonical).sort() : items;
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value)
    .map(([name, member]) => [name, member, [...path, name]] as const)
    .filter(([, member, at]) => ignoredKind(form, at) === undefined && !isUsual(member, at, form))
    .map(([name, member, at]) => [name, essence(member, form, at)] as const);
  return Object.fromEntries(members);
}

/** Pairs the items of two lists that are the same but for what is ignored; duplicates count. */
function matchItems(before: readonly unknown[], after: readonly unknown[], keyOf: (item: unknown) => string) {
  // The common beginning and end are skipped, because serializing thousands of items is slow.
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && isDeepStrictEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (end < most - start && isDeepStrictEqual(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const itemsOf = (list: readonly unknown[], from: number, to: number): ChangedItem[] =>
    list.slice(from, to).map((value, at) => ({ index: from + at, value }));
  const [old, now] = [itemsOf(before, start, before.length - end), itemsOf(after, start, after.length - end)];
  const known = new Map<string, ChangedItem[]>();
  for (const item of old.toReversed()) {
    const key = keyOf(item.value);
    const same = known.get(key);
    if (same) same.push(item);
    else known.set(key, [item]);
  }
  const middle: ItemPair[] = [];
  const added = now.filter((item) => {
    const same = known.get(keyOf(item.value))?.pop();
    if (same) middle.push([same, item]);
    return same === undefined;
  });
  const left = new Set([...known.values()].flat());
  const pairs = (one: readonly ChangedItem[], other: readonly ChangedItem[]): ItemPair[] =>
    one.map((item, at) => [item, other[at] as ChangedItem]);
  return {
    added,
    removed: old.filter((item) => left.has(item)),
    staying: [
      ...pairs(itemsOf(before, 0, start), itemsOf(after, 0, start)),
      ...middle,
      ...pairs(itemsOf(before, before.length - end, before.length), itemsOf(after, after.length - end, after.length)),
    ],
  };
}

/**
 * Compares the present value with the one that would replace it; empty if they are equal.
 * @param form What is no change; without it, only a list without items is the same as none.
 */
export function changesBetween(
  present: unknown,
  proposed: unknown,
  form: ReviewForm = {},
  path: ValuePath = [],
): ValueChange[] {
  if (isDeepStrictEqual(present, proposed)) return [];
  const replaced = { path, from: present, to: proposed };
  const kind = ignoredKind(form, path);
  if (kind !== undefined) return [{ ...replaced, ignored: kind }];
  const only = present === undefined ? proposed : present;
  if ((present === undefined || proposed === undefined) && isUsual(only, path, form))
    return [{ ...replaced, ignored: "default" }];
  if (isRecord(present) && isRecord(proposed)) {
    const keys = [...new Set([...Object.keys(present), ...Object.keys(proposed)])];
    return keys.flatMap((key) =>
      changesBetween(memberAt(present, [key]), memberAt(proposed, [key]), form, [...path, key]),
    );
  }
  const before = present === undefined ? [] : present;
  const after = proposed === undefined ? [] : proposed;
  if (!Array.isArray(before) || !Array.isArray(after)) return [replaced];
  return [{ path, ...matchItems(before, after, (item) => canonical(essence(item, form, []))) }];
}

/** The positions of a longest increasing subsequence; all other items have to move to put the numbers in order. */
function risingIn(numbers: readonly number[]): ReadonlySet<number> {
  const tails: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [at, number] of numbers.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tails[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    previous[at] = tails[low - 1];
    tails[low] = at;
  }
  const rising = new Set<number>();
  for (let at = tails.at(-1); at !== undefined; at = previous[at]) rising.add(at);
  return rising;
}

/** The fewest items that have to move so that the staying ones are in their new order. */
export function movedItems(staying: readonly ItemPair[]): readonly ItemPair[] {
  const inOrder = staying.toSorted(([, a], [, b]) => a.index - b.index);
  const still = risingIn(inOrder.map(([{ index }]) => index));
  return inOrder.filter((_, at) => !still.has(at));
}
