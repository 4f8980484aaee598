/** Values as urlencoded form fields; answers are never forms, so there is no reading. */
import { CodecError } from "./error.js";

const text = (value: unknown): string => {
  if (typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
    return String(value);
  throw new CodecError("A form field holds text, a number, true or false.");
};

/**
 * Writes fields in the order of the value; a list is a repeated field.
 * @param field The one field that holds the whole value as JSON, where the form has it so (document B, visitor queue).
 */
export function encodeForm(value: unknown, field?: string): Uint8Array {
  const fields = new URLSearchParams();
  if (field !== undefined) fields.append(field, JSON.stringify(value));
  else
    for (const [name, inner] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      if (inner === undefined) continue;
      for (const one of Array.isArray(inner) ? inner : [inner]) fields.append(name, text(one));
    }
  return new TextEncoder().encode(fields.toString());
}
