/** Data as readable text: rows as CSV, the rest in short lines, and empty fields and links named once. */
import { isEmpty, isRecord, omitted, withEach } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { beginsLikeServerLine, csvLine, labels, plainText } from "../rows/row-text.js";
import { hasCutMark } from "../text/marks.js";
import { withoutNested } from "./nested.js";
import { compactTableOf, isScalar } from "./table.js";

// The calls that a result offers are lines of its text that can be repeated unchanged.

/** Whether a list offers calls; a text among them is the mark of a truncation. */
const isCallList = (value: unknown): value is readonly (NextCall | string)[] =>
  Array.isArray(value) && value.some((item) => item instanceof NextCall);

/** Whether the columns of a table show a call as clearly as a separate line. */
const isFlat = (value: unknown): boolean => value instanceof NextCall && Object.values(value.arguments).every(isScalar);

/** Whether a field of a record offers calls that need separate lines. */
const isLine = ([, value]: readonly [string, unknown]): boolean =>
  isCallList(value) || (value instanceof NextCall && !isFlat(value));

const linesOf = (label: string, value: unknown): string[] =>
  (isCallList(value) ? value : [value]).map(
    (call) => `${label}: ${typeof call === "string" ? call : JSON.stringify(call)}`,
  );

/** The records of a table without calls that are not readable in a cell, and a line for each of these. */
function withoutCalls(records: readonly object[]): {
  readonly records: readonly object[];
  readonly lines: readonly string[];
} {
  const lines: string[] = [];
  const others = records.map((record, row) => {
    const members = Object.entries(record);
    const calls = members.filter(isLine);
    if (!isRecord(record) || calls.length === 0) return record;
    lines.push(...calls.flatMap(([name, value]) => linesOf(`${name} of row ${row + 1}`, value)));
    return Object.fromEntries(members.filter((member) => !isLine(member)));
  });
  return { records: others, lines };
}

interface DataWriter {
  readonly lines: string[];
  /** Fields that are left out because they are empty, by kind. */
  readonly empty: Map<string, string[]>;
  /** Fields that are left out because only programs follow them. */
  readonly links: Set<string>;
}

const isBlock = (value: unknown): value is string => typeof value === "string" && /\n./.test(value);

const isLinks = (name: string, value: unknown): boolean => /^_?links$/i.test(name) && !isScalar(value);

// A shorter object is as readable on one line.
const maxInline = 100;

export const fieldName = (name: string): string =>
  /^[\w.$@/-]+$/.test(name) && !beginsLikeServerLine(name.replace(/\W.*|$/, ":")) ? name : JSON.stringify(name);

/** A value as in JSON, without the milliseconds of a time that has none. */
const scalarText = (value: unknown): string =>
  plainText(value).replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.0+(Z|[+-]\d\d:?\d\d)$/, "$1$2");

const fieldPath = (at: string, name: string): string => (at === "" ? name : `${at}.${name}`);

/** A value without its links, which are only noted. */
export function withoutLinkFields(value: unknown, at: string, links: Set<string>): unknown {
  if (typeof value !== "object" || value === null || value instanceof NextCall) return value;
  if (Array.isArray(value)) return withEach(value, (item) => withoutLinkFields(item, at, links));
  return withEach(value, (member, key) => {
    if (isScalar(member)) return member;
    const path = fieldPath(at, fieldName(String(key)));
    if (!isLinks(String(key), member) || isEmpty(member)) return withoutLinkFields(member, path, links);
    links.add(path);
    return omitted;
  });
}

const emptyKinds: Readonly<Record<string, string>> = {
  '""': labels.emptyText,
  "[]": labels.emptyList,
  "{}": labels.emptyObject,
};

function noteEmpty({ empty }: DataWriter, path: string, value: unknown): void {
  const kind = emptyKinds[JSON.stringify(value ?? null)] ?? labels.null;
  empty.set(kind, [...(empty.get(kind) ?? []), path]);
}

/** Several lines of text, indented, so that they cannot be mistaken for lines of our own. */
function writeBlock({ lines }: DataWriter, indent: string, name: string, text: string): void {
  lines.push(`${indent}${name}:`);
  for (const line of text.replace(/\n$/, "").split(/\r\n|\n/)) lines.push(`${indent}  ${plainText(line)}`);
}

const rowsText = (count: number): string => (count === 1 ? "1 row" : `${count} rows`);

function writeTable(
  writing: DataWriter,
  indent: string,
  at: string,
  allRecords: readonly object[],
  isWhole: boolean,
): void {
  const { lines } = writing;
  const { records, lines: calls } = withoutCalls(allRecords);
  const compact = compactTableOf(records);
  if (compact === undefined) {
    for (const record of records) lines.push(`${indent}${JSON.stringify(record)}`);
    return;
  }
  const { table, nested } = withoutNested(compact);
  const same = Object.entries(table.same).map(([name, value]) => `${name}=${plainText(value)}`);
  // Of a truncated list, the other rows are unknown.
  if (same.length > 0) lines.push(`${indent}${labels.same} ${isWhole ? "row" : "row shown"}: ${csvLine(same)}`);
  for (const row of [table.columns, ...table.rows]) lines.push(`${indent}${csvLine(row)}`);
  for (const [name, value] of table.empty) noteEmpty(writing, fieldPath(at, name), value);
  for (const { column, by, records: inside } of nested) {
    lines.push(`${indent}${fieldName(column)} by ${fieldName(by)} (${rowsText(inside.length)}):`);
    writeTable(writing, `${indent}  `, fieldPath(at, column), inside, isWhole);
  }
  for (const call of calls) lines.push(`${indent}${plainText(call)}`);
}

function writeRecords(writing: DataWriter, indent: string, at: string, list: readonly unknown[]): void {
  const records = list.filter(isRecord);
  const [only] = records;
  const isWhole = list.length === records.length;
  if (only && records.length === 1) writeMembers(writing, indent, at, only);
  else writeTable(writing, indent, at, records, isWhole);
  const [mark] = list.filter((item) => !isRecord(item));
  if (mark !== undefined) writing.lines.push(`${indent}${plainText(mark)}`);
}

/** Whether a list contains only records, except for the mark of a truncation. */
const isRecordList = (list: readonly unknown[]): boolean =>
  list.some(isRecord) &&
  list.every((item, at) => isRecord(item) || (at === list.length - 1 && typeof item === "string" && hasCutMark(item)));

/** The rows of a list under its name; those of the result itself have none. */
function writeRows(writing: DataWriter, indent: string, at: string, list: readonly unknown[], name?: string): void {
  const { lines } = writing;
  const count = rowsText(list.filter(isRecord).length);
  const head = indent + (name === undefined ? count : `${name} (${count})`);
  const json = JSON.stringify(list[0]);
  if (list.length === 1 && json.length <= maxInline) lines.push(`${head}: ${json}`);
  else {
    if (name !== undefined || list.length === 1) lines.push(`${head}:`);
    writeRecords(writing, list.length === 1 ? `${indent}  ` : indent, at, list);
  }
}

function writeList(writing: DataWriter, indent: string, at: string, name: string, list: readonly unknown[]): void {
  const { lines } = writing;
  if (isCallList(list)) {
    lines.push(`${indent}${name}:`);
    // As it is sent, so that it can be repeated.
    for (const call of list)
      lines.push(`${indent}  ${typeof call === "string" ? plainText(call) : JSON.stringify(call)}`);
  } else if (isRecordList(list)) writeRows(writing, indent, at, list, name);
  else if (list.every(isScalar)) lines.push(`${indent}${name}: ${csvLine(list)}`);
  else lines.push(`${indent}${name}: ${JSON.stringify(list)}`);
}

const writeMembers = (writing: DataWriter, indent: string, at: string, value: object): void => {
  for (const [name, member] of Object.entries(value)) writeMember(writing, indent, at, name, member);
};

function writeObject(writing: DataWriter, indent: string, path: string, name: string, value: object): void {
  const members = Object.entries(value);
  const [only] = members;
  const json = JSON.stringify(value);
  if (only && members.length === 1 && !isScalar(only[1]) && !(value instanceof NextCall))
    // A wrapper around one field does not need a separate line.
    writeNamed(writing, indent, `${path}.${fieldName(only[0])}`, `${name}.${fieldName(only[0])}`, only[1]);
  else if (json.length <= maxInline || value instanceof NextCall) writing.lines.push(`${indent}${name}: ${json}`);
  else {
    writing.lines.push(`${indent}${name}:`);
    writeMembers(writing, `${indent}  `, path, value);
  }
}

/** The lines for a named value. */
function writeNamed(writing: DataWriter, indent: string, path: string, name: string, value: unknown): void {
  const { lines } = writing;
  if (isEmpty(value)) noteEmpty(writing, path, value);
  else if (Array.isArray(value)) writeList(writing, indent, path, name, value);
  else if (isBlock(value)) writeBlock(writing, indent, name, value);
  else if (isScalar(value)) lines.push(`${indent}${name}: ${scalarText(value)}`);
  else writeObject(writing, indent, path, name, value as object);
}

function writeMember(writing: DataWriter, indent: string, at: string, memberName: string, value: unknown): void {
  const name = fieldName(memberName);
  if (value === undefined) return;
  if (hasCutMark(memberName)) writing.lines.push(`${indent}${memberName}`);
  else writeNamed(writing, indent, fieldPath(at, name), name, value);
}

/** Data as lines. Empty fields and links are left out and named at the end, so that readers know of all fields. */
export function dataText(data: unknown): string[] {
  const writing: DataWriter = { lines: [], empty: new Map(), links: new Set() };
  const value = withoutLinkFields(data, "", writing.links);
  if (Array.isArray(value) && isRecordList(value)) writeRows(writing, "", "", value);
  else if (isRecord(value)) writeMembers(writing, "", "", value);
  else writeMember(writing, "", "", "data", value);
  const { lines, empty, links } = writing;
  const named = (what: string, names: Iterable<string>) => `${what}: ${csvLine([...new Set(names)])}`;
  return [
    ...lines,
    ...[...empty].map(([kind, names]) => named(kind, names)),
    ...(links.size > 0 ? [named(labels.links, links)] : []),
  ];
}
