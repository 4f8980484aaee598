/** Reads the cells of the rows in a value as times and numbers. */
import { isEmpty } from "../language/member.js";
import { epochMs, isNumber, isTimeName, timeOf } from "../rows/cell-type.js";
import { type Row, rowsIn } from "../rows/index.js";

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
    .filter((cell) => !isEmpty(cell));

const every = (cells: readonly unknown[], fits: (cell: unknown) => boolean): boolean =>
  cells.length > 0 && cells.every(fits);

/** A cell as an instant in milliseconds since 1970, from a time or from seconds or milliseconds since then. */
export const instantOf = (cell: unknown): number | undefined => timeOf(cell)?.ms ?? epochMs(cell);

/** The column of the rows' times: the first whose cells all are instants. */
export const timeColumnOf = (table: Table): string | undefined =>
  table.columns.find((column) => {
    const read = isTimeName(column) ? instantOf : timeOf;
    return every(sampleOf(table, column), (cell) => read(cell) !== undefined);
  });

/** Whether a column holds numbers, also such as are written in text. */
export const isNumeric = (table: Table, column: string): boolean => every(sampleOf(table, column), isNumber);
