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
  readonly key: string;
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

/** What a row has under a column: the number of a part of time, or a cell. */
interface Place {
  readonly number?: number;
  readonly cell?: unknown;
}

function partOf({ number, cell }: Place, { slot }: Column, clock: Clock): Part {
  if (number !== undefined && slot)
    return { number, label: slot.labelOf(number, clock), order: { kind: 0, value: number } };
  return { label: isEmptyCell(cell) ? null : cell, order: cellKey(cell, clock) };
}

/** Places are the same if they are written alike, so 200 and "200" are; no text is the same as what is missing. */
function placeKey({ number, cell }: Place): string {
  if (number !== undefined) return `t${number}`;
  if (isEmptyCell(cell)) return "n";
  return typeof cell === "object" ? JSON.stringify(cell) : `c${cell}`;
}

/** The key of several places; each comes with its length, so that no text can look like two. */
const keyOf = (places: readonly Place[]): string =>
  places.reduce((key, place) => {
    const own = placeKey(place);
    return `${key}${own.length}:${own}`;
  }, "");

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
  const placeOf = (row: Row, column: Column, at: number, shift: number): Place => {
    if (!column.slot) return { cell: column.read(row) };
    const moment = moments[at]?.(row);
    return moment ? { number: column.slot.numberOf(moment) + shift } : {};
  };
  const add = (into: Counts, row: Row): void => {
    into.rows += 1;
    for (const [at, { column }] of members.entries()) {
      const tally = into.tallies[at];
      if (tally) count(tally, column.read(row), row);
    }
  };
  const groupOf = (places: readonly Place[]): Group => {
    const key = keyOf(places);
    const known = groups.get(key);
    if (known) return known;
    const parts = columns.map((column, at) => partOf(places[at] ?? {}, column, clock));
    const group = { key, parts, counts: createCounts(members), before: createCounts(members) };
    groups.set(key, group);
    return group;
  };
  if (columns.length === 0) groupOf([]);
  for (const row of rows) add(groupOf(columns.map((column, at) => placeOf(row, column, at, 0))).counts, row);
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
      const places = columns.map((column, at) => placeOf(row, column, at, shifts[at] ?? 0));
      const isBeside = places.some(({ number }, at) => {
        const [least, most] = bounds[at] ?? [0, 0];
        return columns[at]?.slot?.isOnTimeLine && number !== undefined && (number < least || number > most);
      });
      if (isBeside) unplaced += 1;
      else add(groupOf(places).before, row);
    }
  }
  const ordered = [...groups.values()].sort((a, b) => {
    for (const [at, part] of a.parts.entries()) {
      const order = compareKeys(part.order, b.parts[at]?.order ?? { kind: 3 });
      if (order !== 0) return order;
    }
    // "1" and "1.0" are two groups of one value.
    return a.key < b.key ? -1 : 1;
  });
  return { groups: ordered, unplaced };
}
