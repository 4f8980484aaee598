/** The references and the unions of a JSON schema, followed. */
import type { Schema } from "./json-schema.js";

const counts = new WeakMap<Schema, ReadonlyMap<string, number>>();

/** How many times a schema refers to something. */
export function countOf(root: Schema, reference: string): number {
  const known = counts.get(root);
  if (known) return known.get(reference) ?? 0;
  const found = new Map<string, number>();
  JSON.stringify(root, (key, value: unknown) => {
    if (key === "$ref" && typeof value === "string") found.set(value, (found.get(value) ?? 0) + 1);
    return value;
  });
  counts.set(root, found);
  return found.get(reference) ?? 0;
}

/** A schema with what it refers to in place of the reference. */
export function resolvedIn(root: Schema, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = schema.$ref === "#" ? root : root.$defs?.[schema.$ref.replace("#/$defs/", "")];
  if (!found) throw new Error(`The schema has no ${schema.$ref}.`);
  const { $ref: _, ...own } = schema;
  return { ...resolvedIn(root, found), ...own };
}

/** The alternatives of a value, unions within unions included, each of one type. */
export function withoutUnions(root: Schema, schema: Schema): readonly Schema[] {
  const { anyOf, oneOf, type } = resolvedIn(root, schema);
  if (Array.isArray(type)) return type.map((one: string) => ({ ...resolvedIn(root, schema), type: one }));
  const union = anyOf ?? oneOf;
  return union ? union.flatMap((one) => withoutUnions(root, one)) : [schema];
}
