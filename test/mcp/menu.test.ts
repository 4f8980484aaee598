/** The menus: what each lists and calls, why the rest cannot be called, and that a call by a call tool is the tool's own call. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine/index.js";
import { lazily } from "../../src/language/once-for.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { createMenus } from "../../src/mcp/http/menus.js";
import { type MenuChoice, menuOf, readingsFor, readMenuChoice } from "../../src/mcp/menu.js";
import { serverFactory, serverOptions } from "../../src/mcp/server.js";
import { catalogueOf, readingsOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { ask, initialize, modern } from "../lab/raw-http.js";

const [services, workflows] = [await allServices("documents"), await allWorkflows()];
const catalogue = catalogueOf(services, workflows);
const kept = ["operation_describe", "operation_search", "plan_get", "result_get", "result_query", "result_view"];
const namesOn = (choice: MenuChoice) => menuOf(catalogue, choice).listed.map(({ tool }) => tool.name);

describe("a menu", () => {
  it("lists and calls every tool unless it is told otherwise", () => {
    const menu = menuOf(catalogue, { surface: "all" });
    expect(menu.listed.map(({ tool }) => tool.name)).toEqual([...catalogue.keys()]);
    for (const tool of catalogue.keys()) expect(menu.asked(tool, {})).toEqual({ tool, args: {}, refused: undefined });
    expect(menu.asked("operation_read", { tool: "purge_status", arguments: {} })?.refused?.code).toBe("not_allowed");
  });

  it.each(["core", "catalogue"] as const)(
    "of the surface %s reaches every tool by a call tool of its effect",
    (surface) => {
      const menu = menuOf(catalogue, { surface });
      const listed = new Set(menu.listed.map(({ tool }) => tool.name));
      for (const { effect, tool } of catalogue.values()) {
        const asked = (name: string) => menu.asked(name, { tool: tool.name, arguments: { a: 1 }, confirm: "id" });
        const by = `operation_${effect}`;
        expect(asked(by)).toEqual({ tool: tool.name, args: { a: 1, confirm: "id" } });
        const other = effect === "read" ? "operation_destructive" : "operation_read";
        expect(asked(other)?.refused).toMatchObject({
          code: "invalid_input",
          message: expect.stringContaining(`operation_${effect}`),
        });
        const direct = menu.asked(tool.name, {})?.refused;
        expect(direct?.detail.next).toEqual(
          listed.has(tool.name) ? undefined : expect.stringContaining(`operation_${effect} `),
        );
        const hints = menu.listed.find((one) => one.tool.name === `operation_${effect}`)?.tool.annotations;
        expect([tool.name, hints?.readOnlyHint]).toEqual([tool.name, tool.annotations.readOnlyHint]);
        if (tool.annotations.destructiveHint) expect([tool.name, hints?.destructiveHint]).toEqual([tool.name, true]);
        if (hints?.idempotentHint) expect([tool.name, tool.annotations.idempotentHint]).toEqual([tool.name, true]);
      }
    },
  );

  it("a service's menu has its tools, its workflows and the shared tools", () => {
    const names = namesOn({ surface: "all", services: ["dns"] });
    expect(names.sort()).toEqual(
      [
        ...kept,
        "call_batch",
        "change_restore",
        "dns_record_remove",
        "dns_record_set",
        "dns_zone_get",
        "dns_zone_write",
      ].sort(),
    );
  });

  it("in a menu, excluding patterns win, and describing tools remain", () => {
    const choice = { surface: "all", tools: ["dns_*"], excludeTools: ["*_write", "call_*", "plan_get"] } as const;
    expect(namesOn(choice).sort()).toEqual(
      [...kept, "change_restore", "dns_record_remove", "dns_record_set", "dns_zone_get"].sort(),
    );
  });

  it.each(["all", "core", "catalogue"] as const)("says why what is left out cannot be called: %s", (surface) => {
    const menu = menuOf(catalogue, { surface, services: ["purge"], excludeTools: ["purge_submit"] });
    const refusals = [
      ["dns_zone_get", "operation_read", "belongs to dns; the services offered are purge"],
      ["purge_submit", "operation_destructive", "is excluded by purge_submit"],
    ] as const;
    for (const [tool, by, why] of refusals)
      for (const refused of [
        menu.asked(tool, {})?.refused,
        surface === "all" ? undefined : menu.asked(by, { tool, arguments: {} })?.refused,
      ])
        if (refused) expect([refused.code, refused.detail.why]).toEqual(["not_allowed", expect.stringContaining(why)]);
    expect(menu.asked("dns_zone_get", {})?.refused).toBeDefined();
    expect(menu.asked("no_such_tool", {})).toBeUndefined();
  });

  it.each([
    [{ excludeTools: ["dns_zone_write"] }, "dns_zone_write", "--exclude-tools", "It is excluded by dns_zone_write"],
    [{ tools: ["purge_*"] }, "dns_zone_write", "--tools", "It is not among the tools offered, purge_*"],
    [{ services: ["purge"] }, "dns_zone_write", "--services", "It belongs to dns; the services offered are purge"],
    [
      { services: ["purge"], areServicesOfAddress: true },
      "dns_zone_write",
      "the URL of this connection",
      "It belongs to dns; the services offered are purge",
    ],
  ] as const)("says what leaves a tool out: %j", (choice, tool, by, why) => {
    const menu = menuOf(catalogue, { surface: "all", ...choice });
    expect(menu.leftOut(tool)).toEqual({ by, why });
    expect(menu.asked(tool, {})?.refused?.message).toBe(`${tool} is left out here by ${by}, so it cannot be called.`);
    expect(menu.leftOut("purge_status")).toBeUndefined();
    expect(menu.leftOut("no_such_tool")).toBeUndefined();
  });

  it.each(["core", "catalogue"] as const)("of the surface %s leaves nothing out", (surface) => {
    const { leftOut } = menuOf(catalogue, { surface });
    expect([...catalogue.keys()].filter((tool) => leftOut(tool) !== undefined)).toEqual([]);
  });

  it("a menu lists no resource whose reading tool is left out", async () => {
    const all = await readingsOf(services, workflows);
    const addressesFor = (choice: Omit<MenuChoice, "surface">) =>
      readingsFor(all, menuOf(catalogue, { surface: "all", ...choice })).resources.map(({ address }) => address);
    const whole = addressesFor({});
    expect(whole).toEqual(all.resources.map(({ address }) => address));
    const [read] = all.resources.filter(({ tool }) => tool !== undefined);
    const without = addressesFor({ excludeTools: [read?.tool ?? ""] });
    expect(whole.filter((address) => !without.includes(address))).toContain(read?.address);
    expect(without.length).toBeLessThan(whole.length);
    expect(addressesFor({ services: ["purge"] }).length).toBeLessThan(whole.length);
  });

  it("a read-only menu lists only reads, which still reach every tool", () => {
    const menu = menuOf(catalogue, { surface: "catalogue", isReadOnly: true });
    expect(menu.listed.map(({ tool }) => tool.name).sort()).toEqual([...kept, "operation_read"].sort());
    expect(menu.listed.every(({ tool }) => tool.annotations.readOnlyHint)).toBe(true);
  });

  it("a batch is listed as a read where read-only, else as destructive", () => {
    const hintsOn = (choice: MenuChoice) =>
      menuOf(catalogue, choice).listed.find(({ tool }) => tool.name === "call_batch")?.tool.annotations;
    for (const surface of ["all", "core"] as const) {
      expect(hintsOn({ surface })).toMatchObject({ readOnlyHint: false, destructiveHint: true });
      expect(hintsOn({ surface, isReadOnly: true })).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }
  });

  it("instructions fit 2 KB and say once that no confirm means a preview", async () => {
    const surface = {
      catalogue,
      readings: await readingsOf(services, workflows),
      version: "1",
      isEmulated: true,
      isReadOnly: false,
      engine: () => Promise.reject(new Error("not needed")),
    };
    for (const name of ["all", "core", "catalogue"] as const) {
      const { instructions = "" } = serverOptions(surface, menuOf(catalogue, { surface: name }));
      expect([name, Buffer.byteLength(instructions) <= 2_048]).toEqual([name, true]);
      expect(instructions.match(/without confirm/g)).toHaveLength(1);
      expect(instructions.includes("operation_launch")).toBe(name !== "all");
    }
  });

  it.each([
    [{ services: "purge,dsn" }, /no service "dsn" \(did you mean "dns"/],
    [{ tools: "dns_*,purge_nothing" }, /--tools: no tool matches "purge_nothing"/],
    [{ "exclude-tools": "*_nothing" }, /--exclude-tools: no tool matches/],
  ])("is refused at the start for %j", (given, message) => {
    const all = {
      surface: "all",
      services: undefined,
      tools: undefined,
      "exclude-tools": undefined,
      ...given,
    } as const;
    expect(() => readMenuChoice(all, () => catalogue)).toThrow(message);
  });
});

describe("over HTTP", () => {
  const token = "a-token-of-more-than-32-characters-01";
  const bearer = { authorization: `Bearer ${token}` };
  const audited: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  let url: URL;

  async function start(choice: MenuChoice): Promise<URL> {
    const engine = lazily(() =>
      createEngine(
        readConfig(["--emulator", "--state-dir", "memory"], {}),
        catalogue,
        (line) => void audited.push(line),
      ),
    );
    const surface = {
      catalogue,
      readings: await readingsOf(services, workflows),
      version: "1",
      isEmulated: true,
      isReadOnly: false,
      choice,
      engine,
    };
    const served = await serveHttp({
      build: serverFactory(surface),
      menuAt: createMenus(surface),
      host: "127.0.0.1",
      port: 0,
      allowedHosts: [],
      log: () => undefined,
      clients: [{ name: "one", token }],
      allowsWrites: true,
    });
    closers.push(served.close);
    return new URL(served.url);
  }
  beforeAll(async () => {
    url = await start({ surface: "all" });
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const listAt = async (path: string, at = url) => {
    const { status, text } = await ask(at, { path, headers: { ...modern, ...bearer } });
    if (status !== 200) return [status, (JSON.parse(text) as { error: { message: string } }).error.message];
    return (JSON.parse(text) as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
  };
  const callAt = async (path: string, name: string, args: object, at = url) => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args, _meta: meta },
    });
    const { text } = await ask(at, {
      path,
      headers: { ...modern, ...bearer, "mcp-method": "tools/call", "mcp-name": name },
      body,
    });
    return (JSON.parse(text) as { result: { structuredContent: Record<string, unknown> } }).result.structuredContent;
  };

  it("serves by path what the settings serve, in any order of the services", async () => {
    expect(await listAt("/mcp")).toEqual([...catalogue.keys()]);
    expect(await listAt("/mcp/core")).toEqual(namesOn({ surface: "core" }));
    expect(await listAt("/mcp/catalogue")).toEqual(namesOn({ surface: "catalogue" }));
    for (const path of ["/mcp/services/purge,dns", "/mcp/services/dns%2Cpurge"])
      expect(await listAt(path)).toEqual(namesOn({ surface: "all", services: ["dns", "purge"] }));
    expect(await listAt("/mcp/core/services/dns/readonly")).toEqual(
      namesOn({ surface: "core", services: ["dns"], isReadOnly: true }),
    );
  });

  it("corrects a call as its client sends calls, with the bound that it gave", async () => {
    const mistaken = { locationId: "Tokyo, Japan", hostName: "www.shop.example" };
    const meant = { tool: "diag_location_dig_run", arguments: { ...mistaken, locationId: "tokyo-japan" } };
    const called = { tool: meant.tool, arguments: mistaken, max_tokens: 900 };
    expect(await callAt("/mcp", meant.tool, { ...mistaken, max_tokens: 900 })).toMatchObject({
      corrected: { tool: meant.tool, arguments: { ...meant.arguments, max_tokens: 900 } },
    });
    const { corrected } = await callAt("/mcp/core", "operation_read", called);
    expect(corrected).toEqual({ tool: "operation_read", arguments: { ...meant, max_tokens: 900 } });
    const { tool, arguments: sent } = corrected as { tool: string; arguments: object };
    expect(await callAt("/mcp/core", tool, sent)).toMatchObject({ status: 200 });
  });

  it("never serves more than the server was started with, and says so", async () => {
    const narrow = await start({ surface: "core", services: ["purge"], excludeTools: ["purge_submit"] });
    expect(await listAt("/mcp/readonly", narrow)).not.toContain("purge_submit");
    expect(await listAt("/mcp/services/dns", narrow)).toEqual([404, "The service dns is not offered by this server."]);
    const least = await start({ surface: "catalogue" });
    expect(await listAt("/mcp/core", least)).toEqual([404, expect.stringContaining("wider")]);
    expect(
      await callAt("/mcp/catalogue", "operation_destructive", { tool: "purge_submit", arguments: {} }, narrow),
    ).toMatchObject({ error: "not_allowed" });
  });

  it.each([
    ["/mcp/", "MCP is served at"],
    ["/mcp/everything", "MCP is served at"],
    ["/mcp/readonly/core", "MCP is served at"],
    ["/mcp/services/dsn", 'did you mean "dns"'],
  ])("answers 404 at %s", async (path, message) => {
    expect(await listAt(path)).toEqual([404, expect.stringContaining(message)]);
  });

  it("keeps the list the same whatever was called before", async () => {
    const before = await listAt("/mcp/catalogue");
    await callAt("/mcp/catalogue", "operation_describe", { tool: "purge_submit" });
    await callAt("/mcp/catalogue", "operation_read", { tool: "purge_queue_get", arguments: { queueName: "default" } });
    await listAt("/mcp/core");
    expect(await listAt("/mcp/catalogue")).toEqual(before);
  });

  const purge = { queueName: "default", body: { objects: ["https://www.example.com/a.jpg"] } };

  it("a call makes one plan, by a call tool or by its tool's name", async () => {
    audited.length = 0;
    const { confirm } = await callAt("/mcp/catalogue", "operation_destructive", {
      tool: "purge_submit",
      arguments: purge,
    });
    expect(confirm).toMatch(/\S/);
    expect(await callAt("/mcp", "purge_submit", { ...purge, confirm })).toMatchObject({ status: 201 });
    const typed = await callAt("/mcp", "purge_submit", purge);
    const called = { tool: "purge_submit", arguments: purge, confirm: typed["confirm"] };
    expect(await callAt("/mcp/core", "operation_destructive", called)).toMatchObject({ status: 201 });
    const own = audited.filter((line) => !line.includes('"parent":'));
    const tools = own.flatMap((line) => /"tool":"(\w+)"/.exec(line)?.[1] ?? []);
    expect(tools.length).toBeGreaterThan(3);
    expect(new Set(tools)).toEqual(new Set(["purge_submit"]));
  });

  it("null and empty text are left out at every place of a call", async () => {
    const queue = { queueName: "default", view: null, confirm: "" };
    const nothing = { confirm: null, max_tokens: null, view: "" };
    const calls: [path: string, tool: string, args: object, answer: object][] = [
      ["/mcp", "purge_queue_get", { ...queue, max_tokens: "" }, { status: 200 }],
      ["/mcp/catalogue", "operation_read", { tool: "purge_queue_get", arguments: queue, ...nothing }, { status: 200 }],
      ["/mcp", "alert_definitions_list", { fieldValue: "", ...nothing }, { status: 200 }],
      ["/mcp", "call_batch", { tool: "purge_queue_get", arguments: [queue, queue], ...nothing }, { done: 2 }],
      ["/mcp", "operation_search", { query: "purge", limit: null }, {}],
    ];
    for (const [path, tool, args, answer] of calls) expect(await callAt(path, tool, args)).toMatchObject(answer);
    const batch = { tool: "purge_submit", arguments: [{ ...purge, confirm: null }], view: "", confirm: "" };
    expect(await callAt("/mcp", "call_batch", batch)).toMatchObject({ confirm: expect.stringMatching(/^plan_/) });
    const { confirm } = await callAt("/mcp", "purge_submit", { ...purge, confirm: null });
    const approved = { tool: "purge_submit", arguments: { ...purge, confirm }, confirm: "" };
    expect(await callAt("/mcp/catalogue", "operation_destructive", approved)).toMatchObject({ status: 201 });
  });

  it("a read-only path changes nothing, even by tools that call others", async () => {
    const call = { tool: "purge_submit", arguments: purge };
    expect(await callAt("/mcp/catalogue/readonly", "purge_submit", purge)).toMatchObject({ error: "not_allowed" });
    expect(await callAt("/mcp/readonly", "purge_submit", purge)).toMatchObject({
      error: "not_allowed",
      why: expect.stringContaining("/readonly"),
    });
    expect(await callAt("/mcp/catalogue/readonly", "operation_destructive", call)).toMatchObject({
      error: "not_allowed",
    });
    const batch = { tool: "purge_submit", arguments: [purge] };
    expect(await callAt("/mcp/services/dns", "call_batch", batch)).toMatchObject({
      error: "not_allowed",
      message: expect.stringContaining("purge_submit"),
    });
    expect(await callAt("/mcp/services/dns", "purge_submit", purge)).toMatchObject({
      message: "purge_submit is left out here by the URL of this connection, so it cannot be called.",
    });
    expect(await callAt("/mcp/services/dns", "operation_describe", { tool: "purge_submit" })).toMatchObject({
      error: "not_allowed",
    });
  });

  it("keeps a session to the path that it was opened at", async () => {
    const { headers } = await ask(url, { path: "/mcp/services/dns,purge", headers: bearer, body: initialize });
    const session = {
      ...bearer,
      "mcp-session-id": String(headers["mcp-session-id"]),
      "mcp-protocol-version": "2025-11-25",
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} });
    const at = async (path: string) => (await ask(url, { path, headers: session, body })).status;
    expect(await at("/mcp")).toBe(404);
    expect(await at("/mcp/services/dns")).toBe(404);
    expect(await at("/mcp/services/purge,dns")).toBe(200);
  });
});
