/** Drafts of composed changes: written after the approval and before the call that puts them into effect, or not at all. */
import { expect, it } from "vitest";
import type { Draft } from "../../src/calls/context.js";
import { composedChange } from "../../src/calls/workflow.js";
import { createPlans } from "../../src/guard/index.js";
import { z } from "../../src/language/z.js";
import type { PolicyRule } from "../../src/policy/file.js";
import { noPolicy } from "../../src/policy/index.js";
import { caller, start } from "../lab/made-up.js";
import { auditTo } from "../lab/options.js";
import { failureOf, planOf, previewOf } from "../lab/outcome.js";

const tool = "thing_publish";
const update = (name: string) => ({ tool: "thing_update", args: { id: 2, body: { name, version: 1 } } });
const ifLeft = "A draft is left: discard it.";
const args = { id: 1 };

/** Calls of a composed change with a draft, over an upstream in which a request may fail. */
function world(
  options: Parameters<typeof start>[1] & {
    calls?: Draft["calls"];
    fails?: number;
    status?: number;
    makes?: "thing_run" | undefined;
  } = {},
) {
  const { calls: drafted = [update("a"), update("b")], fails, status = 409, makes, ...others } = options;
  const sent: string[] = [];
  const present = { from: "first" };
  const publish = composedChange({
    title: "Publishes",
    does: "Publishes a draft.",
    steps: ["Write the draft.", "Publish it."],
    example: args,
    input: z.strictObject({ id: z.int() }),
    makes: makes ?? "thing_replace",
    async compose({ id }) {
      const prepared = makes ? { id } : { id, body: { name: "n" } };
      return { args: prepared, draft: { calls: drafted, from: present.from, ifLeft } };
    },
  });
  const started = start(
    ({ method, url, body }) => {
      if (method === "GET") return { body: { id: 1, name: "n", version: 1 } };
      const text = body === undefined ? "" : Buffer.from(body).toString();
      sent.push(`${method} ${url.pathname} ${JSON.parse(text).name}`);
      return sent.length === fails ? { status, body: {} } : { body: { id: 1, name: "n", version: 2 } };
    },
    { workflows: { [tool]: async () => publish }, ...others },
  );
  const call = (more = {}) => started.calls.call(tool, { ...args, ...more }, caller);
  const previewed = async () => planOf(await call());
  const confirmed = async () => call({ confirm: (await previewed()).id });
  return { sent, requests: started.sent, present, call, previewed, confirmed };
}
const denying = { id: "no", effect: "deny", tools: ["thing_update"] } as const;
const guarded = { tool: "thing_replace", args: { id: 2, body: { name: "n" } } };
const all = ["PUT /things/2 a", "PUT /things/2 b", "PUT /things/1/all n"];

it("a draft is sent after the approval, before the call of its change", async () => {
  const { sent, previewed, call } = world();
  const { id: confirm } = await previewed();
  expect(sent).toEqual([]);
  for (const kind of ["answer", "failure"]) {
    expect((await call({ confirm })).kind).toBe(kind);
    expect(sent).toEqual(all);
  }
});

it("the digest of a composed change covers its draft", async () => {
  const digests = await Promise.all(
    [[update("a")], [update("a")], [update("b")], []].map(
      async (calls) => (await world({ calls }).previewed()).preview.digest,
    ),
  );
  expect(new Set(digests).size).toBe(3);
  expect(digests[0]).toBe(digests[1]);
});

it("a composed change is refused once the source of its draft changes", async () => {
  const { sent, present, previewed, call } = world();
  const { id: confirm } = await previewed();
  present.from = "second";
  expect(failureOf(await call({ confirm })).code).toBe("approval_refused");
  expect(sent).toEqual([]);
});

it.each([
  [1, 1, "The draft could not be completed", false],
  [2, 2, "The draft could not be completed", true],
  [3, 3, "thing_replace ", true],
])("a draft stops where request %i fails, and says what is left", async (fails, made, said, isLeft) => {
  const { sent, confirmed } = world({ fails });
  const { code, message, detail } = failureOf(await confirmed());
  expect(sent).toEqual(all.slice(0, made));
  expect([code, message.startsWith(said)]).toEqual(["conflict", true]);
  expect(detail.next.startsWith(ifLeft)).toBe(isLeft);
  expect(detail.next.replace(`${ifLeft} `, "")).toMatch(/^[A-Z]/);
});

it("a draft that may be in effect is not reported as left", async () => {
  const { confirmed } = world({ fails: 3, status: 503 });
  const outcome = await confirmed();
  expect(outcome).toMatchObject({ failure: { code: "outcome_unknown" } });
  expect(JSON.stringify(outcome)).not.toContain(ifLeft);
});

it.each<[string, Parameters<typeof world>[0], string]>([
  ["by the policy", { policy: { ...noPolicy, rules: [denying] } }, "not_allowed"],
  ["by a read-only server", { isReadOnly: true }, "not_allowed"],
  ["for its arguments", { calls: [{ tool: "thing_update", args: { id: "x" } }] }, "invalid_input"],
  ["as one that needs an approval by itself", { calls: [guarded], onFault: () => undefined }, "internal"],
])("a composed change is refused with its draft %s, and sends nothing", async (_, options, code) => {
  const { call, sent } = world(options);
  expect(failureOf(await call()).code).toBe(code);
  expect(sent).toEqual([]);
});

const freeze = (id: string, ...tools: string[]): PolicyRule => ({
  ...{ id, effect: "deny", tools },
  unless: { approvers: 2 },
});
const [ofDraft, ofCall] = [freeze("of-draft", "thing_update"), freeze("of-call", "thing_replace")];

it("a frozen draft holds back its whole change until two persons approve", async () => {
  const [plans, lines] = [createPlans({ ttlMs: 600_000 }), [] as string[]];
  const { sent, call } = world({ plans, audit: auditTo(lines), policy: { ...noPolicy, rules: [ofDraft] } });
  const { id: confirm } = planOf(await call());
  for (const name of ["ann", "bob"]) {
    expect(failureOf(await call({ confirm })).code).toBe("approval_refused");
    await plans.approve(confirm, "page", { name, subject: { subject: name, issuer: "https://a" }, reason: "Down" });
  }
  expect(sent).toEqual([]);
  expect([(await call({ confirm })).kind, sent]).toEqual(["answer", all]);
  const intents = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "intent");
  expect(intents.find((line) => line.tool === tool)).toMatchObject({
    ...{ makes: "thing_replace", tier: "guarded", breaks: ["of-draft"] },
    policy: { rule: "of-draft" },
  });
});

it.each<[string, readonly PolicyRule[], readonly string[] | undefined]>([
  ["its draft's", [ofDraft], ["of-draft"]],
  ["its call's", [ofCall], ["of-call"]],
  ["one of both", [freeze("both", "thing_update", "thing_replace")], ["both"]],
  ["one of each, the graver first", [ofDraft, ofCall], ["of-call", "of-draft"]],
  ["none", [freeze("other", "thing_part_create")], undefined],
])("the freezes that a composed change breaks: %s", async (_, rules, breaks) => {
  const outcome = await world({ policy: { ...noPolicy, rules } }).call();
  const { approvers, awaits, ...plan } = planOf(outcome);
  expect([plan.breaks, approvers, awaits]).toEqual(breaks ? [breaks, 2, "person"] : [undefined, undefined, "confirm"]);
  const lines = previewOf(outcome).lines.filter((line) => line.startsWith("Frozen"));
  expect(lines).toEqual(
    (breaks ?? []).map((rule) => `Frozen by the rule ${rule}: two persons have to approve it, each with a reason.`),
  );
});

it.each([
  ["guarded", undefined],
  ["critical", "thing_run"],
] as const)("a freeze of its draft voids the plan of a %s composed change", async (tier, makes) => {
  const rules: PolicyRule[] = [];
  const { sent, call, previewed } = world({ makes, policy: { ...noPolicy, rules } });
  const plan = await previewed();
  expect(plan.tier).toBe(tier);
  rules.push(ofDraft);
  expect([failureOf(await call({ confirm: plan.id })).code, sent]).toEqual(["approval_refused", []]);
});

it("two persons whom a rule asks for the draft approve its call as well", async () => {
  const rule: PolicyRule = { id: "two", effect: "approve", approvers: 2, tools: ["thing_update"] };
  const { approvers, breaks } = planOf(await world({ policy: { ...noPolicy, rules: [rule] } }).call());
  expect([approvers, breaks]).toEqual([2, undefined]);
});

it("a draft without its ticket is refused before anything is read", async () => {
  const unless = { tickets: ["OPS-#"] };
  const rule: PolicyRule = { id: "ticketed", effect: "deny", tools: ["thing_update"], unless };
  const { requests, call } = world({ policy: { ...noPolicy, rules: [rule] } });
  const { code, message, detail } = failureOf(await call());
  expect([code, requests]).toEqual(["not_allowed", []]);
  expect(message).toBe('thing_update is not allowed by the rule "ticketed".');
  expect(detail.why).toContain('A call needs a ticket: "OPS-" followed by a number');
  const { lines } = previewOf(await call({ ticket: "OPS-7" }));
  expect(lines).toContain("Ticket: OPS-7");
});
