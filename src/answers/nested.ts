/** Lists of records inside the rows of a table: each a table of its own, with the row that its records belong to. */
import { isEmpty, isRecord } from "../language/member.js";
import { isScalar, type Table } from "./table.js";

/** The records of one column of a table, those of all rows together. */
export interface Nested {
  readonly column: string;
  /** What a record belongs to: the column by which the rows are told apart, or the number of the row. */
  readonly by: string;
  readonly records: readonly object[];
}

// A list that is shorter than this in each row is read as easily in its cell.
const maxInline = 100;

/** The values of a column, where each of them is a list of records or empty, and one of them is long. */
function isNested(values: readonly unknown[]): boolean {
  const lists = values.filter((value) => !isEmpty(value));
  const areRecords = lists.every((list) => Array.isArray(list) && list.every(isRecord));
  return areRecords && lists.some((list) => JSON.stringify(list).length > maxInline);
}

/** The first column whose values tell the rows apart. */
function keyOf({ columns, rows }: Table): number {
  return columns.findIndex((_, at) => {
    const values = rows.map((row) => row[at]);
    return values.every((value) => isScalar(value) && !isEmpty(value)) && new Set(values).size === values.length;
  });
}

/** A table with the number of records in the place of its long lists, and those lists. */
export function withoutNested(table: Table): { readonly table: Table; readonly nested: readonly Nested[] } {
  const { columns, rows } = table;
  const places = columns.flatMap((_, at) => (isNested(rows.map((row) => row[at])) ? [at] : []));
  if (places.length === 0) return { table, nested: [] };
  const key = keyOf(table);
  const by = columns[key] ?? "row";
  const nested = places.map((at): Nested => {
    const records = rows.flatMap((row, number) => {
      const list = Array.isArray(row[at]) ? (row[at] as readonly object[]) : [];
      return list.map((record) => ({ [`of ${by}`]: key < 0 ? number + 1 : row[key], ...record }));
    });
    return { column: columns[at] ?? "", by, records };
  });
  const counted = rows.map((row) =>
    row.map((cell, at) => (places.includes(at) && Array.isArray(cell) && cell.length > 0 ? cell.length : cell)),
  );
  return { table: { ...table, rows: counted }, nested };
}
