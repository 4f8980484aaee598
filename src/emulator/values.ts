/** Parses text from the wire into the values of a declared schema, independently of the client. */
import { unwrapSchema } from "../language/shape.js";
import { z } from "../language/z.js";

/** Parses text as the schema's type; text of another type stays text and fails the schema later. */
export function fromText(text: string, schema: z.ZodType): unknown {
  const kind = unwrapSchema(schema);
  if (kind instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind instanceof z.ZodBoolean) return text === "true" ? true : text === "false" ? false : text;
  return text;
}

/** Parses text that is a whole value: objects and lists are JSON, everything else is plain text. */
export function fromWholeText(text: string, schema: z.ZodType): unknown {
  const kind = unwrapSchema(schema);
  const isStructured = kind instanceof z.ZodObject || kind instanceof z.ZodRecord || kind instanceof z.ZodArray;
  if (!isStructured) return fromText(text, schema);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An instant as ISO 8601 text, to the second. */
export const instant = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");

/** Parses a time into milliseconds since 1970: a date means its midnight, and UTC is the default zone. */
export function utcOf(text: string): number {
  const time = text.includes("T") ? text : `${text}T00:00:00`;
  return Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(time.slice(10)) ? time : `${time}Z`);
}

/** The members of a schema that is an object; undefined for any other. */
function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> | undefined {
  const object = schema && unwrapSchema(schema);
  return object instanceof z.ZodObject ? object.shape : undefined;
}

/** The path of a form field whose nested member names are joined by the separator; otherwise the name itself. */
function stepsOf(name: string, schema: z.ZodType | undefined, separator: string | undefined): readonly string[] {
  const shape = shapeOf(schema) ?? {};
  if (separator === undefined || Object.hasOwn(shape, name)) return [name];
  const [outer] = Object.keys(shape)
    .filter((key) => name.startsWith(key + separator))
    .sort((a, b) => b.length - a.length);
  if (outer === undefined) return [name];
  return [outer, ...stepsOf(name.slice(outer.length + separator.length), shape[outer], separator)];
}

function schemaAt(schema: z.ZodType, steps: readonly string[]): z.ZodType | undefined {
  return steps.reduce<z.ZodType | undefined>((at, step) => {
    const shape = shapeOf(at) ?? {};
    return Object.hasOwn(shape, step) ? shape[step] : undefined;
  }, schema);
}

interface FieldAt {
  readonly steps: readonly string[];
  readonly value: unknown;
}

/** Builds an object from values with paths; from entries, so that names such as `__proto__` are ordinary members. */
const nested = (places: readonly FieldAt[]): Record<string, unknown> =>
  Object.fromEntries(
    [...new Set(places.map(({ steps }) => steps[0] ?? ""))].map((name) => {
      const within = places.filter(({ steps }) => steps[0] === name);
      const whole = within.find(({ steps }) => steps.length === 1);
      return [name, whole ? whole.value : nested(within.map(({ steps, value }) => ({ steps: steps.slice(1), value })))];
    }),
  );

/**
 * Parses a form by the schema of its object; only list fields may be repeated.
 * @param separator Joins the names of nested members, if the form has any.
 */
export function fromForm(fields: URLSearchParams, schema: z.ZodType, separator?: string): Record<string, unknown> {
  const read = (name: string, declared: z.ZodType | undefined): unknown => {
    const texts = fields.getAll(name);
    const kind = declared && unwrapSchema(declared);
    if (kind instanceof z.ZodArray) return texts.map((text) => fromWholeText(text, kind.element as z.ZodType));
    return texts.length > 1 ? texts : fromWholeText(texts[0] ?? "", declared ?? z.string());
  };
  const places = [...new Set(fields.keys())].map((name) => {
    const steps = stepsOf(name, schema, separator);
    return { steps, value: read(name, schemaAt(schema, steps)) };
  });
  return nested(places);
}

/** Parses the members of an element by its schema; a required list without an element is empty. */
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

/** Converts parsed XML by the schema: repeated elements are lists, and leaves are text unless the schema differs. */
export function fromTree(node: unknown, schema: z.ZodType | undefined): unknown {
  const kind = schema && unwrapSchema(schema);
  if (kind instanceof z.ZodArray)
    return (Array.isArray(node) ? node : [node]).map((item) => fromTree(item, kind.element as z.ZodType));
  if (Array.isArray(node)) return node.map((item) => fromTree(item, kind));
  const shape = shapeOf(kind);
  if (typeof node === "object" && node !== null) return fromMembers(node, shape ?? {});
  // An empty element is an empty object where the schema has an object.
  if (node === "" && shape) return fromMembers({}, shape);
  return kind ? fromText(String(node), kind) : node;
}
