/** Makes the invisible characters of an answer visible, in its texts and in its member names. */
import type { Arguments } from "../language/conduct.js";
import { countHidden, withHiddenShown } from "../language/marks.js";
import { NextCall } from "../language/next-call.js";

/** A text with a mark in place of each invisible character, and without lone surrogates. */
export const visibleText = (text: string): string => withHiddenShown(text.toWellFormed());

/**
 * The value with a mark in place of each invisible character, and without lone surrogates, because of which a UTF-8
 * reader would reject the whole answer.
 * @returns the value, and how many characters were made visible.
 */
export function visible(root: unknown): { readonly value: unknown; readonly count: number } {
  let count = 0;
  const text = (given: string): string => {
    count += countHidden(given);
    return visibleText(given);
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    if (value instanceof NextCall) return new NextCall(value.tool, walk(value.arguments) as Arguments);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), walk(member)]));
  };
  return { value: walk(root), count };
}

/** Whether a text of JSON may hold an invisible character or a lone surrogate; plain ASCII without escapes does not. */
export const mayHoldHidden = (json: string): boolean => /[^\x20-\x7e]|\\[ubfr]/.test(json);
