/**
 * Finds the known name that a mistyped one most likely means. Hides how names are compared: by notation, by words and
 * by typing errors, and none of it for long input. Promises no name rather than a doubtful one. Like every file of
 * `text`, it is about texts as such, and imports nothing of ours but its neighbours.
 */
import leven from "leven";

// The time to compare two texts grows with the product of their lengths, and names that people type are shorter.
const longestName = 128;
const isShort = (name: string): boolean => name.length <= longestName;

/** A name independent of notation: `FIVE_MINUTES`, `five minutes` and `fiveMinutes` are equal. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
const lettersOf = (text: string): string => [...text].sort().join("");

/** The edit distance between two names; a transposition counts as one edit. */
function slipsBetween(given: string, name: string): number {
  const distance = leven(given, name);
  return distance === 2 && given.length === name.length && lettersOf(given) === lettersOf(name) ? 1 : distance;
}

// With more edits than these it is not a typing error but a different name.
const mostSlips = 3;
// A name with this many letters is recognizable with one of them wrong in any position.
const longEnough = 6;

const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
const singular = (word: string): string => word.replace(/ies$/, "y");

/**
 * The edit distance of a name from the given one; undefined if it is too large for a typing error. Words that both names
 * have in common at the end do not make the rest more similar.
 */
function slipsTo(inputWords: readonly string[], name: readonly string[]): number | undefined {
  const length = Math.min(inputWords.length, name.length);
  let head = 0;
  while (head < length && inputWords[head] === name[head]) head += 1;
  let tail = 0;
  while (tail < length - head && inputWords.at(-1 - tail) === name.at(-1 - tail)) tail += 1;
  const [one, other] = [inputWords, name].map((words) => words.slice(head, words.length - tail).join("")) as [
    string,
    string,
  ];
  // A plural in -ies is more than one edit from its singular but means the same.
  if (singular(one) === singular(other)) return 1;
  const least = inputWords.join("").length >= longEnough ? 1 : 0;
  const most = Math.max(least, Math.min(mostSlips, Math.floor(one.length / 3)));
  // It is at least what one is longer than the other.
  if (Math.abs(one.length - other.length) > most) return undefined;
  const slips = slipsBetween(one, other);
  return slips <= most ? slips : undefined;
}

const leastBeginning = 3;

/**
 * The known name nearest to `given`, or undefined if none is near enough: within a few edits, or the only one that begins
 * or ends with it. If some names share its first word, as the tools of a service do, only those are considered, except for
 * names within one edit: a tool of another service is not a typing error.
 */
export function nearestName(input: string, known: Iterable<string>): string | undefined {
  if (!isShort(input)) return undefined;
  const inputWords = wordsOf(input);
  const names = [...known].filter(isShort).map((name) => ({ name, words: wordsOf(name) }));
  const kin = input.includes("_") ? names.filter(({ words }) => words[0] === inputWords[0]) : [];
  let best: string | undefined;
  let fewest = mostSlips + 1;
  for (const candidate of names) {
    const slips = slipsTo(inputWords, candidate.words);
    if (slips === undefined || slips >= fewest || (slips > 1 && kin.length > 0 && !kin.includes(candidate))) continue;
    best = candidate.name;
    fewest = slips;
  }
  if (best !== undefined) return best;
  const text = inputWords.join("");
  if (text.length < leastBeginning) return undefined;
  const holding = (kin.length > 0 ? kin : names).filter(
    ({ words }) =>
      words.join("").startsWith(text) ||
      (words.length > inputWords.length && inputWords.every((word, at) => words.at(at - inputWords.length) === word)),
  );
  return holding.length === 1 ? holding[0]?.name : undefined;
}

/** The suggestion as a clause for an error: ` (did you mean "x"?)`, or nothing. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearestName(given, known);
  return name === undefined ? "" : ` (did you mean "${name}"?)`;
}

/**
 * The known names that a given one is a misspelling of: in a different notation, or within two edits, and for short names
 * within a third of their letters.
 */
export function misspelledIn(input: string, known: readonly string[]): readonly string[] {
  if (!isShort(input)) return [];
  const [lowerInput, text] = [input.toLowerCase(), plain(input)];
  return known.filter(isShort).filter((name) => {
    if (plain(name) === text) return true;
    const lower = name.toLowerCase();
    const most = Math.min(2, Math.floor(Math.min(lowerInput.length, lower.length) / 3));
    // It is at least what one is longer than the other.
    return Math.abs(lower.length - lowerInput.length) <= most && slipsBetween(lowerInput, lower) <= most;
  });
}

/**
 * The known name that the given one can safely be replaced by: the same name in a different notation, the only one that is
 * an abbreviation or extension of it, or the only nearest one within a third of its letters. Unlike a suggestion, it is
 * acted upon, so there is none if two names qualify.
 */
export function guessName(input: string, known: Iterable<string>): string | undefined {
  if (!isShort(input)) return undefined;
  const names = [...known]
    .filter(isShort)
    .map((name) => ({ name, text: plain(name) }))
    .filter(({ text }) => text !== "");
  const plainInput = plain(input);
  if (plainInput === "") return undefined;
  const only = (found: readonly { readonly name: string }[]) => (found.length === 1 ? found[0]?.name : undefined);
  const same = names.filter(({ text }) => text === plainInput);
  if (same.length > 0) return only(same);
  const most = Math.max(1, Math.floor(plainInput.length / 3));
  const near = names.map(({ name, text }) => ({ name, slips: slipsBetween(plainInput, text) }));
  const least = Math.min(...near.map(({ slips }) => slips));
  if (least === 1) return only(near.filter(({ slips }) => slips === 1));
  const begun = names.filter(({ text }) => {
    const [short, long] = text.length < plainInput.length ? [text, plainInput] : [plainInput, text];
    return short.length >= leastBeginning && long.startsWith(short);
  });
  if (begun.length > 0) return only(begun);
  return least <= most ? only(near.filter(({ slips }) => slips === least)) : undefined;
}
