/** A diagnosis whose steps answer in shapes that nobody declared: it ends in findings and steps, never in an error. */
import { expect, it } from "vitest";
import { Failure } from "../../src/api/failure.js";
import type { Invoke } from "../../src/client/index.js";
import { diagnosis } from "../../src/workflows/diagnosis.js";

const told: Readonly<Record<string, object>> = {
  diag_location_list: { locations: [{ id: "tokyo-japan" }] },
  diag_location_dig_run: { digInfo: { answerSection: [{ recordType: "A", value: "203.0.113.9" }] } },
  diag_location_curl_run: { curlResults: { httpStatusCode: 503, responseBody: "Reference #9.c1.17.6" } },
  diag_ip_cdn_check: { isCdnIp: true },
  diag_url_translation_get: { translatedUrl: { cpCode: 12345 } },
  diag_url_statistic_get: {
    eStats: { edgeHits: 1, edgeFailurePercentage: 0, originHits: 1, originFailurePercentage: 0 },
  },
  diag_error_translation_get: { translatedError: { reasonForFailure: "r.", originHostname: "o", originIp: "i" } },
  diag_location_log_list: { logLines: { headers: "error", logs: ["e"] } },
};

async function diagnose(tool: string, body: unknown, more: object = {}) {
  const invoke: Invoke = async (name) => ({ status: 200, body: name === tool ? body : told[name], notes: [] });
  const work = { invoke, progress: async () => undefined, signal: new AbortController().signal };
  const { findings, steps } = await diagnosis.run({ url: "http://www.shop.example/", ...more }, work);
  return { findings: findings as string[], steps: steps as { tool: string; outcome: string; why?: string }[] };
}

const outcomeOf = async (tool: string, body: unknown) => {
  const { findings, steps } = await diagnose(tool, body);
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.join()).not.toMatch(/undefined|null|NaN|\[object/);
  return steps.find((step) => step.tool === tool);
};

it.each(Object.keys(told))("goes on when %s answers in another shape, and says so", async (tool) => {
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

it("finds what it can where a member that only helps is missing, or a list is empty", async () => {
  expect(await outcomeOf("diag_location_curl_run", { curlResults: { httpStatusCode: 503 } })).toMatchObject({
    outcome: "done",
  });
  expect(await outcomeOf("diag_location_list", { locations: [] })).toMatchObject({ outcome: "done" });
});

it("passes over a listed location that it cannot name", async () => {
  const locations = [{ id: 7 }, null, { id: "a/b" }, { id: "tokyo-japan" }, { id: "\u202e" }];
  const { steps } = await diagnose("diag_location_list", { locations });
  expect(steps.filter(({ tool }) => tool === "diag_location_dig_run")).toHaveLength(1);
});

it("asks each location once", async () => {
  const { findings, steps } = await diagnose("", undefined, { locations: ["a-b", "c-d", "a-b"] });
  expect(findings[0]).toBe("Responses: 2 of 2 locations get 503 (a-b, c-d).");
  expect(steps.filter(({ tool }) => tool === "diag_location_curl_run")).toHaveLength(2);
});

it("says that the time was up, and not that somebody cancelled a step", async () => {
  const invoke: Invoke = async (tool) => {
    throw new Failure("cancelled", `${tool} was cancelled.`, { next: "" });
  };
  const work = { invoke, progress: async () => undefined, signal: AbortSignal.abort() };
  const { steps } = await diagnosis.run({ url: "http://www.shop.example/" }, work);
  expect((steps as { why: string }[])[0]?.why).toBe("The time for the whole work was up before it answered.");
});
