/** An answer as a person reads it at a terminal: what is to be known first, members by their names, then a table for each list. */
import { withoutLinks } from "../answers/data-text.js";
import type { ToolResult } from "../answers/result.js";
import { type Row, rowsIn } from "../answers/rows.js";
import { tableOf } from "../answers/table.js";
import { answerText } from "../answers/text.js";
import type { Shows } from "../api/conduct.js";
import { isRecord, withMember } from "../api/member.js";
import { detailLines } from "./terminal-lines.js";
import { terminalTable } from "./terminal-table.js";
import { wrapped } from "./wrapped.js";

/** What a call returned, without secrets. */
export interface Shown {
  readonly body: unknown;
  readonly shows: Shows;
}

const steps = (path: string): string[] => (path === "" ? [] : path.split("."));
const whole = "--output json has all";

const maxNamed = 8;
/** Names in a sentence, the first of many. */
function someOf(names: readonly string[]): string {
  const others = names.length - maxNamed;
  const first = names.slice(0, maxNamed).join(", ");
  return others <= 0 ? first : `${first} and ${others === 1 ? "1 other" : `${others} others`}`;
}

/** Whether a record holds lists of records, which no cell of a table can show. */
const holdsLists = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isRecord) : isRecord(value) && Object.values(value).some(holdsLists);

/** Rows as a table that fits: what is the same in all of them is said once, and what is left out is named. */
function fittedTable(rows: readonly Row[], width: number): string[] {
  const table = tableOf(rows);
  const named = table
    ? table.rows.map((cells) => Object.fromEntries(table.columns.map((name, at) => [name, cells[at]])))
    : rows;
  // What is nested says less of a row.
  const same = Object.entries(table?.same ?? {})
    .sort(([a], [b]) => steps(a).length - steps(b).length)
    .map(([name, value]) => `${name} ${String(value)}`);
  const { lines, leftOut } = terminalTable(named, width);
  const empty = (table?.empty ?? []).map(([name]) => name);
  const left = [
    ...(leftOut.length === 0 ? [] : [`no room for ${someOf(leftOut)}`]),
    ...(empty.length === 0 ? [] : [`nothing in ${someOf(empty)}`]),
  ];
  return [
    ...(same.length === 0 ? [] : wrapped(`In every row: ${someOf(same)}`, width, "  ")),
    ...lines,
    ...(left.length === 0 ? [] : wrapped(`Not shown: ${left.join("; ")} (${whole}).`, width, "  ")),
  ];
}

/** Whether a list can be a table: not where it is one item, or where its items hold lists of their own. */
const isTabular = (rows: readonly Row[]): boolean =>
  rows.length > 1 && !rows.some((row) => Object.values(row).some(holdsLists));

const isPlainList = (rows: readonly Row[]): boolean => rows.every((row) => Object.keys(row).join() === "value");

/** A list under its path and its length. */
function listAt(path: string, rows: readonly Row[], width: number | undefined): string[] {
  const count = rows.length === 1 ? "1 row" : `${rows.length} rows`;
  const head = ["", path === "" ? count : `${path} (${count}):`];
  if (width === undefined) return [...head, ...terminalTable(rows, width).lines];
  if (isPlainList(rows)) return [...head, ...rows.flatMap(({ value }) => detailLines(value, width))];
  if (isTabular(rows)) return [...head, ...fittedTable(rows, width)];
  return [...head, ...detailLines(rows.length === 1 ? rows[0] : rows, width)];
}

/** The paths of the members of a body, in their order. */
function pathsIn(value: unknown, at = ""): string[] {
  if (!isRecord(value)) return [at];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, at === "" ? name : `${at}.${name}`));
}

const parentOf = (path: string): string => steps(path).slice(0, -1).join(".");

/** The lists of a body that stand apart from its other members, in their order; of a tree, none does. */
function listsIn({ body, shows }: Shown, width: number | undefined) {
  const rows = rowsIn(body, shows);
  const order = pathsIn(body);
  const lists = (rows ? [rows.path, ...rows.others.map(({ path }) => path)] : [])
    .map((path) => ({ path, found: rowsIn(body, shows, path)?.rows ?? [] }))
    .filter(({ found }) => found.length > 0)
    .sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  if (width === undefined) return lists;
  // Members of a tree are read together: whatever stands beside a list with lists in it stays there.
  const inTrees = new Set(
    lists
      .filter(({ path, found }) => steps(path).length > 1 && found.some((row) => Object.values(row).some(holdsLists)))
      .map(({ path }) => parentOf(path)),
  );
  return lists.filter(({ path }) => !inTrees.has(parentOf(path)));
}

/**
 * The answer as lines.
 * @param width The columns of the terminal; undefined where there is none, so that nothing is cut or left out.
 */
export function answerLines(
  { body: given, shows }: Shown,
  { structuredContent }: ToolResult,
  width: number | undefined,
): string[] {
  const links = new Set<string>();
  const body = withoutLinks(given, "", links);
  const tables = listsIn({ body, shows }, width);
  const beside = tables.reduce<unknown>((rest, { path }) => withMember(rest, steps(path), undefined), body);
  const { status, headers, location, times, notes, upstream, profile } = structuredContent;
  // The notes of a workflow are members of what it returned.
  const { notes: _, ...others } =
    isRecord(beside) && status === undefined ? beside : { notes: undefined, data: beside };
  const members = status === undefined ? others : beside;
  return [
    ...answerText({ status, headers, location, times, notes, upstream, profile })
      .split("\n")
      .flatMap((line) => wrapped(line, width, "  ")),
    ...(members === undefined ? [] : detailLines(isRecord(members) ? members : { data: members }, width)),
    ...tables.flatMap(({ path, found }) => listAt(path, found, width)),
    ...(links.size === 0 ? [] : wrapped(`Links not shown: ${someOf([...links])} (${whole}).`, width, "  ")),
  ];
}
