/**
 * Converts arguments to the types of their schema, if a caller could only write them in the one type that is listed.
 */
import { maxProblems } from "../language/failure.js";
import { isEmpty, isNothing, isRecord, memberAt, omitted, withEach } from "../language/member.js";
import { formsOf, unwrapSchema, wrappedSchema } from "../language/shape.js";
import { z } from "../language/z.js";
import { isExact } from "../text/exact-number.js";
import { argumentsIn, excessOf, mostInJson, sizeOfJson } from "../text/json-size.js";
import { withInstants } from "../time/instant.js";
import { hasTooManyNames } from "./unusable.js";

type Shape = Readonly<Record<string, z.ZodType>>;

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.validate(value);

/** Whether a schema accepts a value once its times are converted, in whichever zone they are. */
const acceptsTimed = (schema: z.ZodType, value: unknown): boolean =>
  accepts(schema, withInstants(schema, value, "UTC").values);

/** Whether a member stands for none: it is null or empty, and its schema does not take that as a value. */
const isAbsent = (schema: z.ZodType, value: unknown): boolean => isNothing(value) && !accepts(schema, value);

/**
 * The arguments of a call without those that stand for none: null or empty text that is no value of their schema.
 * @param isValue Whether an empty text is a value of an optional argument whose schema takes it, as in a body.
 */
export function withoutAbsent<A>(shape: Shape, args: A, isValue = false): A {
  if (!isRecord(args) || !Object.values(args).some(isNothing)) return args;
  return withEach(args, (value, name) => {
    const schema = Object.hasOwn(shape, name) ? shape[String(name)] : undefined;
    if (schema === undefined || !isNothing(value)) return value;
    const isUnused = value === "" && !isValue && accepts(schema, undefined);
    return isUnused || isAbsent(schema, value) ? omitted : value;
  }) as A;
}

/** The paths of what is null or empty in given values, and left out of what was read from them. */
export function absentPaths(input: unknown, read: unknown, path: readonly PropertyKey[]): (readonly PropertyKey[])[] {
  const parsedInput = jsonIn(input);
  if (parsedInput === read || typeof parsedInput !== "object" || parsedInput === null) return [];
  if (Array.isArray(read) && !Array.isArray(parsedInput)) return absentPaths(parsedInput, read[0], path);
  return Object.entries(parsedInput).flatMap(([name, member]) => {
    const at = [...path, Array.isArray(parsedInput) ? Number(name) : name];
    if (isNothing(member) && isRecord(read) && !Object.hasOwn(read, name)) return [at];
    return absentPaths(member, memberAt(read, [name]), at);
  });
}

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

/** The object or list in JSON text; the text itself if it is not JSON, or nested too deep or too large for a call. */
function jsonIn(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  const size = sizeOfJson(value, true);
  return size.levels > maxNesting || excessOf(size) ? value : (argumentsIn(value, size) ?? value);
}

/** Counts the lists that were cut: they are refused for the items before, and each item can take as long as a call. */
export interface CutCount {
  lists: number;
}

/** The members of an object, converted by their schemas; `others` is that of undeclared members. */
function membersIn(
  value: Readonly<Record<string, unknown>>,
  { shape = {}, others }: { readonly shape?: Shape; readonly others: z.ZodType | undefined },
  cuts: CutCount | undefined,
): unknown {
  // Further members of any type are listed without a type, so they need no conversion.
  const further = others instanceof z.ZodUnknown ? undefined : others;
  return withEach(value, (member, name) => {
    const isNamed = Object.hasOwn(shape, name);
    const schema = isNamed ? shape[String(name)] : further;
    if (schema === undefined) return member;
    const read = coerce(schema, member, cuts);
    return isNamed && isAbsent(schema, read) ? omitted : read;
  });
}

/** The closed set of values of a schema, if it has one. */
const valuesOf = (schema: z.ZodType): readonly unknown[] =>
  schema instanceof z.ZodLiteral ? [...schema.values] : schema instanceof z.ZodEnum ? schema.options : [];

function isListSchema(schema: z.ZodType): boolean {
  const wrapped = wrappedSchema(schema);
  return wrapped ? isListSchema(wrapped) : schema instanceof z.ZodArray || schema instanceof z.ZodTuple;
}

function namedOption(union: z.ZodUnion, options: readonly z.ZodType[], value: unknown): z.ZodType | undefined {
  if (!(union instanceof z.ZodDiscriminatedUnion) || !isRecord(value)) return undefined;
  const name = union.def.discriminator;
  return options.find((one) => one instanceof z.ZodObject && accepts(one.shape[name] as z.ZodType, value[name]));
}

/** The options for a value, lists last: one value becomes a list only if nothing else takes it, an object never. */
function optionsInOrder(options: readonly z.ZodType[], value: unknown): readonly z.ZodType[] {
  if (Array.isArray(value)) return options;
  const others = options.filter((option) => !isListSchema(option));
  // A recursive shape would be tried as an object and as a list at each of its levels.
  return isRecord(value) ? others : [...others, ...options.filter(isListSchema)];
}

/** The options that may take a value of a union, each with what the value means to it, most likely first. */
function* optionAttempts(
  options: readonly z.ZodType[],
  value: unknown,
  only: unknown,
): Generator<readonly [option: z.ZodType, meant: unknown]> {
  const parsed = jsonIn(value);
  if (parsed !== value) for (const option of options) yield [option, parsed];
  for (const option of options) if (accepts(option, value)) yield [option, value];
  for (const option of optionsInOrder(options, value)) yield [option, value];
  if (only !== undefined) for (const option of options) if (!isListSchema(option)) yield [option, only];
}

/** A value of a union, converted by the first option that accepts it. */
function optionOf(union: z.ZodUnion, value: unknown, cuts: CutCount | undefined): unknown {
  const options = (union.options as readonly z.ZodType[]).map(unwrapSchema);
  const named = namedOption(union, options, value);
  if (named) return coerce(named, value, cuts);
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  // A value that represents a whole list, such as "all", takes precedence even if it could be an item.
  if (only !== undefined && options.some((option) => valuesOf(option).includes(only))) return only;
  let cut: unknown;
  for (const [option, meant] of optionAttempts(options, value, only)) {
    const within = cuts && { lists: 0 };
    const read = coerce(option, meant, within);
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
 * numerals to numbers, `true` and `false`, JSON of objects and lists, a list of one to its item, one value to a list, and
 * the empty value to null if null cannot be left out. Members that stand for none (`withoutAbsent`) are left out.
 * Acceptable values are unchanged, as are unconvertible ones: the validation that follows names their field.
 * @param cuts If present, a long list ends after as many wrong items as an error names, and is counted here.
 */
export function coerce(schema: z.ZodType, value: unknown, cuts?: CutCount): unknown {
  if (value === null || value === undefined) return value;
  // The most frequent cases of a large body first, because each of the tests below looks up the schema's class.
  if (schema.type === "string") return value;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return coerce(unwrapSchema(schema), value, cuts);
  if (schema instanceof z.ZodObject) return objectOf(schema, value, cuts);
  if (schema instanceof z.ZodArray) return listOf(schema, value, cuts);
  if (schema instanceof z.ZodNullable) return nullableOf(schema, value, cuts);
  const wrapped = wrappedSchema(schema);
  if (wrapped) return coerce(wrapped, value, cuts);
  if (schema instanceof z.ZodPipe) return coerce(schema.in as z.ZodType, value, cuts);
  if (schema instanceof z.ZodIntersection)
    return coerce(schema.def.right as z.ZodType, coerce(schema.def.left as z.ZodType, value, cuts), cuts);
  if (schema instanceof z.ZodUnion) return optionOf(schema, value, cuts);
  return plainOf(schema, value, cuts);
}

function objectOf(schema: z.ZodObject, value: unknown, cuts: CutCount | undefined): unknown {
  const members = jsonIn(value);
  // The members of JSON text have not been counted before.
  if (members !== value && isRecord(members) && hasTooManyNames(members, () => formsOf(schema))) return value;
  const { shape, def } = schema;
  const schemas = { shape: shape as Shape, others: def.catchall as z.ZodType | undefined };
  return isRecord(members) ? membersIn(members, schemas, cuts) : value;
}

/** The list that one value stands for: of it alone or, if that is no item, of the parts of a text between its commas. */
function listFrom(list: z.ZodArray, value: unknown): unknown {
  if (isNothing(value) || formsOf(list.element as z.ZodType).some(isListSchema)) return value;
  const parts = typeof value === "string" ? value.split(",", mostInJson.items + 1).map((part) => part.trim()) : [];
  const attempts = parts.length > 1 && parts.length <= mostInJson.items ? [[value], parts] : [[value]];
  for (const items of attempts) {
    const read = listOf(list, items, { lists: 0 });
    if (acceptsTimed(list, read)) return read;
  }
  return value;
}

function listOf(list: z.ZodArray, value: unknown, cuts: CutCount | undefined): unknown {
  const items = jsonIn(value);
  if (!Array.isArray(items)) return listFrom(list, items);
  const schema = list.element as z.ZodType;
  const isChecked = cuts !== undefined && items.length > longList;
  let wrong = 0;
  let end = items.length;
  const read = withEach(items, (item, at) => {
    if (wrong === maxProblems) return item;
    const coercedItem = coerce(schema, item, cuts);
    if (isChecked && !acceptsTimed(schema, coercedItem)) wrong += 1;
    if (wrong === maxProblems) end = Number(at) + 1;
    return coercedItem;
  }) as readonly unknown[];
  if (!cuts || end === items.length) return read;
  cuts.lists += 1;
  return read.slice(0, end);
}

function nullableOf(schema: z.ZodNullable, value: unknown, cuts: CutCount | undefined): unknown {
  const inner = unwrapSchema(schema);
  const read = coerce(inner, value, cuts);
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
function plainOf(schema: z.ZodType, value: unknown, cuts: CutCount | undefined): unknown {
  if (schema instanceof z.ZodNull) return isEmpty(value) ? null : value;
  const scalar = typeof value === "string" ? scalarOf(schema, value) : undefined;
  if (scalar !== undefined) return scalar;
  const parsed = jsonIn(value);
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return parsed;
  if (schema instanceof z.ZodTuple && Array.isArray(parsed)) {
    const { items, rest } = schema.def;
    return withEach(parsed, (item, at) => coerce((items[Number(at)] ?? rest ?? z.never()) as z.ZodType, item, cuts));
  }
  if (schema instanceof z.ZodRecord && isRecord(parsed))
    return membersIn(parsed, { others: schema.valueType as z.ZodType }, cuts);
  return value;
}
