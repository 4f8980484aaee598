/** The size of a value as JSON in bytes, counted only up to a limit, so that a large value is not walked completely. */
import { countHidden } from "../text/marks.js";

// The mark of an invisible character has at most this many more bytes than are counted for the character: eight for the
// two of U+0085.
const markGrowth = 6;

// Two surrogates, which are one character.
const bytesOfPair = 4;

/** The bytes of the character at a position. */
function bytesAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  // A control character that JSON writes in six bytes is invisible: with the growth of its mark, two are enough.
  if (unit < 0x80) return unit < 0x20 || unit === 0x22 || unit === 0x5c || unit === 0x7f ? 2 : 1;
  if (unit < 0x800) return 2;
  if (unit < 0xd800 || unit > 0xdfff) return 3;
  const next = unit < 0xdc00 ? text.charCodeAt(at + 1) : Number.NaN;
  // JSON writes a lone surrogate as an escape.
  return next >= 0xdc00 && next <= 0xdfff ? bytesOfPair : 6;
}

/** The end and the bytes of the longest prefix of a text with at most `max` bytes, less the growth of marks. */
function fittingPrefix(text: string, max: number): { readonly end: number; readonly size: number } {
  let size = 0;
  let end = 0;
  while (end < text.length) {
    const bytes = bytesAt(text, end);
    if (size + bytes > max) break;
    size += bytes;
    end += bytes === bytesOfPair ? 2 : 1;
  }
  return { end, size };
}

// Single-byte characters are never invisible.
const isPlain = (text: string, size: number): boolean => size === text.length;

function sizeOfText(text: string, max: number): number {
  if (text.length + 2 > max) return Number.POSITIVE_INFINITY;
  const { end, size } = fittingPrefix(text, max - 2);
  if (end < text.length) return Number.POSITIVE_INFINITY;
  return 2 + size + (isPlain(text, size) ? 0 : markGrowth * countHidden(text));
}

/** The longest prefix of a text, found in a few steps, with at most `max` bytes as JSON with its marks. */
export function textWithin(text: string, max: number): string {
  for (let room = Math.max(0, max - 2); ; ) {
    const { end, size } = fittingPrefix(text, room);
    const beginning = text.slice(0, end);
    const whole = size + markGrowth * countHidden(beginning);
    if (whole <= max - 2 || end === 0) return beginning;
    room = Math.floor((room * 0.9 * max) / whole);
  }
}

/** The names of an object's members, cached if there are many, because listing them is slow. */
export type NamesOf = (value: object) => readonly string[];

/** Creates a function that lists names, valid as long as a value does not change. */
export function createNamesOf(): NamesOf {
  const remembered = new Map<object, readonly string[]>();
  return (value) => {
    const known = remembered.get(value);
    if (known) return known;
    const names = Object.keys(value);
    if (names.length > 100) remembered.set(value, names);
    return names;
  };
}

/** The bytes of a member's name, with its colon and comma. */
export const sizeOfName = (name: string, max: number): number => sizeOfText(name, max) + 2;

/**
 * The bytes of a JSON value, with the marks for its invisible characters.
 * @returns A number above `max` for every larger value.
 */
export function sizeOf(value: unknown, max: number, namesOf: NamesOf): number {
  if (typeof value === "string") return sizeOfText(value, max);
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : String(value).length;
  return Math.max(2, Array.isArray(value) ? sizeOfList(value, max, namesOf) : sizeOfMembers(value, max, namesOf));
}

// The brackets, less the comma that the last member does not have.
const bytesAround = 1;

function sizeOfList(list: readonly unknown[], max: number, namesOf: NamesOf): number {
  let size = bytesAround;
  // An undefined item is written as null.
  for (let index = 0; index < list.length && size <= max; index += 1)
    size += 1 + (sizeOf(list[index], max - size, namesOf) || 4);
  return size;
}

function sizeOfMembers(value: object, max: number, namesOf: NamesOf): number {
  let size = bytesAround;
  for (const name of namesOf(value)) {
    if (size > max) break;
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    size += sizeOfName(name, max - size);
    if (size <= max) size += sizeOf(member, max - size, namesOf);
  }
  return size;
}
