/** The MCP bundle: what `npm run bundle` makes, and what becomes of the form that its user fills in. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getMcpConfigForManifest, unpackExtension } from "@anthropic-ai/mcpb";
import { afterAll, expect, it } from "vitest";
import manifest from "../../manifest.json" with { type: "json" };
import { secretsOf } from "../../src/client/edgerc.js";
import { readConfig } from "../../src/config.js";
import { configuredCredentials } from "../../src/upstream.js";
import { bareEnvironment } from "./session.js";
import { filesIn, tracesIn } from "./shipped.js";

const scratch = mkdtempSync(join(tmpdir(), "edgewise-mcpb-"));
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
  ["left alone", {}],
  ["emptied", { edgerc: "", section: "", account_switch_key: "", surface: "", ...emptied(filled) }],
])("is the server's usual configuration when its form is %s", async (_, form: Form) => {
  const config = await configOf(form);
  expect(config.values).toEqual(readConfig([], {}).values);
  expect(config.credentialVariables).toEqual({});
});

function emptied(form: Form): Form {
  return Object.fromEntries(Object.keys(form).map((name) => [name, ""]));
}
