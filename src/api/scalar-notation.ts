/** A value without members in notation: its type, or its values, and in parentheses what else it has to be. */
import type { Schema } from "./json-schema.js";

/** Two bounds, of which one may be missing: `1..64`, `1..`, `..64`, or `2` where both are the same. */
export function rangeText(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return "";
  return least === most ? String(least) : `${least ?? ""}..${most ?? ""}`;
}

// What every whole number of JavaScript is within, so that it limits nothing.
const isLimit = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

/** What a number lies between; the least whole number above a bound is its bound. */
function numberText({ type, minimum, maximum, exclusiveMinimum }: Schema): string[] {
  const isWhole = type === "integer";
  const [least, most] = [minimum, maximum].map((bound) => (isLimit(bound) ? bound : undefined));
  if (!isLimit(exclusiveMinimum)) return [rangeText(least, most)];
  return isWhole ? [rangeText(exclusiveMinimum + 1, most)] : [`>${exclusiveMinimum}`, rangeText(least, most)];
}

/** How long a text is, and its form: by name, in words, or as the pattern itself. */
function stringText({ minLength, maxLength, format, pattern, $comment }: Schema): string[] {
  const form = format ?? $comment ?? (pattern === undefined ? "" : `/${pattern}/`);
  return [rangeText(minLength, maxLength), form];
}

/** The notation of a type of JSON Schema; `any` where there is none. */
export function scalarText(schema: Schema): string {
  const { type = "any" } = schema;
  const limits = type === "string" ? stringText(schema) : numberText(schema);
  const text = limits.filter(Boolean).join(", ");
  return `${type}${text === "" ? "" : `(${text})`}`;
}
