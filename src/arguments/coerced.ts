/**
 * Converts arguments to the types of their schema, if a caller could only write them in the one type that is listed.
 */

import { isExact } from "../language/exact-number.js";
import { maxProblems } from "../language/failure.js";
import { argumentsIn, excessOf, sizeOfJson } from "../language/json-size.js";
import { isEmpty, isRecord, withEach } from "../language/member.js";
import { z } from "../language/z.js";
import { bare, formsOf, wrappedBy } from "../schema/shape.js";
import { withInstants } from "../time/instant.js";
import { hasTooManyNames } from "./unusable.js";

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.validate(value);

/** Whether a schema accepts a value once its times are converted, in whichever zone they are. */
const acceptsTimed = (schema: z.ZodType, value: unknown): boolean =>
  accepts(schema, withInstants(schema, value, "UTC").values);

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The number that a text represents; the text itself if it is not a plain numeral, or if a number would round it. */
function numberIn(text: string): unknown {
  const number = Number(text);
  const isTaken = numeral.test(text) && (Number.isSafeInteger(number) || !Number.isInteger(number)) && isExact(text);
  return isTaken ? number : text;
}

const maxNesting = 32;
/** A list with more items is checked item by item, so that it ends where an error would. */
const longList = 100;

/** The object or list that a text is the JSON of; the text itself if it is none, nested too deep or too large for a call. */
function jsonIn(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  const size = sizeOfJson(value, true);
  return size.levels > maxNesting || excessOf(size) ? value : (argumentsIn(value, size) ?? value);
}

type Shape = Readonly<Record<string, z.ZodType>>;

/** Counts the lists that were cut: they are refused for the items before, and each item can take as long as a call. */
export interface Cuts {
  lists: number;
}

/** The members of an object, converted by their schemas; `others` is that of undeclared members. */
function membersIn(
  value: Readonly<Record<string, unknown>>,
  { shape = {}, others }: { readonly shape?: Shape; readonly others: z.ZodType | undefined },
  cuts: Cuts | undefined,
): unknown {
  // Further members of any type are listed without a type, so they need no conversion.
  const further = others instanceof z.ZodUnknown ? undefined : others;
  return withEach(value, (member, name) => {
    const schema = Object.hasOwn(shape, name) ? shape[String(name)] : further;
    return schema === undefined ? member : coerced(schema, member, cuts);
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

/** The options that may take a value of a union, each with what the value means to it, most likely first. */
function* attemptsOf(
  options: readonly z.ZodType[],
  value: unknown,
  only: unknown,
): Generator<readonly [option: z.ZodType, meant: unknown]> {
  const parsed = jsonIn(value);
  if (parsed !== value) for (const option of options) yield [option, parsed];
  for (const option of options) if (accepts(option, value)) yield [option, value];
  for (const option of options) yield [option, value];
  if (only !== undefined) for (const option of options) if (!isListSchema(option)) yield [option, only];
}

/** A value of a union, converted by the first option that accepts it. */
function optionOf(union: z.ZodUnion, value: unknown, cuts: Cuts | undefined): unknown {
  const options = (union.options as readonly z.ZodType[]).map(bare);
  const named = namedOption(union, options, value);
  if (named) return coerced(named, value, cuts);
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  // A value that represents a whole list, such as "all", takes precedence even if it could be an item.
  if (only !== undefined && options.some((option) => valuesOf(option).includes(only))) return only;
  let cut: unknown;
  for (const [option, meant] of attemptsOf(options, value, only)) {
    const within = cuts && { lists: 0 };
    const read = coerced(option, meant, within);
    if (accepts(option, read)) return read;
    // If no option takes it, an error about its first items is enough.
    if (within?.lists) cut ??= read;
  }
  if (!cuts || cut === undefined) return value;
  cuts.lists += 1;
  return cut;
}

/**
 * Converts a value that was written for the listed schema, which has one type per member, to the whole schema: plain
 * numerals to numbers, `true` and `false`, JSON of objects and lists, a list of one to its item, and the empty value to
 * null if null cannot be left out. Acceptable values are unchanged, as are unconvertible ones: the validation that
 * follows names their field.
 * @param cuts If it is given, a long list ends after so many wrong items as an error names, and is counted here.
 */
export function coerced(schema: z.ZodType, value: unknown, cuts?: Cuts): unknown {
  if (value === null || value === undefined) return value;
  // The most frequent cases of a large body first, because each of the tests below looks up the schema's class.
  if (schema.type === "string") return value;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return coerced(bare(schema), value, cuts);
  if (schema instanceof z.ZodObject) return objectOf(schema, value, cuts);
  if (schema instanceof z.ZodArray) return listOf(schema, value, cuts);
  if (schema instanceof z.ZodNullable) return nullableOf(schema, value, cuts);
  const wrapped = wrappedBy(schema);
  if (wrapped) return coerced(wrapped, value, cuts);
  if (schema instanceof z.ZodPipe) return coerced(schema.in as z.ZodType, value, cuts);
  if (schema instanceof z.ZodIntersection)
    return coerced(schema.def.right as z.ZodType, coerced(schema.def.left as z.ZodType, value, cuts), cuts);
  if (schema instanceof z.ZodUnion) return optionOf(schema, value, cuts);
  return plainOf(schema, value, cuts);
}

function objectOf(schema: z.ZodObject, value: unknown, cuts: Cuts | undefined): unknown {
  const members = jsonIn(value);
  // Written as text, they are not counted before.
  if (members !== value && isRecord(members) && hasTooManyNames(members, () => formsOf(schema))) return value;
  const { shape, def } = schema;
  const schemas = { shape: shape as Shape, others: def.catchall as z.ZodType | undefined };
  return isRecord(members) ? membersIn(members, schemas, cuts) : value;
}

function listOf({ element }: z.ZodArray, value: unknown, cuts: Cuts | undefined): unknown {
  const items = jsonIn(value);
  if (!Array.isArray(items)) return value;
  const schema = element as z.ZodType;
  const isChecked = cuts !== undefined && items.length > longList;
  let wrong = 0;
  let end = items.length;
  const read = withEach(items, (item, at) => {
    if (wrong === maxProblems) return item;
    const one = coerced(schema, item, cuts);
    if (isChecked && !acceptsTimed(schema, one)) wrong += 1;
    if (wrong === maxProblems) end = Number(at) + 1;
    return one;
  }) as readonly unknown[];
  if (!cuts || end === items.length) return read;
  cuts.lists += 1;
  return read.slice(0, end);
}

function nullableOf(schema: z.ZodNullable, value: unknown, cuts: Cuts | undefined): unknown {
  const inner = bare(schema);
  const read = coerced(inner, value, cuts);
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
function plainOf(schema: z.ZodType, value: unknown, cuts: Cuts | undefined): unknown {
  if (schema instanceof z.ZodNull) return isEmpty(value) ? null : value;
  const scalar = typeof value === "string" ? scalarOf(schema, value) : undefined;
  if (scalar !== undefined) return scalar;
  const parsed = jsonIn(value);
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return parsed;
  if (schema instanceof z.ZodTuple && Array.isArray(parsed)) {
    const { items, rest } = schema.def;
    return withEach(parsed, (item, at) => coerced((items[Number(at)] ?? rest ?? z.never()) as z.ZodType, item, cuts));
  }
  if (schema instanceof z.ZodRecord && isRecord(parsed))
    return membersIn(parsed, { others: schema.valueType as z.ZodType }, cuts);
  return value;
}
