/** A call that failed by its arguments comes with the one that was most likely meant, which can be sent as it is. */
import { describe, expect, it } from "vitest";
import { failureResult } from "../../src/answers/result.js";
import type { WholeCall } from "../../src/language/next-call.js";
import { callsAt } from "../lab/calls.js";
import { caller, start } from "../lab/made-up.js";

type Args = Record<string, unknown>;

const held = callsAt(Date.parse("2026-05-20T12:30:00Z"));

async function failureOf(tool: string, args: Args) {
  const outcome = await held.calls.call(tool, args);
  if (outcome.kind !== "failure") throw new Error(`${tool} did not fail: ${JSON.stringify(outcome).slice(0, 500)}`);
  return outcome.failure;
}
const correctedOf = async (tool: string, args: Args): Promise<WholeCall | undefined> =>
  (await failureOf(tool, args)).detail.corrected;

const report = { reportName: "endpoint-usage-by-time", period: "last_7d", interval: "DAY", allObjectIds: true };
const times = { start: "2026-05-10T00:00:00Z", end: "2026-05-17T00:00:00Z" };
const errorCode = "9.c000020a.1779000000.692";
const host = { hostName: "www.shop.example" };

describe("the corrected call", () => {
  it.each<[string, Args, Args]>([
    ["diag_location_dig_run", { locationId: "Frankfurt, Germany", ...host }, { locationId: "frankfurt-germany" }],
    ["diag_error_translation_get", { errorCode: `Reference #${errorCode}` }, { errorCode }],
    ["diag_cpcode_statistic_get", { cpCode: "cpc_12346" }, { cpCode: 12346 }],
    ["report_data_get", { interval: "hourly" }, { interval: "HOUR" }],
    ["report_data_get", { period: "last week" }, { period: "last_7d" }],
    ["report_data_get", { reportName: "endpoint-usage-by-tme" }, { reportName: "endpoint-usage-by-time" }],
    ["report_data_get", { metrics: ["edgeHit", "edgeHitsTotal"] }, { metrics: ["edgeHits", "edgeHitsTotal"] }],
    ["report_data_get", { timeZone: "Tokyo" }, { timeZone: "Asia/Tokyo" }],
    [
      "report_data_get",
      { view: { groupby: "day", aggregate: "count" } },
      { view: { group_by: "day", aggregate: "count" } },
    ],
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
});

describe("what the API refused", () => {
  it.each<[string, Args, Args]>([
    ["report_data_get", { version: 7 }, { version: 1 }],
    [
      "report_data_get",
      { reportName: "endpoint-usage-by-tme", version: 2 },
      { reportName: report.reportName, version: 1 },
    ],
    [
      "report_data_get",
      { period: undefined, start: "2025-12-01T00:00:00Z", end: times.end },
      { start: "2026-02-20T00:00:00Z" },
    ],
    ["report_data_get", { period: "last_200d" }, { period: "last_90d" }],
    ["diag_location_dig_run", { locationId: "frankfurt", ...host }, { locationId: "frankfurt-germany" }],
    [
      "diag_location_logs_list",
      { locationId: "tokyo-japan", endTime: "2026-05-17T12:30:00Z" },
      { endTime: "2026-05-18T12:31:00Z" },
    ],
    [
      "contract_product_summary_get",
      { contractId: "C-1FRYVV3", from: "2024-05-01", to: "2026-05-01" },
      { from: "2025-02-20" },
    ],
  ])("%s is explained and corrected: %j", async (tool, given, change) => {
    const args = tool === "report_data_get" ? { ...report, ...given } : given;
    const { detail } = await failureOf(tool, args);
    expect(detail.corrected).toEqual({ tool, arguments: { ...args, ...change } });
    expect(detail.why).toContain(Object.keys(change)[0]);
    expect(detail.status).toBeGreaterThanOrEqual(400);
    expect((await held.calls.call(tool, { ...args, ...change })).kind).toBe("answer");
  });

  it("is left as it was where nothing is found to be wrong", async () => {
    const { detail } = await failureOf("report_data_get", { ...report, objectIds: ["99999"], allObjectIds: undefined });
    expect([detail.corrected, detail.fields]).toEqual([undefined, undefined]);
  });
});

describe("a change", () => {
  const purge = { queueName: "default", body: { objects: ["https://www.shop.example/a.jpg"], action: "invalidate" } };

  it("is corrected in its form, and previewed when it is sent", async () => {
    const args = { queueName: "DEFAULT", body: { objets: purge.body.objects, action: "Invaldiate" } };
    expect(await correctedOf("purge_submit", args)).toEqual({ tool: "purge_submit", arguments: purge });
    expect((await held.calls.call("purge_submit", purge)).kind).toBe("preview");
  });

  it("gets no value that its caller did not choose", async () => {
    expect(await correctedOf("property_version_get", { propertyId: "prp_175780", propertyVersion: 0 })).toMatchObject({
      arguments: { propertyVersion: 1 },
    });
    const activation = {
      propertyId: "prp_175780",
      body: { propertyVersion: 0, network: "STAGING", notifyEmails: ["a@b.example"] },
    };
    const { detail } = await failureOf("property_version_activate", activation);
    expect(detail.fields).toEqual([expect.objectContaining({ field: "body.propertyVersion" })]);
    expect(detail.corrected).toBeUndefined();
  });

  it("is not corrected where it carries an approval", async () => {
    expect(
      await correctedOf("purge_submit", { ...purge, queueName: "DEFAULT", confirm: "p".repeat(22) }),
    ).toBeUndefined();
    expect(await correctedOf("purge_submit", { ...purge, confrim: "p".repeat(22) })).toBeUndefined();
  });

  it("that is composed is corrected in its own arguments", async () => {
    const record = { zone: "example.com", name: "www", type: "A", values: ["203.0.113.99"] };
    const { name, ...others } = record;
    expect(await correctedOf("dns_record_set", { ...others, nmae: name })).toEqual({
      tool: "dns_record_set",
      arguments: record,
    });
  });
});

it("a call with an unclear mistake or several gets no corrected call", async () => {
  for (const args of [
    { ...report, interval: "yearly" },
    { ...report, view: { where: "colour = red" } },
    { ...report, view: { where: "edgeHit > 3", fields: "colour" } },
    { ...report, colour: "red" },
    { ...report, intreval: "DAY" },
    { ...report, interval: "hourly", metrics: 5, colour: "red" },
  ])
    expect(await correctedOf("report_data_get", args)).toBeUndefined();
});

it("corrects the arguments of a workflow, and none that it only passes on", async () => {
  expect(await correctedOf("traffic_compare", { peroid: "last week", metric: "edgehits" })).toEqual({
    tool: "traffic_compare",
    arguments: { period: "last_7d", metric: "edgeHits" },
  });
  expect(
    await correctedOf("report_chart", { report: { ...report, intervall: "DAY", interval: undefined } }),
  ).toBeUndefined();
});

it("repeats no secret, under whatever name it came", async () => {
  const { calls } = start(() => ({}));
  for (const body of [{ pass: ["hunter2-and-more"] }, { psas: "hunter2-and-more" }]) {
    const outcome = await calls.call("key_create", { body }, caller);
    expect(outcome).toMatchObject({ kind: "failure", failure: { code: "invalid_input" } });
    expect(JSON.stringify(outcome)).not.toContain("corrected");
    const shown = failureResult(outcome.kind === "failure" ? outcome.failure : 0, presentation);
    expect(JSON.stringify(shown)).not.toContain("hunter2");
  }
});

const presentation = { upstream: "u", secrets: [], maxTokens: 2_000 };

it("a corrected call is one JSON line, and structured whole or absent", async () => {
  const failure = await failureOf("report_data_get", { ...report, interval: "hourly" });
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
