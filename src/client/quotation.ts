/** An upstream's names and values inside our sentences: quoted and bounded, so that they cannot pass for our own words. */
import { declares, formsAt, formsOf } from "../api/shape.js";
import { z } from "../api/z.js";

const maxLength = 60;
// The leading characters and escapes of a JSON text that are complete.
const units = /^(?:\\u[\da-f]{4}|\\[^u]|[^\\])*/;

/** A text in quotation marks, at most 60 characters long with both of them. */
function quoted(text: string): string {
  const whole = JSON.stringify(text);
  if (whole.length <= maxLength) return whole;
  const [start = ""] = units.exec(whole.slice(0, maxLength - 2)) ?? [];
  return `${start.toWellFormed()}…"`;
}

const time = /^\d{4}-\d\d-\d\d(T[\d:.]{4,15}(Z|[+-][\d:]{4,5})?)?$/;

/** A value from the upstream: numbers, booleans and times as they are, everything else in quotation marks. */
export function quotedValue(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string" && time.test(value)) return value;
  return quoted(typeof value === "string" ? value : JSON.stringify(value));
}

/** The forms of a member that is declared by name, or of an item of a list; none where no declaration knows it. */
const declaredAt = (forms: readonly z.ZodType[], key: PropertyKey): readonly z.ZodType[] =>
  formsAt(
    forms.filter((form) => (typeof key === "number" ? form instanceof z.ZodArray : declares(form, key))),
    key,
  );

/** A path into a body from the upstream: in quotation marks unless the declaration knows every member on it. */
export function quotedPath(schema: z.ZodType, path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the body";
  const known = path.reduce(declaredAt, formsOf(schema));
  const text = path.map(String).join(".");
  return known.length > 0 ? text : quoted(text);
}
