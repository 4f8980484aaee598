/** Text from the wire as the values that a declared schema describes: the emulator's own reading. */
import { bare } from "../api/bare.js";
import { z } from "../api/z.js";

/** One piece of text as the schema's kind of value; text that is not of that kind stays text and fails the schema later. */
export function fromText(text: string, schema: z.ZodType): unknown {
  const kind = bare(schema);
  if (kind instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind instanceof z.ZodBoolean) return text === "true" ? true : text === "false" ? false : text;
  return text;
}

/** A text that is a whole value: an object or a list is written as JSON, everything else plainly. */
export function fromWholeText(text: string, schema: z.ZodType): unknown {
  const kind = bare(schema);
  const isStructured = kind instanceof z.ZodObject || kind instanceof z.ZodRecord || kind instanceof z.ZodArray;
  if (!isStructured) return fromText(text, schema);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An instant as text, to the second. */
export const instant = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");

/** A time as text, in milliseconds since 1970: a day is its first instant, and without a zone it is UTC. */
export function utcOf(text: string): number {
  const time = text.includes("T") ? text : `${text}T00:00:00`;
  return Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(time.slice(10)) ? time : `${time}Z`);
}

/** The place of a field in the schema of a form whose nested members have joined names; a name as it is elsewhere. */
function stepsOf(name: string, schema: z.ZodType | undefined, separator: string | undefined): readonly string[] {
  const object = schema && bare(schema);
  const shape = object instanceof z.ZodObject ? (object.shape as Readonly<Record<string, z.ZodType>>) : {};
  if (separator === undefined || Object.hasOwn(shape, name)) return [name];
  const [outer] = Object.keys(shape)
    .filter((key) => name.startsWith(key + separator))
    .sort((a, b) => b.length - a.length);
  if (outer === undefined) return [name];
  return [outer, ...stepsOf(name.slice(outer.length + separator.length), shape[outer], separator)];
}

function schemaAt(schema: z.ZodType, steps: readonly string[]): z.ZodType | undefined {
  return steps.reduce<z.ZodType | undefined>((at, step) => {
    const object = at && bare(at);
    const shape = object instanceof z.ZodObject ? (object.shape as Readonly<Record<string, z.ZodType>>) : {};
    return Object.hasOwn(shape, step) ? shape[step] : undefined;
  }, schema);
}

interface Place {
  readonly steps: readonly string[];
  readonly value: unknown;
}

/** Values at the ends of their paths, as one object; built of entries, so that every name is a member like the others. */
const nested = (places: readonly Place[]): Record<string, unknown> =>
  Object.fromEntries(
    [...new Set(places.map(({ steps }) => steps[0] ?? ""))].map((name) => {
      const within = places.filter(({ steps }) => steps[0] === name);
      const whole = within.find(({ steps }) => steps.length === 1);
      return [name, whole ? whole.value : nested(within.map(({ steps, value }) => ({ steps: steps.slice(1), value })))];
    }),
  );

/**
 * The fields of a form by the schema of its object; a field that is a list may be repeated, no other.
 * @param separator What joins the names of nested members, where the form has such.
 */
export function fromForm(fields: URLSearchParams, schema: z.ZodType, separator?: string): Record<string, unknown> {
  const read = (name: string, declared: z.ZodType | undefined): unknown => {
    const texts = fields.getAll(name);
    const kind = declared && bare(declared);
    if (kind instanceof z.ZodArray) return texts.map((text) => fromWholeText(text, kind.element as z.ZodType));
    return texts.length > 1 ? texts : fromWholeText(texts[0] ?? "", declared ?? z.string());
  };
  const places = [...new Set(fields.keys())].map((name) => {
    const steps = stepsOf(name, schema, separator);
    return { steps, value: read(name, schemaAt(schema, steps)) };
  });
  return nested(places);
}

/** The members of an element as its schema describes them; a list that must be there and has no element is empty. */
function fromMembers(node: object, shape: Readonly<Record<string, z.ZodType>>): Record<string, unknown> {
  const absent = Object.keys(shape).filter((name) => shape[name] instanceof z.ZodArray && !Object.hasOwn(node, name));
  return Object.fromEntries([
    ...Object.entries(node).map(([name, inner]) => [
      name,
      fromTree(inner, Object.hasOwn(shape, name) ? shape[name] : undefined),
    ]),
    ...absent.map((name) => [name, []]),
  ]);
}

/** XML as plain values: repeated elements are lists, and every leaf is text until the schema is asked. */
export function fromTree(node: unknown, schema: z.ZodType | undefined): unknown {
  const kind = schema && bare(schema);
  if (kind instanceof z.ZodArray)
    return (Array.isArray(node) ? node : [node]).map((item) => fromTree(item, kind.element as z.ZodType));
  if (Array.isArray(node)) return node.map((item) => fromTree(item, kind));
  const shape = kind instanceof z.ZodObject ? (kind.shape as Readonly<Record<string, z.ZodType>>) : undefined;
  if (typeof node === "object" && node !== null) return fromMembers(node, shape ?? {});
  // An element without content is an object without members where the schema has an object.
  if (node === "" && shape) return fromMembers({}, shape);
  return kind ? fromText(String(node), kind) : node;
}
