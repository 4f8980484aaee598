/** Cells and rows as text: CSV (RFC 4180), Markdown, and the labels of our own lines, which no cell may pass for. */
import type { Row } from "./index.js";

/** The beginnings of its lines; a line that has a value has it behind a colon. */
export const labels = {
  approval: "Approval is required",
  confirm: "confirm",
  corrected: "Corrected call",
  differs: "What differs",
  emptyList: "Empty list",
  emptyObject: "Empty object",
  emptyText: "Empty text",
  from: "From",
  headers: "Headers",
  links: "Links not shown",
  location: "Location",
  next: "Next",
  note: "Note",
  null: "Null",
  aside: "Not shown",
  plan: "plan",
  previewed: "Previewed with",
  same: "same in every",
  status: "Status",
  summary: "Summary of",
  times: "Times",
  upstreamSaid: "The upstream said",
  why: "Why",
} as const;

/** The same of a preview, which is written where it is made, and of what is to be done with it. */
const inPreviews = [
  "Account",
  "Call",
  "Calls",
  "In all calls",
  "Request",
  "Undo",
  "Now",
  "Warning",
  "Changes",
  "Digest of",
  "Secret",
  "Filled in by the profile",
  "Show this preview",
  "A person has to",
  "Not shown here",
];

/** All beginnings. */
export const ownBeginnings: readonly string[] = [...Object.values(labels), ...inPreviews];

// A sentence of ours is known by its first words. A single word begins many texts, and is ours in front of a colon.
const [sentences, words] = [true, false].map((isSentence) =>
  ownBeginnings.filter((one) => one.includes(" ") === isSentence).join("|"),
);
const own = new RegExp(`^\\s*(?:(?:${sentences})(?!\\w)|(?:${words})\\s*:|${labels.status} \\d)`);

/** Whether a text begins as one of the program's own lines does, so that it has to be quoted at the beginning of a line. */
export const beginsLikeOurs = (text: string): boolean => own.test(text);

/** The forms in which rows can be read. */
export const rowFormats = ["json", "csv", "markdown"] as const;
export type RowFormat = (typeof rowFormats)[number];

/** A cell as text: nested values as JSON, and nothing for what is absent. */
export function cellText(cell: unknown): string {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

/** A scalar as a cell or a line shows it; texts with line ends or controls as JSON, so that each stays on its line. */
export function plain(value: unknown): string {
  const text = cellText(value);
  return typeof value !== "object" && /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text;
}

/** How a text of CSV writes its cells. A cell that begins like a labelled line of an answer's own is always quoted. */
interface CsvForm {
  textOf(cell: unknown): string;
  mustQuote(cell: unknown, text: string): boolean;
}
/** CSV as a file has it, for any program. */
const inFile: CsvForm = { textOf: cellText, mustQuote: (_, text) => /[",\r\n]/.test(text) };
/** CSV among the lines of an answer, one row a line: null is nothing, and an empty text is quoted. */
const inAnswer: CsvForm = {
  textOf: plain,
  mustQuote: (cell, text) => cell === "" || /[",]|^\s|\s$|^\w+:/.test(text),
};

function csvRow(cells: readonly unknown[], { textOf, mustQuote }: CsvForm): string {
  const written = cells.map((cell) => {
    const text = textOf(cell);
    return mustQuote(cell, text) || beginsLikeOurs(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return written.join(",");
}

/** A row as a line of an answer, without its line end. */
export const csvLine = (cells: readonly unknown[]): string => csvRow(cells, inAnswer);

const markdownCell = (cell: unknown): string =>
  cellText(cell)
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .replaceAll(/\r?\n|\r/g, "<br>");

/** The members of rows, in the order in which they first come. */
export function columnsOf(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

type Cells = readonly unknown[];

interface RowText {
  /** The lines above the rows. */
  head(columns: Cells): readonly string[];
  /** A row; a nested value in it is JSON. */
  row(cells: Cells): string;
}

/** How each textual form writes rows, line by line. */
export const rowTexts: Readonly<Record<Exclude<RowFormat, "json">, RowText>> = {
  csv: {
    head: (columns) => [csvRow(columns, inFile)],
    // A row of one empty cell would be an empty line, which readers skip.
    row: (cells) => (cells.length === 1 && cellText(cells[0]) === "" ? '""' : csvRow(cells, inFile)),
  },
  markdown: {
    head: (columns) => [`| ${columns.map(markdownCell).join(" | ")} |`, `|${columns.map(() => " --- |").join("")}`],
    row: (cells) => `| ${cells.map(markdownCell).join(" | ")} |`,
  },
};

/** Rows under their columns, in a textual form. */
export function rowLines(
  format: Exclude<RowFormat, "json">,
  columns: readonly string[],
  rows: readonly Row[],
): string[] {
  const { head, row: lineOf } = rowTexts[format];
  return [...head(columns), ...rows.map((row) => lineOf(columns.map((name) => row[name])))];
}

/** The media type of each form. */
export const rowMediaTypes: Readonly<Record<RowFormat, string>> = {
  json: "application/json",
  csv: "text/csv",
  markdown: "text/markdown",
};
