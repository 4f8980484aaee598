/** Places of a file's text that are replaced while all the others stay as they are, byte for byte. */

export interface Edit {
  /** In UTF-16 units from the start of the text, as `length`. */
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** What a syntax does for a merge. */
export interface Syntax {
  /** The value of a file's text; undefined when it is broken. */
  parse(text: string): unknown;
  /** The edits that set fields of the entry at `[key, name]`; undefined where the text has a form that they do not fit. */
  edits(text: string, key: string, name: string, fields: Fields): readonly Edit[] | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The line ending of a text: that of its first line. */
export const lineEnding = (text: string): string => (/^[^\n]*\r\n/.test(text) ? "\r\n" : "\n");

/** @returns The text with the edits made; they are in order and do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (all, { offset, length, text: added }) => all.slice(0, offset) + added + all.slice(offset + length),
    text,
  );
}

/** The edits as a person reads them: by line, what goes and what comes, and nothing of what stays. */
export function difference(text: string, edits: readonly Edit[]): string {
  const marked = (mark: string, part: string): string[] =>
    part.split(/\r?\n/).flatMap((line) => (line.trim() === "" ? [] : [`${mark} ${line}`]));
  return edits
    .flatMap(({ offset, length, text: added }) => [
      `@@ line ${text.slice(0, offset).split("\n").length} @@`,
      ...marked("-", text.slice(offset, offset + length)),
      ...marked("+", added),
    ])
    .join("\n");
}
