/** What users do, done by every real client in every era over both transports against the built server. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { estimateTokens } from "../../../src/answers/tokens.js";
import { instanceCount } from "../../lab/run/lane.js";
import { connect, type HttpServer, type Kind, kinds, type Session, type Start, serve } from "../../lab/session.js";

/** What results name as their upstream: several instances share an emulator, which is a server of its own then. */
const upstream = instanceCount > 1 ? "127.0.0.1" : "emulator";

/** The server over HTTP that clients of all kinds share. */
let server: Promise<HttpServer> | undefined;
afterAll(async () => (await server)?.stop());
async function begin(kind: Kind, start: Start = {}): Promise<Session> {
  if (kind.endsWith("stdio")) return connect(kind, start);
  server ??= serve();
  return connect(kind, { ...start, at: await server });
}

const purge = {
  queueName: "default",
  body: { objects: ["https://www.example.com/spring/hero.jpg"], action: "invalidate" },
};
const listed = readFileSync("test/catalogue/tools.tsv", "utf8").matchAll(/^documents\t(\w+)/gm);
const known = [...listed].map(([, name = ""]) => name);
/** The tools that call nothing. */
const local = ["operation_describe", "operation_search", "plan_get", "report_types_list", "result_get", "result_query"];
/** The tools that call imported operations, which the embedded emulator alone does not have. */
const calling =
  instanceCount > 1 ? ["read", "launch", "create", "update", "destructive"].map((one) => `operation_${one}`) : [];

describe.each(kinds)("%s", (kind) => {
  let session: Session;
  beforeAll(async () => {
    session = await begin(kind, { probesAside: true });
  });
  afterAll(() => session.close());

  it("the first page has all tools, with title, hints and schema", async () => {
    const { tools, nextCursor } = await session.client.listTools();
    // The older client reads the first page alone, as many clients do.
    expect([tools.map(({ name }) => name), nextCursor]).toEqual([[...known, ...calling], undefined]);
    for (const tool of tools)
      expect(tool).toMatchObject({
        title: expect.any(String),
        inputSchema: { type: "object" },
        annotations: { openWorldHint: !local.includes(tool.name) },
      });
  });

  it("the instructions name tools and no addresses", () => {
    const instructions = session.client.getInstructions() ?? "";
    for (const words of ["report_types_list", "operation_describe", "diagnosis_run"])
      expect(instructions).toContain(words);
    expect(instructions).not.toContain("://");
    expect(instructions.includes("embedded emulator")).toBe(instanceCount === 1);
  });

  it("a report says where it comes from, and is cut to fit or refused", async () => {
    const report = { reportName: "endpoint-errors-by-time", period: "last_7d", interval: "HOUR", allObjectIds: true };
    const { structuredContent: whole, isError } = await session.call("report_data_get", report);
    expect(isError).toBeFalsy();
    expect(whole).toMatchObject({ status: 200, upstream: expect.stringContaining(upstream) });
    const { data } = whole as { data: { data: Record<string, string>[]; metadata: { rowCount: number } } };
    expect(data.data).toHaveLength(data.metadata.rowCount);
    expect(data.metadata.rowCount).toBeGreaterThan(160);
    const { structuredContent, content } = await session.call("report_data_get", { ...report, max_tokens: 600 });
    const text = content[0]?.text ?? "";
    for (const form of [text, JSON.stringify(structuredContent)]) expect(estimateTokens(form)).toBeLessThanOrEqual(600);
    expect(structuredContent).toMatchObject({ cut: true });
    expect(text).toMatch(/^HTTP 200 \(.*\), truncated\.\n/);
    expect(await session.call("report_data_get", { ...report, max_tokens: 3 })).toMatchObject({
      isError: true,
      structuredContent: { error: "invalid_input", fields: [{ field: "max_tokens", given: "3" }] },
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

  it("resources are read, also live, names completed, and a prompt filled", async () => {
    const { client } = session;
    const read = async (uri: string) =>
      ((await client.readResource({ uri })).contents[0] as { readonly text: string }).text;
    const complete = async (uri: string, name: string, value: string) =>
      (await client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } })).completion.values;
    expect(JSON.parse(await read("report://catalogue")).reports).toHaveLength(8);
    expect(await read("operation://purge_submit")).toContain("POST /ccu/v2/queues/{queueName}");
    expect(await complete("operation://{tool}", "tool", "purge")).toEqual([
      "purge_queue_get",
      "purge_submit",
      "purge_status",
    ]);
    expect(await complete("threat://configs/{configId}/lists", "configId", "11")).toEqual(["1100"]);
    expect(await read("threat://configs/1100/lists")).toContain("Phishing");
    expect(JSON.parse(await read("alert://schemas/alert-definition/s%407"))).toHaveProperty("$schema");
    await expect(read("alert://templates/../x")).rejects.toThrow();
    const guided = { name: "purge_safely", arguments: { what: "the spring campaign" } };
    expect(JSON.stringify((await client.getPrompt(guided)).messages)).toContain("the spring campaign");
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
});
