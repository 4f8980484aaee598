/** CSV bytes as rows of cells; the medium defines what the rows mean. */
import { parse } from "csv-parse/sync";
import { CodecError } from "../api/codec-error.js";
import type { CsvRows } from "../api/media.js";

/**
 * Reads the rows, which may differ in width; an empty line is a row of one empty cell.
 * @throws CodecError for a line that cannot be read.
 */
export function decodeCsv(bytes: Uint8Array): CsvRows {
  try {
    return parse(new TextDecoder().decode(bytes), {
      relax_column_count: true,
      skip_empty_lines: false,
      record_delimiter: ["\r\n", "\n"],
      max_record_size: 1_048_576,
    }) as string[][];
  } catch {
    throw new CodecError("A line of the CSV cannot be read.");
  }
}
