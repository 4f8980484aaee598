/** The words for the types and the bounds of a JSON schema. */
import type { Schema } from "../../src/schema/json-schema.js";
import { code } from "./markdown.js";

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

/** Whether words are for one value, 0, or for several, 1. */
export type Form = 0 | 1;

/** The word for a type of JSON Schema; without a type, for any value. */
export const wordFor = (type: string | undefined, form: Form): string =>
  (type === undefined ? undefined : words[type]?.[form]) ?? type ?? anyValue[form];

/** Patterns that can be read at a glance, where there are no words for one; the tool's own page has the others. */
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

/** What a value has to be beyond its type, apart from what its items have to be. */
export function boundsOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, exclusiveMinimum: above, pattern, format } = schema;
  const words = format === undefined ? schema.$comment : format;
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  const isReadable = words === undefined && pattern !== undefined && pattern.length <= shortPattern;
  return [
    ...(values.length === 0 ? [] : [values.map((one) => code(String(one))).join(", ")]),
    ...range(bound(schema.minimum), bound(schema.maximum)),
    ...(above === undefined ? [] : [`more than ${grouped(above)}`]),
    ...range(beyondOne(minLength), maxLength, "character"),
    ...range(minItems, maxItems, "item"),
    ...(words === undefined ? [] : [words]),
    ...(isReadable ? [`matches ${code(pattern)}`] : []),
  ];
}
