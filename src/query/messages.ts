/** What the server and the process of the engine say to each other. */
import type { Shows } from "../language/conduct.js";
import type { ColumnType } from "../rows/column-type.js";

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
interface FileSource {
  readonly name: string;
  readonly path: string;
  readonly columns: readonly Column[];
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
