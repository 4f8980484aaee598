/**
 * Denied tokens in PostgreSQL: a row for each kind and value, with times of the database itself. The instances'
 * estimates of that time differ by milliseconds, so that they would see the same list in different orders.
 */
import type { State } from "../index.js";
import { type Database, databaseMsSql } from "./database.js";

type DeniedTokensState = Pick<State, "deniedTokens" | "denyTokens" | "allowTokens">;

interface DeniedTokensRow extends Record<string, unknown> {
  readonly kind: "subject" | "client" | "jti";
  readonly value: string;
  readonly denied_by: string;
  readonly denied_ms: string;
  readonly until_ms: string | null;
}

export function postgresDeniedTokens(database: Database): DeniedTokensState {
  return {
    async deniedTokens() {
      const { rows } = await database.run<DeniedTokensRow>(
        `select kind, value, denied_by, denied_ms, until_ms from edgewise.denied_tokens
         where until_ms is null or until_ms > ${databaseMsSql} order by denied_ms, kind, value`,
      );
      return rows.map(({ kind, value, denied_by: by, denied_ms, until_ms }) => ({
        ...{ kind, value, by, atMs: Number(denied_ms) },
        ...(until_ms === null ? {} : { untilMs: Number(until_ms) }),
      }));
    },
    async denyTokens({ kind, value, by, untilMs }) {
      await database.run(
        `insert into edgewise.denied_tokens (kind, value, denied_by, denied_ms, until_ms) values ($1, $2, $3, ${databaseMsSql}, $4)
         on conflict (kind, value) do update
         set denied_by = excluded.denied_by, denied_ms = excluded.denied_ms, until_ms = excluded.until_ms`,
        [kind, value, by, untilMs ?? null],
      );
    },
    async allowTokens({ kind, value }) {
      const { count } = await database.run("delete from edgewise.denied_tokens where kind = $1 and value = $2", [
        kind,
        value,
      ]);
      return count > 0;
    },
  };
}
