/** CSV as rows of cells and as lines of text: of a body, and of parts of a row file. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { Failure } from "../language/failure.js";
import type { CsvRows, CsvTable } from "../language/media.js";
import { withMember } from "../language/member.js";
import { queryTool } from "../language/server-tools.js";
import { CodecError } from "../language/wire.js";
import type { Row } from "./index.js";
import type { RowFile } from "./row-file.js";

type TableMarks = Pick<CsvTable, "begin" | "end">;

/** The maximum size of a row. */
export const maxRowBytes = 1_048_576;

export const unreadableLine = () => new CodecError("A line of the CSV cannot be read.");

const [comma, quote] = [0x2c, 0x22];

/** Whether a cell is in quotes. */
export const isQuotedAt = (line: string, start: number): boolean => line.charCodeAt(start) === quote;

/**
 * The end of the cell at a position: that of its comma, or of the line.
 * @param hasQuotes Whether the line has a quote anywhere.
 * @throws CodecError for a quote that does not enclose the cell.
 */
export function endOfCell(line: string, start: number, hasQuotes: boolean): number {
  if (hasQuotes && isQuotedAt(line, start)) return endOfQuoted(line, start);
  const at = line.indexOf(",", start);
  const end = at < 0 ? line.length : at;
  if (hasQuotes && line.slice(start, end).includes('"')) throw unreadableLine();
  return end;
}

function endOfQuoted(line: string, start: number): number {
  let at = line.indexOf('"', start + 1);
  while (at >= 0 && isQuotedAt(line, at + 1)) at = line.indexOf('"', at + 2);
  const end = at + 1;
  if (at < 0 || (end < line.length && line.charCodeAt(end) !== comma)) throw unreadableLine();
  return end;
}

function cellsOf(line: string): string[] {
  if (line.length > maxRowBytes) throw unreadableLine();
  if (!line.includes('"')) return line.split(",");
  const cells: string[] = [];
  for (let start = 0; start <= line.length; ) {
    const end = endOfCell(line, start, true);
    const isQuoted = isQuotedAt(line, start);
    cells.push(isQuoted ? line.slice(start + 1, end - 1).replaceAll('""', '"') : line.slice(start, end));
    start = end + 1;
  }
  return cells;
}

/**
 * Parses the rows, which may differ in width; an empty line is a row of one empty cell.
 * @throws CodecError for an invalid line.
 */
export function csvRows(text: string): string[][] {
  const lines = csvLines(text);
  // Nothing after the last line end is not a row.
  if (lines.at(-1) === "") lines.pop();
  return lines.map(cellsOf);
}

/** Complete lines as one text. */
export const linesText = (lines: readonly string[]): string => (lines.length === 0 ? "" : `${lines.join("\n")}\n`);

/** Parses the rows of a body; throws like `csvRows`. */
export const decodeCsv = (bytes: Uint8Array): CsvRows => csvRows(new TextDecoder().decode(bytes));

/** The lines of a CSV body: one per row of its table, and those around it. */
export interface CsvText {
  readonly before: readonly string[];
  readonly rows: readonly string[];
  readonly after: readonly string[];
}

/**
 * The lines of CSV text, each a row: line ends inside quotes do not count. The text after the last line end is the last
 * item, unchanged, which may be empty.
 */
export function csvLines(text: string): string[] {
  const lines = text.includes('"') ? quotedLinesOf(text) : text.split("\n");
  if (!text.includes("\r\n")) return lines;
  return lines.map((line, at) => (at < lines.length - 1 && line.endsWith("\r") ? line.slice(0, -1) : line));
}

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
export function csvText(bytes: Uint8Array, { begin, end }: TableMarks): CsvText {
  const lines = csvLines(new TextDecoder().decode(bytes));
  const first = lines.indexOf(begin) + 1;
  const last = lines.indexOf(end, first);
  return { before: lines.slice(0, first), rows: lines.slice(first, last), after: lines.slice(last) };
}

const readBytes = 131_072;

const missingFile = (): Failure =>
  new Failure("not_found", "The file of these rows no longer exists.", {
    next: "Repeat the call whose result was stored, and use the handle that it returns.",
  });

/**
 * The lines of a file from an offset on, read lazily.
 * @throws Failure `not_found` if the file was removed.
 */
function* linesAt(path: string, offset: number): Generator<string> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    throw missingFile();
  }
  try {
    const part = Buffer.alloc(readBytes);
    const decoder = new TextDecoder();
    let rest = "";
    let at = offset;
    for (let size = readSync(file, part, 0, readBytes, at); size > 0; size = readSync(file, part, 0, readBytes, at)) {
      at += size;
      const lines = csvLines(rest + decoder.decode(part.subarray(0, size), { stream: true }));
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}

/** The names of the columns. */
export const columnNamesOf = ({ columns }: RowFile): string[] => columns.map(({ name }) => name);

function recordsIn(file: RowFile, text: string): Row[] {
  const names = columnNamesOf(file);
  return csvRows(text).map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])));
}

/**
 * Rows, as many as requested or as fit, at least one.
 * @param maxBytes Approximately their maximum size in the file.
 * @throws Failure `not_found` if the file was removed.
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
  return recordsIn(file, linesText(lines));
}

/**
 * The whole result, with its rows.
 * @param maxBytes The maximum size of the rows.
 * @throws Failure `too_large` if they are larger.
 */
export function wholeResultOf(file: RowFile, maxBytes: number): unknown {
  if (file.bytes > maxBytes)
    throw new Failure(
      "too_large",
      `The ${file.count} rows have ${file.bytes} bytes; at most ${maxBytes} are read at once.`,
      {
        why: "All of them would have to be in memory at a time.",
        next: `Select and group them with ${queryTool}, which reads them in place, or ask for less: a shorter period, fewer objects.`,
        atShell: { next: "Ask for less: a shorter period, fewer objects." },
      },
    );
  let text: string;
  try {
    text = readFileSync(file.path, "utf8");
  } catch {
    throw missingFile();
  }
  return withMember(file.value, file.at.split("."), recordsIn(file, text));
}
