/** The messages between the server and the engine's process, and the errors of queries in our own words. */
import type { AnswerDisplay } from "../../language/conduct.js";
import { Failure, quoteValue } from "../../language/failure.js";
import { resultTool } from "../../language/server-tools.js";
import { nearestName } from "../../text/nearest.js";
import type { ColumnType } from "../cell-type.js";

interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** A table for a query. */
export interface TableColumns {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** A result from which a table is made, as JSON: one text passes between processes faster than its values. */
interface JsonSource {
  readonly name: string;
  readonly json: string;
  /** How its operation declares that it is shown. */
  readonly shows?: AnswerDisplay | undefined;
}

/** Rows in a file: CSV without a header, in which every row has as many cells as there are columns. */
export interface FileSource extends TableColumns {
  readonly path: string;
}

export type QuerySource = JsonSource | FileSource;

export interface SqlQuery {
  readonly sql: string;
  readonly sources: readonly QuerySource[];
  readonly timeZone: string;
  readonly maxRows: number;
}

/** The rows that a query returned. */
export interface QueryRows {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  /** Whether there are more rows than requested or than fit into a message. */
  readonly hasMore: boolean;
}

/** The problem of a query. The engine's messages stay in its process, because they can contain local paths. */
export interface QueryProblem {
  readonly kind: keyof typeof problemTexts;
  /** The word of the query that it concerns, found in the query itself. */
  readonly word?: string;
}

/** The reply to a query; not available if the engine's package is missing. */
export type QueryReply =
  | { readonly kind: "answered"; readonly answered: QueryRows }
  | { readonly kind: "problem"; readonly problem: QueryProblem; readonly tables: readonly TableColumns[] }
  | { readonly kind: "unavailable" };

/** The columns of the tables, as needed to write a query. */
function columnsText(tables: readonly TableColumns[]): string {
  const shownColumns = 60;
  return tables
    .map(({ name, columns }) => {
      const all = columns.map((column) => `${quoted(column.name)} ${column.type}`);
      const rest = all.length - shownColumns;
      return `${name} (${all.slice(0, shownColumns).join(", ")}${rest > 0 ? `, and ${rest} more` : ""})`;
    })
    .join("; ");
}

const maxNameLength = 60;

/**
 * A column as a query has to write it; a long name is shortened, because it comes from outside and must not read like
 * our sentences.
 */
function quoted(name: string): string {
  const short = name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…`.toWellFormed() : name;
  return /^[a-z_]\w*$/i.test(short) ? short : `"${short.replaceAll('"', '""')}"`;
}

const didYouMean = (word: string, names: readonly string[]): string => {
  const near = nearestName(word, names);
  return near === undefined ? "" : ` Did you mean ${quoted(near)}?`;
};

type ProblemText = (word: string, tables: readonly TableColumns[]) => readonly [what: string, next: string];

/** Each problem in words, and what to do next; `word` is the word of the query that it concerns, if known. */
const problemTexts = {
  rowless: (word) => [
    `The result ${word} has no list of rows.`,
    `Read it with ${resultTool}, or give the handle of a result that has rows.`,
  ],
  statement: () => [
    "A query is one SELECT.",
    "Write one SELECT without a semicolon. PIVOT, SHOW, SET, COPY etc. are not allowed; DESCRIBE and SUMMARIZE of a table are.",
  ],
  syntax: (word) => [
    `The query has a syntax error${word === "" ? "" : ` at or near ${word}`}.`,
    "Correct it there. The dialect is DuckDB's; names with a space and reserved words are in double quotes, texts in single ones.",
  ],
  table: (word, tables) => [
    `There is no table ${word}.${didYouMean(
      word,
      tables.map(({ name }) => name),
    )}`,
    `Name each result in results, and use that name in the query. These are given: ${columnsText(tables)}.`,
  ],
  tableFunction: (word) => [
    `The function ${word} cannot be used as a table here.`,
    "Use the given tables, range, generate_series or unnest: a query cannot access files, the network or settings.",
  ],
  function: (word) => [
    `The function ${word} is not allowed here.`,
    "Leave it out: a query can only use the given tables.",
  ],
  catalog: (word) => [
    `The name ${word} cannot be used here.`,
    "Use the given tables without a schema, and names in WITH that differ from the engine's views.",
  ],
  column: (word, tables) => [
    `There is no column ${word || "of that name"}.${didYouMean(
      word,
      tables.flatMap(({ columns }) => columns.map(({ name }) => name)),
    )}`,
    `The tables have these columns: ${columnsText(tables)}.`,
  ],
  ambiguous: (word, tables) => [
    `More than one table has a column ${word}.`,
    `Write the table before it. The tables have these columns: ${columnsText(tables)}.`,
  ],
  unknownFunction: (word) => [`There is no function ${word}.`, "Use a function of DuckDB."],
  arguments: (word, tables) => [
    `${word === "" ? "A function or an operator" : word} does not take values of these types.`,
    `Convert them, as in try_cast(x as double). The tables have these columns: ${columnsText(tables)}.`,
  ],
  grouping: (word) => [
    `${word === "" ? "A column" : word} is neither grouped by nor aggregated.`,
    "Add it to GROUP BY, or aggregate it, as in any_value(x).",
  ],
  conversion: () => ["A value cannot be converted.", "Use try_cast, try_strptime etc., which return NULL instead."],
  range: () => ["A number is out of the range of its type.", "Cast to hugeint or double before you calculate."],
  memory: () => [
    "The query needs more memory than a query may have.",
    "Filter or group before you join or sort, and avoid large texts or lists.",
  ],
  large: () => ["One row of the result is too large.", "Select fewer columns, or a part of a long text with substr."],
  other: (_, tables) => [
    "The query cannot be run.",
    `Write it in a simpler way. The tables have these columns: ${columnsText(tables)}.`,
  ],
} satisfies Readonly<Record<string, ProblemText>>;

/** The failure of a query without a reply of the engine. */
export function queryFailure({ kind, word = "" }: QueryProblem, tables: readonly TableColumns[]): Failure {
  const textOf: ProblemText = problemTexts[kind];
  const [what, next] = textOf(word === "" ? "" : quoteValue(word).slice(1, -1), tables);
  return new Failure("invalid_input", what, { next, fields: [{ field: "sql", takes: "one SELECT over the results" }] });
}

export const queryTimeout = (timeMs: number): Failure =>
  new Failure("timeout", `The query timed out after ${timeMs / 1000} seconds.`, {
    next: "Filter or group earlier, and join on equal values.",
  });

export const queryOverload = (): Failure =>
  new Failure("rate_limited", "Too many queries are running at the moment.", {
    next: "Repeat the call in a few seconds.",
    retryAfterSeconds: 5,
  });

export const queryCancellation = (): Failure =>
  new Failure("cancelled", "The query was cancelled.", { next: "Repeat the call if it is still needed." });

/** @param wasEnded Whether the process ended itself, because its memory was used up. */
export const engineEnd = (wasEnded: boolean): Failure =>
  wasEnded
    ? queryFailure({ kind: "memory" }, [])
    : new Failure("failed", "The engine ended while it ran the query.", {
        next: "Write the query in a simpler way, with smaller values.",
      });

export const missingEngine = (): Failure =>
  new Failure("bad_configuration", "This server cannot run SQL.", {
    why: "That needs the package @duckdb/node-api, which is optional and is not installed here, or not for this platform.",
    next: `Read the result with ${resultTool}, or ask for the totals and groups in the call itself; the operator can install the package.`,
  });
