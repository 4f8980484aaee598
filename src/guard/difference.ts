/** Hashes and digests of values and requests, and the differences between two values. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isRecord, memberAt } from "../language/member.js";
import { canonical } from "../text/canonical.js";
import type { ResolvedRequest } from "../wire/index.js";

// Without a key, a short secret could be guessed from its digest. Digests are never compared across processes.
const key = randomBytes(32);
const length = 12;

const digestOf = (text: string): string => createHmac("sha256", key).update(text).digest("base64url").slice(0, length);

/** The digest of any value, secrets included. */
export const digestOfValue = (value: unknown): string => digestOf(canonical(value));

/** The digest of a whole request: method, URL, headers and body. */
export const digestOfRequest = (request: ResolvedRequest): string => digestOf(requestHash(request));

/** The hash of everything that determines the effect of a request: method, origin, path, query, headers and body. */
export function requestHash({ method, url, headers, body }: ResolvedRequest): string {
  const hash = createHash("sha256");
  // Stryker disable next-line EqualityOperator: two headers never have one name, and any fixed order will do.
  const named = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
  // The number of headers comes first, so that a body cannot be mistaken for a header.
  for (const part of [String(named.length), method, url.href, ...named.flat()]) hash.update(`${part.length}:${part}\n`);
  if (body) hash.update(body);
  return hash.digest("base64url");
}

/** The hash of a JSON value, independent of the order of its keys. */
export const stateHash = (state: unknown): string => createHash("sha256").update(canonical(state)).digest("base64url");

export type ValuePath = readonly PropertyKey[];

/** An item of a list with its index. */
export interface ChangedItem {
  readonly index: number;
  readonly value: unknown;
}

/**
 * A changed value, undefined if there is none, or a list with different items; if none differ, only their order does.
 */
export type ValueChange =
  | { readonly path: ValuePath; readonly from: unknown; readonly to: unknown }
  | { readonly path: ValuePath; readonly added: readonly ChangedItem[]; readonly removed: readonly ChangedItem[] };

/** The items of each list that the other one lacks, duplicates included. */
function onlyInEach(before: readonly unknown[], after: readonly unknown[]) {
  // The common beginning and end are skipped, because serializing thousands of items is slow.
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && isDeepStrictEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (end < most - start && isDeepStrictEqual(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const keysOf = (items: readonly unknown[]) => items.slice(start, items.length - end).map(canonical);
  const [old, now] = [keysOf(before), keysOf(after)];
  const only = (items: readonly unknown[], keys: readonly string[], others: readonly string[]): ChangedItem[] => {
    const left = new Map<string, number>();
    for (const key of others) left.set(key, (left.get(key) ?? 0) + 1);
    return keys.flatMap((key, at) => {
      const count = left.get(key) ?? 0;
      left.set(key, count - 1);
      return count > 0 ? [] : [{ index: start + at, value: items[start + at] }];
    });
  };
  return { added: only(after, now, old), removed: only(before, old, now) };
}

/** Compares the present value with the one that would replace it; empty if nothing would change. */
export function changesBetween(present: unknown, proposed: unknown, path: ValuePath = []): ValueChange[] {
  if (isDeepStrictEqual(present, proposed)) return [];
  if (isRecord(present) && isRecord(proposed)) {
    const keys = [...new Set([...Object.keys(present), ...Object.keys(proposed)])];
    return keys.flatMap((key) => changesBetween(memberAt(present, [key]), memberAt(proposed, [key]), [...path, key]));
  }
  const before = present === undefined ? [] : present;
  const after = proposed === undefined ? [] : proposed;
  if (!Array.isArray(before) || !Array.isArray(after)) return [{ path, from: present, to: proposed }];
  if (before.length === 0 && after.length === 0) return [];
  return [{ path, ...onlyInEach(before, after) }];
}

/** A difference, as a failure reports it. */
export interface FieldDifference {
  readonly at: string;
  readonly added?: readonly unknown[];
  readonly removed?: readonly unknown[];
  readonly addedCount?: number;
  readonly removedCount?: number;
  readonly from?: unknown;
  readonly to?: unknown;
  /** The field exists now and would be removed; `from` is its value. */
  readonly isRemoved?: true;
}

export interface DifferenceOptions {
  /** The path of the values, for the path of each difference. */
  readonly at?: ValuePath;
  /** Shows a value that differs, for example with its secrets masked; receives the path of the value. */
  readonly show?: (value: unknown, path: ValuePath) => unknown;
}

const maxExamples = 5;

/**
 * The differences in a form that is short enough to report. Values are compared as they are and shown by `show`, so
 * that a changed secret counts as a change. The order of a list is ignored.
 */
export function fieldDifferences(
  present: unknown,
  proposed: unknown,
  options: DifferenceOptions = {},
): FieldDifference[] {
  const { at: from = [], show = (value) => value } = options;
  return changesBetween(present, proposed, from).flatMap((change): FieldDifference[] => {
    const { path } = change;
    const at = path.map(String).join(".");
    if ("from" in change) {
      const was = show(change.from, path);
      return [
        change.to === undefined ? { at, from: was, isRemoved: true } : { at, from: was, to: show(change.to, path) },
      ];
    }
    const { added, removed } = change;
    if (added.length === 0 && removed.length === 0) return [];
    const examples = (items: readonly ChangedItem[]) =>
      items.slice(0, maxExamples).map(({ index, value }) => show(value, [...path, index]));
    return [
      {
        at,
        addedCount: added.length,
        removedCount: removed.length,
        added: examples(added),
        removed: examples(removed),
      },
    ];
  });
}
