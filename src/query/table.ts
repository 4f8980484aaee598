/** The rows of an answer as a table of the engine: the type of each column follows from all of its values. */
import { dayMs } from "../language/durations.js";
import { isEmpty } from "../language/member.js";
import { timeOf } from "../rows/cell-type.js";
import { type ColumnType, ColumnTypes, scaleOf } from "../rows/column-type.js";
import type { Row } from "../rows/index.js";
import { cellText, columnsOf } from "../rows/row-text.js";
import type { TableColumns } from "./messages.js";
import { folded } from "./syntax.js";

/** A value for the engine: instants as microseconds and dates as days since 1970. */
export type Cell = number | bigint | boolean | string | null;

/** A table with the values of each column, because the engine takes them column by column. */
export interface Table extends TableColumns {
  readonly values: readonly (readonly Cell[])[];
}

/** A time as the engine counts it; a double holds that until the year 2255. */
function microsOf(value: unknown): number | bigint {
  const { ms = 0, micros = 0 } = timeOf(value) ?? {};
  const count = ms * 1_000 + micros;
  return Number.isSafeInteger(count) ? count : BigInt(ms) * 1_000n + BigInt(micros);
}

/** The digits of a decimal with so many of them behind the point. */
function unitsOf(value: unknown, scale: number): bigint {
  const [whole = "", fraction = ""] = String(value).split(".");
  return BigInt(whole + fraction.padEnd(scale, "0"));
}

/** How a value that is of a type is given to the engine. */
function cellsOf(type: ColumnType): (value: unknown) => Cell {
  const scale = scaleOf(type);
  if (scale !== undefined) return (value) => unitsOf(value, scale);
  if (type === "BIGINT" || type === "DOUBLE") return Number;
  if (type === "HUGEINT") return (value) => BigInt(value as string | number);
  if (type === "BOOLEAN") return (value) => value as boolean;
  if (type === "DATE") return (value) => (timeOf(value)?.ms ?? 0) / dayMs;
  return microsOf;
}

/** A column with its type. What is empty is no value, unless the column holds texts. */
function columnOf(values: readonly unknown[]): { readonly type: ColumnType; readonly values: readonly Cell[] } {
  const types = new ColumnTypes();
  for (const value of values) {
    types.add(value);
    if (types.isText) break;
  }
  const type = types.type();
  if (type === "VARCHAR") {
    const isAbsent = (value: unknown): boolean => value === undefined || value === null;
    return { type, values: values.map((value) => (isAbsent(value) ? null : cellText(value))) };
  }
  const cellOf = cellsOf(type);
  return { type, values: values.map((value) => (isEmpty(value) ? null : cellOf(value))) };
}

/** The names, each told apart from one before it that the engine takes for the same. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 2; taken.has(folded(unique)); count += 1) unique = `${name} (${count})`;
    taken.add(folded(unique));
    return unique;
  });
}

/** Makes a table of rows. Its columns have the members' names, told apart where they differ in case alone. */
export function tableOf(name: string, rows: readonly Row[]): Table {
  const members = columnsOf(rows);
  const columns = members.map((member) => columnOf(rows.map((row) => row[member])));
  const names = distinct(members);
  return {
    name,
    columns: columns.map(({ type }, at) => ({ name: names[at] ?? "", type })),
    values: columns.map(({ values }) => values),
  };
}
