/** The commands as a person types them: what they print, where they print it, and with which code they leave. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bareEnvironment, connect, startProcess } from "./session.js";
import { json, startUpstream } from "./upstream.js";

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, ["dist/server.js", ...args], {
    encoding: "utf8",
    env: bareEnvironment(env),
    timeout: 30_000,
    input: "",
  });

it("lists what is covered, a row for each row of the table", () => {
  const { stdout, status } = run(["operations", "--json"]);
  const rows = JSON.parse(stdout) as Record<string, unknown>[];
  expect(status).toBe(0);
  expect(rows.length).toBeGreaterThanOrEqual(34);
  expect(rows.find(({ tool }) => tool === "report_data_get")).toEqual({
    tool: "report_data_get",
    service: "reporting",
    document: "A",
    method: "GET",
    path: "/reporting-api/v1/reports/{reportName}/versions/{version}/report-data",
    effect: "read",
    guard: null,
    query: [
      { name: "start", required: true },
      { name: "end", required: true },
      { name: "interval", required: false },
      { name: "objectIds", required: false },
      { name: "allObjectIds", required: false },
      { name: "metrics", required: false },
      { name: "filters", required: false },
    ],
    fixed: {},
  });
});

it("makes one call, with the result on stdout", () => {
  const { stdout, stderr, status } = run(["call", "purge_queue_get", '{"queueName":"default"}']);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 200,
    data: { queueLength: 0 },
    upstream: expect.stringContaining("emulator"),
  });
  expect([status, stderr]).toEqual([0, ""]);
});

it("leaves with 1 after a call that failed, and with the failure on stdout", () => {
  const { stdout, status } = run(["call", "purge_queue_get", '{"queueName":"third"}']);
  expect(JSON.parse(stdout)).toMatchObject({ error: "invalid_input", fields: [{ field: "queueName" }] });
  expect(status).toBe(1);
});

it.each([
  [["purge"], /no command "purge"/],
  [["constructor"], /no command "constructor"/],
  [["operation"], /did you mean "operations"/],
  [["call"], /call takes a tool/],
  [["call", "purge_queue", "{}"], /did you mean "purge_queue_get"/],
  [["call", "purge_queue_get", "[]"], /not a JSON object/],
  [["--prot", "1"], /did you mean "--port"/],
  [["doctor", "--json"], /doctor has no flag --json/],
  [["http", "--host", "0.0.0.0"], /--token-file/],
  [["--upstream", "http://192.0.2.1"], /--upstream takes/],
  [["--upstream", "https://user@h.example"], /--upstream takes/],
  [["--upstream", "https://h.example/path"], /--upstream takes/],
  [["--upstream", "https://h.example"], /no credentials are configured/],
  [["--auth", "events=basics"], /did you mean "basic"/],
])("says what is wrong with %j and leaves with 78", (args, message) => {
  const { stderr, stdout, status } = run(
    args,
    args[0] === "--auth"
      ? {
          AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
          AKAMAI_CLIENT_TOKEN: "a",
          AKAMAI_CLIENT_SECRET: "b",
          AKAMAI_ACCESS_TOKEN: "c",
        }
      : {},
  );
  expect(stderr).toMatch(message);
  expect([stdout, status]).toEqual(["", 78]);
});

it("does not fall back to the emulator when credentials are configured but broken", () => {
  const secret = "a-secret-that-nobody-may-see";
  const home = mkdtempSync(join(tmpdir(), "edgewise-broken-"));
  writeFileSync(join(home, ".edgerc"), `[default]\nhost = akab-x.luna.akamaiapis.net\nclient_secret = ${secret}\n`);
  for (const args of [[], ["doctor"], ["call", "purge_queue_get", '{"queueName":"default"}']]) {
    const { stderr, stdout, status } = run(args, { HOME: home });
    expect(stderr).toMatch(/lack client_token, access_token/);
    expect(stdout + stderr).not.toContain(secret);
    expect(status).toBe(78);
  }
});

it("examines the emulator, and a host that cannot be reached", () => {
  expect(run(["doctor"])).toMatchObject({ status: 0, stdout: expect.stringContaining("The credential is accepted") });
  const credentials = {
    AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
    AKAMAI_CLIENT_TOKEN: "a",
    AKAMAI_CLIENT_SECRET: "b",
    AKAMAI_ACCESS_TOKEN: "c",
  };
  const { stdout, status } = run(["doctor", "--upstream", "http://127.0.0.1:1"], credentials);
  expect(stdout).toMatch(/MEND .*cannot be reached \(connect\)/);
  expect(status).toBe(1);
});

const configured = {
  AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
  AKAMAI_CLIENT_TOKEN: "ct-12345678",
  AKAMAI_CLIENT_SECRET: "cs-12345678",
  AKAMAI_ACCESS_TOKEN: "at-12345678",
};

it("stays with the emulator when it is asked for, whatever is configured, and says so", async () => {
  expect(run(["doctor", "--emulator"], configured)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("serves every call: --emulator is set"),
  });
  const session = await connect("v2 2026 stdio", { flags: ["--emulator"], env: configured });
  const { structuredContent } = await session.call("purge_queue_get", { queueName: "default" });
  expect(structuredContent).toMatchObject({ status: 200, upstream: expect.stringContaining("emulator") });
  await expect
    .poll(session.stderr, { timeout: 20_000 })
    .toContain("--emulator is set: every call goes to the embedded");
  expect(session.client.getInstructions()).toContain("Every call goes to the embedded emulator");
  await session.close();
});

/** A home directory with an .edgerc for an account, readable by everybody. */
function homeWith(lines: readonly string[]): string {
  const home = mkdtempSync(join(tmpdir(), "edgewise-edgerc-"));
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

it("takes a credential without a grant for one that counts, and says what is wrong with its file", async () => {
  const upstream = await startUpstream((response) => json(response, 403, {}));
  const child = spawn(process.execPath, ["dist/server.js", "doctor", "--upstream", upstream.url], {
    env: bareEnvironment({ HOME: homeWith([]) }),
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  const status = await new Promise((resolve) => child.once("exit", resolve));
  expect(stdout).toContain("ok   The credential is accepted; it has no grant for reporting.");
  expect(stdout).toMatch(/^MEND .*\n {5}Run chmod 600 on it\.$/m);
  expect(status).toBe(1);
  await upstream.close();
});

it("names the account and the section in a preview, and acts on that account", async () => {
  const upstream = await startUpstream((response) => json(response, 200, { queueLength: 0 }));
  const env = { HOME: homeWith(["account_key = 1-ABC:1-DEF"]) };
  const session = await connect("v2 2026 stdio", { flags: ["--upstream", upstream.url], env });
  const args = { queueName: "default", body: { objects: ["https://a.example/"] } };
  const { structuredContent } = await session.call("purge_submit", args);
  const account = `${new URL(upstream.url).host}, section default, account 1-ABC:1-DEF`;
  expect(structuredContent).toMatchObject({ preview: { account } });
  expect(upstream.received[0]?.target).toContain("accountSwitchKey=1-ABC%3A1-DEF");
  await session.close();
  await upstream.close();
});

it("takes a token from a file without the end of its line, and none that is short or more than one", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "edgewise-token-")), "token");
  for (const text of ["short\n", "two tokens of enough length\n"]) {
    writeFileSync(file, text);
    const { status, stderr } = run(["http", "--port", "0", "--token-file", file]);
    expect(stderr).toContain("does not hold a usable token");
    expect([status, stderr.includes(text.trim())]).toEqual([78, false]);
  }
  writeFileSync(file, "a-token-of-enough-length\n");
  const flags = ["http", "--port", "0", "--token-file", file];
  const { child, match: url } = await startProcess(flags, bareEnvironment(), /serving MCP at (\S+)/);
  const statusWith = async (headers: Record<string, string>) =>
    (await fetch(url, { method: "POST", body: "{", headers: { "content-type": "application/json", ...headers } }))
      .status;
  expect(await statusWith({})).toBe(401);
  expect(await statusWith({ authorization: "Bearer a-token-of-enough-length" })).toBe(400);
  child.kill();
});

it("finds a clock that is wrong", async () => {
  const upstream = await startUpstream((response) =>
    json(response, 400, { detail: "Invalid timestamp" }, { date: new Date(Date.now() - 120_000).toUTCString() }),
  );
  const doctor = spawn(process.execPath, ["dist/server.js", "doctor", "--upstream", upstream.url], {
    env: bareEnvironment(),
  });
  let stdout = "";
  doctor.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  const status = await new Promise((resolve) => doctor.once("exit", resolve));
  expect(stdout).toMatch(/MEND The clock is 1\d\d s ahead/);
  expect(stdout).toMatch(/Invalid timestamp/);
  expect(status).toBe(1);
  await upstream.close();
});

it("serves the emulator to another server, and can be reset, seeded and moved in time", async () => {
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

it("uses the authentication that each service is given", async () => {
  const upstream = await startUpstream((response) => json(response, 200, []));
  const env = {
    AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
    AKAMAI_CLIENT_TOKEN: "ct-12345678",
    AKAMAI_CLIENT_SECRET: "cs-12345678",
    AKAMAI_ACCESS_TOKEN: "at-12345678",
    AKAMAI_BASIC_USERNAME: "mheld",
    AKAMAI_BASIC_PASSWORD: "pass-12345678",
    AKAMAI_BEARER_TOKEN: "bearer-12345678",
  };
  const flags = [
    "--upstream",
    upstream.url,
    "--auth",
    "events=basic,saas-registration=bearer,dns=none",
    "--account-switch-key",
    "1-ABC:1-DEF",
  ];
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

it("shows no secret, even when the upstream sends it back", async () => {
  const secret = "canary+secret/12345678=";
  const upstream = await startUpstream((response, { headers }) =>
    json(response, 400, {
      title: "echo",
      detail: `${secret} ${encodeURIComponent(secret)} ${btoa(secret)}`,
      header: headers.authorization,
    }),
  );
  const env = {
    AKAMAI_HOST: "akab-x.luna.akamaiapis.net",
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

it("shows the demo with the incident, the purge and the refusal", () => {
  const { stdout, status } = run(["demo"]);
  expect(status).toBe(0);
  for (const words of [
    " tools, 11 of them guarded",
    "Incident: ",
    "Responses: 3 of 3 locations get 503",
    "Status: Done",
    "Refused: This plan has been used.",
    "Written: 204",
  ])
    expect(stdout).toContain(words);
});
