/** Imported operations as an operator at a shell and a client meet them: import, refresh, remove, list, search, call. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { boxedDefinitions } from "../../scripts/box.js";
import { folder } from "../lab/files.js";
import { connect } from "../lab/session.js";
import { typed } from "./typed.js";

const dir = folder();
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const imports = join(dir, "imports");
const definition = join(dir, "toys.json");

const run = (...args: readonly string[]) => typed([...args, "--imports-dir", imports]);

const ok = {
  responses: {
    200: { content: { "application/json": { schema: { type: "object", properties: { name: { type: "string" } } } } } },
  },
};
const toys = (paths: object) =>
  JSON.stringify({
    openapi: "3.0.0",
    info: { title: "Toys", version: "7" },
    servers: [{ url: "https://{hostname}/toys/v1" }],
    paths,
  });
const first = { "/toys": { get: ok, post: ok }, "/toys/search": { post: ok } };

describe("an operator", () => {
  it("has in the box less than 300 kB of definitions", () => {
    const box = "dist/program/definitions";
    const sizes = readdirSync(box).map((file) => statSync(join(box, file)).size);
    expect(sizes.length).toBeGreaterThan(50);
    expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(300_000);
  });

  it("an import shows its content, what it omits and lowerable guards", async () => {
    writeFileSync(definition, toys({ ...first, "/a/../b": { get: ok } }));
    const { stdout, stderr, status } = await run("import", definition);
    expect(status).toBe(0);
    expect(stderr).toContain('toys.json, GET /a/../b: its path has the segment ".."');
    expect(stdout).toMatch(/^toy +\/toys\/v1 +3 +1 +2 +0 +\d{4}-\d\d-\d\d$/m);
    expect(stdout).toContain('"POST /toys/v1/toys/search": "read",');
    expect((await run("imports", "list")).stdout).toMatch(/^toy +\/toys\/v1/m);
  });

  it("a second import shows its changes and needs their digest", async () => {
    const names = () =>
      JSON.parse(readFileSync(join(imports, "toy.json"), "utf8")).operations as Record<string, { route: string }>;
    const before = names();
    writeFileSync(
      definition,
      toys({ "/toys": { get: { ...ok, "x-guarded": true }, post: ok }, "/boxes": { get: ok } }),
    );
    const shown = await run("imports", "refresh");
    expect(shown.status).toBe(1);
    expect(shown.stdout).toContain("toy: new GET /toys/v1/boxes");
    expect(shown.stdout).toContain("toy: gone POST /toys/v1/toys/search");
    expect(shown.stdout).toContain("toy: GET /toys/v1/toys was read and becomes overwrite");
    expect(names()).toEqual(before);
    const [, digest = ""] = /--digest ([0-9a-f]{64})/.exec(shown.stdout) ?? [];
    expect((await run("imports", "refresh", "--digest", "0".repeat(64))).status).toBe(1);
    expect((await run("imports", "refresh", "--digest", digest)).status).toBe(0);
    expect(Object.values(names()).map(({ route }) => route)).toEqual([
      "GET /toys/v1/toys",
      "POST /toys/v1/toys",
      "GET /toys/v1/boxes",
    ]);
    expect(names()).toMatchObject({ toys_list: { route: "GET /toys/v1/toys" } });
    // Nothing changes any more, so that it needs no digest.
    expect((await run("imports", "refresh")).status).toBe(0);
  });

  it("removes an API, and is told of one that is not there", async () => {
    writeFileSync(join(imports, "notes.txt"), "the operator's own");
    expect((await run("imports", "remove", "cars")).stderr).toContain('No imported API is called "cars"');
    expect((await run("imports", "remove", "toy")).status).toBe(0);
    expect(existsSync(join(imports, "toy.json"))).toBe(false);
    expect(readFileSync(join(imports, "notes.txt"), "utf8")).toBe("the operator's own");
    expect((await run("imports", "list")).stdout).toContain("Nothing was imported");
    expect((await run("import", definition)).status).toBe(0);
  });

  it("is told that there is nothing to import", async () => {
    expect((await run("import", "/nowhere/at/all")).stderr).toContain("There is no file or folder");
  });

  it("startup counts lowered guards and reports unusable overrides", async () => {
    writeFileSync(join(imports, "overrides.json"), '{"POST /toys/v1/toys": "update"}');
    const session = await connect("v2 2026 stdio", {
      flags: ["--emulator", "--imported", "on", "--imports-dir", imports],
    });
    expect(session.stderr()).toContain("overrides.json lowers 1 guard of imported operations");
    const made = await session.call("operation_update", { tool: "toy_create", arguments: {} });
    expect(JSON.stringify(made)).toContain("HTTP 200 (emulator)");
    await session.close();
    writeFileSync(join(imports, "overrides.json"), '{"POST /toys/v1/gone": "read"}');
    expect((await run("imports", "refresh")).stderr).toContain(
      "lowers POST /toys/v1/gone, which is no imported operation",
    );
    writeFileSync(join(imports, "overrides.json"), '{"POST *": "read"}');
    expect((await run("call", "toys_list", "--emulator", "--imported", "on")).stderr).toContain(
      "overrides.json cannot be used",
    );
    rmSync(join(imports, "overrides.json"));
  });
});

it("operations lists each route of today's eight APIs exactly once", async () => {
  const plain = (path: string) => path.replaceAll(/\{[^}]+\}/g, "{}").replace(/\/$/, "");
  const bases =
    /^\/(ccu\/v3|papi\/v1|config-dns\/v2|identity-management\/v3|edge-diagnostics\/v1|events\/v3|cloudlets\/v3|network-list\/v2)$/;
  const known = boxedDefinitions()
    .filter(({ base }) => bases.test(base))
    .flatMap(({ operations }) => Object.values(operations).map(({ route }) => plain(route)));
  const { stdout } = await run("operations", "--json", "--apis", "today");
  const rows = JSON.parse(stdout) as { readonly method: string; readonly path: string; readonly origin: string }[];
  // A tool with an enumeration in its path has a row for each of its values, as the documents count them.
  const listed = rows.map(({ method, path }) => plain(`${method} ${path}`));
  expect(known.length).toBe(310);
  expect(known.filter((route) => !listed.includes(route))).toEqual([]);
  expect(rows.filter(({ origin }) => origin !== "declared" && origin !== "imported")).toEqual([]);
  expect(listed.filter((route, at) => listed.indexOf(route) !== at)).toEqual([]);
});

describe("a client", () => {
  /** What tools return as text in one session, whose list is checked first. */
  const withSession = async (
    flags: readonly string[],
    use: (
      text: (tool: string, args: Record<string, unknown>) => Promise<string>,
      names: readonly string[],
    ) => Promise<void>,
  ) => {
    const session = await connect("v2 2026 stdio", { flags: ["--emulator", ...flags, "--imports-dir", imports] });
    const { tools } = await session.client.listTools();
    const text = async (tool: string, args: Record<string, unknown>) => JSON.stringify(await session.call(tool, args));
    await use(
      text,
      tools.map(({ name }) => name),
    ).finally(session.close);
  };

  it("finds, describes and calls what was imported, and is listed none of it", () =>
    withSession(["--imported", "on"], async (text, names) => {
      expect(names).toContain("operation_destructive");
      expect(names).not.toContain("toys_list");
      const property = "gtm_domain_property_update#/body";
      for (const [tool, args, says] of [
        ["operation_search", { query: "add an address to a network list" }, "network_list_append"],
        ["operation_describe", { tool: "toys_list" }, "GET /toys/v1/toys"],
        ["operation_describe", { tool: `${property}/trafficTargets` }, "datacenterId"],
        ["operation_describe", { tool: `${property}/nothing` }, "a part of the arguments"],
        ["operation_read", { tool: "network_lists_list", arguments: {} }, "Sampled from the definition"],
        ["operation_destructive", { tool: "toys_list", arguments: {} }, "Approval is required"],
        ["operation_read", { tool: "network_list_append", arguments: {} }, "operation_destructive"],
      ] as const)
        expect(await text(tool, args)).toContain(says);
    }));

  it("with --apis today, a client finds successors, not replaced APIs", () =>
    withSession(["--apis", "today"], async (text) => {
      const found = await text("operation_search", { query: "list the domains of a confirmed threat list" });
      expect(found).toContain("secure_internet_");
      expect(found).not.toContain("threat_list");
      // Of an API that is declared, the routes that are not are imported, and its emulator is the declared one's.
      for (const [tool, given, says] of [
        ["threat_configs_list", {}, "its successor is SIA configuration v3"],
        ["secure_internet_akamai_lists_list", {}, "Sampled from the definition"],
        ["property_v1_custom_behaviors_list", { papiUsePrefixes: "true" }, "Sampled from the definition"],
      ] as const)
        expect(await text("operation_read", { tool, arguments: given }), tool).toContain(says);
    }));

  it("is offered none on the emulator unless the operator asks for it", () =>
    withSession([], async (text, names) => {
      expect(names).not.toContain("operation_read");
      expect(await text("operation_search", { query: "network list" })).not.toContain("network_lists_list");
    }));
});
