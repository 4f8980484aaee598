/** Calls within a call: counted in the quotas, recorded with their purpose, and not made to tools that are excluded. */
import { expect, it } from "vitest";
import type { CallOrigin, CallsOptions } from "../../src/calls/index.js";
import { canCallExcluded } from "../../src/calls/offer.js";
import { composedChange, workflow } from "../../src/calls/workflow.js";
import { z } from "../../src/language/z.js";
import type { Quota } from "../../src/policy/file.js";
import { createQuotas, memoryQuotaCounters } from "../../src/policy/index.js";
import { caller, start, type Upstream } from "../lab/made-up.js";
import { auditTo } from "../lab/options.js";
import { failureOf, planOf, previewOf } from "../lab/outcome.js";

const thing = { id: 1, name: "n", version: 1 };
const replacing = { id: 1, body: { name: "m" } };
const twoOthers = () => [Math.random(), Math.random()];
const alive: Upstream = ({ url }) => ({ body: url.pathname === "/things" ? [] : thing });

/** Reads the same thing a few times, and then a list. */
const look = workflow({
  title: "Look",
  does: "Looks.",
  input: z.strictObject({ times: z.int().default(1) }),
  steps: ["Look."],
  example: {},
  async run({ times }, { invoke }) {
    for (let at = 0; at < times; at += 1) await invoke("thing_get", { id: 1 });
    const list = await invoke("things_list", {}).catch((error: Error) => ({ body: error.message }));
    return { list: list.body };
  },
});

function begin(upstream: Upstream = alive, quotas: readonly Partial<Quota>[] = [], more: Partial<CallsOptions> = {}) {
  const lines: string[] = [];
  const made = start(upstream, {
    audit: auditTo(lines),
    workflows: { look: async () => look },
    tools: new Map([["look", { service: "workflows", effect: "read" }]]),
    quotas: createQuotas(
      quotas.map((one) => ({ id: "q", tools: ["*"], counts: "calls", per: "hour", max: 1, ...one })),
      memoryQuotaCounters(),
    ),
    ...more,
  });
  const recorded = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const outcomes = async () => (await recorded()).filter(({ event }) => event === "outcome");
  return { ...made, recorded, outcomes };
}
/** A call origin to which some tools are not offered. */
const without = (...names: readonly string[]): CallOrigin => ({
  ...caller,
  offer: {
    tools: new Map(),
    leftOut: (tool) => (names.includes(tool) ? { by: "--tools", why: "It is not among them" } : undefined),
  },
});

const failing = [503, 503];
it.each<[string, string, object, Upstream]>([
  ["attempts", "thing_get", { id: 1 }, () => ({ status: failing.pop() ?? 200, body: thing })],
  ["pages", "things_list", { allPages: true }, ({ url }) => ({ body: url.search.includes("=4") ? [5] : twoOthers() })],
])("the audit line counts %s as requests of one call", async (_, tool, args, upstream) => {
  const { calls, outcomes, sent } = begin(upstream);
  expect((await calls.call(tool, { ...args }, caller)).kind).toBe("answer");
  expect(sent).toHaveLength(3);
  expect(await outcomes()).toMatchObject([{ tool, requests: 3 }]);
});

it("the audit line of a failed call counts the requests that were sent", async () => {
  const { calls, outcomes, sent } = begin(() => ({ status: 404 }));
  expect(failureOf(await calls.call("thing_get", { id: 1 }, caller)).code).toBe("not_found");
  expect(await outcomes()).toMatchObject([{ code: "not_found", requests: sent.length }]);
});

it("the audit line of an invocation has its origin and purpose", async () => {
  const { calls, outcomes } = begin();
  const by = { owner: "client:ann", signal: undefined, session: "s", client: { name: "c", version: "1" } };
  await calls.invoke("thing_get", { id: 1 }, { ...by, purpose: "resource" });
  await expect(
    calls.invoke("thing_get", { id: 1 }, { ...without("thing_get"), purpose: "subscription" }),
  ).rejects.toThrow("thing_get is left out here by --tools, so it cannot be called.");
  expect(await outcomes()).toMatchObject([
    { tool: "thing_get", who: "client:ann", client: by.client, purpose: "resource", requests: 1 },
  ]);
});

it("quotas count the calls of a workflow, and the workflow itself", async () => {
  const { calls, sent } = begin(alive, [
    { tools: ["thing_*"], max: 2 },
    { tools: ["look"], max: 2 },
  ]);
  expect((await calls.call("look", { times: 2 }, caller)).kind).toBe("workflow");
  const failure = failureOf(await calls.call("look", { times: 1 }, caller));
  expect(failure.message).toBe('thing_get exceeds the quota "q" of 2 calls an hour.');
  expect(failureOf(await calls.call("look", { times: 0 }, caller)).message).toContain("look exceeds");
  expect(sent.filter((line) => line === "GET /things/1")).toHaveLength(2);
});

it("quotas count the guard's reads and each request, and end a call", async () => {
  const guarded = begin(alive, [{ tools: ["thing_get"] }]);
  expect((await guarded.calls.call("thing_replace", replacing, caller)).kind).toBe("preview");
  const refused = failureOf(await guarded.calls.call("thing_replace", replacing, caller));
  expect([refused.message, guarded.sent.length]).toEqual([expect.stringContaining("thing_get exceeds"), 1]);
  const listing = begin(() => ({ body: twoOthers() }), [{ counts: "requests", max: 3 }]);
  const ended = failureOf(await listing.calls.call("things_list", { allPages: true }, caller));
  expect(ended.message).toBe('things_list exceeds the quota "q" of 3 requests an hour.');
  expect(listing.sent).toHaveLength(3);
  const looking = begin(alive, [{ tools: ["look"], counts: "requests", max: 2 }]);
  expect(failureOf(await looking.calls.call("look", { times: 3 }, caller)).message).toContain("thing_get exceeds");
  expect(looking.sent).toHaveLength(2);
  expect((await looking.calls.call("thing_get", { id: 1 }, caller)).kind).toBe("answer");
});

it("the parallel quota counts a call and its inner calls as one", async () => {
  const { calls } = begin(alive, [{ per: "parallel", max: 1 }]);
  const both = await Promise.all([calls.call("look", {}, caller), calls.call("look", {}, caller)]);
  expect(both.map(({ kind }) => kind).sort()).toEqual(["failure", "workflow"]);
  expect((await calls.call("look", { times: 2 }, caller)).kind).toBe("workflow");
});

it("excluded tools are read only for guards, checks and the account", () => {
  for (const purpose of ["state", "check", "account"] as const)
    expect([purpose, canCallExcluded(purpose, true), canCallExcluded(purpose, false)]).toEqual([purpose, true, false]);
  for (const purpose of ["step", "wait", "resource", "completion", "subscription", undefined] as const)
    expect([purpose, canCallExcluded(purpose, true)]).toEqual([purpose, false]);
});

it("an excluded read serves a guard but not a composed change", async () => {
  const composed = composedChange({
    title: "Rename",
    does: "Renames.",
    input: z.strictObject({}),
    steps: ["Rename."],
    example: {},
    makes: "thing_replace",
    async compose(_, { invoke, present }) {
      const read = () => invoke("thing_get", { id: 1 }).then(String, (error: Error) => error.message);
      const notes = [await read(), String((await present("thing_replace", { id: 1 })) !== undefined), await read()];
      return { args: { id: 1, body: { name: "m" } }, notes };
    },
  });
  const { calls, sent } = begin(alive, [], { workflows: { rename: async () => composed } });
  const shown = await calls.call("rename", {}, without("thing_get"));
  const refused = "thing_get is left out here by --tools, so rename cannot call it.";
  const text = previewOf(shown).lines.join("\n");
  expect(text.split(refused)).toHaveLength(3);
  expect(text).toContain("true");
  expect(text).toContain("name: n → m");
  expect(sent.length).toBeGreaterThan(0);
  const offered = await calls.call("rename", {}, caller);
  expect(offered.kind === "preview" && offered.preview.lines.join("\n")).not.toContain("left out");
});

it("after a launch, an excluded read is neither polled nor given a URI", async () => {
  const { calls, sent } = begin((request) =>
    request.method === "POST" ? { status: 202, body: { run: 7 } } : { body: thing },
  );
  const launched = async (args: object, by: CallOrigin) => {
    const shown = await calls.call("thing_run", { id: 1, ...args }, by);
    const outcome = await calls.call("thing_run", { id: 1, ...args, confirm: planOf(shown).id }, by);
    return outcome.kind === "answer" ? outcome.reply.notes.join("\n") : outcome.kind;
  };
  expect(await launched({ wait: true }, without("run_get"))).toContain(
    "It was launched, but cannot be awaited: run_get is left out here by --tools, so thing_run cannot call it.",
  );
  expect(await launched({}, without("run_get"))).not.toContain("live://");
  expect(await launched({}, caller)).toContain("live://thing_run?run=7");
  // A command is notified of nothing once it has ended.
  expect(await launched({}, { ...caller, endsWithCall: true })).not.toContain("live://");
  expect(sent.filter((line) => line.includes("/runs/7"))).toEqual([]);
});
