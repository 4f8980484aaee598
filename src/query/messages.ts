/** What the server and the engine's process say to each other, and what is wrong with a query in our words. */
import type { Shows } from "../language/conduct.js";
import { Failure, shown } from "../language/failure.js";
import { nearest } from "../language/nearest.js";
import { resultTool } from "../language/own-tools.js";
import type { ColumnType } from "../rows/cell-type.js";

interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** A table as a query sees it. */
export interface TableColumns {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** An answer of which a table is made, as JSON: one text passes between processes faster than its values do. */
interface JsonSource {
  readonly name: string;
  readonly json: string;
  /** How its operation says that it is shown. */
  readonly shows?: Shows | undefined;
}

/** Rows in a file: CSV without a header, in which every row has as many cells as there are columns. */
export interface FileSource extends TableColumns {
  readonly path: string;
}

export type Source = JsonSource | FileSource;

export interface Query {
  readonly sql: string;
  readonly sources: readonly Source[];
  readonly timeZone: string;
  readonly maxRows: number;
}

/** The rows that a query returned. */
export interface Answered {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  /** Whether there are more rows than were asked for or than a message holds. */
  readonly hasMore: boolean;
}

/** What is wrong with a query. The engine's own messages stay in its process, because they can hold paths of the machine. */
export interface Problem {
  readonly kind:
    | "rowless"
    | "statement"
    | "syntax"
    | "table"
    | "tableFunction"
    | "function"
    | "catalog"
    | "column"
    | "ambiguous"
    | "unknownFunction"
    | "arguments"
    | "grouping"
    | "conversion"
    | "range"
    | "memory"
    | "large"
    | "other";
  /** The word of the query that it is about, found in the query itself. */
  readonly word?: string;
}

/** What the process answers to a query; it is not available where the engine's package is missing. */
export type Reply =
  | { readonly kind: "answered"; readonly answered: Answered }
  | { readonly kind: "problem"; readonly problem: Problem; readonly tables: readonly TableColumns[] }
  | { readonly kind: "unavailable" };

/** The columns of the tables as a reader needs them to write a query. */
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

/** A column as a query has to write it; a long name, which comes from outside, is shortened and must not speak in sentences. */
function quoted(name: string): string {
  const short = name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…`.toWellFormed() : name;
  return /^[a-z_]\w*$/i.test(short) ? short : `"${short.replaceAll('"', '""')}"`;
}

const didYouMean = (word: string, names: readonly string[]): string => {
  const near = nearest(word, names);
  return near === undefined ? "" : ` Did you mean ${quoted(near)}?`;
};

/** What each problem is, and what to do next; `word` is the word of the query that it is about, where one is known. */
const words: Readonly<
  Record<Problem["kind"], (word: string, tables: readonly TableColumns[]) => readonly [what: string, next: string]>
> = {
  rowless: (word) => [
    `The result ${word} holds no list of rows.`,
    `Read it with ${resultTool}, or give the handle of a result that holds rows.`,
  ],
  statement: () => [
    "A query is one SELECT.",
    "Write one SELECT without a semicolon in it. PIVOT, SHOW, SET, COPY and the like do not run here; DESCRIBE and SUMMARIZE of a table do.",
  ],
  syntax: (word) => [
    `The query has a syntax error${word === "" ? "" : ` at or near ${word}`}.`,
    "Correct it there. The dialect is DuckDB's; a name that has a space or is a word of SQL stands in double quotes, a text in single ones.",
  ],
  table: (word, tables) => [
    `There is no table ${word}.${didYouMean(
      word,
      tables.map(({ name }) => name),
    )}`,
    `Name each result in results, and use that name in the query. These are given: ${columnsText(tables)}.`,
  ],
  tableFunction: (word) => [
    `The function ${word} cannot stand for a table here.`,
    "Use the given tables, range, generate_series or unnest: a query reaches no file, no network and no setting.",
  ],
  function: (word) => [
    `The function ${word} does not run here.`,
    "Leave it out: a query works on the given tables alone.",
  ],
  catalog: (word) => [
    `The name ${word} cannot be used here.`,
    "Use the given tables by their names alone, without a schema, and other names in WITH than those of the engine's views.",
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
  conversion: () => [
    "A value cannot be converted.",
    "Use try_cast, try_strptime and the like, which give NULL instead.",
  ],
  range: () => ["A number is out of the range of its type.", "Cast to hugeint or double before you calculate."],
  memory: () => [
    "The query needs more memory than a query may have.",
    "Filter or group before you join or sort, and make no large texts or lists.",
  ],
  large: () => ["One row of the answer is too large.", "Select fewer columns, or a part of a long text with substr."],
  other: (_, tables) => [
    "The query cannot be run.",
    `Write it in a simpler way. The tables have these columns: ${columnsText(tables)}.`,
  ],
};

/** The failure of a query that the engine did not answer. */
export function queryFailure({ kind, word = "" }: Problem, tables: readonly TableColumns[]): Failure {
  const [what, next] = words[kind](word === "" ? "" : shown(word).slice(1, -1), tables);
  return new Failure("invalid_input", what, { next, fields: [{ field: "sql", takes: "one SELECT over the results" }] });
}

export const tooLong = (timeMs: number): Failure =>
  new Failure("timeout", `The query was ended after ${timeMs / 1000} seconds.`, {
    next: "Filter or group earlier, and join on equal values.",
  });

export const tooBusy = (): Failure =>
  new Failure("rate_limited", "Too many queries run at this moment.", {
    next: "Repeat the call in a few seconds.",
    retryAfterSeconds: 5,
  });

export const cancelled = (): Failure =>
  new Failure("cancelled", "The query was cancelled.", { next: "Repeat the call if it is still needed." });

/** @param wasEnded Whether the process ended itself, which it does when its memory is used up. */
export const unexpectedEnd = (wasEnded: boolean): Failure =>
  wasEnded
    ? queryFailure({ kind: "memory" }, [])
    : new Failure("failed", "The engine ended while it ran the query.", {
        next: "Write the query in a simpler way, with smaller values.",
      });

export const unavailable = (): Failure =>
  new Failure("bad_configuration", "This server cannot run SQL.", {
    why: "That needs the package @duckdb/node-api, which is optional and is not installed here, or not for this platform.",
    next: `Read the result with ${resultTool}, or ask for the totals and groups in the call itself; whoever runs the server can install the package.`,
  });
