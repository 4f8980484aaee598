/** The query engine: an isolated instance, tables of rows, and conversion of its values to JSON. */
import type * as Engine from "@duckdb/node-api";
import { isEmpty, memberAt } from "../../language/member.js";
import { dayMs } from "../../time/durations.js";
import { type ColumnType, ColumnTypes, maxDigits, scaleOf, timeOf } from "../cell-type.js";
import type { Row } from "../index.js";
import { cellText, columnsOf } from "../row-text.js";
import { jsonOf } from "../view/decimal.js";
import type { FileSource, TableColumns } from "./messages.js";
import { foldCase } from "./syntax.js";

/** The engine's own memory limit, which does not cover a single large value. */
const engineMemory = "256MB";

const closed: Readonly<Record<string, string>> = {
  threads: "2",
  memory_limit: engineMemory,
  // Without a directory, nothing is ever written to disk.
  temp_directory: "",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
};

/** A text as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Opens a new instance in memory, runs a function with a connection, and closes both.
 * @param files The only files that it may read.
 */
export async function inInstance<T>(
  { DuckDBInstance }: typeof Engine,
  files: readonly string[],
  work: (connection: Engine.DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:", closed);
  const connection = await instance.connect();
  try {
    // The engine accepts the list only while external access is still enabled.
    await connection.run(`set allowed_paths = [${files.map(literal).join(", ")}]`);
    await connection.run("set enable_external_access = false");
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/**
 * Applies the last settings and locks the configuration.
 * @param timeZone A validated name, because it becomes part of a statement.
 */
export async function lockSettings(connection: Engine.DuckDBConnection, timeZone: string): Promise<void> {
  await connection.run(`set timezone='${timeZone}'`);
  await connection.run("set lock_configuration=true");
}

/** A table with the cells of each column, because the engine takes them column by column; an empty one is null. */
export interface QueryTable extends TableColumns {
  readonly values: readonly (readonly unknown[])[];
}

const isAbsent = (cell: unknown): boolean => cell === undefined || cell === null;

/** A column with its type. Empty cells are null, unless the column has texts. */
function columnOf(cells: readonly unknown[]): { readonly type: ColumnType; readonly values: readonly unknown[] } {
  const types = new ColumnTypes();
  for (const cell of cells) {
    types.add(cell);
    if (types.isText) break;
  }
  const type = types.type();
  const isNull = type === "VARCHAR" ? isAbsent : isEmpty;
  return { type, values: cells.map((cell) => (isNull(cell) ? null : cell)) };
}

/** The names, made unique for the engine, which ignores case. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 2; taken.has(foldCase(unique)); count += 1) unique = `${name} (${count})`;
    taken.add(foldCase(unique));
    return unique;
  });
}

/** Creates a table of rows. Its columns have the fields' names, made unique if they differ only in case. */
export function queryTableOf(name: string, rows: readonly Row[]): QueryTable {
  const members = columnsOf(rows);
  const columns = members.map((member) => columnOf(rows.map((row) => memberAt(row, [member]))));
  const names = uniqueNames(members);
  return {
    name,
    columns: columns.map(({ type }, at) => ({ name: names[at] ?? "", type })),
    values: columns.map(({ values }) => values),
  };
}

type Api = typeof Engine;

/** A column's type for the engine, and the conversion of its cells. */
interface Kind {
  readonly type: Engine.DuckDBType;
  convert(cell: unknown): Engine.DuckDBValue;
}

function microsOf(cell: unknown): bigint {
  const { ms = 0, micros = 0 } = timeOf(cell) ?? {};
  return BigInt(ms) * 1_000n + BigInt(micros);
}

/** The digits of a decimal with a fixed number of decimals. */
function unitsOf(cell: unknown, scale: number): bigint {
  const [whole = "", fraction = ""] = String(cell).split(".");
  return BigInt(whole + fraction.padEnd(scale, "0"));
}

const kindsOf = (api: Api): Readonly<Record<Exclude<ColumnType, `DECIMAL${string}`>, Kind>> => ({
  BIGINT: { type: api.BIGINT, convert: (cell) => BigInt(Number(cell)) },
  HUGEINT: { type: api.HUGEINT, convert: (cell) => BigInt(cell as string | number) },
  DOUBLE: { type: api.DOUBLE, convert: Number },
  BOOLEAN: { type: api.BOOLEAN, convert: (cell) => cell as boolean },
  VARCHAR: { type: api.VARCHAR, convert: cellText },
  TIMESTAMPTZ: { type: api.TIMESTAMPTZ, convert: (cell) => new api.DuckDBTimestampTZValue(microsOf(cell)) },
  TIMESTAMP: { type: api.TIMESTAMP, convert: (cell) => new api.DuckDBTimestampValue(microsOf(cell)) },
  DATE: { type: api.DATE, convert: (cell) => new api.DuckDBDateValue((timeOf(cell)?.ms ?? 0) / dayMs) },
});

function kindOf(type: ColumnType, api: Api): Kind {
  const scale = scaleOf(type);
  if (scale === undefined) return kindsOf(api)[type as keyof ReturnType<typeof kindsOf>];
  return {
    type: new api.DuckDBDecimalType(maxDigits, scale),
    convert: (cell) => new api.DuckDBDecimalValue(unitsOf(cell, scale), maxDigits, scale),
  };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
// The engine's own chunk size, which is its maximum.
const chunkRows = 2_048;

/** Creates a table and fills it, chunk by chunk. */
export async function loadTable(
  api: Api,
  connection: Engine.DuckDBConnection,
  { name, columns, values }: QueryTable,
): Promise<void> {
  const declared = columns.map((column) => `${quoted(column.name)} ${column.type}`);
  await connection.run(`create table ${quoted(name)} (${declared.join(", ")})`);
  const kinds = columns.map(({ type }) => kindOf(type, api));
  const types = kinds.map(({ type }) => type);
  const length = values[0]?.length ?? 0;
  const appender = await connection.createAppender(name);
  for (let start = 0; start < length; start += chunkRows) {
    const chunk = api.DuckDBDataChunk.create(types, Math.min(chunkRows, length - start));
    chunk.setColumns(
      kinds.map(({ convert }, at) => {
        const cells = (values[at] ?? []).slice(start, start + chunkRows);
        return cells.map((cell) => (cell === null ? null : convert(cell)));
      }),
    );
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/**
 * The buffer for reading files: the default would be 30 MB of memory each. It must not be shorter than a row; the rows
 * of a report are limited when they are written.
 */
const bufferBytes = 4_194_304;
const maxLineBytes = 2_097_152;

/**
 * Creates a view that reads a file in place, so that memory does not grow with it. The engine must be allowed to read
 * the file as long as the query runs.
 */
export async function viewFile(
  connection: Engine.DuckDBConnection,
  { name, columns, path }: FileSource,
): Promise<void> {
  // Column names from outside are used in only one place, where they are quoted.
  const types = columns.map(({ type }, at) => `'c${at}': ${literal(type)}`);
  // An empty text is a text, as in memory. The engine's own option for this confuses columns if not all are read.
  const cells = columns.map(
    (column, at) => `${column.type === "VARCHAR" ? `coalesce(c${at}, '')` : `c${at}`} as ${quoted(column.name)}`,
  );
  const options = [
    "header = false, auto_detect = false, delim = ',', quote = '\"', escape = '\"', new_line = '\\n', nullstr = ''",
    `buffer_size = ${bufferBytes}, max_line_size = ${maxLineBytes}, columns = {${types.join(", ")}}`,
  ];
  await connection.run(
    `create view ${quoted(name)} as select ${cells.join(", ")} from read_csv(${literal(path)}, ${options.join(", ")})`,
  );
}

/** A value in JSON; its numbers are written as in a view. */
export function jsonValue(value: Engine.DuckDBValue, api: Api): unknown {
  const inside = (member: Engine.DuckDBValue): unknown => jsonValue(member, api);
  if (typeof value === "bigint") return jsonOf({ units: value, scale: 0 });
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof api.DuckDBDecimalValue) return jsonOf({ units: value.value, scale: value.scale });
  if (value instanceof api.DuckDBTimestampTZValue)
    return value.isFinite ? value.toString().replace(" ", "T").replace("+00", "Z") : value.toString();
  if (value instanceof api.DuckDBListValue || value instanceof api.DuckDBArrayValue) return value.items.map(inside);
  if (value instanceof api.DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, member]) => [name, inside(member)]));
  if (value instanceof api.DuckDBMapValue)
    return value.entries.map(({ key, value: member }) => ({ key: inside(key), value: inside(member) }));
  return value.toString();
}
