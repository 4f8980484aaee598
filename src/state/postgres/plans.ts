/** Plans in PostgreSQL, shared by all instances: a mark is set where there is none, in the transaction of its change. */
import type { Plan } from "../../guard/plan.js";
import {
  type PlanEntry,
  type PlanHistory,
  type PlanMark,
  type PlanMarkOf,
  type PlanStorage,
  planEntryOf,
  planIdPattern,
  planMarks,
} from "../../guard/plans/storage.js";
import type { Transaction } from "../../language/transaction.js";
import { dayMs } from "../../time/durations.js";
import { type Database, runnerIn } from "./database.js";
import { type Instance, leaseLost } from "./instance.js";

interface EntryRow extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly owner: string;
  readonly account: string;
  readonly awaits: Plan["awaits"];
  readonly changes: readonly string[];
  readonly created_ms: string;
  readonly expires_ms: string;
  readonly marked: readonly boolean[];
}

const toEntry = ({ id, owner, account, awaits, changes, created_ms, expires_ms, marked }: EntryRow): PlanEntry => ({
  ...{ id, owner, account, awaits, changes },
  createdAtMs: Number(created_ms),
  expiresAtMs: Number(expires_ms),
  marks: new Set(planMarks.filter((_, at) => marked[at])),
});

/**
 * @param keys The keys of all stored hashes, which the database must not know.
 * @param keptMs How long a plan is kept after it has expired.
 */
export function postgresPlans(
  database: Database,
  instance: Instance,
  { keys, keptMs = 7 * dayMs }: { readonly keys: readonly [string, ...string[]]; readonly keptMs?: number | undefined },
): PlanStorage {
  /** Only the instance that holds a plan may send, and only as long as its lease lasts. */
  const markSending = (id: string, json: string): Promise<boolean> =>
    database.transaction(async (transaction) => {
      await instance.permitChange(transaction);
      const { count } = await transaction.run(
        "update edgewise.plans set sending = coalesce(sending, $2) where id = $1 and holder = $3",
        [id, json, instance.id()],
      );
      if (count === 0) throw leaseLost();
      return true;
    });

  /** Outcomes that could not be recorded yet. */
  const unsettled = new Map<string, string>();
  /** Records an outcome, unless the redemption was undone with its transaction: then the plan waits as before. */
  const settle = async (id: string, json: string): Promise<boolean> => {
    try {
      const { count } = await database.run(
        "update edgewise.plans set settled = $2 where id = $1 and settled is null and taken is not null",
        [id, json],
      );
      unsettled.delete(id);
      return count === 1;
    } catch (error) {
      unsettled.set(id, json);
      throw error;
    }
  };
  instance.onBeat(async () => {
    for (const [id, json] of unsettled) await settle(id, json);
  });

  return {
    keptMs,
    keys: async () => keys,
    holder: () => ({ instance: instance.id() }),
    isOfOneServer: true,

    async entries() {
      const { rows } = await database.run<EntryRow>(
        `select id, owner, account, awaits, changes, created_ms, expires_ms,
                array[${planMarks.map((mark) => `${mark} is not null`).join()}] as marked
         from edgewise.plans`,
      );
      return rows.map(toEntry);
    },

    async add(plan) {
      const { id, owner, account, awaits, createdAtMs, expiresAtMs } = plan;
      await database.run(
        `insert into edgewise.plans (id, owner, account, awaits, changes, created_ms, expires_ms, content)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, owner, account, awaits, planEntryOf(plan).changes, createdAtMs, expiresAtMs, JSON.stringify(plan)],
      );
    },

    async read(id): Promise<PlanHistory | undefined> {
      if (!planIdPattern.test(id)) return undefined;
      const { rows } = await database.run<
        Readonly<Record<PlanMark | "content", unknown>> & { readonly living: boolean }
      >(
        `select content, ${planMarks.join()}, exists (
           select from edgewise.instances one where one.id = plan.holder and one.lease_until > now()
         ) as living
         from edgewise.plans plan where id = $1`,
        [id],
      );
      const [found] = rows;
      if (!found) return undefined;
      const set = planMarks.flatMap((mark) => (found[mark] === null ? [] : [[mark, found[mark]] as const]));
      return { plan: found.content as Plan, ...Object.fromEntries(set), isHeld: found.living };
    },

    async mark<M extends PlanMark>(name: M, content: PlanMarkOf<M>, transaction?: Transaction) {
      const json = JSON.stringify(content);
      if (name === "sending") return markSending(content.id, json);
      // The instance that redeems a plan holds it.
      const isRedemption = "process" in content;
      if (name === "settled") return settle(content.id, json);
      // The plan itself says whether it needs both marks of two persons.
      const isApproved = "(content->>'approvers' is null or (first is not null and approved is not null))";
      const { count } = await runnerIn(database, transaction).run(
        `update edgewise.plans set ${name} = $2${isRedemption ? ", holder = $3" : ""}
         where id = $1 and ${name} is null${isRedemption ? ` and ${isApproved}` : ""}`,
        isRedemption ? [content.id, json, instance.id()] : [content.id, json],
      );
      return count === 1;
    },

    async remove(id) {
      await database.run("delete from edgewise.plans where id = $1", [id]);
    },
  };
}
