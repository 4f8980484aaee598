/** The life of a plan over a storage that fails, loses races or is full: nothing is approved twice, lost or unsaid. */
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { OperatorPlans, Plan } from "../../src/guard/plan.js";
import { createPlans } from "../../src/guard/plans/index.js";
import { thisProcess } from "../../src/guard/plans/process.js";
import {
  memoryPlanStorage,
  type PlanEntry,
  type PlanHistory,
  type PlanMark,
  type PlanStorage,
} from "../../src/guard/plans/storage.js";
import { Failure } from "../../src/language/failure.js";
import { damaged } from "../../src/system/private-directory.js";
import { barrier } from "../lab/time.js";
import { binding, shownTo } from "./plan-binding.js";
import { redeemed } from "./redeemed.js";

/** Plans over a memory of which single methods are replaced. */
function plansOver(change: (kept: PlanStorage) => Partial<PlanStorage> = () => ({}), times: readonly number[] = []) {
  const kept = memoryPlanStorage();
  const storage: PlanStorage = { ...kept, ...change(kept) };
  const said: string[] = [];
  let at = 0;
  const now = () => times[Math.min(at, times.length - 1)] ?? 1_000;
  const plans = createPlans({ ttlMs: 5_000, storage, now, log: (line) => said.push(line) });
  return { plans, kept, said, tick: () => (at += 1) };
}
const notSent = { message: "This plan does not permit sending." };
/** The same where another process has made the next mark, after which the plan's story is another one. */
const plansTooLate = (then: (story: PlanHistory) => PlanHistory | undefined) =>
  plansOver((kept) => {
    let isLate = false;
    return {
      mark: async () => {
        isLate = true;
        return false;
      },
      read: async (id) => {
        const story = await kept.read(id);
        return story && isLate ? then(story) : story;
      },
    };
  });
async function openedAndRedeemed(plans: OperatorPlans): Promise<string> {
  const { id } = await plans.open(binding, shownTo("confirm"));
  await redeemed(plans, id, binding, "confirm");
  return id;
}

it("a plan has a random id and ends when its time is over", async () => {
  const { plans } = plansOver();
  const plan = await plans.open(binding, shownTo("confirm"));
  // The hashes are kept under a key.
  const hashes = { requestHash: expect.stringMatching(/^[\w-]{43}$/), stateHash: expect.stringMatching(/^[\w-]{43}$/) };
  const times = { createdAtMs: 1_000, expiresAtMs: 6_000 };
  expect(plan).toEqual({ ...binding, ...shownTo("confirm"), ...hashes, ...times, id: plan.id });
  expect(plan.id).toMatch(/^plan_[\w-]{22}$/);
});

it("every hash of a plan, each request's too, uses the storage key", async () => {
  const hashed = { ...binding, requestHash: "one", requests: ["one", "two"], stateHash: "one" };
  const under = async (key: string) =>
    plansOver(() => ({ keys: async () => [key] })).plans.open(hashed, shownTo("confirm"));
  const [plan, same, other] = [await under("k"), await under("k"), await under("l")];
  const [one, two] = plan.requests ?? [];
  expect([plan.requestHash, plan.stateHash, plan.requests]).toEqual([one, one, [one, two]]);
  expect(new Set(["one", "two", one, two, ...(other.requests ?? [])]).size).toBe(6);
  expect(same.requests).toEqual([one, two]);
  const bare = await plansOver().plans.open({ ...binding, stateHash: undefined }, shownTo("confirm"));
  expect(bare.stateHash).toBeUndefined();
  expect(bare).not.toHaveProperty("requests");
});

describe("the plan of a repeated call", () => {
  const approvedAt = async (plans: OperatorPlans, tick: () => void, states: readonly string[]) => {
    const ids: string[] = [];
    for (const stateHash of states) {
      const { id } = await plans.open({ ...binding, stateHash }, shownTo("person"));
      await plans.approve(id, "page");
      ids.push(id);
      tick();
    }
    return ids;
  };

  it("a repeated call gets the plan of the present state, or the newest", async () => {
    const { plans, tick } = plansOver(undefined, [1_000, 3_000, 2_000]);
    const [first, second, third] = await approvedAt(plans, tick, ["one", "two", "three"]);
    const found = (stateHash: string) => plans.approvedFor({ ...binding, stateHash });
    expect([await found("one"), await found("two"), await found("three")]).toEqual([first, second, third]);
    expect(await found("another")).toBe(second);
  });

  it("a repeated call reads no waiting, used or foreign plan", async () => {
    const reads: string[] = [];
    const { plans, tick } = plansOver((kept) => ({
      read: (id) => {
        reads.push(id);
        return kept.read(id);
      },
    }));
    const [used = ""] = await approvedAt(plans, tick, ["s"]);
    await redeemed(plans, used, binding, "person");
    await plans.open(binding, shownTo("person"));
    reads.length = 0;
    expect(await plans.approvedFor(binding)).toBeUndefined();
    expect(reads).toEqual([]);
    const [own] = await approvedAt(plans, tick, ["s"]);
    reads.length = 0;
    expect(await plans.approvedFor({ ...binding, owner: "q" })).toBeUndefined();
    expect(reads).toEqual([]);
    expect(await plans.approvedFor(binding)).toBe(own);
  });

  it("a repeated call needs no hash key where nothing is approved", async () => {
    const { plans } = plansOver(() => ({ keys: async () => expect.fail("it was requested") }));
    expect(await plans.approvedFor(binding)).toBeUndefined();
  });

  it("a repeated call gets no plan that was removed after it was listed", async () => {
    const { plans, tick, kept } = plansOver((all) => ({ entries: async () => listed ?? all.entries() }));
    let listed: readonly PlanEntry[] | undefined;
    const [id = ""] = await approvedAt(plans, tick, ["s"]);
    listed = await kept.entries();
    await kept.remove(id);
    expect(await plans.approvedFor(binding)).toBeUndefined();
    expect(await plans.list()).toEqual([]);
  });
});

describe("a person's approval", () => {
  it("a person's approval is recorded once: a second one changes nothing", async () => {
    const { plans } = plansOver();
    const { id } = await plans.open(binding, shownTo("person"));
    await plans.approve(id, "page", { name: "ann" });
    await plans.approve(id, "terminal", { name: "bob" });
    const approvals = [{ channel: "page", atMs: 1_000, by: "ann" }];
    expect((await plans.find(id))?.approvals).toStrictEqual(approvals);
    expect(await redeemed(plans, id, binding, "person")).toStrictEqual(approvals);
    expect((await plans.find(id))?.approvals).toStrictEqual(approvals);
  });

  it.each<[string, (story: PlanHistory) => PlanHistory | undefined]>([
    ["is damaged", (story) => ({ ...story, approved: damaged })],
    ["is gone with its plan", () => undefined],
  ])("a person's approval fails if an earlier one %s", async (_, then) => {
    const { plans } = plansTooLate(then);
    const { id } = await plans.open(binding, shownTo("person"));
    await expect(plans.approve(id, "page")).rejects.toMatchObject({ message: "This plan cannot be approved." });
  });
});

describe("a redemption", () => {
  it("a redemption records who approved, how and when, and its process", async () => {
    const marks: unknown[] = [];
    const { plans } = plansOver((kept) => ({
      mark: (name, content) => {
        marks.push([name, content]);
        return kept.mark(name, content);
      },
    }));
    const outside = await plans.open(binding, shownTo("person"));
    await plans.approve(outside.id, "page");
    const { id } = await plans.open(binding, shownTo("confirm"));
    expect(await redeemed(plans, id, binding, "confirm")).toStrictEqual([{ channel: "confirm", atMs: 1_000 }]);
    await plans.sending(id);
    await plans.settle(id, { state: "done", says: "x".repeat(600) });
    const taken = { id, as: "redeemed", atMs: 1_000, channel: "confirm", approvedAtMs: 1_000, process: thisProcess() };
    expect(marks).toStrictEqual([
      ["approved", { id: outside.id, channel: "page", atMs: 1_000 }],
      ["taken", taken],
      ["sending", { id, atMs: 1_000 }],
      ["settled", { id, atMs: 1_000, state: "done", says: "x".repeat(500) }],
    ]);
    for (const channel of ["page", undefined] as const) {
      const other = await plans.open(binding, shownTo("question"));
      await plans.refuse(other.id, channel);
      const refused = { id: other.id, as: "refused", atMs: 1_000, ...(channel === undefined ? {} : { channel }) };
      expect(marks.at(-1)).toStrictEqual(["taken", refused]);
    }
  });

  it.each<[string, (story: PlanHistory) => PlanHistory | undefined, string]>([
    [
      "another process was first",
      (story) => ({ ...story, taken: { id: story.plan.id, as: "refused", atMs: 1 } }),
      "This plan was refused.",
    ],
    ["the plan is being removed", (story) => story, "There is no such plan."],
    ["the plan is gone", () => undefined, "There is no such plan."],
  ])("a redemption that comes too late permits nothing: %s", async (_, then, message) => {
    const { plans } = plansTooLate(then);
    const { id } = await plans.open(binding, shownTo("confirm"));
    await expect(redeemed(plans, id, binding, "confirm")).rejects.toMatchObject({ message });
    await expect(plans.sending(id)).rejects.toMatchObject(notSent);
  });

  it("redeeming a plan that was removed at that moment permits nothing", async () => {
    const { plans } = plansOver((kept) => ({
      mark: async (name, content) => {
        const isFirst = await kept.mark(name, content);
        await kept.remove(content.id);
        return isFirst;
      },
    }));
    const { id } = await plans.open(binding, shownTo("confirm"));
    await expect(redeemed(plans, id, binding, "confirm")).rejects.toMatchObject({ message: "There is no such plan." });
    await expect(plans.sending(id)).rejects.toMatchObject(notSent);
  });
});

describe("an outcome that cannot be recorded", () => {
  const failing = (error: unknown) =>
    plansOver((kept) => ({
      mark: (name, content) => (name === "settled" ? Promise.reject(error) : kept.mark(name, content)),
    }));

  it.each([
    [{ why: "The disk is full.", next: "Wait." }, "could not be recorded. No. The disk is full."],
    [{ next: "Wait." }, "could not be recorded. No."],
  ])("an outcome that cannot be recorded is logged and not thrown: %j", async (detail, expected) => {
    const { plans, said } = failing(new Failure("not_allowed", "No.", detail));
    const id = await openedAndRedeemed(plans);
    await plans.settle(id, { state: "done", says: "x" });
    expect(said).toEqual([`edgewise: the outcome of ${id} ${expected}`]);
  });

  it("an internal error at the record is thrown, unless redeemed elsewhere", async () => {
    const { plans, said } = failing(new RangeError("x"));
    const done = { state: "done", says: "x" } as const;
    await expect(plans.settle(await openedAndRedeemed(plans), done)).rejects.toBeInstanceOf(RangeError);
    expect(said).toEqual([]);
    const { id } = await plans.open(binding, shownTo("confirm"));
    await plans.settle(id, done);
  });
});

it("plans open one at a time, even after one that failed", async () => {
  let count = 0;
  const order: string[] = [];
  const first = barrier();
  const { plans } = plansOver((kept) => ({
    add: async (plan) => {
      count += 1;
      order.push(`begin ${plan.tool}`);
      if (count === 1) await first.opened;
      order.push(`end ${plan.tool}`);
      if (plan.tool === "a") throw new Error("first");
      return kept.add(plan);
    },
  }));
  const open = (tool: string) => plans.open({ ...binding, tool }, shownTo("confirm"));
  const both = Promise.allSettled([open("a"), open("b")]);
  await setImmediate();
  first.open();
  const results = await both;
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(order).toEqual(["begin a", "end a", "begin b", "end b"]);
});

it("a plan is stored up to a megabyte, to the byte", async () => {
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
  const entries = (count: number, owner: string, more: Partial<PlanEntry> = {}): PlanEntry[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ id: `${owner} ${at}`, owner, createdAtMs: nowMs - at, expiresAtMs: nowMs + 1, marks: new Set<PlanMark>() },
      ...{ awaits: "confirm" as const, account: "a", changes: [`${owner} ${at}`] },
      ...more,
    }));
  /** Opens a plan where these entries are kept; says what was removed for it, and what was ended. */
  async function opened(kept: readonly PlanEntry[], change: Partial<PlanStorage> = {}) {
    const removed: string[] = [];
    const ended: unknown[] = [];
    const storage: PlanStorage = {
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

  it("room is not made by removing a plan that was used at that moment", async () => {
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
    const taken = new Set<PlanMark>(["taken"]);
    const unsent = (count: number) => entries(count, "q", { marks: taken });
    const sent = entries(9, "sent", { marks: new Set<PlanMark>(["taken", "sending"]) });
    expect((await opened([...unsent(2_000), ...sent])).removed).toEqual([]);
    expect((await opened([...unsent(2_002), ...sent])).removed).toEqual(["q 2001", "q 2000"]);
    expect((await opened([...unsent(2_001), ...entries(9, "r")])).removed).toEqual(["q 2000"]);
    const old = entries(1, "old", { marks: taken, expiresAtMs: 0, createdAtMs: 0 });
    expect((await opened([...unsent(2_000), ...old])).removed).toEqual(["old 0"]);
  });

  it("room is not made by removing a plan in progress", async () => {
    const times = { createdAtMs: 0, expiresAtMs: nowMs + 1 };
    const plan = (id: string): Plan => ({ ...binding, ...shownTo("confirm"), id, ...times });
    const taken = (id: string) =>
      ({ id, as: "redeemed", atMs: nowMs, channel: "confirm", approvedAtMs: nowMs, process: thisProcess() }) as const;
    const { removed } = await opened(entries(2_001, "q", { marks: new Set<PlanMark>(["taken"]) }), {
      read: async (id) => ({ plan: plan(id), ...(id === "q 2000" ? { taken: taken(id) } : {}) }),
    });
    expect(removed).toEqual(["q 1999"]);
  });
});
