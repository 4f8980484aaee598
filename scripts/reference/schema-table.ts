/** A JSON schema as a table that a person reads: a row for each member, however deep, with its type and what it takes in words. */
import type { Schema } from "../../src/schema/json-schema.js";
import { cell, code } from "./markdown.js";
import { boundsOf, type Form, wordFor } from "./schema-words.js";

interface Row {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly takes: string;
  readonly standard: string;
}

const inside = (name: string, member: string): string => (name === "" ? member : `${name}.${member}`);

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

  private type(given: Schema, form: Form): string {
    const schema = this.resolved(given);
    const choices = this.alternatives(schema);
    if (choices.length > 0) return [...new Set(choices.map((one) => this.type(one, form)))].join(" or ");
    const { type, const: constant, enum: [value] = [constant], items } = schema;
    if (type === undefined) return wordFor(value === undefined ? undefined : typeof value, form);
    const entries = items ? ` of ${this.type(items, 1)}` : "";
    return [type]
      .flat()
      .map((one) => `${wordFor(one, form)}${one === "array" ? entries : ""}`)
      .join(" or ");
  }

  /** What a value has to be beyond its type. */
  private limits(given: Schema): string[] {
    const schema = this.resolved(given);
    const choices = this.alternatives(schema);
    const said = choices.map((one) => this.limits(one).join(", ")).filter((text) => text !== "");
    if (choices.length > 0) return said.length === 0 ? [] : [[...new Set(said)].join(" or ")];
    const each = schema.items ? this.limits(schema.items).join(", ") : "";
    return [...boundsOf(schema), ...(each === "" ? [] : [`each: ${each}`])];
  }

  private takes(schema: Schema): string {
    const { description, readOnly } = this.resolved(schema);
    return [description?.replace(/\.$/, ""), ...this.limits(schema), ...(readOnly ? ["set by the API"] : [])]
      .filter((text) => text !== undefined && text !== "")
      .join("; ");
  }

  /** The rows of a value's members. */
  private members(name: string, given: Schema): void {
    const schema = this.resolved(given);
    const choices = this.alternatives(schema).filter((one) => this.hasMembers(one));
    const [first, second] = choices;
    if (first && second) this.forms(name, choices);
    else if (first) this.members(name, first);
    if (schema.items) this.members(`${name}[]`, schema.items);
    const required = new Set(schema.required);
    for (const [member, one] of Object.entries(schema.properties ?? {}))
      this.value(inside(name, member), one, required.has(member));
    const others = schema.additionalProperties;
    if (typeof others === "object" && Object.keys(others).length > 0) this.value(inside(name, "*"), others, false);
  }

  /** The members of a value that has several forms: each once, with the forms in which it is so where it is not in all. */
  private forms(name: string, forms: readonly Schema[]): void {
    const names = [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))];
    const telling = names.find((one) => forms.every(({ properties }) => properties?.[one]?.const !== undefined));
    const labels = forms.map(({ properties }, at) =>
      telling === undefined ? String(at + 1) : code(String(properties?.[telling]?.const)),
    );
    for (const member of names) {
      if (member === telling) {
        this.rows.push({
          name: inside(name, member),
          type: "text",
          isRequired: true,
          takes: labels.join(", "),
          standard: "",
        });
        continue;
      }
      const variants = new Map<
        string,
        { readonly schema: Schema; readonly isRequired: boolean; readonly of: string[] }
      >();
      forms.forEach(({ properties, required = [] }, at) => {
        const schema = properties?.[member];
        if (!schema) return;
        const isRequired = required.includes(member);
        const key = JSON.stringify([schema, isRequired]);
        const variant = variants.get(key) ?? { schema, isRequired, of: [] };
        variants.set(key, variant);
        variant.of.push(labels[at] ?? "");
      });
      for (const { schema, isRequired, of } of variants.values()) {
        const where = telling === undefined ? `form ${of.join(", ")}` : `if ${code(telling)} is ${of.join(", ")}`;
        this.value(inside(name, member), schema, isRequired, of.length === forms.length ? "" : where);
      }
    }
    for (const one of forms) if (one.properties === undefined) this.members(name, one);
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

  private value(name: string, schema: Schema, isRequired: boolean, when = ""): void {
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
    this.members(name, schema);
  }

  /** Rows of a whole: those of its members, after one of its own where it is no object. */
  whole(schema: Schema): readonly Row[] {
    const type = this.type(schema, 0);
    if (type !== "object")
      this.rows.push({ name: "", type, isRequired: true, takes: this.takes(schema), standard: "" });
    this.members("", schema);
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
