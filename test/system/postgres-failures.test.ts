/** What becomes of calls when PostgreSQL is stopped, killed, frozen, full, restored from a backup, or slow, on a real one. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openAudit } from "../../src/audit/index.js";
import { verifyLog } from "../../src/audit/verify.js";
import { storeFindings } from "../../src/commands/doctor/store.js";
import { readConfig } from "../../src/config.js";
import { createPlans } from "../../src/guard/plans/index.js";
import { Failure } from "../../src/language/failure.js";
import { newHandle } from "../../src/rows/result-store.js";
import type { State } from "../../src/state/index.js";
import { openDatabase, type PostgresTransaction } from "../../src/state/postgres/database.js";
import { removeEndedInstances } from "../../src/state/postgres/instance.js";
import { binding, shownTo } from "../guard/plan-binding.js";
import { redeemed } from "../guard/redeemed.js";
import { needs } from "../lab/needs.js";
import { pace } from "../lab/run/pace.js";
import { eventually } from "../lab/time.js";
import { type PostgresServer, startPostgres } from "../state/postgres-server.js";
import { closeStates, openInstance } from "../state/states.js";

const plansOf = (state: State) => createPlans({ ttlMs: 600_000, storage: state.plans, now: state.now });
/** The failure of something, and how long it took to fail. */
async function failed(attempt: () => Promise<unknown>): Promise<{ readonly failure: Failure; readonly ms: number }> {
  const startedMs = performance.now();
  const error = await attempt().then(
    () => expect.fail("It succeeded."),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Failure);
  return { failure: error as Failure, ms: performance.now() - startedMs };
}
const opened = async (state: State) => (await plansOf(state).open(binding, shownTo("confirm"))).id;
const confirmed = (state: State, id: string) => redeemed(plansOf(state), id, binding, "confirm");
const isRefused = (state: State, id: string) =>
  expect(confirmed(state, id)).rejects.toMatchObject({ code: "approval_refused" });
const statusOf = async (state: State, id: string) => (await plansOf(state).find(id))?.status;
/** Waits until something succeeds again. */
const recovered = (attempt: () => Promise<unknown>) => eventually(() => attempt());

describe("a store in PostgreSQL", needs.postgresServer, () => {
  let server: PostgresServer;
  let url: string;
  let state: State;
  let other: State;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    [state, other] = [await openInstance(url), await openInstance(url)];
  });
  afterEach(() => recovered(() => state.inTransaction(async () => undefined)));
  afterAll(async () => {
    await closeStates();
    await server?.remove();
  });

  const uses: readonly (readonly [string, (id: string) => Promise<unknown>])[] = [
    ["a plan is opened", () => opened(state)],
    ["a plan is redeemed", (id) => confirmed(state, id)],
    ["a change is admitted", () => state.inTransaction(async () => undefined)],
    ["the stop of changes is read", () => state.writeStop()],
    ["a result of another instance is read", () => state.results.get("ann", "one", newHandle())],
    ["a large result is kept", () => state.results.keep("ann", "one", newHandle(), "x".repeat(100_000))],
    ["a quota is counted", () => state.counters("one").add([{ quota: quotaOfOne, amount: 1 }])],
    ["it is asked whether it can be used", () => state.check()],
    ["the holder of a secret file is looked up", async () => state.instances?.secretHolders.find(secretFile)],
  ];
  const secretFile = { directory: "ann", name: "a" };
  const quotaOfOne = { id: "q", tools: ["*"], counts: "calls", per: "hour", max: 1_000 } as const;

  it.each([
    ["stopped", () => server.stop(), () => server.start()],
    ["killed", () => server.kill(), () => server.start()],
    ["frozen", async () => server.freeze(), async () => server.thaw()],
  ] as const)("a %s PostgreSQL store refuses within 2 s, then recovers", async (_, fail, mend) => {
    const id = await opened(state);
    await fail();
    const refusals = uses.map(async ([what, use]) => {
      const { failure, ms } = await failed(() => use(id));
      expect([what, failure]).toMatchObject([
        what,
        {
          code: "failed",
          message: expect.stringContaining("PostgreSQL"),
          detail: { next: expect.stringContaining("recovers by itself") },
        },
      ]);
      expect(ms, what).toBeLessThan(2_000 * pace);
    });
    await Promise.all(refusals);
    await mend();
    await recovered(() => state.check());
    await recovered(() => confirmed(other, id));
    await isRefused(state, id);
  });

  it("that is killed keeps each redemption that was acknowledged", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => opened(state)));
    const acknowledged: string[] = [];
    const redemptions = ids.map((id) =>
      confirmed(state, id).then(
        () => acknowledged.push(id),
        () => undefined,
      ),
    );
    await redemptions[0];
    await server.kill();
    await Promise.all(redemptions);
    await server.start();
    await recovered(() => other.writeStop());
    for (const id of acknowledged) await isRefused(other, id);
    expect(acknowledged.length).toBeGreaterThan(0);
  });

  it("PostgreSQL store: a failed statement undoes the whole change", async () => {
    const id = await opened(state);
    const admitted = state.inTransaction(async (transaction) => {
      const { redeem } = await plansOf(state).redeemable(id, binding, "confirm");
      await redeem(transaction);
      await (transaction as PostgresTransaction).run("select 1 / 0").catch(() => undefined);
    });
    await expect(admitted).rejects.toMatchObject({ code: "failed", detail: { why: expect.stringContaining("22012") } });
    await confirmed(other, id);
  });

  it("runs nothing in a transaction that has ended", async () => {
    const ended = (await state.inTransaction(async (transaction) => transaction)) as PostgresTransaction;
    await expect(ended.run("select 1")).rejects.toMatchObject({ code: "failed" });
  });

  it("a full PostgreSQL store refuses within two seconds and recovers", needs.mount, async () => {
    const small = await startPostgres({ diskMb: 160 });
    const filler = join(small.directory, "filler");
    try {
      const own = await openInstance(await small.createDatabase());
      const id = await opened(own);
      execFileSync("sh", ["-c", `dd if=/dev/zero of=${filler} bs=1M 2>/dev/null || true`]);
      let refused: Failure | undefined;
      // What was reserved before is written first.
      for (let at = 0; refused === undefined && at < 400; at += 1)
        await own.results.keep("ann", "one", newHandle(), Buffer.alloc(1_000_000, at)).catch((error: unknown) => {
          refused = error as Failure;
        });
      expect(refused).toMatchObject({ code: "failed" });
      rmSync(filler);
      await small.stop();
      await small.start();
      await recovered(() => confirmed(own, id));
    } finally {
      await small.remove();
    }
  });

  it("a PostgreSQL store killed repeatedly keeps every chain unbroken", async () => {
    const note = { who: "ann", account: "one", tool: "x", args: "none" };
    const audit = openAudit({ open: state.openJournal, place: state.auditPlace, log: () => undefined, secrets: [] });
    let isRunning = true;
    let number = 0;
    const writes = Array.from({ length: 4 }, async () => {
      while (isRunning) {
        number += 1;
        const call = { call: `c${number}`, ...note };
        await audit.note({ ...call, event: "refused", code: "rejected" });
        const intent = { ...call, tier: "guarded" } as const;
        await state.inTransaction((transaction) => audit.intent(intent, transaction)).catch(() => pause(20));
      }
    });
    for (let round = 0; round < 2; round += 1) {
      await pause(300);
      await server.kill();
      await server.start();
    }
    isRunning = false;
    await Promise.all(writes);
    await recovered(() => state.inTransaction(async () => undefined));
    await audit.note({ call: "last", ...note, event: "refused", code: "x" });
    const source = other.auditSource ?? expect.fail("It has no audit lines.");
    const { faults, lines } = await verifyLog(source);
    expect(faults).toEqual([]);
    expect(lines).toBeGreaterThan(20);
    const twice = await server.query(
      url,
      `select count(*) from edgewise.audit_lines where line like '%"refused"%'
       group by substring(line from '"call":"[^"]*"') having count(*) > 1`,
    );
    expect(twice).toEqual([]);
  });

  it("undoes a redemption, a count and a line together", async () => {
    const plans = plansOf(state);
    const { id } = await plans.open(binding, shownTo("confirm"));
    const counters = state.counters("undone");
    const counts = [{ quota: { ...quotaOfOne, max: 1 }, amount: 1 }];
    const journal = await state.openJournal();
    const line = { membersOf: () => ({ event: "intent" }), seq: undefined as number | undefined };
    await expect(
      state.inTransaction(async (transaction) => {
        const { redeem } = await plans.redeemable(id, binding, "confirm");
        await redeem(transaction);
        expect(await counters.add(counts, transaction)).toBeTypeOf("function");
        await journal.append([line], { transaction });
        expect(line.seq).toBeGreaterThan(0);
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(line.seq).toBeUndefined();
    expect(await statusOf(other, id)).toBe("open");
    expect(await counters.add(counts)).toBeTypeOf("function");
    await confirmed(other, id);
  });

  it("a PostgreSQL store restored from a copy voids all waiting plans", async () => {
    const id = await opened(state);
    await server.stop();
    const copy = join(server.directory, "copy");
    server.copyData(copy);
    await server.start();
    await recovered(() => confirmed(state, id));
    await pause(3_500);
    await server.stop();
    server.restoreData(copy);
    await server.start();
    await recovered(() => state.writeStop());
    await failed(() => state.inTransaction(async () => undefined)).catch(() => undefined);
    await eventually(async () => expect(await statusOf(other, id)).toBe("void"));
    await isRefused(other, id);
  });

  it("a PostgreSQL store restored from a dump voids all waiting plans", async () => {
    const id = await opened(state);
    const dump = execFileSync("pg_dump", ["--dbname", url], { encoding: "utf8", maxBuffer: 1e9 });
    const restored = await server.createDatabase();
    execFileSync("psql", ["--quiet", "--dbname", restored], { input: dump, stdio: ["pipe", "ignore", "ignore"] });
    const late = await openInstance(restored);
    expect(await plansOf(late).find(id)).toMatchObject({ status: "void", voidBecause: "restored" });
    expect(await statusOf(state, id)).toBe("open");
  });

  it("a standby replacing the PostgreSQL store voids all waiting plans", async () => {
    const keys = join(server.directory, "keys");
    writeFileSync(keys, randomBytes(32).toString("hex"), { mode: 0o600 });
    const told = async (at: string) =>
      (await storeFindings(readConfig(["doctor", "--store", at, "--store-key-file", keys], {})))
        .map(({ what }) => what)
        .join();
    const standby = await startPostgres({ primary: url });
    try {
      await eventually(async () => expect(await told(url)).toContain("1 standby may lack the last commits"));
      expect(await told(standby.urlOf(url))).toContain("is a standby, which only reads");
      const id = await opened(state);
      await eventually(async () => {
        const [{ plans } = {}] = await server.query(
          standby.urlOf(url),
          `select count(*) as plans from edgewise.plans where id = '${id}'`,
        );
        expect(plans).toBe("1");
      });
      await server.kill();
      await standby.stop();
      server.restoreData(join(standby.directory, "data"));
      await server.start();
      expect((await failed(() => state.inTransaction(async () => undefined))).failure.message).toContain("cannot");
      await server.query(url, "select pg_promote()");
      await eventually(async () => expect(await statusOf(other, id)).toBe("void"));
    } finally {
      await standby.remove();
    }
  });

  it("an instance past its lease sends nothing; its plans show unknown", async () => {
    const plans = plansOf(state);
    const [sent, unsent] = [await opened(state), await opened(state)];
    for (const id of [sent, unsent]) await redeemed(plans, id, binding, "confirm");
    await plans.sending(sent);
    await server.query(url, "update edgewise.instances set lease_until = now() - interval '1 second'");
    expect(await statusOf(other, sent)).toBe("unknown");
    expect(await statusOf(other, unsent)).toBe("not_sent");
    await expect(plans.sending(unsent)).rejects.toMatchObject({ code: "failed" });
    // It goes on under another name, which its earlier plans do not know.
    await recovered(() => state.inTransaction(async () => undefined));
    await expect(plans.sending(unsent)).rejects.toMatchObject({ code: "failed" });
    expect(await statusOf(other, sent)).toBe("unknown");
    await plans.settle(sent, { state: "done", says: "it answered 201" });
    expect(await statusOf(other, sent)).toBe("done");
  });

  it("an instance that is renewed keeps its secret files", async () => {
    await state.instances?.serveAt("http://staying:3940/");
    await state.instances?.secretHolders.add(secretFile);
    await other.instances?.serveAt("http://other:3940/");
    const former = state.instances?.ownId();
    await server.query(url, `update edgewise.instances set lease_until = now() where id = '${former}'`);
    // Another instance cleans up before this one goes on.
    const database = openDatabase(url);
    await removeEndedInstances(database);
    await database.close();
    await recovered(() => state.inTransaction(async () => undefined));
    expect(state.instances?.ownId()).not.toBe(former);
    expect(await other.instances?.secretHolders.find(secretFile)).toBe("http://staying:3940/");
  });
});
