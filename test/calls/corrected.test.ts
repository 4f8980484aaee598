/** The failure of a call with invalid arguments has the call that was most likely meant, which can be sent as it is. */
import { expect, it } from "vitest";
import { failureResult } from "../../src/answers/result.js";
import type { WholeCall } from "../../src/language/next-call.js";
import { callsAt } from "../lab/calls.js";
import { caller, start } from "../lab/made-up.js";
import { failureOf } from "../lab/outcome.js";

type Args = Record<string, unknown>;

const held = callsAt(Date.parse("2026-05-20T12:30:00Z"));

const failedBy = async (tool: string, args: Args) => failureOf(await held.calls.call(tool, args));
const correctedOf = async (tool: string, args: Args) => (await failedBy(tool, args)).detail.corrected;

const report = { reportName: "endpoint-usage-by-time", period: "last_7d", interval: "DAY", allObjectIds: true };
const times = { start: "2026-05-10T00:00:00Z", end: "2026-05-17T00:00:00Z" };
const errorCode = "9.c000020a.1779000000.692";
const host = { hostName: "www.shop.example" };

it.each<[string, Args, Args]>([
  ["diag_location_dig_run", { locationId: "Frankfurt, Germany", ...host }, { locationId: "frankfurt-germany" }],
  ["diag_error_translation_get", { errorCode: `Reference #${errorCode}` }, { errorCode }],
  ["diag_cpcode_statistic_get", { cpCode: "cpc_12346" }, { cpCode: 12346 }],
  ["report_data_get", { interval: "hourly" }, { interval: "HOUR" }],
  ["report_data_get", { period: "last week" }, { period: "last_7d" }],
  ["report_data_get", { reportName: "endpoint-usage-by-tme" }, { reportName: "endpoint-usage-by-time" }],
  ["report_data_get", { metrics: ["edgeHit", "edgeHitsTotal"] }, { metrics: ["edgeHits", "edgeHitsTotal"] }],
  ["report_data_get", { timeZone: "Tokyo" }, { timeZone: "Asia/Tokyo" }],
  ["report_data_get", { view: { groupby: "day" } }, { view: { group_by: "day" } }],
  ["report_data_get", { view: '{"agregate":"count"}' }, { view: { aggregate: "count" } }],
  [
    "report_data_get",
    { view: { where: ["edgeHit > 3"], aggregate: "sum(edgeHits), max(edgebytez)", sort: "-sum(edgehit)" } },
    { view: { where: ["edgeHits > 3"], aggregate: "sum(edgeHits), max(edgeBytes)", sort: "-sum(edgeHits)" } },
  ],
  ["report_data_get", { period: undefined, ...times, start: "2026-05-10 00:00:00Z" }, { start: times.start }],
])("%s is answered with one mistake corrected: %j", async (tool, given, change) => {
  const args = tool === "report_data_get" ? { ...report, ...given } : given;
  const corrected = await correctedOf(tool, args);
  expect(corrected).toEqual({ tool, arguments: { ...args, ...change } });
  expect((await held.calls.call(tool, corrected?.arguments as Args)).kind).toBe("answer");
});

const nearer = "2026-05-18T12:31:00Z";
const contract = { contractId: "C-1FRYVV3", to: "2026-05-01" };

it.each<[string, Args, Args]>([
  ["report_data_get", { version: 7 }, { version: 1 }],
  [
    "report_data_get",
    { reportName: "endpoint-usage-by-tme", version: 2 },
    { reportName: report.reportName, version: 1 },
  ],
  [
    "report_data_get",
    { period: undefined, ...times, start: "2025-12-01T00:00:00Z" },
    { start: "2026-02-20T00:00:00Z" },
  ],
  ["report_data_get", { period: "last_200d" }, { period: "last_90d" }],
  ["diag_location_dig_run", { locationId: "frankfurt", ...host }, { locationId: "frankfurt-germany" }],
  ["diag_location_logs_list", { locationId: "tokyo-japan", endTime: "2026-05-17T12:30:00Z" }, { endTime: nearer }],
  ["contract_product_summary_get", { ...contract, from: "2024-05-01" }, { from: "2025-02-20" }],
])("%s is explained and corrected: %j", async (tool, given, change) => {
  const args = tool === "report_data_get" ? { ...report, ...given } : given;
  const { detail } = await failedBy(tool, args);
  expect(detail.corrected).toEqual({ tool, arguments: { ...args, ...change } });
  expect(detail.why).toContain(Object.keys(change)[0]);
  expect(detail.status).toBeGreaterThanOrEqual(400);
  expect((await held.calls.call(tool, { ...args, ...change })).kind).toBe("answer");
});

it("a refusal by the API is unchanged if no argument is wrong", async () => {
  const { detail } = await failedBy("report_data_get", { ...report, objectIds: ["99999"], allObjectIds: undefined });
  expect([detail.corrected, detail.fields]).toEqual([undefined, undefined]);
});

const purge = { queueName: "default", body: { objects: ["https://www.shop.example/a.jpg"], action: "invalidate" } };

it("the corrected call of a change is previewed like any other", async () => {
  const args = { queueName: "DEFAULT", body: { objets: purge.body.objects, action: "Invaldiate" } };
  expect(await correctedOf("purge_submit", args)).toEqual({ tool: "purge_submit", arguments: purge });
  expect((await held.calls.call("purge_submit", purge)).kind).toBe("preview");
});

it("a change gets no value that its caller did not choose", async () => {
  expect(await correctedOf("property_version_get", { propertyId: "prp_175780", propertyVersion: 0 })).toMatchObject({
    arguments: { propertyVersion: 1 },
  });
  const body = { propertyVersion: 0, network: "STAGING", notifyEmails: ["a@b.example"] };
  const activation = { propertyId: "prp_175780", body };
  const { detail } = await failedBy("property_version_activate", activation);
  expect(detail.fields).toEqual([expect.objectContaining({ field: "body.propertyVersion" })]);
  expect(detail.corrected).toBeUndefined();
});

it("a composed change gets a corrected call, a confirmed call gets none", async () => {
  const confirmed = { ...purge, queueName: "DEFAULT", confirm: "p".repeat(22) };
  expect(await correctedOf("purge_submit", confirmed)).toBeUndefined();
  expect(await correctedOf("purge_submit", { ...purge, confrim: "p".repeat(22) })).toBeUndefined();
  const record = { zone: "example.com", name: "www", type: "A", values: ["203.0.113.99"] };
  const { name, ...others } = record;
  const corrected = await correctedOf("dns_record_set", { ...others, nmae: name });
  expect(corrected).toEqual({ tool: "dns_record_set", arguments: record });
});

it("an ambiguous mistake, or one in passed-on arguments, is not corrected", async () => {
  for (const args of [
    { ...report, interval: "yearly" },
    { ...report, view: { where: "colour = red" } },
    { ...report, view: { where: "edgeHit > 3", fields: "colour" } },
    { ...report, colour: "red" },
    { ...report, intreval: "DAY" },
    { ...report, interval: "hourly", metrics: 5, colour: "red" },
  ])
    expect(await correctedOf("report_data_get", args)).toBeUndefined();
  const corrected = await correctedOf("traffic_compare", { peroid: "last week", metric: "edgehits" });
  expect(corrected).toEqual({ tool: "traffic_compare", arguments: { period: "last_7d", metric: "edgeHits" } });
  const passedOn = { report: { ...report, intervall: "DAY", interval: undefined } };
  expect(await correctedOf("report_chart", passedOn)).toBeUndefined();
});

it("a failure repeats no secret, whatever the name of its argument", async () => {
  const { calls } = start(() => ({}));
  for (const body of [{ pass: ["hunter2-and-more"] }, { psas: "hunter2-and-more" }]) {
    const outcome = await calls.call("key_create", { body }, caller);
    const failure = failureOf(outcome);
    expect([failure.code, failure.detail.corrected]).toEqual(["invalid_input", undefined]);
    expect(JSON.stringify(failureResult(failure, presentation))).not.toContain("hunter2");
  }
});

const presentation = { upstream: "u", secrets: [], maxTokens: 2_000 };

it("a corrected call is one JSON line; structured content never cuts it", async () => {
  const failure = await failedBy("report_data_get", { ...report, interval: "hourly" });
  const { content, structuredContent, isError } = failureResult(failure, presentation);
  expect(isError).toBe(true);
  const [line] = content[0].text.split("\n").filter((one) => one.includes('{"tool":'));
  const call = JSON.parse(line?.slice(line.indexOf("{")) ?? "") as WholeCall;
  expect(call).toEqual({ tool: "report_data_get", arguments: { ...report, interval: "HOUR" } });
  expect(structuredContent["corrected"]).toEqual(call);
  expect(JSON.stringify(structuredContent)).not.toContain("mends");
  const small = failureResult(failure, { ...presentation, maxTokens: 60 });
  expect(JSON.stringify(small)).not.toContain("corrected");
});
