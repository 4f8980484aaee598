/** JSON bytes and values, without the losses of plain parsing: large integers stay exact and nothing nests without end. */
import { CodecError } from "./error.js";

const maxDepth = 64;

/** Writes a value as JSON; refuses what JSON would silently change. */
export function encodeJson(value: unknown): Uint8Array {
  const checked = (_: string, inner: unknown): unknown => {
    if (typeof inner === "number" && !Number.isFinite(inner))
      throw new CodecError("JSON cannot hold a number that is not finite.");
    if (typeof inner === "string" && !inner.isWellFormed()) throw new CodecError("JSON cannot hold half a character.");
    return inner;
  };
  return new TextEncoder().encode(JSON.stringify(value, checked));
}

// Sixteen digits where a value can begin; digits inside most texts are not worth a second look.
const mayHoldLargeInteger = /(?:^|[:[,\s-])\d{16}/;

/** Puts quotes around integers beyond the safe range, so that an id is never rounded to another one. */
function quoteLargeIntegers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
  );
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
