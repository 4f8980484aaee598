/** The examples that a schema has of its parts, each with its place. */

import type { Schema } from "./json-schema.js";
import { isRecord } from "./member.js";
import { resolvedIn } from "./schema-references.js";

export interface PartExamples {
  /** The path of the part, such as `body.rules[]`. */
  readonly at: string;
  readonly examples: readonly unknown[];
}

function gather(root: Schema, given: Schema, at: string, seen: readonly Schema[]): PartExamples[] {
  const schema = resolvedIn(root, given);
  const { properties = {}, items, anyOf, oneOf, additionalProperties, examples } = schema;
  // A type that holds itself has its examples where it is met first.
  const shape = schema.properties ?? schema;
  if (seen.includes(shape)) return [];
  const inner = (one: Schema, name: string) => gather(root, one, name, [...seen, shape]);
  return [
    ...(examples ? [{ at, examples }] : []),
    ...(anyOf ?? oneOf ?? []).flatMap((one) => inner(one, at)),
    ...(items ? inner(items, `${at}[]`) : []),
    ...(isRecord(additionalProperties) ? inner(additionalProperties, `${at}.*`) : []),
    ...Object.entries(properties).flatMap(([name, one]) => inner(one, at === "" ? name : `${at}.${name}`)),
  ];
}

/** All examples of parts, those of equal parts once, at the first place. */
export function partExamples(schema: Schema): PartExamples[] {
  const byExamples = new Map<string, PartExamples>();
  for (const part of gather(schema, schema, "", [])) {
    const key = JSON.stringify(part.examples);
    if (!byExamples.has(key)) byExamples.set(key, part);
  }
  return [...byExamples.values()];
}
