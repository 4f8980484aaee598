/** A call for which the policy asks for two persons is made after two have approved it, and by no other way. */
import { describe, expect, it } from "vitest";
import type { CallOrigin, CallsOptions } from "../../src/calls/index.js";
import { createPlans, type OperatorPlans, type Plan } from "../../src/guard/index.js";
import { noPolicy, type Policy } from "../../src/policy/index.js";
import { type Principal, scopes } from "../../src/policy/principal.js";
import { batch } from "../../src/workflows/changes.js";
import { caller, start } from "../lab/made-up.js";
import { auditTo } from "../lab/options.js";
import { planOf } from "../lab/outcome.js";
import { promise } from "../lab/rules.js";

const issuer = "https://login.example.com";
const carol: Principal = { subject: "carol", issuer, groups: ["ops"], client: "app", scopes: Object.values(scopes) };
const asking: CallOrigin = { ...caller, principal: carol, client: { name: "assistant", version: "1.0" } };
const asked: CallOrigin = { ...asking, supportsElicitation: true };
const replacing = { id: 1, body: { name: "m" } };
const forTwo: Policy = { ...noPolicy, rules: [{ id: "two", effect: "approve", tiers: ["guarded"], approvers: 2 }] };
const signedIn = (subject: string) => ({ name: subject, subject: { subject, issuer } });

function begin(options: Partial<CallsOptions> = {}) {
  const lines: string[] = [];
  const plans = createPlans({ ttlMs: 600_000 });
  const { calls, sent } = start(() => ({ body: { id: 1, name: "n", version: 1 } }), {
    ...{ plans, policy: forTwo, audit: auditTo(lines), ...options },
  });
  const call = (how: Partial<CallOrigin> = {}, args: object = {}) =>
    calls.call("thing_replace", { ...replacing, ...args }, { ...asking, ...how });
  return { calls, call, plans, lines, writes: () => sent.filter((line) => !line.startsWith("GET ")) };
}
it(promise("two-persons-wait", "a call for two persons waits although the user could be asked"), async () => {
  for (const how of [asking, asked, { ...asked, isUnattended: true }]) {
    const { call, plans } = begin();
    const outcome = await call(how);
    const plan = planOf(outcome);
    expect(plan).toMatchObject({ awaits: "person", approvers: 2 });
    expect(plan.why).toMatch(/^The call is guarded, because .*\. The policy's rule two matches this call\.$/);
    expect(plan.requester).toEqual({ subject: "carol", issuer, client: "app", software: "assistant 1.0" });
    expect(outcome).toMatchObject({ why: expect.stringContaining("two persons") });
    expect(await plans.waitingForPerson(1)).toMatchObject({ count: 1 });
  }
});

describe("one approval counts as one, whatever its channel", () => {
  type Way = (
    plan: Plan,
    plans: OperatorPlans,
  ) => Promise<{ readonly how?: Partial<CallOrigin>; readonly args?: object }>;
  const approving =
    (channel: "terminal" | "page", name: string): Way =>
    async ({ id }, plans) => {
      await plans.approve(id, channel, channel === "page" ? signedIn(name) : { name });
      return {};
    };
  const answering = (plan: string, typed?: string): Awaited<ReturnType<Way>> => ({
    how: { ...asked, decision: { plan, isApproved: true, ...(typed !== undefined && { typed }) } },
  });
  const ways: readonly (readonly [string, Way])[] = [
    ["confirm", async ({ id }) => ({ args: { confirm: id } })],
    ["the answer to a question", async ({ id }) => answering(id)],
    ["the answer with the target typed", async ({ id, preview }) => answering(id, preview.target)],
    ["a terminal", approving("terminal", "root")],
    ["the page", approving("page", "ann")],
    ["the same call", async () => ({})],
  ];

  it.each(ways)("%s alone", async (_, way) => {
    for (const approval of ["auto", "confirm", "human"] as const) {
      const { call, plans, writes } = begin({ approval });
      const plan = planOf(await call());
      const { how, args } = await way(plan, plans);
      await call(how, args);
      await call();
      await call({}, { confirm: plan.id });
      expect(writes()).toEqual([]);
    }
  });

  it.each(ways)("%s after that of one person", async (what, way) => {
    const { call, plans, writes, lines } = begin();
    const plan = planOf(await call());
    await plans.approve(plan.id, "page", { ...signedIn("bob"), reason: "planned" });
    const { how, args } = await way(plan, plans);
    await call(how, args);
    const isSecond = what === "a terminal" || what === "the page";
    expect(writes()).toHaveLength(isSecond ? 1 : 0);
    if (!isSecond) return;
    const intent = lines.map((line) => JSON.parse(line)).find(({ plan: id, event }) => id && event === "intent");
    expect(intent).toMatchObject({
      ...{ subject: "carol", issuer, oauthClient: "app" },
      approvals: [
        { by: "bob", subject: { subject: "bob", issuer }, reason: "planned" },
        { by: what === "the page" ? "ann" : "root" },
      ],
    });
  });

  it("a rule for two persons allows nothing denied or with approvals off", async () => {
    for (const options of [
      { approval: "off" },
      { policy: { ...forTwo, rules: [{ id: "no", effect: "deny" }] } },
    ] as const) {
      const { call, writes } = begin(options as Partial<CallsOptions>);
      expect(await call()).toMatchObject({ kind: "failure", failure: { code: "not_allowed" } });
      expect(writes()).toEqual([]);
    }
  });
});

it("a batch needs two persons if one of its calls does", async () => {
  const policy = { ...noPolicy, rules: [{ id: "two", effect: "approve", objects: ["2"], approvers: 2 }] } as const;
  const tools = new Map([["thing_replace", { service: "things", effect: "destructive" as const }]]);
  const { calls, plans, writes } = begin({ policy, tools, workflows: { call_batch: async () => batch } });
  const each = [1, 2].map((id) => ({ ...replacing, id }));
  const series = (more: object = {}) =>
    calls.call("call_batch", { tool: "thing_replace", arguments: each, ...more }, asking);
  const { id, approvers } = planOf(await series());
  expect(approvers).toBe(2);
  await plans.approve(id, "page", signedIn("ann"));
  await series({ confirm: id });
  expect(writes()).toEqual([]);
  await plans.approve(id, "page", signedIn("bob"));
  expect((await series()).kind).toBe("workflow");
  expect(writes()).toHaveLength(2);
});

it("a plan for one person is void once the policy requires two", async () => {
  const plans = createPlans({ ttlMs: 600_000 });
  const before = begin({ plans, policy: noPolicy });
  const { id } = planOf(await before.call());
  const after = begin({ plans });
  expect(await after.call({}, { confirm: id })).toMatchObject({
    failure: { code: "approval_refused", message: "Two persons have to approve this call." },
  });
  expect([...before.writes(), ...after.writes()]).toEqual([]);
});
