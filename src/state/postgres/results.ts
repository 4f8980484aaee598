/**
 * Stored results in PostgreSQL, read by any instance: each is also in the memory of the instance that stored it, and
 * rows beyond a limit are only there.
 */
import { newHandle, type ResultStore } from "../../rows/result-store.js";
import { RowFile, type RowFiles } from "../../rows/row-file.js";
import { waitFor } from "../../time/durations.js";
import type { Database, SqlRunner } from "./database.js";
import type { Instance } from "./instance.js";
import {
  contentOf,
  insertResults,
  insertRows,
  type ResultRow,
  type StoredRowData,
  storedResultOf,
} from "./stored-results.js";

/** Smaller results are written behind the answer, in batches, so that a read does not wait for them. */
const maxBehindBytes = 64 * 1024;
const maxBehind = 512;
/** How long another instance waits before it looks again for a result that may still be on its way. */
const looksMs = [0, 50, 100, 200];

export interface PostgresResultsOptions {
  /** The store of this instance's memory. */
  readonly local: ResultStore;
  readonly rowFiles: Pick<RowFiles, "create">;
  readonly maxBytesPerOwner: number;
  readonly maxBytes: number;
  readonly ttlMs: number;
}

/** Removes the oldest results of an owner beyond its share; other owners' results stay. */
const removeBeyond = ({ run }: SqlRunner, owner: string, maxBytes: number): Promise<unknown> =>
  run(
    `delete from edgewise.results where handle in (
       select handle from (
         select handle, sum(bytes) over (order by kept_ms desc, handle) as total
         from edgewise.results where owner = $1
       ) own where total > $2
     )`,
    [owner, maxBytes],
  );

/** Writes small results soon after they were stored; one that cannot be written is still read from this instance. */
function createWriteBehind(write: (all: readonly StoredRowData[]) => Promise<void>) {
  let waiting: StoredRowData[] = [];
  let isWriting = false;
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const all = waiting;
      waiting = [];
      await write(all).catch(() => undefined);
    }
    isWriting = false;
  };
  return {
    /** @returns false if too many wait. */
    add(stored: StoredRowData): boolean {
      if (waiting.length >= maxBehind) return false;
      waiting.push(stored);
      if (!isWriting) {
        isWriting = true;
        void writeAll();
      }
      return true;
    },
  };
}

export function postgresResults(
  database: Database,
  instance: Instance,
  { local, rowFiles, maxBytesPerOwner, maxBytes, ttlMs }: PostgresResultsOptions,
): ResultStore {
  const insert = async (runner: SqlRunner, all: readonly StoredRowData[]): Promise<void> => {
    const nowMs = instance.now();
    await insertResults(runner, all, { holder: instance.id(), nowMs, expiresAtMs: nowMs + ttlMs });
    for (const owner of new Set(all.map((one) => one.owner))) await removeBeyond(runner, owner, maxBytesPerOwner);
  };
  const writeBehind = createWriteBehind((all) => insert(database, all));

  /** Whether all results together leave room for more. */
  const hasRoom = async (bytes: number): Promise<boolean> => {
    const { rows } = await database.run<{ readonly total: string }>(
      "select coalesce(sum(bytes), 0) as total from edgewise.results where expires_ms > $1",
      [instance.now()],
    );
    return Number(rows[0]?.total ?? 0) + bytes <= maxBytes;
  };

  const find = async (owner: string, account: string, by: "handle" | "name", value: string) => {
    const { rows } = await database.run<ResultRow>(
      `select handle, kind, context, content from edgewise.results
       where owner = $1 and account = $2 and expires_ms > $3 and ${by} = $4`,
      [owner, account, instance.now(), value],
    );
    return rows[0];
  };

  return {
    async keep(owner, account, handle, content, context = {}) {
      if (!(await local.keep(owner, account, handle, content, context))) return false;
      const stored: StoredRowData = { handle, owner, account, context, ...storedResultOf(content) };
      if (stored.bytes <= maxBehindBytes && instance.isHealthy() && writeBehind.add(stored)) return true;
      if (!(await hasRoom(stored.bytes))) return false;
      await database.transaction(async (transaction) => {
        await insert(transaction, [stored]);
        if (content instanceof RowFile && stored.kind === "rows") await insertRows(transaction, handle, content.path);
      });
      return true;
    },

    async get(owner, account, handle) {
      const localResult = await local.get(owner, account, handle);
      if (localResult) return localResult;
      for (const ms of looksMs) {
        await waitFor(ms, undefined, true);
        const found = await find(owner, account, "handle", handle);
        if (!found) continue;
        const { beside: _, ...context } = found.context;
        const content = await contentOf(database, rowFiles, found);
        await local.keep(owner, account, handle, content, context);
        return { ...context, content };
      }
      return undefined;
    },

    async remember(owner, account, name, value) {
      const stored = { handle: newHandle(), owner, account, name, context: {}, ...storedResultOf(value) };
      await database.transaction(async (transaction) => {
        const values = [owner, account, name];
        await transaction.run("delete from edgewise.results where owner = $1 and account = $2 and name = $3", values);
        await insert(transaction, [stored]);
      });
    },

    async recall(owner, account, name) {
      const found = await find(owner, account, "name", name);
      return found && contentOf(database, rowFiles, found);
    },
  };
}
