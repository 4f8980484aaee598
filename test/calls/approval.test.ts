/** Who approves a call, how the policy decides on it, and which audit lines it leaves, without any protocol. */
import { expect, it } from "vitest";
import type { CallOrigin, CallsOptions } from "../../src/calls/index.js";
import { createPlans } from "../../src/guard/index.js";
import { memoryPlanStorage } from "../../src/guard/plans/storage.js";
import { noPolicy, type Policy } from "../../src/policy/index.js";
import { batch } from "../../src/workflows/changes.js";
import { caller, start, type Upstream } from "../lab/made-up.js";
import { auditTo } from "../lab/options.js";
import { failureOf, planOf } from "../lab/outcome.js";
import { promise } from "../lab/rules.js";

const thing = { id: 1, name: "n", version: 1 };
const alive: Upstream = () => ({ body: thing });
const replacing = { id: 1, body: { name: "m" } };
const updating = { id: 1, body: { name: "m", version: 1 } };
const asking: CallOrigin = { ...caller, supportsElicitation: true };
const policyOf = (...rules: Policy["rules"]): Policy => ({ ...noPolicy, rules });
const allowAll = policyOf({ id: "all", effect: "allow" });

function begin(options: Partial<CallsOptions> = {}, upstream = alive) {
  const lines: string[] = [];
  const plans = createPlans({ ttlMs: 600_000 });
  const made = start(upstream, { plans, audit: auditTo(lines), ...options });
  const events = () =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event !== "opened");
  const kindOf = async (tool: string, args: object, by = caller) => (await made.calls.call(tool, { ...args }, by)).kind;
  const planned = async (tool: string, args: object, by = caller) =>
    planOf(await made.calls.call(tool, { ...args }, by));
  const refused = async (tool: string, args: object, by = caller) =>
    failureOf(await made.calls.call(tool, { ...args }, by));
  /** Previews a call and redeems its plan. */
  async function confirmed(tool: string, args: object, by = caller) {
    const plan = await planned(tool, args, by);
    return { plan, outcome: await made.calls.call(tool, { ...args, confirm: plan.id }, by) };
  }
  const writes = () => made.sent.filter((line) => !line.startsWith("GET "));
  return { ...made, plans, events, kindOf, planned, refused, confirmed, writes };
}

const long = { id: 1, body: { name: "n".repeat(9_000) } };

it("a call too long for a question waits for a person, or asks a terminal", async () => {
  const { calls, plans, kindOf, writes } = begin();
  const outcome = await calls.call("thing_replace", long, asking);
  const plan = planOf(outcome);
  const why = expect.stringContaining("too long to be shown in a question");
  expect([outcome, plan.awaits]).toMatchObject([{ kind: "preview", why }, "person"]);
  const decision = { plan: plan.id, isApproved: true };
  expect(await kindOf("thing_replace", long, { ...asking, decision })).toBe("failure");
  expect(await kindOf("thing_replace", { ...long, confirm: plan.id })).toBe("failure");
  expect(writes()).toEqual([]);
  await plans.approve(plan.id, "terminal", { name: "ann" });
  expect(await kindOf("thing_replace", long, asking)).toBe("answer");
  expect(await begin().kindOf("thing_replace", long, { ...asking, isUnattended: true })).toBe("question");
});

it("approval human: a person approves, and the same call is sent once", async () => {
  const { plans, kindOf, confirmed, writes } = begin({ approval: "human" });
  const { plan, outcome } = await confirmed("thing_replace", replacing);
  expect([plan.awaits, failureOf(outcome).code]).toEqual(["person", "approval_refused"]);
  expect(writes()).toEqual([]);
  await plans.approve(plan.id, "terminal", { name: "ann" });
  const kinds = await Promise.all(Array.from({ length: 10 }, () => kindOf("thing_replace", replacing)));
  expect(kinds.filter((kind) => kind === "answer")).toHaveLength(1);
  expect(writes()).toHaveLength(1);
  expect(await kindOf("thing_replace", replacing)).toBe("preview");
});

it("approval human: the target of a critical call is typed", async () => {
  for (const [typed, isRefused] of [
    [undefined, true],
    ["run 1 ", true],
    ["exactly", false],
  ] as const) {
    const { calls, writes } = begin({ approval: "human" });
    const question = await calls.call("thing_run", { id: 1 }, asking);
    if (question.kind !== "question") throw new Error(`It was a ${question.kind}.`);
    expect(question.needsTarget).toBe(true);
    const said = typed === "exactly" ? question.preview.target : typed;
    const decision = { plan: question.plan.id, isApproved: true, typed: said };
    const outcome = await calls.call("thing_run", { id: 1 }, { ...asking, decision });
    expect(outcome.kind === "failure" && outcome.failure.code === "approval_refused").toBe(isRefused);
    expect(writes()).toHaveLength(isRefused ? 0 : 1);
  }
});

it("approval human: a failed question leaves the approval to a person", async () => {
  const { planned, refused, writes } = begin({ approval: "human" });
  const question = await planned("thing_replace", replacing, asking);
  const plan = await planned("thing_replace", replacing, { ...asking, unanswered: question.id });
  expect(plan.awaits).toBe("person");
  const late = { ...asking, decision: { plan: question.id, isApproved: true } };
  expect((await refused("thing_replace", replacing, late)).code).toBe("approval_refused");
  expect(writes()).toEqual([]);
});

it(promise("empty-question-needs-person", "an unanswered question leaves the approval to a person"), async () => {
  const { calls, plans, kindOf, planned, refused, writes } = begin();
  const question = await planned("thing_replace", replacing, asking);
  const outcome = await calls.call("thing_replace", replacing, { ...asking, unanswered: question.id });
  const plan = planOf(outcome);
  const why = expect.stringContaining("the same call asks the user again");
  expect([outcome, plan.awaits]).toMatchObject([{ kind: "preview", why }, "person"]);
  for (const by of [caller, asking])
    expect((await refused("thing_replace", { ...replacing, confirm: plan.id }, by)).code).toBe("approval_refused");
  expect(await kindOf("thing_replace", replacing, asking)).toBe("question");
  expect(writes()).toEqual([]);
  await plans.approve(plan.id, "terminal", { name: "ann" });
  expect(await kindOf("thing_replace", replacing, asking)).toBe("answer");
  expect(writes()).toHaveLength(1);
});

it("approval auto: the user's no takes precedence over a confirm", async () => {
  const { plans, planned, refused, writes } = begin();
  const by = { ...asking, owner: "client:a/session:1" };
  const { id: confirm } = await planned("thing_replace", replacing, { ...by, supportsElicitation: false });
  const question = await planned("thing_replace", replacing, by);
  const no = { ...by, decision: { plan: question.id, isApproved: false } };
  expect((await refused("thing_replace", { ...replacing, confirm }, no)).code).toBe("declined");
  expect(await plans.find(question.id)).toMatchObject({ status: "refused" });
  expect(writes()).toEqual([]);
});

it("approval confirm: no elicitation, and confirm is enough", async () => {
  const storage = memoryPlanStorage();
  const before = begin({ plans: createPlans({ ttlMs: 600_000, storage }) });
  await before.planned("thing_replace", replacing, asking);
  const plans = createPlans({ ttlMs: 600_000, storage, isConfirmEnough: true });
  const { confirmed, writes } = begin({ approval: "confirm", plans });
  const { plan, outcome } = await confirmed("thing_replace", replacing, asking);
  expect([plan.awaits, outcome.kind]).toEqual(["confirm", "answer"]);
  expect(writes()).toHaveLength(1);
});

it("a terminal asks, and a script waits for a person", async () => {
  for (const approval of ["confirm", "auto"] as const) {
    const { kindOf, planned } = begin({ approval });
    expect(await kindOf("thing_replace", replacing, { ...asking, isUnattended: true })).toBe("question");
    const plan = await planned("thing_replace", replacing, { ...caller, isUnattended: true });
    expect([approval, plan.awaits]).toEqual([approval, "person"]);
  }
});

it("approval off: the policy approves on record, or refuses", async () => {
  const policy = policyOf({ id: "replacing", effect: "allow", tools: ["thing_replace"] });
  const { plans, kindOf, refused, writes, events } = begin({ approval: "off", policy });
  expect(await kindOf("thing_replace", replacing)).toBe("answer");
  expect(writes()).toHaveLength(1);
  const approvals = [{ channel: "policy" }];
  expect(await plans.list()).toMatchObject([{ status: "done", approvals }]);
  expect(events().at(-1)).toMatchObject({ approvals, policy: { rule: "replacing" }, code: "ok" });
  expect((await refused("thing_run", { id: 1 }, asking)).code).toBe("not_allowed");
  expect(writes()).toHaveLength(1);
});

it("a policy denies before anything else is read", async () => {
  const policy = policyOf({ id: "never", effect: "deny", tools: ["thing_*"], tiers: ["guarded", "critical"] });
  const { refused, sent, events } = begin({ policy });
  expect((await refused("thing_replace", replacing)).code).toBe("not_allowed");
  expect(sent.filter((line) => line !== "GET /things/1")).toEqual([]);
  const [check, answered, denied, ...more] = events();
  expect([check, answered]).toMatchObject([{ purpose: "check" }, { purpose: "check", parent: denied?.["call"] }]);
  expect(denied).toMatchObject({ event: "denied", policy: { rule: "never" }, tier: expect.any(String) });
  expect(more).toEqual([]);
});

it("a policy denies a read wherever it is made", async () => {
  const policy = policyOf({ id: "blind", effect: "deny", tools: ["thing_get"] });
  const { calls, refused, sent } = begin({ policy });
  expect((await refused("thing_get", { id: 1 })).code).toBe("not_allowed");
  await expect(calls.invoke("thing_get", { id: 1 })).rejects.toMatchObject({ code: "not_allowed" });
  expect((await refused("thing_replace", replacing)).code).toBe("not_allowed");
  expect(sent).toEqual([]);
});

it("a policy can require an approval for an unguarded write", async () => {
  const policy = policyOf({ id: "watch", effect: "approve", tiers: ["write"] });
  const { kindOf, planned, confirmed, writes } = begin({ policy });
  const asked = await planned("thing_update", updating, asking);
  expect(writes()).toEqual([]);
  const decision = { plan: asked.id, isApproved: true };
  expect(await kindOf("thing_update", updating, { ...asking, decision })).toBe("answer");
  expect((await confirmed("thing_update", updating)).outcome.kind).toBe("answer");
  expect(writes()).toHaveLength(2);
});

it.each([
  ["said no", (plan: string) => ({ decision: { plan, isApproved: false } })],
  ["said nothing", (plan: string) => ({ unanswered: plan })],
])(
  promise("asked-policy-needs-yes", "a call allowed after a question is not sent where the user %s"),
  async (_, back) => {
    let isAllowed = false;
    const rules = () => [
      { id: "hours", effect: isAllowed ? "allow" : "approve", tiers: ["write", "guarded"] } as const,
    ];
    const policy: Policy = Object.defineProperty({ ...noPolicy }, "rules", { get: rules });
    const two = { tool: "thing_update", arguments: [updating, updating] };
    const tools = new Map([["thing_update", { service: "things", effect: "update" as const }]]);
    const { kindOf, planned, writes } = begin({ policy, tools, workflows: { call_batch: async () => batch } });
    for (const [tool, args] of [
      ["thing_update", updating],
      ["thing_replace", replacing],
      ["call_batch", two],
    ] as const) {
      isAllowed = false;
      const { id } = await planned(tool, args, asking);
      isAllowed = true;
      expect(await kindOf(tool, args, { ...asking, ...back(id) })).not.toBe("answer");
      expect([tool, writes()]).toEqual([tool, []]);
    }
  },
);

it("an allowed call takes no confirm, but approval human needs a plan", async () => {
  const { refused, sent } = begin();
  const { detail } = await refused("thing_update", { ...updating, confirm: "plan_x" });
  expect(detail.fields).toMatchObject([{ field: "confirm" }]);
  expect(sent).toEqual([]);
  expect(await begin({ policy: allowAll }).kindOf("thing_replace", replacing)).toBe("answer");
  expect(await begin({ policy: allowAll, approval: "human" }).kindOf("thing_replace", replacing)).toBe("preview");
});

it("a plan holds no secret that the upstream echoes", async () => {
  const body = { ...thing, name: "say hunter2-hunter2" };
  const { plans, planned } = begin({ secrets: ["hunter2-hunter2"] }, () => ({ body }));
  const plan = await planned("thing_replace", replacing);
  expect(JSON.stringify(await plans.find(plan.id))).not.toContain("hunter2");
  expect(plan.preview.lines).toContain('  name: "say [secret]" → m');
});

it("audit lines before and after a call, and for what is not sent", async () => {
  const { calls, events, planned, confirmed } = begin();
  const by = { ...caller, client: { name: "desk", version: "2" }, session: "s1" };
  await calls.call("thing_get", { id: 1 }, by);
  const { plan } = await confirmed("thing_replace", replacing, by);
  await calls.call("thing_get", { id: "x" }, by);
  const declined = await planned("thing_replace", replacing, { ...by, supportsElicitation: true });
  await calls.call("thing_replace", replacing, { ...by, decision: { plan: declined.id, isApproved: false } });
  const own = events().filter(({ parent }) => parent === undefined);
  expect(own.map(({ event, tool, tier, code }) => [event, tool, tier, code])).toEqual([
    ["intent", "thing_get", "read", undefined],
    ["outcome", "thing_get", "read", "ok"],
    ["preview", "thing_replace", "guarded", undefined],
    ["intent", "thing_replace", "guarded", undefined],
    ["outcome", "thing_replace", "guarded", "ok"],
    ["refused", "thing_get", undefined, "invalid_input"],
    ["preview", "thing_replace", "guarded", undefined],
    ["declined", "thing_replace", "guarded", undefined],
  ]);
  expect(own[4]).toMatchObject({
    ...{ who: caller.owner, client: by.client, plan: plan.id, status: 200, ms: expect.any(Number) },
    approvals: [{ channel: "confirm", at: expect.any(String) }],
  });
  expect(new Set(own.map(({ args }) => args)).size).toBe(3);
  const inner = events().filter(({ parent }) => parent !== undefined);
  expect(new Set(inner.map(({ tool, purpose }) => `${tool} ${purpose}`))).toEqual(
    new Set(["thing_get check", "thing_get state"]),
  );
  const callsMade = new Set(own.map(({ call }) => call));
  expect(callsMade.size).toBe(6);
  expect(inner.filter(({ parent }) => !callsMade.has(parent))).toEqual([]);
});

it("an audit failure stops a guarded call before it is sent", async () => {
  const audit = auditTo([]);
  const intent: typeof audit.intent = async (line) =>
    line.tier === "read" ? audit.intent(line) : Promise.reject(new Error("the disk is full"));
  const { plans, confirmed, writes } = begin({ audit: { ...audit, intent } });
  const { plan, outcome } = await confirmed("thing_replace", replacing);
  expect(outcome.kind).toBe("failure");
  expect(writes()).toEqual([]);
  expect(await plans.find(plan.id)).toMatchObject({ status: "not_sent" });
});

const tools = new Map([
  ["thing_replace", { service: "things", effect: "destructive" as const }],
  ["thing_get", { service: "things", effect: "read" as const }],
]);
const workflows = { call_batch: async () => batch };
const three = { tool: "thing_replace", arguments: [1, 2, 3].map((id) => ({ id, body: { name: `m${id}` } })) };
/** A batch in which the changes of some things are answered with this status. */
const failing = (of: RegExp, status: number) =>
  begin({ tools, workflows }, ({ method, url }) =>
    method === "PUT" && of.test(url.pathname) ? { status } : { body: thing },
  );

it("a batch has one plan, and is sent once, in order", async () => {
  const { planned, refused, kindOf, calls, writes } = begin({ tools, workflows });
  const plan = await planned("call_batch", three);
  expect(plan.preview.lines.filter((line) => /^Call \d of 3: /.test(line))).toHaveLength(3);
  expect(plan.preview.target).toBe("3 calls");
  expect(writes()).toEqual([]);
  const confirm = { ...three, confirm: plan.id };
  const result = { done: 3, failed: 0, unknown: 0, notAttempted: 0 };
  expect(await calls.call("call_batch", confirm, caller)).toMatchObject({ kind: "workflow", result });
  expect((await refused("call_batch", confirm)).code).toBe("approval_refused");
  expect(writes()).toEqual([1, 2, 3].map((id) => `PUT /things/${id}/all`));
  const reads = { tool: "thing_get", arguments: [{ id: 1 }, { id: 2 }] };
  expect(await kindOf("call_batch", reads)).toBe("workflow");
});

it("a batch stops at the first unknown outcome", async () => {
  const { plans, confirmed, writes } = failing(/2/, 500);
  const { plan, outcome } = await confirmed("call_batch", three);
  expect(outcome).toMatchObject({ hasFailed: true, result: { done: 1, unknown: 1, notAttempted: 1 } });
  expect(writes()).toHaveLength(2);
  expect(await plans.find(plan.id)).toMatchObject({ status: "unknown" });
});

it("a batch continues after a refusal, and offers its undo", async () => {
  const { outcome } = await failing(/2/, 409).confirmed("call_batch", three);
  const results = [{ status: 200 }, { error: "conflict" }, { status: 200 }];
  const undo = expect.stringMatching(/^To undo this, call change_restore/);
  expect(outcome).toMatchObject({ hasFailed: true, result: { done: 2, failed: 1, results, undo } });
  const { outcome: none } = await failing(/./, 409).confirmed("call_batch", three);
  expect(none).toMatchObject({ kind: "workflow", result: { done: 0 } });
  expect(none).not.toHaveProperty("result.undo");
});

it.each([{ tool: "call_batch" }, { tool: "nothing" }])("a batch of %j is refused", async (wrong) => {
  const { detail } = await begin({ tools, workflows }).refused("call_batch", { ...wrong, arguments: [{}] });
  expect(detail.fields).toMatchObject([{ field: "tool" }]);
});

it("a batch has 50 calls at most", async () => {
  const { calls, refused } = begin({ tools, workflows });
  const many = { tool: "thing_get", arguments: Array.from({ length: 51 }, (_, id) => ({ id: id + 1 })) };
  expect((await refused("call_batch", many)).code).toBe("invalid_input");
  const fifty = { ...many, arguments: many.arguments.slice(1) };
  expect(await calls.call("call_batch", fifty, caller)).toMatchObject({ kind: "workflow", result: { done: 50 } });
});
