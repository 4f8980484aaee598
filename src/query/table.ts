/** The rows of an answer as a table of the engine: the type of each column follows from all of its values. */
import { cellText, columnsOf } from "../answers/row-text.js";
import type { Row } from "../answers/rows.js";
import { type ColumnType, daysOf, decimalText, integerText, isPlainNumber, microsOf } from "../api/cell-type.js";
import type { TableColumns } from "./messages.js";
import { folded } from "./syntax.js";

/** A value for the engine: instants as microseconds and dates as days since 1970. */
export type Cell = number | bigint | boolean | string | null;

/** A table with the values of each column, because the engine takes them column by column. */
export interface Table extends TableColumns {
  readonly values: readonly (readonly Cell[])[];
}

/** A type, what of a value it takes, and the value for the engine; undefined where the value is not of it. */
interface Reading {
  readonly type: ColumnType;
  read(value: unknown): Cell | undefined;
  /** What has to hold of all the values together. */
  isUsable?(values: readonly unknown[]): boolean;
}

const microsIn = (value: unknown, hasOffset: boolean): number | undefined =>
  typeof value === "string" ? microsOf(value, hasOffset) : undefined;

function decimalOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && decimalText.test(value) ? Number(value) : undefined;
}

/** Digits after the point tell 1.10 from 1.1 where they are of a version: a number says the same, or all have as many. */
function haveOneScale(values: readonly unknown[]): boolean {
  const texts = values.filter((value) => typeof value === "string");
  const scales = new Set(texts.map((text) => decimalText.exec(text)?.[1]?.length ?? 0));
  return scales.size < 2 || texts.every(isPlainNumber);
}

/** The types from the narrowest on; the first that takes all values is the column's. */
const readings: readonly Reading[] = [
  { type: "BOOLEAN", read: (value) => (typeof value === "boolean" ? value : undefined) },
  {
    type: "BIGINT",
    read: (value) => {
      const number = typeof value === "string" && integerText.test(value) ? Number(value) : value;
      return Number.isSafeInteger(number) ? (number as number) : undefined;
    },
  },
  {
    type: "HUGEINT",
    read: (value) => {
      const isInteger = typeof value === "string" ? integerText.test(value) : Number.isSafeInteger(value);
      return isInteger ? BigInt(value as string | number) : undefined;
    },
  },
  { type: "DOUBLE", read: decimalOf, isUsable: haveOneScale },
  { type: "TIMESTAMPTZ", read: (value) => microsIn(value, true) },
  { type: "TIMESTAMP", read: (value) => microsIn(value, false) },
  {
    type: "DATE",
    read: (value) => (typeof value === "string" ? daysOf(value) : undefined),
  },
];

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** The values of a column as a type takes them; undefined where one of them is not of it. */
function readAll(values: readonly unknown[], { read }: Reading): Cell[] | undefined {
  const cells: Cell[] = [];
  for (const value of values) {
    const cell = isAbsent(value) || value === "" ? null : read(value);
    if (cell === undefined) return undefined;
    cells.push(cell);
  }
  return cells;
}

/** A column with its type. An empty text is no value, unless the column holds texts. */
function columnOf(values: readonly unknown[]): { readonly type: ColumnType; readonly values: readonly Cell[] } {
  const given = values.filter((value) => !isAbsent(value) && value !== "");
  for (const reading of given.length === 0 ? [] : readings) {
    const cells = readAll(values, reading);
    if (cells && reading.isUsable?.(given) !== false) return { type: reading.type, values: cells };
  }
  return { type: "VARCHAR", values: values.map((value) => (isAbsent(value) ? null : cellText(value))) };
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
