/** Approvals across processes, clients and pages, with the built server: who may approve what, and that it happens once. */
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlans } from "../../src/guard/index.js";
import { directoryStorage } from "../../src/guard/plans/directory.js";
import { browserAt, ticketIn } from "../lab/desk.js";
import { file } from "../lab/files.js";
import { bareEnvironment, connect, type Result, startProcess } from "../lab/session.js";

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };
const stateIn = (home: string) => join(home, ".local/state/edgewise");

/** Runs a command in an environment of its own, or in that of another command. */
function run(args: readonly string[], env = bareEnvironment(), input = "") {
  const options = { env, encoding: "utf8", input } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["dist/server.js", ...args], options);
  return { status, stdout, stderr, env };
}

it("a shell call is approved elsewhere, then made once when repeated", async () => {
  const call = ["call", "purge_submit", JSON.stringify(purge)];
  const first = run(call);
  const { plan, next } = JSON.parse(first.stdout) as { plan: string; next: string };
  expect([first.status, next.includes(`node dist/server.js approve ${plan}`)]).toEqual([1, true]);
  const again = JSON.parse(run(call, first.env).stdout) as { plan?: string };
  expect(again.plan).toMatch(/^plan_/);
  expect(run(["approve", plan], first.env, "yes\n").status).toBe(1);
  const storage = directoryStorage(stateIn(first.env["HOME"] ?? ""));
  await createPlans({ ttlMs: 600_000, storage }).approve(plan, "terminal", { name: "ann" });
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
  const against = (input: string) => run(["audit", "verify", "--head", "-"], first.env, input);
  expect(against(head)).toMatchObject({ status: 0, stdout: expect.stringContaining("unbroken") });
  expect(against("")).toMatchObject({ status: 78, stderr: expect.stringContaining("The input on stdin is not") });
  const record = join(stateIn(first.env["HOME"] ?? ""), "audit");
  rmSync(join(record, readdirSync(record).sort().at(-1) ?? ""));
  expect(run(["audit", "verify"], first.env).status).toBe(0);
  expect(against(head)).toMatchObject({ status: 1, stdout: expect.stringContaining("the exported head names it") });
});

it("--approval off makes only what a required policy file allows", () => {
  const queue = ["call", "purge_queue_get", '{"queueName":"default"}', "--approval", "off"];
  expect(run(queue).status).toBe(78);
  const rule = "{id: invalidate, effect: allow, tools: [purge_submit], networks: [staging]}";
  const policy = file(`version: 1\nrules: [${rule}]\n`, { name: "policy.yaml" });
  const staged = { ...purge, body: { ...purge.body, domain: "staging", action: "invalidate" } };
  const made = (args: object) =>
    JSON.parse(run(["call", "purge_submit", JSON.stringify(args), "--approval", "off", "--policy", policy]).stdout);
  expect(made(staged)).toMatchObject({ status: 201 });
  expect(made(purge)).toMatchObject({ error: "not_allowed" });
});

describe("over HTTP", () => {
  const secret = "approver-secret-of-more-than-32-chars";
  const tokens = ["a", "b"].map((name) => `token-of-${name}-with-more-than-32-characters`);
  const clients: Client[] = [];
  let [auto, human]: Awaited<ReturnType<typeof startProcess>>[] = [];
  beforeAll(async () => {
    const clientFile = file(`ann ${tokens[0]}\nbob ${tokens[1]}\n`);
    const start = (flags: readonly string[], says: RegExp) => {
      const words = ["http", "--port", "0", "--token-file", clientFile, "--allow-writes", ...flags];
      return startProcess(words, bareEnvironment(), says);
    };
    [auto, human] = await Promise.all([
      start([], /serving MCP at (\S+)/),
      start(
        ["--approval", "human", "--approver-token-file", file(`carol ${secret}\n`)],
        /serving MCP at (\S+)\/mcp\nedgewise: approvers find waiting plans at \1\/plans\n/,
      ),
    ]);
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    for (const server of [auto, human]) server?.child.kill("SIGKILL");
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

  it.each([true, false])("a plan belongs to a token, in every session (2026 era: %s)", async (isModern) => {
    const [ann, bob] = [
      await clientOf(auto?.match ?? "", tokens[0] ?? "", isModern),
      await clientOf(auto?.match ?? "", tokens[1] ?? "", isModern),
    ];
    const { confirm } = await ann("purge_submit", purge);
    const stolen = await bob("purge_submit", { ...purge, confirm });
    expect(stolen).toMatchObject({ error: "approval_refused", message: "There is no such plan." });
    expect(await bob("plan_get", { plan: confirm })).toMatchObject({ error: "not_found" });
    const other = await clientOf(auto?.match ?? "", tokens[0] ?? "", isModern);
    expect(await other("purge_submit", { ...purge, confirm })).toMatchObject({ status: 201 });
    expect(await ann("purge_submit", { ...purge, confirm })).toMatchObject({ message: "This plan has been used." });
  });

  it("a person approves on the page, and the same call goes through once", async () => {
    const call = await clientOf(`${human?.match}/mcp`, tokens[0] ?? "", true);
    const { plan, confirm } = await call("purge_submit", purge);
    expect(confirm).toBeUndefined();
    const desk = browserAt(new URL(human?.match ?? ""));
    expect((await desk.signIn(tokens[0])).status).toBe(403);
    expect(await call("purge_submit", { ...purge, confirm: plan })).toMatchObject({ error: "approval_refused" });
    await desk.signIn(secret);
    const list = (await desk.get("/plans")).text;
    expect(list).toContain("1 plan waits for a decision");
    expect(list).toContain(`href="plans/${plan}"`);
    const page = `/plans/${plan}`;
    const { text: shown } = await desk.get(page);
    expect(shown).toContain("REMOVE URL");
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

it("every line of a long preview is shown by a tool and as a resource", async () => {
  const session = await connect("v2 2026 stdio");
  const objects = Array.from({ length: 1_300 }, (_, at) => `https://www.example.com/${at}.jpg`);
  const shown = (await session.call("purge_submit", { ...purge, body: { objects } })).structuredContent;
  const preview = shown["preview"] as { lines: readonly string[] };
  const plan = String(shown["confirm"]);
  expect(preview.lines.at(-2)).toMatch(/^Not shown here: .*; plan_get shows all\.$/);
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
