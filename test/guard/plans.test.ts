/** Plans, wherever they are kept: who may use one, once, and what everyone else is told. */
import { afterAll, describe, expect, it } from "vitest";
import type { Awaited, OperatorPlans, PlanStatus, Settlement, Through } from "../../src/guard/plan.js";
import { createPlans, type PlansOptions } from "../../src/guard/plans/index.js";
import { promise } from "../lab/rules.js";
import { binding, shownTo } from "./plan-binding.js";
import { removeDirectories, stores } from "./plan-stores.js";
import { redeemed } from "./redeemed.js";

const refused = (what: string, detail: object = {}) => ({
  code: "approval_refused",
  message: what,
  detail: expect.objectContaining(detail),
});
type Plans = OperatorPlans;
const through: Readonly<Record<Awaited, Through>> = {
  confirm: "confirm",
  question: "elicitation",
  person: "person",
  policy: "policy",
};

afterAll(removeDirectories);

describe.each(stores)("a plan %s", (_, storage) => {
  const start = (options: Partial<PlansOptions> = {}) =>
    createPlans({ ttlMs: 600_000, storage: storage(), ...options });

  it.each<[Awaited, string]>([
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
    await expect(redeemed(plans, id, binding, through[awaits])).rejects.toMatchObject(
      refused("This plan has been used.", {
        why: expect.stringContaining(`${how} at ${new Date(now).toISOString()}; it is in progress`),
      }),
    );
    await plans.settle(id, { state: "done", says: "it answered 201" });
    await plans.settle(id, { state: "failed", says: "it answered 500" });
    expect(await plans.find(id)).toMatchObject({ status: "done", outcome: "it answered 201" });
    await expect(redeemed(plans, id, binding, through[awaits])).rejects.toMatchObject(
      refused("This plan has been used.", { why: expect.stringContaining("it answered 201") }),
    );
  });

  it("a plan for a person is used by the same call only after approval", async () => {
    const shared = storage();
    const [asked, operator, later] = [0, 1, 2].map(() => start({ storage: shared })) as [Plans, Plans, Plans];
    const { id } = await asked.open(binding, shownTo("person"));
    expect(await later.approvedFor(binding)).toBeUndefined();
    await expect(redeemed(later, id, binding, "person")).rejects.toMatchObject(
      refused("No person has approved this plan yet.", { next: expect.stringContaining("edgewise approve") }),
    );
    await operator.approve(id, "terminal", { name: "ann" });
    expect(await operator.find(id)).toMatchObject({
      status: "approved",
      approvals: [{ channel: "terminal", by: "ann" }],
    });
    for (const change of [{ tool: "u" }, { account: "b" }, { owner: "q" }, { requestHash: "x" }])
      expect(await later.approvedFor({ ...binding, ...change })).toBeUndefined();
    expect(await later.approvedFor(binding)).toBe(id);
    expect(await redeemed(later, id, binding, "person")).toMatchObject([{ channel: "terminal", by: "ann" }]);
    expect(await later.approvedFor(binding)).toBeUndefined();
  });

  it("is approved by a person only while it waits for one", async () => {
    let now = 1_000;
    const plans = start({ ttlMs: 1_000, now: () => now });
    for (const awaits of ["confirm", "question"] as const) {
      const { id } = await plans.open(binding, shownTo(awaits));
      await expect(plans.approve(id, "page")).rejects.toMatchObject(
        refused("This plan does not wait for a person's approval."),
      );
      expect(await plans.find(id)).toMatchObject({ status: "open" });
    }
    const [late, no] = [await plans.open(binding, shownTo("person")), await plans.open(binding, shownTo("person"))];
    await plans.refuse(no.id, "terminal");
    await expect(plans.approve(no.id, "page")).rejects.toMatchObject(refused("This plan was refused."));
    now += 1_000;
    await expect(plans.approve(late.id, "page")).rejects.toMatchObject(refused("This plan has expired."));
    await expect(plans.approve("plan_x", "page")).rejects.toMatchObject(refused("There is no such plan."));
    expect(await plans.approvedFor(binding)).toBeUndefined();
  });

  it("is not extended by its approval", async () => {
    let now = 1_000;
    const plans = start({ ttlMs: 1_000, now: () => now });
    const { id } = await plans.open(binding, shownTo("person"));
    now += 999;
    await plans.approve(id, "page");
    expect(await plans.approvedFor(binding)).toBe(id);
    now += 1;
    expect(await plans.approvedFor(binding)).toBeUndefined();
    await expect(redeemed(plans, id, binding, "person")).rejects.toMatchObject(refused("This plan has expired."));
  });

  it(promise("own-channel", "a plan is approved only by its channel, and survives a wrong one"), async () => {
    const plans = start();
    for (const awaits of ["confirm", "question", "person"] as const) {
      const { id } = await plans.open(binding, shownTo(awaits));
      if (awaits === "person") await plans.approve(id, "page");
      for (const wrong of Object.values(through).filter((one) => one !== through[awaits]))
        await expect(redeemed(plans, id, binding, wrong)).rejects.toMatchObject(
          refused("This plan cannot be approved in this way.", { why: expect.stringContaining("It can only") }),
        );
      await redeemed(plans, id, binding, through[awaits]);
    }
  });

  it("expires to the millisecond", async () => {
    let now = 1_000_000;
    const plans = start({ ttlMs: 1_000, now: () => now });
    const [one, two] = [await plans.open(binding, shownTo("confirm")), await plans.open(binding, shownTo("confirm"))];
    now += 999;
    await redeemed(plans, one.id, binding, "confirm");
    now += 1;
    await expect(redeemed(plans, two.id, binding, "confirm")).rejects.toMatchObject(refused("This plan has expired."));
    expect(await plans.refuse(two.id)).toBe(false);
    expect(await plans.find(two.id)).toMatchObject({ status: "expired" });
  });

  const other = "These are not the arguments that were approved.";
  it.each([
    [{ requestHash: "other" }, other],
    [{ tool: "other" }, other],
    [{ account: "other" }, other],
    [{ stateHash: "other" }, "The state has changed since the preview."],
    [{ stateHash: undefined }, "The state has changed since the preview."],
  ])("is void once it was tried with %j", async (change, message) => {
    const plans = start();
    const { id } = await plans.open(binding, shownTo("confirm"));
    await expect(redeemed(plans, id, { ...binding, ...change }, "confirm")).rejects.toMatchObject(refused(message));
    await expect(redeemed(plans, id, binding, "confirm")).rejects.toMatchObject(refused("This plan is void."));
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
      await expect(attempt).rejects.toMatchObject(
        refused("The state has changed since the preview.", { next: expect.stringContaining(next) }),
      );
      await expect(attempt).rejects.not.toMatchObject({ detail: { next: expect.stringContaining("confirm") } });
    }
  });

  it(promise("plan-of-owner", "belongs to its owner: another owner neither sees nor uses nor voids it"), async () => {
    const plans = start();
    const { id } = await plans.open(binding, shownTo("confirm"));
    const theirs = await redeemed(plans, id, { ...binding, owner: "q" }, "confirm").catch((error: unknown) => error);
    const madeUp = `plan_${"A".repeat(22)}`;
    const none = await redeemed(plans, madeUp, binding, "confirm").catch((error: unknown) => error);
    expect(theirs).toEqual(none);
    expect(theirs).toMatchObject(refused("There is no such plan."));
    expect(await plans.findOwn(id, { ...binding, owner: "q" })).toBeUndefined();
    expect(await plans.findOwn(id, binding)).toMatchObject({ status: "open" });
    await redeemed(plans, id, binding, "confirm");
  });

  it("only a plan's owner, in its account, can find and refuse that plan", async () => {
    const plans = start();
    const { id } = await plans.open(binding, shownTo("question"));
    for (const other of [
      { ...binding, owner: "q" },
      { ...binding, account: "b" },
      { ...binding, owner: "q", account: "b" },
    ]) {
      expect(await plans.findOwn(id, other)).toBeUndefined();
      expect(await plans.refuseOwn(id, other, "elicitation")).toBe(false);
    }
    const madeUp = `plan_${"A".repeat(22)}`;
    expect(await plans.findOwn(madeUp, binding)).toBeUndefined();
    expect(await plans.refuseOwn(madeUp, binding, "elicitation")).toBe(false);
    expect(await plans.find(id)).toMatchObject({ status: "open" });
    expect(await plans.refuseOwn(id, binding, "elicitation")).toBe(true);
    expect(await plans.findOwn(id, binding)).toMatchObject({ status: "refused" });
  });

  it("a plan's outcome lists what was and was not made, where reported", async () => {
    const plans = start();
    const outcome = async (more: Pick<Settlement, "made" | "unmade">) => {
      const { id } = await plans.open(binding, shownTo("confirm"));
      await redeemed(plans, id, binding, "confirm");
      await plans.settle(id, { state: "failed", says: "it answered 400", ...more });
      const { unmade, made } = (await plans.find(id)) ?? {};
      return { unmade, made };
    };
    const both = { unmade: [1], made: [{ id: "A" }, null] };
    expect(await outcome(both)).toEqual(both);
    expect(await outcome({ unmade: [0] })).toEqual({ unmade: [0], made: undefined });
    expect(await outcome({})).toEqual({ unmade: undefined, made: undefined });
  });

  it("a plan names its account only to its owner in another account", async () => {
    const plans = start();
    const shown = shownTo("confirm");
    const { id } = await plans.open(binding, { ...shown, preview: { ...shown.preview, account: "account A" } });
    expect(await plans.madeElsewhere(id, { ...binding, account: "b" })).toBe("account A");
    for (const other of [binding, { ...binding, owner: "q" }, { ...binding, owner: "q", account: "b" }])
      expect(await plans.madeElsewhere(id, other)).toBeUndefined();
    expect(await plans.madeElsewhere(`plan_${"A".repeat(22)}`, { ...binding, account: "b" })).toBeUndefined();
  });

  it("only the redeemer of a plan may send, and only until its outcome", async () => {
    const shared = storage();
    const [plans, bystander] = [start({ storage: shared }), start({ storage: shared })];
    const { id } = await plans.open(binding, shownTo("confirm"));
    const notPermitted = refused("This plan does not permit sending.");
    await expect(plans.sending(id)).rejects.toMatchObject(notPermitted);
    await redeemed(plans, id, binding, "confirm");
    await expect(bystander.sending(id)).rejects.toMatchObject(notPermitted);
    await bystander.settle(id, { state: "done", says: "it answered 200" });
    expect(await plans.find(id)).toMatchObject({ status: "redeemed" });
    await plans.sending(id);
    await plans.sending(id);
    await plans.settle(id, { state: "unknown", says: "it ended with outcome_unknown" });
    await expect(plans.sending(id)).rejects.toMatchObject(notPermitted);
    await expect(redeemed(plans, id, binding, "confirm", { reader: "thing_get" })).rejects.toMatchObject(
      refused("This plan has been used.", {
        next: "Find out with thing_get whether it happened before you do anything else.",
      }),
    );
  });

  it("lets one of ten calls at once through", async () => {
    const plans = start();
    const { id } = await plans.open(binding, shownTo("confirm"));
    const calls = await Promise.allSettled(Array.from({ length: 10 }, () => redeemed(plans, id, binding, "confirm")));
    expect(calls.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it.each(["used", "refused", "expired"])(
    "that is valid, and then %s before it is redeemed, is refused",
    async (end) => {
      let now = 1_000;
      const shared = storage();
      const [plans, elsewhere] = [0, 1].map(() => start({ storage: shared, ttlMs: 1_000, now: () => now })) as [
        Plans,
        Plans,
      ];
      const { id } = await plans.open(binding, shownTo("confirm"));
      const { redeem } = await plans.redeemable(id, binding, "confirm");
      const { redeem: first } = await elsewhere.redeemable(id, binding, "confirm");
      expect(await elsewhere.find(id)).toMatchObject({ status: "open" });
      if (end === "used") expect(await first()).toEqual([{ channel: "confirm", atMs: now }]);
      else if (end === "refused") await elsewhere.refuse(id);
      else now += 1_000;
      const message =
        end === "used" ? "This plan has been used." : `This plan ${end === "refused" ? "was" : "has"} ${end}.`;
      for (const again of [redeem, first, redeem]) await expect(again()).rejects.toMatchObject(refused(message));
      await expect(plans.sending(id)).rejects.toMatchObject(refused("This plan does not permit sending."));
      await plans.settle(id, { state: "not_sent", says: "it was stopped" });
      expect(await elsewhere.find(id)).toMatchObject({ status: end === "used" ? "redeemed" : end });
      if (end === "used") await elsewhere.sending(id);
    },
  );

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

  it("is listed with what became of it, the newest first", async () => {
    let now = 1_000;
    const plans = start({ ttlMs: 1_000, now: () => now });
    const made: string[] = [];
    for (const awaits of ["confirm", "person", "question"] as const) {
      now += 1;
      made.unshift((await plans.open(binding, shownTo(awaits))).id);
    }
    await plans.approve(made[1] ?? "", "page");
    await plans.refuse(made[0] ?? "");
    const listed = await plans.list();
    expect(listed.map(({ plan }) => plan.id)).toEqual(made);
    expect(listed.map(({ status }) => status)).toEqual<PlanStatus[]>(["refused", "approved", "open"]);
  });

  it("open plans for persons are listed across owners, newest first", async () => {
    let now = 1_000;
    const plans = start({ ttlMs: 1_000, now: () => now });
    const open = async (awaits: Awaited, owner = "p") => {
      now += 1;
      return (await plans.open({ ...binding, owner }, shownTo(awaits))).id;
    };
    const [first, second, third] = [await open("person"), await open("person", "q"), await open("person")];
    for (const awaits of ["confirm", "question", "policy"] as const) await open(awaits);
    await plans.approve(await open("person"), "page");
    await plans.refuse(await open("person"));
    const waiting = async (most: number) => {
      const { records, count } = await plans.waitingForPerson(most);
      return [count, ...records.map(({ plan: { id } }) => id)];
    };
    expect(await waiting(9)).toEqual([3, third, second, first]);
    expect(await waiting(2)).toEqual([3, third, second]);
    now = 1_000 + 1 + 1_000;
    expect(await waiting(9)).toEqual([2, third, second]);
  });

  it("the version of plans follows plans for persons and no others", async () => {
    let now = 1_000;
    const plans = start({ ttlMs: 1_000, now: () => now });
    const seen = new Set<string>();
    const isNew = async () => seen.size < seen.add(await plans.version()).size;
    expect(await isNew()).toBe(true);
    await plans.open(binding, shownTo("confirm"));
    expect(await isNew()).toBe(false);
    const opened = async () => {
      const { id } = await plans.open(binding, shownTo("person"));
      expect(await isNew()).toBe(true);
      return id;
    };
    const [first, second] = [await opened(), await opened()];
    expect(await isNew()).toBe(false);
    await plans.approve(first, "page", { name: "ann" });
    expect(await isNew()).toBe(true);
    await plans.refuse(second);
    expect(await isNew()).toBe(true);
    await redeemed(plans, first, binding, "person");
    expect(await isNew()).toBe(true);
    await opened();
    now = 10_000_000;
    expect(await isNew()).toBe(true);
  });

  it(promise("newest-of-owner", "makes way for its owner's newest, and never for another's"), async () => {
    let now = 1_000;
    const kept = storage();
    const plans = start({ ttlMs: 1_000, now: () => now, storage: kept });
    const open = (owner: string) => {
      now += 1;
      return plans.open({ ...binding, owner }, shownTo("confirm"));
    };
    const theirs = await open("q");
    const used = await open("p");
    await redeemed(plans, used.id, binding, "confirm");
    const [first, second] = [await open("p"), await open("p")];
    // All but the last are kept like the second: each that is opened looks at all that are there.
    const more = Array.from({ length: 98 }, (_, at) => ({ ...second, id: `plan_${`${at}`.padStart(22, "0")}` }));
    await Promise.all(more.map((plan) => kept.add({ ...plan, createdAtMs: now + 1 })));
    now += 1;
    await open("p");
    expect((await plans.list()).filter(({ status }) => status === "open")).toHaveLength(101);
    await expect(redeemed(plans, first.id, binding, "confirm")).rejects.toMatchObject(
      refused("There is no such plan."),
    );
    await redeemed(plans, second.id, binding, "confirm");
    expect(await plans.find(used.id)).toMatchObject({ status: "redeemed" });
    await redeemed(plans, theirs.id, { ...binding, owner: "q" }, "confirm");
  });

  it("is forgotten some time after it expired, and not before", async () => {
    let now = 1_000;
    const kept = storage();
    const plans = start({ ttlMs: 1_000, now: () => now, storage: kept });
    const used = await plans.open(binding, shownTo("confirm"));
    await redeemed(plans, used.id, binding, "confirm");
    await plans.settle(used.id, { state: "done", says: "it answered 200" });
    expect([86_400_000, 7 * 86_400_000]).toContain(kept.keptMs);
    now = used.expiresAtMs + kept.keptMs;
    await plans.open(binding, shownTo("confirm"));
    expect(await plans.find(used.id)).toMatchObject({ status: "done" });
    now += 1;
    await plans.open(binding, shownTo("confirm"));
    expect(await plans.find(used.id)).toBeUndefined();
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
