/** CSV as rows of cells and as lines of text; the medium defines what the rows mean. */
import { parse } from "csv-parse/sync";
import type { CsvRows, CsvTable } from "../language/media.js";
import { CodecError } from "../language/wire.js";

type Marks = Pick<CsvTable, "begin" | "end">;

/**
 * Reads the rows, which may differ in width; an empty line is a row of one empty cell.
 * @throws CodecError for a line that cannot be read.
 */
export function rowsOf(text: string): string[][] {
  try {
    return parse(text, {
      relax_column_count: true,
      skip_empty_lines: false,
      record_delimiter: ["\r\n", "\n"],
      max_record_size: 1_048_576,
    });
  } catch {
    throw new CodecError("A line of the CSV cannot be read.");
  }
}

/** Lines that each have an end, as one text. */
export const textOf = (lines: readonly string[]): string => (lines.length === 0 ? "" : `${lines.join("\n")}\n`);

/**
 * Reads the rows of a body as `rowsOf` does.
 * @param marks What stands around a table. The library takes 30 times as long for every row that is not as wide as the
 * first one, so the table is read by itself.
 */
export function decodeCsv(bytes: Uint8Array, marks?: Marks): CsvRows {
  if (!marks) return rowsOf(new TextDecoder().decode(bytes));
  const { before, rows, after } = csvText(bytes, marks);
  return [textOf(before), textOf(rows), after.join("\n")].flatMap(rowsOf);
}

/** The lines of a CSV body: those of its table, one a row, and those around them. */
export interface CsvText {
  readonly before: readonly string[];
  readonly rows: readonly string[];
  readonly after: readonly string[];
}

/**
 * The lines of a text of CSV, each a row: a line end inside quotes ends none. What is behind the last line end is the last
 * of them, as it is; it is empty where nothing is.
 */
export function linesOf(text: string): string[] {
  const lines = text.includes('"') ? quotedLinesOf(text) : text.split("\n");
  if (!text.includes("\r\n")) return lines;
  return lines.map((line, at) => (at < lines.length - 1 && line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** The lines of a text with quotes. */
function quotedLinesOf(text: string): string[] {
  const lines: string[] = [];
  let [start, end] = [0, 0];
  let isOpen = false;
  for (const part of text.split("\n")) {
    for (let at = part.indexOf('"'); at >= 0; at = part.indexOf('"', at + 1)) isOpen = !isOpen;
    end += part.length;
    if (!isOpen) {
      lines.push(text.slice(start, end));
      start = end + 1;
    }
    end += 1;
  }
  if (isOpen) lines.push(text.slice(start));
  return lines;
}

/** The lines of a body. */
export function csvText(bytes: Uint8Array, { begin, end }: Marks): CsvText {
  const lines = linesOf(new TextDecoder().decode(bytes));
  const first = lines.indexOf(begin) + 1;
  const last = lines.indexOf(end, first);
  return { before: lines.slice(0, first), rows: lines.slice(first, last), after: lines.slice(last) };
}
