/** Patterns in which `*` stands for any text and `?` for one character, matched in time that no pattern can blow up. */

/** Whether the whole of a text matches a pattern. */
export function matchesGlob(pattern: string, text: string): boolean {
  let [at, step] = [0, 0];
  // Where the last star stands, and how much of the text it has taken so far: going back to the last one is enough.
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
