/** What a query asks for: its terms, each with the terms that may stand for it, and how much each of them counts. */
import leven from "leven";
import { shapes, synonyms } from "./synonyms.js";
import { termOf, termsOf, wordsOf } from "./terms.js";

/** One word of a query: the term itself and those that may stand for it, with the share of a match that each counts for. */
export type Asked = ReadonlyMap<string, number>;

const synonymShare = 0.35;
const correctedShare = 0.8;
// Shorter words have too many neighbors: "log" and "lock" are one letter apart.
const fewestLettersToCorrect = 5;

const groupsOf = new Map<string, Set<string>>();
for (const group of synonyms) {
  const terms = [...new Set(termsOf(group))];
  for (const term of terms) groupsOf.set(term, new Set([...(groupsOf.get(term) ?? []), ...terms]));
}

type Vocabulary = ReadonlySet<string>;

/** Two known words that were written as one. */
function partsOf(word: string, vocabulary: Vocabulary): string[] {
  for (let at = 3; at <= word.length - 3; at += 1) {
    const parts = [termOf(word.slice(0, at)), termOf(word.slice(at))];
    if (parts.every((part) => part !== undefined && vocabulary.has(part))) return parts.flatMap((part) => part ?? []);
  }
  return [];
}

/** The known terms that are the fewest letters away; two letters that changed places count as one. */
function nearest(term: string, vocabulary: Vocabulary): string[] {
  const letters = [...term];
  const swapped = letters
    .slice(1)
    .map((letter, at) => [...letters.slice(0, at), letter, letters[at], ...letters.slice(at + 2)].join(""));
  const exchanged = swapped.filter((one) => vocabulary.has(one));
  if (exchanged.length > 0) return exchanged;
  const most = term.length < 8 ? 1 : 2;
  const near = [...vocabulary]
    .filter((one) => Math.abs(one.length - term.length) <= most)
    .map((one) => ({ one, distance: leven(one, term) }));
  const least = Math.min(...near.map(({ distance }) => distance));
  return least > most ? [] : near.filter(({ distance }) => distance === least).map(({ one }) => one);
}

/** A word of the query as known terms; as it is where nothing is like it. */
function known(word: string, vocabulary: Vocabulary): Asked[] {
  const term = termOf(word);
  if (term === undefined) return [];
  if (vocabulary.has(term) || groupsOf.has(term) || word.length < fewestLettersToCorrect) return [new Map([[term, 1]])];
  const parts = partsOf(word, vocabulary);
  if (parts.length > 0) return parts.map((part) => new Map([[part, 1]]));
  const corrected = nearest(term, vocabulary);
  return [new Map(corrected.length > 0 ? corrected.map((one) => [one, correctedShare]) : [[term, 1]])];
}

const withSynonyms = (asked: Asked): Asked =>
  new Map([
    ...[...asked.keys()].flatMap((term) => [...(groupsOf.get(term) ?? [])].map((one) => [one, synonymShare] as const)),
    ...asked,
  ]);

/**
 * What a query asks for, with its names, addresses and numbers replaced by what they are.
 * @param vocabulary All terms of the index.
 */
export function askedIn(query: string, vocabulary: Vocabulary): Asked[] {
  const plain = shapes.reduce((text, [shape, words]) => text.replaceAll(shape, words), query);
  const words = [...new Set(wordsOf(plain))].flatMap((word) => known(word, vocabulary));
  const once = new Map(words.map((asked) => [[...asked.keys()].join(), asked]));
  return [...once.values()].map(withSynonyms);
}
