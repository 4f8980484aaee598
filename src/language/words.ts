/** The words in which previews and refusals name what they are about: names, lists and networks. */
import { shown } from "./failure.js";

const maxNamed = 5;

/** A name in a sentence, in quotes unless it is one plain word. */
export const plain = (value: unknown): string =>
  /^[A-Za-z0-9*/][\w.*:/+-]{0,79}$/.test(String(value)) ? String(value) : shown(value);

/**
 * A list in a sentence, the first of many.
 * @param wordsOf What an item is called; asked of those alone that are named, because there may be a million others.
 */
export function listed<T>(items: readonly T[], wordsOf: (item: T) => string = String): string {
  const more = items.length - maxNamed;
  return `${items.slice(0, maxNamed).map(wordsOf).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A network as people know it, whichever way the API spells it. */
export const networkName = (network: unknown): string =>
  /^prod(uction)?$/i.test(String(network)) ? "PRODUCTION" : plain(network).toUpperCase();

/** Whether two of the API's spellings mean one network. */
export const isSameNetwork = (one: unknown, other: unknown): boolean => networkName(one) === networkName(other);

/** The sentences and words that hold, of some of which each stands behind its condition. */
export const told = (...all: readonly (string | false | undefined)[]): string[] =>
  all.filter((one) => typeof one === "string");
