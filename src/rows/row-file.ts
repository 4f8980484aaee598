/** The rows of an answer that is too long for memory: a private file of plain CSV, and what was learned on its way there. */
import type { ColumnType } from "./cell-type.js";

/** What a column of CSV comes to. */
export interface ColumnFigures {
  readonly type: ColumnType;
  /** The sum of its numbers, exact where all of them are whole. */
  readonly sum: string;
  /** The rows, from 0, that first have its largest and its smallest number; -1 where it has no number. */
  readonly mostRow: number;
  readonly leastRow: number;
}

/** Where a row begins in a file. */
export interface RowPlace {
  readonly row: number;
  readonly offset: number;
}

/** What is known of the rows in a file. */
export interface RowFileContent {
  /** The columns with the names of the header. */
  readonly columns: readonly (ColumnFigures & { readonly name: string })[];
  /** The number of rows. */
  readonly count: number;
  readonly bytes: number;
  /** The places of some rows, in their order. */
  readonly places: readonly RowPlace[];
  /** The path of the rows in the answer. */
  readonly at: string;
  /** The answer, with an empty list in the place of the rows. */
  readonly value: unknown;
}

/**
 * Rows in a file: CSV without a header, in which every row has as many cells as there are columns and ends in a line feed.
 * The process's own secrets are not in it, and its invisible characters are marks, so that other programs may read it.
 */
export class RowFile implements RowFileContent {
  readonly path: string;
  readonly columns: RowFileContent["columns"];
  readonly count: number;
  readonly bytes: number;
  readonly places: readonly RowPlace[];
  readonly at: string;
  readonly value: unknown;
  readonly #remove: () => void;

  /** @param remove Removes the file. */
  constructor(path: string, { columns, count, bytes, places, at, value }: RowFileContent, remove: () => void) {
    this.path = path;
    this.columns = columns;
    this.count = count;
    this.bytes = bytes;
    this.places = places;
    this.at = at;
    this.value = value;
    this.#remove = remove;
  }

  /** Removes the file; what is known of it stays. */
  drop(): void {
    this.#remove();
  }
}

/** A file that is being written. */
interface RowFileWriter {
  /** @throws Failure where the machine has no room for it. */
  write(rows: Uint8Array): Promise<void>;
  /** Ends the writing: the rows are those of this file from now on. */
  finish(content: Omit<RowFileContent, "bytes">): Promise<RowFile>;
  /** Ends the writing and removes the file. */
  readonly discard: () => Promise<void>;
}

/** Takes out of bytes, part after part, what no file may hold. */
export interface ByteFilter {
  push(part: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** Where the rows of long answers go. */
export interface RowFiles {
  /** The most bytes of a body that is written to a file. */
  readonly maxBytes: number;
  /** @throws Failure where no file can be made. */
  create(): Promise<RowFileWriter>;
  /** What every body passes on its way to a file. */
  filter(): ByteFilter;
}
