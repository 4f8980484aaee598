/** The menus: what each lists and calls, why the rest cannot be called, and that a call by a call tool is the tool's own call. */
import { describe, expect, it } from "vitest";
import { type MenuChoice, menuOf, readingsFor, readMenuChoice } from "../../src/engine/menu.js";
import { createMenus } from "../../src/mcp/http/menus.js";
import { serverFactory, serverOptions } from "../../src/mcp/server.js";
import { file } from "../lab/files.js";
import { as, ask, clientsOf, contentOf, message, modernly, openSession, resultIn, startHttp } from "../lab/raw-http.js";
import { surfaceWith } from "../profiles/two.js";

const { surface: whole } = await surfaceWith(["--emulator"]);
const { catalogue, readings } = whole;
const kept = ["operation_describe", "operation_search", "plan_get", "result_get", "result_query", "result_view"];
const namesIn = ({ listed }: ReturnType<typeof menuOf>) => listed.map(({ tool }) => tool.name);
const namesOn = (choice: MenuChoice) => namesIn(menuOf(catalogue, choice));

describe("a menu", () => {
  it("lists and calls every tool by default", () => {
    const menu = menuOf(catalogue, { surface: "all" });
    expect(namesIn(menu)).toEqual([...catalogue.keys()]);
    for (const tool of catalogue.keys())
      expect(menu.findCall(tool, {})).toEqual({ tool, args: {}, refused: undefined });
    expect(menu.findCall("operation_read", { tool: "purge_status", arguments: {} })?.refusal?.code).toBe("not_allowed");
    expect(menu.findCall("no_such_tool", {})).toBeUndefined();
  });

  it.each(["core", "catalogue"] as const)(
    "of the surface %s reaches every tool by a call tool of its effect",
    (surface) => {
      const menu = menuOf(catalogue, { surface });
      const listed = new Set(namesIn(menu));
      for (const { effect, tool } of catalogue.values()) {
        const asked = (name: string) =>
          menu.findCall(name, { tool: tool.name, arguments: { a: 1 }, confirm: "id", ticket: "T-1" });
        const by = `operation_${effect}`;
        expect(asked(by)).toEqual({ tool: tool.name, args: { a: 1, confirm: "id", ticket: "T-1" } });
        const other = effect === "read" ? "operation_destructive" : "operation_read";
        expect(asked(other)?.refusal).toMatchObject({ code: "invalid_input", message: expect.stringContaining(by) });
        const { next } = menu.findCall(tool.name, {})?.refusal?.detail ?? {};
        expect(next).toEqual(listed.has(tool.name) ? undefined : expect.stringContaining(`${by} `));
        expect([tool.name, menu.leftOut(tool.name)]).toEqual([tool.name, undefined]);
        const hints = menu.listed.find((one) => one.tool.name === by)?.tool.annotations;
        expect([tool.name, hints?.readOnlyHint]).toEqual([tool.name, tool.annotations.readOnlyHint]);
        if (tool.annotations.destructiveHint) expect([tool.name, hints?.destructiveHint]).toEqual([tool.name, true]);
        if (hints?.idempotentHint) expect([tool.name, tool.annotations.idempotentHint]).toEqual([tool.name, true]);
      }
    },
  );

  it("leaves a read to the call tools where it has them", () => {
    const entries = [...catalogue].map(([name, entry]) => {
      return [name, name === "dns_zone_get" ? { ...entry, isBehindCallTools: true as const } : entry] as const;
    });
    const marked = new Map(entries);
    const menu = menuOf(marked, { surface: "all", hasImported: true });
    expect(namesIn(menu)).not.toContain("dns_zone_get");
    expect(namesIn(menu)).toContain("dns_zone_write");
    expect(menu.findCall("dns_zone_get", {})?.refusal?.detail.next).toContain("operation_read ");
    const call = { tool: "dns_zone_get", arguments: { zone: "a" } };
    expect(menu.findCall("operation_read", call)).toEqual({ tool: "dns_zone_get", args: { zone: "a" } });
    expect(namesIn(menuOf(marked, { surface: "all" }))).toContain("dns_zone_get");
  });

  const ofDns = ["change_restore", "dns_record_remove", "dns_record_set", "dns_zone_get"];
  const choices = { tools: ["dns_*"], excludeTools: ["*_write", "call_*", "plan_get"] };
  it.each<[string, MenuChoice, readonly string[]]>([
    ["has a service's tools", { surface: "all", services: ["dns"] }, [...ofDns, "call_batch", "dns_zone_write"]],
    ["excludes before it includes, but no tools that describe", { surface: "all", ...choices }, ofDns],
    ["of reads lists only reads", { surface: "catalogue", isReadOnly: true }, ["operation_read"]],
  ])("%s", (_, choice, names) => {
    expect(namesOn(choice).sort()).toEqual([...kept, ...names].sort());
  });

  it.each([
    [{ excludeTools: ["dns_zone_write"] }, "--exclude-tools", "dns_zone_write"],
    [{ tools: ["purge_*"] }, "--tools", "purge_*"],
    [{ services: ["purge"] }, "--services", "belongs to dns; the services offered are purge"],
    [{ services: ["purge"], areServicesOfAddress: true }, "the URL of this connection", "belongs to dns"],
  ] as const)("says what leaves a tool out, on every surface: %j", (choice, by, why) => {
    const tool = "dns_zone_write";
    for (const surface of ["all", "core", "catalogue"] as const) {
      const menu = menuOf(catalogue, { surface, ...choice });
      expect(menu.leftOut(tool)).toEqual({ by, why: expect.stringContaining(why) });
      const direct = menu.findCall(tool, {})?.refusal;
      const called = menu.findCall("operation_destructive", { tool, arguments: {} })?.refusal;
      for (const refused of surface === "all" ? [direct] : [direct, called])
        expect(refused).toMatchObject({
          code: "not_allowed",
          message: expect.stringContaining(by),
          detail: { why: expect.stringContaining(why) },
        });
      expect([menu.leftOut("purge_status"), menu.leftOut("no_such_tool")]).toEqual([undefined, undefined]);
    }
  });

  it("a menu lists no resource whose reading tool is left out", () => {
    const addressesFor = (choice: Omit<MenuChoice, "surface">) =>
      readingsFor(readings, menuOf(catalogue, { surface: "all", ...choice })).resources.map(({ address }) => address);
    const { resources } = readings;
    expect(addressesFor({})).toEqual(resources.map(({ address }) => address));
    const tools = [...new Set(resources.flatMap(({ tool }) => tool ?? []))];
    const [tool = ""] = tools;
    const others = resources.filter((one) => one.tool !== tool).map(({ address }) => address);
    expect(tools.length).toBeGreaterThan(1);
    expect(addressesFor({ excludeTools: [tool] })).toEqual(others);
  });

  it("a batch is listed as a read where read-only, else as destructive", () => {
    for (const surface of ["all", "core"] as const)
      for (const isReadOnly of [false, true]) {
        const { listed } = menuOf(catalogue, { surface, isReadOnly });
        const hints = listed.find(({ tool }) => tool.name === "call_batch")?.tool.annotations;
        expect(hints).toMatchObject({ readOnlyHint: isReadOnly, destructiveHint: !isReadOnly });
        expect(listed.every(({ tool }) => tool.annotations.readOnlyHint || !isReadOnly)).toBe(true);
      }
  });

  it("instructions fit 2 KB and say once that no confirm means a preview", () => {
    for (const name of ["all", "core", "catalogue"] as const) {
      const { instructions = "" } = serverOptions(whole, menuOf(catalogue, { surface: name }));
      expect([name, Buffer.byteLength(instructions) <= 2_048]).toEqual([name, true]);
      expect(instructions.match(/without confirm/g)).toHaveLength(1);
      expect(instructions.includes("operation_launch")).toBe(name !== "all");
    }
  });

  it.each([
    [{ services: "purge,dsn" }, /no service "dsn" \(did you mean "dns"/],
    [{ tools: "dns_*,purge_nothing" }, /--tools: no tool matches "purge_nothing"/],
    [{ "exclude-tools": "*_nothing" }, /--exclude-tools: no tool matches/],
  ])("is refused at the start for %j", (given, text) => {
    const none = { services: undefined, tools: undefined, "exclude-tools": undefined };
    expect(() => readMenuChoice({ surface: "all", ...none, ...given }, () => catalogue)).toThrow(text);
  });
});

describe("over HTTP", () => {
  const bearer = as("one");
  async function start(flags: readonly string[] = [], choice: Partial<MenuChoice> = {}) {
    const audited: string[] = [];
    const { surface } = await surfaceWith(["--emulator", ...flags], choice, (line) => void audited.push(line));
    const menuAt = createMenus(surface);
    const clients = clientsOf("one");
    const { url } = await startHttp({ build: serverFactory(surface), menuAt, clients, allowsWrites: true });
    const post = async (path: string, { headers, body }: ReturnType<typeof modernly>) =>
      ask(url, { path, headers: { ...headers, ...bearer }, body });
    return {
      url,
      post,
      audited,
      listAt: async (path: string) => {
        const { status, text } = await post(path, modernly("tools/list"));
        if (status !== 200) return [status, (JSON.parse(text) as { error: { message: string } }).error.message];
        return resultIn<{ tools: { name: string }[] }>(text).tools.map(({ name }) => name);
      },
      callAt: async (path: string, name: string, args: object) =>
        contentOf((await post(path, modernly("tools/call", { name, arguments: args }))).text),
    };
  }

  it("serves by path what the settings serve, whatever was called before", async () => {
    const { listAt, callAt } = await start();
    expect(await listAt("/mcp")).toEqual([...catalogue.keys()]);
    expect(await listAt("/mcp/core")).toEqual(namesOn({ surface: "core" }));
    await callAt("/mcp/catalogue", "operation_read", { tool: "purge_queue_get", arguments: { queueName: "default" } });
    expect(await listAt("/mcp/catalogue")).toEqual(namesOn({ surface: "catalogue" }));
    for (const path of ["/mcp/services/purge,dns", "/mcp/services/dns%2Cpurge"])
      expect(await listAt(path)).toEqual(namesOn({ surface: "all", services: ["dns", "purge"] }));
    const narrow: MenuChoice = { surface: "core", services: ["dns"], isReadOnly: true };
    expect(await listAt("/mcp/core/services/dns/readonly")).toEqual(namesOn(narrow));
    for (const path of ["/mcp/", "/mcp/everything", "/mcp/readonly/core"])
      expect(await listAt(path)).toEqual([404, expect.stringContaining("MCP is served at")]);
    expect(await listAt("/mcp/services/dsn")).toEqual([404, expect.stringContaining('did you mean "dns"')]);
  });

  it("corrects a call in its client's form, with the same max_tokens", async () => {
    const { callAt } = await start();
    const mistaken = { locationId: "Tokyo, Japan", hostName: "www.shop.example" };
    const [tool, meant] = ["diag_location_dig_run", { ...mistaken, locationId: "tokyo-japan" }];
    expect(await callAt("/mcp", tool, { ...mistaken, max_tokens: 900 })).toMatchObject({
      corrected: { tool, arguments: { ...meant, max_tokens: 900 } },
    });
    const { corrected } = await callAt("/mcp/core", "operation_read", { tool, arguments: mistaken, max_tokens: 900 });
    expect(corrected).toEqual({ tool: "operation_read", arguments: { tool, arguments: meant, max_tokens: 900 } });
    const { arguments: sent } = corrected as { arguments: object };
    expect(await callAt("/mcp/core", "operation_read", sent)).toMatchObject({ status: 200 });
  });

  it("lists nothing more where a policy asks for a ticket, which calls take", async () => {
    const policy = file(
      "version: 1\nrules: [{id: t, effect: deny, tiers: [guarded, critical], unless: {tickets: ['OPS-#']}}]",
      { name: "policy.yaml" },
    );
    const [plain, asking] = [await start(), await start(["--policy", policy])];
    const listed = async (one: typeof plain, path: string) => (await one.post(path, modernly("tools/list"))).text;
    for (const path of ["/mcp", "/mcp/core", "/mcp/catalogue"])
      expect(await listed(asking, path)).toBe(await listed(plain, path));
    const purge = { queueName: "default", body: { objects: ["https://www.example.com/a"] } };
    const called = { tool: "purge_submit", arguments: purge };
    const denied = { error: "not_allowed", next: expect.stringContaining("ticket set to the id") };
    expect(await asking.callAt("/mcp", "purge_submit", purge)).toMatchObject(denied);
    expect(await asking.callAt("/mcp/core", "operation_destructive", called)).toMatchObject(denied);
    for (const [path, name, args] of [
      ["/mcp", "purge_submit", { ...purge, ticket: "OPS-1" }],
      ["/mcp/catalogue", "operation_destructive", { ...called, ticket: "OPS-1" }],
      ["/mcp/catalogue", "operation_destructive", { ...called, arguments: { ...purge, ticket: "OPS-1" } }],
    ] as const) {
      const { confirm } = await asking.callAt(path, name, args);
      const confirmed = await asking.callAt(path, name, { ...args, confirm });
      expect([confirm, confirmed]).toMatchObject([expect.stringMatching(/^plan_/), { status: 201 }]);
    }
    expect(await plain.callAt("/mcp", "purge_submit", { ...purge, ticket: "OPS-1" })).toMatchObject({
      error: "invalid_input",
    });
  });

  it("corrects a call with the ticket that it was given", async () => {
    const policy = file(
      "version: 1\nrules: [{id: t, effect: deny, services: [diagnostics], unless: {tickets: ['OPS-#']}}]",
      { name: "policy.yaml" },
    );
    const { callAt } = await start(["--policy", policy]);
    const args = { locationId: "Tokyo, Japan", hostName: "www.shop.example", ticket: "OPS-1" };
    expect(await callAt("/mcp", "diag_location_dig_run", args)).toMatchObject({
      corrected: { arguments: { locationId: "tokyo-japan", ticket: "OPS-1" } },
    });
  });

  it("never serves more than the server was started with, and says so", async () => {
    const flags = ["--services", "purge", "--exclude-tools", "purge_submit"];
    const { listAt, callAt } = await start(flags, { surface: "core" });
    expect(await listAt("/mcp/readonly")).not.toContain("purge_submit");
    expect(await listAt("/mcp/services/dns")).toEqual([404, expect.stringContaining("dns")]);
    const called = { tool: "purge_submit", arguments: {} };
    expect(await callAt("/mcp/catalogue", "operation_destructive", called)).toMatchObject({ error: "not_allowed" });
    const least = await start([], { surface: "catalogue" });
    expect(await least.listAt("/mcp/core")).toEqual([404, expect.stringContaining("wider")]);
  });

  const purge = { queueName: "default", body: { objects: ["https://www.example.com/a.jpg"] } };
  const byTool = { tool: "purge_submit", arguments: purge };

  it("a call makes one plan, by a call tool or by its tool's name", async () => {
    const { callAt, audited } = await start();
    const { confirm } = await callAt("/mcp/catalogue", "operation_destructive", byTool);
    expect(await callAt("/mcp", "purge_submit", { ...purge, confirm })).toMatchObject({ status: 201 });
    const typed = await callAt("/mcp", "purge_submit", purge);
    const called = { ...byTool, confirm: typed["confirm"] };
    expect(await callAt("/mcp/core", "operation_destructive", called)).toMatchObject({ status: 201 });
    const own = audited.filter((line) => !line.includes('"parent":'));
    const tools = own.flatMap((line) => /"tool":"(\w+)"/.exec(line)?.[1] ?? []);
    expect(tools.length).toBeGreaterThan(3);
    expect(new Set(tools)).toEqual(new Set(["purge_submit"]));
  });

  it("null and empty text are left out at every place of a call", async () => {
    const { callAt } = await start();
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

  it("a path of fewer rights changes nothing, even by tools that call others", async () => {
    const { callAt } = await start();
    const batch = { tool: "purge_submit", arguments: [purge] };
    const calls: [path: string, tool: string, args: object][] = [
      ["/mcp/catalogue/readonly", "purge_submit", purge],
      ["/mcp/readonly", "purge_submit", purge],
      ["/mcp/catalogue/readonly", "operation_destructive", byTool],
      ["/mcp/services/dns", "call_batch", batch],
      ["/mcp/services/dns", "purge_submit", purge],
      ["/mcp/services/dns", "operation_describe", { tool: "purge_submit" }],
    ];
    for (const [path, tool, args] of calls)
      expect([path, tool, await callAt(path, tool, args)]).toMatchObject([path, tool, { error: "not_allowed" }]);
    expect(await callAt("/mcp/readonly", "purge_submit", purge)).toMatchObject({
      why: expect.stringContaining("/readonly"),
    });
  });

  it("keeps a session to the path that it was opened at", async () => {
    const { url } = await start();
    const session = await openSession(new URL("/mcp/services/dns,purge", url), bearer);
    const at = async (path: string) =>
      (await ask(url, { path, headers: { ...session, ...bearer }, body: message("tools/list") })).status;
    expect([await at("/mcp"), await at("/mcp/services/dns"), await at("/mcp/services/purge,dns")]).toEqual([
      ...[404, 404, 200],
    ]);
  });
});
