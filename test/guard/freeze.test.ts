/** A call in a freeze that two persons can break: it waits for both, each with a reason, and the record has them. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CallOrigin, CallsOptions } from "../../src/calls/index.js";
import { createPlans } from "../../src/guard/index.js";
import type { PolicyRule } from "../../src/policy/file.js";
import { noPolicy, type Policy } from "../../src/policy/index.js";
import { windowOf } from "../../src/policy/window.js";
import { batch, planPreview } from "../../src/workflows/changes.js";
import { caller, start } from "../lab/made-up.js";
import { auditTo } from "../lab/options.js";
import { failureFrom, failureOf, planOf, previewOf } from "../lab/outcome.js";
import { promise } from "../lab/rules.js";

const [begins, ends] = ["2026-07-03T16:00:00Z", "2026-07-06T06:00:00Z"].map(Date.parse) as [number, number];
const window = windowOf("2026-07-03T16:00Z/2026-07-06T06:00Z") ?? expect.fail("It is a window.");
const frozen: PolicyRule = { id: "frozen", effect: "deny", during: [window], unless: { approvers: 2 } };
const policy: Policy = { ...noPolicy, rules: [{ ...frozen, tiers: ["guarded"] }], timeZone: "Europe/Berlin" };
const signedIn = (subject: string, reason?: string) => ({
  name: subject,
  subject: { subject, issuer: "https://a" },
  reason,
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: begins }));
afterEach(() => void vi.useRealTimers());

function begin(options: Partial<CallsOptions> = {}) {
  const lines: string[] = [];
  const plans = createPlans({ ttlMs: 600_000 });
  const { calls, sent } = start(() => ({ body: { id: 1, name: "n", version: 1 } }), {
    ...{ plans, policy, audit: auditTo(lines), ...options },
  });
  const call = (args: object = {}, how: Partial<CallOrigin> = {}) =>
    calls.call("thing_replace", { id: 1, body: { name: "m" }, ...args }, { ...caller, ...how });
  const recorded = (event: string) => lines.map((line) => JSON.parse(line)).filter((one) => one.event === event);
  return { call, calls, plans, recorded, writes: () => sent.filter((line) => !line.startsWith("GET ")) };
}

it(promise("freeze-takes-two-reasons", "two persons break a freeze, each with a reason"), async () => {
  const { call, plans, recorded, writes } = begin();
  const outcome = await call({}, { supportsElicitation: true });
  const { id, why, ...plan } = planOf(outcome);
  expect(plan).toMatchObject({ awaits: "person", approvers: 2, breaks: ["frozen"] });
  expect(why).toContain("ends on Mon 2026-07-06 at 08:00 in Europe/Berlin (2026-07-06T06:00:00Z)");
  expect(outcome).toMatchObject({ why: expect.stringContaining("each with a reason") });
  expect(previewOf(outcome).lines).toContain(
    "Frozen by the rule frozen: two persons have to approve it, each with a reason. The freeze ends on Mon 2026-07-06 at 08:00 in Europe/Berlin (2026-07-06T06:00:00Z).",
  );
  for (const reason of [undefined, "", "  "]) {
    const refused = await failureFrom(() => plans.approve(id, "page", signedIn("ann", reason)));
    expect(refused).toMatchObject({ code: "approval_refused", message: "Approving this call needs a reason." });
  }
  expect((await plans.find(id))?.approvals).toEqual([]);
  expect(await plans.approve(id, "page", signedIn("ann", "The shop is down"))).toBe(1);
  await call({ confirm: id });
  await call();
  expect(writes()).toEqual([]);
  await failureFrom(() => plans.approve(id, "page", signedIn("bob")));
  await failureFrom(() => plans.approve(id, "page", signedIn("ann", "Still down")));
  expect(await plans.approve(id, "page", signedIn("bob", "Agreed"))).toBe(0);
  expect((await call()).kind).toBe("answer");
  expect(writes()).toHaveLength(1);
  const [intent] = recorded("intent").filter(({ tool }) => tool === "thing_replace");
  expect(intent).toMatchObject({
    breaks: ["frozen"],
    policy: { rule: "frozen" },
    approvals: [
      { by: "ann", reason: "The shop is down" },
      { by: "bob", reason: "Agreed" },
    ],
  });
});

it("a call is frozen from the window's start to before its end", async () => {
  for (const [at, breaks] of [
    [begins - 1, undefined],
    [begins, ["frozen"]],
    [ends - 1, ["frozen"]],
    [ends, undefined],
  ] as const) {
    vi.setSystemTime(at);
    expect(planOf(await begin().call()).breaks).toEqual(breaks);
  }
});

it("what was approved before the freeze is void in it, even by two", async () => {
  for (const more of [
    {},
    {
      approvers: 2 as const,
      rules: [{ id: "two", effect: "approve" as const, approvers: 2 as const }, ...policy.rules],
    },
  ]) {
    vi.setSystemTime(begins - 1);
    const { call, plans, writes } = begin({ approval: "human", policy: { ...policy, ...more } });
    const { id } = planOf(await call());
    await plans.approve(id, "page", signedIn("ann"));
    if ("approvers" in more) await plans.approve(id, "page", signedIn("bob"));
    vi.setSystemTime(begins);
    const { code } = failureOf(await call());
    const record = await plans.find(id);
    expect([code, record?.status, writes()]).toEqual(["approval_refused", "void", []]);
    expect(record?.voidBecause).toBe("approvers" in more ? "freeze" : "approvers");
  }
});

it("a call for which two broke a freeze is made after its end as well", async () => {
  vi.setSystemTime(ends - 1);
  const { call, plans, writes } = begin();
  const { id } = planOf(await call());
  for (const name of ["ann", "bob"]) await plans.approve(id, "page", signedIn(name, "Down"));
  vi.setSystemTime(ends);
  expect([(await call()).kind, writes().length]).toEqual(["answer", 1]);
});

it("nothing breaks a freeze with approvals off; one call freezes a batch", async () => {
  const off = begin({ approval: "off" });
  expect(failureOf(await off.call()).code).toBe("not_allowed");
  const tools = new Map([["thing_replace", { service: "things", effect: "destructive" as const }]]);
  const one = { ...policy, rules: [{ ...frozen, objects: ["2"], tiers: ["guarded" as const] }] };
  const { calls } = begin({ tools, policy: one, workflows: { call_batch: async () => batch } });
  const each = [1, 2].map((id) => ({ id, body: { name: "m" } }));
  const { breaks, approvers } = planOf(
    await calls.call("call_batch", { tool: "thing_replace", arguments: each }, caller),
  );
  expect([breaks, approvers]).toEqual([["frozen"], 2]);
});

it("each freeze of a batch is named once, and two approve for all", async () => {
  const tools = new Map([["thing_replace", { service: "things", effect: "destructive" as const }]]);
  const rules = ["1", "2"].map((id): PolicyRule => ({ ...frozen, id: `of-${id}`, objects: [id], tiers: ["guarded"] }));
  const { calls } = begin({ tools, policy: { ...policy, rules }, workflows: { call_batch: async () => batch } });
  const each = [2, 3, 1, 2].map((id) => ({ id, body: { name: "m" } }));
  const outcome = await calls.call("call_batch", { tool: "thing_replace", arguments: each }, caller);
  expect(planOf(outcome)).toMatchObject({ breaks: ["of-2", "of-1"], approvers: 2 });
  const lines = previewOf(outcome).lines.filter((line) => line.startsWith("Frozen"));
  expect(lines.map((line) => line.slice(0, "Frozen by the rule of-2".length))).toEqual([
    "Frozen by the rule of-2",
    "Frozen by the rule of-1",
  ]);
});

it("a plan holds for the freezes that it names, and is void for one more", async () => {
  const later = windowOf("2026-07-04T00:00Z/2026-07-08T00:00Z") ?? expect.fail("It is a window.");
  const rules: PolicyRule[] = [...policy.rules, { ...frozen, id: "later", during: [later], tiers: ["guarded"] }];
  const laterBegins = Date.parse("2026-07-04T00:00:00Z");
  for (const [from, at, status] of [
    [laterBegins - 1, laterBegins, "void"],
    [ends - 1, ends, "done"],
  ] as const) {
    vi.setSystemTime(from);
    const { call, plans, writes } = begin({ policy: { ...policy, rules } });
    const { id } = planOf(await call());
    for (const name of ["ann", "bob"]) await plans.approve(id, "page", signedIn(name, "Down"));
    vi.setSystemTime(at);
    await call();
    const record = await plans.find(id);
    expect([record?.status, record?.voidBecause, writes().length]).toEqual(
      status === "void" ? [status, "freeze", 0] : [status, undefined, 1],
    );
  }
});

it("a frozen call that nobody can let through says when to come back", async () => {
  const { unless: _, ...closed } = frozen;
  const { call, recorded } = begin({ policy: { ...policy, rules: [{ ...closed, tiers: ["guarded"] }] } });
  const { code, detail } = failureOf(await call());
  expect([code, detail.why]).toEqual(["not_allowed", expect.stringContaining("(2026-07-06T06:00:00Z)")]);
  expect(detail.next).toMatch(/^Wait until the freeze ends/);
  expect(recorded("denied")).toHaveLength(1);
});

it("plan_get says which rule a plan breaks, and the reasons so far", async () => {
  const tools = new Map([["plan_get", { service: "operations", effect: "read" as const }]]);
  const { call, calls, plans } = begin({ tools, workflows: { plan_get: async () => planPreview } });
  const { id: plan } = planOf(await call());
  await plans.approve(plan, "page", signedIn("ann", "The shop is down"));
  const shown = { breaks: ["frozen"], reasons: ["The shop is down"], approvals: "1 of 2" };
  expect(await calls.call("plan_get", { plan }, caller)).toMatchObject({ kind: "workflow", result: shown });
});
