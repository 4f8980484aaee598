/** Grouping of rows by fields and parts of time, the counts of each group, and those of the previous period. */
import { isEmpty } from "../../language/member.js";
import type { Row } from "../index.js";
import { compareExact, type Exact, exactOf, plus } from "./decimal.js";
import type { ViewColumn } from "./schema.js";
import { type Clock, momentsOf, type Scope } from "./scope.js";
import { earliest, type Slot } from "./slots.js";
import { type CellKey, cellKey, compareKeys } from "./sort.js";

/** The first row with the lowest or highest value, and the number of such rows. */
export interface Extreme {
  readonly value: Exact;
  readonly row: Row;
  rows: number;
}

/** Optional counts, which only some aggregates need because they take memory. */
interface TallyOptions {
  values: boolean;
  distinct: boolean;
}

/** A counted field, and its optional counts. */
export interface CountedField {
  readonly column: ViewColumn;
  readonly options: TallyOptions;
}

export interface FieldTally {
  /** The rows with any value. */
  filled: number;
  /** The rows with a number. */
  numbers: number;
  sum: Exact;
  min: Extreme | undefined;
  max: Extreme | undefined;
  readonly values: Exact[] | undefined;
  readonly distinct: Set<string> | undefined;
}

const createTally = ({ values, distinct }: TallyOptions): FieldTally => ({
  filled: 0,
  numbers: 0,
  sum: 0,
  min: undefined,
  max: undefined,
  values: values ? [] : undefined,
  distinct: distinct ? new Set() : undefined,
});

/** The more extreme of two, `sign` being 1 for the highest; of equal ones the first, with the rows of both. */
function extremeOfBoth(present: Extreme | undefined, value: Exact, row: Row, sign: 1 | -1, rows = 1): Extreme {
  const order = present ? sign * compareExact(value, present.value) : 1;
  if (!present || order > 0) return { value, row, rows };
  if (order === 0) present.rows += rows;
  return present;
}

function addCell(tally: FieldTally, cell: unknown, row: Row): void {
  if (isEmpty(cell)) return;
  tally.filled += 1;
  tally.distinct?.add(typeof cell === "object" ? JSON.stringify(cell) : String(cell));
  const value = exactOf(cell);
  if (value === undefined) return;
  tally.numbers += 1;
  tally.sum = plus(tally.sum, value);
  tally.values?.push(value);
  tally.min = extremeOfBoth(tally.min, value, row, -1);
  tally.max = extremeOfBoth(tally.max, value, row, 1);
}

/** Adds the counts of other rows. */
function addTally(into: FieldTally, other: FieldTally): void {
  into.filled += other.filled;
  into.numbers += other.numbers;
  into.sum = plus(into.sum, other.sum);
  const { min, max } = other;
  if (min) into.min = extremeOfBoth(into.min, min.value, min.row, -1, min.rows);
  if (max) into.max = extremeOfBoth(into.max, max.value, max.row, 1, max.rows);
  for (const value of other.values ?? []) into.values?.push(value);
  for (const value of other.distinct ?? []) into.distinct?.add(value);
}

/** The counts of rows. */
export interface GroupCounts {
  rows: number;
  readonly tallies: readonly FieldTally[];
}

/** One of the grouping columns, for one group. */
interface GroupKeyPart {
  /** The number of a part of time. */
  readonly number?: number;
  readonly label: unknown;
  readonly order: CellKey;
}

/** The rows in the group. */
export interface RowGroup {
  readonly key: string;
  readonly parts: readonly GroupKeyPart[];
  readonly counts: GroupCounts;
  /** The same for the previous period. */
  readonly before: GroupCounts;
}

export const createCounts = (members: readonly CountedField[]): GroupCounts => ({
  rows: 0,
  tallies: members.map(({ options }) => createTally(options)),
});

export function addCounts(into: GroupCounts, other: GroupCounts): void {
  into.rows += other.rows;
  for (const [at, tally] of into.tallies.entries()) {
    const more = other.tallies[at];
    if (more) addTally(tally, more);
  }
}

/** The value of a row in a grouping column: the number of a part of time, or a cell. */
interface KeyCell {
  readonly number?: number;
  readonly cell?: unknown;
}

function partOf({ number, cell }: KeyCell, { slot }: ViewColumn, clock: Clock): GroupKeyPart {
  if (number !== undefined && slot)
    return { number, label: slot.labelOf(number, clock), order: { kind: 0, value: number } };
  return { label: isEmpty(cell) ? null : cell, order: cellKey(cell, clock) };
}

/** Values are equal if they are written alike, so 200 and "200" are; an empty text is not a missing value. */
function placeKey({ number, cell }: KeyCell): string {
  if (number !== undefined) return `t${number}`;
  if (isEmpty(cell)) return "n";
  return typeof cell === "object" ? JSON.stringify(cell) : `c${cell}`;
}

/** The key of several values; each with its length, so that no text can look like two. */
const keyOf = (places: readonly KeyCell[]): string =>
  places.reduce((key, place) => {
    const own = placeKey(place);
    return `${key}${own.length}:${own}`;
  }, "");

/** When the period of rows begins and ends, and when the previous one begins. */
export interface PeriodStarts {
  readonly currentMs: number;
  readonly endMs: number;
  readonly previousMs: number;
}

type Begins = Pick<PeriodStarts, "currentMs" | "previousMs">;

/**
 * The parts of time of the previous period, numbered like those of this one: spans count from its own start, and
 * calendar parts are at the same distance from its start.
 */
function slotBefore(slot: Slot, clock: Clock, { currentMs, previousMs }: Begins): Slot {
  const [current, previous] = [currentMs, previousMs].map((ms) => clock.momentOf(new Date(ms).toISOString()));
  if (!slot.boundsOf || !current || !previous) return slot;
  if (slot.countedFrom) return slot.countedFrom(previous);
  const shift = slot.numberOf(current) - slot.numberOf(previous);
  return { ...slot, numberOf: (moment) => slot.numberOf(moment) + shift };
}

/** The rows of a period, and of the previous one. */
export interface ComparedRows {
  readonly rows: readonly Row[];
  readonly previous: readonly Row[] | undefined;
  readonly starts: PeriodStarts | undefined;
}

/** The groups of the rows, each with the counts of the previous period, in order of their parts. */
export function groupRows(
  scope: Scope,
  columns: readonly ViewColumn[],
  members: readonly CountedField[],
  { rows, previous, starts }: ComparedRows,
): { readonly groups: RowGroup[]; readonly unplaced: number } {
  const { clock } = scope;
  const groups = new Map<string, RowGroup>();
  const moments = columns.map(({ path }) => momentsOf(scope, path));
  const placeOf = (row: Row, { slot, read }: ViewColumn, at: number): KeyCell => {
    if (!slot) return { cell: read(row) };
    const moment = moments[at]?.(row);
    return moment ? { number: slot.numberOf(moment) } : {};
  };
  const add = (into: GroupCounts, row: Row): void => {
    into.rows += 1;
    for (const [at, { column }] of members.entries()) {
      const tally = into.tallies[at];
      if (tally) addCell(tally, column.read(row), row);
    }
  };
  const groupOf = (places: readonly KeyCell[]): RowGroup => {
    const key = keyOf(places);
    const existing = groups.get(key);
    if (existing) return existing;
    const parts = columns.map((column, at) => partOf(places[at] ?? {}, column, clock));
    const group = { key, parts, counts: createCounts(members), before: createCounts(members) };
    groups.set(key, group);
    return group;
  };
  if (columns.length === 0) groupOf([]);
  for (const row of rows) add(groupOf(columns.map((column, at) => placeOf(row, column, at))).counts, row);
  let unplaced = 0;
  if (previous !== undefined) {
    // The previous period may be longer; its excess is not compared.
    const bounds = columns.map(({ slot }, at) => {
      const numbers = slot?.boundsOf ? [...groups.values()].flatMap(({ parts }) => parts[at]?.number ?? []) : [];
      return numbers.reduce<readonly [number, number]>(
        ([least, most], number) => [Math.min(least, number), Math.max(most, number)],
        [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      );
    });
    const before = columns.map((column): ViewColumn => {
      const existing = starts ?? {
        currentMs: earliest(scope, rows, column.path),
        previousMs: earliest(scope, previous, column.path),
      };
      const isKnown = Number.isFinite(existing.currentMs) && Number.isFinite(existing.previousMs);
      return column.slot && isKnown ? { ...column, slot: slotBefore(column.slot, clock, existing) } : column;
    });
    for (const row of previous) {
      const places = before.map((column, at) => placeOf(row, column, at));
      const isRelated = places.some(({ number }, at) => {
        const [least, most] = bounds[at] ?? [0, 0];
        return columns[at]?.slot?.boundsOf && number !== undefined && (number < least || number > most);
      });
      if (isRelated) unplaced += 1;
      else add(groupOf(places).before, row);
    }
  }
  const sorted = [...groups.values()].sort((a, b) => {
    for (const [at, part] of a.parts.entries()) {
      const order = compareKeys(part.order, b.parts[at]?.order ?? { kind: 3 });
      if (order !== 0) return order;
    }
    // "1" and "1.0" are two groups with the same value.
    return a.key < b.key ? -1 : 1;
  });
  return { groups: sorted, unplaced };
}
