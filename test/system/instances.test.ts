/** Two instances of the built server on one PostgreSQL, behind a proxy that takes them in turn: one truth, in both eras. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrations } from "../../src/state/postgres/migrations.js";
import { file } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { pace } from "../lab/run/pace.js";
import { connect, contentOf, type Kind, type Start, servedAt, startEmulator } from "../lab/session.js";
import { type Instances, startInstances } from "./instances.js";
import { typed } from "./typed.js";
import { json, startUpstream } from "./upstream.js";

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };
const kinds = ["v2 2026 http", "v2 2025 http", "v1 http"] as const satisfies readonly Kind[];

const queue = { supportId: "s", httpStatus: 200, detail: "d", queueLength: 0 };
const cleanUp: (() => unknown)[] = [];
afterAll(async () => {
  for (const clean of cleanUp.reverse()) await clean();
});

interface Own extends Pick<Start, "answer"> {
  readonly token?: string;
}

/** Starts instances in front of an upstream, and what opens a client behind their proxy. */
async function started(count: number, upstream: string) {
  const instances = await startInstances(count, { flags: ["--upstream", upstream] });
  cleanUp.push(instances.close);
  const open = async (kind: Kind, { token = instances.token, ...own }: Own = {}) => {
    const session = await connect(kind, { ...own, at: servedAt(instances.url, token, upstream) });
    cleanUp.push(() => session.client.close().catch(() => undefined));
    return session;
  };
  return { instances, open };
}

/** An upstream that answers a change, or keeps it waiting. */
async function counting(changeStatus: number | undefined) {
  const upstream = await startUpstream((response, { method }) => {
    if (method !== "POST") json(response, 200, queue);
    else if (changeStatus !== undefined) json(response, changeStatus, queue);
  });
  cleanUp.push(upstream.close);
  return { ...upstream, sent: () => upstream.received.filter(({ method }) => method === "POST").length };
}

describe("an instance that is lost", needs.postgresServer, () => {
  it("is killed in a call: its plan is unknown, and no other sends it again", async () => {
    const upstream = await counting(undefined);
    const { instances, open } = await started(2, upstream.url);
    const session = await open("v2 2026 http");
    const { confirm } = await contentOf(session, "purge_submit", purge);
    const confirmed = () => contentOf(session, "purge_submit", { ...purge, confirm });
    instances.keepTo(0);
    const cut = confirmed().catch(() => "cut");
    await expect.poll(upstream.sent).toBe(1);
    instances.keepTo(1);
    expect(await confirmed()).toMatchObject({ error: "approval_refused" });
    instances.processes[0]?.child.kill("SIGKILL");
    expect(await cut).toBe("cut");
    const status = async () => (await contentOf(session, "plan_get", { plan: confirm }))["status"];
    expect(await status()).toBe("sending");
    // Its lease ends after ten seconds.
    await expect.poll(status).toBe("unknown");
    expect(await confirmed()).toMatchObject({ error: "approval_refused" });
    expect(upstream.sent()).toBe(1);
  });

  it("an instance without its database reads, refuses the rest, recovers", async () => {
    const upstream = await counting(201);
    const { instances, open } = await started(1, upstream.url);
    const session = await open("v2 2026 http");
    const timed = async (name: string, args: Record<string, unknown>) => {
      const startedMs = performance.now();
      const content = await contentOf(session, name, args);
      expect(performance.now() - startedMs).toBeLessThan(2_000 * pace);
      return content;
    };
    const { confirm } = await contentOf(session, "purge_submit", purge);
    const confirmed = { ...purge, confirm };
    await instances.postgres.stop();
    for (let at = 0; at < 3; at += 1) {
      expect(await timed("purge_queue_get", { queueName: "default" })).toMatchObject({ status: 200 });
      const refused = { error: "failed", message: expect.stringContaining("PostgreSQL") };
      expect(await timed("purge_submit", confirmed)).toMatchObject(refused);
      expect(await contentOf(session, "result_get", { handle: "AAAAAAAAAAAA" })).toMatchObject({ error: "failed" });
    }
    expect(upstream.sent()).toBe(0);
    await instances.postgres.start();
    await expect.poll(() => contentOf(session, "purge_submit", confirmed)).toMatchObject({ status: 201 });
    expect(upstream.sent()).toBe(1);
  });
});

describe("two instances", needs.postgresServer, () => {
  let instances: Instances;
  let open: Awaited<ReturnType<typeof started>>["open"];
  beforeAll(async () => {
    const upstream = await startEmulator();
    cleanUp.push(() => upstream.child.kill("SIGKILL"));
    ({ instances, open } = await started(2, upstream.match));
  });

  /** Runs a command on the state that the instances share. */
  const run = (words: string) => typed([...words.split(" "), ...instances.shared]);

  it.each(kinds)("preview on one, confirm and read on the other, once: %s", async (kind) => {
    const session = await open(kind);
    for (let round = 0; round < 4; round += 1) {
      const { confirm } = await contentOf(session, "purge_submit", purge);
      expect(confirm).toMatch(/^plan_/);
      expect(await contentOf(session, "purge_submit", { ...purge, confirm })).toMatchObject({ status: 201 });
      const replays = await Promise.all([1, 2].map(() => contentOf(session, "purge_submit", { ...purge, confirm })));
      for (const replay of replays) expect(replay).toMatchObject({ message: "This plan has been used." });
    }
    const { handle } = await contentOf(session, "events_list", {});
    for (let round = 0; round < 4; round += 1)
      expect(await contentOf(session, "result_get", { handle })).toMatchObject({ handle: expect.stringMatching(/./) });
    const { confirm } = await contentOf(session, "purge_submit", purge);
    const stranger = await open(kind, { token: instances.otherToken });
    for (let round = 0; round < 2; round += 1)
      expect(await contentOf(stranger, "purge_submit", { ...purge, confirm })).toMatchObject({
        message: "There is no such plan.",
      });
    expect(await contentOf(await open(kind), "purge_submit", { ...purge, confirm })).toMatchObject({ status: 201 });
  });

  it.each(kinds)("ask a user whose answer reaches the other instance: %s", async (kind) => {
    const asked: string[] = [];
    const session = await open(kind, {
      answer: (message) => {
        asked.push(message);
        return { action: "accept", content: { approve: true } };
      },
    });
    for (let round = 0; round < 3; round += 1)
      expect(await contentOf(session, "purge_submit", purge)).toMatchObject({ status: 201 });
    expect(asked).toHaveLength(3);
  });

  it("stop all changes at once, as doctor sees, and let them through again", async () => {
    const stores = async () => {
      const { stdout } = await run("doctor --json --emulator");
      return (JSON.parse(stdout) as { subject: string }[]).filter(({ subject }) => subject === "Store");
    };
    const what = expect.stringMatching(new RegExp(`2 instances, .* schema ${migrations.length}\\.$`));
    expect(await stores()).toMatchObject([{ state: "ok", what }]);
    const session = await open("v2 2026 http");
    const { confirm } = await contentOf(session, "purge_submit", purge);
    expect(await run("stop-writes --reason 4711")).toMatchObject({ status: 0 });
    expect((await stores())[1]).toMatchObject({ state: "warning", what: expect.stringContaining("4711") });
    for (let at = 0; at < 2; at += 1) {
      const refused = await contentOf(session, "purge_submit", { ...purge, confirm });
      expect(refused).toMatchObject({ error: "not_allowed", why: expect.stringContaining("4711") });
      expect(await contentOf(session, "purge_queue_get", { queueName: "default" })).toMatchObject({ status: 200 });
    }
    expect(await run("resume-writes")).toMatchObject({ status: 0 });
    expect(await contentOf(session, "purge_submit", { ...purge, confirm })).toMatchObject({ status: 201 });
  });

  it("have one audit log, whose chains verify together and name each other", async () => {
    expect(await run("audit verify")).toMatchObject({ status: 0, stdout: expect.stringContaining("unbroken") });
    const head = (await run("audit head")).stdout;
    expect(JSON.parse(head)).toMatchObject({ version: 1 });
    expect((await run(`audit verify --head ${file(head)}`)).status).toBe(0);
    const [line] = await instances.postgres.query(
      instances.shared[1] ?? "",
      `update edgewise.audit_lines set line = replace(line, 'purge_submit', 'purge_nothing')
       where (chain, seq) in (select chain, seq from edgewise.audit_lines where line like '%purge_submit%' limit 1)
       returning chain`,
    );
    expect(line).toBeDefined();
    expect(await run("audit verify")).toMatchObject({ status: 1, stdout: expect.stringContaining("it was edited") });
  });

  it.each(["v2 2025 http", "v1 http"] as const)("answer 404 for a session whose instance is gone: %s", async (kind) => {
    const gone = await instances.startOne();
    instances.keepTo(2);
    const session = await open(kind);
    const { confirm } = await contentOf(session, "purge_submit", purge);
    instances.processes.splice(2, 1);
    instances.keepTo(undefined);
    expect(await contentOf(session, "purge_queue_get", { queueName: "default" })).toMatchObject({ status: 200 });
    gone.child.kill("SIGKILL");
    await new Promise((resolve) => gone.child.once("exit", resolve));
    await expect(session.call("purge_queue_get", { queueName: "default" })).rejects.toThrow();
    // The client initializes anew, and its plan is still there.
    expect(await contentOf(await open(kind), "purge_submit", { ...purge, confirm })).toMatchObject({ status: 201 });
  });
});
