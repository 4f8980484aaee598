/** What is counted of one member over the rows of a group, so that groups can also be added up to one. */
import { isEmpty } from "../../language/member.js";
import type { Row } from "../index.js";
import { compareExact, type Exact, exactOf, plus } from "./decimal.js";

/** The first row that has the lowest or the highest value, and how many rows have it. */
export interface Extreme {
  readonly value: Exact;
  readonly row: Row;
  rows: number;
}

/** What is kept beside sums and extremes, because some aggregates need it and it takes room. */
export interface Kept {
  values: boolean;
  distinct: boolean;
}

export interface Tally {
  /** The rows that have a value of any kind. */
  filled: number;
  /** The rows whose value is a number. */
  numbers: number;
  sum: Exact;
  min: Extreme | undefined;
  max: Extreme | undefined;
  readonly values: Exact[] | undefined;
  readonly distinct: Set<string> | undefined;
}

export const createTally = ({ values, distinct }: Kept): Tally => ({
  filled: 0,
  numbers: 0,
  sum: 0,
  min: undefined,
  max: undefined,
  values: values ? [] : undefined,
  distinct: distinct ? new Set() : undefined,
});

/** The more extreme of two, `sign` being 1 for the highest; of equals the first, which then counts the rows of both. */
function further(present: Extreme | undefined, value: Exact, row: Row, sign: 1 | -1, rows = 1): Extreme {
  const order = present ? sign * compareExact(value, present.value) : 1;
  if (!present || order > 0) return { value, row, rows };
  if (order === 0) present.rows += rows;
  return present;
}

export function count(tally: Tally, cell: unknown, row: Row): void {
  if (isEmpty(cell)) return;
  tally.filled += 1;
  tally.distinct?.add(typeof cell === "object" ? JSON.stringify(cell) : String(cell));
  const value = exactOf(cell);
  if (value === undefined) return;
  tally.numbers += 1;
  tally.sum = plus(tally.sum, value);
  tally.values?.push(value);
  tally.min = further(tally.min, value, row, -1);
  tally.max = further(tally.max, value, row, 1);
}

/** Adds what was counted of other rows. */
export function merge(into: Tally, other: Tally): void {
  into.filled += other.filled;
  into.numbers += other.numbers;
  into.sum = plus(into.sum, other.sum);
  const { min, max } = other;
  if (min) into.min = further(into.min, min.value, min.row, -1, min.rows);
  if (max) into.max = further(into.max, max.value, max.row, 1, max.rows);
  for (const value of other.values ?? []) into.values?.push(value);
  for (const value of other.distinct ?? []) into.distinct?.add(value);
}
