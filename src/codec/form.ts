/** Values as urlencoded form fields; answers are never forms, so there is no reading. */
import { CodecError } from "../api/codec-error.js";
import { jsonText } from "./json.js";

function text(value: unknown): string {
  const isText = typeof value === "string" && value.isWellFormed();
  if (isText || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
    return String(value);
  throw new CodecError("A form field holds whole text, a finite number, true or false.");
}

/**
 * Writes fields in the order of the value; a list is a repeated field, and a field without a value is left out.
 * @param field The one field that holds the whole value as JSON, where the form has it so (document B, visitor queue).
 * @throws CodecError for a value that a form cannot hold.
 */
export function encodeForm(value: unknown, field?: string): Uint8Array {
  const fields = new URLSearchParams();
  if (field !== undefined) fields.append(field, jsonText(value));
  else if (typeof value !== "object" || value === null) throw new CodecError("A form is made of named fields.");
  else
    for (const [name, inner] of Object.entries(value)) {
      if (inner === undefined) continue;
      for (const one of Array.isArray(inner) ? inner : [inner]) fields.append(text(name), text(one));
    }
  return new TextEncoder().encode(fields.toString());
}
