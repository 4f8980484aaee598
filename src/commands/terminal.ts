/** Layout for a terminal: wrapped text, tables of the most important columns, and a progress line. */
import truncatedWidth from "fast-string-truncated-width";
import type { Progress } from "../calls/context.js";
import { noProgress } from "../calls/progress.js";
import type { ToolListing } from "../engine/catalogue.js";
import type { Row } from "../rows/index.js";
import { columnsOf, plainText } from "../rows/row-text.js";
import { onOneLine } from "../text/marks.js";

const gap = "  ";
// Narrower columns are not readable.
const leastWidth = 8;

/** The columns of a terminal that reports none, or 0, as some do in containers and editors. */
const usualColumns = 80;

/** The columns of a stream; undefined if it is not a terminal. */
export const columnsOfTerminal = ({ isTTY, columns }: Pick<Terminal, "isTTY" | "columns">): number | undefined =>
  isTTY === true ? columns || usualColumns : undefined;

/** A word in red (ECMA-48: SGR 31, and 39 for the usual colour), which takes no columns. */
export const inRed = (word: string): string => `\x1b[31m${word}\x1b[39m`;

/** The columns that a text takes on a terminal. Most cells are plain ASCII. */
export const widthOf = (text: string): number =>
  /^[\x20-\x7e]*$/.test(text) ? text.length : truncatedWidth(text).width;

/** The beginning of a text that fits into the given columns. */
function beginningOf(text: string, columns: number): string {
  const { index } = truncatedWidth(text, { limit: columns });
  // The library counts a rare ideograph, which has two units of UTF-16, as one.
  return text.slice(0, index).replace(/[\uD800-\uDBFF]$/, "");
}

/** A text in at most the given columns, with an ellipsis if it is truncated. */
export const cutTo = (text: string, columns: number): string =>
  widthOf(text) <= columns ? text : `${beginningOf(text, columns - 1)}…`;

const reversed = (text: string): string => [...text].reverse().join("");

/**
 * A cell in at most the given columns. Sentences are truncated at the end; URLs, host names and ids in the middle,
 * because both ends identify them.
 */
export function cellTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (/\s/.test(text) || columns < leastWidth) return cutTo(text, columns);
  const tail = Math.floor((columns - 1) / 2);
  const end = reversed(beginningOf(reversed(text), tail));
  return `${beginningOf(text, columns - 1 - tail)}…${end}`;
}

const padded = (text: string, columns: number, isRight: boolean): string => {
  const space = " ".repeat(Math.max(0, columns - widthOf(text)));
  return isRight ? space + text : text + space;
};

/** The widths of columns after the widest have been narrowed until all fit. */
function narrowedWidths(widths: readonly number[], total: number): readonly number[] {
  const room = total - gap.length * (widths.length - 1);
  let limit = Math.max(...widths);
  while (limit > 1 && widths.reduce((sum, one) => sum + Math.min(one, limit), 0) > room) limit -= 1;
  return widths.map((one) => Math.min(one, limit));
}

/** The columns that are kept first: identity, subject, state and time. */
const kinds: readonly RegExp[] = [
  /^(id|.*(Id|ID|_id)|name|.*Name|title|cn|zone|host|hostname|domain|email|key|path|location|address|tool|what)$/,
  /^(status|.*Status|state|type|.*Type|network|action|effect|severity|outcome|version|value|(is|has)[A-Z].*|enabled|active)$/,
  /^(when|ends|date|time|created|expires|expiry|start|end|modified)$|(Date|Time|At|On|[a-z]date|[a-z]time)$|[dD]ays/,
];

/** The priority of a column: by its name, and nested values last. */
function rankOf(name: string, values: readonly unknown[]): number {
  const steps = name.replace(/ \(UTC\)$/, "").split(".");
  const kind = kinds.findIndex((one) => one.test(steps.at(-1) ?? ""));
  const isNested = values.some((value) => typeof value === "object" && value !== null);
  return (kind === -1 ? kinds.length : kind) + steps.length - 1 + (isNested ? 8 : 0);
}

/** The width to which a column can be narrowed to make room for another; identifying columns are narrowed last. */
const leastReadableWidth = (natural: number, rank: number): number => Math.min(natural, rank === 0 ? 24 : 14);

/** A cell as text: list items separated by commas, and the size of nested values. */
function cellOf(value: unknown): string {
  if (!Array.isArray(value)) return plainText(value);
  if (value.every((item) => typeof item !== "object")) return value.map(plainText).join(", ");
  return value.length === 1 ? "1 item" : `${value.length} items`;
}

function columnsIn(rows: readonly Row[], textOf: (value: unknown) => string) {
  return columnsOf(rows).map((name) => {
    const values = rows.map((row) => row[name]);
    const heading = plainText(name);
    const cells = values.map(textOf);
    return {
      name,
      heading,
      cells,
      isNumber: values.every((value) => ["number", "undefined"].includes(typeof value)),
      natural: cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(heading)),
      rank: rankOf(name, values),
    };
  });
}

type Column = ReturnType<typeof columnsIn>[number];

/** The columns that fit, in order: as many as are readable, by priority. */
function columnsThatFit(columns: readonly Column[], total: number): readonly Column[] {
  const chosen = new Set<Column>();
  let room = total + gap.length;
  for (const column of columns.toSorted((a, b) => a.rank - b.rank)) {
    room -= gap.length + leastReadableWidth(column.natural, column.rank);
    if (room < 0 && chosen.size > 0) break;
    chosen.add(column);
  }
  return columns.filter((column) => chosen.has(column));
}

/**
 * Rows as a table, with as many columns as fit.
 * @param total The columns of the terminal; undefined if there is none, so that nothing is truncated or left out.
 * @returns Also the headings of the columns that did not fit.
 */
export function terminalTable(rows: readonly Row[], total: number | undefined) {
  const allColumns = columnsIn(rows, total === undefined ? plainText : cellOf);
  if (allColumns.length === 0) return { lines: [], leftOut: [] };
  // A list of plain values: one per line, wrapped by the terminal.
  if (allColumns.length === 1 && allColumns[0]?.name === "value") return { lines: allColumns[0].cells, leftOut: [] };
  const columns = total === undefined ? allColumns : columnsThatFit(allColumns, total);
  const natural = columns.map((column) => column.natural);
  const widths = total === undefined ? natural : narrowedWidths(natural, total);
  const lineOf = (textOf: (column: Column) => string) =>
    columns
      .map((column, at) => {
        const width = widths[at] ?? 0;
        return padded(cellTo(textOf(column), width), width, column.isNumber);
      })
      .join(gap)
      .trimEnd();
  return {
    lines: [lineOf(({ heading }) => heading), ...rows.map((_, row) => lineOf(({ cells }) => cells[row] ?? ""))],
    leftOut: allColumns.filter((column) => !columns.includes(column)).map(({ heading }) => heading),
  };
}

/** Rows of aligned texts without truncation, so that programs can read them. */
export function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

interface ToolLine {
  readonly tool: string;
  readonly effect: string;
  readonly does: string;
}

// With less room, the description of a tool goes on a separate line.
const leastToolRoom = 30;

/** The first sentence of a description. */
export const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

/** The effect of a tool in one word, as in the reference: `guarded` if it previews and asks first. */
export const effectInList = (
  effect: string,
  { destructiveHint }: Pick<ToolListing["annotations"], "destructiveHint">,
): string => (destructiveHint ? "guarded" : effect);

/** @param total The columns of the terminal; undefined if there is none, so that nothing is truncated. */
export function toolLines(rows: readonly ToolLine[], total: number | undefined): string[] {
  const widest = (member: keyof ToolLine) => Math.max(0, ...rows.map((row) => widthOf(row[member])));
  const [toolWidth, effectWidth] = [widest("tool"), widest("effect")];
  const room = total === undefined ? undefined : total - toolWidth - effectWidth - 2 * gap.length;
  return rows.flatMap(({ tool, effect, does }) => {
    const start = `${tool.padEnd(toolWidth)}${gap}${effect.padEnd(effectWidth)}`;
    if (total === undefined || room === undefined) return [`${start}${gap}${does}`];
    if (room >= leastToolRoom) return [`${start}${gap}${cutTo(does, room)}`];
    return [start.trimEnd(), cutTo(`    ${does}`, total)];
  });
}

/** The words of a text with their leading spaces; a command in backquotes is one word, so that it can be pasted. */
const wordsIn = (text: string): readonly string[] => text.match(/\s*(?:`[^`]*`|[^\s`]|`)+|\s+/g) ?? [];

/**
 * A text wrapped between words; a longer word has its own line.
 * @param columns Undefined if there is no terminal, so that nothing is wrapped.
 * @param indent The beginning of each line except the first.
 */
export function wrapText(text: string, columns: number | undefined, indent = ""): string[] {
  if (columns === undefined || widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  let isBlank = true;
  for (const word of wordsIn(text)) {
    if (!isBlank && widthOf(line) + widthOf(word) > columns) {
      lines.push(line);
      line = indent + word.trimStart();
    } else line += word;
    isBlank = false;
  }
  return [...lines, line];
}

// The width of help.
const helpColumns = 100;

/**
 * The lines of a text in a page of help.
 * @param start The beginning of the first line.
 * @param indent The beginning of the others.
 */
export const helpLines = (text: string, start: string, indent = start): string[] =>
  wrapText(start + text, helpColumns, indent);

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

// Back to the start of the line and clear it (ECMA-48: CR, and EL with 2).
const clearLine = "\r\x1b[2K";

/** Progress in percent, if the total is 1. */
const countOf = (done: number, total: number | undefined): string =>
  total === undefined ? "" : total === 1 ? `[${Math.floor(done * 100)} %] ` : `[${Math.floor(done)}/${total}] `;

/** Creates the progress line of a call, and the function that removes it. */
export function terminalProgress(terminal: Terminal): { readonly progress: Progress; clear(): void } {
  if (terminal.isTTY !== true) return { progress: noProgress, clear: () => undefined };
  let isShown = false;
  return {
    progress: async (done, message, total) => {
      // A line as long as the terminal is wide would wrap, and then could not be cleared.
      terminal.write(
        clearLine + cutTo(onOneLine(countOf(done, total) + message), (terminal.columns || usualColumns) - 1),
      );
      isShown = true;
    },
    clear: () => {
      if (isShown) terminal.write(clearLine);
      isShown = false;
    },
  };
}
