/** Edits JSON with comments in place, because formatting a range anew would change what others wrote on its lines. */
import { isDeepStrictEqual } from "node:util";
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parse,
  parseTree,
} from "jsonc-parser";
import { type Edit, type Fields, lineEnding, type Syntax } from "./edit.js";

const options = { allowTrailingComma: true } as const;

/** The first indentation in a text. */
const unitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";

/** The indentation of the line on which a place is. */
const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset))?.[0] ?? "";

/** A value over several lines, the first of which stands where it is put. */
const laidOut = (text: string, value: unknown, indent: string): string =>
  JSON.stringify(value, null, unitOf(text)).replaceAll("\n", `${lineEnding(text)}${indent}`);

/** Adds members at the end of an object, and the comma after the one before them where that is missing. */
function added(text: string, object: Node, fields: Fields): readonly Edit[] {
  const eol = lineEnding(text);
  const close = object.offset + object.length - 1;
  // The value of the last member: the library counts what follows it, up to the next sign, to the member.
  const last = object.children?.at(-1)?.children?.at(-1);
  const start = last ? last.offset + last.length : object.offset + 1;
  const tail = text.slice(start, close);
  // After the last thing that is no white space, such as a comment on the last member.
  const end = start + tail.trimEnd().length;
  const scanner = createScanner(text, true);
  scanner.setPosition(start);
  scanner.scan();
  const needsComma = last !== undefined && text[scanner.getTokenOffset()] !== ",";
  const members = (separator: string, valueText: (value: unknown) => string): string =>
    Object.entries(fields)
      .map(([name, value]) => `${separator}${JSON.stringify(name)}: ${valueText(value)}`)
      .join(",");
  const comma = needsComma ? "," : "";
  if (last && !text.slice(object.offset, close).includes("\n")) {
    const member = members(" ", (value) => JSON.stringify(value));
    return [{ offset: needsComma ? start : end, length: 0, text: comma + member }];
  }
  const indent = last
    ? indentAt(text, object.children?.at(-1)?.offset ?? 0)
    : indentAt(text, object.offset) + unitOf(text);
  const lines = members(`${eol}${indent}`, (value) => laidOut(text, value, indent));
  const isClosedOnItsLine = text.slice(end, close).includes("\n");
  const entry = {
    offset: end,
    length: 0,
    text: isClosedOnItsLine ? lines : lines + eol + indentAt(text, object.offset),
  };
  if (!needsComma) return [entry];
  return end === start ? [{ ...entry, text: comma + entry.text }] : [{ offset: start, length: 0, text: comma }, entry];
}

/** Sets fields of an entry that is there, and leaves those that already have the value. */
function set(text: string, entry: Node, fields: Fields): readonly Edit[] {
  const missing = Object.entries(fields).filter(([name]) => !findNodeAtLocation(entry, [name]));
  const replaced = Object.entries(fields).flatMap(([name, value]): Edit[] => {
    const node = findNodeAtLocation(entry, [name]);
    if (!node || isDeepStrictEqual(getNodeValue(node), value)) return [];
    const { offset, length } = node;
    const isOnOneLine = !text.slice(offset, offset + length).includes("\n");
    return [
      { offset, length, text: isOnOneLine ? JSON.stringify(value) : laidOut(text, value, indentAt(text, offset)) },
    ];
  });
  const more = missing.length === 0 ? [] : added(text, entry, Object.fromEntries(missing));
  return [...replaced, ...more].sort((a, b) => a.offset - b.offset);
}

export const jsonc: Syntax = {
  parse: (text) => {
    const errors: ParseError[] = [];
    const value: unknown = text.trim() === "" ? {} : parse(text, errors, options);
    return errors.length > 0 ? undefined : value;
  },
  edits: (text, key, name, fields) => {
    if (text.trim() === "")
      return [{ offset: 0, length: text.length, text: `${JSON.stringify({ [key]: { [name]: fields } }, null, 2)}\n` }];
    const root = parseTree(text, [], options);
    if (root?.type !== "object") return undefined;
    const servers = findNodeAtLocation(root, [key]);
    if (!servers) return added(text, root, { [key]: { [name]: fields } });
    if (servers.type !== "object") return undefined;
    const entry = findNodeAtLocation(servers, [name]);
    if (!entry) return added(text, servers, { [name]: fields });
    return entry.type === "object" ? set(text, entry, fields) : undefined;
  },
};
