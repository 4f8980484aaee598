/**
 * The schema of the database, as migrations that only add: the program before a migration works with the schema after
 * it. The table `subscriptions` is still there for such a program.
 */
import { minuteMs } from "../../time/durations.js";
import type { Database } from "./database.js";

/** In order; a migration that was released is never changed. */
export const migrations: readonly string[] = [
  `
create table edgewise.incarnation (
  single boolean primary key default true check (single),
  cluster text not null, timeline integer not null, plans oid not null
);
create table edgewise.instances (
  id text primary key,
  address text,
  started_at timestamptz not null default now(),
  lease_until timestamptz not null
);
create table edgewise.plans (
  id text primary key,
  owner text not null, account text not null, awaits text not null, changes text[] not null,
  created_ms bigint not null, expires_ms bigint not null,
  content json not null,
  approved json, taken json, sending json, settled json,
  holder text
);
create index plans_by_owner on edgewise.plans (owner);
create table edgewise.quota_counts (
  scope text, quota text, until_ms bigint, amount bigint not null,
  primary key (scope, quota, until_ms)
);
create table edgewise.quota_shares (
  id text primary key, scope text not null, quota text not null, amount bigint not null, holder text not null
);
create index quota_shares_by_quota on edgewise.quota_shares (scope, quota);
create table edgewise.results (
  handle text primary key,
  owner text not null, account text not null, name text,
  kind text not null, context json not null, bytes bigint not null, holder text not null,
  kept_ms bigint not null, expires_ms bigint not null,
  content bytea
);
create unique index results_by_name on edgewise.results (owner, account, name) where name is not null;
create index results_by_owner on edgewise.results (owner, kept_ms);
create index results_by_expiry on edgewise.results (expires_ms);
create table edgewise.result_chunks (
  handle text references edgewise.results on delete cascade, at integer, content bytea not null,
  primary key (handle, at)
);
create table edgewise.used_tickets (ticket text primary key, forgotten_ms bigint not null);
create table edgewise.audit_lines (
  chain text, seq bigint, written_ms bigint not null, line text not null,
  primary key (chain, seq)
);
create table edgewise.audit_heads (chain text primary key, seq bigint not null, hash text not null);
create index audit_lines_by_time on edgewise.audit_lines (written_ms);
create table edgewise.write_stops (
  id bigint generated always as identity primary key,
  reason text not null, stopped_by text not null, stopped_at timestamptz not null default now(),
  resumed_by text, resumed_at timestamptz
);
create table edgewise.subscriptions (id text primary key, owner text not null, holder text not null);
create index subscriptions_by_owner on edgewise.subscriptions (owner);
create table edgewise.secret_files (
  directory text, name text, holder text not null, created_ms bigint not null,
  primary key (directory, name)
);
`,
  `
alter table edgewise.plans add column first json;
`,
  `
create table edgewise.closed_apis (api text primary key, until_ms bigint not null);
`,
  `
create table edgewise.denied_tokens (
  kind text, value text, denied_by text not null, denied_ms bigint not null, until_ms bigint,
  primary key (kind, value)
);
`,
];

/** The time limit for the migrations of one start, which includes waiting for another instance that makes them. */
const migrationMs = 10 * minuteMs;

/** The key of the lock under which migrations run; any number that no other program uses. */
const lockKey = 7_301_943_002;

/**
 * Brings the schema to this program's version; a newer one is left as it is.
 * @returns its version.
 */
export async function migrate(database: Database): Promise<number> {
  return database.transaction(async ({ run }) => {
    // Held until the end of the transaction, so that it also works behind PgBouncer.
    await run("select pg_advisory_xact_lock($1)", [lockKey]);
    const known = await run("select to_regclass('edgewise.migrations') is not null as is_known");
    if (known.rows[0]?.["is_known"] !== true) {
      await run("create schema if not exists edgewise");
      await run(
        "create table edgewise.migrations (version integer primary key, made_at timestamptz not null default now())",
      );
    }
    const { rows } = await run<{ readonly version: number }>(
      "select coalesce(max(version), 0) as version from edgewise.migrations",
    );
    const found = rows[0]?.version ?? 0;
    for (const [at, statements] of migrations.entries()) {
      if (at < found) continue;
      await run(statements);
      await run("insert into edgewise.migrations (version) values ($1)", [at + 1]);
    }
    return Math.max(found, migrations.length);
  }, migrationMs);
}
