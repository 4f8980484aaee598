/** Rows as text: CSV as RFC 4180 writes it, and Markdown tables. */
import { beginsLikeOurs } from "./labels.js";
import type { Row } from "./rows.js";

/** The forms in which rows can be read. */
export const rowFormats = ["json", "csv", "markdown"] as const;
export type RowFormat = (typeof rowFormats)[number];

/** A cell as text: nested values as JSON, and nothing for what is absent. */
export function cellText(cell: unknown): string {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

const csvCell = (cell: unknown): string => {
  const text = cellText(cell);
  return /[",\r\n]/.test(text) || beginsLikeOurs(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

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
    head: (columns) => [columns.map(csvCell).join(",")],
    // A row of one empty cell would be an empty line, which readers skip.
    row: (cells) => (cells.length === 1 && cellText(cells[0]) === "" ? '""' : cells.map(csvCell).join(",")),
  },
  markdown: {
    head: (columns) => [`| ${columns.map(markdownCell).join(" | ")} |`, `|${columns.map(() => " --- |").join("")}`],
    row: (cells) => `| ${cells.map(markdownCell).join(" | ")} |`,
  },
};

/** The media type of each form. */
export const rowMediaTypes: Readonly<Record<RowFormat, string>> = {
  json: "application/json",
  csv: "text/csv",
  markdown: "text/markdown",
};
