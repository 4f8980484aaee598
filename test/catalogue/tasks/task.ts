/** A task as a person sets it: the question, the calls that an assistant makes, and the figures that answer it. */
import type { Args } from "../../lab/calls.js";

type Call = readonly [tool: string, args: Args];

/** What the upstream itself answers to a read, before anything is done with it. */
type Raw = (tool: string, args?: Args) => Promise<unknown>;

export interface Task {
  readonly question: string;
  /** The seed of the emulator's world. */
  readonly seed: number;
  /** In order. The text `CONFIRM` stands for the plan id that the call before returned. */
  readonly calls: readonly Call[];
  /** How it is done with today's APIs, where other tools do it or answer otherwise; null if they have no such job. */
  readonly today?: Pick<Task, "calls" | "figures"> | null;
  /** What the answers have to say, worked out here from what the upstream has and not from how it is shown. */
  readonly figures: (raw: Raw) => Promise<readonly (string | number)[]>;
}

type Row = Readonly<Record<string, unknown>>;

/** The rows at a path of a body. */
export const rowsAt = (body: unknown, path = ""): readonly Row[] =>
  path
    .split(".")
    .filter((step) => step !== "")
    .reduce<unknown>((value, step) => (value as Row)[step], body) as readonly Row[];

export const sumOf = (rows: readonly Row[], member: string): number =>
  rows.reduce((sum, row) => sum + Number(row[member]), 0);

/** The row with the largest value, the first of several. */
export const largestOf = (rows: readonly Row[], member: string): Row =>
  rows.reduce((most, row) => (Number(row[member]) > Number(most[member]) ? row : most));

/** The sums of a member by a key of each row. */
export function sumsBy(rows: readonly Row[], keyOf: (row: Row) => string, member?: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const key = keyOf(row);
    sums.set(key, (sums.get(key) ?? 0) + (member === undefined ? 1 : Number(row[member])));
  }
  return sums;
}

/** The largest of some sums, with its key. */
export const largestSum = (sums: ReadonlyMap<string, number>): readonly [string, number] =>
  [...sums].reduce((most, one) => (one[1] > most[1] ? one : most));

/** An instant as a table writes it. */
export const toMinute = (instant: unknown): string => {
  const at = typeof instant === "number" ? new Date(instant * 1000).toISOString() : String(instant);
  return `${at.slice(0, 10)} ${at.slice(11, 16)}`;
};

/** The same as an aggregate does. */
export const asAggregate = (instant: unknown): string => `${toMinute(instant).replace(" ", "T")}Z`;
