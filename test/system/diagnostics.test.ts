/** Launches, definitions held against their templates, and the diagnosis, on the emulator. */
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { Failure } from "../../src/language/failure.js";
import { matchesTemplate } from "../../src/tools/alerts-v2/template-check.js";
import { callsIn } from "../lab/calls.js";
import { connect } from "../lab/session.js";

const world = createWorld({ frozenAt: Date.now() });
const { answer, refused } = callsIn(world);

it("a client hears of a diagnosis and a launch that it waits for", async () => {
  const session = await connect("v2 2025 http");
  const told: { progress: number; message?: string | undefined }[] = [];
  const onprogress = (one: (typeof told)[number]) => void told.push(one);
  const args = { url: "http://api.shop.example/cart", locations: ["tokyo-japan", "zurich-switzerland"] };
  const diagnosed = (await session.call("diagnosis_run", args, { onprogress })).structuredContent;
  expect(diagnosed["findings"]).toEqual([
    "Responses: 2 of 2 locations get 503 (tokyo-japan, zurich-switzerland).",
    expect.stringMatching(
      /^Error page 9\.c0000214\.\d+\.693: .* Origin: origin-api\.shop\.example \(203\.0\.113\.66\)\.$/,
    ),
    expect.stringMatching(/^Error statistics: 100% of \d+ /),
    expect.stringMatching(/^Error statistics: the errors come from the origin/),
    expect.stringMatching(/^Log lines: ERR_CONNECT_FAIL\|113 in 20 of 20 lines from tokyo-japan\.$/),
  ]);
  expect(diagnosed["steps"]).toMatchObject(Array(9).fill({ outcome: "done" }));
  // A client may drop what it reads together with the result; stdio.test.ts counts what was sent.
  expect(told[0]?.message).toMatch(/^.+: done$/);
  told.length = 0;
  const launch = { cpCode: 12346, wait: true };
  const { structuredContent } = await session.call("diag_cpcode_statistic_launch", launch, { onprogress });
  expect(structuredContent).toMatchObject({ status: 200, data: { eStats: { cpCode: 12346 } } });
  expect(structuredContent["notes"]).toEqual([expect.stringContaining("diag_statistic_status was polled")]);
  const steps = told.map(({ progress }) => progress);
  expect([steps.length > 0, steps]).toEqual([true, steps.toSorted((a, b) => a - b)]);
  await session.close();
});

it("launch, status and result follow each other without wait", async () => {
  const launched = await answer("diag_ip_cdn_launch", { ipAddress: "203.0.113.10" });
  const { requestId } = launched.body as { requestId: string };
  const early = await answer("diag_ip_cdn_status", { requestId });
  expect([launched.status, early]).toMatchObject([
    202,
    { status: 200, notes: [expect.stringContaining("poll again after")] },
  ]);
  world.advance(60_000);
  const ready = await answer("diag_ip_cdn_status", { requestId });
  expect(ready).toMatchObject({ status: 303, location: expect.stringContaining(requestId) });
  expect(await answer("diag_ip_cdn_result", { requestId })).toMatchObject({ body: { isCdnIp: false } });
});

it("a launch that is not ready in time says what to poll", async () => {
  const launch = { body: { url: "http://www.shop.example/" }, wait: true };
  const { status, notes } = await callsIn(world, { callTimeoutMs: 300 }).answer("diag_url_statistic_launch", launch);
  expect([status, notes]).toEqual([
    202,
    [expect.stringMatching(/^Not ready within 0 s, .* Poll diag_statistic_status .* diag_statistic_result\.$/)],
  ]);
});

it("a definition is refused by its template, and none is made", async () => {
  const fields = { templateId: "s@7", name: "x", aca_cpcode: ["12345"] };
  for (const [wrong, field, takes] of [
    [{ param: 0.99 }, "param", "1 to 100"],
    [{ param: 100.01 }, "param", "1 to 100"],
    [{ param: 1.234 }, "param", "2 decimals"],
    [{ alertLowerBound: 1_000_000 }, "alertLowerBound", "0 to 999999"],
    [{ alertLowerBound: 1.5 }, "alertLowerBound", "whole number"],
    [{ isSum: "yes" }, "isSum", "true or false"],
    [{ aca_cpcode: [] }, "aca_cpcode", "alert_access_controls_list with type cpcode"],
    [{ network: 7 }, "network", "alert_access_controls_list with type network"],
    [{ emailBrief: "a@b.example" }, "emailBrief", "a list of addresses"],
    [{ parm: 5 }, "parm", "param"],
    [{ templateId: "s@99" }, "templateId", "a template id"],
  ] as const)
    expect(await refused("alert_definition_create", { body: { fields: { ...fields, ...wrong } } })).toMatchObject({
      code: "invalid_input",
      fields: [expect.stringMatching(new RegExp(`^body\\.fields\\.${field}: .*${takes}`))],
    });
  expect(await answer("alert_definitions_list", {})).toMatchObject({ body: { data: { length: 4 } } });
  for (const tool of ["alert_suppressions_list", "alert_activities_list"])
    expect((await refused(tool, { definitionId: "s@1623" })).fields).toEqual([
      expect.stringMatching(/^definitionId: .*adaptive/),
    ]);
});

it("a stored member that the template lacks is kept, and no other taken", async () => {
  const check = async (more: object, read: () => Promise<unknown>) =>
    matchesTemplate({
      args: { body: { fields: { templateId: "s@7", name: "y", ...more } } },
      namesAt: () => ["templateId"],
      present: async () => ({ fields: { name: "x", maintSchedule: null } }),
      read,
    });
  const template = async () => ({ fields: [{ key: "name", type: "string" }] });
  expect(await check({ maintSchedule: null }, template)).toEqual([]);
  expect(await check({ nonsense: 1 }, template)).toMatchObject([{ field: "body.fields.nonsense" }]);
  const forbidden = new Failure("forbidden", "It was refused.", { next: "" });
  await expect(check({}, () => Promise.reject(forbidden))).rejects.toBe(forbidden);
});

it("a diagnosis says what it could when steps fail", async () => {
  const readOnly = callsIn(world, { isReadOnly: true });
  const { findings, steps } = await readOnly.worked<{
    findings: readonly string[];
    steps: readonly Readonly<Record<string, string>>[];
  }>("diagnosis_run", { url: "http://api.shop.example/" });
  const failed = steps.filter(({ outcome }) => outcome === "failed");
  expect(failed).toMatchObject(
    Array(3).fill({ tool: "diag_location_curl_run", why: expect.stringContaining("read-only") }),
  );
  expect(findings.at(-1)).toMatch(/^3 step\(s\) failed/);
  expect(findings.some((finding) => finding.startsWith("Error statistics: 100%"))).toBe(true);
});

it("a diagnosis is refused by its field", async () => {
  for (const [args, field] of [
    [{}, /^url: /],
    [{ url: "ftp://x" }, /^url: /],
    [{ url: "http://[" }, /^url: /],
    [{ url: "http://x", locations: [] }, /^locations: /],
  ] as const)
    expect((await refused("diagnosis_run", args)).fields).toEqual([expect.stringMatching(field)]);
});
