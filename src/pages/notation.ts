/**
 * A schema in the notation of the pages: one line per member, like a TypeScript type with its limits; and its examples.
 */
import { isRecord } from "../language/member.js";
import type { Schema } from "../schema/json-schema.js";

/** How often a schema refers to each definition. */
function referencesIn(root: Schema): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>();
  JSON.stringify(root, (key, value: unknown) => {
    if (key === "$ref") counts.set(value, (counts.get(value) ?? 0) + 1);
    return value;
  });
  return counts;
}

/** A schema with its reference resolved. */
function resolvedIn(root: Schema, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = schema.$ref === "#" ? root : root.$defs?.[schema.$ref.replace("#/$defs/", "")];
  if (!found) throw new Error(`The schema has no ${schema.$ref}.`);
  const { $ref: _, ...own } = schema;
  return { ...resolvedIn(root, found), ...own };
}

/** The alternatives of a value, nested unions included, each of one type. */
function withoutUnions(root: Schema, schema: Schema): readonly Schema[] {
  const { anyOf, oneOf, type } = resolvedIn(root, schema);
  if (Array.isArray(type)) return type.map((one: string) => ({ ...resolvedIn(root, schema), type: one }));
  const union = anyOf ?? oneOf;
  return union ? union.flatMap((one) => withoutUnions(root, one)) : [schema];
}

/** Two limits, one of which may be missing: `1..64`, `1..`, `..64`, or `2` if both are the same. */
function rangeText(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return "";
  return least === most ? String(least) : `${least ?? ""}..${most ?? ""}`;
}

// The range of safe integers, which is not a limit.
const isLimit = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

/** The range of a number; an exclusive limit is shown as the next integer. */
function numberText({ type, minimum, maximum, exclusiveMinimum }: Schema): string[] {
  const isWhole = type === "integer";
  const [least, most] = [minimum, maximum].map((bound) => (isLimit(bound) ? bound : undefined));
  if (!isLimit(exclusiveMinimum)) return [rangeText(least, most)];
  return isWhole ? [rangeText(exclusiveMinimum + 1, most)] : [`>${exclusiveMinimum}`, rangeText(least, most)];
}

/** The length and form of a text: by name, in words, or as the pattern itself. */
function stringText({ minLength, maxLength, format, pattern, $comment }: Schema): string[] {
  const form = format ?? $comment ?? (pattern === undefined ? "" : `/${pattern}/`);
  return [rangeText(minLength, maxLength), form];
}

/** The notation of a JSON Schema type; `any` if there is none. */
function scalarText(schema: Schema): string {
  const { type = "any" } = schema;
  const limits = type === "string" ? stringText(schema) : numberText(schema);
  const text = limits.filter(Boolean).join(", ");
  return `${type}${text === "" ? "" : `(${text})`}`;
}

/** A member of an object: its name, with a question mark if it is optional, and its type and description. */
interface Member {
  readonly name: string;
  readonly label: string;
  readonly text: string;
}

// A larger object is written over several lines.
const longestLine = 120;

const indentLines = (lines: readonly string[]): string => lines.join("\n").replaceAll(/^/gm, " ");
const nameOf = (name: string): string => (/^[\w.$@-]+$/.test(name) ? name : JSON.stringify(name));
const json = (value: unknown): string => JSON.stringify(value);

/** Members with the same type share a line. */
function linesOf(members: readonly Member[]): string[] {
  const byText = new Map<string, string[]>();
  for (const { label, text } of members) byText.set(text, [...(byText.get(text) ?? []), label]);
  return [...byText].map(([text, labels]) => `${labels.join(", ")}: ${text}`);
}

function objectText(members: readonly Member[]): string {
  const lines = linesOf(members);
  const line = `{${lines.join("; ")}}`;
  const isShort = line.length <= longestLine && !/\n| — /.test(line);
  return isShort ? line : `{\n${indentLines(lines)}\n}`;
}

const keyOf = (members: readonly Member[]): string => json(members.map(({ label, text }) => [label, text]));

/**
 * The members that each form of an object adds to the common ones; forms that differ in only one value are combined.
 */
function additions(forms: readonly (readonly Member[])[], telling: string | undefined): Member[][] {
  const merged = new Map<string, Member[]>();
  for (const form of forms) {
    const rest = form.filter(({ name }) => name !== telling);
    const member = form.find(({ name }) => name === telling);
    const known = merged.get(keyOf(rest))?.[0];
    const value = known && member ? { ...member, text: `${known.text}|${member.text}` } : member;
    merged.set(keyOf(rest), [...(value ? [value] : []), ...rest]);
  }
  return [...merged.values()];
}

/** Writes the schemas of one root, followed by the definitions to which it refers. */
class Notation {
  /** The named types: their names by reference, and their texts. */
  private readonly names = new Map<string, string>();
  private readonly definitions: string[] = [];
  /** The member that is being written, after which an unnamed type is named. */
  private member = "value";

  constructor(
    private readonly root: Schema,
    private readonly keepsReadOnly: boolean,
    private readonly references = referencesIn(root),
  ) {}

  private resolved(schema: Schema): Schema {
    return resolvedIn(this.root, schema);
  }

  /** Whether a type is written once and referred to by name, because it is used several times or recursive. */
  private isNamed({ $ref }: Schema): boolean {
    return $ref !== undefined && ($ref === "#" || (this.references.get($ref) ?? 0) > 1);
  }

  private typeName(reference: string): string {
    const known = this.names.get(reference);
    if (known !== undefined) return known;
    const id = reference.replace("#/$defs/", "");
    const name = /^(__|#)/.test(id) ? this.member.replace(/(?<!s)s$/, "") : id;
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    this.names.set(reference, title);
    const schema = this.resolved({ $ref: reference });
    const text = reference === "#" ? "the whole" : `${this.type(schema)}${this.description(schema)}`;
    this.definitions.push(`${title} = ${text}`);
    return title;
  }

  /** The descriptions of a value and its parts, except for its members, which have their own. */
  private descriptions(schema: Schema): string[] {
    if (this.isNamed(schema)) return schema.description === undefined ? [] : [schema.description];
    const resolved = this.resolved(schema);
    const { type, items, prefixItems = [], anyOf, oneOf, additionalProperties } = resolved;
    const others = typeof additionalProperties === "object" ? [additionalProperties] : [];
    const parts = [...(items ? [items] : []), ...prefixItems, ...(anyOf ?? oneOf ?? []), ...others];
    const checked = type === "object" || type === "array" ? resolved.$comment : undefined;
    const texts = [resolved.description, checked].filter((text) => text !== undefined);
    return [...texts, ...parts.flatMap((part) => this.descriptions(part))];
  }

  private description(schema: Schema): string {
    const texts = [...new Set(this.descriptions(schema))].map((text) => text.replace(/\.$/, ""));
    return texts.length === 0 ? "" : ` — ${texts.join("; ")}`;
  }

  private membersOf(schema: Schema): Member[] {
    const { properties = {}, required = [], additionalProperties: others, propertyNames } = schema;
    const members = Object.entries(properties).flatMap(([name, subschema]): Member[] => {
      const { readOnly, default: standard } = this.resolved(subschema);
      if (readOnly && !this.keepsReadOnly) return [];
      const byDefault = standard === undefined ? "" : ` = ${json(standard)}`;
      this.member = name;
      const label = `${nameOf(name)}${required.includes(name) ? "" : "?"}`;
      return [{ name, label, text: `${this.type(subschema)}${byDefault}${this.description(subschema)}` }];
    });
    if (typeof others !== "object" || Object.keys(others).length === 0) return members;
    const names = propertyNames === undefined ? "" : this.type(propertyNames);
    const label = `[${names === "" || names === "string" ? "name" : `name: ${names}`}]`;
    return [...members, { name: label, label, text: this.type(others) }];
  }

  /** The forms of an object: the common members, and those that each form adds. */
  private forms(schemas: readonly Schema[]): string {
    const forms = schemas.map((subschema) => this.membersOf(subschema));
    const [first = []] = forms;
    const same =
      ({ label, text }: Member) =>
      (other: Member) =>
        other.label === label && other.text === text;
    const common = first.filter((member) => forms.every((form) => form.some(same(member))));
    const isValue = (name: string) => schemas.every(({ properties }) => properties?.[name]?.const !== undefined);
    const telling = Object.keys(schemas[0]?.properties ?? {}).find(isValue);
    const added = additions(
      forms.map((form) => form.filter((member) => !common.some(same(member)))),
      telling,
    );
    const [only] = added;
    if (only && added.length === 1) return objectText([...only, ...common]);
    const texts = added.map((members) => objectText(members));
    if (common.length === 0) return texts.join("|");
    const lines = texts.map((text) => `|${text.replaceAll("\n", "\n ")}`);
    return `${objectText(common)} & (\n${lines.join("\n")}\n)`;
  }

  private isUnion(schema: Schema): boolean {
    if (this.isNamed(schema)) return false;
    return this.resolved(schema).enum !== undefined || withoutUnions(this.root, schema).length > 1;
  }

  private list({ items, prefixItems, minItems, maxItems }: Schema): string {
    if (prefixItems) return `[${prefixItems.map((subschema) => this.type(subschema)).join(", ")}]`;
    const item = this.type(items ?? {});
    return `${this.isUnion(items ?? {}) ? `(${item})` : item}[${rangeText(minItems, maxItems)}]`;
  }

  private singleType(schema: Schema): string {
    if (schema.$ref !== undefined && this.isNamed(schema)) return this.typeName(schema.$ref);
    const resolved = this.resolved(schema);
    if (resolved.enum) return resolved.enum.map(json).join("|");
    if (resolved.const !== undefined) return json(resolved.const);
    if (resolved.type === "array") return this.list(resolved);
    if (resolved.type !== "object") return scalarText(resolved);
    const members = this.membersOf(resolved);
    return members.length === 0 ? "object" : objectText(members);
  }

  /** The type of a value; the forms of an object combined, and each other alternative separately. */
  type(schema: Schema): string {
    if (this.isNamed(schema)) return this.singleType(schema);
    const alternatives = withoutUnions(this.root, schema);
    const objects = alternatives
      .map((subschema) => this.resolved(subschema))
      .filter(({ properties }) => properties !== undefined);
    const isForm = (subschema: Schema) => objects.length > 1 && this.resolved(subschema).properties !== undefined;
    const forms = objects.length > 1 ? [this.forms(objects)] : [];
    const others = alternatives
      .filter((subschema) => !isForm(subschema))
      .map((subschema) => this.singleType(subschema));
    const texts = [...forms, ...others];
    return [...new Set(texts)].map((text) => (texts.length > 1 && text.includes(" & ") ? `(${text})` : text)).join("|");
  }

  /** The root: the members of an object on separate lines, or the type of another value, and the named types. */
  text(): string {
    const isObject = this.root.properties !== undefined;
    const texts = isObject
      ? linesOf(this.membersOf(this.root))
      : [`${this.type(this.root)}${this.description(this.root)}`];
    return [...texts, ...this.definitions].join("\n");
  }
}

/**
 * A schema in notation; empty for an object without members.
 * @param keepsReadOnly Whether read-only members are shown, as in a response.
 */
export const notationOf = (schema: Schema, keepsReadOnly = false): string => new Notation(schema, keepsReadOnly).text();

interface PartExamples {
  /** The path of the part, such as `body.rules[]`. */
  readonly at: string;
  readonly examples: readonly unknown[];
}

function collectExamples(root: Schema, subschema: Schema, at: string, seen: readonly Schema[]): PartExamples[] {
  const schema = resolvedIn(root, subschema);
  const { properties = {}, items, anyOf, oneOf, additionalProperties, examples } = schema;
  // A recursive type has its examples at its first use.
  const shape = schema.properties ?? schema;
  if (seen.includes(shape)) return [];
  const inner = (one: Schema, name: string) => collectExamples(root, one, name, [...seen, shape]);
  return [
    ...(examples ? [{ at, examples }] : []),
    ...(anyOf ?? oneOf ?? []).flatMap((one) => inner(one, at)),
    ...(items ? inner(items, `${at}[]`) : []),
    ...(isRecord(additionalProperties) ? inner(additionalProperties, `${at}.*`) : []),
    ...Object.entries(properties).flatMap(([name, one]) => inner(one, at === "" ? name : `${at}.${name}`)),
  ];
}

/** All examples of parts; those of equal parts once, at the first position. */
export function partExamples(schema: Schema): PartExamples[] {
  const byExamples = new Map<string, PartExamples>();
  for (const part of collectExamples(schema, schema, "", [])) {
    const key = JSON.stringify(part.examples);
    if (!byExamples.has(key)) byExamples.set(key, part);
  }
  return [...byExamples.values()];
}
