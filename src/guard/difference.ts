/** Hashes and digests of values and requests, and the differences that a failure reports. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { type ChangedItem, changesBetween, type ValuePath } from "../language/difference.js";
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
  return changesBetween(present, proposed, {}, from).flatMap((change): FieldDifference[] => {
    const { path } = change;
    const at = path.map(String).join(".");
    if ("from" in change) {
      if (change.ignored !== undefined) return [];
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
