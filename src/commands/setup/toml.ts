/** Edits TOML in place: sets the keys of one table, or adds the table at the end; what does not fit that is left to a person. */
import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import { isRecord } from "../../language/member.js";
import { type Edit, type Fields, lineEnding, type Syntax } from "./edit.js";

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch {
    return undefined;
  }
}

// A basic string of TOML takes what one of JSON does.
const written = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(written).join(", ")}]` : JSON.stringify(value);
const assignment = (name: string, value: unknown): string => `${name} = ${written(value)}`;

/** Where a line begins that looks like a header, and is one: what is before it is a document, not half of a text or a list. */
const headersIn = (text: string, like: RegExp): readonly RegExpExecArray[] =>
  [...text.matchAll(like)].filter(({ index }) => parsed(text.slice(0, index)) !== undefined);

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the text of a table begins, after its header, and where it ends. */
function tableOf(text: string, key: string, name: string): Range | undefined {
  const like = new RegExp(`^[ \\t]*\\[[ \\t]*${key}[ \\t]*\\.[ \\t]*(["']?)${name}\\1[ \\t]*\\][^\\r\\n]*`, "gm");
  const [header] = headersIn(text, like);
  if (!header) return undefined;
  const start = header.index + header[0].length;
  const next = headersIn(text, /^[ \t]*\[/gm).find(({ index }) => index > start);
  return { start, end: next?.index ?? text.length };
}

/** The edit that gives a key another value; the value ends at the first place up to which it can be read. */
function replaced(text: string, { start, end }: Range, name: string, value: unknown): Edit[] {
  const key = new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*`, "m").exec(text.slice(start, end));
  if (!key) return [{ offset: start, length: 0, text: `${lineEnding(text)}${assignment(name, value)}` }];
  const offset = start + key.index + key[0].length;
  const rest = text.slice(offset, end);
  const ends = [...rest.matchAll(/(?<![ \t])[ \t]*(?:#|\r?\n|$)/g)].map(({ index }) => index);
  const length = ends.find((place) => parsed(`x = ${rest.slice(0, place)}`) !== undefined);
  if (length === undefined) return [];
  const before = parsed(`x = ${rest.slice(0, length)}`)?.["x"];
  return isDeepStrictEqual(before, value) ? [] : [{ offset, length, text: written(value) }];
}

function appended(text: string, key: string, name: string, fields: Fields): Edit {
  const eol = lineEnding(text);
  const table = [`[${key}.${name}]`, ...Object.entries(fields).map((field) => assignment(...field)), ""].join(eol);
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return { offset: text.length, length: 0, text: gap + table };
}

export const toml: Syntax = {
  parse: parsed,
  edits: (text, key, name, fields) => {
    const servers = parsed(text)?.[key];
    if (!isRecord(servers) || servers[name] === undefined) return [appended(text, key, name, fields)];
    const table = tableOf(text, key, name);
    return (
      table &&
      Object.entries(fields)
        .flatMap(([field, value]) => replaced(text, table, field, value))
        .sort((a, b) => a.offset - b.offset)
    );
  },
};
