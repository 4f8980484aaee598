/** A ticket that the policy asks for: without it nothing is read, and with it the preview, the plan and the record have it. */
import { describe, expect, it } from "vitest";
import type { CallOrigin, CallsOptions } from "../../src/calls/index.js";
import { createPlans } from "../../src/guard/index.js";
import type { PolicyRule } from "../../src/policy/file.js";
import { noPolicy, type Policy } from "../../src/policy/index.js";
import { batch } from "../../src/workflows/changes.js";
import { caller, start } from "../lab/made-up.js";
import { auditTo } from "../lab/options.js";
import { failureOf, planOf, previewOf } from "../lab/outcome.js";

const replacing = { id: 1, body: { name: "m" } };
const ticketed: PolicyRule = { id: "ticketed", effect: "deny", tiers: ["guarded"], unless: { tickets: ["OPS-#"] } };
const asking: Policy = { ...noPolicy, rules: [ticketed] };

function begin(options: Partial<CallsOptions> = {}) {
  const lines: string[] = [];
  const plans = createPlans({ ttlMs: 600_000 });
  const { calls, sent } = start(() => ({ body: { id: 1, name: "n", version: 1 } }), {
    ...{ plans, policy: asking, audit: auditTo(lines), ...options },
  });
  const call = (args: object = {}, tool = "thing_replace", how: Partial<CallOrigin> = {}) =>
    calls.call(tool, { ...replacing, ...args }, { ...caller, ...how });
  const recorded = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event !== "opened");
  return { call, calls, plans, sent, recorded, writes: () => sent.filter((line) => !line.startsWith("GET ")) };
}

it("without a ticket nothing is read, and the denial is on record", async () => {
  for (const more of [{}, { ticket: "" }, { ticket: null }, { ticket: "X-1" }]) {
    const { call, sent, recorded } = begin();
    const { code, message, detail } = failureOf(await call(more));
    expect([code, message]).toEqual(["not_allowed", 'thing_replace is not allowed by the rule "ticketed".']);
    expect(detail.why).toContain('"OPS-" followed by a number');
    expect(sent).toEqual([]);
    expect(recorded()).toMatchObject([{ event: "denied", policy: { rule: "ticketed" } }]);
  }
});

it("what is no ticket is an error of that argument, and is not recorded", async () => {
  for (const ticket of ["a b", "x".repeat(65), { id: 1 }, ["OPS-1"], true]) {
    const { call, sent, recorded } = begin();
    const { code, detail } = failureOf(await call({ ticket }));
    expect([code, detail.fields]).toMatchObject([
      "invalid_input",
      [{ field: "ticket", takes: /^a ticket of at most 64/ }].map((one) => ({
        ...one,
        takes: expect.stringMatching(one.takes),
      })),
    ]);
    expect([sent, recorded().map(({ ticket: kept }) => kept)]).toEqual([[], [undefined]]);
  }
});

it("a ticket stands in the preview, the plan and the lines of the call", async () => {
  const { call, plans, recorded, writes } = begin();
  const outcome = await call({ ticket: "OPS-12" });
  const { lines, outline } = previewOf(outcome);
  expect(lines[lines.findIndex((line) => line.startsWith("Account:")) + 1]).toBe("Ticket: OPS-12");
  expect(outline.slice(0, 3)).toMatchObject([{ is: "summary" }, { is: "account" }, { is: "policy", count: 1 }]);
  const { id, ticket } = planOf(outcome);
  expect([ticket, (await plans.find(id))?.plan.preview.lines]).toEqual(["OPS-12", lines]);
  expect((await call({ ticket: "OPS-12", confirm: id })).kind).toBe("answer");
  expect(writes()).toHaveLength(1);
  const own = recorded().filter(({ tool, tier }) => tool === "thing_replace" && tier === "guarded");
  expect(own.map(({ event, ticket: of }) => [event, of])).toEqual([
    ["preview", "OPS-12"],
    ["intent", "OPS-12"],
    ["outcome", "OPS-12"],
  ]);
  const [first, second] = own.map(({ args }) => args);
  expect(first).toBe(second);
});

it("a plan is for the ticket that was shown, and for no other", async () => {
  const { call, plans, writes } = begin();
  const open = async () => planOf(await call({ ticket: "OPS-12" })).id;
  const other = failureOf(await call({ ticket: "OPS-13", confirm: await open() }));
  expect([other.code, other.message]).toEqual(["approval_refused", "These are not the arguments that were approved."]);
  expect(other.detail.changed).toEqual([{ at: "ticket", from: "OPS-12", to: "OPS-13" }]);
  const without = failureOf(await call({ confirm: await open() }));
  expect([without.code, writes()]).toEqual(["not_allowed", []]);
  expect((await plans.list()).map(({ status }) => status).sort()).toEqual(["open", "void"]);
});

it("a person's approval of one ticket sends no call with another", async () => {
  const { call, plans, writes } = begin({ approval: "human" });
  const { id } = planOf(await call({ ticket: "OPS-12" }));
  await plans.approve(id, "terminal", { name: "ann" });
  expect((await call({ ticket: "OPS-13" })).kind).toBe("preview");
  expect(writes()).toEqual([]);
  expect((await call({ ticket: "OPS-12" })).kind).toBe("answer");
});

it("a rule that begins to ask voids what was shown without a ticket", async () => {
  const plans = createPlans({ ttlMs: 600_000 });
  const { id } = planOf(await begin({ plans, policy: noPolicy }).call());
  const { call, writes } = begin({ plans });
  expect(failureOf(await call({ confirm: id })).code).toBe("not_allowed");
  expect(failureOf(await call({ confirm: id, ticket: "OPS-1" })).code).toBe("approval_refused");
  expect(writes()).toEqual([]);
});

it("an allowed call is made with its ticket, which its plan has", async () => {
  const policy = { ...asking, rules: [ticketed, { id: "all", effect: "allow" } as const] };
  const { call, plans, writes } = begin({ policy });
  expect(failureOf(await call()).code).toBe("not_allowed");
  expect((await call({ ticket: "OPS-3" })).kind).toBe("answer");
  const [made] = await plans.list();
  expect([made?.plan.ticket, made?.plan.preview.lines.includes("Ticket: OPS-3"), writes().length]).toEqual([
    "OPS-3",
    true,
    1,
  ]);
});

it("one ticket next to the list is for all calls of a batch", async () => {
  const tools = new Map([["thing_replace", { service: "things", effect: "destructive" as const }]]);
  const { calls, sent, writes } = begin({ tools, workflows: { call_batch: async () => batch } });
  const each = [1, 2].map((id) => ({ ...replacing, id }));
  const series = (more: object = {}) =>
    calls.call("call_batch", { tool: "thing_replace", arguments: each, ...more }, caller);
  expect(failureOf(await series()).code).toBe("not_allowed");
  expect(sent).toEqual([]);
  const { id, ticket } = planOf(await series({ ticket: "OPS-5" }));
  expect(ticket).toBe("OPS-5");
  expect((await series({ ticket: "OPS-5", confirm: id })).kind).toBe("workflow");
  expect(writes()).toHaveLength(2);
});

describe("where the rule does not match", () => {
  it("a ticket is not needed, and is on record if it is given", async () => {
    const { call, recorded } = begin();
    const update = { body: { name: "m", version: 1 } };
    expect((await call(update, "thing_update")).kind).toBe("answer");
    expect((await call({ ...update, ticket: 4711 }, "thing_update")).kind).toBe("answer");
    const intents = recorded().filter(({ event, tool }) => event === "intent" && tool === "thing_update");
    expect(intents.map(({ ticket }) => ticket)).toEqual([undefined, "4711"]);
  });

  it("and no rule asks for one, it is no argument", async () => {
    const { call, sent } = begin({ policy: noPolicy });
    const { code, detail } = failureOf(await call({ ticket: "OPS-1" }));
    expect([code, detail.fields?.[0]?.field, sent]).toEqual(["invalid_input", "ticket", []]);
  });
});
