/** The members of rows that a view names: how they are read, which there are, and what is wrong with a name. */
import { type FieldProblem, shown } from "../../api/failure.js";
import { isRecord } from "../../api/member.js";
import { didYouMean, meantBy } from "../../api/nearest.js";
import type { Row } from "../rows.js";
import { type Clock, type Moment, type Slot, slots, slotText } from "./clock.js";
import { exactOf } from "./decimal.js";

/** What the parts of a view are read against, and where they report what is wrong. */
export interface Scope {
  readonly rows: readonly Row[];
  readonly clock: Clock;
  readonly nowMs: number;
  readonly problems: FieldProblem[];
  readonly notes: string[];
  /** The paths of the rows' members, as far as the first rows have them. */
  readonly known: readonly string[];
  /** The member that says when a row is, where there is one. */
  readonly time: string | undefined;
  /** The members that say what a row is about. */
  readonly keys: readonly string[];
}

/** A member of a row, or the part of time that one falls into. */
export interface Column {
  readonly label: string;
  readonly path: string;
  readonly read: (row: Row) => unknown;
  readonly slot?: Slot;
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
const maxListed = 40;

/** Whether a cell says nothing. */
export const isEmptyCell = (cell: unknown): boolean =>
  cell === undefined ||
  cell === null ||
  cell === "" ||
  (typeof cell === "object" && (Array.isArray(cell) ? cell.length === 0 : Object.keys(cell).length === 0));

const isIdName = (path: string): boolean => /(?:^|[^a-zA-Z])id$|[a-z]Id$|(?:code|key|class|name|zone)$/i.test(path);
const isTimeName = (path: string): boolean => /time|date|start|stamp|epoch/i.test(path);

/** The cells of a member in the first rows that have it. */
function sampleOf(rows: readonly Row[], path: string): unknown[] {
  const read = readerOf(path);
  return rows.slice(0, sampleSize).flatMap((row) => {
    const cell = read(row);
    return isEmptyCell(cell) ? [] : [cell];
  });
}

const maxKeys = 3;
const maxKeyLength = 100;

/** Makes the scope of a view from the rows that it is about. */
export function createScope(rows: readonly Row[], clock: Clock, nowMs: number): Scope {
  const known = new Set<string>();
  for (const row of rows.slice(0, sampleSize)) collect(row, known);
  const samples = [...known]
    .slice(0, maxSampled)
    .map((path) => [path, sampleOf(rows, path)] as const)
    .filter(([, cells]) => cells.length > 0);
  const are = (cells: readonly unknown[], is: (cell: unknown) => boolean) => cells.every(is);
  const isMoment = (cell: unknown) => clock.momentOf(cell) !== undefined;
  const isEpoch = (cell: unknown) => clock.momentOf(cell, { epoch: true }) !== undefined;
  const [time] =
    samples.find(([, cells]) => are(cells, isMoment)) ??
    samples.find(([path, cells]) => isTimeName(path) && are(cells, isEpoch)) ??
    [];
  const isKey = (path: string) => (cell: unknown) =>
    (typeof cell === "string" || typeof cell === "number") &&
    String(cell).length <= maxKeyLength &&
    !isMoment(cell) &&
    (exactOf(cell) === undefined || isIdName(path));
  const keys = samples.filter(([path, cells]) => path !== time && are(cells, isKey(path))).map(([path]) => path);
  return {
    rows,
    clock,
    nowMs,
    problems: [],
    notes: [],
    known: [...known],
    time,
    keys: keys.slice(0, maxKeys),
  };
}

/** A list of names for an error, never longer than a reader needs. */
export function listed(names: readonly string[]): string {
  const rest = names.length - maxListed;
  const first = names.slice(0, maxListed).map((name) => (name.length > 60 ? `${name.slice(0, 59)}…` : name));
  return first.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** A text without quotes around the whole of it. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  const mark = trimmed[0] ?? "";
  const isQuoted = trimmed.length > 1 && "\"'`".includes(mark) && trimmed.endsWith(mark);
  return isQuoted ? trimmed.slice(1, -1) : trimmed;
}

/** The member that a name means: as it is written, in other case, or the last step of the one path that ends so. */
function pathOf(scope: Scope, name: string): string | undefined {
  if (scope.rows.length === 0 || scope.known.includes(name)) return name;
  const read = readerOf(name);
  if (scope.rows.some((row) => read(row) !== undefined)) return name;
  const lower = name.toLowerCase();
  const alike = scope.known.filter((path) => path.toLowerCase() === lower);
  const ending = scope.known.filter((path) => path.toLowerCase().endsWith(`.${lower}`));
  return alike.length === 1 ? alike[0] : ending.length === 1 ? ending[0] : undefined;
}

/** A text that has the form `name(inside)`. */
export function callIn(text: string): { readonly name: string; readonly inside: string } | undefined {
  const open = text.indexOf("(");
  if (open < 1 || !text.endsWith(")")) return undefined;
  return { name: text.slice(0, open).trim().toLowerCase(), inside: text.slice(open + 1, -1).trim() };
}

/** The moments of a member, and its part of time by number. */
export function momentsOf(scope: Scope, path: string): (row: Row) => Moment | undefined {
  const read = readerOf(path);
  return (row) => scope.clock.momentOf(read(row), { epoch: true });
}

function slotColumn(scope: Scope, name: string, slot: Slot, path: string, field: string): Column | undefined {
  const momentOf = momentsOf(scope, path);
  const label = `${name}(${path})`;
  if (scope.rows.length > 0 && !scope.rows.some((row) => momentOf(row) !== undefined)) {
    const times = scope.known.filter((one) => sampleOf(scope.rows, one).some((cell) => scope.clock.momentOf(cell)));
    const takes = times.length === 0 ? "; no member of these rows has one" : `: ${listed(times)}`;
    scope.problems.push({ field, given: shown(label), takes: `a member that has a date or a time${takes}` });
    return undefined;
  }
  const read = (row: Row): unknown => {
    const moment = momentOf(row);
    return moment && slot.labelOf(slot.numberOf(moment), scope.clock);
  };
  return { label, path, read, slot };
}

/**
 * The column that a text names: a member, or a part of time such as `weekday(start)`. What names none is reported with
 * the nearest name and with all that there are.
 */
export function columnOf(scope: Scope, text: string, field: string): Column | undefined {
  const name = unquoted(text);
  const path = pathOf(scope, name);
  if (path !== undefined && (scope.rows.length > 0 || !callIn(name)))
    return { label: path, path, read: readerOf(path) };
  const call = callIn(name);
  const slot = slots.get(call?.name ?? name.toLowerCase());
  if (slot && (call || scope.time !== undefined)) {
    const inner = call ? pathOf(scope, unquoted(call.inside)) : scope.time;
    if (inner !== undefined) return slotColumn(scope, call?.name ?? name.toLowerCase(), slot, inner, field);
  }
  const meant = slot && call ? unquoted(call.inside) : name;
  const functions = call && !slot ? `; of a time also ${slotText}` : "";
  const near = meantBy(meant.slice(0, 100), scope.known);
  scope.problems.push({
    field,
    given: shown(text),
    takes: `a member of the rows: ${listed(scope.known)}${functions}${didYouMean(meant.slice(0, 100), scope.known)}`,
    ...(near === undefined ? {} : { mends: [{ at: [field], from: meant, to: near }] }),
  });
  return undefined;
}
