/** A caller's kept results: read as every answer is, and queried. */
import type { Answered, Queries } from "../query/index.js";
import { type Kept, TextDocument, type Told } from "../results/store.js";
import { RowFile } from "../rows/row-file.js";
import { cleanJson } from "../secrets/held-secrets.js";

export type { Answered } from "../query/index.js";

/** What a workflow can do with the kept results of whoever called it. */
export interface Results {
  /** What is kept under a handle; undefined for another owner's, or when it has expired or was evicted. */
  get(handle: string): Kept | undefined;
  /** Keeps a value, with how its rows are told; undefined when it has no room. */
  keep(whole: unknown, told?: Told): string | undefined;
  /**
   * An answer with all its rows, also where they are in a file.
   * @throws Failure `too_large` where memory has no room for them.
   */
  whole(content: unknown): Promise<unknown>;
  /** A value as JSON without the process's secrets and with its invisible characters shown. */
  json(value: unknown): string;
  /**
   * Runs a query.
   * @throws Failure
   */
  query(query: Parameters<Queries["run"]>[1]): Promise<Answered>;
  /** How much of rows can be shown at once, in tokens. */
  readonly maxTokens: number;
}

/** Whose results they are, and within what they are read. */
interface Reader {
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
  readonly maxTokens?: number | undefined;
}

export type ResultsOf = (reader: Reader) => Results;

interface ResultsOptions {
  /** Where results are kept, for the account that calls act on. */
  readonly store: {
    get(owner: string, handle: string): Kept | undefined;
    keep(owner: string, whole: unknown, told?: Told): string | undefined;
  };
  readonly queries: () => Promise<Queries>;
  /** The forms of the process's own secrets. */
  readonly secrets: readonly string[];
  /** The budget of a result. */
  readonly maxTokens: number;
}

// What stands beside the rows takes the rest of a result's budget: columns, notes, and how to go on.
const shareOfRows = 0.7;
const besideRows = 60;

/** Binds the kept results of a process to their callers. */
export const createResults =
  ({ store, queries, secrets, maxTokens }: ResultsOptions): ResultsOf =>
  ({ owner, signal, maxTokens: ownMaxTokens = maxTokens }) => ({
    get: (handle) => {
      const kept = store.get(owner, handle);
      // A drawing has no rows; it is read as the document that it is.
      return kept?.content instanceof TextDocument ? undefined : kept;
    },
    keep: (whole, told) => store.keep(owner, whole, told),
    whole: async (content) =>
      content instanceof RowFile ? (await import("./row-file.js")).allRowsOf(content) : content,
    json: (value) => cleanJson(value, secrets),
    query: async (query) => (await queries()).run(owner, query, signal),
    maxTokens: Math.floor(shareOfRows * ownMaxTokens) - besideRows,
  });
