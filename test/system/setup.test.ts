/** `edgewise setup` as a person runs it: what it prints, what it writes, and what it leaves alone. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { parse } from "smol-toml";
import { expect, it } from "vitest";
import { setupClients } from "../../src/commands/setup/clients.js";
import { tokenVariable } from "../../src/commands/setup/launch.js";
import { folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { bareEnvironment, connect, contentOf, servedAt, startProcess } from "../lab/session.js";
import { keptMode } from "../lab/users.js";
import { typed } from "./typed.js";

const server = resolve("dist/server.js");
const newHome = () => realpathSync(folder());
const setup = (home: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  typed(["setup", ...args], bareEnvironment({ HOME: home, ...env }), home);
/** A port on which nothing listens now. */
const freePort = async (): Promise<number> => {
  const listener = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => listener.once("listening", listening));
  const { port } = listener.address() as AddressInfo;
  await new Promise((closed) => listener.close(closed));
  return port;
};
const cursorFile = (home: string, text?: string | Buffer, mode = 0o600): string => {
  const path = join(home, ".cursor", "mcp.json");
  mkdirSync(dirname(path), { recursive: true });
  if (text !== undefined) {
    writeFileSync(path, text);
    chmodSync(path, mode);
  }
  return path;
};
const entry = { command: process.execPath, args: [server, "--surface", "catalogue"] };

it.each(Object.keys(setupClients))("setup %s prints what starts this program, and no secret", async (name) => {
  const home = newHome();
  const secrets = { AKAMAI_HOST: "akab-x.luna.akamaiapis.net", AKAMAI_CLIENT_SECRET: "a-secret-of-the-environment" };
  const { stdout, stderr, status } = await setup(home, [name, "--edgerc", "mine", "--section", "prod"], secrets);
  expect(stdout + stderr).not.toContain(secrets.AKAMAI_CLIENT_SECRET);
  expect(stderr).toContain("The AKAMAI_* variables are not passed on");
  expect(stderr).toMatch(/^Surface (all|core|catalogue): .+\.$/m);
  expect(status).toBe(0);
  const file = (name === "codex" ? parse(stdout) : JSON.parse(stdout)) as Record<string, Record<string, unknown>>;
  const own = Object.values(file)[0]?.["edgewise"];
  const credentials = ["--edgerc", join(home, "mine"), "--section", "prod"];
  if (name === "http") {
    expect(own).toMatchObject({ url: "http://127.0.0.1:3940/mcp/core" });
    expect(stderr).toContain([server, "http", ...credentials].join(" "));
    return;
  }
  const surface = ["--surface", expect.any(String), "--apis", "today"];
  expect(own).toMatchObject({ command: process.execPath, args: [server, ...surface, ...credentials] });
  expect(readdirSync(home)).toEqual([]);
  expect(await setup(home, [name, "--write"])).toMatchObject({ status: 0 });
  const upToDate = expect.stringContaining("is already up to date");
  expect(await setup(home, [name, "--write"])).toMatchObject({ status: 0, stdout: "", stderr: upToDate });
});

it("setup merges into a file, shows only the diff, and keeps a copy", async () => {
  const home = newHome();
  const before = '{\n  // kept\n  "mcpServers": {\n    "other": { "env": { "TOKEN": "of-another-server" } }\n  }\n}\n';
  const path = cursorFile(home, before);
  const { stdout, stderr, status } = await setup(home, ["cursor", "--write"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^@@ line 4 @@\n\+ ,\n\+ {5}"edgewise": \{\n/);
  expect(stdout + stderr).not.toContain("of-another-server");
  const after = readFileSync(path, "utf8");
  expect(after.startsWith(before.slice(0, before.indexOf("\n  }")))).toBe(true);
  expect(JSON.parse(after.replace("// kept", "")).mcpServers).toEqual({
    other: { env: { TOKEN: "of-another-server" } },
    edgewise: entry,
  });
  const [copy = "", ...others] = readdirSync(dirname(path)).filter((name) => name !== "mcp.json");
  expect([copy, others]).toEqual([expect.stringMatching(/^mcp\.json\..+\.bak$/), []]);
  expect(readFileSync(join(dirname(path), copy), "utf8")).toBe(before);
  for (const file of [path, join(dirname(path), copy)]) expect(statSync(file).mode & 0o777).toBe(keptMode(0o600));
});

it("setup keeps an entry's flags and members, unless given --fresh", async () => {
  const home = newHome();
  const own = (args: readonly string[], program = process.execPath) => ({
    ...{ command: program, args: [server, ...args], env: { EDGEWISE_SERVICES: "dns" }, disabled: true },
  });
  const before = own(["--policy", "/p.yaml", "--section", "old"], "/gone/node");
  const path = cursorFile(home, JSON.stringify({ mcpServers: { edgewise: before } }));
  const entryNow = () => JSON.parse(readFileSync(path, "utf8")).mcpServers.edgewise;
  const { stderr } = await setup(home, ["cursor", "--write", "--section", "new"]);
  expect(stderr).toContain("Kept from the entry: --policy /p.yaml.");
  const live = ["--surface", "catalogue", "--apis", "today"];
  expect(entryNow()).toEqual(own([...live, "--policy", "/p.yaml", "--section", "new"]));
  await setup(home, ["cursor", "--write", "--fresh", "--read-only"]);
  expect(entryNow()).toEqual(own(["--surface", "catalogue", "--read-only"]));
  for (const words of [["cursor"], ["http", "--write"]])
    expect(await setup(home, [...words, "--fresh"])).toMatchObject({
      status: 78,
      stderr: expect.stringContaining("--fresh is only for --write into a client's file."),
    });
});

it("setup writes no unstartable entry, unless it was already one", async () => {
  const home = newHome();
  const withFlags = (...args: readonly string[]) =>
    cursorFile(home, JSON.stringify({ mcpServers: { edgewise: { command: "edgewise", args } } }));
  const path = withFlags("--section", "prod");
  const before = readFileSync(path, "utf8");
  const { stdout, stderr, status } = await setup(home, ["cursor", "--write", "--profiles", "a,b"]);
  expect([status, stdout, readFileSync(path, "utf8")]).toEqual([78, "", before]);
  expect(stderr).toMatch(/was not changed: --section cannot be combined with profiles.*--fresh/s);
  withFlags("--later", "x");
  const renewed = await setup(home, ["cursor", "--write"]);
  expect(renewed).toMatchObject({ status: 0, stderr: expect.stringContaining("will not start with this entry") });
  expect(readFileSync(path, "utf8")).toContain('"--later"');
});

it("setup creates a missing file for its owner alone, and keeps a BOM", async () => {
  const home = newHome();
  await setup(home, ["cursor", "--write"]);
  const path = cursorFile(home);
  expect(statSync(path).mode & 0o777).toBe(keptMode(0o600));
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ mcpServers: { edgewise: entry } });
  cursorFile(home, '\ufeff{"a": 1}\n', 0o640);
  await setup(home, ["cursor", "--write"]);
  expect(readFileSync(path, "utf8")).toMatch(/^\ufeff\{"a": 1, "mcpServers": /);
  expect(statSync(path).mode & 0o777).toBe(keptMode(0o640));
});

it("setup writes to the file a link points to, and leaves the link", needs.modes, async () => {
  const home = newHome();
  const path = cursorFile(home);
  const real = join(home, "dotfiles.json");
  writeFileSync(real, "{}\n");
  symlinkSync(real, path);
  expect((await setup(home, ["cursor", "--write"])).status).toBe(0);
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(real, "utf8"))).toEqual({ mcpServers: { edgewise: entry } });
});

it.each<[string, (path: string) => void, RegExp]>([
  ["broken JSON", (path) => writeFileSync(path, '{"mcpServers": '), /is not valid JSON/],
  ["text that is not UTF-8", (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])), /is not UTF-8/],
  ["a read-only file", (path) => writeFileSync(path, "{}", { mode: 0o400 }), /is read-only/],
  ["a link to nothing", (path) => symlinkSync(join(dirname(path), "gone"), path), /link to a file that does not exist/],
  ["a directory", (path) => mkdirSync(path), /cannot be read/],
])("refuses %s and leaves everything as it was", async (_, make, message) => {
  const home = newHome();
  const path = cursorFile(home);
  make(path);
  const before = lstatSync(path).isFile() ? readFileSync(path) : undefined;
  const { stderr, status } = await setup(home, ["cursor", "--write"]);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(2);
  expect(status).toBe(78);
  expect(readdirSync(dirname(path))).toEqual(["mcp.json"]);
  if (before) expect(readFileSync(path).equals(before)).toBe(true);
});

it("setup http: with its token file and entry, a client makes changes", async () => {
  const home = newHome();
  const file = join(home, ".edgewise-tokens");
  const flags = ["http", "--port", String(await freePort()), "--allow-writes"];
  const first = await setup(home, flags);
  expect(first.stderr).toContain(`setup http --write --token-file ${file}`);
  const made = await setup(home, ["http", "--write"]);
  const [name, token = ""] = readFileSync(file, "utf8").trim().split(" ");
  expect([made.status, name, statSync(file).mode & 0o777]).toEqual([0, "client", 0o600]);
  expect(token).toMatch(/^[\w-]{43}$/);
  const again = await setup(home, ["http", "--write"]);
  expect(again.stderr).toContain("already has tokens, of client; nothing was written");
  expect(readFileSync(file, "utf8")).toBe(`client ${token}\n`);
  const last = await setup(home, flags);
  expect(JSON.stringify([first, made, again, last])).not.toContain(token);
  const [, words = ""] = /^2\. Start the server:\n {3}\S+ \S+ (.*)$/m.exec(last.stderr) ?? [];
  const { child } = await startProcess(words.split(" "), bareEnvironment({ HOME: home }), /serving MCP at (\S+)/);
  const { url, headers } = JSON.parse(last.stdout).mcpServers.edgewise;
  expect(headers).toEqual({ Authorization: `Bearer \${${tokenVariable}}` });
  expect((await fetch(url, { method: "POST" })).status).toBe(401);
  const session = await connect("v2 2025 http", { at: servedAt(new URL(url), token, "") });
  const body = { name: "Final", start: 1_790_000_000_000, end: 1_790_000_600_000 };
  const create = { tool: "event_create", arguments: { body } };
  expect(await contentOf(session, "operation_create", create)).toMatchObject({ status: 201 });
  await session.client.close();
  child.kill("SIGTERM");
});

it("setup keeps an unusable token file and says what is wrong with it", async () => {
  const home = newHome();
  const file = join(home, "tokens");
  writeFileSync(file, "client a-short-one\n", { mode: 0o600 });
  const { stderr, status } = await setup(home, ["http", "--write", "--token-file", file]);
  expect(stderr).toMatch(/The token on line 1 is shorter than 32 characters/);
  expect([status, readFileSync(file, "utf8")]).toEqual([78, "client a-short-one\n"]);
  expect(await setup(home, ["http", "--write", "--token-file", join(home, "gone", "tokens")])).toMatchObject({
    status: 78,
    stderr: expect.stringContaining("cannot be written"),
  });
});

it("setup refuses a file in place of a directory, and unknown clients", async () => {
  const home = newHome();
  writeFileSync(join(home, ".cursor"), "");
  expect(await setup(home, ["cursor", "--write"])).toMatchObject({ status: 78 });
  expect((await setup(home, ["cursr"])).stderr).toMatch(/did you mean "cursor"/);
  expect((await setup(home, [])).stderr).toMatch(/setup takes a client/);
});
