/** An object as names and values for a terminal, with what is nested in it indented. */
import { plain } from "../answers/csv.js";
import { nameOf } from "../answers/data-text.js";
import { isEmpty, isScalar } from "../answers/table.js";
import { isRecord } from "../api/member.js";
import { widthOf } from "./terminal-table.js";
import { wrapped } from "./wrapped.js";

// Narrower than this no sentence can be read, however deep it is indented.
const leastRoom = 24;

/** The columns of the names of members, so that their values stand below each other; a longer name has them to itself. */
const mostNameColumns = 28;

function scalarLines(name: string, text: string, nameColumns: number, indent: string, columns: number | undefined) {
  const head = `${indent}${name}${" ".repeat(Math.max(0, nameColumns - widthOf(name)))}  `;
  const hang = " ".repeat(indent.length + nameColumns + 2);
  const room = columns === undefined ? undefined : columns - hang.length;
  if (room === undefined || room >= leastRoom) return wrapped(head + text, columns, hang);
  return [`${indent}${name}`, ...wrapped(`${indent}  ${text}`, columns, `${indent}  `)];
}

/** Lines of a text that has several, below its name. */
const blockLines = (text: string, indent: string): string[] =>
  text
    .replace(/\n$/, "")
    .split(/\r\n|\n/)
    .map((line) => `${indent}${plain(line)}`);

const isScalarList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.every(isScalar);

/** An item of a list behind a dash, as YAML has it. */
function itemLines(item: unknown, indent: string, columns: number | undefined): string[] {
  const [first = "", ...others] = memberLines(item, `${indent}  `, columns);
  return [`${indent}- ${first.slice(indent.length + 2)}`, ...others];
}

function memberLines(value: unknown, indent: string, columns: number | undefined): string[] {
  if (isScalar(value) || isScalarList(value)) {
    const text = isScalar(value) ? plain(value) : (value as readonly unknown[]).map(plain).join(", ");
    return wrapped(`${indent}${text}`, columns, indent);
  }
  if (Array.isArray(value)) return value.flatMap((item) => itemLines(item, indent, columns));
  const members = Object.entries(value as object).filter(([, member]) => !isEmpty(member));
  const inLine = members.filter(([, member]) => isScalar(member) || isScalarList(member));
  const nameColumns = Math.min(
    mostNameColumns,
    inLine.reduce((most, [name]) => Math.max(most, widthOf(nameOf(name))), 0),
  );
  return members.flatMap(([name, member]) => {
    const label = nameOf(name);
    if (typeof member === "string" && /\n./.test(member))
      return [`${indent}${label}:`, ...blockLines(member, `${indent}  `)];
    if (isScalar(member)) return scalarLines(label, plain(member), nameColumns, indent, columns);
    if (isScalarList(member)) return scalarLines(label, member.map(plain).join(", "), nameColumns, indent, columns);
    const inner = memberLines(member, `${indent}  `, columns);
    return inner.length === 0 ? [] : [`${indent}${label}:`, ...inner];
  });
}

/** The paths of members in which there is nothing, which have no lines of their own. */
function emptyIn(value: unknown, at = ""): string[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = at === "" ? nameOf(name) : `${at}.${nameOf(name)}`;
    // What is written elsewhere is not there.
    if (member === undefined) return [];
    return isEmpty(member) ? [path] : emptyIn(member, path);
  });
}

/**
 * A value as lines: a member a line with its name before it, nested ones indented below theirs, items of lists behind a
 * dash. What is empty is named at the end.
 */
export function detailLines(value: unknown, columns: number | undefined): string[] {
  const empty = emptyIn(value);
  return [
    ...(isEmpty(value) ? [] : memberLines(value, "", columns)),
    ...(empty.length === 0 ? [] : wrapped(`Empty: ${empty.join(", ")}`, columns, "  ")),
  ];
}
