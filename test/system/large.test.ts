/** Results inside their budget with answers of ten megabytes, and with 150 KB for every operation. */
import { expect, it } from "vitest";
import { examples, tools } from "../adversary/targets.js";
import { ofGuards, ofMedia, ofOperations, ofWorkflows, startLarge } from "../answers/large/answers.js";
import { holdsForEach } from "../lab/laws.js";
import { workerFile } from "../query/worker-file.js";

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
  const report = {
    reportName: "endpoint-usage-by-time",
    period: "yesterday",
    interval: "HOUR",
    allObjectIds: true,
    metrics: ["edgeBytes", "edgeHits", "midgressBytes"],
  };
  for (const more of [{ format: "csv" }, { view: { aggregate: "sum(edgeHits)" } }, { view: { where: "edgeHits > 0" } }])
    await large.answering(bytes)("report_data_get", { ...report, ...more });
});
