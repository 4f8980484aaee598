/** Launches that are waited for, definitions checked by their templates, raw text, live resources, and the diagnosis. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Session } from "../lab/session.js";
import { scripted } from "./scripted.js";
import { json } from "./upstream.js";

const launch = { requestId: "abc", link: "/diagnostic-tools/v2/estats-requests/abc", retryAfter: 0 };

const { upstream, against } = await scripted();
const emulated = connect("v2 2026 stdio");
afterAll(async () => (await emulated).close());

// One client of each era and transport: the tools are the same for all.
describe.each(["v2 2026 stdio", "v2 2025 http", "v1 stdio"] as const)("%s", (kind) => {
  let session: Session;
  beforeAll(async () => {
    session = await connect(kind);
  });
  afterAll(() => session.close());

  it("a launch is waited for, with progress, to its result", async () => {
    const told: { progress: number; message?: string | undefined }[] = [];
    const { structuredContent, isError } = await session.call(
      "diag_cpcode_statistic_launch",
      { cpCode: 12346, wait: true },
      { onprogress: (progress) => void told.push(progress) },
    );
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({
      status: 200,
      data: { eStats: { cpCode: 12346 } },
      notes: [expect.stringContaining("diag_statistic_status was polled")],
    });
    expect(told.length).toBeGreaterThanOrEqual(1);
    const steps = told.map(({ progress }) => progress);
    expect([...steps].sort((a, b) => a - b)).toEqual(steps);
  });

  it("a diagnosis has findings, progress and all its steps", async () => {
    const told: string[] = [];
    const { structuredContent } = await session.call(
      "diagnosis_run",
      { url: "http://api.shop.example/cart", locations: ["tokyo-japan", "zurich-switzerland"] },
      { onprogress: ({ message = "" }) => void told.push(message) },
    );
    const { findings, steps } = structuredContent as { findings: string[]; steps: { outcome: string; tool: string }[] };
    expect(findings).toEqual([
      "Responses: 2 of 2 locations get 503 (tokyo-japan, zurich-switzerland).",
      expect.stringMatching(
        /^Error page 9\.c0000214\.\d+\.693: .* Origin: origin-api\.shop\.example \(203\.0\.113\.66\)\.$/,
      ),
      expect.stringMatching(/^Error statistics: 100% of \d+ /),
      expect.stringMatching(/^Error statistics: the errors come from the origin/),
      expect.stringMatching(/^Log lines: ERR_CONNECT_FAIL\|113 in 20 of 20 lines from tokyo-japan\.$/),
    ]);
    expect(steps.map(({ outcome }) => outcome)).toEqual(Array(9).fill("done"));
    // A client may drop what it reads together with the result; stdio.test.ts counts what was sent.
    expect(told[0]).toMatch(/^.+: done$/);
  });

  it("live resources are listed, read and completed", async () => {
    const { resources } = await session.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(["alert://templates", "alert://schemas/alert-firings", "diagnostic://locations"]),
    );
    const read = async (uri: string) => {
      const { contents } = await session.client.readResource({ uri });
      return JSON.parse((contents[0] as { text: string }).text) as unknown;
    };
    expect(await read("alert://templates/s@7")).toMatchObject({ templateId: "s@7" });
    expect(await read("alert://schemas/alert-definition/s%407")).toMatchObject({ $schema: expect.any(String) });
    expect(await read("diagnostic://locations")).toMatchObject({ locations: expect.any(Array) });
    expect(await read("contract://contracts")).toContain("C-1FRYVV3");
    expect(await read("contract://contracts/C-1FRYVV3/products")).toMatchObject({ products: expect.any(Object) });
    const page = await session.client.readResource({ uri: "operation://diagnosis_run" });
    expect((page.contents[0] as { text: string }).text).toMatch(
      /^# diagnosis_run\n.*## Steps\n\n1\. Choose locations/s,
    );
    expect(await read("operation://diagnosis_run.json")).toMatchObject({ steps: expect.any(Array) });
    const complete = async (uri: string, name: string, value: string) =>
      (await session.client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } })).completion
        .values;
    expect(await complete("alert://templates/{templateId}", "templateId", "s@1")).toEqual(["s@1", "s@134"]);
    expect(await complete("contract://contracts/{contractId}/products", "contractId", "3-")).toContain("3-EXPIRED");
    for (const uri of ["alert://templates/s@99", "alert://templates/../x", "contract://contracts/products"])
      await expect(session.client.readResource({ uri })).rejects.toThrow();
  });
});

it("a live resource is no longer read when the client gives up", async () => {
  const patient = ["--first-byte-timeout-ms", "600000", "--call-timeout-ms", "3600000"];
  const session = await against(() => undefined, patient);
  const stop = new AbortController();
  const reading = session.client.readResource({ uri: "alert://templates" }, { signal: stop.signal });
  reading.catch(() => undefined);
  await expect.poll(() => upstream.received.length).toBe(1);
  stop.abort();
  await expect(reading).rejects.toThrow();
  await upstream.abandoned;
});

describe("a launch", () => {
  it("a launch that is not ready in time has its id and what to call", async () => {
    const session = await against(
      (response, { method }) => json(response, method === "POST" ? 202 : 200, launch),
      ["--call-timeout-ms", "1600"],
    );
    const { structuredContent, isError } = await session.call("diag_url_statistic_launch", {
      body: { url: "http://www.shop.example/" },
      wait: true,
    });
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({
      status: 202,
      data: launch,
      notes: [
        expect.stringMatching(/^Not ready within [01] s, .* Poll diag_statistic_status .* diag_statistic_result\.$/),
      ],
    });
    // How often it is polled in that time is the machine's, and that it is launched once is not.
    const [launched, ...polls] = upstream.received.map(({ method, target }) => `${method} ${target}`);
    expect(launched).toBe("POST /diagnostic-tools/v2/estats");
    expect(new Set(polls)).toEqual(new Set(["GET /diagnostic-tools/v2/estats-requests/abc"]));
  });

  it("a launch whose polling fails is not lost, and made once", async () => {
    const session = await against((response, { method }) =>
      method === "POST" ? json(response, 202, launch) : json(response, 403, {}),
    );
    const { structuredContent, isError } = await session.call("diag_ip_cdn_launch", {
      ipAddress: "192.0.2.1",
      wait: true,
    });
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({ status: 202, data: { requestId: "abc" } });
    expect(structuredContent["notes"]).toEqual([expect.stringContaining('diag_ip_cdn_status with requestId "abc"')]);
    expect(upstream.received.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("launch, status and result follow each other without wait", async () => {
    const session = await emulated;
    const launched = await session.call("diag_ip_cdn_launch", { ipAddress: "203.0.113.10" });
    expect(launched.structuredContent).toMatchObject({ status: 202 });
    const { requestId } = launched.structuredContent["data"] as { requestId: string };
    const early = await session.call("diag_ip_cdn_status", { requestId });
    expect(early.structuredContent).toMatchObject({
      status: 200,
      notes: [expect.stringContaining("poll again after")],
    });
    const ready = await session.call("diag_ip_cdn_status", { requestId });
    expect(ready.structuredContent).toMatchObject({ status: 303, location: expect.stringContaining(requestId) });
    const result = await session.call("diag_ip_cdn_result", { requestId });
    expect(result.structuredContent).toMatchObject({ data: { isCdnIp: false } });
  });
});

describe("a definition", () => {
  const fields = { templateId: "s@7", name: "x", aca_cpcode: ["12345"] };

  it.each([
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
  ])("a definition with %j is refused by its template", async (wrong, field, takes) => {
    const session = await emulated;
    const { structuredContent } = await session.call("alert_definition_create", {
      body: { fields: { ...fields, ...wrong } },
    });
    expect(structuredContent).toMatchObject({
      error: "invalid_input",
      fields: [{ field: `body.fields.${field}`, takes: expect.stringContaining(takes) }],
    });
    const { structuredContent: after } = await session.call("alert_definitions_list", {});
    expect((after["data"] as { data: unknown[] }).data).toHaveLength(4);
  });

  it("a static definition has no suppressions and no activities", async () => {
    const session = await against((response) => json(response, 200, {}));
    for (const tool of ["alert_suppressions_list", "alert_activities_list"])
      expect((await session.call(tool, { definitionId: "s@1623" })).structuredContent).toMatchObject({
        error: "invalid_input",
        fields: [{ field: "definitionId", takes: expect.stringContaining("adaptive") }],
      });
    expect(upstream.received).toEqual([]);
  });

  it("a definition keeps a member that its template lacks", async () => {
    const stored = { templateId: "s@7", definitionId: "s@1", name: "x", maintSchedule: null };
    const session = await against((response, { method, target }) => {
      if (method === "PUT") response.writeHead(204).end();
      else if (target.includes("alert-templates")) json(response, 200, { fields: [{ key: "name", type: "string" }] });
      else json(response, 200, { definitionId: "s@1", origin: "STATIC", fields: stored });
    });
    const replace = (more: object, confirm?: unknown) =>
      session.call("alert_definition_replace", {
        definitionId: "s@1",
        body: { definitionId: "s@1", origin: "STATIC", fields: { ...stored, ...more } },
        ...(confirm === undefined ? {} : { confirm }),
      });
    expect((await replace({ nonsense: 1 })).structuredContent).toMatchObject({
      error: "invalid_input",
      fields: [{ field: "body.fields.nonsense" }],
    });
    const preview = await replace({ name: "y" });
    expect((await replace({ name: "y" }, preview.structuredContent["confirm"])).structuredContent).toMatchObject({
      status: 204,
    });
    expect(
      upstream.received.filter(({ method }) => method === "PUT").map(({ body }) => JSON.parse(body)),
    ).toMatchObject([{ fields: { name: "y", maintSchedule: null } }]);
  });

  it("a definition is not sent when its template cannot be read", async () => {
    const session = await against((response) => json(response, 403, {}));
    const { structuredContent } = await session.call("alert_definition_create", { body: { fields } });
    expect(structuredContent).toMatchObject({ error: "forbidden" });
    expect(upstream.received.map(({ method }) => method)).toEqual(["GET"]);
  });
});

describe("raw text", () => {
  it("raw text is bounded, and the fields beside it are whole", async () => {
    const digInfo = {
      hostname: "a",
      queryType: "A",
      answerSection: [],
      authoritySection: [],
      result: "x".repeat(9_000),
    };
    const session = await against((response) => json(response, 200, { digInfo }));
    const { structuredContent } = await session.call("diag_location_dig_run", { locationId: "a-b", hostName: "a" });
    expect(structuredContent).toMatchObject({
      data: { digInfo: { ...digInfo, result: `${"x".repeat(4_000)}[cut by edgewise: 4000 of 9000 shown]` } },
      cut: true,
      notes: [
        "digInfo.result: 4000 of 9000 characters of raw text are shown.",
        expect.stringMatching(/^The whole result can be read at result:\/\/[\w-]+ or with result_get\.$/),
      ],
    });
  });

  it("log lines are rows in the text, and as they came in the data", async () => {
    const session = await emulated;
    const { structuredContent, content } = await session.call("diag_location_logs_list", {
      locationId: "tokyo-japan",
    });
    const { data, notes } = structuredContent as {
      data: { logLines: { headers: string; logs: string[] } };
      notes: string[];
    };
    expect(data.logLines.logs.at(-1)).toMatch(/^\[cut by edgewise: \d+ of 200 shown\]$/);
    expect(notes[0]).toMatch(/^logLines\.logs: \d+ of 200 lines of raw text are shown\.$/);
    const [line = ""] = data.logLines.logs;
    const text = content[0]?.text ?? "";
    expect(text).toMatch(/^ {2}logs \(\d+ rows\):$/m);
    const row = text.split("\n").find((one) => one.endsWith(line.split("\t").at(-1) ?? "?"));
    expect(line.split("\t").filter((cell) => row?.includes(cell)).length).toBeGreaterThan(10);
  });
});

describe("a live resource", () => {
  const ref = { type: "ref/resource", uri: "alert://templates/{templateId}" } as const;
  const readFrom = async (session: Session, uri: string) =>
    ((await session.client.readResource({ uri })).contents[0] as { text: string }).text;

  it("a live resource of another shape is read, and completes to nothing", async () => {
    const bodies = [{}, { data: null }, { data: [null, { templateId: 7 }] }, "x"];
    const session = await against((response, _, count) =>
      count < bodies.length * 2 ? json(response, 200, bodies[count >> 1]) : void response.writeHead(200).end(),
    );
    const argument = { name: "templateId", value: "s@" };
    for (const body of bodies) {
      expect((await session.client.complete({ ref, argument })).completion.values).toEqual([]);
      expect(JSON.parse(await readFrom(session, "alert://templates"))).toEqual(body);
    }
    expect(await readFrom(session, "alert://templates")).toBe("null");
  });

  it("a live resource holds no secret that the upstream echoes", async () => {
    const session = await against((response, { headers }) => json(response, 200, { sent: headers["authorization"] }));
    const text = await readFrom(session, "alert://templates");
    const [, token = ""] = /client_token=([^;]+)/.exec(upstream.received[0]?.headers.authorization ?? "") ?? [];
    expect(token).not.toBe("");
    expect(text).toContain("client_token=[secret];");
    expect(text).not.toContain(token);
  });
});

describe("a diagnosis", () => {
  it("a diagnosis says what it could when steps fail", async () => {
    const session = await connect("v2 2026 stdio", { flags: ["--read-only"] });
    const { structuredContent } = await session.call("diagnosis_run", { url: "http://api.shop.example/" });
    const { findings, steps } = structuredContent as { findings: string[]; steps: Record<string, string>[] };
    const failed = steps.filter(({ outcome }) => outcome === "failed");
    expect(new Set(failed.map(({ tool }) => tool))).toEqual(new Set(["diag_location_curl_run"]));
    expect(failed[0]?.["why"]).toContain("read-only");
    expect(findings.at(-1)).toMatch(/^3 step\(s\) failed/);
    expect(findings.some((finding) => finding.startsWith("Error statistics: 100%"))).toBe(true);
    await session.close();
  });

  it("a diagnosis ends in time when the upstream hangs", async () => {
    const session = await against(
      (response, { target }) => {
        if (target.endsWith("/is-cdn-ip")) json(response, 200, { isCdnIp: false });
        if (target.includes("/dig-info"))
          json(response, 200, { digInfo: { answerSection: [{ recordType: "A", value: "203.0.113.9" }] } });
      },
      ["--call-timeout-ms", "1500"],
    );
    const { structuredContent, isError } = await session.call("diagnosis_run", {
      url: "http://www.shop.example/",
      locations: ["tokyo-japan"],
    });
    expect(isError).toBeFalsy();
    const { steps } = structuredContent as { steps: { tool: string; outcome: string; why?: string }[] };
    expect(steps.find(({ tool }) => tool === "diag_location_dig_run")?.outcome).toBe("done");
    expect(steps.find(({ tool }) => tool === "diag_url_statistic_get")).toMatchObject({
      outcome: "failed",
      why: expect.stringMatching(/ The call's timeout covers all steps together\.$/),
    });
  });

  it.each([{}, { url: "ftp://x" }, { url: "http://[" }, { url: "http://x", locations: [] }])(
    "a diagnosis of %j is refused by its field",
    async (args) => {
      const session = await emulated;
      expect((await session.call("diagnosis_run", args)).structuredContent).toMatchObject({
        error: "invalid_input",
        fields: [{ field: expect.stringMatching(/^(url|locations(\[0\])?|more)$/) }],
      });
    },
  );
});
