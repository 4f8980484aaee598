/** Rows of a stored result in one of their formats, in parts that fit into a result. */
import type { AnswerDisplay } from "../language/conduct.js";
import { memberAt } from "../language/member.js";
import { columnNamesOf, rowsFrom } from "../rows/csv-reader.js";
import { type Row, rowsIn } from "../rows/index.js";
import { RowFile } from "../rows/row-file.js";
import { columnsOf, type RowFormat, rowLines, rowTexts } from "../rows/row-text.js";
import { fittingCount } from "./budget.js";
import { estimateTokens } from "./tokens.js";

/** The rows from an offset on, as far as they fit. */
export interface RowPage {
  /** The path of the rows in the result; empty for the result itself. */
  readonly at: string;
  readonly total: number;
  readonly offset: number;
  /** The number of rows in it: at least one, unless there are none from the offset on. */
  readonly count: number;
  readonly format: RowFormat;
  /** The rows as values for JSON, or as a text with its header. */
  readonly content: readonly unknown[] | string;
}

export interface RowPageOptions {
  readonly format: RowFormat;
  readonly offset: number;
  readonly limit: number;
  /** The budget of the rows, with their header. */
  readonly maxTokens: number;
  /** Sanitizes values before they are written. */
  readonly clean: <T>(value: T) => T;
}

const maxLineChars = 2_000;

/** A value without a list as rows of text: the lines of a text or of its JSON, long ones in pieces. */
function lineRows(value: unknown): Row[] {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
  const pieces = text.split("\n").flatMap((line) => line.match(new RegExp(`.{1,${maxLineChars}}`, "gsu")) ?? [""]);
  return pieces.map((line) => ({ line }));
}

/** The tokens of a text as a field of a result. */
export const tokensAsMember = (text: string): number => estimateTokens(JSON.stringify(text));

/** How many of the texts fit together; at least one. */
export const countWithin = (texts: readonly string[], maxTokens: number): number =>
  fittingCount(texts, maxTokens, tokensAsMember);

/** The rows of a result, in memory or in a file. */
interface PagedRows {
  readonly at: string;
  readonly total: number;
  readonly columns: () => readonly string[];
  readonly slice: (offset: number, limit: number) => readonly Row[];
}

// The maximum number of bytes per token.
const bytesPerToken = 8;

function pagedRowsOf(answer: unknown, shows: AnswerDisplay | undefined, maxTokens: number): PagedRows {
  if (answer instanceof RowFile)
    return {
      at: answer.at,
      total: answer.count,
      columns: () => columnNamesOf(answer),
      slice: (offset, limit) =>
        offset < answer.count ? rowsFrom(answer, offset, limit, maxTokens * bytesPerToken) : [],
    };
  const { path: at, rows } = rowsIn(answer, shows) ?? { path: "", rows: lineRows(answer) };
  return {
    at,
    total: rows.length,
    columns: () => columnsOf(rows),
    slice: (offset, limit) => rows.slice(offset, offset + limit),
  };
}

/**
 * A part of the rows of a result or, if it has no list, of its lines.
 * @param shows How its operation declares that it is shown.
 * @throws Failure `not_found` if they are in a file that was removed.
 */
export function rowPageOf(
  answer: unknown,
  shows: AnswerDisplay | undefined,
  { format, offset, limit, maxTokens, clean }: RowPageOptions,
): RowPage {
  const source = pagedRowsOf(answer, shows, maxTokens);
  const rows = clean(source.slice(offset, limit));
  const place = { at: source.at, total: source.total, offset, format };
  if (format === "json") {
    const count = countWithin(
      rows.map((row) => JSON.stringify(row)),
      maxTokens,
    );
    return { ...place, count, content: rows.slice(0, count) };
  }
  const columns = source.columns();
  const form = rowTexts[format];
  const head = form.head(clean(columns));
  const lines = rows.map((row) => form.row(columns.map((name) => memberAt(row, [name]))));
  const count = countWithin(lines, maxTokens - head.reduce((tokens, line) => tokens + tokensAsMember(line), 0));
  return { ...place, count, content: textOf([...head, ...lines.slice(0, count)]) };
}

const textOf = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

/** All rows of a result in a text format. */
export function wholeText(answer: unknown, format: Exclude<RowFormat, "json">, shows?: AnswerDisplay): string {
  const { rows } = rowsIn(answer, shows) ?? { rows: lineRows(answer) };
  const columns = columnsOf(rows);
  return textOf(rowLines(format, columns, rows));
}
