/** Diagnostics of today: what they refuse before sending, how a launch is followed, and the one world of both generations. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { catalogueOf } from "../../../src/mcp/tool.js";
import { allServices } from "../../../src/tools/index.js";
import { allWorkflows } from "../../../src/workflows/index.js";
import { type Args, callsIn } from "../../lab/calls.js";
import { caller } from "../../lab/made-up.js";
import { answerOf } from "../../lab/outcome.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const now = Date.UTC(2026, 4, 20, 12, 30);
const world = createWorld({ frozenAt: now });
beforeEach(() => world.reset());
const calls = callsIn(world, { callTimeoutMs: 60_000 });
const documents = callsIn(world, {
  tools: catalogueOf(await allServices("documents"), await allWorkflows()),
  apis: undefined,
});
const url = "http://www.shop.example/sale";
const read = async (tool: string, args: Args = {}) => (await calls.answer(tool, args)).body as never;
const formerly = async (tool: string, args: Args = {}) => (await documents.answer(tool, args)).body as never;
const fieldsOf = async (tool: string, args: Args) => (await calls.refused(tool, args)).fields;

/** Launches a diagnostic and waits for its result; each pause ends as soon as it is reported. */
async function resultOf(tool: string, body: Args) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const progress = async () => void setImmediate(() => vi.advanceTimersByTime(1_000));
  const outcome = await calls.calls.call(tool, { body, wait: true }, { ...caller, progress });
  return answerOf(outcome).body as { result: { logs: { cpCode: string; hostHeader: string }[] } };
}

rule("edgediag-launch-result", "is launched, and read by its id until the result is there", async () => {
  const started = (await read("edgediag_url_health_launch", { body: { url } })) as Args;
  expect(started).toMatchObject({ executionStatus: "IN_PROGRESS", content: [], retryAfter: 1 });
  const id = { requestId: started["requestId"] };
  expect(await read("edgediag_url_health_result", id)).toMatchObject({ executionStatus: "IN_PROGRESS" });
  world.advance(5_000);
  const done = (await read("edgediag_url_health_result", id)) as Args;
  expect(done).toMatchObject({ executionStatus: "SUCCESS", summary: { cpCode: 12345 }, connectivity: [] });
  expect(done).not.toHaveProperty("retryAfter");
  const other = await calls.call("edgediag_content_problem_result", id);
  expect(other).toMatchObject({ kind: "failure", failure: { code: "not_found" } });
});

describe("with wait", () => {
  it.each<[string, Args]>([
    ["edgediag_error_translation_launch", { errorCode: "9.c000020a.1779000000.692" }],
    [
      "edgediag_log_search_launch",
      {
        ...{ edgeIp: "192.0.2.20", logType: "R", hostnames: ["www.shop.example"] },
        ...{ start: "2026-05-20T12:20:00Z", end: "2026-05-20T12:30:00Z" },
      },
    ],
    ["edgediag_metadata_trace_launch", { url, useStaging: true }],
  ])("%s answers with its result", async (tool, body) => {
    expect(await resultOf(tool, body)).toMatchObject({ executionStatus: "SUCCESS", result: {} });
  });
});

rule("edgediag-one-place", "edge diagnostics take a location or an edge address, not both", async () => {
  const both = { edgeLocationId: "tokyo-japan", edgeIp: "192.0.2.20" };
  const dig = { hostname: "www.shop.example", queryType: "A", isGtmHostname: false };
  for (const [tool, body] of [
    ["edgediag_dig_run", { ...dig, ...both }],
    ["edgediag_curl_run", { url, ...both }],
  ] as const)
    expect(await fieldsOf(tool, { body })).toEqual([expect.stringMatching(/^body\.edgeIp: .*body\.edgeLocationId/)]);
  const { send } = startRaw();
  const refused = await send("POST", "/edge-diagnostics/v1/curl", { url, ...both });
  expect(refused.status).toBe(400);
  expect(refused.headers["content-type"]).toBe("application/problem+json");
  expect(refused.json()).toMatchObject({ errors: [{ requestField: "edgeLocationId" }] });
});

rule("edgediag-one-subject", "takes one subject: a URL, or else a CP code or a hostname", async () => {
  expect(await fieldsOf("edgediag_statistic_get", { body: {} })).toEqual([expect.stringMatching(/^body\.url: /)]);
  expect(await fieldsOf("edgediag_statistic_get", { body: { url, cpCode: 12_345 } })).toHaveLength(1);
  const both = { url, ipaHostname: "vpn.shop.example" };
  expect(await fieldsOf("edgediag_user_group_create", { body: both })).toHaveLength(1);
});

rule("edgediag-log-subject", "searches log lines of hostnames, of CP codes, or of both", async () => {
  const body = { edgeIp: "192.0.2.20", logType: "BOTH", start: "2026-05-20T12:20:00Z", end: "2026-05-20T12:30:00Z" };
  expect(await fieldsOf("edgediag_log_search_launch", { body })).toEqual([
    expect.stringMatching(/^body\.hostnames: .*body\.cpCodes/),
  ]);
  const { result } = await resultOf("edgediag_log_search_launch", {
    ...body,
    ...{ hostnames: ["api.shop.example"], cpCodes: [12_346] },
  });
  const found = new Set(result.logs.map(({ cpCode, hostHeader }) => `${cpCode} ${hostHeader}`));
  expect([...found]).toEqual(["12346 api.shop.example"]);
});

rule("edgediag-log-window", "reads log lines of the last day, and refuses older ones", async () => {
  const from = { edgeIp: "192.0.2.20", cpCode: 12_345 };
  const end = "2026-05-20T12:30:00Z";
  expect(await read("edgediag_logs_list", { ...from, start: "2026-05-20T12:00:00Z", end })).toMatchObject({
    executionStatus: "SUCCESS",
  });
  const refused = await calls.call("edgediag_logs_list", { ...from, start: "2026-05-18T12:00:00Z", end });
  expect(refused).toMatchObject({ kind: "failure", failure: { detail: { status: 400 } } });
});

rule("edgediag-link-life", "makes links that work for seven days and for fifty submissions", async () => {
  const [group] = ((await read("edgediag_user_groups_list")) as { groups: Args[] }).groups;
  const at = { groupId: group?.["groupId"] };
  expect(await read("edgediag_user_records_list", at)).toMatchObject({
    diagnosticLinkStatus: "ACTIVE",
    submissionsRemaining: 49,
    records: [{ userAgent: "Mozilla/5.0" }],
  });
  world.advance(7 * 24 * 3_600_000);
  expect(await read("edgediag_user_records_list", at)).toMatchObject({ diagnosticLinkStatus: "EXPIRED" });
});

describe("the world of both generations", () => {
  it("has the same hosts, addresses, error codes and rates", async () => {
    const at = { hostname: "www.shop.example", queryType: "A", isGtmHostname: false, edgeLocationId: "tokyo-japan" };
    const today: { result: { result: string } } = await read("edgediag_dig_run", { body: at });
    const former: { digInfo: { result: string } } = await formerly("diag_location_dig_run", {
      locationId: "tokyo-japan",
      hostName: "www.shop.example",
    });
    expect(today.result.result).toBe(former.digInfo.result);

    const { result }: { result: { edgeHits: number } } = await read("edgediag_statistic_get", { body: { url } });
    const { eStats }: { eStats: { edgeHits: number } } = await formerly("diag_url_statistic_get", { url });
    expect(result.edgeHits).toBe(eStats.edgeHits);
  });

  it("shows a link that either creates in the other", async () => {
    await read("edgediag_user_group_create", { body: { url, note: "slow in Berlin" } });
    world.advance(10_000);
    const { endUserIpRequests }: { endUserIpRequests: Args[] } = await formerly("diag_user_requests_list");
    expect(endUserIpRequests).toContainEqual(expect.objectContaining({ name: "slow in Berlin", url }));
    await formerly("diag_user_link_create", { body: { endUserName: "Rosa", url } });
    const { groups }: { groups: Args[] } = await read("edgediag_user_groups_list");
    expect(groups).toContainEqual(expect.objectContaining({ note: "Rosa", url, recordCount: 0 }));
  });

  it.each(["http://api.shop.example/cart", url, "http://shop.example/"])("is diagnosed alike: %s", async (target) => {
    const findingsOf = async (by: typeof calls) => {
      type Diagnosis = { findings: string[]; steps: { outcome: string }[] };
      const { findings, steps } = await by.worked<Diagnosis>("diagnosis_run", { url: target });
      return { findings, outcomes: steps.map((one) => one.outcome) };
    };
    const [today, former] = [await findingsOf(calls), await findingsOf(documents)];
    // Log lines of today come from the address that the name resolves to, and rates are whole numbers.
    const alike = ({ findings }: typeof today) =>
      findings
        .filter((one) => !one.startsWith("Log lines"))
        .map((one) => one.replaceAll(/\d+(\.\d+)?%/g, "%").replace(/Origin: \S+ \((.*)\)/, "Origin: $1"));
    expect(alike(today)).toEqual(alike(former));
    expect(today.outcomes).toEqual(former.outcomes);
  });
});
