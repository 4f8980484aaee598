/** What a query asks for: its terms, each with the terms that may stand for it, and how much each of them counts. */
import leven from "leven";
import { shapes } from "./shapes.js";
import { synonyms } from "./synonyms.js";
import { termOf, termsOf, wordsOf } from "./terms.js";

/** One word of a query. */
export interface Asked {
  /** The term itself and those that may stand for it, with the share of a match that each counts for. */
  readonly terms: ReadonlyMap<string, number>;
  /** How much the word counts: what a query is about stands before what it only relates to. */
  readonly weight: number;
}

/** The words of the index, the most frequent first, and their terms. */
export interface Vocabulary {
  readonly words: ReadonlySet<string>;
  readonly terms: ReadonlySet<string>;
}

const synonymShare = 0.2;
// Shorter words have too many neighbors: "log" and "lock" are one letter apart.
const fewestLettersToCorrect = 5;
// What a word counts for after each preposition ("a stream of a domain") and in each further clause.
const afterPreposition = 0.7;
const inFurtherClause = 0.7;
const leastWeight = 0.3;

const prepositions = new Set(
  "of in on for from with under at by behind before after into onto to about across below within via through against".split(
    " ",
  ),
);
const furtherClause = /[,;:](?=\s)|\s-\s/;

const groupsOf = new Map<string, Set<string>>();
for (const group of synonyms) {
  const terms = [...new Set(termsOf(group))];
  for (const term of terms) groupsOf.set(term, new Set([...(groupsOf.get(term) ?? []), ...terms]));
}
const synonymWords = new Set(synonyms.flatMap(wordsOf));

/** Two known words that were written as one. */
function partsOf(word: string, { words, terms }: Vocabulary): string[] {
  const isKnown = (part: string) => words.has(part) && terms.has(termOf(part) ?? "");
  for (let at = 3; at <= word.length - 3; at += 1) {
    const parts = [word.slice(0, at), word.slice(at)];
    if (parts.every(isKnown)) return parts;
  }
  return [];
}

/**
 * The known word that is the fewest letters away, and of several the one that begins alike or is more frequent. Two
 * letters that changed places count as one.
 */
function nearest(word: string, { words }: Vocabulary): string | undefined {
  const letters = [...word];
  const exchanged = letters
    .slice(1)
    .map((letter, at) => [...letters.slice(0, at), letter, letters[at], ...letters.slice(at + 2)].join(""))
    .find((one) => words.has(one));
  if (exchanged !== undefined) return exchanged;
  const most = word.length < 8 ? 1 : 2;
  const near = [...words]
    .filter((one) => one.length > 3 && Math.abs(one.length - word.length) <= most)
    .map((one) => ({ one, distance: leven(one, word) }));
  const least = Math.min(...near.map(({ distance }) => distance));
  if (least > most) return undefined;
  const closest = near.filter(({ distance }) => distance === least).map(({ one }) => one);
  return closest.find(([initial]) => initial === word[0]) ?? closest[0];
}

/** A query with its words written as one where they are known as one: "honey pots", "sub-group". */
const joined = (query: string, { words }: Vocabulary): string =>
  query.replaceAll(
    /(?<![\p{L}\p{N}_./@-])(\p{Ll}{3,})[ -](?=(\p{Ll}{3,})(?![\p{L}\p{N}_./@-]))/gu,
    (both, one: string, other: string) => (words.has(one + other) ? one : both),
  );

/** A query with its slips of the pen corrected; names, which have capitals, and what has digits or signs stay as they are. */
export function corrected(query: string, vocabulary: Vocabulary): string {
  const isKnown = (word: string) => {
    const term = termOf(word);
    return term === undefined || vocabulary.terms.has(term) || vocabulary.words.has(word) || synonymWords.has(word);
  };
  return joined(query, vocabulary).replaceAll(/[\p{L}\p{N}_.@/:'’#-]+/gu, (token, at: number) => {
    const word = token.toLowerCase();
    const isName = at > 0 && /^\p{Lu}/u.test(token);
    if (!/^\p{L}+$/u.test(token) || token.length < fewestLettersToCorrect || isName || isKnown(word)) return token;
    const parts = partsOf(word, vocabulary);
    return parts.length > 0 ? parts.join(" ") : (nearest(word, vocabulary) ?? token);
  });
}

/** A number is an id of the caller's, and says nothing; but for the codes of HTTP, which are spoken of by number. */
const withoutIds = (text: string): string =>
  text.replaceAll(/(?<![\w.-])(?!(?:30[1278]|40[0134]|429|50[0234])\b)\d+(?![\w.%-])/g, " ");

/**
 * What a query asks for, with its names, addresses and numbers replaced by what they are.
 * @param query As `corrected` returns it.
 */
export function askedIn(query: string): Asked[] {
  const weights = new Map<string, number>();
  let related = 0;
  for (const [clause, text] of query.split(furtherClause).entries()) {
    const plain = shapes.reduce((shaped, [shape, words]) => shaped.replaceAll(shape, words), text);
    for (const word of wordsOf(withoutIds(plain))) {
      if (prepositions.has(word) && weights.size > 0) related += 1;
      const term = termOf(word);
      if (term !== undefined && !weights.has(term))
        weights.set(term, Math.max(leastWeight, afterPreposition ** related * inFurtherClause ** clause));
    }
  }
  return [...weights].map(([term, weight]) => ({
    terms: new Map([...[...(groupsOf.get(term) ?? [])].map((one) => [one, synonymShare] as const), [term, 1]]),
    weight,
  }));
}
