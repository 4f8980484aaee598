/** Extracts the table of a CSV body as its bytes arrive, and summarizes each of its columns. */
import type { CsvTable } from "../language/media.js";
import { CodecError } from "../language/wire.js";
import { withHiddenShown } from "../text/marks.js";
import { ColumnTypes, isNumeral, timeOf } from "./cell-type.js";
import { csvLines, csvRows, endOfCell, isQuotedAt, linesText, maxRowBytes, unreadableLine } from "./csv-reader.js";
import { Measure } from "./measure.js";
import type { ColumnFigures, RowFileContent, RowPlace } from "./row-file.js";

const [zero, minus] = [48, 45];

const isDigitAt = (text: string, at: number): boolean => text.charCodeAt(at) >= zero && text.charCodeAt(at) <= zero + 9;

/** An instant in UTC to the second, in its usual format; 29 February is validated with its year. */
const usualInstant =
  /^[1-9]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

// A double represents this many digits exactly.
const usualDigits = 15;

/** An integer without leading zeros; NaN for any other text, which is the usual case. A loop, which is the fastest. */
function usualWhole(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start) === minus ? start + 1 : start;
  if (end - first > usualDigits || (text.charCodeAt(first) === zero && end - start > 1)) return Number.NaN;
  let value = 0;
  for (let at = first; at < end; at += 1) {
    const digit = text.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  if (end === first) return Number.NaN;
  return first > start ? -value : value;
}

/** Whether the engine reads a text as the time that it is: others become null, silently, or fail. */
const isReadByEngine = (text: string): boolean => /^\d{4}-\d{2}-\d{2}(?:$|[T ]\d{2}:\d{2}(?:$|:\d{2}))/.test(text);

/** A column whose cells are examined one after another. */
export class CsvColumn {
  readonly #types = new ColumnTypes();
  readonly #measure = new Measure();

  /** Examines the cell of a row; for a quoted one the text inside the quotes. */
  add(text: string, start: number, end: number, row: number): void {
    if (start === end) return;
    const value = usualWhole(text, start, end);
    if (Number.isNaN(value)) {
      this.#addOther(text.slice(start, end), row);
      return;
    }
    this.#types.addShortWhole(end - start - (value < 0 ? 1 : 0), true);
    this.#measure.addWhole(value, row);
  }

  #addOther(text: string, row: number): void {
    if (usualInstant.test(text)) {
      this.#types.addInstant();
      return;
    }
    // Without a leading digit it is neither a number nor a time here, and most texts that begin with one are neither.
    if (
      !isDigitAt(text, text.charCodeAt(0) === minus ? 1 : 0) ||
      (this.#types.isText && !isDigitAt(text, text.length - 1))
    ) {
      this.#types.addText();
      return;
    }
    if (isNumeral(text)) {
      this.#types.add(text);
      this.#measure.add(text, row);
    } else if (timeOf(text) && isReadByEngine(text)) this.#types.add(text);
    else this.#types.addText();
  }

  /** The summary of all cells. */
  figures(): ColumnFigures {
    return { type: this.#types.type(), ...this.#measure.figures() };
  }
}

/** The result after all bytes. */
export interface ScannedTable extends Pick<RowFileContent, "columns" | "count" | "places"> {
  /** The text before the table, including its mark, and the one after it, including the mark at its end. */
  readonly before: string;
  readonly after: string;
}

// The text around the table: more is not a report.
const maxAroundBytes = 1_048_576;
const bytesBetweenPlaces = 65_536;
const maxColumns = 2_000;

// Most text is plain, and the search for what is hidden is slow.
const isPlain = (text: string): boolean => /^[\x20-\x7e\n\t]*$/.test(text);
const visibleLine = (line: string): string => (isPlain(line) ? line : withHiddenShown(line));

/**
 * Reads a body chunk by chunk. The returned rows have the columns of the header, end in line feeds, are valid UTF-8 and
 * show invisible characters as marks; otherwise they are unchanged.
 */
export class CsvScanner {
  readonly #table: CsvTable;
  readonly #decoder = new TextDecoder();
  #phase: "before" | "table" | "after" = "before";
  /** The bytes after the last complete row. */
  #rest = "";
  readonly #around = { before: [] as string[], after: [] as string[], bytes: 0 };
  #columns: readonly { readonly name: string; readonly figures: CsvColumn }[] = [];
  #count = 0;
  /** The bytes of returned rows. */
  #returnedBytes = 0;
  readonly #places: RowPlace[] = [];

  constructor(table: CsvTable) {
    this.#table = table;
  }

  /**
   * Processes the next chunk of the body.
   * @returns the bytes of complete rows.
   * @throws CodecError for an invalid line, or a row whose width differs from the header's.
   */
  push(part: Uint8Array): Uint8Array {
    return this.#take(this.#decoder.decode(part, { stream: true }));
  }

  /** Processes the end of the body: the bytes of its last row, and the summary of all. */
  end(): { readonly rows: Uint8Array; readonly table: ScannedTable } {
    this.#rest += this.#decoder.decode();
    const rows = this.#take(this.#rest === "" ? "" : "\n");
    if (this.#rest !== "") throw new CodecError("A quote of the CSV is not closed.");
    const columns = this.#columns.map(({ name, figures }) => ({ name, ...figures.figures() }));
    const { before, after } = this.#around;
    return {
      rows,
      table: { before: linesText(before), after: linesText(after), columns, count: this.#count, places: this.#places },
    };
  }

  #take(text: string): Uint8Array {
    const lines = csvLines(this.#rest + text);
    this.#rest = lines.pop() ?? "";
    if (Buffer.byteLength(this.#rest) > maxRowBytes) throw unreadableLine();
    const row = this.#count;
    const rows: string[] = [];
    for (const line of lines)
      if (this.#phase !== "table" || line === this.#table.end) this.#takeLine(line);
      // An empty line is a row only if a row has a single value.
      else if (line !== "") rows.push(this.#takeRow(line));
      else if (this.#columns.length === 1) rows.push(this.#takeRow('""'));
    const whole = linesText(rows);
    const bytes = Buffer.from(isPlain(whole) ? whole : linesText(rows.map(visibleLine)));
    this.#addPlace(row, bytes.length);
    return bytes;
  }

  #addPlace(row: number, size: number): void {
    const last = this.#places.at(-1)?.offset ?? Number.NEGATIVE_INFINITY;
    if (size > 0 && this.#returnedBytes - last >= bytesBetweenPlaces)
      this.#places.push({ row, offset: this.#returnedBytes });
    this.#returnedBytes += size;
  }

  /** Processes a line before or after the table, including both marks. */
  #takeLine(line: string): void {
    this.#around.bytes += Buffer.byteLength(line) + 1;
    if (this.#around.bytes > maxAroundBytes)
      throw new CodecError("The CSV has more around its table than a report has.");
    if (this.#phase === "table") this.#phase = "after";
    this.#around[this.#phase].push(line);
    if (this.#phase === "before" && line === this.#table.begin) this.#begin();
  }

  #begin(): void {
    const names = this.#table.columns(csvRows(linesText(this.#around.before)));
    if (names.length > maxColumns) throw new CodecError("A line of the CSV has too many cells.");
    this.#columns = names.map((name) => ({ name, figures: new CsvColumn() }));
    this.#phase = "table";
  }

  #takeRow(line: string): string {
    const hasQuotes = line.includes('"');
    let cells = 0;
    for (let start = 0; start <= line.length; cells += 1) {
      const end = endOfCell(line, start, hasQuotes);
      const inside = hasQuotes && isQuotedAt(line, start) ? 1 : 0;
      this.#columns[cells]?.figures.add(line, start + inside, end - inside, this.#count);
      start = end + 1;
    }
    if (cells !== this.#columns.length) throw new CodecError("A row of the CSV differs in width from the header.");
    this.#count += 1;
    return line;
  }
}
