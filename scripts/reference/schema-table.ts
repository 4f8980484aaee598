/** A JSON schema as a table that a person reads: a row for each member, however deep, with its type and what it takes in words. */
import { cell, code } from "./markdown.js";

/** The part of JSON Schema that the declarations come to. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly readOnly?: boolean;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly takes: string;
  readonly standard: string;
}

/** The words for a type, for one value and for several. */
const words: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ["text", "texts"],
  integer: ["whole number", "whole numbers"],
  number: ["number", "numbers"],
  boolean: ["true or false", "true or false"],
  object: ["object", "objects"],
  array: ["list", "lists"],
  null: ["null", "null"],
};
const anyValue = ["any value", "any values"] as const;

/** Patterns that can be read at a glance; the tool's own page has the others. */
const shortPattern = 40;

const grouped = (count: number): string => count.toLocaleString("en-US");
const quantity = (count: number, one: string): string => `${grouped(count)} ${one}${count === 1 ? "" : "s"}`;

/** "2 to 9", "at least 2", "at most 9", or nothing. */
function range(least: number | undefined, most: number | undefined, unit = ""): string[] {
  const end = (count: number): string => (unit === "" ? grouped(count) : quantity(count, unit));
  if (least !== undefined && most !== undefined)
    return [least === most ? `exactly ${end(most)}` : `${grouped(least)} to ${end(most)}`];
  if (least !== undefined) return [`at least ${end(least)}`];
  return most === undefined ? [] : [`at most ${end(most)}`];
}

// Zod writes these for every integer; they bound nothing that a person would write.
const bound = (value: number | undefined): number | undefined =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value;
/** A length of one or none says only that something is there. */
const beyondOne = (value: number | undefined): number | undefined =>
  value !== undefined && value > 1 ? value : undefined;

/** The rows of one schema; `$ref` is followed once, and later leads back to the row that has it. */
class Walk {
  readonly rows: Row[] = [];
  private readonly shownAt = new Map([["#", ""]]);

  constructor(private readonly root: Schema) {}

  private resolved(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const found = schema.$ref === "#" ? this.root : this.root.$defs?.[schema.$ref.replace("#/$defs/", "")];
    if (!found) throw new Error(`The schema has no ${schema.$ref}.`);
    const { $ref: _, ...own } = schema;
    return { ...this.resolved(found), ...own };
  }

  private alternatives({ anyOf, oneOf }: Schema): readonly Schema[] {
    return (anyOf ?? oneOf ?? []).flatMap((one) => {
      const found = this.resolved(one);
      const inner = this.alternatives(found);
      return inner.length > 0 ? inner : [found];
    });
  }

  private type(given: Schema, form: 0 | 1): string {
    const schema = this.resolved(given);
    const choices = this.alternatives(schema);
    if (choices.length > 0) return [...new Set(choices.map((one) => this.type(one, form)))].join(" or ");
    if (schema.type === undefined) {
      const [value] = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
      return value === undefined ? anyValue[form] : (words[typeof value]?.[form] ?? anyValue[form]);
    }
    const types = typeof schema.type === "string" ? [schema.type] : schema.type;
    const entries = schema.items ? ` of ${this.type(schema.items, 1)}` : "";
    return types.map((one) => `${words[one]?.[form] ?? one}${one === "array" ? entries : ""}`).join(" or ");
  }

  /** What a value has to be beyond its type. */
  private limits(given: Schema): string[] {
    const schema = this.resolved(given);
    const { minLength, maxLength, minItems, maxItems, exclusiveMinimum: above, pattern, format, items } = schema;
    const choices = this.alternatives(schema);
    if (choices.length > 0) {
      const said = choices.map((one) => this.limits(one).join(", ")).filter((text) => text !== "");
      return said.length === 0 ? [] : [[...new Set(said)].join(" or ")];
    }
    const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
    const each = items ? this.limits(items).join(", ") : "";
    return [
      ...(values.length === 0 ? [] : [values.map((one) => code(String(one))).join(", ")]),
      ...range(bound(schema.minimum), bound(schema.maximum)),
      ...(above === undefined ? [] : [`more than ${grouped(above)}`]),
      ...range(beyondOne(minLength), maxLength, "character"),
      ...range(minItems, maxItems, "item"),
      ...(format === undefined ? [] : [format]),
      ...(format === undefined && pattern !== undefined && pattern.length <= shortPattern
        ? [`matches ${code(pattern)}`]
        : []),
      ...(each === "" ? [] : [`each: ${each}`]),
    ];
  }

  private takes(schema: Schema): string {
    const { description, readOnly } = this.resolved(schema);
    return [description?.replace(/\.$/, ""), ...this.limits(schema), ...(readOnly ? ["set by the API"] : [])]
      .filter((text) => text !== undefined && text !== "")
      .join("; ");
  }

  /** The rows of a value's members; `when` says in which of several forms it has them. */
  private members(name: string, given: Schema, when: string): void {
    const schema = this.resolved(given);
    const objects = this.alternatives(schema).filter((one) => this.hasMembers(one));
    objects.forEach((one, at) => {
      const constant = Object.entries(one.properties ?? {}).find(([, { const: value }]) => value !== undefined);
      const form = constant ? `if ${code(constant[0])} is ${code(String(constant[1].const))}` : `form ${at + 1}`;
      this.members(name, one, objects.length > 1 ? form : when);
    });
    if (schema.items) this.members(`${name}[]`, schema.items, when);
    const inside = (member: string): string => (name === "" ? member : `${name}.${member}`);
    const required = new Set(schema.required);
    for (const [member, one] of Object.entries(schema.properties ?? {}))
      this.value(inside(member), one, required.has(member), when);
    const others = schema.additionalProperties;
    if (typeof others === "object" && Object.keys(others).length > 0) this.value(inside("*"), others, false, when);
  }

  private hasMembers(given: Schema): boolean {
    const schema = this.resolved(given);
    const others = schema.additionalProperties;
    return (
      schema.properties !== undefined ||
      (typeof others === "object" && Object.keys(others).length > 0) ||
      (schema.items !== undefined && this.hasMembers(schema.items)) ||
      this.alternatives(schema).some((one) => this.hasMembers(one))
    );
  }

  private value(name: string, schema: Schema, isRequired: boolean, when: string): void {
    const references = [schema.$ref, schema.items?.$ref].filter((one) => one !== undefined);
    const shown = references.map((one) => this.shownAt.get(one)).find((one) => one !== undefined);
    const { default: standard } = this.resolved(schema);
    this.rows.push({
      name,
      type: this.type(schema, 0),
      isRequired,
      takes: [
        when,
        this.takes(schema),
        shown === undefined ? "" : `its members are those of ${shown === "" ? "the whole" : code(shown)}`,
      ]
        .filter((text) => text !== "")
        .join("; "),
      standard: standard === undefined ? "" : code(JSON.stringify(standard)),
    });
    if (shown !== undefined) return;
    for (const one of references) this.shownAt.set(one, name);
    this.members(name, schema, "");
  }

  /** Rows of a whole: those of its members, after one of its own where it is no object. */
  whole(schema: Schema): readonly Row[] {
    const type = this.type(schema, 0);
    if (type !== "object")
      this.rows.push({ name: "", type, isRequired: true, takes: this.takes(schema), standard: "" });
    this.members("", schema, "");
    return this.rows;
  }
}

/** A table without the columns in which no row has anything. */
function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const kept = heads.map((_, column) => rows.some((row) => row[column] !== ""));
  const line = (cells: readonly string[]): string => `| ${cells.filter((_, column) => kept[column]).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map((row) => line(row.map(cell)))].join("\n");
}

const rowsOf = (schema: Schema): readonly Row[] => new Walk(schema).whole(schema);
const named = (name: string): string => (name === "" ? "" : code(name));

/** The arguments of a call; empty when it takes none. */
export function argumentsTable(schema: Schema): string {
  const rows = rowsOf(schema).map(({ name, type, isRequired, takes, standard }) => {
    return [named(name), type, isRequired ? "yes" : "", takes, standard];
  });
  return rows.length === 0 ? "" : tableOf(["Argument", "Type", "Required", "What it takes", "Default"], rows);
}

/** The members of an answer; empty when nothing is declared of it. */
export function answerTable(schema: Schema): string {
  const rows = rowsOf(schema).map(({ name, type, isRequired, takes }) => {
    return [named(name), isRequired ? type : `${type}, optional`, takes];
  });
  return rows.length === 0 ? "" : tableOf(["Member", "Type", "What it says"], rows);
}
