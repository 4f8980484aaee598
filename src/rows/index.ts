/**
 * The rows in the body of a response, and their times. This file hides the forms in which the APIs send rows: lists at
 * any depth, cells under columns, lines of text, epoch times. Views, summaries and SQL only see records with named cells,
 * and declared times in ISO form. The body is not changed.
 */
import type { AnswerDisplay } from "../language/conduct.js";
import { type FieldProblem, quoteValue } from "../language/failure.js";
import { unitMsOf } from "../language/marks.js";
import { mediaList, type Returns } from "../language/media.js";
import { isRecord, memberAt, withMember } from "../language/member.js";
import { didYouMean, guessName } from "../text/nearest.js";
import { instantsIn, isoText, placeInList, valuesAt } from "../time/instant.js";
import { zonedText } from "../time/zone.js";
import { epochMs } from "./cell-type.js";
import type { NamesOf } from "./size.js";

/** The columns' titles, made unique. */
function titlesOf(columns: readonly unknown[]): string[] {
  const counts = new Map<string, number>();
  return columns.map((column, at) => {
    const title = typeof column === "string" && column !== "" ? column : `column ${at + 1}`;
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    return count === 1 ? title : `${title} (${count})`;
  });
}

const isoOf = (cell: unknown): unknown => {
  const ms = typeof cell === "string" ? epochMs(cell) : undefined;
  return ms === undefined ? cell : isoText(ms);
};

/**
 * Rows of cells, named by their columns, with the column of times as ISO times. A cell beyond the columns is named by
 * its index.
 */
function withNames(
  rows: readonly (readonly unknown[])[],
  columns: readonly unknown[],
  time: string | undefined,
): Row[] {
  const titles = titlesOf(columns);
  const cellsOf = (row: readonly unknown[]) =>
    row.map((cell, at) => {
      const title = titles[at] ?? `column ${at + 1}`;
      return [title, title === time ? isoOf(cell) : cell] as const;
    });
  return rows.map((row) => Object.fromEntries(cellsOf(row)));
}

const cellsOf = (line: unknown): readonly unknown[] => (Array.isArray(line) ? line : String(line).split("\t"));

/** The columns and the rows of cells that an operation declares; undefined if a body has no such rows. */
function declaredCells(body: unknown, { columns: from }: AnswerDisplay) {
  if (from === undefined) return undefined;
  const [columns, rows] = [memberAt(body, from.columns), memberAt(body, from.rows)];
  const isText = typeof columns === "string";
  if (!Array.isArray(rows) || !(isText || Array.isArray(columns))) return undefined;
  if (rows.some((row) => Array.isArray(row) === isText)) return undefined;
  return { from, columns: cellsOf(columns), rows: rows.map(cellsOf), isText };
}

/** A body with the cells of its rows named; undefined if it has no such rows. */
export function namedRows(body: unknown, shows: AnswerDisplay): unknown {
  const found = declaredCells(body, shows);
  if (found === undefined) return undefined;
  const { from, columns, rows, isText } = found;
  const titles = columns.map((column) => (isRecord(column) ? column["name"] : column));
  const named = withMember(body, from.rows.split("."), withNames(rows, titles, from.time));
  // A line of names would only repeat what the rows now have.
  return isText ? withMember(named, from.columns.split("."), "") : named;
}

/** A record with named cells. */
export type Row = Readonly<Record<string, unknown>>;

/** How to find rows: as their operation declares, with epoch fields as ISO times. */
export interface RowsDeclaration extends AnswerDisplay {
  readonly instants?: readonly {
    readonly list: string;
    readonly member: readonly string[];
    readonly unitMs: number;
  }[];
}

interface ListPlace {
  /** Its path; empty for a body that is a list itself. */
  readonly path: string;
  readonly length: number;
}

/** The rows of a body, and the other lists that it has. */
export interface RowList {
  readonly path: string;
  readonly rows: readonly Row[];
  readonly others: readonly ListPlace[];
}

/** A list that may contain rows, and the columns next to it. */
interface Candidate extends ListPlace {
  readonly list: readonly unknown[];
  readonly form: "records" | "cells" | "values";
  readonly columns?: readonly unknown[];
}

/** The names of columns, from the body itself or its metadata. */
const columnNames = ["columns", "headers", "columnNames"];
const metadataNames = ["metadata", "metaData", "meta"];
/** Lists that describe others, which are rows only if there are no others. */
const describing = new Set([...columnNames, "links", "_links", "messages", "warnings", "errors"]);

const isDescribing = (path: string): boolean => {
  const steps = path.split(".");
  return describing.has(steps.at(-1) ?? "") || steps.some((step) => metadataNames.includes(step));
};

const isEmptyValue = (value: unknown): boolean => value === null || value === undefined;

/** The kind of a list's items; a mixed list is one of values. */
function formOf(list: readonly unknown[]): Candidate["form"] {
  if (list.length > 0 && list.every(isRecord)) return "records";
  return list.length > 0 && list.every(Array.isArray) ? "cells" : "values";
}

/** The list with as many columns as a row has cells: next to the rows, or in the metadata next to them. */
function columnsBeside(holder: Row, width: number): readonly unknown[] | undefined {
  const places = [holder, ...metadataNames.map((name) => holder[name])];
  for (const place of places)
    for (const name of columnNames) {
      const columns = isRecord(place) && Object.hasOwn(place, name) ? place[name] : undefined;
      if (Array.isArray(columns) && columns.length === width) return columns;
    }
  return undefined;
}

const maxDepth = 8;
// An object with more members is a map of many objects, none of which is the list.
const maxMembers = 5_000;

/** A value inside a body, and its parent record. */
interface NestedValue {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
  readonly holder: Row;
}

/** The lists and records in a record, in order. */
function placesInside({ path, depth }: NestedValue, record: Row, namesOf: NamesOf): NestedValue[] {
  const names = namesOf(record);
  const nested =
    names.length > maxMembers ? [] : names.filter((name) => typeof record[name] === "object" && record[name]);
  return nested.map((name) => ({
    value: record[name],
    path: path === "" ? name : `${path}.${name}`,
    depth: depth + 1,
    holder: record,
  }));
}

/** The lists of a body that are not nested in other lists, whose items are only classified. */
function candidatesIn(body: unknown, namesOf: NamesOf): Candidate[] {
  const candidates: Candidate[] = [];
  const pending: NestedValue[] = [{ value: body, path: "", depth: 0, holder: {} }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path, depth, holder } = next;
    if (Array.isArray(value)) {
      const form = formOf(value);
      const columns = form === "cells" ? columnsBeside(holder, (value[0] as readonly unknown[]).length) : undefined;
      candidates.push({ path, length: value.length, list: value, form, ...(columns ? { columns } : {}) });
    } else if (isRecord(value) && depth < maxDepth) pending.push(...placesInside(next, value, namesOf).reverse());
  }
  return candidates;
}

/** The rank of a list as the rows of a body; higher ranks come first, and of equal ranks the longer list. */
const rankOf = ({ form, columns, path }: Candidate): number =>
  isDescribing(path) ? 0 : form === "records" || columns ? 2 : form === "values" ? 1 : 0;

/** The name of a column: for one that only indicates a grouping, its label. */
function titleOf(column: unknown): unknown {
  if (!isRecord(column)) return column;
  const { name, label, title, id } = column;
  return name === "groupBy" ? (label ?? name) : [name, label, title, id].find((one) => !isEmptyValue(one));
}

/** Rows with their instants as ISO times; unchanged if they have none. */
function withTimes(rows: readonly Row[], path: string, { instants = [] }: RowsDeclaration): readonly Row[] {
  const members = instants.filter(({ list }) => list === path);
  if (members.length === 0) return rows;
  return rows.map((row) =>
    members.reduce<Row>((record, { member, unitMs }) => {
      const count = memberAt(record, member);
      // Zero means that there is no time.
      const text = typeof count === "number" && count !== 0 ? isoText(count * unitMs) : undefined;
      return text === undefined ? record : (withMember(record, member, text) as Row);
    }, row),
  );
}

function recordsOf({ form, list, columns, path }: Candidate, shows: RowsDeclaration): readonly Row[] {
  if (form === "records") return withTimes(list as readonly Row[], path, shows);
  if (form === "cells") {
    const titles = (columns ?? []).map(titleOf);
    return withNames(list as readonly (readonly unknown[])[], titles, shows.columns?.time);
  }
  return list.map((value) => (isRecord(value) ? value : { value }));
}

/** The rows of cells that an operation declares. */
function declaredCandidate(body: unknown, shows: AnswerDisplay): Candidate | undefined {
  const found = declaredCells(body, shows);
  if (found === undefined) return undefined;
  const { from, rows: list, columns } = found;
  return { path: from.rows, length: list.length, list, form: "cells", columns };
}

/** The lists of a body, most likely rows first. */
function rankLists(body: unknown, shows: AnswerDisplay, namesOf: NamesOf = Object.keys): readonly Candidate[] {
  const declared = declaredCandidate(body, shows);
  const found = candidatesIn(body, namesOf).filter(({ path }) => path !== declared?.path);
  const order = (a: Candidate, b: Candidate) => rankOf(b) - rankOf(a) || b.length - a.length;
  const sorted = found.sort(order);
  return declared ? [declared, ...sorted] : sorted;
}

/**
 * The rows of a body: the list at a path that a caller names, or else the longest list of records or of cells under
 * columns. A list of plain values becomes rows with the single field `value`.
 * @param shows How the operation's responses are shown.
 * @returns undefined if there is no list, or none at the path.
 */
export function rowsIn(body: unknown, shows: RowsDeclaration = {}, path?: string): RowList | undefined {
  const lists = rankLists(body, shows);
  const chosen = path === undefined ? lists[0] : lists.find((one) => one.path === path);
  if (!chosen) return undefined;
  const rows = recordsOf(chosen, shows);
  const others = lists.flatMap((one) => (one === chosen ? [] : [{ path: one.path, length: one.length }]));
  return { path: chosen.path, rows, others };
}

/** The paths of the lists of records in a body, in order. */
export const recordLists = (body: unknown): readonly string[] =>
  candidatesIn(body, Object.keys).flatMap(({ form, path }) => (form === "records" ? [path] : []));

// Naming more cells takes longer than parsing them did.
const maxNamed = 100_000;
const cellCount = (list: readonly unknown[]): number =>
  list.reduce<number>((count, row) => count + (row as readonly unknown[]).length, 0);

/** The rows of a body if they are cheap to get: records as they are, cells only if there are not many. */
export function cheapRows(body: unknown, shows: AnswerDisplay = {}, namesOf?: NamesOf): readonly Row[] {
  const [first] = rankLists(body, shows, namesOf);
  if (!first || first.form === "values" || (first.form === "cells" && cellCount(first.list) > maxNamed)) return [];
  return recordsOf(first, shows);
}

const maxListed = 20;

/** The problem of a path without a list, or of asking for rows if there are none. */
export function noRowsAt(body: unknown, shows: AnswerDisplay = {}, path?: string): FieldProblem {
  const paths = rankLists(body, shows).map((one) => one.path);
  const given = path === undefined ? {} : { given: quoteValue(path) };
  if (paths.length === 0) return { field: "rows", ...given, takes: "a result that has a list; this one has none" };
  const names = paths.slice(0, maxListed).map((one) => (one === "" ? "(the result itself: leave rows out)" : one));
  const hint = didYouMean((path ?? "").slice(0, 100), paths);
  const meant = guessName((path ?? "").slice(0, 100), paths);
  const mends = meant === undefined ? {} : { mends: [{ at: ["rows"], value: meant }] };
  return { field: "rows", ...given, takes: `the path of a list: ${names.join(", ")}${hint}`, ...mends };
}

/** The declared bodies of an operation's responses, by status. */
export interface ResponseDeclaration {
  readonly returns?: Returns;
}

/** The paths of epoch times in the body of a response, each with its unit in milliseconds. */
function instantsOf({ returns = {} }: ResponseDeclaration, status: number) {
  const [media] = mediaList(returns[status]);
  const places = media ? instantsIn(media.schema) : [];
  return places.flatMap((place) => {
    const unitMs = unitMsOf(place.as);
    return unitMs === undefined ? [] : [{ ...place, unitMs }];
  });
}

/** How to find the rows of a response, from its operation's declaration. */
export function rowsDeclarationOf(
  declared: ResponseDeclaration & { readonly shows?: AnswerDisplay },
  status: number,
): RowsDeclaration {
  const instants = instantsOf(declared, status).flatMap((place) => {
    const found = placeInList(place);
    return found ? [{ ...found, unitMs: place.unitMs }] : [];
  });
  return { ...declared.shows, ...(instants.length > 0 ? { instants } : {}) };
}

const maxTimes = 40;

/**
 * The meaning of numbers in a response that are declared as times: number to ISO time, each once, in the order of the
 * declaration.
 * @param zone The time zone for them; UTC by default.
 * @returns the times, as far as they are shown, and a note on the others.
 */
export function timesOf(
  declared: ResponseDeclaration,
  status: number,
  body: unknown,
  zone?: string,
): { readonly times?: Readonly<Record<string, string>>; readonly notes: readonly string[] } {
  const places = instantsOf(declared, status);
  const numbers = new Map(
    places.flatMap(({ path, unitMs }) =>
      // Zero means that there is no time.
      [...valuesAt(body, path)].flatMap(([, value]) =>
        typeof value === "number" && value !== 0 ? [[value, value * unitMs] as const] : [],
      ),
    ),
  );
  const known = [...numbers].flatMap(([number, ms]) => {
    const text = zone === undefined ? isoText(ms) : zonedText(zone, ms);
    return text === undefined ? [] : [[String(number), text] as const];
  });
  if (known.length === 0) return { notes: [] };
  const more = known.length - maxTimes;
  const note = `times: ${maxTimes} of ${known.length} are shown; the others also count from 1970.`;
  return { times: Object.fromEntries(known.slice(0, maxTimes)), notes: more > 0 ? [note] : [] };
}
