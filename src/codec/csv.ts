/** CSV bytes as rows of cells; the medium defines what the rows mean. */
import { parse } from "csv-parse/sync";
import { CodecError } from "../api/codec-error.js";
import type { CsvRows, CsvTable } from "../api/media.js";

function rowsOf(bytes: Uint8Array): string[][] {
  try {
    return parse(new TextDecoder().decode(bytes), {
      relax_column_count: true,
      skip_empty_lines: false,
      record_delimiter: ["\r\n", "\n"],
      max_record_size: 1_048_576,
    });
  } catch {
    throw new CodecError("A line of the CSV cannot be read.");
  }
}

/** The bytes up to a line and the rest; undefined where there is no such line. */
function cutAfter(bytes: Buffer, line: string): readonly [Buffer, Buffer] | undefined {
  for (const end of ["\n", "\r\n"]) {
    const at = bytes.indexOf(`\n${line}${end}`);
    if (at >= 0)
      return [bytes.subarray(0, at + 1 + line.length + end.length), bytes.subarray(at + 1 + line.length + end.length)];
  }
  return undefined;
}

/**
 * Reads the rows, which may differ in width; an empty line is a row of one empty cell.
 * @param table What stands before a table. The library takes 30 times as long for every row that is not as wide as the
 * first one, so the table is read by itself.
 * @throws CodecError for a line that cannot be read.
 */
export function decodeCsv(given: Uint8Array, table?: Pick<CsvTable, "begin">): CsvRows {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const [before, rows] = (table && cutAfter(bytes, table.begin)) ?? [];
  if (!before || !rows) return rowsOf(bytes);
  try {
    return [...rowsOf(before), ...rowsOf(rows)];
  } catch {
    // The line may stand inside a quoted cell, where it means nothing.
    return rowsOf(bytes);
  }
}

/** The lines of a CSV body: those of its table, one a row, and those around them. */
export interface CsvText {
  readonly before: readonly string[];
  readonly rows: readonly string[];
  readonly after: readonly string[];
}

/** The lines of a text of CSV, each a row: a line end inside quotes ends none. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const isPart = isOpen;
    if (line.split('"').length % 2 === 0) isOpen = !isOpen;
    if (isPart) lines[lines.length - 1] += `\n${line}`;
    else lines.push(line);
  }
  return lines.map((line) => line.replace(/\r$/, ""));
}

/** The lines of a body that has been read as rows. */
export function csvText(bytes: Uint8Array, { begin, end }: Pick<CsvTable, "begin" | "end">): CsvText {
  const lines = linesOf(new TextDecoder().decode(bytes));
  const first = lines.indexOf(begin) + 1;
  const last = lines.indexOf(end, first);
  return { before: lines.slice(0, first), rows: lines.slice(first, last), after: lines.slice(last) };
}
