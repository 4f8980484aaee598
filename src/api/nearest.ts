/** Finds the name that a mistyped one most likely means. */
import leven from "leven";

// The time to compare two texts grows with the product of their lengths, and no name is this long that anyone mistypes.
const longestName = 128;
const isShort = (name: string): boolean => name.length <= longestName;

/** The nearest of some names, if it is not further away than a share of the given one's length. */
function closest(given: string, names: Iterable<string>, share: number): string | undefined {
  const wanted = given.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.ceil(given.length * share)) + 1;
  for (const name of names) {
    // It is at least what one is longer than the other.
    if (Math.abs(name.length - given.length) >= bestDistance) continue;
    const distance = leven(wanted, name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

const firstWord = (name: string): string => name.slice(0, name.indexOf("_") + 1).toLowerCase();

/**
 * The known name nearest to `given`, or undefined when none is near enough to be worth suggesting. Where some names begin
 * with its first word, as the tools of a service do, it is one of those: a tool of another service is no typing error.
 */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  if (!isShort(given)) return undefined;
  const names = [...known].filter(isShort);
  const word = firstWord(given);
  const kin = word === "" ? [] : names.filter((name) => firstWord(name) === word);
  return kin.length > 0 ? closest(given, kin, 0.5) : closest(given, names, 0.4);
}

/** The suggestion as a clause for an error: ` (did you mean "x"?)`, or nothing. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearest(given, known);
  return name === undefined ? "" : ` (did you mean "${name}"?)`;
}

/** A name without what differs between the ways of writing it: `FIVE_MINUTES`, `five minutes` and `fiveMinutes` are one. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
const lettersOf = (text: string): string => [...text].sort().join("");

/** How far a name is from what was given, in slips of the keyboard: two letters that changed places are one of them. */
function slipsBetween(given: string, name: string): number {
  const distance = leven(given, name);
  return distance === 2 && given.length === name.length && lettersOf(given) === lettersOf(name) ? 1 : distance;
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

const leastBeginning = 3;

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
