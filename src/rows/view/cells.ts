/** The order of cells: numbers by their value, then times by their instant, then text, and what is empty last. */
import { isEmpty } from "../../language/member.js";
import type { Clock } from "./clock.js";
import { compareExact, type Exact, exactOf } from "./decimal.js";

/** What a cell is sorted and joined by. */
export type CellKey =
  | { readonly kind: 0 | 1; readonly value: Exact }
  | { readonly kind: 2; readonly value: string }
  | { readonly kind: 3 };

const empty: CellKey = { kind: 3 };

export function cellKey(cell: unknown, clock: Clock): CellKey {
  if (isEmpty(cell)) return empty;
  const number = exactOf(cell);
  if (number !== undefined) return { kind: 0, value: number };
  const moment = clock.momentOf(cell);
  if (moment) return { kind: 1, value: moment.ms };
  return { kind: 2, value: typeof cell === "object" ? JSON.stringify(cell) : String(cell) };
}

/** Text by its code units, because an order by a language would depend on the machine. */
export function compareKeys(a: CellKey, b: CellKey): number {
  if (a.kind === 2 && b.kind === 2) return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
  if (a.kind === b.kind && a.kind < 2)
    return compareExact((a as { value: Exact }).value, (b as { value: Exact }).value);
  return a.kind - b.kind;
}

/** The comparison of a descending or an ascending order; what is empty comes last in both. */
export const compareBy = (a: CellKey, b: CellKey, isDescending: boolean): number =>
  isDescending && a.kind !== 3 && b.kind !== 3 ? -compareKeys(a, b) : compareKeys(a, b);
