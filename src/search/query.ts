/** Query analysis: its terms, each with alternatives, and their weights. */
import leven from "leven";
import { stemOf, termOf, termsOf, wordsOf } from "./terms.js";
import wordLists from "./words.json" with { type: "json" };

/** What values in a query look like, and the words that they represent. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/https?:\/\/\S+/gi, "url"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+)?\b/g, "ip address"],
  [/#?\b\d+\.[0-9a-f]+\.\d{6,}\.[0-9a-f]+\b/gi, "reference code error"],
  [/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.]+\b/g, "email user"],
  [/(?<![\w-])([\w-]+)\.(html?|css|js|json|xml|png|jpe?g|gif|svg|webp|pdf|mp4|zip|csv)\b/gi, "$1 $2 file"],
  [/(?<![\w.-])\.*(?:[\w-]+\.)+[a-z]{2,}\b/gi, "domain"],
  [/\b(ehn|ctr|grp|prd|cpc|prp|atv)_\w*/gi, "$1"],
  [
    /\b(?:in|from|near|around|via) (?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b)[A-Z][a-z]+\b/g,
    "location",
  ],
];

/** Two words that mean something else together, in their basic forms, and the words that they represent. */
const pairs = new Map(
  Object.entries(wordLists.pairs).map(
    ([pair, meaning]) => [pair.split(" ").map(stemOf).join(" "), wordsOf(meaning)] as const,
  ),
);

/** Words with the pairs among them replaced. */
const withoutPairs = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    const together = (first: string, second = "") => pairs.get(`${stemOf(first)} ${stemOf(second)}`);
    if (at > 0 && together(words[at - 1] ?? "", word)) return [];
    return together(word, words[at + 1]) ?? (/^v\d+$/.test(word) ? "version" : word);
  });

/** One word of a query. */
interface QueryTerm {
  /** The term itself and its alternatives, with the weight of each. */
  readonly terms: ReadonlyMap<string, number>;
  /** The weight of the word: the main object precedes what it only relates to. */
  readonly weight: number;
}

/** The words of the index, most frequent first, and their terms. */
interface Vocabulary {
  readonly words: ReadonlySet<string>;
  readonly terms: ReadonlySet<string>;
}

const synonymShare = 0.2;
// Shorter words have too many neighbors: "log" and "lock" are one letter apart.
const fewestLettersToCorrect = 5;
// The factor for words after a preposition ("a stream of a domain") and in each further clause.
const afterPreposition = 0.7;
const inFurtherClause = 0.7;
const leastWeight = 0.3;

const prepositions = new Set(wordLists.prepositions.split(" "));
const furtherClause = /[,;:](?=\s)|\s-\s/;

/** For each word of a group with similar meaning the others: a query with one of them also finds those, with less weight. */
const groupsOf = new Map<string, Set<string>>();
for (const group of wordLists.synonyms) {
  const terms = [...new Set(termsOf(group))];
  for (const term of terms) groupsOf.set(term, new Set([...(groupsOf.get(term) ?? []), ...terms]));
}
const synonymWords = new Set(wordLists.synonyms.flatMap(wordsOf));

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
 * The known word at the smallest edit distance, and of several the one that begins alike or is more frequent. A
 * transposition counts as one edit.
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

/** A query with its words joined if they are known as one: "honey pots", "sub-group". */
const joined = (query: string, { words }: Vocabulary): string =>
  query.replaceAll(
    /(?<![\p{L}\p{N}_./@-])(\p{Ll}{3,})[ -](?=(\p{Ll}{3,})(?![\p{L}\p{N}_./@-]))/gu,
    (both, one: string, other: string) => (words.has(one + other) ? one : both),
  );

/**
 * A query with its typing errors corrected; names, which have capitals, and words with digits or signs stay unchanged.
 */
export function correctQuery(query: string, vocabulary: Vocabulary): string {
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

/** A number is an id of the caller and ignored, except for HTTP statuses, which are often named by number. */
const withoutIds = (text: string): string =>
  text.replaceAll(/(?<![\w.-])(?!(?:30[1278]|40[0134]|429|50[0234])\b)\d+(?![\w.%-])/g, " ");

/**
 * The words of a query, with names, addresses and numbers replaced by their kinds.
 * @param query As returned by `correctQuery`.
 */
export function queryTermsIn(query: string): QueryTerm[] {
  const weights = new Map<string, number>();
  let related = 0;
  for (const [clause, text] of query.split(furtherClause).entries()) {
    const plain = shapes.reduce((shaped, [shape, words]) => shaped.replaceAll(shape, words), text);
    for (const word of withoutPairs(wordsOf(withoutIds(plain)))) {
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
