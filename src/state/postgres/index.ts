/** State in PostgreSQL, shared by all instances of a server. */
import { hash } from "node:crypto";
import type { Journal } from "../../audit/journal.js";
import type { ResultStore } from "../../results/store.js";
import type { RowFiles } from "../../rows/row-file.js";
import type { State } from "../index.js";
import type { Keys } from "../keys.js";
import { postgresCounters } from "./counters.js";
import { type Database, openDatabase } from "./database.js";
import { type Instance, removeEnded, startInstance } from "./instance.js";
import { chainsIn, openChain } from "./journal.js";
import { createLane } from "./lane.js";
import { migrate } from "./migrations.js";
import { postgresPlans } from "./plans.js";
import { postgresResults } from "./results.js";

export interface PostgresStateOptions {
  /** The URL of the database, which may contain a password. */
  readonly url: string;
  readonly keys: Keys;
  /** The store of results in this process's memory, and the limits of all results of an owner and of all owners. */
  readonly results: { readonly local: ResultStore; readonly maxBytesPerOwner: number; readonly maxBytes: number };
  readonly ttlMs: number;
  readonly rowFiles: Pick<RowFiles, "create">;
  readonly log: (line: string) => void;
}

/** Where the database is, without a password. */
export function nameOfDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}

type Stops = Pick<State, "writeStop" | "stopWrites" | "resumeWrites">;

function postgresStops(database: Database): Stops {
  return {
    async writeStop() {
      const { rows } = await database.run<{ readonly reason: string; readonly by: string; readonly ms: string }>(
        `select reason, stopped_by as by, floor(extract(epoch from stopped_at) * 1000) as ms
         from edgewise.write_stops where resumed_at is null`,
      );
      const [stop] = rows;
      return stop && { reason: stop.reason, by: stop.by, atMs: Number(stop.ms) };
    },
    async stopWrites({ reason, by }) {
      const { count } = await database.run(
        `insert into edgewise.write_stops (reason, stopped_by)
         select $1, $2 where not exists (select from edgewise.write_stops where resumed_at is null)`,
        [reason, by],
      );
      return count > 0;
    },
    async resumeWrites(by) {
      const { count } = await database.run(
        "update edgewise.write_stops set resumed_at = now(), resumed_by = $1 where resumed_at is null",
        [by],
      );
      return count > 0;
    },
  };
}

/** Deletes what has expired, at most once a minute. */
function housekeeping(database: Database, instance: Instance): () => Promise<void> {
  let dueMs = 0;
  return async () => {
    if (performance.now() < dueMs) return;
    dueMs = performance.now() + 60_000;
    const nowMs = instance.now();
    await removeEnded(database);
    await database.run("delete from edgewise.results where expires_ms <= $1", [nowMs]);
    await database.run("delete from edgewise.quota_counts where until_ms <= $1", [nowMs]);
    await database.run("delete from edgewise.used_tickets where forgotten_ms <= $1", [nowMs]);
  };
}

/**
 * Opens the state of one instance: brings the schema up to date, and takes a lease.
 * @throws Failure `failed` if the database cannot be used.
 */
export async function openPostgresState(options: PostgresStateOptions): Promise<State> {
  const { url, keys, log } = options;
  const database = openDatabase(url);
  await migrate(database);
  const instance = await startInstance(database, log);
  const lane = createLane();
  const [key, ...formerKeys] = keys.of("plans").map((one) => one.toString("base64url"));
  let chain: Promise<Journal> | undefined;
  const openJournal = (): Promise<Journal> => {
    chain ??= openChain(database, { chain: instance.id(), lane, instance }).catch((error: unknown) => {
      chain = undefined;
      throw error;
    });
    return chain;
  };
  instance.onBeat(housekeeping(database, instance));
  return {
    isShared: true,
    keys,
    plans: postgresPlans(database, instance, { keys: [key ?? "", ...formerKeys] }),
    results: postgresResults(database, instance, { ...options.results, ...options }),
    counters: (account) => postgresCounters(database, instance, account),
    openJournal,
    auditSource: chainsIn(database),
    auditPlace: {
      name: nameOfDatabase(url),
      next: "Call again in a few seconds; the operator can find the cause with edgewise doctor.",
    },
    async useTicket(ticket, forgottenAtMs) {
      const { count } = await database.run(
        "insert into edgewise.used_tickets (ticket, forgotten_ms) values ($1, $2) on conflict do nothing",
        [hash("sha256", ticket), forgottenAtMs],
      );
      return count === 1;
    },
    ...postgresStops(database),
    async together(work) {
      // It writes its first line in the lane itself.
      await openJournal();
      // One at a time, because the lines of the audit chain follow each other. It is held before a connection is taken:
      // otherwise all connections could wait for work that needs one.
      return lane.hold(() =>
        database.transaction(async (transaction) => {
          await instance.permitChange(transaction);
          return work(transaction);
        }),
      );
    },
    now: instance.now,
    instances: { own: instance.id, find: instance.peer, serveAt: instance.serveAt },
    async close() {
      await instance.close();
      await database.close();
    },
  };
}
