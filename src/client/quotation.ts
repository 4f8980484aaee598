/** How what an upstream wrote stands inside a sentence of ours: quoted, bounded, and bare only where it can say nothing. */
import { bare } from "../api/bare.js";
import { z } from "../api/z.js";

const maxLength = 60;
// One character of a JSON text, or a whole escape.
const units = /^(?:\\u[\da-f]{4}|\\[^u]|[^\\])*/;

/** A text in quotes that are closed again, at most 60 characters long. */
function quoted(text: string): string {
  const whole = JSON.stringify(text);
  if (whole.length <= maxLength) return whole;
  const [start = ""] = units.exec(whole.slice(0, maxLength - 2)) ?? [];
  return `${start.toWellFormed()}…"`;
}

/** A value of the upstream's: numbers and flags as they are, everything else in quotes. */
export function quotedValue(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return quoted(typeof value === "string" ? value : JSON.stringify(value));
}

/** The schemas of a member or an item, as far as the declaration knows its name. */
function schemasAt(schema: z.ZodType, key: PropertyKey): z.ZodType[] {
  const inner = bare(schema);
  if (inner instanceof z.ZodUnion) return (inner.options as z.ZodType[]).flatMap((option) => schemasAt(option, key));
  if (inner instanceof z.ZodArray) return typeof key === "number" ? [inner.element as z.ZodType] : [];
  const shape: Readonly<Record<PropertyKey, z.ZodType>> = inner instanceof z.ZodObject ? inner.shape : {};
  const member = Object.hasOwn(shape, key) ? shape[key] : undefined;
  return member ? [member] : [];
}

/** A place in an upstream's body: bare where the declaration knows every name on the way, else in quotes. */
export function quotedPath(schema: z.ZodType, path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the body";
  const known = path.reduce<z.ZodType[]>((at, key) => at.flatMap((one) => schemasAt(one, key)), [schema]);
  const text = path.map(String).join(".");
  return known.length > 0 ? text : quoted(text);
}
