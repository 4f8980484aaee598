/** Plans, wherever they are kept: who may use one, once, and what everyone else is told. */
import { afterAll, describe, expect, it } from "vitest";
import type { ApprovalRoute, AwaitedApproval, OperatorPlans } from "../../src/guard/plan.js";
import { createPlans, type PlansOptions } from "../../src/guard/plans/index.js";
import { promise } from "../lab/rules.js";
import { binding, shownTo } from "./plan-binding.js";
import { removeDirectories, stores } from "./plan-stores.js";
import { redeemed } from "./redeemed.js";

const refused = (message: string) => ({ code: "approval_refused", message });
const through: Readonly<Record<AwaitedApproval, ApprovalRoute>> = {
  ...{ confirm: "confirm", question: "elicitation", person: "person", policy: "policy" },
};
const madeUp = `plan_${"A".repeat(22)}`;

afterAll(removeDirectories);

// In whichever order all of this happens, the refusals are those of the model in test/adversary.
describe.each(stores)("a plan %s", (_, storage) => {
  const start = (options: Partial<PlansOptions> = {}) =>
    createPlans({ ttlMs: 600_000, storage: storage(), ...options });
  /** Plans that are valid for a second, on a clock that moves when the test says so, and before each is opened. */
  function startTimed() {
    let now = 1_000;
    const kept = storage();
    const plans = start({ ttlMs: 1_000, now: () => now, storage: kept });
    const pass = (ms: number): void => {
      now += ms;
    };
    const open = (awaits: AwaitedApproval, owner = "p") => {
      pass(1);
      return plans.open({ ...binding, owner }, shownTo(awaits));
    };
    return { plans, kept, pass, open, now: () => now };
  }

  it.each<[AwaitedApproval, string]>([
    ["confirm", "with confirm"],
    ["question", "in answer to a question"],
  ])("a plan awaiting %s is used once, then says its outcome", async (awaits, how) => {
    const now = 1_790_000_000_000;
    const plans = start({ ttlMs: 1_000, now: () => now });
    const { id } = await plans.open(binding, shownTo(awaits));
    expect(await plans.find(id)).toMatchObject({ status: "open", plan: { id, ...shownTo(awaits) } });
    expect(await redeemed(plans, id, binding, through[awaits])).toEqual([{ channel: through[awaits], atMs: now }]);
    expect(await plans.find(id)).toMatchObject({ status: "redeemed", outcome: "it is in progress" });
    await plans.sending(id);
    expect(await plans.find(id)).toMatchObject({ status: "sending", outcome: "it is in progress" });
    const again = () => redeemed(plans, id, binding, through[awaits], { reader: "thing_get" });
    const why = `${how} at ${new Date(now).toISOString()}; it is in progress`;
    await expect(again()).rejects.toMatchObject({ detail: { why: expect.stringContaining(why) } });
    await plans.settle(id, { state: "unknown", says: "it ended" });
    await plans.settle(id, { state: "failed", says: "it answered 500" });
    expect(await plans.find(id)).toMatchObject({ status: "unknown", outcome: "it ended" });
    await expect(again()).rejects.toMatchObject({ detail: { next: expect.stringContaining("with thing_get") } });
  });

  it("a plan for a person is used by the same call only after approval", async () => {
    const shared = storage();
    const sharing = () => start({ storage: shared });
    const [asked, operator, later] = [sharing(), sharing(), sharing()];
    const { id } = await asked.open(binding, shownTo("person"));
    expect(await later.approvedFor(binding)).toBeUndefined();
    await operator.approve(id, "terminal", { name: "ann" });
    const approvals = [{ channel: "terminal", by: "ann" }];
    expect(await operator.find(id)).toMatchObject({ status: "approved", approvals });
    for (const change of [{ tool: "u" }, { account: "b" }, { owner: "q" }, { requestHash: "x" }])
      expect(await later.approvedFor({ ...binding, ...change })).toBeUndefined();
    expect(await later.approvedFor(binding)).toBe(id);
    expect(await redeemed(later, id, binding, "person")).toMatchObject(approvals);
    expect(await later.approvedFor(binding)).toBeUndefined();
  });

  it(promise("own-channel", "a plan is approved only by its channel, and survives a wrong one"), async () => {
    const plans = start();
    for (const awaits of ["confirm", "question", "person", "policy"] as const) {
      const { id } = await plans.open(binding, shownTo(awaits));
      if (awaits === "person") await plans.approve(id, "page");
      for (const wrong of Object.values(through).filter((one) => one !== through[awaits]))
        await expect(redeemed(plans, id, binding, wrong)).rejects.toMatchObject(
          refused("This plan cannot be approved in this way."),
        );
      await redeemed(plans, id, binding, through[awaits]);
    }
  });

  it("a plan expires to the millisecond, and an approval does not extend it", async () => {
    const { plans, pass, open } = startTimed();
    const [one, two, late] = [await open("confirm"), await open("confirm"), await open("person")];
    pass(997);
    await plans.approve(late.id, "page");
    await redeemed(plans, one.id, binding, "confirm");
    pass(2);
    await expect(redeemed(plans, two.id, binding, "confirm")).rejects.toMatchObject(refused("This plan has expired."));
    expect(await plans.refuse(two.id)).toBe(false);
    expect(await plans.find(two.id)).toMatchObject({ status: "expired" });
    expect(await plans.approvedFor(binding)).toBe(late.id);
    pass(1);
    expect(await plans.approvedFor(binding)).toBeUndefined();
  });

  it("a plan is void if its state no longer exists", async () => {
    const plans = start();
    const { id } = await plans.open(binding, shownTo("confirm"));
    await expect(redeemed(plans, id, { ...binding, stateHash: undefined }, "confirm")).rejects.toMatchObject(
      refused("The state has changed since the preview."),
    );
    expect(await plans.find(id)).toMatchObject({ status: "void" });
  });

  it(promise("state-as-it-is-now", "after a change sends back to the state, never to what was previewed"), async () => {
    const plans = start();
    for (const [reader, next] of [
      ["thing_get", "with thing_get, and decide based on its present state"],
      [undefined, "and decide based on its present state"],
    ] as const) {
      const { id } = await plans.open(binding, shownTo("confirm"));
      const attempt = redeemed(plans, id, { ...binding, stateHash: "other" }, "confirm", { reader });
      await expect(attempt).rejects.toMatchObject({ detail: { next: expect.stringContaining(next) } });
      await expect(attempt).rejects.not.toMatchObject({ detail: { next: expect.stringContaining("confirm") } });
    }
  });

  it(promise("plan-of-owner", "belongs to its owner: another owner neither sees nor uses nor voids it"), async () => {
    const plans = start();
    const { id } = await plans.open(binding, shownTo("confirm"));
    const as = (plan: string, owner: string) => redeemed(plans, plan, { ...binding, owner }, "confirm");
    const theirs = await as(id, "q").catch((error: unknown) => error);
    expect(theirs).toEqual(await as(madeUp, "p").catch((error: unknown) => error));
    expect(theirs).toMatchObject(refused("There is no such plan."));
    expect(await plans.findOwn(id, binding)).toMatchObject({ status: "open" });
    await as(id, "p");
  });

  it("only its owner finds and refuses a plan, and from its account", async () => {
    const plans = start();
    const shown = shownTo("question");
    const { id } = await plans.open(binding, { ...shown, preview: { ...shown.preview, account: "account A" } });
    for (const [plan, change, elsewhere] of [
      [id, { owner: "q" }, undefined],
      [id, { account: "b" }, "account A"],
      [id, { owner: "q", account: "b" }, undefined],
      [madeUp, {}, undefined],
      [madeUp, { account: "b" }, undefined],
    ] as const) {
      const other = { ...binding, ...change };
      expect(await plans.findOwn(plan, other)).toBeUndefined();
      expect(await plans.refuseOwn(plan, other, "elicitation")).toBe(false);
      expect(await plans.madeElsewhere(plan, other)).toBe(elsewhere);
    }
    expect(await plans.madeElsewhere(id, binding)).toBeUndefined();
    expect(await plans.findOwn(id, binding)).toMatchObject({ status: "open" });
    expect(await plans.refuseOwn(id, binding, "elicitation")).toBe(true);
    expect(await plans.findOwn(id, binding)).toMatchObject({ status: "refused" });
  });

  it("a plan's outcome lists what was and was not made, where reported", async () => {
    const plans = start();
    const both = { unmade: [1], made: [{ id: "A" }, null] };
    for (const more of [both, { unmade: [0] }, {}]) {
      const { id } = await plans.open(binding, shownTo("confirm"));
      await redeemed(plans, id, binding, "confirm");
      await plans.settle(id, { state: "failed", says: "it answered 400", ...more });
      const { unmade, made } = (await plans.find(id)) ?? {};
      expect({ unmade, made }).toEqual(more);
    }
  });

  it.each([
    ["used", "redeemed", "This plan has been used."],
    ["refused", "refused", "This plan was refused."],
    ["expired", "expired", "This plan has expired."],
  ])("a valid plan that is %s before its redemption is refused", async (end, status, message) => {
    const { plans, kept, pass, open, now } = startTimed();
    const elsewhere = start({ storage: kept, now });
    const { id } = await open("confirm");
    const { redeem } = await plans.redeemable(id, binding, "confirm");
    const { redeem: first } = await elsewhere.redeemable(id, binding, "confirm");
    expect(await elsewhere.find(id)).toMatchObject({ status: "open" });
    if (end === "used") expect(await first()).toEqual([{ channel: "confirm", atMs: now() }]);
    else if (end === "refused") await elsewhere.refuse(id);
    else pass(1_000);
    for (const again of [redeem, first, redeem]) await expect(again()).rejects.toMatchObject(refused(message));
    await expect(plans.sending(id)).rejects.toMatchObject(refused("This plan does not permit sending."));
    await plans.settle(id, { state: "not_sent", says: "it was stopped" });
    expect(await elsewhere.find(id)).toMatchObject({ status });
    if (end === "used") await elsewhere.sending(id);
  });

  it("a plan under a former key works only where that key is accepted", async () => {
    let now = 1_000;
    const shared = storage();
    const under = (...keys: readonly [string, ...string[]]) =>
      start({ storage: { ...shared, keys: async () => keys }, ttlMs: 1_000, now: () => now });
    const [before, both, after] = [under("former"), under("new", "former"), under("new")];
    const call = { ...binding, requests: ["one", "two"] };
    const approved = async (plans: OperatorPlans, of = call) => {
      now += 1;
      const { id } = await plans.open(of, shownTo("person"));
      await plans.approve(id, "terminal");
      return id;
    };
    const [of, other] = [await approved(before), await approved(before, { ...call, stateHash: "other" })];
    expect(await after.approvedFor(call)).toBeUndefined();
    // The one of the present state, although another is newer.
    expect(await both.approvedFor(call)).toBe(of);
    expect(await both.approvedFor({ ...call, stateHash: "other" })).toBe(other);
    expect(await redeemed(both, of, call, "person")).toMatchObject([{ channel: "terminal" }]);
    await expect(redeemed(both, other, call, "person")).rejects.toMatchObject(
      refused("The state has changed since the preview."),
    );
    const last = await approved(before);
    await expect(redeemed(after, last, call, "person")).rejects.toMatchObject(
      refused("These are not the arguments that were approved."),
    );
    // New plans are made under the new key.
    const renewed = await approved(both);
    expect([await after.approvedFor(call), await before.approvedFor(call)]).toEqual([renewed, undefined]);
    expect(await redeemed(after, renewed, call, "person")).toMatchObject([{ channel: "terminal" }]);
  });

  it("plans are listed with their status, newest first", async () => {
    const { plans, open } = startTimed();
    const [one, two, three] = [await open("confirm"), await open("person"), await open("question")];
    await plans.approve(two.id, "page");
    await plans.refuse(three.id);
    expect((await plans.list()).map(({ plan, status }) => [plan.id, status])).toEqual([
      [three.id, "refused"],
      [two.id, "approved"],
      [one.id, "open"],
    ]);
  });

  it("open plans for persons are listed across owners, newest first", async () => {
    const { plans, pass, open } = startTimed();
    const [first, second, third] = [await open("person"), await open("person", "q"), await open("person")];
    for (const awaits of ["confirm", "question", "policy"] as const) await open(awaits);
    await plans.approve((await open("person")).id, "page");
    await plans.refuse((await open("person")).id);
    const waiting = async (most: number) => {
      const { records, count } = await plans.waitingForPerson(most);
      return [count, ...records.map(({ plan: { id } }) => id)];
    };
    expect(await waiting(9)).toEqual([3, third.id, second.id, first.id]);
    expect(await waiting(2)).toEqual([3, third.id, second.id]);
    pass(1_000 - 7);
    expect(await waiting(9)).toEqual([2, third.id, second.id]);
  });

  it("the version changes with plans for persons and with no others", async () => {
    const { plans, pass, open } = startTimed();
    const seen = new Set<string>();
    const isNew = async () => seen.size < seen.add(await plans.version()).size;
    const news = async (act: () => unknown) => {
      await act();
      return [await isNew(), await isNew()];
    };
    const first = await open("person");
    expect(await isNew()).toBe(true);
    const second = await open("person");
    for (const act of [
      () => undefined,
      () => plans.approve(first.id, "page", { name: "ann" }),
      () => plans.refuse(second.id),
      () => redeemed(plans, first.id, binding, "person"),
      () => open("person"),
      () => pass(10_000_000),
    ])
      expect([String(act), ...(await news(act))]).toEqual([String(act), true, false]);
    expect(await news(() => open("confirm"))).toEqual([false, false]);
  });

  it(promise("newest-of-owner", "makes way for its owner's newest, and never for another's"), async () => {
    const { plans, kept, open, now } = startTimed();
    const theirs = await open("confirm", "q");
    const used = await open("confirm");
    await redeemed(plans, used.id, binding, "confirm");
    const [first, second] = [await open("confirm"), await open("confirm")];
    // All but the last are kept like the second: each that is opened looks at all that are there.
    const more = Array.from({ length: 98 }, (_, at) => ({ ...second, id: `plan_${`${at}`.padStart(22, "0")}` }));
    await Promise.all(more.map((plan) => kept.add({ ...plan, createdAtMs: now() + 1 })));
    await open("confirm");
    expect((await plans.list()).filter(({ status }) => status === "open")).toHaveLength(101);
    await expect(redeemed(plans, first.id, binding, "confirm")).rejects.toMatchObject(
      refused("There is no such plan."),
    );
    await redeemed(plans, second.id, binding, "confirm");
    expect(await plans.find(used.id)).toMatchObject({ status: "redeemed" });
    await redeemed(plans, theirs.id, { ...binding, owner: "q" }, "confirm");
  });

  it("a plan is removed some time after it expired, and not before", async () => {
    const { plans, kept, pass, open, now } = startTimed();
    const { id, expiresAtMs } = await open("confirm");
    expect([86_400_000, 7 * 86_400_000]).toContain(kept.keptMs);
    pass(expiresAtMs + kept.keptMs - now() - 1);
    await open("confirm");
    expect(await plans.find(id)).toMatchObject({ status: "expired" });
    await open("confirm");
    expect(await plans.find(id)).toBeUndefined();
  });

  it("a plan too large drops its outline or prior state, or is refused", async () => {
    const plans = start();
    const text = "x".repeat(1_100_000);
    const kept = (state: unknown) => [{ tool: "things_delete", given: { id: 1 }, state }];
    const small = await plans.open(binding, { ...shownTo("confirm"), before: kept({ a: 1 }) });
    expect(await plans.find(small.id)).toMatchObject({ plan: { before: kept({ a: 1 }) } });
    const large = await plans.open(binding, { ...shownTo("confirm"), before: kept(text) });
    expect((await plans.find(large.id))?.plan).not.toHaveProperty("before");
    const { preview } = shownTo("confirm");
    const outline = Array.from({ length: 50_000 }, () => ({ is: "added" as const, count: 1 }));
    const many = { ...shownTo("confirm"), preview: { ...preview, outline }, before: kept({ a: 1 }) };
    const long = (await plans.find((await plans.open(binding, many)).id))?.plan;
    expect([long?.before, long?.preview.outline]).toEqual([kept({ a: 1 }), undefined]);
    await expect(
      plans.open(binding, { ...shownTo("confirm"), preview: { ...preview, summary: text } }),
    ).rejects.toMatchObject({ code: "too_large" });
  });
});
