/** The emergency stop of all changes in PostgreSQL: a row for each, which stays on record. */
import type { State } from "../index.js";
import type { Database } from "./database.js";

type Stops = Pick<State, "writeStop" | "stopWrites" | "resumeWrites">;

export function postgresStops(database: Database): Stops {
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
