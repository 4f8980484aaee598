/** JSON bytes and values, without the losses of plain parsing: large integers stay exact and nothing nests without end. */
import { CodecError } from "../api/codec-error.js";

const maxDepth = 64;

/**
 * A value as the text of JSON.
 * @throws CodecError for what JSON would silently change: numbers that are not finite, and half characters.
 */
export function jsonText(value: unknown): string {
  const checked = (name: string, inner: unknown): unknown => {
    if (typeof inner === "number" && !Number.isFinite(inner))
      throw new CodecError("JSON cannot hold a number that is not finite.");
    if (!name.isWellFormed() || (typeof inner === "string" && !inner.isWellFormed()))
      throw new CodecError("JSON cannot hold half a character.");
    return inner;
  };
  return JSON.stringify(value, checked);
}

/** Writes a value as JSON; throws as `jsonText` does. */
export const encodeJson = (value: unknown): Uint8Array => new TextEncoder().encode(jsonText(value));

// Sixteen digits where a value can begin; digits inside most texts are not worth a second look.
const mayHoldLargeInteger = /(?:^|[:[,\s-])\d{16}/;
// What begins or ends a text, what cannot, and where a long number starts. No match looks back or repeats a choice, so
// the time is linear and the length of a text has no bound, whatever the body.
const marks = /\\.|"|(?<![\w.+-])-?\d{16}[\d.eE+-]*/gs;

const isLargeInteger = (token: string): boolean =>
  /^-?[1-9]\d{15,}$/.test(token) && !Number.isSafeInteger(Number(token));

/** Puts quotes around integers beyond the safe range, so that an id is never rounded to another one. */
function quoteLargeIntegers(text: string): string {
  let isInText = false;
  return text.replace(marks, (token) => {
    if (token === '"') isInText = !isInText;
    return isInText || !isLargeInteger(token) ? token : `"${token}"`;
  });
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInText) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) isInText = false;
    } else if (code === 0x22) isInText = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}

/**
 * Reads JSON. Integers beyond 2^53-1 come as text.
 * @throws CodecError when the bytes are not JSON or nest deeper than 64 levels.
 */
export function decodeJson(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  // A body this short cannot nest too deep; most answers are, and are not looked at twice.
  if (text.length > maxDepth && depthOf(text) > maxDepth)
    throw new CodecError(`The JSON nests deeper than ${maxDepth} levels.`);
  try {
    return JSON.parse(mayHoldLargeInteger.test(text) ? quoteLargeIntegers(text) : text);
  } catch {
    throw new CodecError("The body is not whole JSON.");
  }
}
