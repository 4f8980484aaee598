/** Puts tables into an instance of the engine. */
import type * as Engine from "@duckdb/node-api";
import { maxDigits } from "../rows/cell-type.js";
import { type ColumnType, scaleOf } from "../rows/column-type.js";
import { literal } from "./instance.js";
import type { TableColumns } from "./messages.js";
import type { Cell, Table } from "./table.js";

type Api = typeof Engine;

interface Kind {
  type(api: Api): Engine.DuckDBType;
  value(cell: Exclude<Cell, null>, api: Api): Engine.DuckDBValue;
}

const micros = (cell: Cell): bigint => BigInt(cell as number | bigint);
const kinds: Readonly<Record<Exclude<ColumnType, `DECIMAL${string}`>, Kind>> = {
  BIGINT: { type: ({ BIGINT }) => BIGINT, value: (cell) => BigInt(cell as number) },
  HUGEINT: { type: ({ HUGEINT }) => HUGEINT, value: (cell) => BigInt(cell as bigint) },
  DOUBLE: { type: ({ DOUBLE }) => DOUBLE, value: (cell) => cell },
  BOOLEAN: { type: ({ BOOLEAN }) => BOOLEAN, value: (cell) => cell },
  VARCHAR: { type: ({ VARCHAR }) => VARCHAR, value: (cell) => cell },
  TIMESTAMPTZ: {
    type: ({ TIMESTAMPTZ }) => TIMESTAMPTZ,
    value: (cell, { DuckDBTimestampTZValue }) => new DuckDBTimestampTZValue(micros(cell)),
  },
  TIMESTAMP: {
    type: ({ TIMESTAMP }) => TIMESTAMP,
    value: (cell, { DuckDBTimestampValue }) => new DuckDBTimestampValue(micros(cell)),
  },
  DATE: { type: ({ DATE }) => DATE, value: (cell, { DuckDBDateValue }) => new DuckDBDateValue(cell as number) },
};

/** A decimal is given as its units. */
function kindOf(type: ColumnType): Kind {
  const scale = scaleOf(type);
  if (scale === undefined) return kinds[type as keyof typeof kinds];
  return {
    type: ({ DuckDBDecimalType }) => new DuckDBDecimalType(maxDigits, scale),
    value: (cell, { DuckDBDecimalValue }) => new DuckDBDecimalValue(cell as bigint, maxDigits, scale),
  };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
// The engine's own size of a chunk; it takes no larger one.
const chunkRows = 2_048;

/** Creates a table and fills it, chunk by chunk. */
export async function loadTable(
  api: Api,
  connection: Engine.DuckDBConnection,
  { name, columns, values }: Table,
): Promise<void> {
  const declared = columns.map((column) => `${quoted(column.name)} ${column.type}`);
  await connection.run(`create table ${quoted(name)} (${declared.join(", ")})`);
  const types = columns.map(({ type }) => kindOf(type).type(api));
  const length = values[0]?.length ?? 0;
  const appender = await connection.createAppender(name);
  for (let start = 0; start < length; start += chunkRows) {
    const chunk = api.DuckDBDataChunk.create(types, Math.min(chunkRows, length - start));
    chunk.setColumns(
      columns.map(({ type }, at) => {
        const { value } = kindOf(type);
        return (values[at] ?? [])
          .slice(start, start + chunkRows)
          .map((cell) => (cell === null ? null : value(cell, api)));
      }),
    );
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/** A file of rows as a table of the engine. */
export interface FileTable extends TableColumns {
  readonly path: string;
}

/*
 * The parts of a file that the engine reads at a time: it takes 30 MB of memory for each by default. None may be shorter
 * than a row; the rows of a report are bounded where they are written.
 */
const bufferBytes = 4_194_304;
const maxLineBytes = 2_097_152;

/**
 * Creates a view that reads a file where it is: what a query needs of it passes through, so that memory does not grow with
 * it. The engine must be allowed to read the file for as long as the query runs.
 */
export async function viewFile(connection: Engine.DuckDBConnection, { name, columns, path }: FileTable): Promise<void> {
  // Names of columns that come from outside stand in one place alone, where they can be quoted.
  const types = columns.map(({ type }, at) => `'c${at}': ${literal(type)}`);
  // An empty text is a text, as it is in memory. The engine's own option for it confuses columns when not all are read.
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
