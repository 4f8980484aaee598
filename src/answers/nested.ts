/** Lists of records in the rows of a table: each becomes a separate table, with the row to which its records belong. */
import { isEmpty, isRecord } from "../language/member.js";
import { type CompactTable, isScalar } from "./table.js";

/** The records of one column of a table, from all rows. */
export interface NestedRecords {
  readonly column: string;
  /** The owner of a record: the column that identifies the rows, or the number of the row. */
  readonly by: string;
  readonly records: readonly object[];
}

// Shorter lists are as readable in their cells.
const maxInline = 100;

/** The values of a column, if each of them is a list of records or empty, and one of them is long. */
function isNested(values: readonly unknown[]): boolean {
  const lists = values.filter((value) => !isEmpty(value));
  const areRecords = lists.every((list) => Array.isArray(list) && list.every(isRecord));
  return areRecords && lists.some((list) => JSON.stringify(list).length > maxInline);
}

/** The first column whose values identify the rows. */
function keyOf({ columns, rows }: CompactTable): number {
  return columns.findIndex((_, at) => {
    const values = rows.map((row) => row[at]);
    return values.every((value) => isScalar(value) && !isEmpty(value)) && new Set(values).size === values.length;
  });
}

/** A table with the number of records in place of its long lists, and those lists. */
export function withoutNested(table: CompactTable): {
  readonly table: CompactTable;
  readonly nested: readonly NestedRecords[];
} {
  const { columns, rows } = table;
  const places = columns.flatMap((_, at) => (isNested(rows.map((row) => row[at])) ? [at] : []));
  if (places.length === 0) return { table, nested: [] };
  const key = keyOf(table);
  const keyColumn = columns[key] ?? "row";
  const nested = places.map((at): NestedRecords => {
    const records = rows.flatMap((row, number) => {
      const list = Array.isArray(row[at]) ? (row[at] as readonly object[]) : [];
      return list.map((record) => ({ [`of ${keyColumn}`]: key < 0 ? number + 1 : row[key], ...record }));
    });
    return { column: columns[at] ?? "", by: keyColumn, records };
  });
  const counted = rows.map((row) =>
    row.map((cell, at) => (places.includes(at) && Array.isArray(cell) && cell.length > 0 ? cell.length : cell)),
  );
  return { table: { ...table, rows: counted }, nested };
}
