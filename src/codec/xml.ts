/** XML bytes and values: the schema says what is a list, a number or a flag, because XML itself does not. */
import { XMLBuilder, XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "../api/z.js";
import { CodecError } from "./error.js";

const maxDepth = 64;
// XML 1.0 has no way to write these, not even escaped.
const isUnwritable = (text: string): boolean =>
  /[\p{Cc}\ufffe\uffff]/u.test(text.replaceAll(/[\t\n\r\u0080-\u009f]/g, ""));

const builder = new XMLBuilder({
  format: false,
  ignoreAttributes: true,
  suppressEmptyNode: true,
  processEntities: true,
});
// Values stay text until the schema is asked: the library would read 0123 and 1e5 as numbers.
const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: true,
  htmlEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

function writable(value: unknown): unknown {
  if (value === null || value === undefined) return value === null ? "" : undefined;
  if (Array.isArray(value)) return value.map(writable);
  if (typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, writable(inner)]));
  const text = String(value);
  if (isUnwritable(text) || !text.isWellFormed()) throw new CodecError("XML cannot hold a control character.");
  return text;
}

/** Writes a value under a root element; lists become repeated elements, null an empty one. */
export function encodeXml(root: string, value: unknown): Uint8Array {
  const body: string = builder.build({ [root]: writable(value) });
  return new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`);
}

const unwrapped = (schema: z.ZodType | undefined): z.ZodType | undefined =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;

const isBlank = (text: string): boolean => text.trim() === "";

/** A parsed node as the value that the schema describes; what the schema does not know stays as it was read. */
function shaped(node: unknown, schema: z.ZodType | undefined, depth: number): unknown {
  if (depth > maxDepth) throw new CodecError(`The XML nests deeper than ${maxDepth} levels.`);
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray) {
    const items = Array.isArray(node) ? node : node === "" ? [] : [node];
    return items.map((item) => shaped(item, inner.element as z.ZodType, depth + 1));
  }
  if (Array.isArray(node)) return node.map((item) => shaped(item, inner, depth + 1));
  if (typeof node === "object" && node !== null) {
    const shape = inner instanceof z.ZodObject ? inner.shape : {};
    const entries = Object.entries(node).filter(([name, value]) => name !== "#text" || !isBlank(String(value)));
    return Object.fromEntries(
      entries.map(([name, value]) => [name, shaped(value, shape[name] as z.ZodType | undefined, depth + 1)]),
    );
  }
  const text = String(node);
  if (inner instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(text.trim())) return Number(text);
  if (inner instanceof z.ZodBoolean && /^(true|false)$/.test(text.trim())) return text.trim() === "true";
  if (inner instanceof z.ZodObject && isBlank(text)) return {};
  if (text === "" && schema?.safeParse(null).success) return null;
  return text;
}

/**
 * Reads the content of the root element, whatever its name.
 * @throws CodecError for bytes that are not well-formed XML, or that declare a document type.
 */
export function decodeXml(bytes: Uint8Array, schema: z.ZodType): unknown {
  const text = new TextDecoder().decode(bytes);
  // Entities can only be declared in a document type; refusing it is the whole defence.
  if (/<!DOCTYPE/i.test(text)) throw new CodecError("The XML declares a document type, which is refused.");
  let tree: Record<string, unknown>;
  try {
    if (XMLValidator.validate(text) !== true) throw new CodecError("The body is not well-formed XML.");
    tree = parser.parse(text) as Record<string, unknown>;
  } catch {
    throw new CodecError("The body is not well-formed XML.");
  }
  const roots = Object.entries(tree).filter(([name]) => name !== "#text");
  const [root] = roots;
  if (!root || roots.length > 1 || Array.isArray(root[1]))
    throw new CodecError("The XML does not have one root element.");
  return shaped(root[1], schema, 0);
}
