/** Cells and rows as text: CSV (RFC 4180), Markdown, and the labels of our own lines, which no cell may imitate. */
import { memberAt } from "../language/member.js";
import type { Row } from "./index.js";

/** The labels at the beginning of lines; values follow after a colon. */
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
  same: "same in every",
  status: "HTTP",
  summary: "Summary of",
  times: "Times",
  units: "Units",
  upstreamSaid: "The upstream said",
  why: "Why",
} as const;

/** The labels of previews, which are written elsewhere. */
const previewLabels = [
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
export const serverLineBeginnings: readonly string[] = [...Object.values(labels), ...previewLabels];

// One of our sentences is recognized by its first words. A single word begins many texts, and is a label only before a
// colon.
const [sentences, words] = [true, false].map((isSentence) =>
  serverLineBeginnings.filter((one) => one.includes(" ") === isSentence).join("|"),
);
const serverLine = new RegExp(`^\\s*(?:(?:${sentences})(?!\\w)|(?:${words})\\s*:|${labels.status} \\d)`);

/**
 * Whether a text begins like one of the program's own lines, so that it has to be quoted at the beginning of a line.
 */
export const beginsLikeServerLine = (text: string): boolean => serverLine.test(text);

export const rowFormats = ["json", "csv", "markdown"] as const;
export type RowFormat = (typeof rowFormats)[number];

/** A cell as text: nested values as JSON, and nothing for a missing one. */
export function cellText(cell: unknown): string {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

/** A scalar in a cell or line; texts with line ends or control characters as JSON, so that each stays on its line. */
export function plainText(value: unknown): string {
  const text = cellText(value);
  return typeof value !== "object" && /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text;
}

/** How CSV text writes its cells. A cell that begins like one of the program's labels is always quoted. */
interface CsvForm {
  textOf(cell: unknown): string;
  mustQuote(cell: unknown, text: string): boolean;
}
/** CSV for files, for any program. */
const fileForm: CsvForm = { textOf: cellText, mustQuote: (_, text) => /[",\r\n]/.test(text) };
/** CSV among the lines of a result, one row per line: null is empty, and an empty text is quoted. */
const answerForm: CsvForm = {
  textOf: plainText,
  mustQuote: (cell, text) => cell === "" || /[",]|^\s|\s$|^\w+:/.test(text),
};

function csvRow(cells: readonly unknown[], { textOf, mustQuote }: CsvForm): string {
  const texts = cells.map((cell) => {
    const text = textOf(cell);
    return mustQuote(cell, text) || beginsLikeServerLine(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return texts.join(",");
}

/** A row as a line of a result, without its line end. */
export const csvLine = (cells: readonly unknown[]): string => csvRow(cells, answerForm);

const markdownCell = (cell: unknown): string =>
  cellText(cell)
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .replaceAll(/\r?\n|\r/g, "<br>");

/** The fields of rows, in order of appearance. */
export function columnsOf(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

type Cells = readonly unknown[];

interface RowText {
  /** The lines above the rows. */
  head(columns: Cells): readonly string[];
  /** A row; nested values are JSON. */
  row(cells: Cells): string;
}

/** How each text format writes rows, line by line. */
export const rowTexts: Readonly<Record<Exclude<RowFormat, "json">, RowText>> = {
  csv: {
    head: (columns) => [csvRow(columns, fileForm)],
    // A row of one empty cell would be an empty line, which readers skip.
    row: (cells) => (cells.length === 1 && cellText(cells[0]) === "" ? '""' : csvRow(cells, fileForm)),
  },
  markdown: {
    head: (columns) => [`| ${columns.map(markdownCell).join(" | ")} |`, `|${columns.map(() => " --- |").join("")}`],
    row: (cells) => `| ${cells.map(markdownCell).join(" | ")} |`,
  },
};

/** Rows under their columns, in a text format. */
export function rowLines(
  format: Exclude<RowFormat, "json">,
  columns: readonly string[],
  rows: readonly Row[],
): string[] {
  const { head, row: lineOf } = rowTexts[format];
  return [...head(columns), ...rows.map((row) => lineOf(columns.map((name) => memberAt(row, [name]))))];
}

/** The media type of each format. */
export const rowMediaTypes: Readonly<Record<RowFormat, string>> = {
  json: "application/json",
  csv: "text/csv",
  markdown: "text/markdown",
};
