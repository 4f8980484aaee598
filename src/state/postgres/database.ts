/** The connections to PostgreSQL: transactions, a deadline for each use, and its errors in our own words. */
import pg from "pg";
import { Failure } from "../../language/failure.js";
import { Transaction } from "../../language/transaction.js";

type Row = Readonly<Record<string, unknown>>;

/** The answer to a statement. */
interface Answer<R> {
  readonly rows: readonly R[];
  /** How many rows it has written or returned. */
  readonly count: number;
}

/** Runs statements, on one connection inside a transaction. */
export interface SqlRunner {
  /** @throws Failure `failed` if the database does not answer in time, or refuses. */
  run<R extends Row = Row>(statement: string, values?: readonly unknown[]): Promise<Answer<R>>;
}

/** A transaction of PostgreSQL, which the interfaces of state pass on without knowing it. */
export class PostgresTransaction extends Transaction implements SqlRunner {
  readonly #after: ((isCommitted: boolean) => void)[] = [];

  constructor(readonly run: SqlRunner["run"]) {
    super();
  }

  /** Registers a function to call when the transaction has ended; the last one is called first. */
  afterwards(then: (isCommitted: boolean) => void): void {
    this.#after.push(then);
  }

  ended(isCommitted: boolean): void {
    for (const then of this.#after.reverse()) then(isCommitted);
  }
}

/** The time limit for one use of the database, connecting included: a caller learns within two seconds that it is gone. */
const useMs = 1_400;
const connectMs = 1_000;
const maxConnections = 10;

const inWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: "It does not accept connections.",
  ECONNRESET: "It closed the connection.",
  ENOTFOUND: "Its host name is unknown.",
  EAI_AGAIN: "Its host name could not be looked up.",
  ETIMEDOUT: "It cannot be reached.",
  "25006": "It is read-only, like a standby.",
  "28000": "It refuses this role.",
  "28P01": "It does not accept the password.",
  "3D000": "It has no such database.",
  "42501": "The role lacks a right there.",
  "53100": "Its disk is full.",
  "53200": "It is out of memory.",
  "53300": "It has no connection left.",
  "55P03": "Another transaction holds a lock for too long.",
  "57P01": "It is shutting down.",
  "57P02": "It crashed and is recovering.",
  "57P03": "It is starting up or shutting down.",
};

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown } | null)?.code ?? "");

/** Whether an error is a failed statement, after which the connection can be used again. */
const isOfStatement = (error: unknown): boolean => /^(?!08|57P|58)[0-9A-Z]{5}$/.test(codeOf(error));

/** The failure of a use of the database. Its errors can contain values, so none of their text is passed on. */
export function storeUnavailable(error?: unknown): Failure {
  const code = codeOf(error);
  const why =
    inWords[code] ?? (isOfStatement(error) ? `It refused a statement (SQLSTATE ${code}).` : "It does not answer.");
  return new Failure("failed", "The store in PostgreSQL cannot be used.", {
    why,
    next: "Call again in a few seconds: the server recovers by itself once its database does. The operator can find the cause with edgewise doctor.",
    retryAfterSeconds: 2,
  });
}

/** Where the database is, without a password. */
export function nameOfDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}

/** A database that several instances share. */
export interface Database extends SqlRunner {
  /**
   * Runs work in one transaction, which is committed before it returns and undone if the work throws.
   * @param mostMs The time limit for it, connecting included; by default that of any use of the database.
   * @throws Failure `failed` like `run`; if the commit itself got no answer, whether it was made is unknown.
   */
  transaction<T>(work: (transaction: PostgresTransaction) => Promise<T>, mostMs?: number): Promise<T>;
  close(): Promise<void>;
}

/** The time of the database in milliseconds, as an expression of SQL. */
export const databaseMsSql = "floor(extract(epoch from clock_timestamp()) * 1000)";

/**
 * Opens a database; the first statement connects.
 * @param url Its URL, which may contain a password.
 */
export function openDatabase(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    application_name: "edgewise",
    allowExitOnIdle: true,
    keepAlive: true,
  });
  // A connection that breaks while it is idle is replaced by the next use; one in use fails its statement.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));

  /** Uses a connection, which is destroyed if it breaks or takes too long. */
  const using = async <T>(work: (run: SqlRunner["run"]) => Promise<T>, mostMs = useMs): Promise<T> => {
    const startedMs = performance.now();
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw storeUnavailable(error);
    }
    let isReleased = false;
    const release = (isBroken: boolean): void => {
      if (!isReleased) client.release(isBroken);
      isReleased = true;
    };
    const timer = setTimeout(() => release(true), Math.max(1, mostMs - (performance.now() - startedMs)));
    let last: Promise<unknown> = Promise.resolve();
    // One after the other: pg warns about a statement for a connection that is still busy.
    const run: SqlRunner["run"] = (statement, values = []) => {
      const answer = last.then(() => runStatement(statement, values));
      last = answer.catch(() => undefined);
      return answer as never;
    };
    const runStatement = async (statement: string, values: readonly unknown[]) => {
      // A transaction may have ended, and another use may have its connection by now.
      if (isReleased) throw storeUnavailable();
      try {
        const { rows, rowCount } = await client.query(statement, [...values]);
        return { rows, count: rowCount ?? 0 };
      } catch (error) {
        if (!isOfStatement(error)) release(true);
        throw storeUnavailable(error);
      }
    };
    try {
      return await work(run);
    } finally {
      clearTimeout(timer);
      release(false);
    }
  };

  return {
    run: (statement, values) => using((run) => run(statement, values)) as never,
    transaction: (work, mostMs) =>
      using(async (run) => {
        await run("begin");
        let failure: unknown;
        const transaction = new PostgresTransaction(async (statement, values) => {
          try {
            return await run(statement, values);
          } catch (error) {
            failure = error;
            throw error;
          }
        });
        try {
          const value = await work(transaction);
          // PostgreSQL answers the commit of a failed transaction with success, and undoes it.
          if (failure !== undefined) throw failure;
          await run("commit");
          transaction.ended(true);
          return value;
        } catch (error) {
          await run("rollback").catch(() => undefined);
          transaction.ended(false);
          throw error;
        }
      }, mostMs),
    close: () => pool.end(),
  };
}

/** Makes the commit of a transaction wait until it is on disk, whatever the database's default is. */
export const durableCommitSql = `
  select set_config('synchronous_commit', case when current_setting('synchronous_commit') in ('off', 'local')
    then 'on' else current_setting('synchronous_commit') end, true)`;

/** Where statements run: in the transaction, or each by itself. */
export const runnerIn = (database: Database, transaction: Transaction | undefined): SqlRunner =>
  transaction instanceof PostgresTransaction ? transaction : database;
