/** Repairs of definitions that are not valid YAML or JSON; each repair is reported, so that nothing is dropped in silence. */
import { parseDocument } from "yaml";
import { isRecord } from "../language/member.js";
import { parsedJson } from "../text/parsed-json.js";

/** The value of a file, and what had to be repaired to read it. */
export interface ParsedDocument {
  readonly value: unknown;
  /** The lines that were repaired, with what was wrong. */
  readonly repairs: readonly string[];
}

// A path as a key whose colon is missing: the line ends after it, and the next one is indented further.
const keyWithoutColon = /^([ \t]*)(\/[^\s:#]*[^\s:#,])[ \t]*(\r?\n)(?=\1[ \t]+\S)/gm;

// A block of text that is not indented further than its key, which is in a list.
const blockAtKey =
  /^([ \t]*)- ([A-Za-z-]+):[ \t]*[|>][+-]?[ \t]*\r?\n((?:\1 {2}(?![A-Za-z-]+:(?:[ \t]|\r?$))\S.*(?:\r?\n|$))+)/gm;

/** A text in which the faults that definitions are known to have are repaired. */
function repairText(text: string): { readonly text: string; readonly repairs: readonly string[] } {
  const repairs: string[] = [];
  const lineOf = (at: number): number => text.slice(0, at).split("\n").length;
  const withColons = text.replaceAll(keyWithoutColon, (_, indent: string, key: string, end: string, at: number) => {
    repairs.push(`line ${lineOf(at)}: the key ${key} has no colon after it, which was added`);
    return `${indent}${key}:${end}`;
  });
  const whole = withColons.replaceAll(blockAtKey, (all: string, _: string, key: string, block: string, at: number) => {
    repairs.push(`line ${lineOf(at)}: the text of ${key} is not indented, which was added`);
    return `${all.slice(0, all.length - block.length)}${block.replaceAll(/^(?=.)/gm, "  ")}`;
  });
  return { text: whole, repairs };
}

// An alias can repeat what it names, which can repeat others: a short file could otherwise fill the memory.
const maxAliases = 100;

/**
 * Parses the text of a file as JSON or YAML.
 * @returns undefined if it is neither.
 */
export function parseDocumentText(text: string): ParsedDocument | undefined {
  const json = parsedJson(text);
  if (json !== undefined) return { value: json, repairs: [] };
  const { text: whole, repairs } = repairText(text);
  const document = parseDocument(whole, { logLevel: "silent", uniqueKeys: false, strict: false });
  if (document.errors.length > 0) return undefined;
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: maxAliases });
  } catch {
    return undefined;
  }
  return isRecord(value) || Array.isArray(value) ? { value, repairs } : undefined;
}
