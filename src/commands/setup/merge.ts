/**
 * Merges our entry into the text of a client's file, in JSON with comments or in TOML, and verifies by parsing the
 * result that nothing else has changed.
 */
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
import * as smolToml from "smol-toml";
import { isRecord } from "../../language/member.js";
import { refuse } from "../command.js";
import { entryName, type SetupClient } from "./clients.js";

interface Edit {
  /** In UTF-16 units from the start of the text, as `length`. */
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

interface Syntax {
  /** The parsed value of a file's text; undefined if it is broken. */
  parse(text: string): unknown;
  /**
   * The edits that set fields of the entry at `[key, name]`; undefined if the text has a form that they do not support.
   */
  edits(text: string, key: string, name: string, fields: EntryFields): readonly Edit[] | undefined;
}

export type EntryFields = Readonly<Record<string, unknown>>;

/** The line ending of a text: that of its first line. */
const lineEnding = (text: string): string => (/^[^\n]*\r\n/.test(text) ? "\r\n" : "\n");

/** @returns The text with the edits applied, which are in order and do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (all, { offset, length, text: inserted }) => all.slice(0, offset) + inserted + all.slice(offset + length),
    text,
  );
}

/** The edits as a diff: by line, only removals and additions. */
export function editsAsDiff(text: string, edits: readonly Edit[]): string {
  const markedLines = (mark: string, part: string): string[] =>
    part.split(/\r?\n/).flatMap((line) => (line.trim() === "" ? [] : [`${mark} ${line}`]));
  return edits
    .flatMap(({ offset, length, text: inserted }) => [
      `@@ line ${text.slice(0, offset).split("\n").length} @@`,
      ...markedLines("-", text.slice(offset, offset + length)),
      ...markedLines("+", inserted),
    ])
    .join("\n");
}

const options = { allowTrailingComma: true } as const;

/** The first indentation in a text. */
const unitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";

/** The indentation of the line at a position. */
const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset))?.[0] ?? "";

/** A value over several lines, the first of which is inserted in place. */
const laidOut = (text: string, value: unknown, indent: string): string =>
  JSON.stringify(value, null, unitOf(text)).replaceAll("\n", `${lineEnding(text)}${indent}`);

/** Adds members at the end of an object, and a comma before them if it is missing. */
function addMembers(text: string, object: Node, fields: EntryFields): readonly Edit[] {
  const eol = lineEnding(text);
  const close = object.offset + object.length - 1;
  // The value of the last member: the library includes the text up to the next sign.
  const last = object.children?.at(-1)?.children?.at(-1);
  const start = last ? last.offset + last.length : object.offset + 1;
  const tail = text.slice(start, close);
  // After the last thing that is not white space, such as a comment on the last member.
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

/** Sets fields of an existing entry, except those that already have the value. */
function setFields(text: string, entry: Node, fields: EntryFields): readonly Edit[] {
  const missing = Object.entries(fields).filter(([name]) => !findNodeAtLocation(entry, [name]));
  const edits = Object.entries(fields).flatMap(([name, value]): Edit[] => {
    const node = findNodeAtLocation(entry, [name]);
    if (!node || isDeepStrictEqual(getNodeValue(node), value)) return [];
    const { offset, length } = node;
    const isOnOneLine = !text.slice(offset, offset + length).includes("\n");
    return [
      { offset, length, text: isOnOneLine ? JSON.stringify(value) : laidOut(text, value, indentAt(text, offset)) },
    ];
  });
  const more = missing.length === 0 ? [] : addMembers(text, entry, Object.fromEntries(missing));
  return [...edits, ...more].sort((a, b) => a.offset - b.offset);
}

const jsonc: Syntax = {
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
    if (!servers) return addMembers(text, root, { [key]: { [name]: fields } });
    if (servers.type !== "object") return undefined;
    const entry = findNodeAtLocation(servers, [name]);
    if (!entry) return addMembers(text, servers, { [name]: fields });
    return entry.type === "object" ? setFields(text, entry, fields) : undefined;
  },
};

function parseToml(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return smolToml.parse(text, { integersAsBigInt: "asNeeded" });
  } catch {
    return undefined;
  }
}

// Basic strings of TOML have the syntax of those of JSON.
const tomlValue = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(tomlValue).join(", ")}]` : JSON.stringify(value);
const assignment = (name: string, value: unknown): string => `${name} = ${tomlValue(value)}`;

/** The positions of lines that are headers: the text before each is a complete document, not part of a text or list. */
const headersIn = (text: string, like: RegExp): readonly RegExpExecArray[] =>
  [...text.matchAll(like)].filter(({ index }) => parseToml(text.slice(0, index)) !== undefined);

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The start and end of a table's text, after its header. */
function tableOf(text: string, key: string, name: string): Range | undefined {
  const like = new RegExp(`^[ \\t]*\\[[ \\t]*${key}[ \\t]*\\.[ \\t]*(["']?)${name}\\1[ \\t]*\\][^\\r\\n]*`, "gm");
  const [header] = headersIn(text, like);
  if (!header) return undefined;
  const start = header.index + header[0].length;
  const next = headersIn(text, /^[ \t]*\[/gm).find(({ index }) => index > start);
  return { start, end: next?.index ?? text.length };
}

/** The edit that gives a key another value; the value ends at the first position up to which it can be parsed. */
function replaceValue(text: string, { start, end }: Range, name: string, value: unknown): Edit[] {
  const key = new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*`, "m").exec(text.slice(start, end));
  if (!key) return [{ offset: start, length: 0, text: `${lineEnding(text)}${assignment(name, value)}` }];
  const offset = start + key.index + key[0].length;
  const rest = text.slice(offset, end);
  const ends = [...rest.matchAll(/(?<![ \t])[ \t]*(?:#|\r?\n|$)/g)].map(({ index }) => index);
  const length = ends.find((place) => parseToml(`x = ${rest.slice(0, place)}`) !== undefined);
  if (length === undefined) return [];
  const before = parseToml(`x = ${rest.slice(0, length)}`)?.["x"];
  return isDeepStrictEqual(before, value) ? [] : [{ offset, length, text: tomlValue(value) }];
}

function appendTable(text: string, key: string, name: string, fields: EntryFields): Edit {
  const eol = lineEnding(text);
  const table = [`[${key}.${name}]`, ...Object.entries(fields).map((field) => assignment(...field)), ""].join(eol);
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return { offset: text.length, length: 0, text: gap + table };
}

const toml: Syntax = {
  parse: parseToml,
  edits: (text, key, name, fields) => {
    const servers = parseToml(text)?.[key];
    if (!isRecord(servers) || servers[name] === undefined) return [appendTable(text, key, name, fields)];
    const table = tableOf(text, key, name);
    return (
      table &&
      Object.entries(fields)
        .flatMap(([field, value]) => replaceValue(text, table, field, value))
        .sort((a, b) => a.offset - b.offset)
    );
  },
};

const syntaxes: Readonly<Record<SetupClient["syntax"], { readonly syntax: Syntax; readonly name: string }>> = {
  jsonc: { syntax: jsonc, name: "JSON" },
  toml: { syntax: toml, name: "TOML" },
};

/** The fields by which a client reaches a server elsewhere; next to a command they would be for another server. */
export const addressFields = ["url", "serverUrl", "httpUrl"];

const byHand = "Add the printed entry by hand, or move the file away and run this again.";

/** The configuration as the text of a file with nothing else. */
export function fileText({ syntax, key }: SetupClient, fields: EntryFields): string {
  return applyEdits("", syntaxes[syntax].syntax.edits("", key, entryName, fields) ?? []);
}

/** The content of a client's file: all of it, the servers in it, and our entry; empty if it has none yet. */
function contentOf(text: string, { key, syntax: kind }: SetupClient, where: string) {
  const { syntax, name } = syntaxes[kind];
  const whole = syntax.parse(text);
  if (!isRecord(whole))
    return refuse(
      `${where} is not valid ${name}; it was not changed.`,
      "Correct it, or add the printed entry by hand, or move the file away and run this again.",
    );
  const servers = whole[key] ?? {};
  const entry = (isRecord(servers) ? servers[entryName] : undefined) ?? {};
  if (!isRecord(servers) || !isRecord(entry))
    return refuse(`${where} has something else at ${key}; it was not changed.`, byHand);
  return { syntax, whole, servers, entry };
}

/**
 * A client's entry for this server; undefined if it has none.
 * @param where The name of the file for errors.
 * @throws Failure `bad_configuration` if the text is broken.
 */
export function entryIn(text: string, client: SetupClient, where: string): EntryFields | undefined {
  const { servers, entry } = contentOf(text, client, where);
  return Object.hasOwn(servers, entryName) ? entry : undefined;
}

/**
 * Merges the entry: sets our fields, and keeps everything else byte for byte.
 * @param where The name of the file for errors.
 * @returns The edits, in order; empty if the file is already up to date.
 * @throws Failure `bad_configuration` if the text is broken or has a form that cannot be edited safely.
 */
export function mergeEntry(text: string, client: SetupClient, fields: EntryFields, where: string): readonly Edit[] {
  const { syntax, whole, servers, entry } = contentOf(text, client, where);
  const address = addressFields.find((field) => Object.hasOwn(entry, field) && !Object.hasOwn(fields, field));
  if (address !== undefined)
    return refuse(
      `${where} has an entry ${entryName} with ${address}, for a server elsewhere; it was not changed.`,
      "Remove or rename that entry, and run this again.",
    );
  const edits = syntax.edits(text, client.key, entryName, fields) ?? [];
  // Some parsers create tables without a prototype.
  const table = (members: object): unknown => Object.assign(Object.create(Object.getPrototypeOf(whole)), members);
  const mergedContent = table({
    ...whole,
    [client.key]: table({ ...servers, [entryName]: table({ ...entry, ...fields }) }),
  });
  // Duplicate members, or a table that only looks like ours: any misreading by the edits shows here.
  if (!isDeepStrictEqual(syntax.parse(applyEdits(text, edits)), mergedContent))
    return refuse(`${where} has a form in which the entry cannot be added safely; it was not changed.`, byHand);
  return edits;
}
