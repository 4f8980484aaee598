/** JSON bytes and values, without the losses of plain parsing: numbers stay exact, and nesting is limited. */
import { CodecError } from "../../language/wire.js";
import { isExact } from "../../text/exact-number.js";

/**
 * Rejects values that JSON would silently change; a separate walk, because `JSON.stringify` is slow with a function.
 */
function refuseLossy(value: unknown): void {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new CodecError("JSON cannot represent a number that is not finite.");
  if (typeof value === "string" && !value.isWellFormed())
    throw new CodecError("JSON cannot represent half a surrogate pair.");
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) value.forEach(refuseLossy);
  else
    for (const [name, inner] of Object.entries(value)) {
      refuseLossy(name);
      refuseLossy(inner);
    }
}

/**
 * A value as JSON text.
 * @throws CodecError for values that JSON would silently change: numbers that are not finite, and lone surrogates.
 */
export function jsonText(value: unknown): string {
  refuseLossy(value);
  return JSON.stringify(value);
}

/** Writes a value as JSON; throws like `jsonText`. */
export const encodeJson = (value: unknown): Uint8Array => new TextEncoder().encode(jsonText(value));

// Measured: two million values take at most 300 MB, in the worst case of objects with one distinct member each.
const limits = { depth: 64, values: 2_000_000 };
// How far a string is scanned in a loop before `indexOf` takes over, which is faster but has a start-up cost.
const shortText = 64;

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;

/** A table of bytes, with 1 for the given characters. */
const byByte = (characters: string): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (characters.includes(String.fromCharCode(byte)) ? 1 : 0));

/** Whether a backslash escapes the character at a position; no escape crosses `start`. */
function isEscaped(bytes: Buffer, start: number, at: number): boolean {
  let before = at;
  while (before > start && bytes[before - 1] === backslash) before -= 1;
  return (at - before) % 2 === 1;
}

/** The position after a text whose opening quote is before `start`. */
function endOfText(bytes: Buffer, start: number): number {
  let index = start;
  while (index < bytes.length) {
    const end = Math.min(index + shortText, bytes.length);
    for (; index < end; index += 1) {
      const byte = bytes[index];
      if (byte === quote) return index + 1;
      if (byte === backslash) index += 1;
    }
    const found = bytes.indexOf(quote, index);
    if (found < 0) return bytes.length;
    if (!isEscaped(bytes, index, found)) return found + 1;
    index = found + 1;
  }
  return index;
}

/** Copies bytes, with quotes around some ranges; nothing is copied if there are none. */
function createQuoter(bytes: Buffer) {
  let copy: Buffer | undefined;
  let [from, at, count] = [0, 0, 0];
  const copyTo = (target: Buffer, end: number): void => {
    // A loop, because the ranges are short and each native copy has a start-up cost.
    while (from < end) target[at++] = bytes[from++] ?? 0;
  };
  return {
    quote(start: number, end: number): void {
      count += 1;
      // Quoted ranges have at least 5 bytes, and what separates them has one.
      copy ??= Buffer.allocUnsafe(bytes.length + 2 * Math.ceil(bytes.length / 3));
      copyTo(copy, start);
      copy[at++] = quote;
      copyTo(copy, end);
      copy[at++] = quote;
    },
    count: () => count,
    quoted(): Buffer {
      if (!copy) return bytes;
      copyTo(copy, bytes.length);
      return copy.subarray(0, at);
    },
  };
}

const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;
/** The characters of a number. */
const inNumber = byByte("0123456789+-.Ee");

/** The position after the rest of a number. */
function endOfFraction(bytes: Buffer, start: number): number {
  let end = start;
  while (inNumber[bytes[end] ?? 0] === 1) end += 1;
  return end;
}

const number = /^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

// Integers with fewer digits are always in the safe range.
const fewestUnsafe = String(Number.MAX_SAFE_INTEGER).length;

/** Whether an integer is beyond the safe range. */
function isUnsafe(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start] === minus ? start + 1 : start;
  let value = 0;
  for (let at = first; at < end; at += 1) value = value * 10 + ((bytes[at] ?? 0) - zero);
  return value > Number.MAX_SAFE_INTEGER && bytes[first] !== zero;
}

/** The position after a number; integers beyond the safe range and other numbers that a double cannot hold are quoted. */
function endOfNumber(bytes: Buffer, start: number, quoter: ReturnType<typeof createQuoter>): number {
  let end = start + 1;
  while (isDigit(bytes[end] ?? 0)) end += 1;
  if (inNumber[bytes[end] ?? 0] === 1) {
    end = endOfFraction(bytes, end + 1);
    if (!isExactFraction(bytes, start, end)) quoter.quote(start, end);
    return end;
  }
  if (end - start >= fewestUnsafe && isUnsafe(bytes, start, end)) quoter.quote(start, end);
  return end;
}

const exponents = byByte("eE");

/** Whether a double holds the number with a fraction or an exponent between two positions. */
function isExactFraction(bytes: Buffer, start: number, end: number): boolean {
  let isShort = end - start <= fewestUnsafe;
  for (let at = start; isShort && at < end; at += 1) isShort = exponents[bytes[at] ?? 0] === 0;
  if (isShort) return true;
  // Reading -0.0 as 0 loses nothing.
  const text = bytes.toString("latin1", bytes[start] === minus ? start + 1 : start, end);
  // Text that is not a number is left to the parser, which rejects it.
  return !number.test(text) || isExact(text);
}

function refuseTooMuch(depth: number, values: number): void {
  if (depth > limits.depth) throw new CodecError(`The JSON nests deeper than ${limits.depth} levels.`);
  if (values > limits.values)
    throw new CodecError(
      `The JSON has more than ${limits.values} values, too many to keep in memory: ask for less (a filter, a page, a shorter period).`,
    );
}

// A comma, and the opening of a list or object, each start a value.
const beginsValue = byByte(",[{");
const opens = byByte("[{");
const closes = byByte("]}");

/**
 * Scans bytes of JSON once before they are parsed.
 * @returns the bytes, with quotes around numbers that a double cannot hold, and how many there are.
 * @throws CodecError if they nest too deeply or have too many values.
 */
function quoteUnsafeNumbers(bytes: Buffer): { readonly json: Buffer; readonly quoted: number } {
  const quoter = createQuoter(bytes);
  let depth = 0;
  let values = 1;
  for (let index = 0; index < bytes.length; ) {
    const byte = bytes[index] ?? 0;
    if (byte === quote) index = endOfText(bytes, index + 1);
    else if (byte === minus || isDigit(byte)) index = endOfNumber(bytes, index, quoter);
    else {
      index += 1;
      if (beginsValue[byte] === 1) {
        values += 1;
        depth += opens[byte] ?? 0;
        refuseTooMuch(depth, values);
      } else depth -= closes[byte] ?? 0;
    }
  }
  return { json: quoter.quoted(), quoted: quoter.count() };
}

/**
 * Reads JSON. Integers beyond 2^53-1, and other numbers that a double cannot hold, are returned as text, so that none is rounded.
 * @param onText Called with the number of those, if there are any.
 * @throws CodecError if the bytes are not JSON, nest deeper than 64 levels or have more than 2,000,000 values.
 */
export function decodeJson(bytes: Uint8Array, onText?: (count: number) => void): unknown {
  const { json, quoted } = quoteUnsafeNumbers(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (quoted > 0) onText?.(quoted);
  try {
    return JSON.parse(new TextDecoder().decode(json));
  } catch {
    throw new CodecError("The body is not valid JSON.");
  }
}
