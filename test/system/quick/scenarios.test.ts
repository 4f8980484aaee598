/** What users do, done by every real client in every era over both transports against the built server. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { catalogueOf } from "../../../src/mcp/tool.js";
import { allServices } from "../../../src/tools/index.js";
import { allWorkflows } from "../../../src/workflows/index.js";
import { instanceCount } from "../../lab/run/lane.js";
import { connect, type HttpServer, type Kind, kinds, type Session, type Start, serve } from "../../lab/session.js";

/** What results name as their upstream: several instances share an emulator, which is a server of its own then. */
const upstream = instanceCount > 1 ? "127.0.0.1" : "emulator";

/** The servers over HTTP by their flags: clients of all kinds share them. */
const servers = new Map<string, Promise<HttpServer>>();
afterAll(async () => {
  for (const server of servers.values()) await (await server).stop();
});
async function begin(kind: Kind, start: Start = {}): Promise<Session> {
  if (kind.endsWith("stdio")) return connect(kind, start);
  const { flags = [] } = start;
  const server = servers.get(flags.join(" ")) ?? serve({ flags });
  servers.set(flags.join(" "), server);
  return connect(kind, { ...start, at: await server });
}

const purge = {
  queueName: "default",
  body: { objects: ["https://www.example.com/spring/hero.jpg"], action: "invalidate" },
};
/** The tools that call nothing. */
const local = ["operation_describe", "operation_search", "plan_get", "report_types_list", "result_get", "result_query"];
/** The tools that call imported operations, which the embedded emulator alone does not have. */
const calling =
  instanceCount > 1 ? ["read", "launch", "create", "update", "destructive"].map((one) => `operation_${one}`) : [];
const hour = (ms: number) => new Date(Math.floor(ms / 3_600_000) * 3_600_000).toISOString();
const lastWeek = () => ({ start: hour(Date.now() - 7 * 86_400_000), end: hour(Date.now()) });

describe.each(kinds)("%s", (kind) => {
  let session: Session;
  beforeAll(async () => {
    session = await begin(kind, { probesAside: true });
  });
  afterAll(() => session.close());

  it("the first page has all tools, with title, hints and schema", async () => {
    const { tools, nextCursor } = await session.client.listTools();
    const names = [...catalogueOf(await allServices("documents"), await allWorkflows()).keys(), ...calling];
    // The older client reads the first page alone, as many clients do.
    expect([tools.map(({ name }) => name), nextCursor]).toEqual([names, undefined]);
    for (const tool of tools)
      expect(tool).toMatchObject({
        title: expect.any(String),
        inputSchema: { type: "object" },
        annotations: { openWorldHint: !local.includes(tool.name) },
      });
  });

  it.skipIf(instanceCount > 1)("the instructions say that the emulator answers", () => {
    expect(session.client.getInstructions()).toContain("embedded emulator");
  });

  it("a report says where it comes from", async () => {
    const { structuredContent, isError } = await session.call("report_data_get", {
      reportName: "endpoint-errors-by-time",
      version: 1,
      ...lastWeek(),
      interval: "HOUR",
      allObjectIds: true,
    });
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({ status: 200, upstream: expect.stringContaining(upstream) });
    const { data } = structuredContent as { data: { data: Record<string, string>[]; metadata: { rowCount: number } } };
    expect(data.data).toHaveLength(data.metadata.rowCount);
    expect(data.metadata.rowCount).toBeGreaterThan(160);
  });

  it("max_tokens: a result is cut to fit, and refused if nothing does", async () => {
    const report = {
      reportName: "endpoint-errors-by-time",
      ...lastWeek(),
      interval: "HOUR",
      allObjectIds: true,
    };
    const { structuredContent, content } = await session.call("report_data_get", { ...report, max_tokens: 600 });
    const text = content[0]?.text ?? "";
    for (const form of [text, JSON.stringify(structuredContent)]) expect(encode(form).length).toBeLessThanOrEqual(600);
    expect(structuredContent).toMatchObject({ cut: true });
    expect(text).toMatch(/^HTTP 200 \(.*\), truncated\.\n/);
    expect(await session.call("report_data_get", { ...report, max_tokens: 3 })).toMatchObject({
      isError: true,
      structuredContent: { error: "invalid_input", fields: [{ field: "max_tokens", given: "3" }] },
    });
  });

  it("an unknown argument is refused with the nearest one", async () => {
    const { isError, structuredContent } = await session.call("purge_submit", { ...purge, queuename: "x" });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      error: "invalid_input",
      message: expect.stringContaining('did you mean "queueName"'),
    });
  });

  it("an unknown tool is refused with the nearest one", async () => {
    await expect(session.call("purge_submitt", {})).rejects.toThrow(/did you mean "purge_submit"/);
  });

  it("a purge is previewed, and made once by its confirmation", async () => {
    const preview = await session.call("purge_submit", purge);
    expect(preview.isError).toBeFalsy();
    expect(preview.structuredContent).toMatchObject({
      approval: "required",
      preview: {
        kind: "purge",
        count: 1,
        network: "production",
        account: expect.stringContaining(upstream),
        lines: expect.arrayContaining([expect.stringMatching(/^Not shown here: \d+ lines of the present state; /)]),
      },
    });
    const confirm = preview.structuredContent["confirm"];
    const done = await session.call("purge_submit", { ...purge, confirm });
    expect(done.structuredContent).toMatchObject({
      status: 201,
      data: { purgeId: expect.any(String), httpStatus: 201 },
    });
    const again = await session.call("purge_submit", { ...purge, confirm });
    expect(again).toMatchObject({
      isError: true,
      structuredContent: { error: "approval_refused", message: "This plan has been used." },
    });
  });

  it("resources are read, and names of tools completed", async () => {
    const catalogue = await session.client.readResource({ uri: "report://catalogue" });
    const [first] = catalogue.contents as { text: string }[];
    expect(JSON.parse(first?.text ?? "").reports).toHaveLength(8);
    const page = await session.client.readResource({ uri: "operation://purge_submit" });
    expect((page.contents[0] as { text: string }).text).toContain("POST /ccu/v2/queues/{queueName}");
    const completed = await session.client.complete({
      ref: { type: "ref/resource", uri: "operation://{tool}" },
      argument: { name: "tool", value: "purge" },
    });
    expect(completed.completion.values).toEqual(["purge_queue_get", "purge_submit", "purge_status"]);
  });

  it("tools that the instructions name give what resources give", async () => {
    const instructions = session.client.getInstructions() ?? "";
    for (const words of ["report_types_list", "operation_describe", "diagnosis_run"])
      expect(instructions).toContain(words);
    expect(instructions).not.toContain("://");
    const { structuredContent: all } = await session.call("report_types_list", {});
    expect(all["reports"]).toHaveLength(8);
    const [one] = all["reports"] as { name: string; version: number }[];
    const { structuredContent: shown } = await session.call("report_types_list", { report: one?.name });
    expect(shown["report"]).toMatchObject({ name: one?.name, version: one?.version, metrics: expect.any(Array) });
    const described = await session.call("operation_describe", { tool: "dns_zone_write" });
    const resource = await session.client.readResource({ uri: "operation://dns_zone_write" });
    expect(described.structuredContent["page"]).toBe((resource.contents[0] as { text: string }).text);
    const guide = await session.call("operation_describe", { tool: "guide://dns" });
    const { contents } = await session.client.readResource({ uri: "guide://dns" });
    expect(guide.structuredContent["page"]).toBe((contents[0] as { text: string }).text);
    expect((await session.call("operation_describe", { tool: "dns_zone_writ" })).structuredContent).toMatchObject({
      error: "invalid_input",
      fields: [{ field: "tool", takes: 'the name of a tool or of a service (did you mean "dns_zone_write"?)' }],
    });
  });

  it("a prompt guides a purge", async () => {
    const { messages } = await session.client.getPrompt({
      name: "purge_safely",
      arguments: { what: "the spring campaign" },
    });
    expect(JSON.stringify(messages)).toContain("the spring campaign");
  });

  it("a template is completed by what the account has, and read", async () => {
    const ref = { type: "ref/resource" as const, uri: "threat://configs/{configId}/lists" };
    const { completion } = await session.client.complete({ ref, argument: { name: "configId", value: "11" } });
    expect(completion.values).toEqual(["1100"]);
    const { contents } = await session.client.readResource({ uri: "threat://configs/1100/lists" });
    expect((contents[0] as { text: string }).text).toContain("Phishing");
  });
});

describe.each(kinds)("%s, with a person to ask", (kind) => {
  const asked: string[] = [];
  let answer: ReturnType<NonNullable<Start["answer"]>>;
  let session: Session;
  beforeAll(async () => {
    session = await begin(kind, {
      answer: (message) => {
        asked.push(message);
        return answer;
      },
    });
  });
  beforeEach(() => void asked.splice(0));
  afterAll(() => session.close());

  it("a purge is made when the person agrees", async () => {
    answer = { action: "accept", content: { approve: true } };
    const { structuredContent } = await session.call("purge_submit", purge);
    expect(structuredContent).toMatchObject({ status: 201 });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("production");
    expect(asked[0]).toContain("https://www.example.com/spring/hero.jpg");
  });

  it.each([
    { action: "decline" as const },
    { action: "cancel" as const },
    { action: "accept" as const, content: { approve: false } },
  ])("nothing is done when the person answers $action", async (no) => {
    const queued = async () => {
      const { structuredContent } = await session.call("purge_queue_get", { queueName: "default" });
      return (structuredContent as { data: { queueLength: number } }).data.queueLength;
    };
    const before = await queued();
    answer = no;
    expect((await session.call("purge_submit", purge)).structuredContent).toMatchObject({ error: "declined" });
    expect(asked).toHaveLength(1);
    // What was queued before may be done by now.
    expect(await queued()).toBeLessThanOrEqual(before);
  });
});

// The revision of 2026 asks by an answer that cannot fail.
describe.each(kinds.filter((one) => !one.includes("2026")))("%s, whose question fails", (kind) => {
  it("a question that fails leaves a plan that waits for a person", async () => {
    const session = await begin(kind, {
      answer: () => {
        throw new Error("no window to ask in");
      },
    });
    const { structuredContent, isError } = await session.call("purge_submit", purge);
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({ approval: "required", plan: expect.stringMatching(/^plan_/) });
    expect(structuredContent).not.toHaveProperty("confirm");
    const confirmed = await session.call("purge_submit", { ...purge, confirm: structuredContent["plan"] });
    expect(confirmed.structuredContent).toMatchObject({ error: "approval_refused" });
    await session.close();
  });

  it("--approval confirm: nobody is asked, and the client confirms", async () => {
    const answer = () => {
      throw new Error("no window to ask in");
    };
    const session = await begin(kind, { answer, flags: ["--approval", "confirm"] });
    const { structuredContent } = await session.call("purge_submit", purge);
    const confirmed = await session.call("purge_submit", { ...purge, confirm: structuredContent["confirm"] });
    expect(confirmed.structuredContent).toMatchObject({ status: 201 });
    await session.close();
  });
});

describe.each(kinds.slice(-1))("%s, read-only", (kind) => {
  it("--read-only: reads alone are listed, and changes refused", async () => {
    const session = await begin(kind, { flags: ["--read-only"] });
    const { tools } = await session.client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.map(({ name }) => name)).not.toContain("purge_submit");
    expect((await session.call("purge_submit", purge)).structuredContent).toMatchObject({ error: "not_allowed" });
    await session.close();
  });
});
