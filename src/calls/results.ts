/** The stored results of a caller, for reading and queries. */
import { Failure } from "../language/failure.js";
import {
  type AccountResults,
  newHandle,
  noResultStore,
  type RowContext,
  type StoredResult,
  TextDocument,
} from "../rows/result-store.js";
import { RowFile } from "../rows/row-file.js";
import type { Queries, QueryRows } from "../rows/sql/index.js";
import { cleanJson } from "../secrets/held-secrets.js";

export type { QueryRows } from "../rows/sql/index.js";

/** Access of workflows to the stored results of their caller. */
export interface CallerResults {
  /** The result with a handle; undefined if it belongs to another owner, has expired or was evicted. */
  get(handle: string): Promise<StoredResult | undefined>;
  /** Stores a value, with how its rows were found, and returns its handle; undefined if it is too large. */
  keep(whole: unknown, rowContext?: RowContext): Promise<string | undefined>;
  /** Stores a value under a name for later calls of the same owner on the same account, in place of the former one. */
  remember(name: string, value: unknown): Promise<void>;
  /** The value with a name; undefined if it has expired or was evicted. */
  recall(name: string): Promise<unknown>;
  /**
   * A result with all its rows, even if they are in a file.
   * @throws Failure `too_large` if they do not fit in memory.
   */
  whole(content: unknown): Promise<unknown>;
  /** A value as JSON without the process's secrets, and with invisible characters shown. */
  json(value: unknown): string;
  /**
   * Runs a query.
   * @throws Failure
   */
  query(query: Parameters<Queries["run"]>[1]): Promise<QueryRows>;
  /** How many tokens rows can take. */
  readonly maxTokens: number;
}

/** The owner of the results, and the limits for reading them. */
interface ResultsReader {
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
  readonly maxTokens?: number | undefined;
  readonly endsWithCall?: boolean;
}

export type ResultsLookup = (reader: ResultsReader) => CallerResults;

interface ResultsOptions {
  /** The store of results, for the account that calls act on. */
  readonly store: AccountResults;
  readonly queries: () => Promise<Queries>;
  /** The encoded forms of the process's own secrets. */
  readonly secrets: readonly string[];
  /** The token budget of a result. */
  readonly maxTokens: number;
}

// The rest of a result's budget is for columns, notes, and next calls.
const shareOfRows = 0.7;
const tokensBesideRows = 60;

/** What a store returns; undefined if it cannot be used, because a read does not need it. */
const unlessUnusable = <T>(use: Promise<T>): Promise<T | undefined> =>
  use.catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  });

/** Binds the stored results of a process to their callers. */
export const createResults =
  ({ store, queries, secrets, maxTokens }: ResultsOptions): ResultsLookup =>
  ({ owner, signal, maxTokens: ownMaxTokens = maxTokens, endsWithCall }) => {
    const resultStore = endsWithCall === true ? noResultStore : store;
    return {
      get: async (handle) => {
        const found = await resultStore.get(owner, handle);
        // A picture has no rows; it is read as a document.
        return found?.content instanceof TextDocument ? undefined : found;
      },
      keep: async (whole, rowContext) => {
        const handle = newHandle();
        return (await unlessUnusable(resultStore.keep(owner, handle, whole, rowContext))) ? handle : undefined;
      },
      remember: (name, value) => unlessUnusable(resultStore.remember(owner, name, value)),
      recall: (name) => unlessUnusable(resultStore.recall(owner, name)),
      whole: async (content) =>
        content instanceof RowFile ? (await import("./row-file.js")).allRowsOf(content) : content,
      json: (value) => cleanJson(value, secrets),
      query: async (query) => (await queries()).run(owner, query, signal),
      maxTokens: Math.floor(shareOfRows * ownMaxTokens) - tokensBesideRows,
    };
  };
