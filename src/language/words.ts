/** Names, lists and networks in the sentences of previews and errors. */
import { shown } from "./failure.js";

const maxNamed = 5;

/** A name in a sentence, in quotes unless it is one plain word. */
export const plain = (value: unknown): string =>
  /^[A-Za-z0-9*/][\w.*:/+-]{0,79}$/.test(String(value)) ? String(value) : shown(value);

/**
 * A list in a sentence, limited to its first items.
 * @param wordsOf The words for an item; only called for items that are shown, because there may be a million others.
 */
export function listed<T>(items: readonly T[], wordsOf: (item: T) => string = String): string {
  const more = items.length - maxNamed;
  return `${items.slice(0, maxNamed).map(wordsOf).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The display name of a network, in any of the API's spellings. */
export const networkName = (network: unknown): string =>
  /^prod(uction)?$/i.test(String(network)) ? "PRODUCTION" : plain(network).toUpperCase();

/** Whether two of the API's spellings mean the same network. */
export const isSameNetwork = (one: unknown, other: unknown): boolean => networkName(one) === networkName(other);

/** The given sentences without those whose condition is false. */
export const withoutFalse = (...all: readonly (string | false | undefined)[]): string[] =>
  all.filter((one) => typeof one === "string");
