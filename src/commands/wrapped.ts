/** Text in lines of no more than a width, broken between words. */

// How wide help is.
const helpWidth = 100;

/**
 * The lines of a text.
 * @param start What the first line begins with.
 * @param indent What the others begin with.
 */
export function wrapped(text: string, start: string, indent = start): string[] {
  const lines: string[] = [];
  let line = start;
  let isBare = true;
  for (const word of text.split(/\s+/)) {
    if (!isBare && line.length + word.length + 1 > helpWidth) {
      lines.push(line);
      line = indent;
      isBare = true;
    }
    line += isBare ? word : ` ${word}`;
    isBare = false;
  }
  return [...lines, line];
}
