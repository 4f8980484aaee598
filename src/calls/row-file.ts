/** Replies whose rows are in a file: their summary, and reading them back if a caller needs them. */
import { readFileSync } from "node:fs";
import type { AnswerDisplay } from "../language/conduct.js";
import { queryTool } from "../language/server-tools.js";
import { rowsFrom, wholeResultOf } from "../rows/csv-reader.js";
import { rowsIn } from "../rows/index.js";
import type { RowFile } from "../rows/row-file.js";
import { summarizeRowFile } from "../rows/summary.js";
import type { Reply } from "../wire/index.js";

/** The maximum that is read back into memory: the default limit of any other response. */
const maxHeldBytes = 16 * 1024 * 1024;
// A row longer than this is not worth including in a summary.
const maxRowBytes = 65_536;

/** Whether all rows fit in memory. */
const fitsInMemory = ({ bytes }: RowFile): boolean => bytes <= maxHeldBytes;

/**
 * A reply to a call with a view, if its rows are too many for one: a summary, and what to do instead.
 * @param endsWithCall Whether the rows cannot be queried afterwards.
 */
export function withoutView(reply: Reply, shows: AnswerDisplay | undefined, endsWithCall = false): Reply | undefined {
  if (reply.rows === undefined || fitsInMemory(reply.rows)) return undefined;
  const why = `view was not applied: the rows have ${reply.rows.bytes} bytes, and a view reads at most ${maxHeldBytes}.`;
  const note = endsWithCall ? why : `${why} ${queryTool} selects, groups and sums all of them.`;
  return withSummary({ ...reply, notes: [note, ...reply.notes] }, shows);
}

/** A reply with the sums and extremes of all rows. */
export function withSummary(reply: Reply, shows?: AnswerDisplay): Reply {
  const { rows, body } = reply;
  if (rows === undefined) return reply;
  const first = rowsIn(body, {}, rows.at)?.rows ?? [];
  return { ...reply, summary: summarizeRowFile(rows, first, (row) => rowsFrom(rows, row, 1, maxRowBytes)[0], shows) };
}

/** A reply in CSV with all rows in its body and text, for readers that do not store results. */
export function withAllLines(reply: Reply): Reply {
  const { rows, csv, summary: _, ...others } = reply;
  if (rows === undefined || csv === undefined) return reply;
  const whole = { ...others, body: wholeResultOf(rows, rows.bytes) };
  const text = readFileSync(rows.path, "utf8");
  rows.drop();
  return { ...whole, csv: { ...csv, rows: text.trimEnd().split("\n") } };
}

/**
 * A result with all its rows.
 * @throws Failure `too_large` if they do not fit in memory.
 */
export const allRowsOf = (file: RowFile): unknown => wholeResultOf(file, maxHeldBytes);

/**
 * A reply with all rows in its body.
 * @throws Failure `too_large` if they do not fit in memory.
 */
export function withAllRows({ rows, ...reply }: Reply): Reply {
  return rows === undefined ? reply : { ...reply, body: allRowsOf(rows) };
}
