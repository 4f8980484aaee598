/** A response as text for a terminal: notes first, fields by name, then a table for each list. */
import { fieldName, withoutLinkFields } from "../answers/data-text.js";
import type { ToolResult } from "../answers/result.js";
import { compactTableOf, isScalar } from "../answers/table.js";
import { answerText } from "../answers/text.js";
import type { AnswerDisplay } from "../language/conduct.js";
import { isEmpty, isRecord, withMember } from "../language/member.js";
import { listInWords } from "../language/words.js";
import { type Row, rowsIn } from "../rows/index.js";
import { plainText } from "../rows/row-text.js";
import { terminalTable, widthOf, wrapText } from "./terminal.js";

// Sentences are not readable in fewer columns, however deeply they are indented.
const leastRoom = 24;

/** The width of the column of field names, so that values are aligned; a longer name has its own line. */
const mostNameColumns = 28;

function scalarLines(name: string, text: string, nameColumns: number, indent: string, columns: number | undefined) {
  const head = `${indent}${name}${" ".repeat(Math.max(0, nameColumns - widthOf(name)))}  `;
  const hang = " ".repeat(indent.length + nameColumns + 2);
  const room = columns === undefined ? undefined : columns - hang.length;
  if (room === undefined || room >= leastRoom) return wrapText(head + text, columns, hang);
  return [`${indent}${name}`, ...wrapText(`${indent}  ${text}`, columns, `${indent}  `)];
}

/** Lines of a multi-line text, below its name. */
const blockLines = (text: string, indent: string): string[] =>
  text
    .replace(/\n$/, "")
    .split(/\r\n|\n/)
    .map((line) => `${indent}${plainText(line)}`);

const isScalarList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.every(isScalar);

/** A plain value, or a list of them, on one line; undefined for anything else. */
const lineOf = (value: unknown): string | undefined =>
  isScalar(value) ? plainText(value) : isScalarList(value) ? value.map(plainText).join(", ") : undefined;

/** An item of a list with a dash, as in YAML. */
function itemLines(item: unknown, indent: string, columns: number | undefined): string[] {
  const [first = "", ...others] = memberLines(item, `${indent}  `, columns);
  return [`${indent}- ${first.slice(indent.length + 2)}`, ...others];
}

function memberLines(value: unknown, indent: string, columns: number | undefined): string[] {
  const line = lineOf(value);
  if (line !== undefined) return wrapText(`${indent}${line}`, columns, indent);
  if (Array.isArray(value)) return value.flatMap((item) => itemLines(item, indent, columns));
  const members = Object.entries(value as object).filter(([, member]) => !isEmpty(member));
  const inLine = members.filter(([, member]) => lineOf(member) !== undefined);
  const nameColumns = Math.min(
    mostNameColumns,
    inLine.reduce((most, [name]) => Math.max(most, widthOf(fieldName(name))), 0),
  );
  return members.flatMap(([name, member]) => {
    const label = fieldName(name);
    if (typeof member === "string" && /\n./.test(member))
      return [`${indent}${label}:`, ...blockLines(member, `${indent}  `)];
    const text = lineOf(member);
    if (text !== undefined) return scalarLines(label, text, nameColumns, indent, columns);
    const inner = memberLines(member, `${indent}  `, columns);
    return inner.length === 0 ? [] : [`${indent}${label}:`, ...inner];
  });
}

/** The paths of empty fields, which have no lines. */
function emptyPaths(value: unknown, at = ""): string[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = at === "" ? fieldName(name) : `${at}.${fieldName(name)}`;
    // Parts that are shown elsewhere are skipped.
    if (member === undefined) return [];
    return isEmpty(member) ? [path] : emptyPaths(member, path);
  });
}

/** A value as lines: one per field, nested ones indented, list items with a dash. Empty fields are named at the end. */
export function detailLines(value: unknown, columns: number | undefined): string[] {
  const empty = emptyPaths(value);
  return [
    ...(isEmpty(value) ? [] : memberLines(value, "", columns)),
    ...(empty.length === 0 ? [] : wrapText(`Empty: ${empty.join(", ")}`, columns, "  ")),
  ];
}

/** What a call returned, without secrets. */
export interface PrintableResult {
  readonly body: unknown;
  readonly shows: AnswerDisplay;
}

const steps = (path: string): string[] => (path === "" ? [] : path.split("."));
const whole = "--output json has all";

/** Whether a record contains lists of records, which do not fit into a table cell. */
const holdsLists = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isRecord) : isRecord(value) && Object.values(value).some(holdsLists);

/** Rows as a table that fits: values common to all rows are shown once, and omitted columns are named. */
function fittedTable(rows: readonly Row[], width: number): string[] {
  const table = compactTableOf(rows);
  const namedRows = table
    ? table.rows.map((cells) => Object.fromEntries(table.columns.map((name, at) => [name, cells[at]])))
    : rows;
  // Nested values are less important in a row.
  const same = Object.entries(table?.same ?? {})
    .sort(([a], [b]) => steps(a).length - steps(b).length)
    .map(([name, value]) => `${name} ${String(value)}`);
  const { lines, leftOut } = terminalTable(namedRows, width);
  const empty = (table?.empty ?? []).map(([name]) => name);
  const omissions = [
    ...(leftOut.length === 0 ? [] : [`no room for ${listInWords(leftOut)}`]),
    ...(empty.length === 0 ? [] : [`nothing in ${listInWords(empty)}`]),
  ];
  return [
    ...(same.length === 0 ? [] : wrapText(`In every row: ${listInWords(same)}`, width, "  ")),
    ...lines,
    ...(omissions.length === 0 ? [] : wrapText(`Not shown: ${omissions.join("; ")} (${whole}).`, width, "  ")),
  ];
}

/** Whether a list can be a table: not if it has one item, or if its items contain lists. */
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

/** The paths of the fields of a body, in order. */
function pathsIn(value: unknown, at = ""): string[] {
  if (!isRecord(value)) return [at];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, at === "" ? name : `${at}.${name}`));
}

const parentOf = (path: string): string => steps(path).slice(0, -1).join(".");

/** The lists of a body that are shown separately, in order; none for a tree. */
function listsIn({ body, shows }: PrintableResult, width: number | undefined) {
  const rows = rowsIn(body, shows);
  const order = pathsIn(body);
  const lists = (rows ? [rows.path, ...rows.others.map(({ path }) => path)] : [])
    .map((path) => ({ path, found: rowsIn(body, shows, path)?.rows ?? [] }))
    .filter(({ found }) => found.length > 0)
    .sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  if (width === undefined) return lists;
  // The fields of a tree are shown together: siblings of a nested list stay there.
  const inTrees = new Set(
    lists
      .filter(({ path, found }) => steps(path).length > 1 && found.some((row) => Object.values(row).some(holdsLists)))
      .map(({ path }) => parentOf(path)),
  );
  return lists.filter(({ path }) => !inTrees.has(parentOf(path)));
}

/**
 * The response as lines.
 * @param width The columns of the terminal; undefined if there is none, so that nothing is truncated or left out.
 */
export function answerLines(
  { body: resultBody, shows }: PrintableResult,
  { structuredContent }: ToolResult,
  width: number | undefined,
): string[] {
  const links = new Set<string>();
  const body = withoutLinkFields(resultBody, "", links);
  const tables = listsIn({ body, shows }, width);
  const related = tables.reduce<unknown>((rest, { path }) => withMember(rest, steps(path), undefined), body);
  const { status, headers, location, times, notes, upstream, profile } = structuredContent;
  // The notes of a workflow are a field of its result.
  const { notes: _, ...others } =
    isRecord(related) && status === undefined ? related : { notes: undefined, data: related };
  const members = status === undefined ? others : related;
  return [
    ...answerText({ status, headers, location, times, notes, upstream, profile })
      .split("\n")
      .flatMap((line) => wrapText(line, width, "  ")),
    ...(members === undefined ? [] : detailLines(isRecord(members) ? members : { data: members }, width)),
    ...tables.flatMap(({ path, found }) => listAt(path, found, width)),
    ...(links.size === 0 ? [] : wrapText(`Links not shown: ${listInWords([...links])} (${whole}).`, width, "  ")),
  ];
}
