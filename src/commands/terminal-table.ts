/** Rows as a table for a terminal: columns that fit its width, or a block of lines for each row where they cannot. */
import { plain } from "../answers/csv.js";
import { columnsOf } from "../answers/row-text.js";
import type { Row } from "../answers/rows.js";

const gap = "  ";
// A column that is narrower than this says nothing any more.
const leastWidth = 8;

// East Asian wide and fullwidth ranges (Unicode annex 11), and emoji, take two columns; combining marks take none.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const widthOfCharacter = (character: string): number =>
  /\p{M}|\p{Default_Ignorable_Code_Point}/u.test(character) ? 0 : wide.test(character) ? 2 : 1;

/** How many columns a text takes on a terminal. */
export function widthOf(text: string): number {
  // Most cells are plain ASCII.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

/** A text in so many columns at most, with an ellipsis where it is cut. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let width = 1;
  for (const character of text) {
    width += widthOfCharacter(character);
    if (width > columns) break;
    kept += character;
  }
  return `${kept}…`;
}

const padded = (text: string, columns: number, isRight: boolean): string => {
  const space = " ".repeat(Math.max(0, columns - widthOf(text)));
  return isRight ? space + text : text + space;
};

/** The widths of columns when the widest have given way until all fit; undefined where they cannot. */
function fitting(widths: readonly number[], total: number): readonly number[] | undefined {
  const room = total - gap.length * (widths.length - 1);
  if (widths.reduce((sum, one) => sum + Math.min(one, leastWidth), 0) > room) return undefined;
  let limit = Math.max(...widths);
  while (widths.reduce((sum, one) => sum + Math.min(one, limit), 0) > room) limit -= 1;
  return widths.map((one) => Math.min(one, limit));
}

/** Each row as lines of a column's name and its cell. */
function blocks(columns: readonly string[], rows: readonly (readonly string[])[], total: number): string[] {
  const nameWidth = Math.max(...columns.map(widthOf));
  return rows.flatMap((cells, at) => [
    ...(at === 0 ? [] : [""]),
    ...columns.flatMap((name, column) => {
      const cell = cells[column] ?? "";
      return cell === "" ? [] : [cutTo(`${padded(name, nameWidth, false)}${gap}${cell}`, total)];
    }),
  ]);
}

/**
 * The lines of a table.
 * @param total The columns of the terminal; undefined where there is none, so that nothing is cut.
 */
export function tableLines(rows: readonly Row[], total: number | undefined): string[] {
  const names = columnsOf(rows);
  if (names.length === 0) return [];
  // A list of plain values: each is a line, which the terminal wraps.
  if (names.length === 1 && names[0] === "value") return rows.map(({ value }) => plain(value));
  const cells = rows.map((row) => names.map((name) => plain(row[name])));
  const headings = names.map(plain);
  const isNumbers = names.map((name) => rows.every((row) => ["number", "undefined"].includes(typeof row[name])));
  const natural = headings.map((heading, at) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[at] ?? "")), widthOf(heading)),
  );
  const widths = total === undefined ? natural : fitting(natural, total);
  if (!widths) return blocks(headings, cells, total ?? Number.POSITIVE_INFINITY);
  return [headings, ...cells].map((line) =>
    line
      .map((text, at) => padded(cutTo(text, widths[at] ?? 0), widths[at] ?? 0, isNumbers[at] === true))
      .join(gap)
      .trimEnd(),
  );
}
