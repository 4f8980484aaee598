/** How many plans there can be, how large, and which make way for a new one: never another owner's, and never what was sent. */
import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/guard/plan.js";
import { createPlans } from "../../src/guard/plans/index.js";
import { thisProcess } from "../../src/guard/plans/process.js";
import type { Entry, Mark, Storage } from "../../src/guard/plans/storage.js";
import { Failure } from "../../src/language/failure.js";
import { binding, shownTo } from "./plan-binding.js";

it("is kept up to a megabyte to the byte", async () => {
  const plans = createPlans({ ttlMs: 600_000 });
  const shown = (length: number) => ({
    ...shownTo("confirm"),
    preview: { ...shownTo("confirm").preview, target: "x".repeat(length) },
  });
  const rest = Buffer.byteLength(JSON.stringify(await plans.open(binding, shown(0))));
  await plans.open(binding, shown(1_048_576 - rest));
  await expect(plans.open(binding, shown(1_048_577 - rest))).rejects.toMatchObject({ code: "too_large" });
});

describe("room for a new plan", () => {
  const nowMs = 1_000_000;
  const entries = (count: number, owner: string, more: Partial<Entry> = {}): Entry[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ id: `${owner} ${at}`, owner, createdAtMs: nowMs - at, expiresAtMs: nowMs + 1, marks: new Set<Mark>() },
      ...{ awaits: "confirm" as const, account: "a", changes: [`${owner} ${at}`] },
      ...more,
    }));
  /** Opens a plan where these entries are kept; says what was removed for it, and what was ended. */
  async function opened(kept: readonly Entry[], change: Partial<Storage> = {}) {
    const removed: string[] = [];
    const ended: unknown[] = [];
    const storage: Storage = {
      keptMs: 500,
      keys: async () => ["key"],
      holder: thisProcess,
      entries: async () => kept,
      add: async () => undefined,
      read: async () => undefined,
      mark: async (_, content) => {
        ended.push(content);
        return true;
      },
      remove: async (id) => void removed.push(id),
      ...change,
    };
    const plans = createPlans({ ttlMs: 5_000, storage, now: () => nowMs });
    const plan = await plans.open(binding, shownTo("confirm")).catch((error: unknown) => error);
    return { removed, ended, refusal: plan instanceof Failure ? plan.message : undefined };
  }

  it("beyond a hundred plans, an owner's oldest waiting one ends void", async () => {
    expect((await opened(entries(99, "p"))).removed).toEqual([]);
    const { removed, ended } = await opened(entries(101, "p"));
    expect(removed).toEqual(["p 100", "p 99"]);
    expect(ended).toEqual(removed.map((id) => ({ id, as: "void", atMs: nowMs, because: "newer" })));
    expect((await opened([...entries(99, "p"), ...entries(5, "q")])).removed).toEqual([]);
    const used = entries(5, "p", { marks: new Set(["taken"]) });
    const expired = entries(5, "p", { expiresAtMs: nowMs });
    expect((await opened([...entries(99, "p"), ...used, ...expired])).removed).toEqual([]);
  });

  it("is not made by removing one that was used at that moment", async () => {
    expect((await opened(entries(100, "p"), { mark: async () => false })).removed).toEqual([]);
  });

  it("2,000 waiting plans is the limit unless one of the owner's yields", async () => {
    const tooMany = "There are too many open plans.";
    expect((await opened(entries(1_999, "q"))).refusal).toBeUndefined();
    expect((await opened(entries(2_000, "q"))).refusal).toBe(tooMany);
    expect((await opened([...entries(1_900, "q"), ...entries(100, "p")])).refusal).toBeUndefined();
    const ended = entries(50, "r", { marks: new Set(["taken"]) });
    expect((await opened([...entries(1_999, "q"), ...ended])).refusal).toBeUndefined();
  });

  it("plans that ended long enough ago are forgotten, to the millisecond", async () => {
    const over = (id: string, expiresAtMs: number) => entries(1, id, { expiresAtMs });
    expect((await opened([...over("old", nowMs - 501), ...over("kept", nowMs - 500)])).removed).toEqual(["old 0"]);
  });

  it("beyond 2,000 plans ended unsent, the oldest go, never sent ones", async () => {
    const taken = new Set<Mark>(["taken"]);
    const unsent = (count: number) => entries(count, "q", { marks: taken });
    const sent = entries(9, "sent", { marks: new Set<Mark>(["taken", "sending"]) });
    expect((await opened([...unsent(2_000), ...sent])).removed).toEqual([]);
    expect((await opened([...unsent(2_002), ...sent])).removed).toEqual(["q 2001", "q 2000"]);
    expect((await opened([...unsent(2_001), ...entries(9, "r")])).removed).toEqual(["q 2000"]);
    const old = entries(1, "old", { marks: taken, expiresAtMs: 0, createdAtMs: 0 });
    expect((await opened([...unsent(2_000), ...old])).removed).toEqual(["old 0"]);
  });

  it("is not made by one that is in progress", async () => {
    const times = { createdAtMs: 0, expiresAtMs: nowMs + 1 };
    const plan = (id: string): Plan => ({ ...binding, ...shownTo("confirm"), id, ...times });
    const taken = (id: string) =>
      ({ id, as: "redeemed", atMs: nowMs, channel: "confirm", approvedAtMs: nowMs, process: thisProcess() }) as const;
    const { removed } = await opened(entries(2_001, "q", { marks: new Set<Mark>(["taken"]) }), {
      read: async (id) => ({ plan: plan(id), ...(id === "q 2000" ? { taken: taken(id) } : {}) }),
    });
    expect(removed).toEqual(["q 1999"]);
  });
});
