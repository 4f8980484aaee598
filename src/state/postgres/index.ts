/** State in PostgreSQL, shared by all instances of a server. */
import { hash } from "node:crypto";
import type { Journal } from "../../audit/journal.js";
import { lazily } from "../../language/once-for.js";
import type { ResultStore } from "../../rows/result-store.js";
import type { RowFiles } from "../../rows/row-file.js";
import type { Log } from "../../telemetry/log.js";
import { hourMs, minuteMs } from "../../time/durations.js";
import type { State } from "../index.js";
import type { StateKeys } from "../keys.js";
import { postgresCounters } from "./counters.js";
import { type Database, databaseMsSql, nameOfDatabase, openDatabase, PostgresTransaction } from "./database.js";
import { postgresDeniedTokens } from "./denied-tokens.js";
import { type Instance, removeEndedInstances, startInstance } from "./instance.js";
import { chainsIn, openPostgresChain, retireLines } from "./journal.js";
import { createLane } from "./lane.js";
import { migrate } from "./migrations.js";
import { postgresPlans } from "./plans.js";
import { postgresResults } from "./results.js";
import { postgresSecretHolders } from "./secret-holders.js";
import { postgresStops } from "./stops.js";
import { postgresUpstreamLimits } from "./upstream-limits.js";

export interface PostgresStateOptions {
  /** The URL of the database, which may contain a password. */
  readonly url: string;
  readonly keys: StateKeys;
  /** The store of results in this process's memory, and the limits of all results of an owner and of all owners. */
  readonly results: { readonly local: ResultStore; readonly maxBytesPerOwner: number; readonly maxBytes: number };
  readonly ttlMs: number;
  /** How long ended plans and audit lines are kept, in milliseconds; lines are kept permanently by default. */
  readonly keptMs?: { readonly plans?: number; readonly audit?: number | undefined };
  readonly rowFiles: Pick<RowFiles, "create">;
  readonly log: Log;
}

/** A function that does this work at most once in this many milliseconds; calls in between do nothing. */
function atMostEvery(ms: number, work: () => Promise<void>): () => Promise<void> {
  let dueMs = 0;
  return async () => {
    if (performance.now() < dueMs) return;
    dueMs = performance.now() + ms;
    await work();
  };
}

/** Deletes what has expired, at most once a minute. */
const housekeeping = (database: Database, instance: Instance): (() => Promise<void>) =>
  atMostEvery(minuteMs, async () => {
    const nowMs = instance.now();
    await removeEndedInstances(database);
    await database.run("delete from edgewise.results where expires_ms <= $1", [nowMs]);
    await database.run("delete from edgewise.quota_counts where until_ms <= $1", [nowMs]);
    await database.run("delete from edgewise.used_tickets where forgotten_ms <= $1", [nowMs]);
    await database.run("delete from edgewise.closed_apis where until_ms <= $1", [nowMs]);
    await database.run(`delete from edgewise.denied_tokens where until_ms <= ${databaseMsSql}`);
  });

/**
 * Opens the state of one instance: brings the schema up to date, and takes a lease.
 * @throws Failure `failed` if the database cannot be used.
 */
export async function openPostgresState(options: PostgresStateOptions): Promise<State> {
  const { url, keys, log, keptMs = {} } = options;
  const database = openDatabase(url);
  await migrate(database);
  const instance = await startInstance(database, log);
  const lane = createLane();
  const [key, ...formerKeys] = keys.of("plans").map((one) => one.toString("base64url"));
  const openJournal = lazily(
    (): Promise<Journal> => openPostgresChain(database, { chain: instance.id(), lane, instance }),
  );
  instance.onBeat(housekeeping(database, instance));
  const inTransaction: State["inTransaction"] = async (work) => {
    // It writes its first line in the lane itself.
    await openJournal();
    // One at a time, because the lines of the audit chain follow each other. The lane is held before a connection is taken:
    // otherwise all connections could wait for work that needs one.
    return lane.hold(() =>
      database.transaction(async (transaction) => {
        await instance.permitChange(transaction);
        return work(transaction);
      }),
    );
  };
  const retire = async (): Promise<void> => {
    if (keptMs.audit === undefined) return;
    const beforeMs = instance.now() - keptMs.audit;
    const journal = await openJournal();
    await inTransaction(async (transaction) => {
      const isOwn = transaction instanceof PostgresTransaction;
      if (isOwn) await retireLines(transaction, journal, { beforeMs, key: keys.of("audit")[0] });
    });
  };
  instance.onBeat(atMostEvery(hourMs, retire));
  const { processes, upstreamLimits } = await postgresUpstreamLimits(database, instance);
  return {
    isShared: true,
    keys,
    plans: postgresPlans(database, instance, { keys: [key ?? "", ...formerKeys], keptMs: keptMs.plans }),
    results: postgresResults(database, instance, { ...options.results, ...options }),
    counters: (account) => postgresCounters(database, instance, account),
    openJournal,
    auditSource: chainsIn(database, keys.of("audit")),
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
    async usedTickets(tickets) {
      const { rows } = await database.run<{ readonly ticket: string }>(
        "select ticket from edgewise.used_tickets where ticket = any($1)",
        [tickets.map((one) => hash("sha256", one))],
      );
      const used = new Set(rows.map(({ ticket }) => ticket));
      return new Set(tickets.filter((one) => used.has(hash("sha256", one))));
    },
    upstreamLimits,
    ...postgresStops(database),
    ...postgresDeniedTokens(database),
    inTransaction,
    check: async () => void (await database.run("select from edgewise.instances where id = $1", [instance.id()])),
    now: instance.now,
    instances: {
      ownId: instance.id,
      count: processes,
      find: instance.peer,
      serveAt: instance.serveAt,
      secretHolders: postgresSecretHolders(database, instance),
    },
    async close() {
      await instance.close();
      await database.close();
    },
  };
}
