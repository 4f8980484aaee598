/**
 * This process among those that share the database: its lease on the database's time, its address, and the identity of
 * the database itself, which a restored backup changes.
 */
import { randomUUID } from "node:crypto";
import { Failure } from "../../language/failure.js";
import type { Log } from "../../telemetry/log.js";
import type { Peer } from "../index.js";
import { type Database, databaseMsSql, durableCommitSql, type SqlRunner } from "./database.js";

const leaseSeconds = 10;
const beatMs = 3_000;

/** What a beat reads of the database: its time in milliseconds, and its position in the log. */
interface Beat extends Readonly<Record<string, unknown>> {
  readonly ms: string;
  readonly lsn: string;
}

export interface Instance {
  /** Changes if a lease has ended before it was renewed, because others then took this process for dead. */
  readonly id: () => string;
  /** The time of the database, in milliseconds, as of the last beat. */
  readonly now: () => number;
  /** Whether the last beat was answered. */
  readonly isHealthy: () => boolean;
  /**
   * Begins the transaction of a change: on disk before its commit returns, and only with a lease and in the database in
   * which the plans were made.
   * @throws Failure `failed`: nothing may be sent.
   */
  permitChange(runner: SqlRunner): Promise<void>;
  /** The instance with an id, if its lease has not ended and it has an address. */
  peer(id: string): Promise<Peer | undefined>;
  /** Publishes the URL at which other instances reach this one. */
  serveAt(address: string): Promise<void>;
  /** Registers a function to call after each beat, for housekeeping. */
  onBeat(then: () => Promise<void>): void;
  close(): Promise<void>;
}

/** The instances whose leases have not ended, for a condition `holder in (…)`. */
export const livingInstancesSql = "select id from edgewise.instances where lease_until > now()";

/**
 * The identity of the database: its cluster, timeline and plans. A dump that was restored has other tables, another
 * cluster another identifier, and a backup that was recovered or a standby that was promoted another timeline.
 */
const identity = `
  select (select system_identifier from pg_control_system())::text as cluster,
         (select timeline_id from pg_control_checkpoint()) as timeline,
         'edgewise.plans'::regclass::oid as plans`;

/**
 * Whether the database is the one in which the plans were made, as an expression. A snapshot of its disk has the same
 * identity and only betrays itself by a position in the log before one that this process has seen.
 * @param seen The parameter with that position.
 */
const isSame = (seen: string): string => `(exists (
  select from edgewise.incarnation known, (${identity}) here
  where (known.cluster, known.timeline, known.plans) = (here.cluster, here.timeline, here.plans)
) and pg_current_wal_lsn() >= ${seen}::pg_lsn)`;

/** Voids all plans that wait, because they may have been used since the backup was made, and takes the new identity. */
const voidWaiting = (database: Database, nowMs: number): Promise<void> =>
  database.transaction(async ({ run }) => {
    await run(
      `update edgewise.plans
       set taken = json_build_object('id', id, 'as', 'void', 'atMs', $1::bigint, 'because', 'restored')
       where taken is null`,
      [nowMs],
    );
    await run(
      `insert into edgewise.incarnation (cluster, timeline, plans) ${identity}
       on conflict (single) do update set (cluster, timeline, plans) =
         (excluded.cluster, excluded.timeline, excluded.plans)`,
    );
  });

const changesUnavailable = (why: string): Failure =>
  new Failure("failed", "This instance cannot make changes at the moment.", {
    why: `${why} Nothing was sent.`,
    next: "Call again in a few seconds; a change that was previewed before may have to be previewed again.",
    retryAfterSeconds: 3,
  });

/** The refusal of an instance that others took for dead in the meantime. */
export const leaseLost = (): Failure =>
  changesUnavailable("This instance was out of touch with its database for too long.");

/**
 * Voids what waits if the database is another one than at the last beat.
 * @param seen The last position in its log.
 */
async function checkDatabase(
  database: Database,
  { seen, nowMs, log }: { readonly seen: string; readonly nowMs: number; readonly log: Log },
): Promise<void> {
  const { rows } = await database.run<{ readonly same: boolean; readonly known: boolean }>(
    `select ${isSame("$1")} as same, exists (select from edgewise.incarnation) as known`,
    [seen],
  );
  if (rows[0]?.same === true) return;
  await voidWaiting(database, nowMs);
  if (rows[0]?.known === true)
    log("edgewise: the database was restored or changed its timeline: all plans that waited are void", "warn");
}

/** Takes a lease and renews it until it is closed. */
export async function startInstance(database: Database, log: Log): Promise<Instance> {
  let id = "";
  let address: string | undefined;
  let offsetMs = 0;
  let seen = "0/0";
  let healthy = true;
  const listeners: (() => Promise<void>)[] = [];

  const note = ({ ms, lsn }: Beat): void => {
    offsetMs = Number(ms) - Date.now();
    seen = lsn;
  };
  const moment = `${databaseMsSql} as ms, pg_current_wal_lsn() as lsn`;

  const begin = async (): Promise<void> => {
    const next = randomUUID().slice(-12);
    const { rows } = await database.transaction(async ({ run }) => {
      // What this process still holds moves to its new id.
      for (const table of ["secret_files", "quota_shares"])
        await run(`update edgewise.${table} set holder = $1 where holder = $2`, [next, id]);
      return run<Beat>(
        `insert into edgewise.instances (id, address, lease_until)
         values ($1, $2, now() + make_interval(secs => $3)) returning ${moment}`,
        [next, address ?? null, leaseSeconds],
      );
    });
    id = next;
    if (rows[0]) note(rows[0]);
  };

  const check = () => checkDatabase(database, { seen, nowMs: Date.now() + offsetMs, log });

  const renew = async (): Promise<void> => {
    await check();
    const { rows } = await database.run<Beat>(
      `update edgewise.instances set lease_until = now() + make_interval(secs => $2)
       where id = $1 and lease_until > now() returning ${moment}`,
      [id, leaseSeconds],
    );
    if (rows[0]) note(rows[0]);
    else await begin();
    for (const then of listeners) await then();
  };

  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const beat = async (): Promise<void> => {
    const was = healthy;
    healthy = await renew().then(
      () => true,
      () => false,
    );
    if (was && !healthy) log("edgewise: PostgreSQL does not answer; guarded calls are refused until it does", "warn");
    if (!was && healthy) log("edgewise: PostgreSQL answers again");
    if (!isClosed) timer = setTimeout(() => void beat(), beatMs).unref();
  };
  await check();
  await begin();
  timer = setTimeout(() => void beat(), beatMs).unref();

  return {
    id: () => id,
    now: () => Date.now() + offsetMs,
    isHealthy: () => healthy,
    async permitChange({ run }) {
      const { rows } = await run<{ readonly leased: boolean; readonly same: boolean }>(
        `select exists (select from edgewise.instances where id = $1 and lease_until > now()) as leased,
                ${isSame("$2")} as same, (${durableCommitSql}), set_config('statement_timeout', '1500', true), set_config('lock_timeout', '1500', true)`,
        [id, seen],
      );
      if (rows[0]?.same !== true)
        throw changesUnavailable("The database was restored from a backup or changed its timeline.");
      if (rows[0].leased !== true) throw leaseLost();
    },
    async peer(of) {
      const { rows } = await database.run<{ readonly id: string; readonly address: string }>(
        "select id, address from edgewise.instances where id = $1 and lease_until > now() and address is not null",
        [of],
      );
      return rows[0];
    },
    async serveAt(url) {
      address = url;
      await database.run("update edgewise.instances set address = $2 where id = $1", [id, url]);
    },
    onBeat: (then) => void listeners.push(then),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await database
        .run("update edgewise.instances set lease_until = now() where id = $1", [id])
        .catch(() => undefined);
    },
  };
}

/**
 * Deletes what is no longer needed: instances whose leases ended long ago, and what they held. One whose lease ended a
 * moment ago may still continue under a new id and keep what it holds.
 */
export async function removeEndedInstances({ run }: SqlRunner): Promise<void> {
  await run("delete from edgewise.instances where lease_until < now() - interval '7 days'");
  await run(
    `delete from edgewise.quota_shares
     where holder not in (select id from edgewise.instances where lease_until > now() - interval '1 hour')`,
  );
  await run("delete from edgewise.secret_files where holder not in (select id from edgewise.instances)");
}
