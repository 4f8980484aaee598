/** Rows put into groups by members and parts of time, counted, and joined with the groups of an earlier period. */
import type { Row } from "../rows.js";
import type { Counted } from "./aggregate.js";
import { type CellKey, cellKey, compareKeys } from "./cells.js";
import type { Clock } from "./clock.js";
import { type Column, isEmptyCell, momentsOf, type Scope } from "./members.js";
import { count, createTally, merge, type Tally } from "./tally.js";

/** What was counted of some rows. */
export interface Counts {
  rows: number;
  readonly tallies: readonly Tally[];
}

/** One of the columns that a group is made by, in one group. */
interface Part {
  /** The number of a part of time. */
  readonly number?: number;
  readonly label: unknown;
  readonly order: CellKey;
}

/** The rows that have the same parts. */
export interface Group {
  readonly parts: readonly Part[];
  readonly counts: Counts;
  /** The same of the period before. */
  readonly before: Counts;
}

export const createCounts = (members: readonly Counted[]): Counts => ({
  rows: 0,
  tallies: members.map(({ kept }) => createTally(kept)),
});

export function addCounts(into: Counts, other: Counts): void {
  into.rows += other.rows;
  for (const [at, tally] of into.tallies.entries()) {
    const more = other.tallies[at];
    if (more) merge(tally, more);
  }
}

const timePart = (number: number, column: Column, clock: Clock): Part => ({
  number,
  label: column.slot?.labelOf(number, clock) ?? null,
  order: { kind: 0, value: number },
});
const cellPart = (cell: unknown, clock: Clock): Part => ({
  label: isEmptyCell(cell) ? null : cell,
  order: cellKey(cell, clock),
});

/** Two groups are one whose parts are written alike, so 200 and "200" are; no text is the same as what is missing. */
const partKey = ({ number, label }: Part): string =>
  number !== undefined
    ? `t${number}`
    : label === null
      ? "n"
      : typeof label === "object"
        ? JSON.stringify(label)
        : `c${label}`;

/** Where the periods that are compared begin. */
export interface Starts {
  readonly currentMs: number;
  readonly previousMs: number;
}

/** How far the numbers of a part of time are from those of the period before. */
function shiftOf({ slot }: Column, clock: Clock, { currentMs, previousMs }: Starts): number {
  const numberAt = (ms: number): number => {
    const moment = clock.momentOf(new Date(ms).toISOString());
    return slot && moment ? slot.numberOf(moment) : 0;
  };
  return slot?.isOnTimeLine ? numberAt(currentMs) - numberAt(previousMs) : 0;
}

/** The earliest moment of a member; the start of a period that is not known otherwise. */
export function earliest(scope: Scope, rows: readonly Row[], path: string): number {
  const momentOf = momentsOf(scope, path);
  return rows.reduce((least, row) => Math.min(least, momentOf(row)?.ms ?? least), Number.POSITIVE_INFINITY);
}

interface Periods {
  readonly rows: readonly Row[];
  readonly previous: readonly Row[] | undefined;
  readonly starts: Starts | undefined;
}

/** The groups of the rows, and beside each what was counted of the period before; in the order of their parts. */
export function groupsOf(
  scope: Scope,
  columns: readonly Column[],
  members: readonly Counted[],
  { rows, previous, starts }: Periods,
): { readonly groups: Group[]; readonly unplaced: number } {
  const { clock } = scope;
  const groups = new Map<string, Group>();
  const moments = columns.map(({ path }) => momentsOf(scope, path));
  const partOf = (row: Row, column: Column, at: number, shift: number): Part => {
    if (!column.slot) return cellPart(column.read(row), clock);
    const moment = moments[at]?.(row);
    return moment ? timePart(column.slot.numberOf(moment) + shift, column, clock) : cellPart(null, clock);
  };
  const add = (into: Counts, row: Row): void => {
    into.rows += 1;
    for (const [at, { column }] of members.entries()) {
      const tally = into.tallies[at];
      if (tally) count(tally, column.read(row), row);
    }
  };
  const groupOf = (parts: readonly Part[], key: string): Group => {
    const group = { parts, counts: createCounts(members), before: createCounts(members) };
    groups.set(key, group);
    return group;
  };
  const keyOf = (parts: readonly Part[]) => JSON.stringify(parts.map(partKey));
  if (columns.length === 0) groupOf([], keyOf([]));
  for (const row of rows) {
    const parts = columns.map((column, at) => partOf(row, column, at, 0));
    const key = keyOf(parts);
    add((groups.get(key) ?? groupOf(parts, key)).counts, row);
  }
  let unplaced = 0;
  if (previous !== undefined) {
    // An earlier period may be longer; what of it lies beside this one is not compared with anything.
    const bounds = columns.map(({ slot }, at) => {
      const numbers = slot?.isOnTimeLine ? [...groups.values()].flatMap(({ parts }) => parts[at]?.number ?? []) : [];
      return numbers.reduce<readonly [number, number]>(
        ([least, most], number) => [Math.min(least, number), Math.max(most, number)],
        [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      );
    });
    const shifts = columns.map((column) => {
      const known = starts ?? {
        currentMs: earliest(scope, rows, column.path),
        previousMs: earliest(scope, previous, column.path),
      };
      return Number.isFinite(known.currentMs) && Number.isFinite(known.previousMs) ? shiftOf(column, clock, known) : 0;
    });
    for (const row of previous) {
      const parts = columns.map((column, at) => partOf(row, column, at, shifts[at] ?? 0));
      const isBeside = parts.some(({ number }, at) => {
        const [least, most] = bounds[at] ?? [0, 0];
        return columns[at]?.slot?.isOnTimeLine && number !== undefined && (number < least || number > most);
      });
      const key = keyOf(parts);
      if (isBeside) unplaced += 1;
      else add((groups.get(key) ?? groupOf(parts, key)).before, row);
    }
  }
  const ordered = [...groups.values()].sort((a, b) => {
    for (const [at, part] of a.parts.entries()) {
      const order = compareKeys(part.order, b.parts[at]?.order ?? { kind: 3 });
      if (order !== 0) return order;
    }
    // "1" and "1.0" are two groups of one value.
    return keyOf(a.parts) < keyOf(b.parts) ? -1 : 1;
  });
  return { groups: ordered, unplaced };
}
