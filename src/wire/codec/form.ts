/** Values as urlencoded form fields; responses are never forms, so there is no decoder. */
import type { Media } from "../../language/media.js";
import { isRecord } from "../../language/member.js";
import { CodecError } from "../../language/wire.js";
import { jsonText } from "./json.js";

function text(value: unknown): string {
  const isText = typeof value === "string" && value.isWellFormed();
  if (isText || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
    return String(value);
  throw new CodecError("A form field is well-formed text, a finite number, true or false.");
}

type Members = Readonly<Record<string, unknown>>;

/** Appends the fields of a value in order; nested members with joined names, if the form joins names. */
function appendFields(fields: URLSearchParams, value: Members, before: string, separator: string | undefined): void {
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const field = `${before}${text(name)}`;
    if (separator !== undefined && isRecord(inner)) appendFields(fields, inner, `${field}${separator}`, separator);
    else for (const one of Array.isArray(inner) ? inner : [inner]) fields.append(field, text(one));
  }
}

/**
 * Writes fields in the order of the value; a list is a repeated field, and a field without a value is left out. The
 * whole value can be JSON in one field (document B, visitor queue), and nested members can be fields such as `csr.cn`
 * (document B, secure provisioning).
 * @throws CodecError for a value that a form cannot represent.
 */
export function encodeForm(value: unknown, { field, separator }: Pick<Media, "field" | "separator">): Uint8Array {
  const fields = new URLSearchParams();
  if (field !== undefined) fields.append(field, jsonText(value));
  else if (!isRecord(value)) throw new CodecError("A form consists of named fields.");
  else appendFields(fields, value, "", separator);
  return new TextEncoder().encode(fields.toString());
}
