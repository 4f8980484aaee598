/** Rows of a file, read where they are wanted: a page of them, a single one, or all where memory has room. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { Failure } from "../language/failure.js";
import { withMember } from "../language/member.js";
import { queryTool } from "../language/own-tools.js";
import { linesOf, rowsOf, textOf } from "./csv-reader.js";
import type { Row } from "./index.js";
import type { RowFile } from "./row-file.js";

const readBytes = 131_072;

const gone = (): Failure =>
  new Failure("not_found", "The file of these rows is no longer there.", {
    next: "Repeat the call whose result was kept, and use the handle that it returns.",
  });

/**
 * The lines of a file from a place on, as far as they are asked for.
 * @throws Failure `not_found` when the file was removed.
 */
function* linesAt(path: string, offset: number): Generator<string> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    throw gone();
  }
  try {
    const part = Buffer.alloc(readBytes);
    const decoder = new TextDecoder();
    let rest = "";
    let at = offset;
    for (let size = readSync(file, part, 0, readBytes, at); size > 0; size = readSync(file, part, 0, readBytes, at)) {
      at += size;
      const lines = linesOf(rest + decoder.decode(part.subarray(0, size), { stream: true }));
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}

/** The names of the columns. */
export const namesOf = ({ columns }: RowFile): string[] => columns.map(({ name }) => name);

function recordsIn(file: RowFile, text: string): Row[] {
  const names = namesOf(file);
  return rowsOf(text).map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])));
}

/**
 * Some rows, as many as were asked for or as there is room for, at least one.
 * @param maxBytes What they may take in the file, about.
 * @throws Failure `not_found` when the file was removed.
 */
export function rowsFrom(file: RowFile, offset: number, limit: number, maxBytes: number): Row[] {
  const place = file.places.findLast(({ row }) => row <= offset) ?? { row: 0, offset: 0 };
  const lines: string[] = [];
  let [row, bytes] = [place.row, 0];
  for (const line of linesAt(file.path, place.offset)) {
    row += 1;
    if (row <= offset) continue;
    lines.push(line);
    bytes += Buffer.byteLength(line);
    if (lines.length === limit || bytes > maxBytes) break;
  }
  return recordsIn(file, textOf(lines));
}

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
  let text: string;
  try {
    text = readFileSync(file.path, "utf8");
  } catch {
    throw gone();
  }
  return withMember(file.value, file.at.split("."), recordsIn(file, text));
}
