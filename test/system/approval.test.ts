/** Approvals across processes and pages, with the built server: a plan is approved elsewhere, and its call is made once. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlans } from "../../src/guard/index.js";
import { directoryPlanStorage } from "../../src/guard/plans/directory.js";
import { browserAt, ticketIn } from "../lab/desk.js";
import { file } from "../lab/files.js";
import { bareEnvironment, connect, contentOf, type HttpServer, type Session, serve } from "../lab/session.js";
import { typed } from "./typed.js";

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };

it("a shell call is approved elsewhere, then made once when repeated", async () => {
  const env = bareEnvironment();
  const run = (...words: string[]) => typed(words, env);
  const call = () => run("call", "purge_submit", JSON.stringify(purge));
  const first = await call();
  const { plan, next } = JSON.parse(first.stdout) as { plan: string; next: string };
  expect([first.status, next]).toEqual([1, expect.stringContaining(`node dist/server.js approve ${plan}`)]);
  expect(JSON.parse((await call()).stdout)).toMatchObject({ approval: "required" });
  const storage = directoryPlanStorage(join(env["HOME"] ?? "", ".local/state/edgewise"));
  await createPlans({ ttlMs: 600_000, storage }).approve(plan, "terminal", { name: "ann" });
  const made = await call();
  expect([made.status, JSON.parse(made.stdout)]).toMatchObject([0, { status: 201 }]);
  expect(JSON.parse((await call()).stdout)).toMatchObject({ approval: "required" });
  expect((await run("plans")).stdout).toMatch(new RegExp(`^${plan} .*done.*approval: terminal by ann`, "m"));
  expect(await run("audit", "verify")).toMatchObject({ status: 0, stdout: expect.stringContaining("unbroken") });
  expect((await run("audit", "show", "--tool", "purge_submit")).stdout).toContain("201");
});

describe("where a person has to approve, over HTTP", () => {
  const secret = "approver-secret-of-more-than-32-chars";
  let server: HttpServer;
  let session: Session;
  beforeAll(async () => {
    server = await serve({ flags: ["--approval", "human", "--approver-token-file", file(`carol ${secret}\n`)] });
    session = await connect("v2 2026 http", { at: server });
  });
  afterAll(async () => {
    await session?.close();
    await server?.stop();
  });
  const call = (args: object) => contentOf(session, "purge_submit", { ...purge, ...args });

  it("a person approves on the page, and the same call goes through once", async () => {
    const { plan, confirm } = await call({});
    expect(confirm).toBeUndefined();
    expect(server.stderr()).toContain(`\nedgewise: approvers find waiting plans at ${server.url.origin}/plans\n`);
    const desk = browserAt(server.url);
    expect((await desk.signIn(server.token)).status).toBe(403);
    expect(await call({ confirm: plan })).toMatchObject({ error: "approval_refused" });
    await desk.signIn(secret);
    const list = (await desk.get("/plans")).text;
    for (const part of ["1 plan waits for a decision", `href="plans/${plan}"`]) expect(list).toContain(part);
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
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => call({})));
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it("every line of a long preview is shown by a tool and as a resource", async () => {
    const objects = Array.from({ length: 1_300 }, (_, at) => `https://www.example.com/${at}.jpg`);
    const { plan, preview } = await call({ body: { objects } });
    expect((preview as { lines: readonly string[] }).lines.at(-2)).toMatch(
      /^Not shown here: .*; plan_get shows all\.$/,
    );
    const lines: string[] = [];
    for (let from: unknown = 1; from !== undefined; ) {
      const page = await contentOf(session, "plan_get", { plan, from });
      lines.push(...(page["lines"] as string[]));
      from = page["nextFrom"];
    }
    const { contents } = await session.client.readResource({ uri: `plan://${plan}` });
    expect((contents[0] as { text: string }).text).toBe(lines.join("\n"));
    for (const url of objects) expect(lines.some((line) => line.includes(url))).toBe(true);
  });
});
