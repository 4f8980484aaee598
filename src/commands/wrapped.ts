/** Text in lines of no more than a width, broken between words. */
import { widthOf } from "./terminal-table.js";

/** The words of a text with the spaces before them; a command in backquotes is one, because a part of it cannot be pasted. */
const wordsIn = (text: string): readonly string[] => text.match(/\s*(?:`[^`]*`|[^\s`]|`)+|\s+/g) ?? [];

/**
 * A text in lines of at most so many columns, broken between words; a word that is longer has a line of its own.
 * @param columns Undefined where there is no terminal, so that nothing is broken.
 * @param indent What each line but the first begins with.
 */
export function wrapped(text: string, columns: number | undefined, indent = ""): string[] {
  if (columns === undefined || widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  let isBlank = true;
  for (const word of wordsIn(text)) {
    if (!isBlank && widthOf(line) + widthOf(word) > columns) {
      lines.push(line);
      line = indent + word.trimStart();
    } else line += word;
    isBlank = false;
  }
  return [...lines, line];
}

// How wide help is.
const helpColumns = 100;

/**
 * The lines of a text in a page of help.
 * @param start What the first line begins with.
 * @param indent What the others begin with.
 */
export const helpLines = (text: string, start: string, indent = start): string[] =>
  wrapped(start + text, helpColumns, indent);
