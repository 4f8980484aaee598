/** Reads the cells of the rows in a value as times and numbers. */
import { type Row, rowsIn } from "../answers/rows.js";
import { isInstant, readInstant } from "../api/instant.js";

/** Rows with the columns that any of the first ones has, in their order. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

// All rows have the columns of the first ones.
const sampled = 50;

/** The rows in a value; none where it has no list of them. */
export function tableIn(value: unknown): Table {
  const rows = rowsIn(value)?.rows ?? [];
  return { rows, columns: [...new Set(rows.slice(0, sampled).flatMap((row) => Object.keys(row)))] };
}

/** The cells that say something among the first ones of a column. */
const sampleOf = ({ rows }: Table, column: string): unknown[] =>
  rows
    .slice(0, sampled)
    .map((row) => row[column])
    .filter((cell) => cell !== null && cell !== undefined && cell !== "");

const every = (cells: readonly unknown[], fits: (cell: unknown) => boolean): boolean =>
  cells.length > 0 && cells.every(fits);

const numeral = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A cell as a number; undefined where it is none, such as an empty one. */
export function numberOf(cell: unknown): number | undefined {
  if (typeof cell === "bigint") return Number(cell);
  if (typeof cell === "string") return numeral.test(cell.trim()) ? Number(cell) : undefined;
  return typeof cell === "number" && Number.isFinite(cell) ? cell : undefined;
}

// Numbers are times only where the name says so and the year is one of this century.
const timeName = /time|date|stamp|instant|^(t|ts|at|start|end|begin|hour|day|week|month)$/i;
const earliestMs = Date.UTC(2000, 0);
const latestMs = Date.UTC(2100, 0);
const asIso = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d) (\d)/, "$1T$2").replace(/^([^T]*T.*[+-]\d\d)$/, "$1:00");

/** A cell as an instant in milliseconds since 1970, from ISO text or from seconds or milliseconds since then. */
export function instantOf(cell: unknown): number | undefined {
  if (cell instanceof Date) return cell.getTime();
  const number = numberOf(cell);
  if (number !== undefined) {
    const ms = number < earliestMs / 10 ? number * 1_000 : number;
    return ms >= earliestMs && ms < latestMs ? ms : undefined;
  }
  const text = typeof cell === "string" ? asIso(cell.trim()) : "";
  return isInstant(text) ? readInstant(text) : undefined;
}

/** The column of the rows' times: the first whose cells all are instants. */
export const timeColumnOf = (table: Table): string | undefined =>
  table.columns.find((column) => {
    const isNamed = timeName.test(column);
    return every(
      sampleOf(table, column),
      (cell) => (isNamed || numberOf(cell) === undefined) && instantOf(cell) !== undefined,
    );
  });

/** Whether a column holds numbers, also such as are written in text. */
export const isNumeric = (table: Table, column: string): boolean =>
  every(sampleOf(table, column), (cell) => numberOf(cell) !== undefined);
