/** Subscriptions in PostgreSQL, counted for all instances whose leases have not ended. */
import { randomUUID } from "node:crypto";
import { roomFor, type Subscriptions } from "../index.js";
import type { Database } from "./database.js";
import { type Instance, living } from "./instance.js";

/** The key of the lock under which they are counted; any number that no other program uses. */
const lockKey = 7_301_943_004;

export function postgresSubscriptions(database: Database, instance: Instance): Subscriptions {
  /** Those that are being deleted, for which one that takes their place waits. */
  const ending = new Set<Promise<unknown>>();
  const end = (id: string): Promise<void> => {
    // If it cannot be deleted, it ends with this instance's lease.
    const deleted: Promise<void> = database
      .run("delete from edgewise.subscriptions where id = $1", [id])
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => ending.delete(deleted));
    ending.add(deleted);
    return deleted;
  };
  return {
    async add(owner, limits) {
      await Promise.all(ending);
      return database.transaction(async ({ run }) => {
        await run("select pg_advisory_xact_lock($1)", [lockKey]);
        const { rows } = await run<{ readonly own: string; readonly total: string }>(
          `select count(*) filter (where owner = $1) as own, count(*) as total
           from edgewise.subscriptions where holder in (${living})`,
          [owner],
        );
        const full = roomFor(Number(rows[0]?.own), Number(rows[0]?.total), limits);
        if (full) return full;
        const id = randomUUID();
        const values = [id, owner, instance.id()];
        await run("insert into edgewise.subscriptions (id, owner, holder) values ($1, $2, $3)", values);
        return () => end(id);
      });
    },
  };
}
