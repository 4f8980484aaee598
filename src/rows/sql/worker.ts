/**
 * The process that runs SQL, separate because the engine can use up memory or abort: a new, isolated instance for each
 * query.
 */
import type * as Engine from "@duckdb/node-api";
import { rowsIn } from "../index.js";
import {
  inInstance,
  jsonValue,
  loadTable,
  lockSettings,
  type QueryTable,
  queryTableOf,
  uniqueNames,
  viewFile,
} from "./engine.js";
import type { FileSource, QueryProblem, QueryReply, QueryRows, QuerySource, SqlQuery } from "./messages.js";
import { foldCase, problemOfError, syntaxProblem } from "./syntax.js";

/** The engine's memory limit does not cover a single large value, so the whole process has one, too. */
const maxResidentBytes = 512 * 1024 * 1024;
const lookEveryMs = 20;
/** The maximum size of a reply, in characters of JSON. */
const maxReplyChars = 8 * 1024 * 1024;

// It ends when its parent does, and before it exceeds its memory limit.
const end = (): void => {
  process.kill(process.pid, "SIGKILL");
};
setInterval(() => {
  if (process.memoryUsage.rss() > maxResidentBytes) end();
}, lookEveryMs).unref();
process.on("disconnect", end);

async function engineViews(connection: Engine.DuckDBConnection): Promise<ReadonlySet<string>> {
  const read = await connection.runAndReadAll("select view_name from duckdb_views() where internal");
  return new Set(read.getRows().map(([name]) => foldCase(String(name))));
}

function queryRowsOf(api: typeof Engine, reader: Engine.DuckDBResultReader, maxRows: number): QueryRows | undefined {
  const types = reader.columnTypes();
  const rows: unknown[][] = [];
  let room = maxReplyChars;
  for (const values of reader.getRows().slice(0, maxRows)) {
    const row = values.map((value) => jsonValue(value, api));
    room -= JSON.stringify(row).length;
    if (room < 0) break;
    rows.push(row);
  }
  if (rows.length === 0 && reader.currentRowCount > 0) return undefined;
  return {
    columns: reader.columnNames().map((name, at) => ({ name, type: String(types[at]) })),
    rows,
    hasMore: rows.length < reader.currentRowCount || !reader.done,
  };
}

/** The tables of the results, and the first result without one. */
function tablesOf(sources: readonly QuerySource[]): {
  readonly tables: (QueryTable | FileSource)[];
  readonly problem?: QueryProblem;
} {
  const tables: (QueryTable | FileSource)[] = [];
  for (const source of sources) {
    const { name } = source;
    if ("path" in source) {
      const names = uniqueNames(source.columns.map((column) => column.name));
      const columns = source.columns.map(({ type }, at) => ({ name: names[at] ?? "", type }));
      tables.push({ name, path: source.path, columns });
      continue;
    }
    const found = rowsIn(JSON.parse(source.json), source.shows);
    if (!found || found.rows.length === 0) return { tables, problem: { kind: "rowless", word: name } };
    tables.push(queryTableOf(name, found.rows));
  }
  return { tables };
}

async function replyTo(api: typeof Engine, { sql, sources, timeZone, maxRows }: SqlQuery): Promise<QueryReply> {
  // Otherwise the engine writes instants in the machine's zone.
  api.DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;
  const { tables, problem: rowless } = tablesOf(sources);
  const columns = tables.map(({ name, columns: own }) => ({ name, columns: own }));
  const files = tables.flatMap((table) => ("path" in table ? [table.path] : []));
  const problemReply = (problem: QueryProblem): QueryReply => ({ kind: "problem", problem, tables: columns });
  if (rowless) return problemReply(rowless);
  return inInstance(api, files, async (connection): Promise<QueryReply> => {
    const tree = await connection.runAndReadAll("select json_serialize_sql($1::varchar)", [sql]);
    const names = tables.map(({ name }) => name);
    const problem = syntaxProblem(JSON.parse(String(tree.value(0, 0))), names, await engineViews(connection));
    if (problem) return problemReply(problem);
    for (const table of tables)
      await ("path" in table ? viewFile(connection, table) : loadTable(api, connection, table));
    await lockSettings(connection, timeZone);
    const answered = queryRowsOf(api, await connection.streamAndReadUntil(sql, maxRows + 1), maxRows);
    return answered ? { kind: "answered", answered } : problemReply({ kind: "large" });
  }).catch((error) => problemReply(problemOfError(error, sql)));
}

const unavailable = (): QueryReply => ({ kind: "unavailable" });

process.on("message", (query: SqlQuery) => {
  // If the package cannot be loaded (not installed, or not for this platform), there is no engine.
  const reply = import("@duckdb/node-api").then((api) => replyTo(api, query), unavailable);
  reply.then((message) => process.send?.(message), end);
});
