/** The MCP bundle: what `npm run bundle` makes, and what becomes of the form that its user fills in. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { getMcpConfigForManifest, unpackExtension } from "@anthropic-ai/mcpb";
import { afterAll, expect, it } from "vitest";
import manifest from "../../manifest.json" with { type: "json" };
import { readConfig } from "../../src/config.js";
import { menuOf } from "../../src/engine/menu.js";
import { configuredCredentials } from "../../src/engine/upstream.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { secretsOf } from "../../src/wire/edgerc.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { folder } from "../lab/files.js";
import { bareEnvironment } from "../lab/session.js";
import { filesIn, tracesIn } from "./shipped.js";

const scratch = folder();
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it("is packed, serves a client without any library beside it, and is small", async () => {
  const printed = execFileSync(process.execPath, ["scripts/run.mjs", "scripts/bundle.ts", scratch], {
    env: bareEnvironment(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(printed).toContain("unpacked and tried");
  const file = join(scratch, `edgewise-${manifest.version}.mcpb`);
  expect(statSync(file).size).toBeLessThan(5_000_000);
  const unpacked = join(scratch, "unpacked");
  expect(await unpackExtension({ mcpbPath: file, outputDir: unpacked, silent: true })).toBe(true);
  expect(filesIn(unpacked).filter((name) => !name.startsWith("dist/program/"))).toEqual([
    "LICENSE",
    "assets/icon.png",
    "dist/THIRD_PARTY_NOTICES.txt",
    "dist/package.json",
    "dist/server.js",
    "manifest.json",
  ]);
  expect(tracesIn(unpacked)).toEqual([]);
});

type Form = Readonly<Record<string, string | boolean>>;

/** The configuration of a server whose client has this form filled in. */
async function configOf(form: Form) {
  const config = await getMcpConfigForManifest({
    manifest: manifest as Parameters<typeof getMcpConfigForManifest>[0]["manifest"],
    extensionPath: "/bundle",
    systemDirs: {},
    userConfig: form as Record<string, string>,
    pathSeparator: "/",
  });
  return readConfig((config?.args ?? []).slice(1), config?.env ?? {});
}

const filled = {
  host: "akab-host.luna.akamaiapis.net",
  client_token: "token-of-the-client",
  client_secret: "secret-of-the-client",
  access_token: "token-of-the-access",
};

it("has every answer of its form taken by the server", async () => {
  const settings = { edgerc: "/home/u/creds", section: "other", account_switch_key: "1-2:3", surface: "core" };
  const choices = { read_only: true, approval: "human" };
  expect(Object.keys({ ...settings, ...choices, ...filled }).sort()).toEqual(Object.keys(manifest.user_config).sort());
  expect((await configOf({ ...settings, ...choices })).values).toMatchObject({
    edgerc: "/home/u/creds",
    section: "other",
    "account-switch-key": "1-2:3",
    surface: "core",
    "read-only": true,
    approval: "human",
  });
  expect(configuredCredentials(await configOf(filled))).toMatchObject({
    host: filled.host,
    clientToken: filled.client_token,
    clientSecret: filled.client_secret,
    accessToken: filled.access_token,
  });
});

it("hides what is secret while it is typed, and nothing else", async () => {
  const credentials = configuredCredentials(await configOf(filled));
  const secrets = credentials ? secretsOf(credentials) : [];
  const secret = Object.entries(filled).flatMap(([name, value]) => (secrets.includes(value) ? [name] : []));
  const marked = Object.entries(manifest.user_config).flatMap(([name, field]) => ("sensitive" in field ? [name] : []));
  expect(secret).toHaveLength(3);
  expect(marked).toEqual(secret);
});

it.each([
  ["left alone", {}, "core"],
  ["emptied", { edgerc: "", section: "", account_switch_key: "", surface: "", ...emptied(filled) }, "all"],
])("bundle form %s: the server's defaults except the tool list", async (_, form: Form, surface) => {
  const config = await configOf(form);
  expect(config.values).toEqual({ ...readConfig([], {}).values, surface });
  expect(config.credentialVariables).toEqual({});
});

it("bundle: names its default tools, and all arguments of each prompt", async () => {
  const { values } = await configOf({});
  const catalogue = catalogueOf(await allServices("documents"), await allWorkflows());
  const names = menuOf(catalogue, { surface: values.surface }).listed.map(({ tool }) => tool.name);
  expect(manifest.tools.map(({ name }) => name)).toEqual(names);
  expect(manifest.tools_generated).toBe(true);
  expect(manifest.prompts.length).toBeGreaterThan(5);
  for (const { text, arguments: known } of manifest.prompts) {
    const named = [...text.matchAll(/\$\{arguments\.(\w+)\}/g)].map(([, name]) => name);
    expect([...new Set(named)].sort()).toEqual([...known].sort());
    expect(text).not.toContain("undefined");
  }
});

it("has an icon of 512 by 512 pixels that is a PNG", () => {
  const png = readFileSync(manifest.icon);
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
});

function emptied(form: Form): Form {
  return Object.fromEntries(Object.keys(form).map((name) => [name, ""]));
}
