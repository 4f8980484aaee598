/** Truncation at word boundaries: a path, id, handle or URL that is cut means something else or nothing. */

/** No path, id, handle or URL is longer; anything longer, such as an encoded file, is not a name. */
export const longestName = 2_048;

/** Whether a character is part of a word: the visible characters of paths, ids and URLs. */
const isOfWord = (code: number): boolean => (code > 0x20 && code < 0x7f) || (code > 0xa0 && code < 0x250);

/** The nearest word boundary from a position in one direction; the search stops at the length of a name. */
function edgeOf(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (Math.abs(at - from) <= longestName && isOfWord(text.charCodeAt(step === 1 ? at : at - 1))) at += step;
  return at;
}

/** Whether a text is a single word, so that it can be a name. */
export const isName = (text: string): boolean =>
  text.length <= longestName && text !== "" && edgeOf(text, 0, 1) === text.length;

// The characters that separate names in a text without spaces, such as JSON.
const separators = /[",;<>{}[\]()|]/;

/**
 * Where a text can be truncated: at the given position or, if that is inside a name, before it.
 * @param end A position that is not inside a surrogate pair.
 */
export function wholeWordsTo(text: string, end: number): number {
  if (end <= 0 || end >= text.length) return Math.min(text.length, Math.max(0, end));
  if (!isOfWord(text.charCodeAt(end - 1)) || !isOfWord(text.charCodeAt(end))) return end;
  const start = edgeOf(text, end, -1);
  if (edgeOf(text, end, 1) - start <= longestName) return start;
  for (let at = end; at > start; at -= 1) if (separators.test(text.charAt(at - 1))) return at;
  return end;
}
