/** The counters of quotas in PostgreSQL, which all instances share: calls and requests in slices, shares by holder. */
import { randomUUID } from "node:crypto";
import type { Quota } from "../../policy/file.js";
import { type FullQuota, type QuotaCount, type QuotaCounters, sliceEndMs, windowMs } from "../../policy/quotas.js";
import { type Database, runnerIn, type SqlRunner } from "./database.js";
import { type Instance, livingInstancesSql } from "./instance.js";

/** @param scope The account that calls act on: each has separate counts. */
export function postgresCounters(database: Database, instance: Instance, scope: string): QuotaCounters {
  /** The present count of a quota, and the slices of its window. */
  const usedOf = async ({ run }: SqlRunner, { id, per }: Quota, nowMs: number) => {
    if (per === "parallel") {
      const { rows } = await run<{ readonly used: string }>(
        `select coalesce(sum(amount), 0) as used from edgewise.quota_shares
         where scope = $1 and quota = $2 and holder in (${livingInstancesSql})`,
        [scope, id],
      );
      return { used: Number(rows[0]?.used ?? 0), slices: [] };
    }
    const { rows } = await run<{ readonly until_ms: string; readonly amount: string }>(
      "select until_ms, amount from edgewise.quota_counts where scope = $1 and quota = $2 and until_ms > $3 order by 1",
      [scope, id, nowMs],
    );
    const slices = rows.map(({ until_ms, amount }) => ({ untilMs: Number(until_ms), amount: Number(amount) }));
    return { used: slices.reduce((sum, { amount }) => sum + amount, 0), slices };
  };

  const fullIn = async (
    runner: SqlRunner,
    { quota, amount }: QuotaCount,
    nowMs: number,
  ): Promise<FullQuota | undefined> => {
    const { used, slices } = await usedOf(runner, quota, nowMs);
    if (used + amount <= quota.max) return undefined;
    let left = used;
    const room = slices.find((slice) => {
      left -= slice.amount;
      return left + amount <= quota.max;
    });
    return { quota, amount, used, waitMs: room && room.untilMs - nowMs };
  };

  const count = async ({ run }: SqlRunner, { quota, amount }: QuotaCount, nowMs: number): Promise<string[]> => {
    if (quota.per === "parallel") {
      const id = randomUUID();
      await run("insert into edgewise.quota_shares (id, scope, quota, amount, holder) values ($1, $2, $3, $4, $5)", [
        ...[id, scope, quota.id, amount, instance.id()],
      ]);
      return [id];
    }
    const untilMs = sliceEndMs(windowMs[quota.per], nowMs);
    await run(
      `insert into edgewise.quota_counts (scope, quota, until_ms, amount) values ($1, $2, $3, $4)
       on conflict (scope, quota, until_ms) do update set amount = quota_counts.amount + excluded.amount`,
      [scope, quota.id, untilMs, amount],
    );
    return [];
  };

  return {
    async add(counts, transaction) {
      const nowMs = instance.now();
      const addIn = async (runner: SqlRunner): Promise<FullQuota | readonly string[]> => {
        // In one order for all, so that two calls never wait for each other.
        const quotas = counts.map(({ quota }) => quota.id).sort();
        for (const quota of quotas)
          await runner.run("select pg_advisory_xact_lock(hashtextextended($1, 7301943))", [`${scope} ${quota}`]);
        for (const quotaCount of counts) {
          const full = await fullIn(runner, quotaCount, nowMs);
          if (full) return full;
        }
        const shares: string[] = [];
        for (const quotaCount of counts) shares.push(...(await count(runner, quotaCount, nowMs)));
        return shares;
      };
      const runner = runnerIn(database, transaction);
      const added = await (runner === database ? database.transaction(addIn) : addIn(runner));
      if (!Array.isArray(added)) return added as FullQuota;
      const shares = added as readonly string[];
      return async () => {
        // If it cannot be deleted, it ends with this instance's lease.
        if (shares.length > 0)
          await database.run("delete from edgewise.quota_shares where id = any($1)", [shares]).catch(() => undefined);
      };
    },
  };
}
