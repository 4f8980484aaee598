/** Values as CSV (RFC 4180), one row a line: null is nothing, an empty text is quoted, and a line end is written as JSON text. */
import { beginsLikeOurs } from "./labels.js";

/** A scalar as a cell or a line shows it; texts with line ends or controls as JSON, so that each stays on its line. */
export function plain(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  return /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text;
}

const cellOf = (value: unknown): string => {
  if (value === "") return '""';
  const text = plain(value);
  // A cell that begins like a labelled line of the answer's own is quoted, too, so that it cannot be taken for one.
  return /[",]|^\s|\s$|^\w+:/.test(text) || beginsLikeOurs(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A row as a line, without its line end. */
export const csvLine = (cells: readonly unknown[]): string => cells.map(cellOf).join(",");

/** A header and its rows as lines. */
export const csvLines = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string[] => [
  csvLine(columns),
  ...rows.map(csvLine),
];
