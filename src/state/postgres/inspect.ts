/** What an operator should know of a database, read without taking part: no lease, no migration. */
import type { WriteStop } from "../index.js";
import { databaseMsSql, openDatabase } from "./database.js";
import { migrations } from "./migrations.js";
import { postgresStops } from "./stops.js";

export interface DatabaseInspection {
  readonly version: string;
  /** The version of the schema, and that of this program; undefined if no instance has used the database yet. */
  readonly schema: number | undefined;
  readonly expectedSchema: number;
  readonly isReadOnly: boolean;
  /** Standbys that may lack the last acknowledged commits; undefined if the role may not see them. */
  readonly asynchronousStandbys: number | undefined;
  readonly clockDifferenceMs: number;
  /** Instances that serve clients. */
  readonly instances: number;
  readonly waitingPlans: number;
  readonly writeStop: WriteStop | undefined;
}

/**
 * Reads the facts of a database.
 * @throws Failure `failed` if it cannot be used.
 */
export async function inspectDatabase(url: string): Promise<DatabaseInspection> {
  const database = openDatabase(url);
  try {
    const about = await database.run<{
      readonly version: string;
      readonly read_only: boolean;
      readonly ms: string;
      readonly migrated: boolean;
      readonly standbys: string;
      readonly hidden: string;
    }>(
      `select current_setting('server_version') as version, pg_is_in_recovery() as read_only,
              ${databaseMsSql} as ms,
              to_regclass('edgewise.migrations') is not null as migrated,
              (select count(*) from pg_stat_replication where sync_state in ('async', 'potential')) as standbys,
              (select count(*) from pg_stat_replication where sync_state is null) as hidden`,
    );
    const [{ version = "", read_only = false, ms = "0", migrated = false, standbys = "0", hidden = "0" } = {}] =
      about.rows;
    const facts = {
      version: version.split(" ")[0] ?? "",
      expectedSchema: migrations.length,
      isReadOnly: read_only,
      asynchronousStandbys: Number(hidden) > 0 ? undefined : Number(standbys),
      clockDifferenceMs: Number(ms) - Date.now(),
    };
    if (!migrated) return { ...facts, schema: undefined, instances: 0, waitingPlans: 0, writeStop: undefined };
    const counts = await database.run<{
      readonly schema: number;
      readonly instances: string;
      readonly waiting: string;
    }>(
      `select (select max(version) from edgewise.migrations) as schema,
              (select count(*) from edgewise.instances where lease_until > now() and address is not null) as instances,
              (select count(*) from edgewise.plans where taken is null and expires_ms > $1) as waiting`,
      [Number(ms)],
    );
    const [{ schema, instances = "0", waiting = "0" } = {}] = counts.rows;
    return {
      ...facts,
      schema,
      instances: Number(instances),
      waitingPlans: Number(waiting),
      writeStop: await postgresStops(database).writeStop(),
    };
  } finally {
    await database.close();
  }
}
