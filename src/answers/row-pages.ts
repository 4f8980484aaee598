/** Rows of a file, read where they are wanted: a page of them, a single one, or all where memory has room. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { Failure } from "../api/failure.js";
import { withMember } from "../api/member.js";
import { queryTool } from "../api/own-tools.js";
import type { RowFile } from "../api/row-file.js";
import { decodeCsv } from "../codec/csv.js";
import type { Row } from "./rows.js";

const readBytes = 131_072;
const [lineFeed, quote] = [0x0a, 0x22];

/** Where each row ends in bytes that begin with a row: behind each line feed outside quotes. */
function endsIn(bytes: Buffer): number[] {
  const ends: number[] = [];
  let isOpen = false;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === quote) isOpen = !isOpen;
    else if (bytes[at] === lineFeed && !isOpen) ends.push(at + 1);
  }
  return ends;
}

const gone = (): Failure =>
  new Failure("not_found", "The file of these rows is no longer there.", {
    next: "Repeat the call whose result was kept, and use the handle that it returns.",
  });

/**
 * The bytes of rows from one on, read from the place before it.
 * @param maxBytes What is read at most, besides the row that begins there and what stands before the first.
 * @throws Failure `not_found` when the file was removed.
 */
function bytesOf({ path, places }: RowFile, offset: number, limit: number, maxBytes: number): Buffer {
  const place = places.findLast(({ row }) => row <= offset) ?? { row: 0, offset: 0 };
  let skipped = offset - place.row;
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    throw gone();
  }
  try {
    let bytes = Buffer.alloc(0);
    for (let at = place.offset; ; ) {
      const part = Buffer.alloc(readBytes);
      const size = readSync(file, part, 0, readBytes, at);
      at += size;
      bytes = Buffer.concat([bytes, part.subarray(0, size)]);
      const found = endsIn(bytes);
      const passed = Math.min(skipped, found.length);
      const start = passed === 0 ? 0 : (found[passed - 1] ?? 0);
      bytes = bytes.subarray(start);
      skipped -= passed;
      const ends = found.slice(passed).map((end) => end - start);
      const isEnough = skipped === 0 && (ends.length >= limit || (ends.length > 0 && bytes.length > maxBytes));
      if (isEnough || size === 0) return bytes.subarray(0, ends[Math.min(limit, ends.length) - 1] ?? 0);
    }
  } finally {
    closeSync(file);
  }
}

/** The names of the columns. */
export const namesOf = ({ columns }: RowFile): string[] => columns.map(({ name }) => name);

function recordsIn(file: RowFile, bytes: Buffer): Row[] {
  const names = namesOf(file);
  return decodeCsv(bytes).map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])));
}

/**
 * Some rows, as many as were asked for or as there is room for, at least one.
 * @param maxBytes What they may take in the file, about.
 */
export const rowsFrom = (file: RowFile, offset: number, limit: number, maxBytes: number): Row[] =>
  recordsIn(file, bytesOf(file, offset, limit, maxBytes));

/**
 * The whole answer, with its rows in it.
 * @param maxBytes What the rows may take.
 * @throws Failure `too_large` when they take more.
 */
export function wholeOf(file: RowFile, maxBytes: number): unknown {
  if (file.bytes > maxBytes)
    throw new Failure(
      "too_large",
      `The ${file.count} rows take ${file.bytes} bytes; at most ${maxBytes} are read at once.`,
      {
        why: "All of them would have to be in memory at a time.",
        next: `Select and group them with ${queryTool}, which reads them where they are, or ask for less: a shorter period, fewer objects.`,
      },
    );
  let bytes: Buffer;
  try {
    bytes = readFileSync(file.path);
  } catch {
    throw gone();
  }
  return withMember(file.value, file.at.split("."), recordsIn(file, bytes));
}
