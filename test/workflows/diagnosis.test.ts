/** A diagnosis whose steps return undeclared shapes: it ends in findings and steps, never in an error. */
import { describe, expect, it } from "vitest";
import type { Invoke } from "../../src/calls/index.js";
import { diagnosis } from "../../src/workflows/diagnosis.js";
import { workWith } from "../lab/options.js";

const told: Readonly<Record<string, object>> = {
  diag_locations_list: { locations: [{ id: "tokyo-japan" }] },
  diag_location_dig_run: { digInfo: { answerSection: [{ recordType: "A", value: "203.0.113.9" }] } },
  diag_location_curl_run: { curlResults: { httpStatusCode: 503, responseBody: "Reference #9.c1.17.6" } },
  diag_ip_cdn_check: { isCdnIp: true },
  diag_url_translation_get: { translatedUrl: { cpCode: 12345 } },
  diag_url_statistic_get: {
    eStats: { edgeHits: 1, edgeFailurePercentage: 0, originHits: 1, originFailurePercentage: 0 },
  },
  diag_error_translation_get: { translatedError: { reasonForFailure: "r.", originHostname: "o", originIp: "i" } },
  diag_location_logs_list: { logLines: { headers: "error", logs: ["e"] } },
};

async function diagnose(tool: string, body: unknown, more: object = {}) {
  const invoke: Invoke = async (name) => ({
    status: 200,
    body: name === tool ? body : told[name],
    headers: {},
    notes: [],
  });
  const { findings, steps } = await diagnosis.run({ url: "http://www.shop.example/", ...more }, workWith(invoke));
  return { findings: findings as string[], steps: steps as { tool: string; outcome: string; why?: string }[] };
}

const outcomeOf = async (tool: string, body: unknown) => {
  const { findings, steps } = await diagnose(tool, body);
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.join()).not.toMatch(/undefined|null|NaN|\[object/);
  return steps.find((step) => step.tool === tool);
};

it.each(Object.keys(told))("continues when %s returns another shape, and says so", async (tool) => {
  const [member = "", inner] = Object.entries(told[tool] ?? {})[0] ?? [];
  const strange = [
    undefined,
    null,
    "text",
    [],
    {},
    { [member]: null },
    { [member]: typeof inner === "object" ? {} : 1 },
  ];
  for (const body of strange)
    expect(await outcomeOf(tool, body)).toMatchObject({ outcome: "failed", why: expect.stringContaining("shape") });
});

it("diagnosis: a missing optional member or an empty list is no failure", async () => {
  expect(await outcomeOf("diag_location_curl_run", { curlResults: { httpStatusCode: 503 } })).toMatchObject({
    outcome: "done",
  });
  expect(await outcomeOf("diag_locations_list", { locations: [] })).toMatchObject({ outcome: "done" });
});

it("skips a listed location without a name", async () => {
  const locations = [{ id: 7 }, null, { id: "a/b" }, { id: "tokyo-japan" }, { id: "\u202e" }];
  const { steps } = await diagnose("diag_locations_list", { locations });
  expect(steps.filter(({ tool }) => tool === "diag_location_dig_run")).toHaveLength(1);
});

type Answers = Readonly<Record<string, object | ((args: Readonly<Record<string, unknown>>) => object)>>;

/** A diagnosis of an API that answers as told, with what it was asked. */
async function look(answers: Answers, more: object = {}) {
  const asked: { tool: string; args: Readonly<Record<string, unknown>> }[] = [];
  const invoke: Invoke = async (tool, args) => {
    asked.push({ tool, args });
    const answer = answers[tool] ?? told[tool];
    return { status: 200, body: typeof answer === "function" ? answer(args) : answer, headers: {}, notes: [] };
  };
  const { findings, evidence, steps } = await diagnosis.run(
    { url: "http://www.shop.example/", ...more },
    workWith(invoke),
  );
  const argsOf = (tool: string) => asked.filter((one) => one.tool === tool).map(({ args }) => args);
  return { findings: findings as string[], evidence, steps: steps as { upstreamSaid?: unknown }[], argsOf };
}

const fetched = (httpStatusCode: number) => ({ curlResults: { httpStatusCode, responseBody: "" } });

describe("a diagnosis", () => {
  it("chooses three locations from the whole of the list", async () => {
    const locations = Array.from({ length: 9 }, (_, index) => ({ id: `place-${index}` }));
    const { argsOf } = await look({ diag_locations_list: { locations } });
    expect(argsOf("diag_location_curl_run").map(({ locationId }) => locationId)).toEqual([
      "place-0",
      "place-3",
      "place-6",
    ]);
  });

  it("asks about an address, not about the name that led to it", async () => {
    const answerSection = [
      { recordType: "CNAME", value: "www.shop.example.edgesuite.net." },
      { recordType: "AAAA", value: "2001:db8::9" },
    ];
    const { argsOf } = await look({ diag_location_dig_run: { digInfo: { answerSection } } });
    expect(argsOf("diag_ip_cdn_check")).toEqual([{ ipAddress: "2001:db8::9" }]);
  });

  it.each([
    [{ isCdnIp: false }, true],
    [{ isCdnIp: true }, false],
    [{}, false],
  ])("with %j reports that a name leads past the CDN: %s", async (body, isSaid) => {
    const { findings } = await look({ diag_ip_cdn_check: body });
    expect(findings.some((finding) => finding.includes("does not resolve to the CDN"))).toBe(isSaid);
  });

  it("reads log lines from where it fails, with the status that comes there", async () => {
    const run = ({ locationId }: { locationId?: unknown }) => fetched(locationId === "b-b" ? 400 : 200);
    const { findings, argsOf } = await look({ diag_location_curl_run: run }, { locations: ["a-a", "b-b"] });
    expect(findings[0]).toBe("Responses: 1 of 2 locations get 400 (b-b).");
    expect(argsOf("diag_location_logs_list")).toEqual([
      { locationId: "b-b", cpCode: 12_345, maxLogLines: 20, httpStatusCode: 400 },
    ]);
  });

  it.each([
    [90, 88, "the errors come from the origin"],
    [90, 1, "the origin is healthy"],
    [0.5, 88, undefined],
  ])("edge failures %j, origin %j: blames %s", async (edge, origin, words) => {
    const eStats = { edgeHits: 9, edgeFailurePercentage: edge, originHits: 9, originFailurePercentage: origin };
    const { findings } = await look({ diag_url_statistic_get: { eStats } });
    const blames = findings.filter((finding) => finding.startsWith("Error statistics: the "));
    expect(blames).toEqual(words === undefined ? [] : [expect.stringContaining(words)]);
  });

  it("diagnosis: the most frequent errors of the log lines come first", async () => {
    const errors = ["-", "-", "-", "", "ERR_A", "ERR_B", "ERR_B"];
    const logLines = { headers: "time\tError", logs: errors.map((error) => `t\t${error}`) };
    const { findings } = await look({ diag_location_logs_list: { logLines } });
    expect(findings.filter((finding) => finding.startsWith("Log lines: "))).toEqual([
      "Log lines: ERR_B in 2 of 7 lines from tokyo-japan.",
      "Log lines: ERR_A in 1 of 7 lines from tokyo-japan.",
    ]);
  });

  it("shows a part of what the upstream said to a step that failed", async () => {
    const { steps } = await look({ diag_url_statistic_get: { strange: "x".repeat(100_000) } });
    const [said] = steps.flatMap(({ upstreamSaid }) => upstreamSaid ?? []);
    expect(said).toMatchObject({ strange: expect.stringMatching(/^x+\[cut by edgewise: \d+ of \d+ shown\]$/) });
    expect(JSON.stringify(said).length).toBeLessThanOrEqual(1_000);
  });
});
