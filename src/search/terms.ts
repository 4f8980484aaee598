/** Normalization of words: stop words are removed, and the others stemmed. */
import wordLists from "./words.json" with { type: "json" };

const stopWords = new Set(wordLists.stopWords.join(" ").split(" "));

// Words with several spellings are compared as one.
const spellings = new Map(Object.entries(wordLists.spellings));

// Words with a different meaning than their verb: a recording is not a DNS record.
const ownWords = new Set(["streaming", "recording", "reporting"]);

const vowel = /[aeiouy]/;
/**
 * Without a doubled last consonant, as in "stopped", and without a silent last vowel, as in "cache" versus "caching".
 */
const bare = (stem: string): string => stem.replace(/([bdfgkmnprtvz])\1$/, "$1").replace(/(?<=..)[ei]$/, "");

// The suffixes of English words, longest first, and their replacements.
const endings: readonly (readonly [RegExp, string])[] = [
  [/(?<=....)ations?$/, ""],
  [/(?<=....)at(e|es|ed|ing)$/, ""],
  [/(?<=...[st])ions?$/, ""],
  [/(?<=....)ments?$/, ""],
  [/(?<=...)ies$/, "y"],
  [/(?<=ss|sh|ch|x|z)es$/, ""],
  [/(?<=..[^sui])s$/, ""],
];

/** A stemmed word; words of up to three letters, and those with digits, stay unchanged. */
function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const ended = endings.find(([ending]) => ending.test(word));
  const singular = ended ? word.replace(ended[0], ended[1]) : word;
  if (ownWords.has(singular)) return singular;
  const [, root] = /^(.{3,})(?:ing|ed)$/.exec(singular) ?? [];
  return bare(root !== undefined && vowel.test(root) ? root : singular);
}

/** The words of a text in lower case; names in camel case are split. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(?<=[a-z])(?=[A-Z][a-z])/g, " ")
    .toLowerCase()
    .replaceAll(/['’]s\b/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** A word in its basic form, also a stop word. */
export const stemOf = (word: string): string => stem(spellings.get(word) ?? word);

/** A normalized word; undefined for a stop word. */
export const termOf = (word: string): string | undefined => (stopWords.has(word) ? undefined : stemOf(word));

/** The terms of a text, in order. */
export const termsOf = (text: string): string[] => wordsOf(text).flatMap((word) => termOf(word) ?? []);
