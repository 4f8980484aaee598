/** Names, lists and networks in the sentences of previews and errors. */
import { quoteValue } from "./failure.js";

// A sentence names at least a few items, and all of them if they are short.
const leastNamed = 5;
const usualLength = 320;

/** A name in a sentence, in quotes unless it is one plain word. */
export const plainOrQuoted = (value: unknown): string =>
  /^[A-Za-z0-9*/][\w.*:/+-]{0,79}$/.test(String(value)) ? String(value) : quoteValue(value);

/** The words of the items that a list in a sentence names; see `listInWords`. */
export function leadingWords<T>(
  items: readonly T[],
  wordsOf: (item: T) => string,
  maxLength: number = usualLength,
): readonly string[] {
  const named: string[] = [];
  let length = 0;
  for (const item of items) {
    const words = wordsOf(item);
    length += words.length + 2;
    if (named.length >= leastNamed && length > maxLength) break;
    named.push(words);
  }
  return named;
}

/**
 * A list in a sentence, limited to the items that there is room for.
 * @param wordsOf The words for an item; only called for items that may be shown, because there may be a million others.
 * @param maxLength The length of what is named beyond the first five.
 */
export function listInWords<T>(items: readonly T[], wordsOf: (item: T) => string = String, maxLength?: number): string {
  const named = leadingWords(items, wordsOf, maxLength);
  const more = items.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more.toLocaleString("en-US")} more` : ""}`;
}

/** The display name of a network, in any of the API's spellings. */
export const networkName = (network: unknown): string =>
  /^prod(uction)?$/i.test(String(network)) ? "PRODUCTION" : plainOrQuoted(network).toUpperCase();

/** Whether two of the API's spellings mean the same network. */
export const isSameNetwork = (one: unknown, other: unknown): boolean => networkName(one) === networkName(other);

/** A part of a sentence, or false if it does not apply. */
export type Clause = string | false | undefined;

/** The given sentences without those whose condition is false. */
export const withoutFalse = (...all: readonly Clause[]): string[] => all.filter((one) => typeof one === "string");
