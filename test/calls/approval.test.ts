/** Who approves a call, what a policy and a quota make of it, and which audit lines it leaves, without any protocol. */
import { describe, expect, it } from "vitest";
import type { Caller, CallsOptions } from "../../src/calls/index.js";
import { createPlans } from "../../src/guard/index.js";
import { memoryStorage } from "../../src/guard/plans/storage.js";
import { batch } from "../../src/own-tools/changes.js";
import { createQuotas, memoryCounters, noPolicy, type Policy } from "../../src/policy/index.js";
import { caller, start, type Upstream } from "../lab/made-up.js";
import { auditTo } from "../lab/options.js";
import { failureOf, planOf } from "../lab/outcome.js";
import { promise } from "../lab/rules.js";

const thing = { id: 1, name: "n", version: 1 };
const alive: Upstream = () => ({ body: thing });
const replacing = { id: 1, body: { name: "m" } };
const asking: Caller = { ...caller, supportsElicitation: true };
const policyOf = (...rules: Policy["rules"]): Policy => ({ ...noPolicy, rules });
const allowAll = policyOf({ id: "all", effect: "allow" });

function begin(options: Partial<CallsOptions> = {}, upstream = alive) {
  const lines: string[] = [];
  const plans = createPlans({ ttlMs: 600_000 });
  const made = start(upstream, { plans, audit: auditTo(lines), ...options });
  const events = () =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event !== "opened");
  return { ...made, plans, events, writes: () => made.sent.filter((line) => !line.startsWith("GET ")) };
}
describe("a call that says more than a question has room for", () => {
  const long = { id: 1, body: { name: "n".repeat(9_000) } };

  it("a call too long for a question waits for a person", async () => {
    const { calls, plans, writes } = begin();
    const outcome = await calls.call("thing_replace", long, asking);
    const plan = planOf(outcome);
    expect(outcome).toMatchObject({
      kind: "preview",
      why: expect.stringContaining("too long to be shown in a question"),
    });
    expect(plan.awaits).toBe("person");
    const decision = { plan: plan.id, isApproved: true };
    expect((await calls.call("thing_replace", long, { ...asking, decision })).kind).toBe("failure");
    expect((await calls.call("thing_replace", { ...long, confirm: plan.id }, caller)).kind).toBe("failure");
    expect(writes()).toEqual([]);
    await plans.approve(plan.id, "terminal", { name: "ann" });
    expect((await calls.call("thing_replace", long, asking)).kind).toBe("answer");
  });

  it("a call too long for a question is asked at a terminal", async () => {
    const { calls } = begin();
    expect((await calls.call("thing_replace", long, { ...asking, isUnattended: true })).kind).toBe("question");
  });
});

describe("approval human", () => {
  it("approval human: a person approves, and the same call goes once", async () => {
    const { calls, plans, writes } = begin({ approval: "human" });
    const plan = planOf(await calls.call("thing_replace", replacing, caller));
    expect(plan.awaits).toBe("person");
    const confirmed = await calls.call("thing_replace", { ...replacing, confirm: plan.id }, caller);
    expect(failureOf(confirmed)).toMatchObject({ code: "approval_refused" });
    expect(writes()).toEqual([]);
    await plans.approve(plan.id, "terminal", { name: "ann" });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => calls.call("thing_replace", replacing, caller)),
    );
    expect(outcomes.filter(({ kind }) => kind === "answer")).toHaveLength(1);
    expect(writes()).toHaveLength(1);
    expect((await calls.call("thing_replace", replacing, caller)).kind).toBe("preview");
  });

  it("approval human: an approval is for one owner and its arguments", async () => {
    const { calls, plans, writes } = begin({ approval: "human" });
    const plan = planOf(await calls.call("thing_replace", replacing, caller));
    await plans.approve(plan.id, "page", { name: "ann" });
    expect((await calls.call("thing_replace", replacing, { ...caller, owner: "other" })).kind).toBe("preview");
    expect((await calls.call("thing_replace", { ...replacing, body: { name: "x" } }, caller)).kind).toBe("preview");
    expect(writes()).toEqual([]);
  });

  it("approval human: the target of a critical call is typed", async () => {
    for (const [typed, kind] of [
      [undefined, "failure"],
      ["run 1 ", "failure"],
      ["exactly", "answer"],
    ] as const) {
      const { calls, writes } = begin({ approval: "human" });
      const question = await calls.call("thing_run", { id: 1 }, asking);
      if (question.kind !== "question") throw new Error(`It was a ${question.kind}.`);
      expect(question.needsTarget).toBe(true);
      const said = typed === "exactly" ? question.preview.target : typed;
      const decision = { plan: question.plan.id, isApproved: true, typed: said };
      const outcome = await calls.call("thing_run", { id: 1 }, { ...asking, decision });
      expect(outcome.kind === "failure" && outcome.failure.code === "approval_refused" ? "failure" : "answer").toBe(
        kind,
      );
      expect(writes()).toHaveLength(kind === "answer" ? 1 : 0);
    }
  });

  it("approval human: a failed question leaves it to a person", async () => {
    const { calls, writes } = begin({ approval: "human" });
    const question = planOf(await calls.call("thing_replace", replacing, asking));
    const plan = planOf(await calls.call("thing_replace", replacing, { ...asking, unanswered: question.id }));
    expect(plan.awaits).toBe("person");
    const late = { ...asking, decision: { plan: question.id, isApproved: true } };
    expect(failureOf(await calls.call("thing_replace", replacing, late)).message).toBe("This plan was refused.");
    expect(writes()).toEqual([]);
  });
});

describe("approval auto", () => {
  it("approval auto: confirm does not redeem the plan of a question", async () => {
    const { calls, writes } = begin();
    const plan = planOf(await calls.call("thing_replace", replacing, asking));
    const stolen = await calls.call("thing_replace", { ...replacing, confirm: plan.id }, caller);
    expect(failureOf(stolen)).toMatchObject({
      code: "approval_refused",
      message: "This plan cannot be approved in this way.",
    });
    expect(writes()).toEqual([]);
  });

  it(promise("empty-question-needs-person", "an unanswered question leaves the approval to a person"), async () => {
    const { calls, plans, writes } = begin();
    const question = planOf(await calls.call("thing_replace", replacing, asking));
    const outcome = await calls.call("thing_replace", replacing, { ...asking, unanswered: question.id });
    const plan = planOf(outcome);
    expect([plan.awaits, outcome.kind === "preview" && outcome.why]).toEqual([
      "person",
      expect.stringContaining("the same call asks the user again"),
    ]);
    for (const by of [caller, asking])
      expect(failureOf(await calls.call("thing_replace", { ...replacing, confirm: plan.id }, by)).code).toBe(
        "approval_refused",
      );
    expect((await calls.call("thing_replace", replacing, asking)).kind).toBe("question");
    expect(writes()).toEqual([]);
    await plans.approve(plan.id, "terminal", { name: "ann" });
    expect((await calls.call("thing_replace", replacing, asking)).kind).toBe("answer");
    expect(writes()).toHaveLength(1);
  });

  it("approval auto: a no of the user precedes a confirm", async () => {
    const { calls, plans, writes } = begin();
    const confirm = planOf(await calls.call("thing_replace", replacing, { ...caller, owner: "client:a/session:1" })).id;
    const by = { ...asking, owner: "client:a/session:1" };
    const question = planOf(await calls.call("thing_replace", replacing, by));
    const no = { ...by, decision: { plan: question.id, isApproved: false } };
    expect(failureOf(await calls.call("thing_replace", { ...replacing, confirm }, no)).code).toBe("declined");
    expect(await plans.find(question.id)).toMatchObject({ status: "refused" });
    expect(writes()).toEqual([]);
  });

  it("approval auto: an unattended call waits for a person", async () => {
    const { calls } = begin();
    expect(planOf(await calls.call("thing_replace", replacing, { ...caller, isUnattended: true })).awaits).toBe(
      "person",
    );
  });
});

describe("approval confirm", () => {
  it("approval confirm: no elicitation, and confirm is enough", async () => {
    const storage = memoryStorage();
    const before = begin({ plans: createPlans({ ttlMs: 600_000, storage }) });
    await before.calls.call("thing_replace", replacing, asking);
    const plans = createPlans({ ttlMs: 600_000, storage, isConfirmEnough: true });
    const { calls, writes } = begin({ approval: "confirm", plans });
    const plan = planOf(await calls.call("thing_replace", replacing, asking));
    expect(plan.awaits).toBe("confirm");
    expect((await calls.call("thing_replace", { ...replacing, confirm: plan.id }, asking)).kind).toBe("answer");
    expect(writes()).toHaveLength(1);
  });

  it("approval confirm: a terminal asks, and a script waits for a person", async () => {
    const { calls } = begin({ approval: "confirm" });
    const atTerminal = { ...asking, isUnattended: true };
    expect((await calls.call("thing_replace", replacing, atTerminal)).kind).toBe("question");
    const inScript = { ...caller, isUnattended: true };
    expect(planOf(await calls.call("thing_replace", replacing, inScript)).awaits).toBe("person");
  });
});

describe("approval off", () => {
  it("approval off: the policy approves on record, or refuses", async () => {
    const { calls, plans, writes, events } = begin({
      approval: "off",
      policy: policyOf({ id: "replacing", effect: "allow", tools: ["thing_replace"] }),
    });
    expect((await calls.call("thing_replace", replacing, caller)).kind).toBe("answer");
    expect(writes()).toHaveLength(1);
    expect(await plans.list()).toMatchObject([{ status: "done", approvals: [{ channel: "policy" }] }]);
    expect(events().at(-1)).toMatchObject({
      approvals: [{ channel: "policy" }],
      policy: { rule: "replacing" },
      code: "ok",
    });
    expect(failureOf(await calls.call("thing_run", { id: 1 }, asking))).toMatchObject({ code: "not_allowed" });
    expect(writes()).toHaveLength(1);
  });
});

describe("a policy", () => {
  it("a policy denies before anything else is read", async () => {
    const { calls, sent, events } = begin({
      policy: policyOf({ id: "never", effect: "deny", tools: ["thing_*"], tiers: ["guarded", "critical"] }),
    });
    expect(failureOf(await calls.call("thing_replace", replacing, caller))).toMatchObject({ code: "not_allowed" });
    expect(sent.filter((line) => line !== "GET /things/1")).toEqual([]);
    const [check, answered, denied, ...more] = events();
    expect([check, answered]).toMatchObject([{ purpose: "check" }, { purpose: "check", parent: denied?.["call"] }]);
    expect(denied).toMatchObject({ event: "denied", policy: { rule: "never" }, tier: expect.any(String) });
    expect(more).toEqual([]);
  });

  it("a policy denies a read wherever it is made", async () => {
    const { calls, sent } = begin({ policy: policyOf({ id: "blind", effect: "deny", tools: ["thing_get"] }) });
    expect(failureOf(await calls.call("thing_get", { id: 1 }, caller)).code).toBe("not_allowed");
    await expect(calls.invoke("thing_get", { id: 1 })).rejects.toMatchObject({ code: "not_allowed" });
    expect(failureOf(await calls.call("thing_replace", replacing, caller)).code).toBe("not_allowed");
    expect(sent).toEqual([]);
  });

  it("a policy has an unguarded write approved", async () => {
    const { calls, writes } = begin({ policy: policyOf({ id: "watch", effect: "approve", tiers: ["write"] }) });
    const update = { id: 1, body: { name: "m", version: 1 } };
    const plan = planOf(await calls.call("thing_update", update, caller));
    expect(writes()).toEqual([]);
    expect((await calls.call("thing_update", { ...update, confirm: plan.id }, caller)).kind).toBe("answer");
    const asked = planOf(await calls.call("thing_update", update, asking));
    expect(
      (await calls.call("thing_update", update, { ...asking, decision: { plan: asked.id, isApproved: true } })).kind,
    ).toBe("answer");
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
      const update = { id: 1, body: { name: "m", version: 1 } };
      const two = { tool: "thing_update", arguments: [update, update] };
      const tools = new Map([["thing_update", { service: "things", effect: "update" as const }]]);
      const { calls, writes } = begin({ policy, tools, workflows: { call_batch: async () => batch } });
      for (const [tool, args] of [
        ["thing_update", update],
        ["thing_replace", replacing],
        ["call_batch", two],
      ] as const) {
        isAllowed = false;
        const { id } = planOf(await calls.call(tool, { ...args }, asking));
        isAllowed = true;
        expect((await calls.call(tool, { ...args }, { ...asking, ...back(id) })).kind).not.toBe("answer");
        expect([tool, writes()]).toEqual([tool, []]);
      }
    },
  );

  it("a call that needs no approval refuses confirm", async () => {
    const { calls, sent } = begin();
    const update = { id: 1, body: { name: "m", version: 1 }, confirm: "plan_x" };
    expect(failureOf(await calls.call("thing_update", update, caller)).detail.fields).toMatchObject([
      { field: "confirm" },
    ]);
    expect(sent).toEqual([]);
  });

  it("a policy allows without approval, except with approval human", async () => {
    expect((await begin({ policy: allowAll }).calls.call("thing_replace", replacing, caller)).kind).toBe("answer");
    expect(
      (await begin({ policy: allowAll, approval: "human" }).calls.call("thing_replace", replacing, caller)).kind,
    ).toBe("preview");
  });

  it("a quota counts what is sent", async () => {
    const quotas = createQuotas(
      [{ id: "two", tools: ["thing_replace"], counts: "calls", per: "hour", max: 2 }],
      memoryCounters(),
    );
    const { calls, writes } = begin({ policy: allowAll, quotas });
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => calls.call("thing_replace", replacing, caller)));
    expect(outcomes.filter(({ kind }) => kind === "answer")).toHaveLength(2);
    expect(writes()).toHaveLength(2);
  });
});

it("a plan holds no secret that the upstream echoes", async () => {
  const { calls, plans } = begin({ secrets: ["hunter2-hunter2"] }, () => ({
    body: { ...thing, name: "say hunter2-hunter2" },
  }));
  const plan = planOf(await calls.call("thing_replace", replacing, caller));
  expect(JSON.stringify(await plans.find(plan.id))).not.toContain("hunter2");
  expect(plan.preview.lines).toContain('  name: "say [secret]" → m');
});

describe("the record", () => {
  it("audit lines before and after a call, and for what is not sent", async () => {
    const { calls, events } = begin();
    const by = { ...caller, client: { name: "desk", version: "2" }, session: "s1" };
    await calls.call("thing_get", { id: 1 }, by);
    const plan = planOf(await calls.call("thing_replace", replacing, by));
    await calls.call("thing_replace", { ...replacing, confirm: plan.id }, by);
    await calls.call("thing_get", { id: "x" }, by);
    const declined = planOf(await calls.call("thing_replace", replacing, { ...by, supportsElicitation: true }));
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
      who: caller.owner,
      client: { name: "desk", version: "2" },
      plan: plan.id,
      approvals: [{ channel: "confirm", at: expect.any(String) }],
      status: 200,
      ms: expect.any(Number),
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
    const { calls, plans, writes } = begin({ audit: { ...audit, intent } });
    const plan = planOf(await calls.call("thing_replace", replacing, caller));
    expect((await calls.call("thing_replace", { ...replacing, confirm: plan.id }, caller)).kind).toBe("failure");
    expect(writes()).toEqual([]);
    expect(await plans.find(plan.id)).toMatchObject({ status: "not_sent" });
  });
});

describe("several calls as one", () => {
  const tools = new Map([
    ["thing_replace", { service: "things", effect: "destructive" as const }],
    ["thing_get", { service: "things", effect: "read" as const }],
  ]);
  const workflows = { call_batch: async () => batch };
  const three = { tool: "thing_replace", arguments: [1, 2, 3].map((id) => ({ id, body: { name: `m${id}` } })) };

  it("a batch is one plan, sent once in order", async () => {
    const { calls, sent, writes } = begin({ tools, workflows });
    const plan = planOf(await calls.call("call_batch", three, caller));
    expect(plan.preview.lines.filter((line) => /^Call \d of 3: /.test(line))).toHaveLength(3);
    expect(plan.preview.target).toBe("3 calls");
    expect(writes()).toEqual([]);
    const outcome = await calls.call("call_batch", { ...three, confirm: plan.id }, caller);
    expect(outcome).toMatchObject({ kind: "workflow", result: { done: 3, failed: 0, unknown: 0, notAttempted: 0 } });
    expect(writes()).toEqual([1, 2, 3].map((id) => `PUT /things/${id}/all`));
    expect(failureOf(await calls.call("call_batch", { ...three, confirm: plan.id }, caller)).message).toBe(
      "This plan has been used.",
    );
    expect(sent.filter((line) => line.startsWith("PUT"))).toHaveLength(3);
  });

  it("a batch stops at the first unknown outcome", async () => {
    const { calls, plans, writes } = begin({ tools, workflows }, ({ method, url }) =>
      method === "PUT" && url.pathname === "/things/2/all" ? { status: 500 } : { body: thing },
    );
    const plan = planOf(await calls.call("call_batch", three, caller));
    const outcome = await calls.call("call_batch", { ...three, confirm: plan.id }, caller);
    expect(outcome).toMatchObject({ hasFailed: true, result: { done: 1, unknown: 1, notAttempted: 1 } });
    expect(writes()).toHaveLength(2);
    expect(await plans.find(plan.id)).toMatchObject({ status: "unknown" });
  });

  it("a batch continues after a refusal", async () => {
    const { calls } = begin({ tools, workflows }, ({ method, url }) =>
      method === "PUT" && url.pathname === "/things/2/all" ? { status: 409 } : { body: thing },
    );
    const plan = planOf(await calls.call("call_batch", three, caller));
    const outcome = await calls.call("call_batch", { ...three, confirm: plan.id }, caller);
    expect(outcome).toMatchObject({
      hasFailed: true,
      result: { done: 2, failed: 1, results: [{ status: 200 }, { error: "conflict" }, { status: 200 }] },
    });
  });

  it("a batch names its way back unless all were refused", async () => {
    const undoOf = async (refused: RegExp) => {
      const { calls } = begin({ tools, workflows }, ({ method, url }) =>
        method === "PUT" && refused.test(url.pathname) ? { status: 409 } : { body: thing },
      );
      const plan = planOf(await calls.call("call_batch", three, caller));
      const outcome = await calls.call("call_batch", { ...three, confirm: plan.id }, caller);
      return outcome.kind === "workflow" ? outcome.result["undo"] : outcome.kind;
    };
    expect([await undoOf(/2/), await undoOf(/./)]).toEqual([
      expect.stringMatching(/^To undo this, call change_restore/),
      undefined,
    ]);
  });

  it("a batch is checked before the first call is sent", async () => {
    const { calls, sent } = begin({ tools, workflows });
    const wrong = {
      tool: "thing_replace",
      arguments: [
        { id: 1, body: { name: "m" } },
        { id: 2, body: { nme: "m" } },
      ],
    };
    expect(failureOf(await calls.call("call_batch", wrong, caller)).detail.fields?.[0]?.field).toMatch(
      /^arguments\[1\]\.body\./,
    );
    const confirming = { tool: "thing_replace", arguments: [{ ...replacing, confirm: "plan_x" }] };
    expect(failureOf(await calls.call("call_batch", confirming, caller)).detail.fields?.[0]?.field).toBe(
      "arguments[0].confirm",
    );
    expect(sent.filter((line) => !line.startsWith("GET"))).toEqual([]);
  });

  it("a batch of reads needs no plan", async () => {
    const { calls } = begin({ tools, workflows });
    const reads = { tool: "thing_get", arguments: [{ id: 1 }, { id: 2 }] };
    expect(await calls.call("call_batch", reads, caller)).toMatchObject({ kind: "workflow", result: { done: 2 } });
  });

  it.each([{ tool: "call_batch" }, { tool: "nothing" }])("a batch of %j is refused", async (wrong) => {
    const { calls } = begin({ tools, workflows });
    const outcome = await calls.call("call_batch", { ...wrong, arguments: [{}] }, caller);
    expect(failureOf(outcome).detail.fields).toMatchObject([{ field: "tool" }]);
  });

  it("a batch has 50 calls at most", async () => {
    const { calls } = begin({ tools, workflows });
    const many = { tool: "thing_get", arguments: Array.from({ length: 51 }, (_, id) => ({ id: id + 1 })) };
    expect(failureOf(await calls.call("call_batch", many, caller)).code).toBe("invalid_input");
    const fifty = { ...many, arguments: many.arguments.slice(1) };
    expect(await calls.call("call_batch", fifty, caller)).toMatchObject({ kind: "workflow", result: { done: 50 } });
  });
});
