/** What holds of every store of state, and of two processes or instances that share one as far as it can be shared. */
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openAudit } from "../../src/audit/index.js";
import { verifyLog } from "../../src/audit/verify.js";
import { createPlans } from "../../src/guard/plans/index.js";
import type { Quota } from "../../src/policy/file.js";
import { newHandle, TextDocument } from "../../src/rows/result-store.js";
import type { State } from "../../src/state/index.js";
import { binding, shownTo } from "../guard/plan-binding.js";
import { redeemed } from "../guard/redeemed.js";
import { promise } from "../lab/rules.js";
import { closeOpened, closeStates, type OpenShared, states } from "./states.js";

afterEach(closeOpened);
afterAll(closeStates);

const plansOf = (state: State) => createPlans({ ttlMs: 600_000, storage: state.plans, now: state.now });
type Plans = ReturnType<typeof plansOf>;
const twoOf = async (open: () => OpenShared) => {
  const shared = open();
  return [await shared(), await shared()] as const;
};
/** Two that share all that is kept: of a directory, what the memory of its process has. */
const twoSharing = async (where: string, open: () => OpenShared) => {
  const [one, two] = await twoOf(open);
  return [one, where === "in a directory" ? one : two] as const;
};
const succeeded = async (attempts: readonly Promise<unknown>[]): Promise<number> =>
  (await Promise.allSettled(attempts)).filter(({ status }) => status === "fulfilled").length;
const quota = (own: Partial<Quota>): Quota => ({ id: "q", tools: ["*"], counts: "calls", per: "hour", max: 3, ...own });

describe.each(states)("state %s", (where, open) => {
  it("a plan redeemed by one process is not sent by the other", async () => {
    const [one, two] = (await twoOf(open)).map(plansOf) as [Plans, Plans];
    const { id } = await one.open(binding, shownTo("person"));
    await two.approve(id, "terminal", { name: "ann" });
    expect(await one.approvedFor(binding)).toBe(id);
    expect(await redeemed(one, id, binding, "person")).toMatchObject([{ channel: "terminal", by: "ann" }]);
    await expect(two.sending(id)).rejects.toThrow();
    await one.sending(id);
    await one.sending(id);
    expect((await two.find(id))?.status).toBe("sending");
    await one.settle(id, { state: "done", says: "it answered 201", made: [{ id: 7 }] });
    expect(await two.find(id)).toMatchObject({ status: "done", outcome: "it answered 201", made: [{ id: 7 }] });
  });

  it(promise("persons-in-shared-state", "persons who approve at once in two processes count once"), async () => {
    const both = (await twoOf(open)).map(plansOf) as [Plans, Plans];
    const forTwo = { ...binding, approvers: 2 } as const;
    for (const [names, persons] of [
      [["ann", "ann", "ann", "ann"], 1],
      [["ann", "Ann", "ANN", " ann"], 1],
      [["ann", "bob", "ann", "bob"], 2],
      [["Carol", "carol", "CAROL", "ann"], 1],
    ] as const) {
      const { id } = await both[0].open(forTwo, { ...shownTo("person"), requester: { subject: "carol" } });
      await Promise.allSettled(names.map((name, at) => both[at % 2 === 0 ? 0 : 1].approve(id, "page", { name })));
      const { status, approvals } = (await both[1].find(id)) ?? expect.fail();
      expect([names, approvals.length]).toEqual([names, persons]);
      expect(names).toEqual(expect.arrayContaining(approvals.map(({ by }) => by)));
      expect(status).toBe(persons === 2 ? "approved" : "open");
      const redeeming = both.map((plans) => redeemed(plans, id, forTwo, "person"));
      expect(await succeeded(redeeming)).toBe(persons === 2 ? 1 : 0);
    }
  });

  it.runIf(where === "in PostgreSQL")("a plan for two with one approval is not redeemed", async () => {
    const state = await open()();
    const shown = { ...shownTo("person"), requester: { subject: "carol" } };
    const { id } = await plansOf(state).open({ ...binding, approvers: 2 }, shown);
    const taken = {
      ...({ id, as: "redeemed", atMs: 1, channel: "page", approvedAtMs: 1 } as const),
      process: state.plans.holder(),
    };
    for (const mark of ["first", "approved"] as const) {
      expect(await state.plans.mark("taken", taken)).toBe(false);
      await state.plans.mark(mark, { id, channel: "page", atMs: 1 });
    }
    expect(await state.plans.mark("taken", taken)).toBe(true);
  });

  it("tokens are denied until they are allowed, or until a time", async () => {
    const [one, two] = await twoOf(open);
    const ann = { kind: "subject", value: "ann" } as const;
    const byKind = async () => (await one.deniedTokens()).toSorted((a, b) => a.kind.localeCompare(b.kind));
    await one.denyTokens({ ...ann, by: "root", untilMs: Date.now() - 1_000 });
    expect(await two.deniedTokens()).toEqual([]);
    await one.denyTokens({ ...ann, by: "root" });
    await two.denyTokens({ kind: "client", value: "ann", by: "root", untilMs: Date.now() + 60_000 });
    expect(await byKind()).toMatchObject([{ kind: "client", untilMs: expect.any(Number) }, ann]);
    await two.denyTokens({ ...ann, by: "other" });
    expect(await byKind()).toMatchObject([{ kind: "client" }, { kind: "subject", by: "other" }]);
    expect([await two.allowTokens(ann), await one.allowTokens(ann)]).toEqual([true, false]);
    expect(await one.deniedTokens()).toMatchObject([{ kind: "client", value: "ann", by: "root" }]);
  });

  it.each([
    ["a value", { rows: [{ a: 1, text: "é\u2028" }], none: null }],
    ["bytes", new Uint8Array([0, 1, 255])],
    ["a document", new TextDocument("image/svg+xml", "<svg/>")],
  ])("a stored result that is %s is read by its owner and account alone", async (_, content) => {
    const [{ results }, { results: reader }] = await twoSharing(where, open);
    const handle = newHandle();
    const context = { shows: { levels: ["rate"] }, previous: undefined };
    expect(await results.keep("ann", "one", handle, content, context)).toBe(true);
    expect(await reader.get("ann", "one", handle)).toMatchObject({ content, shows: { levels: ["rate"] } });
    expect(await reader.get("bob", "one", handle)).toBeUndefined();
    expect(await reader.get("ann", "two", handle)).toBeUndefined();
  });

  it("the last value under a name is remembered", async () => {
    const { results } = await open()();
    await results.remember("ann", "one", "sweep", { at: 1 });
    await results.remember("ann", "one", "sweep", { at: 2 });
    expect(await results.recall("ann", "one", "sweep")).toEqual({ at: 2 });
    expect(await results.recall("ann", "two", "sweep")).toBeUndefined();
  });

  it("concurrent calls count no more in a quota than it has room for", async () => {
    const [one, two] = await twoSharing(where, open);
    const counts = [{ quota: quota({}), amount: 1 }];
    const added = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? one : two).counters("account").add(counts)),
    );
    expect(added.filter((one) => typeof one === "function")).toHaveLength(3);
    expect(added.find((one) => typeof one !== "function")).toMatchObject({ used: 3, amount: 1 });
    expect(await two.counters("another").add(counts)).toBeTypeOf("function");
  });

  it("a call counts in all of its quotas or in none, and gives shares back", async () => {
    const counters = (await open()()).counters("account");
    const wide = quota({ id: "wide", per: "parallel", max: 5 });
    const tight = quota({ id: "tight", per: "parallel", max: 1 });
    const both = [wide, tight].map((one) => ({ quota: one, amount: 1 }));
    const first = await counters.add(both);
    expect(await counters.add(both)).toMatchObject({ quota: { id: "tight" }, used: 1 });
    expect(await counters.add([{ quota: wide, amount: 5 }])).toMatchObject({ used: 1 });
    if (typeof first === "function") await first();
    expect(await counters.add([{ quota: wide, amount: 5 }])).toBeTypeOf("function");
  });

  it("a ticket is used once, and used tickets are known", async () => {
    const [one, two] = await twoSharing(where, open);
    const later = Date.now() + 60_000;
    const uses = await Promise.all([one, two, one, two].map((state) => state.useTicket("ticket", later)));
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(await two.usedTickets(["another", "ticket"])).toEqual(new Set(["ticket"]));
    expect(await one.usedTickets([])).toEqual(new Set());
  });

  it("a secret file is known to the others by its instance's address", async () => {
    const shared = open();
    const [one, two, restarted] = [await shared(), await shared(), await shared()].map(({ instances }) => instances);
    if (!one || !two || !restarted) return expect(where).not.toBe("in PostgreSQL");
    await one.serveAt("http://one:3940/");
    await two.serveAt("http://two:3940/");
    await restarted.serveAt("http://one:3940/");
    const file = { directory: "ann", name: "a" };
    expect(await two.secretHolders.find(file)).toBeUndefined();
    await one.secretHolders.add(file);
    expect(await two.secretHolders.find(file)).toBe("http://one:3940/");
    expect(await two.secretHolders.find({ ...file, directory: "" })).toBeUndefined();
    expect(await one.secretHolders.find(file)).toBeUndefined();
    expect(await restarted.secretHolders.find(file)).toBeUndefined();
    await one.secretHolders.remove(file);
    expect(await two.secretHolders.find(file)).toBeUndefined();
  });

  it("changes are stopped for everyone until resumed", async () => {
    const [one, two] = await twoOf(open);
    expect(await two.writeStop()).toBeUndefined();
    expect(await one.stopWrites({ reason: "incident 4711", by: "ann" })).toBe(true);
    expect(await two.stopWrites({ reason: "again", by: "bob" })).toBe(false);
    expect(await two.writeStop()).toMatchObject({ reason: "incident 4711", by: "ann" });
    expect(await two.resumeWrites("bob")).toBe(true);
    expect(await one.writeStop()).toBeUndefined();
    expect(await one.resumeWrites("bob")).toBe(false);
    expect(await one.stopWrites({ reason: "once more", by: "ann" })).toBe(true);
    expect(await two.writeStop()).toMatchObject({ reason: "once more" });
  });

  it("each process writes a chain, and all verify together", async () => {
    const all = await twoOf(open);
    const call = { who: "ann", account: "one", tool: "x", args: "none" };
    for (const state of all) {
      const audit = openAudit({ open: state.openJournal, place: state.auditPlace, log: () => undefined, secrets: [] });
      await Promise.all(
        Array.from({ length: 20 }, async (_, at) => {
          const recorded = await audit.intent({ ...call, call: `c${at}`, tier: at % 3 === 0 ? "guarded" : "read" });
          await audit.outcome(recorded, { code: "ok", requests: 1, ms: 1 });
        }),
      );
      await audit.close();
    }
    const [{ auditSource }] = all;
    if (auditSource === undefined) return expect(where).toBe("in memory");
    const { files, lines, faults, notes, chains } = await verifyLog(auditSource);
    expect({ files, lines, faults, notes }).toEqual({ files: 2, lines: 84, faults: [], notes: [] });
    expect((await verifyLog(auditSource, chains)).faults).toEqual([]);
  });
});
