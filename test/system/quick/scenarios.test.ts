/** What users do, done by every real client in every era over both transports against the built server. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type HttpServer, type Kind, kinds, type Session, type Start, serve } from "../../lab/session.js";
import { instanceCount } from "../../lane.js";

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
const hour = (ms: number) => new Date(Math.floor(ms / 3_600_000) * 3_600_000).toISOString();
const lastWeek = () => ({ start: hour(Date.now() - 7 * 86_400_000), end: hour(Date.now()) });

describe.each(kinds)("%s", (kind) => {
  let session: Session;
  beforeAll(async () => {
    session = await begin(kind, { probesAside: true });
  });
  afterAll(() => session.close());

  it("lists every tool with a title, hints and a schema", async () => {
    const { tools } = await session.client.listTools();
    expect(tools.length).toBeGreaterThanOrEqual(34);
    for (const tool of tools)
      expect(tool).toMatchObject({
        title: expect.any(String),
        inputSchema: { type: "object" },
        annotations: { openWorldHint: !local.includes(tool.name) },
      });
  });

  it.skipIf(instanceCount > 1)("says in its instructions that the emulator answers", () => {
    expect(session.client.getInstructions()).toContain("embedded emulator");
  });

  it("runs a report and says where it comes from", async () => {
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

  it("keeps a result within max_tokens, says that it is cut, and refuses a bound that holds nothing", async () => {
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

  it("takes a relative period, and says in the answer what it was", async () => {
    const { structuredContent } = await session.call("report_data_get", {
      reportName: "endpoint-usage-by-time",
      version: 1,
      period: "yesterday",
      timeZone: "Asia/Tokyo",
      interval: "HOUR",
      allObjectIds: true,
    });
    expect(structuredContent).toMatchObject({
      status: 200,
      // In the first half hour of a day in Tokyo the data of its yesterday is not complete yet, which is a note, too.
      notes: expect.arrayContaining([
        expect.stringMatching(/^yesterday \(Asia\/Tokyo\) is .*T15:00:00Z to .*T15:00:00Z\.$/),
      ]),
    });
    expect((structuredContent["data"] as { data: unknown[] }).data).toHaveLength(24);
  });

  it("says until when a report's data is complete, and when to ask again", async () => {
    const soon = { start: hour(Date.now() - 3_600_000), end: hour(Date.now() + 3_600_000) };
    const args = {
      reportName: "endpoint-usage-by-time",
      version: 1,
      ...soon,
      interval: "FIVE_MINUTES",
      allObjectIds: true,
    };
    for (const format of ["json", "csv"]) {
      const { structuredContent } = await session.call("report_data_get", { ...args, format });
      expect(structuredContent["notes"]).toEqual([
        expect.stringMatching(/^Data is complete until \S+Z; retry at \S+Z\.$/),
      ]);
    }
  });

  it("gives the same report as CSV", async () => {
    const args = {
      reportName: "authoritative-dns-availability",
      version: 1,
      ...lastWeek(),
      interval: "DAY",
      allObjectIds: true,
    };
    const json = await session.call("report_data_get", args);
    const csv = await session.call("report_data_get", { ...args, format: "csv" });
    const { metadata, data } = json.structuredContent["data"] as {
      metadata: { columns: readonly { readonly name: string; readonly label: string }[] };
      data: readonly Readonly<Record<string, string>>[];
    };
    const columns = metadata.columns.map(({ name, label }) => (name === "groupBy" ? label : name));
    const lines = data.map((row) => columns.map((name) => row[name]).join(","));
    expect(csv.structuredContent["data"]).toContain(`#COLUMNS_START\n${columns.join(",")}\n#COLUMNS_END\n`);
    expect(csv.structuredContent["data"]).toContain(`#DATA_START\n${lines.join("\n")}\n#DATA_END\n`);
  });

  it("plans an event in ISO times and local ones, and shows what the API has in milliseconds as both", async () => {
    const body = { name: "Winter sale", start: "2026-11-27T00:00:00", end: "2026-11-27T15:00:00Z" };
    const { structuredContent } = await session.call("event_create", { body, timeZone: "Asia/Tokyo" });
    const [start, end] = [Date.UTC(2026, 10, 26, 15), Date.UTC(2026, 10, 27, 15)];
    expect(structuredContent).toMatchObject({
      data: { start, end },
      times: { [start]: "2026-11-26T15:00:00Z", [end]: "2026-11-27T15:00:00Z" },
      notes: expect.arrayContaining(["body.start 2026-11-27T00:00:00 (Asia/Tokyo) is 2026-11-26T15:00:00Z."]),
    });
  });

  it("runs a report by days without its version, and names the right report for a mistyped one", async () => {
    const report = { reportName: "endpoint-usage-by-time", period: "last_7d", interval: "DAY", allObjectIds: true };
    const { structuredContent } = await session.call("report_data_get", report);
    const { data } = structuredContent as { data: { data: object[] } };
    expect(data.data).toHaveLength(7);
    const wrong = await session.call("report_data_get", { ...report, reportName: "endpoint-usage-by-tim", version: 1 });
    expect(wrong.structuredContent).toMatchObject({
      error: "not_found",
      next: expect.stringContaining('did you mean "endpoint-usage-by-time"?'),
    });
  });

  it("refuses an unknown argument, naming the nearest right one", async () => {
    const { isError, structuredContent } = await session.call("purge_submit", { ...purge, queuename: "x" });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      error: "invalid_input",
      message: expect.stringContaining('did you mean "queueName"'),
    });
  });

  it("refuses an unknown tool, naming the nearest right one", async () => {
    await expect(session.call("purge_submitt", {})).rejects.toThrow(/did you mean "purge_submit"/);
  });

  it("previews a purge, makes it once when it is confirmed, and refuses the same confirmation again", async () => {
    const preview = await session.call("purge_submit", purge);
    expect(preview.isError).toBeFalsy();
    expect(preview.structuredContent).toMatchObject({
      approval: "required",
      preview: {
        kind: "purge",
        count: 1,
        network: "production",
        account: expect.stringContaining(upstream),
        lines: expect.arrayContaining([expect.stringMatching(/^Now: queueLength: \d+$/)]),
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

  it("refuses a confirmation with other arguments, and voids the plan", async () => {
    const { structuredContent } = await session.call("purge_submit", purge);
    const confirm = structuredContent["confirm"];
    const other = { ...purge, body: { ...purge.body, objects: ["https://www.example.com/"] } };
    expect((await session.call("purge_submit", { ...other, confirm })).structuredContent).toMatchObject({
      error: "approval_refused",
    });
    expect((await session.call("purge_submit", { ...purge, confirm })).structuredContent).toMatchObject({
      error: "approval_refused",
    });
  });

  it("edits a zone with its token, shows what would change, and refuses the stale token afterwards", async () => {
    const read = await session.call("dns_zone_get", { zone: "example.com" });
    const { token, zone } = read.structuredContent["data"] as {
      token: string;
      zone: { soa: { serial: number }; a: unknown[] };
    };
    const record = { name: "new", ttl: 300, active: true, target: "192.0.2.44" };
    const body = {
      token,
      zone: { ...zone, soa: { ...zone.soa, serial: zone.soa.serial + 1 }, a: [...zone.a, record] },
    };
    const preview = await session.call("dns_zone_write", { zone: "example.com", body });
    expect(preview.structuredContent).toMatchObject({
      preview: {
        kind: "overwrite",
        changes: 2,
        lines: expect.arrayContaining(["  + new A 192.0.2.44 TTL 300"]),
      },
    });
    const written = await session.call("dns_zone_write", {
      zone: "example.com",
      body,
      confirm: preview.structuredContent["confirm"],
    });
    expect(written.structuredContent).toMatchObject({ status: 204 });
    const second = await session.call("dns_zone_write", { zone: "example.com", body });
    const stale = await session.call("dns_zone_write", {
      zone: "example.com",
      body,
      confirm: second.structuredContent["confirm"],
    });
    expect(stale).toMatchObject({
      isError: true,
      structuredContent: { next: expect.stringContaining("dns_zone_get") },
    });
  });

  it("reads the report catalogue and a tool's page, and completes names", async () => {
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

  it("gives by tools, which the instructions name, what else only resources give", async () => {
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

  it("guides a purge by a prompt", async () => {
    const { messages } = await session.client.getPrompt({
      name: "purge_safely",
      arguments: { what: "the spring campaign" },
    });
    expect(JSON.stringify(messages)).toContain("the spring campaign");
  });

  it("guides the blocking of a domain by a prompt, with tools that are there", async () => {
    const { messages } = await session.client.getPrompt({
      name: "domain_block",
      arguments: { domain: "evil.example" },
    });
    const text = JSON.stringify(messages);
    expect(text).toContain("evil.example");
    const { tools } = await session.client.listTools();
    const named = text.match(/threat_[a-z_]+/g) ?? [];
    expect(named).toContain("threat_emergency_list_replace");
    for (const name of named) expect(tools.map((tool) => tool.name)).toContain(name);
  });

  it.each([
    ["threat://configs/{configId}/lists", "configId", "1100", "threat://configs/1100/lists", "Phishing"],
    [
      "log://sources/{logSourceType}/log-configurations",
      "logSourceType",
      "edns",
      "log://sources/edns/log-configurations",
      "163843",
    ],
  ])("completes %s and reads it", async (template, name, value, uri, part) => {
    const ref = { type: "ref/resource" as const, uri: template };
    const { completion } = await session.client.complete({ ref, argument: { name, value: value.slice(0, 2) } });
    expect(completion.values).toEqual([value]);
    const { contents } = await session.client.readResource({ uri });
    expect((contents[0] as { text: string }).text).toContain(part);
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

  it("asks the person, and purges when they agree", async () => {
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
  ])("does nothing when they answer $action", async (no) => {
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

describe.each(["v2 2025 stdio", "v2 2025 http", "v1 stdio", "v1 http"] as const)("%s, whose question fails", (kind) => {
  it("gets a preview whose plan waits for a person, and confirms nothing by itself", async () => {
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

  it("is not asked where the operator says that it cannot, and confirms", async () => {
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

describe.each(["v2 2026 stdio", "v2 2025 http"] as const)("%s, read-only", (kind) => {
  it("lists reads alone and refuses every write", async () => {
    const session = await begin(kind, { flags: ["--read-only"] });
    const { tools } = await session.client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.map(({ name }) => name)).not.toContain("purge_submit");
    expect((await session.call("purge_submit", purge)).structuredContent).toMatchObject({ error: "not_allowed" });
    expect(
      (await session.call("event_create", { body: { name: "x", start: 1e12, end: 2e12 } })).structuredContent,
    ).toMatchObject({ error: "not_allowed" });
    await session.close();
  });
});
