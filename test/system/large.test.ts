/** Answers of ten megabytes, and of 150 KB for every operation, inside their budget; a rule tree and a report as large. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { examples, tools } from "../adversary/targets.js";
import { ofGuards, ofMedia, ofOperations, ofWorkflows, startLarge } from "../answers/large/answers.js";
import { callsIn } from "../lab/calls.js";
import { csvCalls, handleIn, report, reportQueries } from "../lab/csv-calls.js";
import { needsSql } from "../lab/engines.js";
import { holdsForEach } from "../lab/laws.js";
import { workerFile } from "../rows/sql/worker-file.js";
import { reportCsv } from "../workflows/report-csv.js";

const large = startLarge(await workerFile());
const bytes = 10_000_000;

// What an answer's own shape can bring about shows at any length beyond the budget.
it("an answer of 150 KB is cut to the budget, of every operation", async () => {
  expect(new Set(examples.map(([tool]) => tool))).toEqual(new Set(tools.keys()));
  await holdsForEach(ofOperations, large.answering(150_000));
});

it("an answer of 10 MB is cut to the budget of a result", () => holdsForEach(ofMedia, large.answering(bytes)));

it("a workflow that reads answers of 10 MB keeps to the budget", () =>
  holdsForEach(ofWorkflows, large.composing(bytes)));

it("a preview of a state of 10 MB keeps to the budget", () => holdsForEach(ofGuards, large.guarding(bytes)));

it("a report of 10 MB: as CSV, added up and row by row", async () => {
  const metrics = ["edgeBytes", "edgeHits", "midgressBytes"];
  const daily = { reportName: "endpoint-usage-by-time", period: "yesterday", interval: "HOUR", allObjectIds: true };
  for (const more of [{ format: "csv" }, { view: { aggregate: "sum(edgeHits)" } }, { view: { where: "edgeHits > 0" } }])
    await large.answering(bytes)("report_data_get", { ...daily, metrics, ...more });
});

it("rows too large for memory are not viewed or drawn, but queried", needsSql, async () => {
  const queries = await reportQueries();
  const room = csvCalls(queries, { maxBytes: 40_000_000, maxDiskBytesPerOwner: 40_000_000 });
  // A little more than the 16 MiB that are read back.
  room.answering(reportCsv(new Array<string>(60).fill(`${"x".repeat(290_000)},1`), ["a", "hits"]));
  const answer = await room.call("report_data_get", { ...report, view: { aggregate: "sum(hits)" } });
  expect(answer.notes?.[0]).toMatch(/17400\d+ bytes.*result_query/);
  const handle = handleIn(answer);
  const sql = "select sum(hits) as s from result";
  expect((await room.call("result_query", { sql, results: handle })).texts[0]).toBe("s\n60\n");
  for (const args of [{ result: handle }, { report }])
    expect(await room.call("report_chart", args)).toMatchObject({ error: "too_large" });
  expect(room.filesThere()).toHaveLength(1);
  room.close();
  queries.close();
});

it("a rule tree of a megabyte is outlined, patched and written", async () => {
  const draft = { propertyId: "175780", propertyVersion: 3 };
  const { calls, answer, approved, previewed } = callsIn(createWorld({ frozenAt: Date.now() }), {
    callTimeoutMs: 100_000,
  });
  const tree = async () =>
    (await calls.invoke("property_rule_tree_get", draft)).body as { readonly rules: Record<string, unknown> };
  const rule = (name: string, children: unknown[] = []) => ({
    name,
    criteria: [{ name: "path", options: { values: [`/${name}/${"x".repeat(150)}`] } }],
    behaviors: [{ name: "caching", options: { behavior: "MAX_AGE", ttl: "1d", note: "y".repeat(130) } }],
    children,
  });
  const below = (at: number) => Array.from({ length: 40 }, (_, n) => rule(`r${at}-${n}`));
  const children = Array.from({ length: 50 }, (_, at) => rule(`r${at}`, below(at)));
  const { rules } = await tree();
  await answer("property_rule_tree_replace", { ...draft, body: { rules: { ...rules, children } } });
  expect(JSON.stringify(await tree()).length).toBeGreaterThan(900_000);
  const patch = [{ op: "replace", path: "/rules/children/49/children/39/behaviors/0/options/ttl", value: "3d" }];
  const { body } = await answer("property_rule_tree_get", draft);
  const { changes } = await previewed("property_rule_tree_update", { ...draft, patch });
  await approved("property_rule_tree_update", { ...draft, patch });
  expect(JSON.stringify(body).length).toBeLessThan(80_000);
  expect(changes).toBe(1);
  expect(JSON.stringify(await tree())).toContain('"3d"');
});
