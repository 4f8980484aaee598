/**
 * What instances know of each other's upstream limits in PostgreSQL: how many instances there are, and which APIs one
 * of them has found closed. It is read with each beat, so that no call waits for it.
 */
import { maxClosedMs, type SharedLimits } from "../../wire/shared-limits.js";
import type { Database } from "./database.js";
import { type Instance, livingInstancesSql } from "./instance.js";

/** @returns how many processes there are, and the limits of an upstream, by its name. */
export async function postgresUpstreamLimits(
  database: Database,
  instance: Instance,
): Promise<{ readonly processes: () => number; readonly upstreamLimits: (upstream: string) => SharedLimits }> {
  let count = 1;
  let closedUntilMs = new Map<string, number>();
  const read = async (): Promise<void> => {
    const nowMs = instance.now();
    const { rows } = await database.run<{
      readonly processes: string;
      readonly api: string | null;
      readonly until_ms: string;
    }>(
      // What was stored by another clock or another version must not close an API for longer either.
      `with shortened as (update edgewise.closed_apis set until_ms = $2 where until_ms > $2)
       select processes, api, least(until_ms, $2) as until_ms
       from (select count(*) as processes from (${livingInstancesSql}) instances) counted
       left join edgewise.closed_apis on until_ms > $1`,
      [nowMs, nowMs + maxClosedMs],
    );
    count = Math.max(1, Number(rows[0]?.processes ?? 1));
    closedUntilMs = new Map(rows.flatMap(({ api, until_ms }) => (api === null ? [] : [[api, Number(until_ms)]])));
  };
  await read();
  instance.onBeat(read);
  const processes = () => count;
  const upstreamLimits = (upstream: string): SharedLimits => ({
    processes,
    closedMs: (api) => (closedUntilMs.get(`${upstream} ${api}`) ?? 0) - instance.now(),
    close(api, ms) {
      const values = [`${upstream} ${api}`, Math.ceil(instance.now() + ms)];
      // If it cannot be written, the others learn of it when they are refused.
      database
        .run(
          `insert into edgewise.closed_apis (api, until_ms) values ($1, $2)
           on conflict (api) do update set until_ms = greatest(closed_apis.until_ms, excluded.until_ms)`,
          values,
        )
        .catch(() => undefined);
    },
  });
  return { processes, upstreamLimits };
}
