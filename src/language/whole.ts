/** What is shown whole or not at all: a path, an id, a handle and an address mean something else, or nothing, when they are cut. */

/** No path, id, handle or address is longer; what is, such as an encoded file, is no name of anything. */
export const longestName = 2_048;

/** Whether a character is part of a word: what is visible in the scripts of paths, ids and addresses. */
const isOfWord = (code: number): boolean => (code > 0x20 && code < 0x7f) || (code > 0xa0 && code < 0x250);

/** The place of the first character from a place on, in one direction, that is of no word; looked for no farther than a name is long. */
function edgeOf(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (Math.abs(at - from) <= longestName && isOfWord(text.charCodeAt(step === 1 ? at : at - 1))) at += step;
  return at;
}

/** Whether a text is one word, so that it may be a name. */
export const isName = (text: string): boolean =>
  text.length <= longestName && text !== "" && edgeOf(text, 0, 1) === text.length;

// What stands around a name in a text without spaces, such as JSON.
const separators = /[",;<>{}[\]()|]/;

/**
 * Where the beginning of a text may end: at the place itself or, where that is inside a name, before it.
 * @param end No surrogate pair is cut there.
 */
export function wholeWordsTo(text: string, end: number): number {
  if (end <= 0 || end >= text.length) return Math.min(text.length, Math.max(0, end));
  if (!isOfWord(text.charCodeAt(end - 1)) || !isOfWord(text.charCodeAt(end))) return end;
  const start = edgeOf(text, end, -1);
  if (edgeOf(text, end, 1) - start <= longestName) return start;
  for (let at = end; at > start; at -= 1) if (separators.test(text.charAt(at - 1))) return at;
  return end;
}
