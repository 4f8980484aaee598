/** How many bytes a value takes as JSON, counted no further than a bound, so that a large value costs no more than it. */
import { countHidden } from "../language/marks.js";

// The mark of a hidden character takes at most this much more than is counted for the character itself: eight bytes for
// the two of U+0085.
const markGrowth = 6;

// Two surrogates, which are one character.
const bytesOfPair = 4;

/** The bytes of the character that begins at a place. */
function bytesAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  // A control that JSON writes in six bytes is hidden: with the growth of its mark, two are enough.
  if (unit < 0x80) return unit < 0x20 || unit === 0x22 || unit === 0x5c || unit === 0x7f ? 2 : 1;
  if (unit < 0x800) return 2;
  if (unit < 0xd800 || unit > 0xdfff) return 3;
  const next = unit < 0xdc00 ? text.charCodeAt(at + 1) : Number.NaN;
  // JSON writes a lone surrogate as an escape.
  return next >= 0xdc00 && next <= 0xdfff ? bytesOfPair : 6;
}

/** The end and the bytes of the longest beginning of a text that takes at most `max` bytes, less the growth of marks. */
function measured(text: string, max: number): { readonly end: number; readonly size: number } {
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

// What takes one byte is never hidden.
const isPlain = (text: string, size: number): boolean => size === text.length;

function sizeOfText(text: string, max: number): number {
  if (text.length + 2 > max) return Number.POSITIVE_INFINITY;
  const { end, size } = measured(text, max - 2);
  if (end < text.length) return Number.POSITIVE_INFINITY;
  return 2 + size + (isPlain(text, size) ? 0 : markGrowth * countHidden(text));
}

/** The longest beginning of a text, found in a few steps, that takes at most `max` bytes as JSON with its marks. */
export function textWithin(text: string, max: number): string {
  for (let room = Math.max(0, max - 2); ; ) {
    const { end, size } = measured(text, room);
    const beginning = text.slice(0, end);
    const whole = size + markGrowth * countHidden(beginning);
    if (whole <= max - 2 || end === 0) return beginning;
    room = Math.floor((room * 0.9 * max) / whole);
  }
}

/** The names of an object's members, remembered where they are many, because listing them costs time. */
export type NamesOf = (value: object) => readonly string[];

/** Makes the way to list names, for as long as a value does not change. */
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

/** The bytes that a member's name takes, with its colon and comma. */
export const sizeOfName = (name: string, max: number): number => sizeOfText(name, max) + 2;

/**
 * The bytes of a JSON value, with the marks for its hidden characters.
 * @returns More than `max` for every value that takes more, which is all that is known of it then.
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
  // An item that is undefined is written as null.
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
