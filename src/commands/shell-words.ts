/** How a word is written so that a shell reads it back as one: POSIX shells, and those of Windows where the program runs there. */

/** A word as the shells of a platform take it. */
export function shellWord(word: string, platform: string = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // A program on Windows reads \" inside quotes as a quotation mark, whichever shell has started it.
  return platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command as a person types it. */
export const shellWords = (words: readonly string[], platform?: string): string =>
  words.map((word) => shellWord(word, platform)).join(" ");
