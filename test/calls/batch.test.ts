/** Laws over the catalogue about a batch: all calls are resolved before one is sent, and their effect is that of the batch. */
import { expect, it } from "vitest";
import { guardOf, isRead } from "../../src/language/effect.js";
import { batchTool } from "../../src/language/server-tools.js";
import { resolvedExample } from "../../src/pages/example.js";
import { begin, model } from "../adversary/model.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { auditTo } from "../lab/options.js";
import { failureOf } from "../lab/outcome.js";
import { servicesOfProject } from "../lab/project.js";

type Args = Record<string, unknown>;
const all = (await servicesOfProject()).flatMap(({ operations: own }) => Object.entries(own));
// A batch treats operations with the same mechanisms alike.
const representing = (some: typeof all) => sampled(some, ([, operation]) => mechanismsOf(operation));
const exampleOf = (operation: (typeof all)[number][1]): Args => {
  const { confirm: _, ...args } = resolvedExample(operation.spec.example, Date.now()) as Args;
  return args;
};
const reads = representing(all.filter(([, operation]) => isRead(operation)));
const changes = representing(all.filter(([, operation]) => !isRead(operation)));
const operations = [...reads, ...changes];

it("the batch laws cover reads, guarded changes and unguarded changes", () => {
  expect([reads.length > 10, changes.some(([, { spec }]) => guardOf({ spec }) === undefined)]).toEqual([true, true]);
});

it("a batch lists the problems of all its calls, and sends none", () =>
  holdsForEach(operations, async (tool, operation) => {
    const { desks, recorder } = begin();
    const good = exampleOf(operation);
    const wrong = { ...good, no_such_argument: 1 };
    const outcome = await desks[0].call(batchTool, {
      tool,
      arguments: [wrong, good, wrong, { ...good, confirm: "p" }],
    });
    const { code, message, detail } = failureOf(outcome);
    const at = new Set(detail.fields?.map(({ field }) => /^arguments\[\d\]/.exec(field)?.[0]));
    expect([code, [...at]]).toEqual(["invalid_input", ["arguments[0]", "arguments[2]", "arguments[3]"]]);
    expect(message).toMatch(/^3 of 4 calls cannot be made: /);
    const sent = await recorder.requests();
    // Reads by the checks of the valid call are not calls of the batch.
    expect(sent.filter((one) => one.operation === operation && !isRead(operation))).toEqual([]);
    if (operation.spec.checks === undefined) expect(await recorder.changes()).toEqual([]);
  }));

it("a batch names the first of many problems, and counts the others", async () => {
  const { desks } = begin();
  const each = Array.from({ length: 50 }, () => ({ definitionId: 1, other: 2 }));
  const outcome = await desks[0].call(batchTool, { tool: "alert_definition_get", arguments: each });
  expect(failureOf(outcome).detail.fields).toHaveLength(10);
  expect(failureOf(outcome).message).toMatch(/^50 of 50 calls cannot be made: .*\. And \d+ more\.$/);
});

it("a batch lists what the service's checks find, also for reads", async () => {
  const { desks, recorder } = begin();
  const report = (metric: string) => ({
    reportName: "endpoint-usage-by-time",
    period: "last_7d",
    interval: "DAY",
    allObjectIds: true,
    metrics: [metric],
  });
  const each = [report("edgeHits"), report("edgeHit"), report("edgeHitz")];
  const outcome = await desks[0].call(batchTool, { tool: "report_data_get", arguments: each });
  expect(outcome).toMatchObject({
    kind: "failure",
    failure: { detail: { fields: [{ field: "arguments[1].metrics" }, { field: "arguments[2].metrics" }] } },
  });
  expect(await recorder.requests()).toEqual([]);
});

it("each launch of a batch comes with the call that polls it", () =>
  holdsForEach(
    all.filter(([, { spec }]) => spec.awaits?.status !== undefined && guardOf({ spec }) === undefined),
    async (tool, operation) => {
      const { desks } = begin();
      const each = [exampleOf(operation), exampleOf(operation)];
      const outcome = await desks[0].call(batchTool, { tool, arguments: each });
      if (outcome.kind !== "workflow") throw new Error(`It was a ${outcome.kind}.`);
      const results = outcome.result["results"] as { askAgainWith: { tool: string; arguments: Args } }[];
      for (const { askAgainWith: next } of results)
        expect([next.tool, (await desks[0].call(next.tool, next.arguments)).kind]).toEqual([
          operation.spec.awaits?.status,
          "answer",
        ]);
      expect(results).toHaveLength(2);
    },
  ));

it("a read-only server makes a batch of one read like the read alone", () =>
  holdsForEach(reads, async (tool, operation) => {
    const lines: string[] = [];
    const { desks } = begin({ isReadOnly: true, audit: auditTo(lines) });
    const alone = await desks[0].call(tool, exampleOf(operation));
    const outcome = await desks[0].call(batchTool, { tool, arguments: [exampleOf(operation)] });
    const isMade = alone.kind === "answer";
    expect([tool, outcome.kind]).toEqual([tool, isMade || outcome.kind === "workflow" ? "workflow" : alone.kind]);
    if (isMade) expect(outcome).toMatchObject({ result: { done: 1, failed: 0 } });
    await new Promise((resolve) => setImmediate(resolve));
    const own = lines.map((line) => JSON.parse(line) as Args).filter((line) => line["tool"] === batchTool);
    for (const { tier, event } of own) if (event !== "refused") expect([event, tier]).toEqual([event, "read"]);
    const one = { tool, arguments: [exampleOf(operation)] };
    const forClient = await begin().desks[0].call(batchTool, one, { ...model, isReadOnly: true });
    expect(forClient.kind).toBe(outcome.kind);
  }));

it("a read-only server refuses a batch of changes, and sends nothing", () =>
  holdsForEach(changes, async (tool, operation) => {
    for (const [options, caller] of [
      [{ isReadOnly: true }, model],
      [{}, { ...model, isReadOnly: true }],
    ] as const) {
      const { desks, recorder } = begin(options);
      const outcome = await desks[0].call(batchTool, { tool, arguments: [exampleOf(operation)] }, caller);
      expect(outcome).toMatchObject({ kind: "failure", failure: { code: "not_allowed" } });
      expect(await recorder.requests()).toEqual([]);
    }
  }));
