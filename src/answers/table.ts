/** Records as a compact table: fields as columns, values common to all rows once, times short. */
import { isEmpty, isRecord } from "../language/member.js";
import { timeOf } from "../rows/cell-type.js";

export interface CompactTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Fields with the same value in every row, which have no column. */
  readonly same: Readonly<Record<string, unknown>>;
  /** Fields that are equally empty in every row, which have no column, with their value. */
  readonly empty: readonly (readonly [name: string, value: unknown])[];
}

const maxDepth = 3;

/** Whether values are equally empty: a missing one is null. */
const areEmptyAlike = (values: readonly unknown[]): boolean =>
  values.every(isEmpty) && new Set(values.map((value) => JSON.stringify(value ?? null))).size === 1;

/** Whether a value has no members. */
export const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;

/** The cells of a record by column; nested records have separate columns. */
function addCells(cells: Map<string, unknown>, record: object, at: string, depth: number): void {
  for (const [name, value] of Object.entries(record)) {
    const column = at === "" ? name : `${at}.${name}`;
    if (isRecord(value) && depth < maxDepth && !isEmpty(value)) addCells(cells, value, column, depth + 1);
    else if (Array.isArray(value) && value.length > 0 && value.every(isScalar) && !value.join("").includes(";"))
      cells.set(column, value.join("; "));
    else cells.set(column, value);
  }
}

const utc = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d))?(?:\.(\d+))?(?:Z|\+00:?00)$/;

/** A column of UTC times without their common parts; undefined if one is something else. */
function shortTimes(values: readonly unknown[]): unknown[] | undefined {
  const parts = values.map((value) => (isEmpty(value) ? [] : timeOf(value) ? utc.exec(String(value)) : null));
  if (parts.includes(null) || parts.every((part) => part?.length === 0)) return undefined;
  const fractionOf = (part: readonly string[] | null): string => (part?.[4] ?? "").replace(/(?<!0)0+$/, "");
  const isToMinute = parts.every((part) => (part?.[3] ?? "00") === "00" && fractionOf(part) === "");
  return parts.map((part, at) => {
    if (part?.[1] === undefined) return values[at];
    const fraction = fractionOf(part);
    const seconds = isToMinute ? "" : `:${part[3] ?? "00"}${fraction === "" ? "" : `.${fraction}`}`;
    return `${part[1]} ${part[2]}${seconds}`;
  });
}

/** Records that have too little in common for a table: most of its cells would be empty. */
const isRagged = (rows: readonly ReadonlyMap<string, unknown>[], columns: number): boolean =>
  rows.reduce((sum, row) => sum + row.size, 0) * 3 < rows.length * columns;

/** A table of records; undefined if they are too different. */
export function compactTableOf(records: readonly object[]): CompactTable | undefined {
  const rows = records.map((record) => {
    const cells = new Map<string, unknown>();
    addCells(cells, record, "", 0);
    return cells;
  });
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  if (names.length === 0 || isRagged(rows, names.length)) return undefined;
  const same: Record<string, unknown> = {};
  const empty: [string, unknown][] = [];
  const columns: { readonly name: string; readonly values: readonly unknown[] }[] = [];
  for (const name of names) {
    const values = rows.map((row) => row.get(name));
    const [first] = values;
    if (areEmptyAlike(values)) empty.push([name, first]);
    else if (values.length > 2 && isScalar(first) && values.every((value) => value === first)) same[name] = first;
    else {
      const short = shortTimes(values);
      columns.push(short ? { name: `${name} (UTC)`, values: short } : { name, values });
    }
  }
  return {
    columns: columns.map(({ name }) => name),
    rows: rows.map((_, at) => columns.map(({ values }) => values[at])),
    same,
    empty,
  };
}
