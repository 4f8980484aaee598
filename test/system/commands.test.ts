/** The commands as a person types them: what they print, where they print it, and with which code they leave. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { catalogueCounts } from "../../src/commands/operations.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { needsSql } from "../lab/engines.js";
import { file, folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { bareEnvironment, connect } from "../lab/session.js";
import { typed } from "./typed.js";
import { type Answer, json, startUpstream } from "./upstream.js";

const configured = {
  AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
  AKAMAI_CLIENT_TOKEN: "ct-12345678",
  AKAMAI_CLIENT_SECRET: "cs-12345678",
  AKAMAI_ACCESS_TOKEN: "at-12345678",
};
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => typed(args, bareEnvironment(env));
/** The first word of each line. */
const namesIn = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
/** A home directory with an .edgerc. */
const homeWith = (lines: readonly string[], mode = 0o600): string =>
  dirname(file(["[default]", "host = akab-x.luna.akamaiapis.net", ...lines, ""].join("\n"), { name: ".edgerc", mode }));
const tokens = ["client_token = ct-12345678", "client_secret = cs-12345678", "access_token = at-12345678"];
/** Runs a command against an upstream; what reached that comes with it. */
async function runAgainst(answer: Answer, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const upstream = await startUpstream(answer);
  const ended = await run([...words, "--upstream", upstream.url], env);
  await upstream.close();
  return { ...ended, ...upstream, received: upstream.received };
}

const operationCount = readFileSync("test/oracles/operations.tsv", "utf8").trim().split("\n").slice(1).length;

it("operations: the settings and words choose the tools, or are refused", async () => {
  const listed = async (...words: string[]) => namesIn((await run(["operations", ...words])).stdout);
  const ofDns = await listed("--services", "dns");
  expect(ofDns).toEqual(expect.arrayContaining(["dns_zone_get", "operation_describe"]));
  expect([ofDns.join(), (await listed("--exclude-tools", "dns_*")).join()]).toEqual([
    expect.not.stringContaining("purge_"),
    expect.not.stringMatching(/\bdns_/),
  ]);
  expect(await listed("purge", "queue")).toEqual(["purge_queue_get", "purge_submit"]);
  expect(await listed("/CCU/v2/queues")).toEqual(["purge_queue_get", "purge_submit"]);
  for (const [words, tools] of [
    [
      ["--tools", "purge_s*"],
      ["purge_submit", "purge_status"],
    ],
    [["config-dns"], ["dns_zone_get", "dns_zone_write"]],
  ] as const)
    expect(JSON.parse((await run(["operations", "--json", ...words])).stdout)).toMatchObject(
      tools.map((tool) => ({ tool })),
    );
  const misspelt = await run(["operations", "--tools", "nope_*"]);
  expect([misspelt.status, misspelt.stderr]).toEqual([78, expect.stringContaining("no tool matches")]);
  expect(await run(["operations", "purge", "weather"])).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining("node dist/server.js search purge weather"),
  });
});

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
  const { stdout: all, stderr } = await run(["operations"]);
  expect(all).toMatch(/^diagnosis_run +read +\S/m);
  expect(all).toMatch(/^purge_submit +guarded +\S/m);
  const tools = namesIn(all);
  expect(new Set(tools).size).toBe(tools.length);
  const guarded = all.match(/^\w+ +guarded /gm)?.length ?? 0;
  expect(stderr).toMatch(
    new RegExp(`^${tools.length} tools cover ${operationCount} operations .* ${guarded} tools: those`),
  );
  const listed = await run(["operations", "--read-only"]);
  const readsListed = namesIn(all).filter((_, at) => /^\S+ +read /.test(all.split("\n")[at] ?? ""));
  // A batch makes the calls that it is given, which are reads there.
  expect([...namesIn(listed.stdout)].sort()).toEqual([...readsListed, "call_batch"].sort());
  const json = (await run(["operations", "--json", "--read-only"])).stdout;
  const rows = JSON.parse(json) as { tool: string; effect: string }[];
  expect([rows.length < operationCount, rows.every(({ effect }) => effect === "read")]).toEqual([true, true]);
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
  const { tools } = JSON.parse((await run(["call", "operation_search", "--query", query])).stdout) as {
    tools: string[];
  };
  expect(namesIn(tools.join("\n"))).toEqual(found.tools.map(({ tool }) => tool));
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

it("help: the same page by each spelling, with the commands of the docs", async () => {
  const help = await run(["--help"]);
  for (const args of [["-h"], ["help"], ["--prot", "--help"]])
    expect(await run(args, { EDGEWISE_PROT: "1" })).toMatchObject({ status: 0, stdout: help.stdout, stderr: "" });
  const page = readFileSync("docs/command-line.md", "utf8");
  const lines = help.stdout.split("\nCommands:\n")[1]?.split("\n\n")[0]?.split("\n") ?? [];
  expect(lines.length).toBeGreaterThan(15);
  expect(lines.filter((line) => !page.includes(`\n    edgewise ${line.trim()}\n`))).toEqual([]);
  for (const code of [0, 1, 78]) expect(help.stdout).toMatch(new RegExp(`^ +${code} {2,}\\S`, "m"));
  for (const [words, usage] of [
    ["audit verify --help", "edgewise audit verify [PATH] [--head FILE]"],
    ["help audit verify", "edgewise audit verify [PATH] [--head FILE]"],
    ["-h audit --head x verify", "edgewise audit verify [PATH] [--head FILE]"],
    ["call --policy /none purge_status -h", "edgewise call purge_status [ARGUMENTS]"],
  ] as const) {
    const { stdout, stderr, status } = await run(words.split(" "), { EDGEWISE_PROT: "1" });
    expect([stdout.split("\n")[0], stderr, status]).toEqual([usage, "", 0]);
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
  const piped = spawnSync(process.execPath, ["dist/server.js"], {
    encoding: "utf8",
    env: bareEnvironment(),
    input: "",
  });
  expect(piped).toMatchObject({ status: 0, stdout: "", stderr: expect.not.stringContaining(notice) });
});

it("call: 78 with the failure on stdout, since nothing was done", async () => {
  for (const [words, failure] of [
    [["purge_queue_get"], { fields: [{ field: "--queueName" }] }],
    [["purge_queue_get", '{"queueName":"third"}'], { fields: [{ field: "queueName", given: '"third"' }] }],
    [["diagnosis_run"], { fields: [{ field: "--url" }] }],
    [["operation_describe", '{"tool":"purges"}'], { fields: [{ field: "tool", given: '"purges"' }] }],
  ] as const) {
    const { stdout, status } = await run(["call", ...words]);
    expect([status, JSON.parse(stdout)]).toMatchObject([78, { error: "invalid_input", ...failure }]);
  }
});

it("http: why it cannot listen", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address() as AddressInfo;
  const token = file("a-token-of-more-than-32-characters-01\n");
  for (const [host, at, why] of [
    ["127.0.0.1", port, /another program listens on this port/i],
    ["localhost.invalid", 0, /host name .*does not resolve/i],
    // An address of the documentation (RFC 5737), which no machine has.
    ["192.0.2.1", 0, /no network interface of this machine has this address/i],
  ] as const) {
    const flags = ["--host", host, "--port", String(at), "--token-file", token];
    const { stderr, stdout, status } = await run(["http", ...flags]);
    expect([stdout, status, stderr]).toEqual(["", 78, expect.stringMatching(why)]);
    expect(stderr).toMatch(/cannot listen on /);
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
  [["call", "purge_queue_get", "[]"], /not a JSON object/],
  [["--prot", "1"], /did you mean "--port"/],
  [["demo", "--json"], /demo has no flag --json/],
  [["http", "--host", "0.0.0.0"], /--token-file/],
  [["http", "--port", "0", "--allow-writes"], /--allow-writes has no effect without --token-file/],
  [["http", "--port", "0", "--instance-url", "http://ann:pw@one:3940"], /^(?!.*ann:pw).*--instance-url takes/s],
  [["emulator", "--host", "0.0.0.0"], /emulator only listens on loopback.*--token-file/s],
  [["--upstream", "http://192.0.2.1"], /--upstream takes/],
  [["--upstream", "https://user@h.example"], /--upstream takes/],
  [["--upstream", "https://h.example/path"], /--upstream takes/],
  [["--upstream", "https://h.example"], /no credentials are configured/],
  [["--auth", "events=basics"], /did you mean "basic"/],
  [["--approval", "off"], /--approval off needs a policy/],
  [["call", "--x", "purge_queue_get"], /no flag --x/],
  [["call", "purge_queue_get", "--queuName", "default"], /no argument --queuName \(did you mean "--queueName"\?\)/],
  [["call", "purge_status", "--purgeId", "a", "--wiat"], /no argument --wiat/],
  [["call", "purge_queue_get", "--queueName", "default", "--output", "xml"], /--output takes table, json/],
  [["doctor", "--output", "csv"], /doctor has no flag --output/],
  [["call", "purge_queu_get", "--help"], /did you mean "purge_queue_get"/],
  [["completion", "tcsh"], /completion takes the name of a shell/],
])("78 and what is wrong with %j", async (args, message) => {
  const { stderr, stdout, status } = await run(args, args[0] === "--auth" ? configured : {});
  expect(stderr).toMatch(message);
  expect([stdout, status]).toEqual(["", 78]);
});

it("credentials that are incomplete do not lead to the emulator", async () => {
  const secret = "a-secret-that-must-not-appear";
  const home = homeWith([`client_secret = ${secret}`]);
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

it("doctor: a credential without a grant, in a file that all can read", needs.modes, async () => {
  const home = homeWith(tokens, 0o644);
  const { stdout, status } = await runAgainst((response) => json(response, 403, {}), ["doctor"], { HOME: home });
  expect(stdout).toContain("ok      Signature  The credential is accepted; it has no grant for Contract information.");
  expect(stdout).toMatch(/^warning Account {4}.*its name cannot be read with these grants\.$/m);
  expect(stdout).toMatch(/^warning Grants {5}By one read of each service: refused: /m);
  expect(stdout).toMatch(/^ok {6}Credential Read from section \[default\] of .*\.edgerc\.$/m);
  expect(stdout).toMatch(/^warning Credential .* is readable by other users\.\n {19}Run chmod 600 \S+\.$/m);
  expect(readdirSync(home)).toEqual([".edgerc"]);
  expect(status).toBe(0);
});

it("doctor --live: one read of each API, and what differs", async () => {
  const answer: Answer = (response, { target }) => {
    if (target.startsWith("/contract-api/")) return json(response, 200, []);
    if (target.startsWith("/alerts/v2/")) return json(response, 200, { data: "account 1-ABCDE" });
    if (target.startsWith("/config-gtm/")) return json(response, 200, { items: [] });
    return json(response, target.startsWith("/cps/") ? 410 : 403, { detail: "client akab-secret of 1-ABCDE" });
  };
  const { stdout, status, received } = await runAgainst(answer, ["doctor", "--live", "--apis", "today"]);
  expect(stdout).toMatch(/^ok {6}Live {7}Contract information: contract_ids_list 200, as declared\.$/m);
  expect(stdout).toMatch(
    /^warning Live {7}Alerts v2: \w+ 200\. The response differs from its declared schema at data;/m,
  );
  expect(stdout).toMatch(/^warning Live {7}Certificates: \w+ 410, the API is no longer offered\.$/m);
  expect(stdout).toMatch(/^warning Live {7}Edge functions: edge_worker_\w+ 403, no grant\.$/m);
  expect(stdout).toMatch(/^ok {6}Live {7}Load balancing by DNS: gtm_domains_list 200\.$/m);
  expect(stdout).not.toMatch(/1-ABCDE|akab|127\.0\.0\.1|localhost/);
  expect(received.filter(({ method }) => method !== "GET")).toEqual([]);
  // One read of each API, and none of an imported API that a declared service has.
  expect(stdout.match(/^(?:ok|warning) +Live /gm)?.length).toBe(received.length);
  expect(status).toBe(0);
});

it("doctor: which services the grants open, refuse or leave unknown", async () => {
  const answer: Answer = (response, { method, target }) => {
    if (target.startsWith("/contract-api/")) return json(response, 200, []);
    if (target.startsWith("/ccu/")) return json(response, 400, { title: "Bad Request", detail: "no such queue" });
    return json(response, target.startsWith("/config-dns/") ? 404 : 403, { method });
  };
  const stateDir = folder();
  const { stdout, status, received } = await runAgainst(answer, ["doctor", "--state-dir", stateDir]);
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
  expect(received.map(({ method }) => method)).toEqual(Array.from({ length: 26 }, () => "GET"));
  // Where there is a directory for state, the reads are on record.
  expect(readdirSync(stateDir)).toEqual(["audit"]);
  expect(status).toBe(0);
});

it("a preview names the account and section that it acts on", async () => {
  const answer: Answer = (response) => json(response, 200, { queueLength: 0 });
  const call = ["call", "purge_submit", "--queueName", "default", "--body.objects", "https://a.example/"];
  const HOME = homeWith([...tokens, "account_key = 1-ABC:1-DEF"]);
  const { stdout, url, received } = await runAgainst(answer, call, { HOME });
  const account = `${new URL(url).host}, section default, switch key 1-ABC:1-DEF`;
  expect(JSON.parse(stdout)).toMatchObject({ preview: { account } });
  expect(received[0]?.target).toContain("accountSwitchKey=1-ABC%3A1-DEF");
});

it("a secret that the upstream sends back is shown in no form", async () => {
  const secret = "canary+secret/12345678=";
  const forms = [secret, encodeURIComponent(secret), btoa(secret)];
  const echo: Answer = (response, { headers }) =>
    json(response, 400, { title: "echo", detail: forms.join(" "), header: headers.authorization });
  const env = { ...configured, AKAMAI_CLIENT_SECRET: secret };
  const { stdout, stderr } = await runAgainst(echo, ["call", "purge_queue_get", "--queueName", "default"], env);
  expect(JSON.parse(stdout)).toMatchObject({ error: "rejected", upstreamSaid: { title: "echo" } });
  for (const form of [...forms, configured.AKAMAI_CLIENT_TOKEN, configured.AKAMAI_ACCESS_TOKEN])
    expect(stdout + stderr).not.toContain(form);
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
  const counts = catalogueCounts(services, catalogueOf(services, await allWorkflows()));
  expect(stdout).toContain(`${counts.tools} tools, ${counts.guardedTools} of them guarded`);
});
