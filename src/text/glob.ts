/** Patterns in which `*` matches any text and `?` one character, without exponential matching time. */

/** Whether the whole text matches a pattern. */
export function matchesGlob(pattern: string, text: string): boolean {
  let [at, step] = [0, 0];
  // The position of the last star, and how much text it has matched: backtracking to the last one is enough.
  let [star, taken] = [-1, 0];
  while (at < text.length) {
    if (pattern[step] === "*") {
      [star, taken] = [step, at];
      step += 1;
    } else if (step < pattern.length && (pattern[step] === "?" || pattern[step] === text[at])) {
      step += 1;
      at += 1;
    } else if (star >= 0) {
      taken += 1;
      [step, at] = [star + 1, taken];
    } else return false;
  }
  while (pattern[step] === "*") step += 1;
  return step === pattern.length;
}
