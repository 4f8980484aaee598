/** Which patterns of definitions are kept: a definition is untrusted, and some patterns take a time that doubles with each character. */

const most = { characters: 200, words: 8, choices: 6, ranges: 2 };

/** The longest text that a pattern of a definition is tried on, in characters. */
export const longestMatched = 200;

// What matches a single character: an escape, or a set, which may lack its end.
const single = /\\.|\[(?:\\.|[^\]\\])*\]?/gs;

const count = (text: string, kind: RegExp): number => text.match(kind)?.length ?? 0;

const isRegExp = (pattern: string): boolean => {
  try {
    return RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
};

/**
 * Whether a pattern is quick on texts of at most `longestMatched` characters. It repeats no group, so that a match has no more
 * ways than its few choices, two of which may be as many as the text has characters; and it has no room for a sentence.
 */
export function isQuickPattern(pattern: string): boolean {
  const plain = pattern.replaceAll(single, "x");
  return (
    pattern.length <= most.characters &&
    !/\s/.test(pattern) &&
    count(pattern, /[A-Za-z]{3,}/g) <= most.words &&
    !/\)[*+{]|\d{3}[,}]/.test(plain) &&
    count(plain, /[*+?|{]/g) <= most.choices &&
    count(plain, /[*+]|\{\d*,/g) <= most.ranges &&
    isRegExp(pattern)
  );
}
