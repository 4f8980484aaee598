/** Finds the name that a mistyped one most likely means. */
import leven from "leven";

/** The nearest of some names, if it is not further away than a share of the given one's length. */
function closest(given: string, names: Iterable<string>, share: number): string | undefined {
  const wanted = given.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.ceil(given.length * share)) + 1;
  for (const name of names) {
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
  const names = [...known];
  const word = firstWord(given);
  const kin = word === "" ? [] : names.filter((name) => firstWord(name) === word);
  return kin.length > 0 ? closest(given, kin, 0.5) : closest(given, names, 0.4);
}

/** The suggestion as a clause for an error: ` (did you mean "x"?)`, or nothing. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearest(given, known);
  return name === undefined ? "" : ` (did you mean "${name}"?)`;
}
