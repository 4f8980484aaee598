/** XML bytes and values: the schema determines lists, numbers and booleans, because XML itself does not. */
import { setImmediate as turn } from "node:timers/promises";
import { XMLBuilder } from "fast-xml-parser";
import sax from "sax";
import { unwrapSchema } from "../../language/shape.js";
import { CodecError } from "../../language/wire.js";
import { z } from "../../language/z.js";
import { isExact } from "../../text/exact-number.js";

const maxDepth = 64;
// Every name is a member of an object, and objects with too many members block the process.
const maxNames = 10_000;
// The library assembles markup character by character, and is slow with long markup.
const maxMarkup = 1024 * 1024;
const malformed = () => new CodecError("The body is not well-formed XML.");
const tooDeep = () => new CodecError(`The XML nests deeper than ${maxDepth} levels.`);
// XML 1.0 cannot represent these, not even escaped.
const isUnwritable = (text: string): boolean =>
  /[\p{Cc}\ufffe\uffff]/u.test(text.replaceAll(/[\t\n\r\u0080-\u009f]/g, "")) || !text.isWellFormed();
// Any other name could inject markup: names are the only part that is not escaped.
const elementName = /^[A-Za-z_][\w.:-]*$/;

const builder = new XMLBuilder({
  format: false,
  ignoreAttributes: true,
  suppressEmptyNode: true,
  processEntities: true,
});

function writableValue(value: unknown): unknown {
  if (value === null || value === undefined) return value === null ? "" : undefined;
  if (Array.isArray(value)) return value.map(writableValue);
  if (typeof value === "object")
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        if (!elementName.test(name)) throw new CodecError("A name is not valid for an XML element.");
        return [name, writableValue(inner)];
      }),
    );
  if (typeof value === "number" && !Number.isFinite(value))
    throw new CodecError("XML cannot represent a number that is not finite.");
  const text = String(value);
  if (isUnwritable(text)) throw new CodecError("XML cannot represent a control character.");
  return text;
}

/**
 * Writes a value under a root element; lists become repeated elements, null an empty one.
 * @throws CodecError for a name or a text that XML cannot represent.
 */
export function encodeXml(root: string, value: unknown): Uint8Array {
  const body: string = builder.build({ [root]: writableValue(value) });
  // Parsers normalize an unescaped carriage return to a line feed; only text can contain one here.
  return new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>\n${body.replaceAll("\r", "&#13;")}`);
}

const isBlank = (text: string): boolean => text.trim() === "";

// How much is parsed, and how many nodes are converted, before other work gets its turn: a few milliseconds each.
const sliceLength = 64 * 1024;
const nodesInTurn = 10_000;
/** Counts converted nodes; large numbers of them are converted in turns. */
interface Pace {
  nodes: number;
}
/** Runs a generator, and yields to other work at its pauses. */
type InTurns<Value> = Generator<void, Value>;

async function inTurns<Value>(work: InTurns<Value>): Promise<Value> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await turn();
  }
}

function* shapeList(items: readonly unknown[], element: z.ZodType | undefined, depth: number, pace: Pace) {
  const list: unknown[] = [];
  for (const item of items) list.push(yield* shapeNode(item, element, depth, pace));
  return list;
}

/** An object's members by the schema; a required list without elements is empty. */
function* shapeObject(node: object, inner: z.ZodType | undefined, depth: number, pace: Pace): InTurns<unknown> {
  const shape = inner instanceof z.ZodObject ? (inner.shape as Readonly<Record<string, z.ZodType>>) : {};
  const value = inner instanceof z.ZodRecord ? (inner.valueType as z.ZodType) : undefined;
  const members: [string, unknown][] = [];
  for (const [name, one] of Object.entries(node))
    members.push([name, yield* shapeNode(one, Object.hasOwn(shape, name) ? shape[name] : value, depth + 1, pace)]);
  for (const [name, one] of Object.entries(shape))
    if (one instanceof z.ZodArray && !Object.hasOwn(node, name)) members.push([name, []]);
  return Object.fromEntries(members);
}

/** A text as the value that the schema describes. */
function shapeText(text: string, schema: z.ZodType | undefined, inner: z.ZodType | undefined): unknown {
  const isNumber = inner instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(text.trim());
  // An integer beyond the safe range, or a long decimal, stays text: as a number it would be rounded.
  if (isNumber && isExact(text.trim().replace("-", "")) && (text.includes(".") || Number.isSafeInteger(Number(text))))
    return Number(text);
  if (inner instanceof z.ZodBoolean && /^(true|false)$/.test(text.trim())) return text.trim() === "true";
  return text === "" && schema?.safeParse(null).success ? null : text;
}

/** A node, converted by the first option that it matches; unchanged if it matches none. */
function* shapeUnion(node: unknown, options: readonly z.ZodType[], depth: number, pace: Pace): InTurns<unknown> {
  const readings: (readonly [z.ZodType, unknown])[] = [];
  for (const option of options) readings.push([option, yield* shapeNode(node, option, depth, pace)]);
  const fitting = readings.find(([option, reading]) => option.safeParse(reading).success);
  return fitting ? fitting[1] : yield* shapeNode(node, undefined, depth, pace);
}

/** The elements of a list, which in XML look like a single element. */
function itemsOf(node: unknown, element: z.ZodType): readonly unknown[] {
  if (Array.isArray(node)) return node;
  // One empty element is a list of one empty text, but not a list of one object without members.
  return node === "" && unwrapSchema(element) instanceof z.ZodObject ? [] : [node];
}

/** A parsed node as the value that the schema describes; undeclared parts are unchanged. */
function* shapeNode(node: unknown, schema: z.ZodType | undefined, depth: number, pace: Pace): InTurns<unknown> {
  if (depth > maxDepth) throw tooDeep();
  pace.nodes += 1;
  if (pace.nodes % nodesInTurn === 0) yield;
  const inner = schema && unwrapSchema(schema);
  if (inner instanceof z.ZodUnion) return yield* shapeUnion(node, inner.options as readonly z.ZodType[], depth, pace);
  if (inner instanceof z.ZodArray) {
    const element = inner.element as z.ZodType;
    return yield* shapeList(itemsOf(node, element), element, depth + 1, pace);
  }
  if (Array.isArray(node)) return yield* shapeList(node, inner, depth + 1, pace);
  if (typeof node === "object" && node !== null) return yield* shapeObject(node, inner, depth, pace);
  const value = shapeText(String(node), schema, inner);
  const isObject = inner instanceof z.ZodObject || inner instanceof z.ZodRecord;
  if (isObject && typeof value === "string" && isBlank(value)) return yield* shapeObject({}, inner, depth, pace);
  return value;
}

/** The content of an element: its text, or its elements by name, with text between them as `#text`. */
type Content = string | Elements;
interface Elements {
  [name: string]: Content | Content[];
}

/** An element that is being parsed. */
interface OpenElement {
  readonly name: string;
  text: string;
  elements?: Elements;
  /** The number of distinct names of its elements. */
  names: number;
}

function contentOf({ text, elements }: OpenElement): Content {
  if (elements === undefined) return text;
  return isBlank(text) ? elements : Object.assign(elements, { "#text": text });
}

function addElement(parent: OpenElement, name: string, content: Content): void {
  // Without a prototype, so that no name has a special meaning.
  parent.elements ??= Object.create(null) as Elements;
  const before = parent.elements[name];
  if (before === undefined) {
    parent.elements[name] = content;
    parent.names += 1;
    if (parent.names > maxNames) throw new CodecError(`The XML has an element with more than ${maxNames} names in it.`);
  } else if (Array.isArray(before)) before.push(content);
  else parent.elements[name] = [before, content];
}

const predefined = new Map(Object.entries({ lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" }));
// A vendor's text can have entities of HTML, which XML does not define: they are left as written.
const entities = new Proxy<Record<string, string>>(
  {},
  { get: (_, name: string) => predefined.get(name) ?? (/^\w+$/.test(name) ? `&${name};` : undefined) },
);

/** The markup that a parser assembles, in addition to text. */
const markup = ["tagName", "attribName", "attribValue", "comment", "procInstBody", "sgmlDecl", "entity"] as const;

/** A text in slices, none of which ends within a line end. */
function* slicesOf(xml: string): Generator<string> {
  for (let start = 0, end = 0; start < xml.length; start = end) {
    end = start + sliceLength;
    if (xml[end - 1] === "\r" && xml[end] === "\n") end += 1;
    yield xml.slice(start, end);
  }
}

/** Parses XML into the content of its root element, without attributes; values stay text, so that 0123 stays 0123. */
async function parseXml(xml: string): Promise<{ readonly name: string; readonly content: Content }> {
  const parser = sax.parser(true, { position: false });
  parser.ENTITIES = entities;
  const document: OpenElement = { name: "", text: "", names: 0 };
  const open = [document];
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  // The library looks up attribute names in an object: an empty one has none.
  const attributes = new Set<string>();
  parser.onattribute = ({ name }) => {
    if (attributes.has(name)) throw malformed();
    attributes.add(name);
    delete parser.tag.attributes[name];
  };
  parser.onopentag = ({ name }) => {
    attributes.clear();
    // Parsing stops at the depth limit.
    if (open.length > maxDepth + 1) throw tooDeep();
    open.push({ name, text: "", names: 0 });
  };
  parser.onclosetag = () => {
    const [element, parent] = [open.pop(), open.at(-1)];
    if (element && parent) addElement(parent, element.name, contentOf(element));
  };
  // Entities can only be declared in a document type; rejecting it is the whole defence.
  parser.ondoctype = () => {
    throw new CodecError("The XML declares a document type, which is rejected.");
  };
  parser.onerror = () => {
    throw malformed();
  };
  for (const slice of slicesOf(xml)) {
    // Line ends are normalized as in XML 1.0 (2.11), which the library leaves to its caller.
    parser.write(slice.replaceAll(/\r\n?/g, "\n"));
    const markupTexts = parser as unknown as Readonly<Record<(typeof markup)[number], string>>;
    if (markup.some((name) => markupTexts[name].length > maxMarkup))
      throw new CodecError(`The XML has a name, an attribute or a comment of more than ${maxMarkup} characters.`);
    if (slice.length < xml.length) await turn();
  }
  parser.close();
  const [root, ...others] = Object.entries(document.elements ?? {});
  if (!root || others.length > 0 || Array.isArray(root[1]))
    throw new CodecError("The XML does not have one root element.");
  return { name: root[0], content: root[1] };
}

/**
 * Reads the content of the root element, whatever its name; text that does not match the schema becomes a member with
 * the root's name. A large body is read in turns, so that other work is not delayed.
 * @throws CodecError for bytes that are not well-formed XML, or that declare a document type.
 */
export async function decodeXml(bytes: Uint8Array, schema: z.ZodType): Promise<unknown> {
  const { name, content } = await parseXml(new TextDecoder().decode(bytes));
  const value = await inTurns(shapeNode(content, schema, 0, { nodes: 0 }));
  // Text in place of elements, such as that of an error, is only identified by the name of its element.
  const isStray = typeof value === "string" && !schema.safeParse(value).success;
  return isStray && elementName.test(name) ? { [name]: value } : value;
}
