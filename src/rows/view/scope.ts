/** What a view is read against: the rows, their members and times, and the clocks by which times are told. */
import type { FieldProblem } from "../../language/failure.js";
import { isEmpty, isRecord } from "../../language/member.js";
import { isTimeName } from "../cell-type.js";
import type { Row } from "../index.js";
import type { Clock, Moment } from "./clock.js";
import { exactOf } from "./decimal.js";

/** From its first instant to the one after its last. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/** What the parts of a view are read against, and where they report what is wrong. */
export interface Scope {
  readonly rows: readonly Row[];
  readonly clock: Clock;
  readonly nowMs: number;
  readonly problems: FieldProblem[];
  /** What names no member and is left out, unless there are problems: then it is one of them. */
  readonly leftOut: FieldProblem[];
  readonly notes: string[];
  /** The paths of the rows' members, as far as the first rows have them. */
  readonly known: readonly string[];
  /** The members whose values are times. */
  readonly times: readonly string[];
  /** The member that says when a row is, where there is one: as it is declared, or the first. */
  readonly time: string | undefined;
  /** Whether that member is declared, so that it is meant by `time` even where others are times, too. */
  readonly isTimeDeclared: boolean;
  /** The period that the rows were asked for, where the call had one. */
  readonly period: Period | undefined;
  /** The members that say what a row is about. */
  readonly keys: readonly string[];
}

/** The cell at a path; inherited members are none. A name that has a dot itself comes before a path. */
export function readerOf(path: string): (row: Row) => unknown {
  const steps = path.split(".");
  return (row) => {
    if (Object.hasOwn(row, path)) return row[path];
    let value: unknown = row;
    for (const step of steps) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
      value = (value as Row)[step];
    }
    return value;
  };
}

const maxDepth = 4;

function collect(row: Row, into: Set<string>, within = "", depth = 1): void {
  for (const [name, value] of Object.entries(row)) {
    const path = within + name;
    if (isRecord(value) && depth < maxDepth && Object.keys(value).length > 0)
      collect(value, into, `${path}.`, depth + 1);
    else into.add(path);
  }
}

const sampleSize = 200;
// Records whose members are named by data can have any number of them.
const maxSampled = 300;

const isIdName = (path: string): boolean => /(?:^|[^a-zA-Z])id$|[a-z]Id$|(?:code|key|class|name|zone)$/i.test(path);

/** The cells of a member in the first rows that have it. */
export function sampleOf(rows: readonly Row[], path: string): unknown[] {
  const read = readerOf(path);
  return rows.slice(0, sampleSize).flatMap((row) => {
    const cell = read(row);
    return isEmpty(cell) ? [] : [cell];
  });
}

const maxKeys = 3;
const maxKeyLength = 100;

/** What is known of the rows of a view without looking at them. */
interface Asked {
  /** The member that is declared as the time of each row. */
  readonly time?: string | undefined;
  readonly period?: Period | undefined;
}

/** Makes the scope of a view from the rows that it is about. */
export function createScope(rows: readonly Row[], clock: Clock, nowMs: number, { time, period }: Asked = {}): Scope {
  const known = new Set<string>();
  for (const row of rows.slice(0, sampleSize)) collect(row, known);
  const samples = [...known]
    .slice(0, maxSampled)
    .map((path) => [path, sampleOf(rows, path)] as const)
    .filter(([, cells]) => cells.length > 0);
  const isMoment = (cell: unknown) => clock.momentOf(cell) !== undefined;
  const isEpoch = (cell: unknown) => clock.momentOf(cell, { epoch: true }) !== undefined;
  const written = samples.filter(([, cells]) => cells.every(isMoment));
  const times = (
    written.length > 0 ? written : samples.filter(([path, cells]) => isTimeName(path) && cells.every(isEpoch))
  ).map(([path]) => path);
  const isTimeDeclared = time !== undefined && times.includes(time);
  const first = isTimeDeclared ? time : times[0];
  const isKey = (path: string) => (cell: unknown) =>
    (typeof cell === "string" || typeof cell === "number") &&
    String(cell).length <= maxKeyLength &&
    !isMoment(cell) &&
    (exactOf(cell) === undefined || isIdName(path));
  const keys = samples.filter(([path, cells]) => path !== first && cells.every(isKey(path))).map(([path]) => path);
  return {
    rows,
    clock,
    nowMs,
    problems: [],
    leftOut: [],
    notes: [],
    known: [...known],
    times,
    time: first,
    isTimeDeclared,
    period,
    keys: keys.slice(0, maxKeys),
  };
}

const maxListed = 40;

/** A list of names for an error, never longer than a reader needs. */
export function listed(names: readonly string[]): string {
  const rest = names.length - maxListed;
  const first = names.slice(0, maxListed).map((name) => (name.length > 60 ? `${name.slice(0, 59)}…` : name));
  return first.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** The moments of a member. */
export function momentsOf(scope: Scope, path: string): (row: Row) => Moment | undefined {
  const read = readerOf(path);
  return (row) => scope.clock.momentOf(read(row), { epoch: true });
}
