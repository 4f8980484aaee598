/** Finds the name that a mistyped one most likely means. */
import leven from "leven";

// The time to compare two texts grows with the product of their lengths, and no name is this long that anyone mistypes.
const longestName = 128;
const isShort = (name: string): boolean => name.length <= longestName;

/** A name without what differs between the ways of writing it: `FIVE_MINUTES`, `five minutes` and `fiveMinutes` are one. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
const lettersOf = (text: string): string => [...text].sort().join("");

/** How far a name is from what was given, in slips of the keyboard: two letters that changed places are one of them. */
function slipsBetween(given: string, name: string): number {
  const distance = leven(given, name);
  return distance === 2 && given.length === name.length && lettersOf(given) === lettersOf(name) ? 1 : distance;
}

// More slips than these are no typing error but another name.
const mostSlips = 3;
// A name of so many letters is known again with one of them wrong, wherever that is.
const longEnough = 6;

const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
const singular = (word: string): string => word.replace(/ies$/, "y");

/**
 * How many slips a name is from a given one; undefined where they are too many for a typing error. Only what differs
 * counts: that two names end in the same words makes the others no more alike.
 */
function slipsTo(given: readonly string[], name: readonly string[]): number | undefined {
  const length = Math.min(given.length, name.length);
  let head = 0;
  while (head < length && given[head] === name[head]) head += 1;
  let tail = 0;
  while (tail < length - head && given.at(-1 - tail) === name.at(-1 - tail)) tail += 1;
  const [one, other] = [given, name].map((words) => words.slice(head, words.length - tail).join("")) as [
    string,
    string,
  ];
  // A plural in -ies is more than a slip from its singular, and means the same.
  if (singular(one) === singular(other)) return 1;
  const least = given.join("").length >= longEnough ? 1 : 0;
  const most = Math.max(least, Math.min(mostSlips, Math.floor(one.length / 3)));
  // It is at least what one is longer than the other.
  if (Math.abs(one.length - other.length) > most) return undefined;
  const slips = slipsBetween(one, other);
  return slips <= most ? slips : undefined;
}

const leastBeginning = 3;

/**
 * The known name nearest to `given`, or undefined when none is near enough to be worth suggesting: a few slips away, or
 * the only one that it is the beginning or the last words of. Where some names begin with its first word, as the tools of
 * a service do, it is one of those unless one slip is all that is wrong: a tool of another service is no typing error.
 */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  if (!isShort(given)) return undefined;
  const wanted = wordsOf(given);
  const names = [...known].filter(isShort).map((name) => ({ name, words: wordsOf(name) }));
  const kin = given.includes("_") ? names.filter(({ words }) => words[0] === wanted[0]) : [];
  let best: string | undefined;
  let fewest = mostSlips + 1;
  for (const one of names) {
    const slips = slipsTo(wanted, one.words);
    if (slips === undefined || slips >= fewest || (slips > 1 && kin.length > 0 && !kin.includes(one))) continue;
    best = one.name;
    fewest = slips;
  }
  if (best !== undefined) return best;
  const text = wanted.join("");
  if (text.length < leastBeginning) return undefined;
  const holding = (kin.length > 0 ? kin : names).filter(
    ({ words }) =>
      words.join("").startsWith(text) ||
      (words.length > wanted.length && wanted.every((word, at) => words.at(at - wanted.length) === word)),
  );
  return holding.length === 1 ? holding[0]?.name : undefined;
}

/** The suggestion as a clause for an error: ` (did you mean "x"?)`, or nothing. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearest(given, known);
  return name === undefined ? "" : ` (did you mean "${name}"?)`;
}

/**
 * Those of some names that are slips of known ones: other ways to write them, or at most two letters from them, and from a
 * short one no more than a third of its letters.
 */
export function slipsOf(given: readonly string[], known: readonly string[]): readonly string[] {
  const names = known.filter(isShort).map((name) => ({ lower: name.toLowerCase(), text: plain(name) }));
  return given.filter(isShort).filter((one) => {
    const [wanted, text] = [one.toLowerCase(), plain(one)];
    return names.some((name) => {
      if (name.text === text) return true;
      const most = Math.min(2, Math.floor(Math.min(wanted.length, name.lower.length) / 3));
      // It is at least what one is longer than the other.
      return Math.abs(name.lower.length - wanted.length) <= most && slipsBetween(wanted, name.lower) <= most;
    });
  });
}

/**
 * The one of the known names that a given one can be taken for: another way to write it, the only one that it is short or
 * long for, or the only nearest one within a third of its letters. A suggestion may be wrong; this is to be acted upon, so
 * there is none where two would do.
 */
export function meantBy(given: string, known: Iterable<string>): string | undefined {
  if (!isShort(given)) return undefined;
  const names = [...known]
    .filter(isShort)
    .map((name) => ({ name, text: plain(name) }))
    .filter(({ text }) => text !== "");
  const wanted = plain(given);
  if (wanted === "") return undefined;
  const only = (found: readonly { readonly name: string }[]) => (found.length === 1 ? found[0]?.name : undefined);
  const same = names.filter(({ text }) => text === wanted);
  if (same.length > 0) return only(same);
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const near = names.map(({ name, text }) => ({ name, slips: slipsBetween(wanted, text) }));
  const least = Math.min(...near.map(({ slips }) => slips));
  if (least === 1) return only(near.filter(({ slips }) => slips === 1));
  const begun = names.filter(({ text }) => {
    const [short, long] = text.length < wanted.length ? [text, wanted] : [wanted, text];
    return short.length >= leastBeginning && long.startsWith(short);
  });
  if (begun.length > 0) return only(begun);
  return least <= most ? only(near.filter(({ slips }) => slips === least)) : undefined;
}
