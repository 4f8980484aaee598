/** Reduces the schemas of a definition to shapes: types, members, closed sets, bounds and defaults, each shape stored once. */
import { defined, isRecord } from "../language/member.js";
import type { Shape } from "./definition.js";
import { wordsIn } from "./names.js";
import { isQuickPattern } from "./patterns.js";
import type { DefinitionSource } from "./read.js";

type Members = Readonly<Record<string, unknown>>;

/** Limits of one definition, so that a hostile one is cut and reported. */
const limits = { depth: 12, members: 400, values: 200, valueLength: 80, defaultWords: 8, nodes: 200_000 };

// Names reach assistants and users: no name can be a sentence. A member that every object has would never be missing.
const memberName = /^[\w.$@:/*<>-]{1,80}$/;
const isMemberName = (name: unknown): name is string =>
  typeof name === "string" && memberName.test(name) && !(name in Object.prototype);

/** A value with the file that its references are relative to. */
export interface LocatedValue {
  readonly value: unknown;
  readonly from: string;
}

/** Follows references, of which each may lead to another. */
export function createFollow(source: DefinitionSource) {
  return (located: LocatedValue): LocatedValue => {
    let { value, from } = located;
    const seen = new Set<string>();
    while (isRecord(value) && typeof value["$ref"] === "string") {
      const found = source.resolve(value["$ref"], from);
      const place = `${from} ${value["$ref"]}`;
      if (found === undefined || seen.has(place)) return { value: undefined, from };
      seen.add(place);
      ({ value, from } = found);
    }
    return { value, from };
  };
}

export type Follow = ReturnType<typeof createFollow>;

export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const isScalar = (value: unknown): boolean => value === null || ["string", "number", "boolean"].includes(typeof value);
const types = new Set(["string", "integer", "number", "boolean", "array", "object", "null"]);

/** Reduces schemas to shapes; equal ones are stored once. */
export class Shapes {
  readonly all: Shape[] = [];
  private readonly known = new Map<string, number>();
  private nodes = 0;
  /** Whether something was too large or too deep, or refers to itself. */
  isCut = false;

  /** The index of a schema's shape. */
  indexOf(follow: Follow, schema: LocatedValue): number {
    const shape = this.shapeOf(follow, schema);
    const key = JSON.stringify(shape);
    const index = this.known.get(key) ?? this.all.push(shape) - 1;
    this.known.set(key, index);
    return index;
  }

  shapeOf(follow: Follow, schema: LocatedValue, depth = 0, around: readonly unknown[] = []): Shape {
    const { value, from } = follow(schema);
    this.nodes += 1;
    if (!isRecord(value)) return {};
    if (depth > limits.depth || this.nodes > limits.nodes || around.includes(value)) {
      this.isCut = true;
      return {};
    }
    const inner = (one: unknown) => this.shapeOf(follow, { value: one, from }, depth + 1, [...around, value]);
    const parts = Array.isArray(value["allOf"]) ? value["allOf"].map(inner) : [];
    const own = this.ownShape(value, inner);
    return parts.reduce(merged, own);
  }

  /** The shape of a schema without what it combines. */
  private ownShape(value: Members, inner: (one: unknown) => Shape): Shape {
    const properties = this.propertiesOf(value, inner);
    const isNullable = value["nullable"] === true;
    const values = this.valuesOf(value["enum"]);
    const rest = value["additionalProperties"];
    const isClosed = rest === false && properties !== undefined;
    const alternatives = [value["oneOf"], value["anyOf"]].find((one) => Array.isArray(one)) as unknown[] | undefined;
    const required = requiredIn(value);
    const type = typeOf(value, properties, isNullable);
    const orNull = isNullable && type === undefined ? [{ type: "null" }] : [];
    return defined({
      type,
      enum: values && isNullable && !values.includes(null) ? [...values, null] : values,
      format: /^[a-z0-9-]{1,20}$/.exec(asText(value["format"]) ?? "")?.[0],
      ...keywordsIn(value),
      properties,
      required: required.length > 0 ? required : undefined,
      additionalProperties: isClosed ? false : isRecord(rest) && Object.keys(rest).length > 0 ? inner(rest) : undefined,
      items: isRecord(value["items"]) ? inner(value["items"]) : undefined,
      oneOf: alternatives && [...alternatives.slice(0, limits.values).map(inner), ...orNull],
      readOnly: value["readOnly"] === true || undefined,
    }) as Shape;
  }

  private propertiesOf(value: Members, inner: (one: unknown) => Shape): Shape["properties"] {
    const members = isRecord(value["properties"]) ? Object.entries(value["properties"]) : [];
    const usableMembers = members.filter(([name]) => isMemberName(name)).slice(0, limits.members);
    if (usableMembers.length < members.length) this.isCut = true;
    return usableMembers.length === 0
      ? undefined
      : Object.fromEntries(usableMembers.map(([name, one]) => [name, inner(one)]));
  }

  /** A closed set, unless it is too long to be one. */
  private valuesOf(given: unknown): readonly unknown[] | undefined {
    if (!Array.isArray(given) || given.length === 0 || !given.every(isScalar)) return undefined;
    const isShort = given.length <= limits.values && given.every((one) => String(one).length <= limits.valueLength);
    if (!isShort) this.isCut = true;
    return isShort ? given : undefined;
  }
}

const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** A default that is a flag, a number or a word: one with room for a sentence is dropped. */
const isShortDefault = (value: unknown): boolean =>
  typeof value === "string"
    ? value.length <= limits.valueLength && !/\s/.test(value) && wordsIn(value).length <= limits.defaultWords
    : isScalar(value);

/** The keywords that are kept as they are, and what the value of each has to be. */
const keywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  pattern: (value) => typeof value === "string" && isQuickPattern(value),
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => value === true,
  minProperties: isCount,
  maxProperties: isCount,
  default: isShortDefault,
};

/** The keywords of a schema; a bound that OpenAPI 3.0 marks as exclusive is an exclusive one. */
const keywordsIn = (value: Members): Partial<Shape> => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = value;
  const exclusive = {
    ...(exclusiveMinimum === true ? { minimum: undefined, exclusiveMinimum: minimum } : {}),
    ...(exclusiveMaximum === true ? { maximum: undefined, exclusiveMaximum: maximum } : {}),
  };
  const members: Members = { ...value, ...exclusive };
  return Object.fromEntries(
    Object.entries(keywords).flatMap(([name, is]) => (is(members[name]) ? [[name, members[name]]] : [])),
  );
};

/** The type of a schema, as far as it is known. */
function typeOf(value: Members, properties: Shape["properties"], isNullable: boolean): Shape["type"] | undefined {
  const given = (Array.isArray(value["type"]) ? value["type"] : [value["type"]]).filter((one) => types.has(one));
  const implied = properties ? ["object"] : value["items"] === undefined ? [] : ["array"];
  const named = given.length > 0 ? given : implied;
  if (named.length === 0) return undefined;
  const all = isNullable && !named.includes("null") ? [...named, "null"] : named;
  return all.length === 1 ? all[0] : all;
}

/** The members that a value needs, some of which a schema around this one or beside it defines. */
const requiredIn = ({ required }: Members): readonly string[] =>
  (Array.isArray(required) ? required : []).filter(isMemberName).slice(0, limits.members);

/** Both of two shapes that a value has to fit. */
const merged = (shape: Shape, other: Shape): Shape => {
  const required = [...new Set([...(shape.required ?? []), ...(other.required ?? [])])];
  const { additionalProperties: _, ...open } = { ...other, ...shape };
  return {
    ...open,
    ...(shape.properties || other.properties ? { properties: { ...other.properties, ...shape.properties } } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
};
