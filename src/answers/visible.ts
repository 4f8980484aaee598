/** Makes the characters of an answer visible that nobody could see, in its texts and in the names of its members. */
import { characterMark, countHidden, withHiddenShown } from "../api/marks.js";

/**
 * The value with a mark in the place of each hidden character, and whole characters alone: what reads UTF-8 would refuse
 * the whole answer because of half a one.
 * @returns the value, and how many characters were made visible.
 */
export function visible(root: unknown): { readonly value: unknown; readonly count: number } {
  let count = 0;
  const text = (given: string): string => {
    count += countHidden(given);
    return withHiddenShown(given.toWellFormed());
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), walk(member)]));
  };
  return { value: walk(root), count };
}

/** Whether a text of JSON may hold a character to be made visible, or half a one; plain ASCII without escapes does not. */
export const mayHoldHidden = (json: string): boolean => /[^\x20-\x7e]|\\[ubfr]/.test(json);

/** A text on one line, with a mark in the place of each character that nobody can see, line ends among them. */
export const onOneLine = (text: string): string =>
  withHiddenShown(text.toWellFormed()).replace(/[\n\r\t]/g, characterMark);
