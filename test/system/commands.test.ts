/** The commands as a person types them: what they print, where they print it, and with which code they leave. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { countsOf } from "../../src/commands/operations.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { needsSql } from "../lab/engines.js";
import { folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { bareEnvironment, connect, startProcess } from "../lab/session.js";
import { typed } from "./typed.js";
import { json, startUpstream } from "./upstream.js";

const configured = {
  AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
  AKAMAI_CLIENT_TOKEN: "ct-12345678",
  AKAMAI_CLIENT_SECRET: "cs-12345678",
  AKAMAI_ACCESS_TOKEN: "at-12345678",
};

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => typed(args, bareEnvironment(env));
/** The same as a process of its own. */
const spawned = (args: readonly string[]) =>
  spawnSync(process.execPath, ["dist/server.js", ...args], {
    encoding: "utf8",
    env: bareEnvironment(),
    timeout: 100_000,
    input: "",
  });

it("operations: the settings choose the tools, or are refused", async () => {
  const listed = async (...flags: string[]) => (await run(["operations", ...flags])).stdout;
  const ofDns = await listed("--services", "dns");
  expect(ofDns).toMatch(/^dns_zone_get /m);
  expect(ofDns).toMatch(/^operation_describe /m);
  expect(ofDns).not.toMatch(/^purge_/m);
  expect(await listed("--exclude-tools", "dns_*")).not.toMatch(/^dns_/m);
  const rows = JSON.parse(await listed("--json", "--tools", "purge_s*")) as { tool: string }[];
  expect(rows.map(({ tool }) => tool)).toEqual(["purge_submit", "purge_status"]);
  const misspelt = await run(["operations", "--tools", "nope_*"]);
  expect([misspelt.status, misspelt.stderr]).toEqual([78, expect.stringContaining("no tool matches")]);
});

const operationCount = readFileSync("test/oracles/operations.tsv", "utf8").trim().split("\n").slice(1).length;

it("operations --json: a row for each row of operations.tsv", async () => {
  const { stdout, status } = await run(["operations", "--json"]);
  const rows = JSON.parse(stdout) as Record<string, unknown>[];
  expect([rows.length, status]).toEqual([operationCount, 0]);
  expect(rows.find(({ tool }) => tool === "report_data_get")).toMatchObject({
    document: "A",
    path: "/reporting-api/v1/reports/{reportName}/versions/{version}/report-data",
    effect: "read",
    guard: null,
    standing: { state: "alive", since: "2024-07-18", successor: "Reporting v2 (/reporting-api/v2)" },
    query: expect.arrayContaining([
      { name: "start", required: true },
      { name: "filters", required: false },
    ]),
    origin: "declared",
  });
});

it("operations: a line for each tool, and with --read-only the reads", async () => {
  const toolsIn = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[0]);
  const { stdout: all, stderr } = await run(["operations"]);
  expect(all).toMatch(/^diagnosis_run +read +\S/m);
  expect(all).toMatch(/^purge_submit +guarded +\S/m);
  const tools = toolsIn(all);
  expect(new Set(tools).size).toBe(tools.length);
  const guarded = all.match(/^\w+ +guarded /gm)?.length ?? 0;
  expect(stderr).toMatch(
    new RegExp(`^${tools.length} tools cover ${operationCount} operations .* ${guarded} tools: those`),
  );
  const listed = await run(["operations", "--read-only"]);
  const readsListed = toolsIn(all).filter((_, at) => /^\S+ +read /.test(all.split("\n")[at] ?? ""));
  // A batch makes the calls that it is given, which are reads there.
  expect([...toolsIn(listed.stdout)].sort()).toEqual([...readsListed, "call_batch"].sort());
  const json = (await run(["operations", "--json", "--read-only"])).stdout;
  const rows = JSON.parse(json) as { tool: string; effect: string }[];
  expect([rows.length < operationCount, rows.every(({ effect }) => effect === "read")]).toEqual([true, true]);
});

it("operations WORDS: the tools that have all of the words", async () => {
  const listed = async (...words: string[]) =>
    (await run(["operations", ...words])).stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[0]);
  expect(await listed("purge", "queue")).toEqual(["purge_queue_get", "purge_submit"]);
  expect(await listed("/CCU/v2/queues")).toEqual(["purge_queue_get", "purge_submit"]);
  expect(JSON.parse((await run(["operations", "config-dns", "--json"])).stdout)).toMatchObject([
    { tool: "dns_zone_get" },
    { tool: "dns_zone_write" },
  ]);
  expect(await run(["operations", "purge", "weather"])).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining("node dist/server.js search purge weather"),
  });
});

it("search: finds what operation_search finds, and names the next step", async () => {
  const { stdout, stderr, status } = await run(["search", "clear", "the", "cache", "of", "a", "page"]);
  expect(stdout).toMatch(/^purge_submit +guarded +Queues a purge: /);
  expect(stdout.trimEnd().split("\n").length).toBeGreaterThan(5);
  expect([stderr, status]).toEqual(["\nNext: node dist/server.js call purge_submit --help\n", 0]);
  const query = "clear the cache of a page";
  const found = JSON.parse((await run(["search", query, "--limit", "5", "--json"])).stdout) as {
    tools: { tool: string }[];
  };
  const { structuredContent } = JSON.parse(
    `{"structuredContent":${(await run(["call", "operation_search", "--query", query])).stdout}}`,
  ) as { structuredContent: { tools: string[] } };
  expect(structuredContent.tools.map((line) => line.split(" ")[0])).toEqual(found.tools.map(({ tool }) => tool));
  expect((await run(["search", query, "--read-only"])).stdout).not.toMatch(/^purge_submit /m);
  expect((await run(["search", query, "--services", "dns"])).stdout).not.toMatch(/^purge_/m);
});

it("search: finds nothing, has no words, or has a wrong limit", async () => {
  expect(await run(["search", "xyzzy"])).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^edgewise: Nothing was found for "xyzzy"\..*\n.*`edgewise operations` lists all tools\.\n$/,
    ),
  });
  expect(await run(["search", "--json"])).toMatchObject({
    status: 78,
    stderr: expect.stringContaining("a task in a few words"),
  });
  for (const limit of ["0", "101", "many"])
    expect(await run(["search", "purge", "--limit", limit])).toMatchObject({
      status: 78,
      stderr: expect.stringContaining(`--limit takes a whole number, not "${limit}"`),
    });
});

it("help: the same page by each spelling, whatever the environment", async () => {
  const help = await run(["--help"]);
  for (const args of [["-h"], ["help"], ["--prot", "--help"]])
    expect(await run(args, { EDGEWISE_PROT: "1" })).toMatchObject({ status: 0, stdout: help.stdout, stderr: "" });
  for (const code of [0, 1, 78]) expect(help.stdout).toMatch(new RegExp(`^ +${code} {2,}\\S`, "m"));
  for (const args of [
    ["audit", "verify", "--help"],
    ["help", "audit", "verify"],
    ["-h", "audit", "--head", "x", "verify"],
  ]) {
    const { stdout: text, stderr } = await run(args, { EDGEWISE_PROT: "1" });
    expect([text.split("\n")[0], stderr]).toEqual(["edgewise audit verify [PATH] [--head FILE]", ""]);
  }
});

it("no command: a notice at a terminal, and nothing in a pipe", async () => {
  const notice = "waiting for an MCP client";
  const terminal = spawnSync("script", ["-qec", `${process.execPath} dist/server.js`, "/dev/null"], {
    encoding: "utf8",
    env: bareEnvironment(),
    // What Ctrl-D sends ends the server.
    input: "\u0004",
    timeout: 100_000,
  });
  if (terminal.error === undefined) expect(terminal.stdout).toContain(notice);
  expect(spawned([])).toMatchObject({ status: 0, stdout: "", stderr: expect.not.stringContaining(notice) });
});

it("help: every command is on the page of the command line", async () => {
  const page = readFileSync("docs/command-line.md", "utf8");
  const [, after = ""] = (await run(["--help"])).stdout.split("\nCommands:\n");
  const lines = after.split("\n\n")[0]?.split("\n") ?? [];
  expect(lines.length).toBeGreaterThan(15);
  expect(lines.filter((line) => !page.includes(`\n    edgewise ${line.trim()}\n`))).toEqual([]);
});

it("call: a tool that needs no API, with and without a mistake", async () => {
  const page = await run(["call", "operation_describe", '{"tool":"report_types_list"}']);
  expect(JSON.parse(page.stdout)).toMatchObject({ page: expect.stringContaining("# report_types_list") });
  expect([page.stderr, page.status]).toEqual(["", 0]);
  expect(JSON.parse((await run(["call", "report_types_list"])).stdout)).toMatchObject({ reports: expect.any(Array) });
  const { stdout, status } = await run(["call", "operation_describe", '{"tool":"purges"}']);
  expect(JSON.parse(stdout)).toMatchObject({ error: "invalid_input", fields: [{ field: "tool", given: '"purges"' }] });
  expect(status).toBe(78);
});

it.each<[string, string[]]>([
  ["a missing argument", ["call", "purge_queue_get"]],
  ["a wrong value", ["call", "purge_queue_get", '{"queueName":"third"}']],
  ["a missing argument of a workflow", ["call", "diagnosis_run"]],
  ["an unknown setting", ["call", "--x", "purge_queue_get"]],
  ["an unknown tool", ["call", "purge_queues"]],
])("call: 78 after %s, since nothing was done", async (_, args) => {
  expect((await run(args)).status).toBe(78);
});

it("call: a preview without a client, and who can approve it", async () => {
  const purge = { queueName: "default", body: { objects: ["https://www.example.com/"] } };
  const { stdout, stderr, status } = await run(["call", "purge_submit", JSON.stringify(purge)]);
  const shown = JSON.parse(stdout) as Record<string, unknown>;
  expect(shown).toMatchObject({
    approval: "required",
    done: "Nothing was changed.",
    preview: { summary: expect.stringMatching(/^REMOVE .* on PRODUCTION /) },
    next: expect.stringContaining(`node dist/server.js approve ${shown["plan"]}`),
  });
  expect([Object.keys(shown).includes("confirm"), stderr, status]).toEqual([false, "", 1]);
});

it.each(["http", "emulator"])("%s: why it cannot listen", async (command) => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address() as AddressInfo;
  for (const [host, at, why] of [
    ["127.0.0.1", port, /another program listens on this port/],
    ["localhost.invalid", 0, /host name .*does not resolve/],
    // An address of the documentation (RFC 5737), which no machine has.
    ["192.0.2.1", 0, /no network interface of this machine has this address/],
  ] as const) {
    const file = join(folder(), "token");
    writeFileSync(file, "a-token-of-more-than-32-characters-01\n", { mode: 0o600 });
    const flags = ["--host", host, "--port", String(at), "--token-file", file];
    const { stderr, stdout, status } = await run([command, ...flags]);
    expect(stderr).toMatch(/cannot listen on /);
    expect(stderr).toMatch(new RegExp(why, "i"));
    expect([stdout, status]).toEqual(["", 78]);
  }
  holder.close();
});

it.each<[string[], RegExp]>([
  [["stdio", "extra"], /stdio does not take "extra"/],
  [["demo", "extra"], /demo does not take "extra"/],
  [["call", "purge_queue_get", "{}", "extra", "more"], /call does not take "extra", "more"/],
  [["--versoin"], /no flag --versoin \(did you mean "--version"\?\)/],
  [["purge"], /no command "purge"\.\n.*`edgewise search purge` searches tools/],
  [["purge_submit", "--queueName", "default"], /it is a tool\.\nWrite: edgewise call purge_submit\./],
  [["frobnicate", "--help"], /no command "frobnicate"\./],
  [["constructor"], /no command "constructor"/],
  [["plans", "--jsn"], /no flag --jsn \(did you mean "--json"\?\)/],
  [["call", "frobnicate"], /no tool "frobnicate"\.\n`edgewise search frobnicate` searches tools/],
  [["operation"], /did you mean "operations"/],
  [["call"], /call takes a tool/],
  [["call", "purge_queue", "{}"], /did you mean "purge_queue_get"/],
  [["call", "purge_queue_get", "[]"], /not a JSON object/],
  [["--prot", "1"], /did you mean "--port"/],
  [["demo", "--json"], /demo has no flag --json/],
  [["http", "--host", "0.0.0.0"], /--token-file/],
  [["http", "--port", "0", "--allow-writes"], /--allow-writes has no effect without --token-file/],
  [["emulator", "--host", "0.0.0.0"], /emulator only listens on loopback.*--token-file/s],
  [["--upstream", "http://192.0.2.1"], /--upstream takes/],
  [["--upstream", "https://user@h.example"], /--upstream takes/],
  [["--upstream", "https://h.example/path"], /--upstream takes/],
  [["--upstream", "https://h.example"], /no credentials are configured/],
  [["--auth", "events=basics"], /did you mean "basic"/],
  [["--approval", "off"], /--approval off needs a policy/],
])("78 and what is wrong with %j", async (args, message) => {
  const { stderr, stdout, status } = await run(args, args[0] === "--auth" ? configured : {});
  expect(stderr).toMatch(message);
  expect([stdout, status]).toEqual(["", 78]);
});

it("credentials that are incomplete do not lead to the emulator", async () => {
  const secret = "a-secret-that-must-not-appear";
  const home = folder();
  writeFileSync(join(home, ".edgerc"), `[default]\nhost = akab-x.luna.akamaiapis.net\nclient_secret = ${secret}\n`);
  for (const args of [[], ["doctor"], ["call", "purge_queue_get", '{"queueName":"default"}']]) {
    const { stderr, stdout, status } = await run(args, { HOME: home });
    expect(stdout + stderr).toMatch(/lack client_token, access_token/);
    expect(stdout + stderr).not.toContain(secret);
    expect(status).toBe(args[0] === "doctor" ? 1 : 78);
  }
});

it("doctor: the emulator, and a host that cannot be reached", needsSql, async () => {
  const home = { HOME: folder() };
  const onEmulator = await run(["doctor"], home);
  expect(onEmulator.stdout).toMatch(/^not set Credential The embedded emulator serves every call/m);
  expect(onEmulator.stdout).not.toMatch(/^ok +(Credential|Host|Clock|Signature|Account|Grants)/m);
  expect(onEmulator.status).toBe(0);
  const findings = JSON.parse((await run(["doctor", "--json"], home)).stdout) as Record<
    "state" | "subject" | "what",
    string
  >[];
  const asLines = findings.map(({ state, subject, what }) => `${state.padEnd(7)} ${subject.padEnd(10)} ${what}`);
  expect(onEmulator.stdout.split("\n").filter((line) => /^\S/.test(line))).toEqual(asLines);
  expect(asLines[3]).toBe("ok      SQL        result_query can run: DuckDB is installed.");
  const { stdout, status } = await run(["doctor", "--upstream", "http://127.0.0.1:1"], configured);
  expect(stdout).toMatch(/^FAIL {4}Host {7}.*cannot be reached \(connect\)/m);
  expect(status).toBe(1);
});

it("--emulator: no call leaves, although credentials are configured", async () => {
  expect(await run(["doctor", "--emulator"], configured)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("serves every call: --emulator is set"),
  });
  const session = await connect("v2 2026 stdio", { flags: ["--emulator"], env: configured });
  const { structuredContent } = await session.call("purge_queue_get", { queueName: "default" });
  expect(structuredContent).toMatchObject({ status: 200, upstream: expect.stringContaining("emulator") });
  await expect
    .poll(session.stderr, { timeout: 100_000 })
    .toContain("--emulator is set: every call goes to the embedded");
  expect(session.client.getInstructions()).toContain("Every call goes to the embedded emulator");
  await session.close();
});

/** A home directory with an .edgerc for an account, readable by everybody. */
function homeWith(lines: readonly string[]): string {
  const home = folder();
  const values = ["host = akab-x.luna.akamaiapis.net", "client_token = ct-12345678", "client_secret = cs-12345678"];
  writeFileSync(
    join(home, ".edgerc"),
    ["[default]", ...values, "access_token = at-12345678", ...lines, ""].join("\n"),
    {
      mode: 0o644,
    },
  );
  return home;
}

it("doctor: a credential without a grant, in a file that all can read", needs.modes, async () => {
  const upstream = await startUpstream((response) => json(response, 403, {}));
  const home = homeWith([]);
  const { stdout, status } = await run(["doctor", "--upstream", upstream.url], { HOME: home });
  expect(stdout).toContain("ok      Signature  The credential is accepted; it has no grant for Contract information.");
  expect(stdout).toMatch(/^warning Account {4}.*its name cannot be read with these grants\.$/m);
  expect(stdout).toMatch(/^warning Grants {5}By one read of each service: refused: /m);
  expect(stdout).toMatch(/^ok {6}Credential Read from section \[default\] of .*\.edgerc\.$/m);
  expect(stdout).toMatch(/^warning Credential .* is readable by other users\.\n {19}Run chmod 600 \S+\.$/m);
  expect(readdirSync(home)).toEqual([".edgerc"]);
  expect(status).toBe(0);
  await upstream.close();
});

it("doctor --live: one read of each API, and what differs", async () => {
  const seen: string[] = [];
  const upstream = await startUpstream((response, { method, target }) => {
    seen.push(`${method} ${target.split("?")[0]}`);
    if (target.startsWith("/contract-api/")) return json(response, 200, []);
    if (target.startsWith("/alerts/v2/")) return json(response, 200, { data: "account 1-ABCDE" });
    if (target.startsWith("/config-gtm/")) return json(response, 200, { items: [] });
    return json(response, target.startsWith("/cps/") ? 410 : 403, { detail: "client akab-secret of 1-ABCDE" });
  });
  const live = ["doctor", "--live", "--apis", "today", "--upstream", upstream.url];
  const { stdout, status } = await run(live);
  expect(stdout).toMatch(/^ok {6}Live {7}Contract information: contract_ids_list 200, as declared\.$/m);
  expect(stdout).toMatch(
    /^warning Live {7}Alerts v2: \w+ 200\. The response differs from its declared schema at data;/m,
  );
  expect(stdout).toMatch(/^warning Live {7}Certificates: \w+ 410, the API is no longer offered\.$/m);
  expect(stdout).toMatch(/^warning Live {7}Edge functions: edge_worker_\w+ 403, no grant\.$/m);
  expect(stdout).toMatch(/^ok {6}Live {7}Load balancing by DNS: gtm_domains_list 200\.$/m);
  expect(stdout).not.toMatch(/1-ABCDE|akab|127\.0\.0\.1|localhost/);
  expect(seen.filter((line) => !line.startsWith("GET "))).toEqual([]);
  // One read of each API, and none of an imported API that a declared service has.
  expect(stdout.match(/^(?:ok|warning) +Live /gm)?.length).toBe(seen.length);
  expect(status).toBe(0);
  await upstream.close();
});

it("doctor: which services the grants open, refuse or leave unknown", async () => {
  const upstream = await startUpstream((response, { method, target }) => {
    if (target.startsWith("/contract-api/")) return json(response, 200, []);
    if (target.startsWith("/ccu/")) return json(response, 400, { title: "Bad Request", detail: "no such queue" });
    return json(response, target.startsWith("/config-dns/") ? 404 : 403, { method });
  });
  const stateDir = folder();
  const { stdout, status } = await run(["doctor", "--upstream", upstream.url, "--state-dir", stateDir]);
  const grants = /^ok {6}Grants {5}By one read of each service: open: (.*); refused: (.*); not known: (.*)\.$/m.exec(
    stdout,
  );
  const titles = (grants ?? []).slice(1).map((list) => list.split(", "));
  expect([titles[0], titles[2], titles[1]?.length]).toEqual([
    ["Contract information", "Content purge"],
    ["DNS zones"],
    19,
  ]);
  expect(stdout).toContain("Grants for changes can only be tested by a change.");
  // The way to the host, whether the credential is accepted, two that name the account, and each of the services.
  expect(upstream.received.map(({ method }) => method)).toEqual(Array.from({ length: 26 }, () => "GET"));
  // Where there is a directory for state, the reads are on record.
  expect(readdirSync(stateDir)).toEqual(["audit"]);
  expect(status).toBe(0);
  await upstream.close();
});

it("a preview names the account and section that it acts on", async () => {
  const upstream = await startUpstream((response) => json(response, 200, { queueLength: 0 }));
  const env = { HOME: homeWith(["account_key = 1-ABC:1-DEF"]) };
  const session = await connect("v2 2026 stdio", { flags: ["--upstream", upstream.url], env });
  const args = { queueName: "default", body: { objects: ["https://a.example/"] } };
  const { structuredContent } = await session.call("purge_submit", args);
  const account = `${new URL(upstream.url).host}, section default, switch key 1-ABC:1-DEF`;
  expect(structuredContent).toMatchObject({ preview: { account } });
  expect(upstream.received[0]?.target).toContain("accountSwitchKey=1-ABC%3A1-DEF");
  await session.close();
  await upstream.close();
});

it.each(["--token-file", "--approver-token-file"])(
  "%s: a file that others can read is refused",
  needs.modes,
  async (flag) => {
    const file = join(folder(), "token");
    writeFileSync(file, "a-token-of-more-than-32-characters-01\n", { mode: 0o644 });
    const { status, stderr, stdout } = await run(["http", "--port", "0", flag, file]);
    expect([status, stdout]).toEqual([78, ""]);
    expect(stderr).toContain(`Run chmod 600 ${file}.`);
  },
);

it("--token-file: no token that is short, equal or one of two on a line", async () => {
  const file = join(folder(), "token");
  for (const text of [
    "too-few-of-them\n",
    "# none yet\n",
    "one two-tokens-on-one-line-are-too-many a-token-of-more-than-32-characters-01\n",
    `${"x".repeat(32)}\n`,
  ]) {
    writeFileSync(file, text, { mode: 0o600 });
    const { status, stderr } = await run(["http", "--port", "0", "--token-file", file]);
    expect(stderr).toContain("has no usable tokens");
    expect([status, stderr.includes(text.trim())]).toEqual([78, false]);
  }
  writeFileSync(file, "a-token-of-more-than-32-characters-01\n");
  const flags = ["http", "--port", "0", "--token-file", file];
  const { child, match: url } = await startProcess(flags, bareEnvironment(), /serving MCP at (\S+)/);
  const statusWith = async (headers: Record<string, string>) =>
    (await fetch(url, { method: "POST", body: "{", headers: { "content-type": "application/json", ...headers } }))
      .status;
  expect(await statusWith({})).toBe(401);
  expect(await statusWith({ authorization: "Bearer a-token-of-more-than-32-characters-01" })).toBe(400);
  child.kill();
});

it("emulator --host 0.0.0.0: a token for its controls", async () => {
  const file = join(folder(), "token");
  const token = "a-token-of-more-than-32-characters-01";
  writeFileSync(file, `ci ${token}\n`, { mode: 0o600 });
  const flags = ["emulator", "--host", "0.0.0.0", "--port", "0", "--token-file", file];
  const { child, match } = await startProcess(
    flags,
    bareEnvironment(),
    /POST \S+:(\d+)\/_emulator\/reset[\s\S]*bearer token/,
  );
  const reset = async (headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${match}/_emulator/reset`, { method: "POST", headers })).status;
  expect([await reset({}), await reset({ authorization: `Bearer ${token}` })]).toEqual([401, 200]);
  child.kill();
});

it("doctor: a clock that is wrong", async () => {
  const upstream = await startUpstream((response) =>
    json(response, 400, { detail: "Invalid timestamp" }, { date: new Date(Date.now() - 120_000).toUTCString() }),
  );
  const { stdout, status } = await run(["doctor", "--upstream", upstream.url]);
  expect(stdout).toMatch(/^FAIL {4}Clock {6}The clock is 1\d\d s ahead/m);
  expect(stdout).toMatch(/Invalid timestamp/);
  expect(status).toBe(1);
  await upstream.close();
});

it("emulator: reset, seed and time by its controls", async () => {
  const { child, match: url } = await startProcess(
    ["emulator", "--port", "0"],
    bareEnvironment(),
    /listens at (http:[^;]+);/,
  );
  const session = await connect("v2 2026 stdio", { flags: ["--upstream", url] });
  const body = { name: "Final", start: 1_790_000_000_000, end: 1_790_000_600_000 };
  const created = await session.call("event_create", { body });
  expect(created.structuredContent).toMatchObject({ status: 201, upstream: new URL(url).host });
  const count = async () => ((await session.call("events_list", {})).structuredContent["data"] as unknown[]).length;
  expect(await count()).toBe(4);
  const control = async (name: string, value: object) =>
    (await fetch(`${url}/_emulator/${name}`, { method: "POST", body: JSON.stringify(value) })).json() as Promise<{
      seed: number;
      now: string;
    }>;
  const { now } = await control("reset", {});
  expect(await count()).toBe(3);
  expect(await control("seed", { seed: 42 })).toMatchObject({ seed: 42 });
  expect(Date.parse((await control("advance", { seconds: 3_600 })).now) - Date.parse(now)).toBeGreaterThanOrEqual(
    3_600_000,
  );
  expect((await fetch(`${url}/ccu/v2/queues/default`)).status).toBe(401);
  await session.close();
  child.kill();
});

it("--auth: each service by the method that it is given", async () => {
  const upstream = await startUpstream((response) => json(response, 200, []));
  const env = {
    ...configured,
    AKAMAI_BASIC_USERNAME: "mheld",
    AKAMAI_BASIC_PASSWORD: "pass-12345678",
    AKAMAI_BEARER_TOKEN: "bearer-12345678",
  };
  const auth = ["--auth", "events=basic,saas-registration=bearer,dns=none"];
  const flags = ["--upstream", upstream.url, ...auth, "--account-switch-key", "1-ABC:1-DEF"];
  const session = await connect("v2 2026 stdio", { flags, env });
  await session.call("events_list", {});
  await session.call("saas_pairs_list", { contractId: "C-1" });
  await session.call("dns_zone_get", { zone: "example.com" });
  await session.call("credentials_list", { openIdentityId: "x" });
  const sent = upstream.received.map(({ headers }) => headers.authorization);
  expect(sent.slice(0, 3)).toEqual([`Basic ${btoa("mheld:pass-12345678")}`, "Bearer bearer-12345678", undefined]);
  expect(sent[3]).toMatch(/^EG1-HMAC-SHA256 client_token=ct-12345678;/);
  for (const { target } of upstream.received) expect(target).toContain("accountSwitchKey=1-ABC%3A1-DEF");
  await session.close();
  await upstream.close();
});

it("a secret that the upstream sends back is shown in no form", async () => {
  const secret = "canary+secret/12345678=";
  const upstream = await startUpstream((response, { headers }) =>
    json(response, 400, {
      title: "echo",
      detail: `${secret} ${encodeURIComponent(secret)} ${btoa(secret)}`,
      header: headers.authorization,
    }),
  );
  const env = {
    AKAMAI_HOST: configured.AKAMAI_HOST,
    AKAMAI_CLIENT_TOKEN: "canary-client-token",
    AKAMAI_CLIENT_SECRET: secret,
    AKAMAI_ACCESS_TOKEN: "canary-access-token",
  };
  const session = await connect("v2 2026 stdio", { flags: ["--upstream", upstream.url], env });
  const result = await session.call("purge_queue_get", { queueName: "default" });
  expect(result.structuredContent).toMatchObject({ error: "rejected", upstreamSaid: { title: "echo" } });
  const all = JSON.stringify(result) + session.stderr();
  for (const form of [secret, encodeURIComponent(secret), btoa(secret), "canary-client-token", "canary-access-token"])
    expect(all).not.toContain(form);
  await session.close();
  await upstream.close();
});

it("demo: the incident, the purge and the refusal", async () => {
  const services = await allServices("documents");
  const { stdout, status } = await run(["demo"]);
  expect(status).toBe(0);
  for (const words of [
    "Incident: ",
    "Responses: 3 of 3 locations get 503",
    "Status: Done",
    "Refused: This plan has been used.",
    "Written: 204",
  ])
    expect(stdout).toContain(words);
  const counts = countsOf(services, catalogueOf(services, await allWorkflows()));
  expect(stdout).toContain(`${counts.tools} tools, ${counts.guardedTools} of them guarded`);
});
