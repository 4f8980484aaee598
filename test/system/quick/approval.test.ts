/** Approvals across processes, clients and pages, with the built server: who may approve what, and that it happens once. */
import { execFile as execFileWithCallback, spawn, spawnSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, it } from "vitest";
import { createPlans } from "../../../src/guard/index.js";
import { directoryStorage } from "../../../src/guard/plans/directory.js";
import { browserAt, ticketIn } from "../../lab/desk.js";
import { folder } from "../../lab/files.js";
import { promise } from "../../lab/rules.js";
import { bareEnvironment, connect, type Result, startProcess } from "../../lab/session.js";
import { json, startUpstream } from "../upstream.js";

const execFile = promisify(execFileWithCallback);
const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };
const scratch = (name: string) => join(folder(), name);
const tokenFile = (text: string) => {
  const file = scratch("tokens");
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};
const stateIn = (home: string) => join(home, ".local/state/edgewise");
const plansIn = (home: string) => createPlans({ ttlMs: 600_000, storage: directoryStorage(stateIn(home)) });

/** Runs a command in an environment of its own, or in that of another command. */
function run(args: readonly string[], env = bareEnvironment()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["dist/server.js", ...args], {
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr, env };
}

describe("a call from the shell", () => {
  it("is previewed, approved by a person elsewhere, and made by the same call in a new process, once", async () => {
    const call = ["call", "purge_submit", JSON.stringify(purge)];
    const first = run(call);
    const { plan, next } = JSON.parse(first.stdout) as { plan: string; next: string };
    expect([first.status, next.includes(`node dist/server.js approve ${plan}`)]).toEqual([1, true]);
    const again = JSON.parse(run(call, first.env).stdout) as { plan?: string };
    expect(again.plan).toMatch(/^plan_/);
    const piped = spawnSync(process.execPath, ["dist/server.js", "approve", plan], { env: first.env, input: "yes\n" });
    expect(piped.status).toBe(1);
    await plansIn(first.env["HOME"] ?? "").approve(plan, "terminal", { name: "ann" });
    const made = run(call, first.env);
    expect([made.status, JSON.parse(made.stdout)]).toMatchObject([0, { status: 201 }]);
    expect(JSON.parse(run(call, first.env).stdout)).toMatchObject({ approval: "required" });
    const listed = run(["plans"], first.env).stdout;
    expect(listed).toMatch(new RegExp(`^${plan} .*done.*approval: terminal by ann`, "m"));
    expect(run(["audit", "verify"], first.env)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("unbroken"),
    });
    expect(run(["audit", "show", "--tool", "purge_submit"], first.env).stdout).toContain("201");
    const head = run(["audit", "head"], first.env).stdout;
    const against = (input: string) =>
      spawnSync(process.execPath, ["dist/server.js", "audit", "verify", "--head", "-"], {
        env: first.env,
        encoding: "utf8",
        input,
      });
    expect(against(head)).toMatchObject({ status: 0, stdout: expect.stringContaining("unbroken") });
    expect(against("")).toMatchObject({ status: 78, stderr: expect.stringContaining("The input on stdin is not") });
    const record = join(stateIn(first.env["HOME"] ?? ""), "audit");
    rmSync(join(record, readdirSync(record).sort().at(-1) ?? ""));
    expect(run(["audit", "verify"], first.env).status).toBe(0);
    expect(against(head)).toMatchObject({ status: 1, stdout: expect.stringContaining("the exported head names it") });
  });
});

describe("approvals by the policy alone", () => {
  it("need a file that allows something, and refuse what it does not allow", async () => {
    expect(run(["call", "purge_queue_get", '{"queueName":"default"}', "--approval", "off"])).toMatchObject({
      status: 78,
    });
    const file = scratch("policy.yaml");
    writeFileSync(
      file,
      "version: 1\nrules:\n  - id: invalidate\n    effect: allow\n    tools: [purge_submit]\n    networks: [staging]\n",
    );
    const flags = ["--approval", "off", "--policy", file];
    const staged = { ...purge, body: { ...purge.body, domain: "staging", action: "invalidate" } };
    expect(JSON.parse(run(["call", "purge_submit", JSON.stringify(staged), ...flags]).stdout)).toMatchObject({
      status: 201,
    });
    expect(JSON.parse(run(["call", "purge_submit", JSON.stringify(purge), ...flags]).stdout)).toMatchObject({
      error: "not_allowed",
    });
    const checked = run(["policy", "check", "purge_submit", JSON.stringify(staged), "--policy", file]);
    expect([checked.status, checked.stdout]).toMatchObject([0, expect.stringContaining("allow, by invalidate")]);
  });
});

describe("over HTTP", async () => {
  const secret = "approver-secret-of-more-than-32-chars";
  const tokens = ["a", "b"].map((name) => `token-of-${name}-with-more-than-32-characters`);
  const env = bareEnvironment();
  const clientFile = tokenFile(`ann ${tokens[0]}\nbob ${tokens[1]}\n`);
  const start = (flags: readonly string[], own: Record<string, string>, says: RegExp) =>
    startProcess(["http", "--port", "0", "--token-file", clientFile, "--allow-writes", ...flags], own, says);
  const [auto, human] = await Promise.all([
    start([], env, /serving MCP at (\S+)/),
    start(
      ["--approval", "human", "--approver-token-file", tokenFile(`carol ${secret}\n`)],
      bareEnvironment(),
      /serving MCP at (\S+)\/mcp\nedgewise: approvers find waiting plans at \1\/plans\n/,
    ),
  ]);
  const clients: Client[] = [];
  afterAll(async () => {
    for (const client of clients) await client.close();
    for (const { child } of [auto, human]) child.kill("SIGKILL");
  });

  async function clientOf(url: string, token: string, isModern: boolean) {
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const client = new Client(
      { name: "test", version: "1" },
      { capabilities: {}, ...(isModern ? { versionNegotiation: { mode: { pin: "2026-07-28" as const } } } : {}) },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    clients.push(client);
    return async (name: string, args: object) =>
      ((await client.callTool({ name, arguments: { ...args } })) as unknown as Result).structuredContent;
  }

  it.each([true, false])("a plan belongs to a token, in whatever session (2026 era: %s)", async (isModern) => {
    const [ann, bob] = [
      await clientOf(auto.match, tokens[0] ?? "", isModern),
      await clientOf(auto.match, tokens[1] ?? "", isModern),
    ];
    const { confirm } = await ann("purge_submit", purge);
    const stolen = await bob("purge_submit", { ...purge, confirm });
    expect(stolen).toMatchObject({ error: "approval_refused", message: "There is no such plan." });
    expect(await bob("plan_get", { plan: confirm })).toMatchObject({ error: "not_found" });
    const other = await clientOf(auto.match, tokens[0] ?? "", isModern);
    expect(await other("purge_submit", { ...purge, confirm })).toMatchObject({ status: 201 });
    expect(await ann("purge_submit", { ...purge, confirm })).toMatchObject({ message: "This plan has been used." });
  });

  it("a person finds what waits in a list, approves it on its page, and then the same call goes through once", async () => {
    const call = await clientOf(`${human.match}/mcp`, tokens[0] ?? "", true);
    const { plan, confirm } = await call("purge_submit", purge);
    expect(confirm).toBeUndefined();
    const desk = browserAt(new URL(human.match));
    expect((await desk.signIn(tokens[0])).status).toBe(403);
    expect(await call("purge_submit", { ...purge, confirm: plan })).toMatchObject({ error: "approval_refused" });
    await desk.signIn(secret);
    const list = (await desk.get("/plans")).text;
    expect(list).toContain("1 plan waits for a decision");
    expect(list).toContain(`href="plans/${plan}"`);
    const page = `/plans/${plan}`;
    const { text: shown } = await desk.get(page);
    expect(shown).toContain("REMOVE URL");
    expect(shown).toMatch(/<h2>What is sent<\/h2><ul class="lines"><li>Request: POST /);
    const mistyped = await desk.post(page, { ticket: ticketIn(shown), decision: "approve", target: "something else" });
    expect(mistyped.status).toBe(422);
    const [target = ""] = purge.body.objects;
    const fields = { ticket: ticketIn(mistyped.text), decision: "approve", target };
    expect((await desk.post(page, fields)).status).toBe(303);
    expect((await desk.get(page)).text).toContain("Approved by <strong>carol</strong>");
    expect((await desk.post(page, fields)).status).toBe(409);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => call("purge_submit", purge)));
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

it("shows every line of a long preview by a tool and as a resource", async () => {
  const session = await connect("v2 2026 stdio");
  const objects = Array.from({ length: 3_000 }, (_, at) => `https://www.example.com/spring/${at}.jpg`);
  const shown = (await session.call("purge_submit", { ...purge, body: { objects } })).structuredContent;
  const preview = shown["preview"] as { lines: readonly string[]; leftOut: string };
  const plan = String(shown["confirm"]);
  expect(preview.leftOut).toContain(`plan://${plan}`);
  const lines: string[] = [];
  for (let from: unknown = 1; from !== undefined; ) {
    const page = (await session.call("plan_get", { plan, from })).structuredContent;
    lines.push(...(page["lines"] as string[]));
    from = page["nextFrom"];
  }
  const { contents } = await session.client.readResource({ uri: `plan://${plan}` });
  expect((contents[0] as { text: string }).text).toBe(lines.join("\n"));
  for (const url of objects) expect(lines.some((line) => line.includes(url))).toBe(true);
  await session.close();
});

it(
  promise(
    "kill-never-repeats",
    "never sends twice after a kill in the middle of a call, and says that its outcome is unknown",
  ),
  async () => {
    const upstream = await startUpstream((response, { method }) =>
      method === "GET"
        ? json(response, 200, { supportId: "s", httpStatus: 200, detail: "d", queueLength: 0 })
        : undefined,
    );
    const env = bareEnvironment({
      AKAMAI_HOST: "akab-test.luna.akamaiapis.net",
      AKAMAI_CLIENT_TOKEN: "akab-client-token-1234",
      AKAMAI_CLIENT_SECRET: "Y2xpZW50LXNlY3JldC1mb3ItdGVzdHM=",
      AKAMAI_ACCESS_TOKEN: "akab-access-token-1234",
    });
    const call = ["call", "purge_submit", JSON.stringify(purge), "--upstream", upstream.url];
    // The upstream runs in this process, so that it has to go on while a command runs.
    const printed = async () =>
      JSON.parse(
        await execFile(process.execPath, ["dist/server.js", ...call], { env }).then(
          ({ stdout }) => stdout,
          (error) => error.stdout,
        ),
      );
    const { plan } = (await printed()) as { plan: string };
    await plansIn(env["HOME"] ?? "").approve(plan, "terminal", { name: "ann" });
    const child = spawn(process.execPath, ["dist/server.js", ...call], { env, stdio: "ignore" });
    const posts = () => upstream.received.filter(({ method }) => method === "POST").length;
    await expect.poll(posts).toBe(1);
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    expect(await plansIn(env["HOME"] ?? "").find(plan)).toMatchObject({ status: "unknown" });
    const after = (await printed()) as { approval?: string; plan?: string };
    expect([after.approval, after.plan === plan]).toEqual(["required", false]);
    expect(posts()).toBe(1);
    const verified = run(["audit", "verify"], env);
    expect([verified.status, verified.stdout]).toMatchObject([0, expect.stringContaining("unbroken")]);
    await upstream.close();
  },
);
