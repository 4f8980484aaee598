/** Takes the table out of a CSV body as its bytes arrive: its rows for a file, what is around them, and its figures. */
import { CodecError } from "../api/codec-error.js";
import { withHiddenShown } from "../api/marks.js";
import type { CsvTable } from "../api/media.js";
import type { ColumnFigures, RowPlace } from "../api/row-file.js";
import { CsvColumn } from "./csv-column.js";

type TableMarks = Pick<CsvTable, "begin" | "end">;

/** What is known when all bytes were seen. */
export interface ScannedTable {
  /** The bytes before the table, its mark among them, and those after it with the mark at its end. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly count: number;
  readonly columns: readonly ColumnFigures[];
  /** The places of some rows, in their order, so that a row is found without reading all before it. */
  readonly places: readonly RowPlace[];
}

const [lineFeed, carriageReturn, quote, comma] = [0x0a, 0x0d, 0x22, 0x2c];
/** What a byte is: part of a cell as it is, a sign of CSV, or something that may not be visible. */
const [plain, sign, other] = [0, 1, 2];
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if ([lineFeed, carriageReturn, quote, comma].includes(byte)) return sign;
  return (byte < 0x20 && byte !== 0x09) || byte >= 0x7f ? other : plain;
});

// One row, and all that is around the table: more is no report.
const maxRowBytes = 1_048_576;
const maxAroundBytes = 1_048_576;
const bytesBetweenPlaces = 65_536;
const maxColumns = 2_000;
const byteOrderMark = Buffer.from("\ufeff");
const newLine = Buffer.from("\n");
const emptyCell = Buffer.from('""\n');
const decoder = new TextDecoder();

/**
 * Reads a body part after part. The rows that it gives have the columns of the header, end in line feeds, are valid UTF-8
 * and show their invisible characters as marks; apart from that they are as they came.
 */
export class CsvScanner {
  readonly #marks: TableMarks;
  readonly #widthOf: (before: Uint8Array) => number;
  #phase: "before" | "table" | "after" = "before";
  #rest: Buffer = Buffer.alloc(0);
  #isBegun = false;
  readonly #around = { before: [] as Buffer[], after: [] as Buffer[], size: 0 };
  #columns: readonly CsvColumn[] = [];
  #count = 0;
  readonly #places: RowPlace[] = [];
  #placedAt = Number.NEGATIVE_INFINITY;
  /** The bytes of rows that were given. */
  #given = 0;
  // The row that was found last: the bounds of its cells, where its content ends, and whether all of it is plain.
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #cells = 0;
  #contentEnd = 0;
  #isPlain = true;

  /** @param widthOf The number of columns, from the bytes before the table; throws CodecError where they tell none. */
  constructor(marks: TableMarks, widthOf: (before: Uint8Array) => number) {
    this.#marks = marks;
    this.#widthOf = widthOf;
  }

  /**
   * Takes the next part of the body.
   * @returns the bytes of rows that are complete.
   * @throws CodecError for a line that cannot be read, or a row whose width differs from the header's.
   */
  push(part: Uint8Array): readonly Uint8Array[] {
    return this.#scan(Buffer.concat([this.#rest, part]), false);
  }

  /** Takes the end of the body: the bytes of the last rows, and what is known of all. */
  end(): { readonly rows: readonly Uint8Array[]; readonly table: ScannedTable } {
    const rows = this.#scan(this.#rest, true);
    const { before, after } = this.#around;
    return {
      rows,
      table: {
        before: Buffer.concat(before),
        after: Buffer.concat(after),
        count: this.#count,
        columns: this.#columns.map((column) => column.figures()),
        places: this.#places,
      },
    };
  }

  #scan(bytes: Buffer, isLast: boolean): readonly Uint8Array[] {
    const given: Buffer[] = [];
    let start = 0;
    if (!this.#isBegun && (bytes.length >= byteOrderMark.length || isLast)) {
      this.#isBegun = true;
      if (bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)) start = byteOrderMark.length;
    }
    // Rows that need no change stand in one piece of the bytes.
    let pieceStart = start;
    const give = (end: number, next: number, instead?: Buffer): void => {
      for (const piece of [bytes.subarray(pieceStart, end), instead])
        if (piece && piece.length > 0) {
          given.push(piece);
          this.#given += piece.length;
        }
      pieceStart = next;
    };
    while (this.#isBegun && start < bytes.length) {
      const next = this.#findRow(bytes, start, isLast);
      if (next < 0) break;
      if (this.#phase === "table" && this.#isMark(bytes, start, this.#marks.end)) {
        give(start, next);
        this.#phase = "after";
      }
      if (this.#phase === "table") this.#takeRow(bytes, start, next, this.#given + start - pieceStart, give);
      else {
        this.#takeLine(bytes, start, next);
        pieceStart = next;
      }
      start = next;
    }
    if (bytes.length - start > maxRowBytes) throw new CodecError("A line of the CSV cannot be read.");
    if (this.#phase === "table") give(start, start);
    this.#rest = bytes.subarray(start);
    return given;
  }

  #isMark(bytes: Buffer, start: number, mark: string): boolean {
    return (
      this.#cells === 1 &&
      this.#contentEnd - start === mark.length &&
      bytes.toString("latin1", start, this.#contentEnd) === mark
    );
  }

  /** Takes a line before or after the table. */
  #takeLine(bytes: Buffer, start: number, next: number): void {
    const { before, after } = this.#around;
    this.#around.size += next - start;
    if (this.#around.size > maxAroundBytes)
      throw new CodecError("The CSV has more around its table than a report has.");
    (this.#phase === "before" ? before : after).push(Buffer.from(bytes.subarray(start, next)));
    if (this.#phase === "after" || !this.#isMark(bytes, start, this.#marks.begin)) return;
    const width = this.#widthOf(Buffer.concat(before));
    this.#columns = Array.from({ length: width }, () => new CsvColumn());
    this.#phase = "table";
  }

  #takeRow(
    bytes: Buffer,
    start: number,
    next: number,
    offset: number,
    give: (end: number, next: number, instead?: Buffer) => void,
  ): void {
    const isEmpty = this.#cells === 1 && this.#starts[0] === this.#ends[0];
    // An empty line is a row only where a row is one value.
    if (isEmpty && this.#columns.length !== 1) {
      give(start, next);
      return;
    }
    if (this.#cells !== this.#columns.length)
      throw new CodecError("A row of the CSV differs in width from the header.");
    if (offset - this.#placedAt >= bytesBetweenPlaces) {
      this.#places.push({ row: this.#count, offset });
      this.#placedAt = offset;
    }
    for (let cell = 0; cell < this.#cells; cell += 1)
      this.#columns[cell]?.add(bytes, this.#starts[cell] ?? 0, this.#ends[cell] ?? 0, this.#count);
    this.#count += 1;
    if (isEmpty) give(start, next, emptyCell);
    else if (!this.#isPlain) {
      const text = decoder.decode(bytes.subarray(start, this.#contentEnd));
      give(start, next, Buffer.from(`${withHiddenShown(text)}\n`));
    } else if (next - this.#contentEnd !== 1) give(this.#contentEnd, next, newLine);
  }

  /** Finds the next row. @returns where the one after it begins; -1 where its end has not arrived. */
  #findRow(bytes: Buffer, start: number, isLast: boolean): number {
    const length = bytes.length;
    let at = start;
    this.#cells = 0;
    this.#isPlain = true;
    for (;;) {
      if (this.#cells >= maxColumns) throw new CodecError("A line of the CSV has too many cells.");
      if (at < length && bytes[at] === quote) {
        const end = this.#endOfQuoted(bytes, at + 1, isLast);
        if (end < 0) return -1;
        this.#starts[this.#cells] = at + 1;
        this.#ends[this.#cells] = end;
        at = end + 1;
      } else {
        this.#starts[this.#cells] = at;
        at = this.#endOfPlain(bytes, at);
        this.#ends[this.#cells] = at;
      }
      this.#cells += 1;
      if (at >= length) {
        this.#contentEnd = length;
        return isLast ? length : -1;
      }
      if (bytes[at] === comma) at += 1;
      else if (bytes[at] === lineFeed) {
        this.#contentEnd = at;
        return at + 1;
      } else if (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed) {
        this.#contentEnd = at;
        return at + 2;
      } else if (bytes[at] === carriageReturn && at + 1 >= length && !isLast) return -1;
      else throw new CodecError("A line of the CSV cannot be read.");
    }
  }

  /** Where a cell without quotes ends. */
  #endOfPlain(bytes: Buffer, start: number): number {
    const length = bytes.length;
    for (let at = start; at < length; at += 1) {
      const kind = kinds[bytes[at] ?? 0];
      if (kind === plain) continue;
      const byte = bytes[at];
      if (kind === other) this.#isPlain = false;
      else if (byte !== carriageReturn) return at;
      // One that ends no line is a character of the cell.
      else if (at + 1 >= length || bytes[at + 1] === lineFeed) return at;
      else this.#isPlain = false;
    }
    return length;
  }

  /** Where the closing quote of a cell is; -1 where it has not arrived. */
  #endOfQuoted(bytes: Buffer, start: number, isLast: boolean): number {
    const length = bytes.length;
    for (let at = start; at < length; at += 1) {
      const kind = kinds[bytes[at] ?? 0];
      if (kind === plain) continue;
      const byte = bytes[at];
      if (kind === other || (byte === carriageReturn && bytes[at + 1] !== lineFeed)) this.#isPlain = false;
      if (byte !== quote) continue;
      if (bytes[at + 1] === quote) at += 1;
      else return at + 1 >= length && !isLast ? -1 : at;
    }
    if (isLast) throw new CodecError("A quote of the CSV is not closed.");
    return -1;
  }
}
