/** Finds the name that a mistyped one most likely means. */
import leven from "leven";

/** The known name nearest to `given`, or undefined when none is near enough to be worth suggesting. */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.ceil(given.length * 0.4)) + 1;
  for (const name of known) {
    const distance = leven(wanted, name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** The suggestion as a clause for an error: ` (did you mean "x"?)`, or nothing. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearest(given, known);
  return name === undefined ? "" : ` (did you mean "${name}"?)`;
}
