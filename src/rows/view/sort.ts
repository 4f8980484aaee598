/** The order of rows in a view: parsed from `-hits` or `hits desc`, and applied to cells by type. */
import { quoteValue } from "../../language/failure.js";
import { isEmpty } from "../../language/member.js";
import { guessName } from "../../text/nearest.js";
import type { Row } from "../index.js";
import { compareExact, type Exact, exactOf } from "./decimal.js";
import { columnOf, parseUsable, splitNames } from "./schema.js";
import { type Clock, momentsOf, type Scope } from "./scope.js";

/** The sort key of a cell. */
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

/** Text by code units, because a language-specific order would depend on the machine. */
export function compareKeys(a: CellKey, b: CellKey): number {
  if (a.kind === 2 && b.kind === 2) return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
  if (a.kind === b.kind && a.kind < 2)
    return compareExact((a as { value: Exact }).value, (b as { value: Exact }).value);
  return a.kind - b.kind;
}

/** The comparison of a descending or ascending order; empty cells come last in both. */
const compareBy = (a: CellKey, b: CellKey, isDescending: boolean): number =>
  isDescending && a.kind !== 3 && b.kind !== 3 ? -compareKeys(a, b) : compareKeys(a, b);

interface SortField {
  readonly member: string;
  readonly isDescending: boolean;
}

/** The fields of an order, as they are written. */
export const parseSort = (input: string | readonly string[] | undefined): readonly SortField[] =>
  splitNames(input).map((text) => {
    const lower = text.toLowerCase();
    const word = [" descending", " ascending", " desc", " asc"].find((end) => lower.endsWith(end));
    if (word !== undefined)
      return { member: text.slice(0, -word.length).trim(), isDescending: word.trim().startsWith("desc") };
    const sign = text[0] ?? "";
    return { member: sign === "-" || sign === "+" ? text.slice(1).trim() : text, isDescending: sign === "-" };
  });

/** A function that reads a sort key. */
export interface SortOrder<T> {
  readonly keyOf: (item: T) => CellKey;
  readonly isDescending: boolean;
}

/** The sorted items; equal ones keep their order. */
export function sortByOrders<T>(items: readonly T[], orders: readonly SortOrder<T>[]): readonly T[] {
  if (orders.length === 0) return items;
  const keyed = items.map((item) => ({ item, keys: orders.map(({ keyOf }) => keyOf(item)) }));
  keyed.sort((a, b) => {
    for (const [at, { isDescending }] of orders.entries()) {
      const [left, right] = [a.keys[at], b.keys[at]];
      const order = left && right ? compareBy(left, right, isDescending) : 0;
      if (order !== 0) return order;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}

/** The orders of rows by existing fields; problems are reported to the scope. */
export const rowOrders = (scope: Scope, fields: readonly SortField[]): readonly SortOrder<Row>[] =>
  parseUsable(scope, fields, (partScope, { member, isDescending }): SortOrder<Row> | undefined => {
    const column = columnOf(partScope, member, "sort");
    if (!column) return undefined;
    const { slot, path, read } = column;
    if (!slot) return { keyOf: (row) => cellKey(read(row), scope.clock), isDescending };
    const momentOf = momentsOf(scope, path);
    const keyOf = (row: Row): CellKey => {
      const moment = momentOf(row);
      return moment ? { kind: 0, value: slot.numberOf(moment) } : { kind: 3 };
    };
    return { keyOf, isDescending };
  });

/** The problem of an order by an unknown column of the result. */
export function reportUnsortable(scope: Scope, member: string, labels: readonly string[]): void {
  const near = guessName(member, labels);
  scope.problems.push({
    field: "sort",
    given: quoteValue(member),
    takes: "a column of the result",
    names: labels,
    also: "; - before it for descending",
    ...(near === undefined ? {} : { mends: [{ at: ["sort"], from: member, to: near }] }),
  });
}

/** The label of the row that combines all after the first ones. */
export const restLabel = (count: number, what: string): string => `rest (${count} ${what}${count === 1 ? "" : "s"})`;
