/** The schema in `tools/list`: a lean form of the whole one, with the few keywords that every client supports. */
import { isRecord } from "../language/member.js";
import { pageTool } from "../language/server-tools.js";
import type { JsonSchema } from "./json-schema.js";

const isSchema = (value: unknown): value is JsonSchema => isRecord(value);
const schemasIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);
const membersOf = ({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (properties ?? {}) as Record<string, JsonSchema>;
const requiredBy = ({ required }: JsonSchema): readonly string[] => (required ?? []) as string[];
const typeNameOf = (value: unknown): string => (value === null ? "null" : typeof value);
/** The type of a schema's values, with integers as numbers; undefined if they can be anything. */
const kindOf = ({ type }: JsonSchema): unknown => (type === "integer" ? "number" : type);

/**
 * How much is shown: all named members down to one depth, then only required ones down to another. Deeper members are only
 * on the operation's page.
 */
interface Depth {
  readonly full: number;
  readonly required: number;
}
const below = ({ full, required }: Depth): Depth =>
  full > 0 ? { full: full - 1, required } : { full, required: required - 1 };

// Schemas can be recursive; lists nested deeper than this are not shown as lists.
const endlessDepth = -4;

/** The schema of an object that has to match two schemas at once. */
const mergedSchema = (schema: JsonSchema, other: JsonSchema): JsonSchema => ({
  ...schema,
  ...other,
  properties: { ...membersOf(schema), ...membersOf(other) },
  required: [...requiredBy(schema), ...requiredBy(other)],
});

/** The alternatives of a schema, each without references and unions, and with one type or any. */
function alternatives(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf, not, const: only, ...common } = schema;
  if (typeof $ref === "string") {
    const steps = $ref.split("/").slice(1);
    const target = steps.reduce<unknown>((at, step) => (isSchema(at) ? at[step] : undefined), root);
    return isSchema(target) ? alternatives({ ...target, ...common }, root) : [common];
  }
  if (not !== undefined) return [];
  const union = schemasIn(anyOf ?? oneOf);
  if (union.length > 0) return union.flatMap((branch) => alternatives({ ...branch, ...common }, root));
  if (allOf !== undefined)
    return schemasIn(allOf).reduce<JsonSchema[]>(
      (merged, part) => alternatives(part, root).flatMap((other) => merged.map((one) => mergedSchema(one, other))),
      [common],
    );
  const { type } = common;
  if (Array.isArray(type)) return type.map((one) => ({ ...common, type: one }));
  const values = only === undefined ? common["enum"] : [only];
  if (!Array.isArray(values)) return [common];
  return [...new Set(values.map(typeNameOf))].map((one) => ({
    ...common,
    type: common["type"] ?? one,
    enum: values.filter((value) => typeNameOf(value) === one),
  }));
}

const isList = ({ type }: JsonSchema): boolean => type === "array";

/**
 * The alternatives of an item, if a value with these alternatives can be shown as a list: either all of them are lists, or
 * the others can be its only item, which `coerce` takes from a list of one.
 */
function itemsOf(branches: readonly JsonSchema[], depth: Depth, root: JsonSchema): JsonSchema[] | undefined {
  if (!branches.some(isList) || depth.required <= endlessDepth) return undefined;
  const items = branches.flatMap((branch) => {
    const { description: _, default: __, ...item } = branch;
    if (!isList(branch)) return [item];
    const rest = branch["items"] === false ? [] : [isSchema(branch["items"]) ? branch["items"] : {}];
    return [...schemasIn(branch["prefixItems"]), ...rest].flatMap((item) => alternatives(item, root));
  });
  return branches.every(isList) || new Set(items.map(kindOf)).size === 1 ? items : undefined;
}

/** The one type in which every alternative can be written; text if there is no other, which `coerce` reads. */
function typeOf(branches: readonly JsonSchema[], isShownAsList: boolean, isEmptyForNull: boolean): string {
  if (isShownAsList) return "array";
  const [kind, ...others] = new Set(branches.map(kindOf));
  if (kind === "object" && others.length === 0) return "object";
  // Null cannot be written as an empty number.
  if (others.length > 0 || isEmptyForNull || (kind !== "number" && kind !== "boolean")) return "string";
  return kind === "number" && branches.every(({ type }) => type === "integer") ? "integer" : kind;
}

/** The only possible values, if every alternative has a closed set. */
const valuesOf = (branches: readonly JsonSchema[]): readonly unknown[] | undefined =>
  branches.length > 0 && branches.every((branch) => Array.isArray(branch["enum"]))
    ? [...new Set(branches.flatMap((branch) => branch["enum"] as unknown[]))]
    : undefined;

/** The types that have to be written as JSON text if the schema is shown as text. */
function jsonIn(branches: readonly JsonSchema[]): string | undefined {
  const kinds = new Set(branches.map(kindOf));
  const jsonTypes = [
    ...(kinds.has("object") || kinds.has(undefined) ? ["objects"] : []),
    ...(kinds.has("array") || kinds.has(undefined) ? ["lists"] : []),
  ];
  return jsonTypes.length === 0 ? undefined : `${jsonTypes.join(" and ")} as JSON text`;
}

interface ShownMembers {
  readonly schema: JsonSchema;
  /** Whether an object has named members that are not shown. */
  readonly isCut: boolean;
}

/** The members of an object; those of several alternatives are merged, and required if all of them require it. */
function shownMembers(branches: readonly JsonSchema[], depth: Depth, root: JsonSchema): ShownMembers {
  const having = (name: string) => branches.filter((branch) => membersOf(branch)[name]);
  // Read-only members are only accepted so that responses can be sent back, and need not be shown.
  const names = [...new Set(branches.flatMap((branch) => Object.keys(membersOf(branch))))].filter(
    (name) => !having(name).every((branch) => membersOf(branch)[name]?.["readOnly"] === true),
  );
  const isRequired = (name: string) => branches.every((branch) => requiredBy(branch).includes(name));
  // Gemini has trouble with objects without members, so one is shown if none is required.
  const needed = names.some(isRequired) ? names.filter(isRequired) : names.slice(0, 1);
  const shown = depth.full > 0 ? names : depth.required > 0 ? needed : [];
  const properties = shown.map((name) => {
    const inner = having(name).flatMap((branch) => alternatives(membersOf(branch)[name] ?? {}, root));
    const isNeeded = branches.some((branch) => requiredBy(branch).includes(name));
    return [name, shownSchema(inner, isNeeded, below(depth), root)] as const;
  });
  const isCut = shown.length < names.length;
  const further = branches.map((branch) => branch["additionalProperties"] ?? false).filter((one) => one !== false);
  const values = further.flatMap((one) => (isSchema(one) ? alternatives(one, root) : [{}]));
  const isOfKind = !isCut && depth.required > 0 && further.length === branches.length && values.every(kindOf);
  const required = shown.filter(isRequired);
  return {
    isCut,
    schema: {
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      // Stated for every object that takes more than it shows, because some clients treat the others as closed.
      ...(isCut || values.length > 0
        ? { additionalProperties: isOfKind ? shownSchema(values, true, below(depth), root) : true }
        : {}),
    },
  };
}

/** The first value of a keyword among the alternatives. */
const firstValue = (branches: readonly JsonSchema[], keyword: string): unknown =>
  branches.map((branch) => branch[keyword]).find((value) => value !== undefined && value !== null);

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The description of a value: that of its declaration, and what the shown type leaves out. */
function descriptionOf(
  described: string,
  {
    onlyOf,
    asJson,
    isEmptyForNull,
    isCut,
  }: {
    /** The only possible values, if they are not shown as an enum. */
    readonly onlyOf: readonly unknown[] | undefined;
    readonly asJson: string | undefined;
    readonly isEmptyForNull: boolean;
    readonly isCut: boolean;
  },
): string {
  const words = [
    onlyOf
      ? `${onlyOf.length === 1 ? "only" : "one of"} ${onlyOf.map((one) => JSON.stringify(one)).join(", ")}`
      : undefined,
    asJson,
    isEmptyForNull && !/\bempty\b/i.test(described) ? "empty for null" : undefined,
    isCut ? `see ${pageTool} for the rest` : undefined,
  ].filter((one) => one !== undefined);
  return described === "" ? capitalized(words.join("; ")) : [described, ...words].join("; ");
}

/**
 * One schema that accepts everything that the alternatives accept. Null is not shown if leaving the value out means the
 * same; otherwise the empty value of the shown type represents it.
 */
function shownSchema(all: readonly JsonSchema[], isRequired: boolean, depth: Depth, root: JsonSchema): JsonSchema {
  const branches = all.filter(({ type }) => type !== "null");
  const isEmptyForNull = isRequired && branches.length < all.length;
  const items = itemsOf(branches, depth, root);
  const type = typeOf(branches, items !== undefined, isEmptyForNull);
  const { schema: members, isCut } =
    type === "object" ? shownMembers(branches, depth, root) : { schema: {}, isCut: false };
  if (isEmptyForNull) delete members["required"];
  const values = valuesOf(branches);
  // Gemini accepts neither numbers nor empty text in an enum.
  const isEnum = values !== undefined && type === "string" && !isEmptyForNull && !values.includes("");
  const description = descriptionOf(String(firstValue(all, "description") ?? ""), {
    onlyOf: isEnum ? undefined : values,
    asJson: type === "string" ? jsonIn(branches) : undefined,
    isEmptyForNull,
    isCut,
  });
  const standard = firstValue(all, "default");
  return {
    type,
    ...(description === "" ? {} : { description }),
    ...(isEnum ? { enum: values.map(String) } : {}),
    ...(standard === undefined ? {} : { default: valueOfType(type, standard) }),
    ...(items === undefined ? {} : { items: shownSchema(items, true, below(depth), root) }),
    ...members,
  };
}

/** A value as it has to be written for the shown type. */
function valueOfType(type: string, value: unknown): unknown {
  if (type === "array") return Array.isArray(value) ? value : [value];
  return type === "string" && typeof value !== "string" ? JSON.stringify(value) : value;
}

// Enough for all required members at the depth of the documents' bodies, and about 300 tokens. A body whose top level is
// longer is listed with its required members only.
const depths: readonly Depth[] = [...[2, 1, 0].map((required) => ({ full: 2, required })), { full: 1, required: 1 }];
const maxLength = 1_500;

/** The lean form of the schema of a tool's arguments, down to a depth. */
export const leanSchema = (whole: JsonSchema, depth: Depth): JsonSchema => ({
  type: "object",
  ...shownMembers([whole], depth, whole).schema,
});

/**
 * The listed form of the schema of a tool's arguments: the arguments, the top level of the body, and the required members
 * below it. It accepts everything that the whole schema accepts, as `coerce` reads it. Bounds and patterns are left out,
 * because the whole schema has them and its errors name the field.
 */
export function listedSchema(whole: JsonSchema): JsonSchema {
  const forms = depths.map((depth) => leanSchema(whole, depth));
  return forms.find((form) => JSON.stringify(form).length <= maxLength) ?? forms.at(-1) ?? {};
}
