/** What a write would change, told as the records that come, go and differ, in a size that a person can read. */
import { isDeepStrictEqual } from "node:util";
import { canonical } from "./canonical.js";

/** One member that differs; lists are compared as sets of records, because the order of records means nothing. */
export interface Difference {
  readonly at: string;
  readonly added?: readonly unknown[];
  readonly removed?: readonly unknown[];
  readonly addedCount?: number;
  readonly removedCount?: number;
  readonly from?: unknown;
  readonly to?: unknown;
}

const maxExamples = 5;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Compares the present value with the one that would replace it; an empty result means that nothing would change. */
export function differences(present: unknown, proposed: unknown, at = ""): Difference[] {
  if (isDeepStrictEqual(present, proposed)) return [];
  if (isRecord(present) && isRecord(proposed)) {
    const keys = [...new Set([...Object.keys(present), ...Object.keys(proposed)])];
    return keys.flatMap((key) => differences(present[key], proposed[key], at === "" ? key : `${at}.${key}`));
  }
  const before = present === undefined ? [] : present;
  const after = proposed === undefined ? [] : proposed;
  if (Array.isArray(before) && Array.isArray(after)) {
    const had = new Set(before.map(canonical));
    const has = new Set(after.map(canonical));
    const added = after.filter((value) => !had.has(canonical(value)));
    const removed = before.filter((value) => !has.has(canonical(value)));
    if (added.length === 0 && removed.length === 0) return [];
    return [
      {
        at,
        addedCount: added.length,
        removedCount: removed.length,
        added: added.slice(0, maxExamples),
        removed: removed.slice(0, maxExamples),
      },
    ];
  }
  return [{ at, from: present, to: proposed }];
}
