/**
 * Converts arguments to the types of their schema, if a caller could only write them in the one type that is listed.
 */
import { parsedJson } from "../language/json.js";
import { isEmpty, isRecord, withEach } from "../language/member.js";
import { z } from "../language/z.js";
import { bare, wrappedBy } from "../schema/shape.js";

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The number that a text represents; the text itself if it is not a plain numeral, or too large for a number. */
function numberIn(text: string): unknown {
  const number = Number(text);
  return numeral.test(text) && (Number.isSafeInteger(number) || !Number.isInteger(number)) ? number : text;
}

const maxNesting = 32;

/** The object or list that a text is the JSON of; the text itself if it is none, or nested too deep. */
function jsonIn(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  let nesting = 0;
  for (const [mark] of value.matchAll(/[[\]{}]/g)) {
    nesting += mark === "[" || mark === "{" ? 1 : -1;
    if (nesting > maxNesting) return value;
  }
  return parsedJson(value) ?? value;
}

type Shape = Readonly<Record<string, z.ZodType>>;

/** The members of an object, converted by their schemas; `others` is that of undeclared members. */
function membersIn(value: Readonly<Record<string, unknown>>, shape: Shape, others: z.ZodType | undefined): unknown {
  // Further members of any type are listed without a type, so they need no conversion.
  const further = others instanceof z.ZodUnknown ? undefined : others;
  return withEach(value, (member, name) => {
    const schema = Object.hasOwn(shape, name) ? shape[String(name)] : further;
    return schema === undefined ? member : coerced(schema, member);
  });
}

/** The closed set of values of a schema, if it has one. */
const valuesOf = (schema: z.ZodType): readonly unknown[] =>
  schema instanceof z.ZodLiteral ? [...schema.values] : schema instanceof z.ZodEnum ? schema.options : [];

const isListSchema = (schema: z.ZodType): boolean => schema instanceof z.ZodArray || schema instanceof z.ZodTuple;

function namedOption(union: z.ZodUnion, options: readonly z.ZodType[], value: unknown): z.ZodType | undefined {
  if (!(union instanceof z.ZodDiscriminatedUnion) || !isRecord(value)) return undefined;
  const name = union.def.discriminator;
  return options.find((one) => one instanceof z.ZodObject && accepts(one.shape[name] as z.ZodType, value[name]));
}

/** A value of a union, converted by the first option that accepts it. */
function optionOf(union: z.ZodUnion, value: unknown): unknown {
  const options = (union.options as readonly z.ZodType[]).map(bare);
  const named = namedOption(union, options, value);
  if (named) return coerced(named, value);
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  // A value that represents a whole list, such as "all", takes precedence even if it could be an item.
  if (only !== undefined && options.some((option) => valuesOf(option).includes(only))) return only;
  const parsed = jsonIn(value);
  const candidates: readonly (readonly [unknown, readonly z.ZodType[]])[] = [
    ...(parsed === value ? [] : [[parsed, options] as const]),
    [value, options.filter((option) => accepts(option, value))],
    [value, options],
    ...(only === undefined ? [] : [[only, options.filter((option) => !isListSchema(option))] as const]),
  ];
  for (const [meant, takers] of candidates)
    for (const option of takers) {
      const read = coerced(option, meant);
      if (accepts(option, read)) return read;
    }
  return value;
}

/**
 * Converts a value that was written for the listed schema, which has one type per member, to the whole schema: plain
 * numerals to numbers, `true` and `false`, JSON of objects and lists, a list of one to its item, and the empty value to
 * null if null cannot be left out. Acceptable values are unchanged, as are unconvertible ones: the validation that
 * follows names their field.
 */
export function coerced(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  // The most frequent cases of a large body first, because each of the tests below looks up the schema's class.
  if (schema.type === "string") return value;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return coerced(bare(schema), value);
  if (schema instanceof z.ZodObject) return objectOf(schema, value);
  if (schema instanceof z.ZodArray) return listOf(schema, value);
  if (schema instanceof z.ZodNullable) return nullableOf(schema, value);
  const wrapped = wrappedBy(schema);
  if (wrapped) return coerced(wrapped, value);
  if (schema instanceof z.ZodPipe) return coerced(schema.in as z.ZodType, value);
  if (schema instanceof z.ZodIntersection)
    return coerced(schema.def.right as z.ZodType, coerced(schema.def.left as z.ZodType, value));
  if (schema instanceof z.ZodUnion) return optionOf(schema, value);
  return plainOf(schema, value);
}

function objectOf({ shape, def }: z.ZodObject, value: unknown): unknown {
  const members = jsonIn(value);
  return isRecord(members) ? membersIn(members, shape as Shape, def.catchall as z.ZodType | undefined) : value;
}

function listOf({ element }: z.ZodArray, value: unknown): unknown {
  const items = jsonIn(value);
  return Array.isArray(items) ? withEach(items, (item) => coerced(element as z.ZodType, item)) : value;
}

function nullableOf(schema: z.ZodNullable, value: unknown): unknown {
  const inner = bare(schema);
  const read = coerced(inner, value);
  const isNull = isEmpty(read) && !accepts(schema, undefined) && !accepts(inner, read);
  return isNull ? null : read;
}

/** A text as a number, a boolean, or a named value; undefined for schemas of other types. */
function scalarOf(schema: z.ZodType, text: string): unknown {
  if (schema instanceof z.ZodNumber) return numberIn(text);
  if (schema instanceof z.ZodBoolean) return text === "true" ? true : text === "false" ? false : text;
  const named = valuesOf(schema);
  if (named.length === 0 || named.includes(text)) return named.length === 0 ? undefined : text;
  return named.find((one) => String(one) === text) ?? text;
}

/** Converts a value by a schema that is neither a union nor a wrapper. */
function plainOf(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodNull) return isEmpty(value) ? null : value;
  const scalar = typeof value === "string" ? scalarOf(schema, value) : undefined;
  if (scalar !== undefined) return scalar;
  const parsed = jsonIn(value);
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return parsed;
  if (schema instanceof z.ZodTuple && Array.isArray(parsed)) {
    const { items, rest } = schema.def;
    return withEach(parsed, (item, at) => coerced((items[Number(at)] ?? rest ?? z.never()) as z.ZodType, item));
  }
  if (schema instanceof z.ZodRecord && isRecord(parsed)) return membersIn(parsed, {}, schema.valueType as z.ZodType);
  return value;
}
