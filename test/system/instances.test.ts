/** Two instances of the built server on one PostgreSQL, behind a proxy that takes them in turn: one truth, in both eras. */
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrations } from "../../src/state/postgres/migrations.js";
import { needs } from "../lab/needs.js";
import { pace } from "../lab/run/pace.js";
import {
  bareEnvironment,
  connect,
  environmentOf,
  type Kind,
  type Session,
  type Start,
  startProcess,
} from "../lab/session.js";
import { type Instances, startInstances } from "./instances.js";
import { json, startUpstream } from "./upstream.js";

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };
const kinds = ["v2 2026 http", "v2 2025 http", "v1 http"] as const satisfies readonly Kind[];

/** A client of the instances behind a proxy. */
async function openAt({ url, token }: Instances, upstream: string, kind: Kind, own: Pick<Start, "answer"> = {}) {
  const around = environmentOf(["--upstream", upstream], {});
  return connect(kind, { ...own, at: { ...around, url, token, stderr: () => "", stop: async () => undefined } });
}
const contentOf = async (session: Session, name: string, args: Record<string, unknown>) =>
  (await session.call(name, args)).structuredContent;

describe("an instance that is killed in the middle of a call", needs.postgresServer, () => {
  it("leaves its plan unknown, and no other instance sends it again", async () => {
    let sent = 0;
    const upstream = await startUpstream((response, { method }) => {
      if (method === "POST") sent += 1;
      else json(response, 200, { supportId: "s", httpStatus: 200, detail: "d", queueLength: 0 });
    });
    const instances = await startInstances(2, { flags: ["--upstream", upstream.url] });
    const session = await openAt(instances, upstream.url, "v2 2026 http");
    try {
      const { confirm } = await contentOf(session, "purge_submit", purge);
      instances.keepTo(0);
      const cut = contentOf(session, "purge_submit", { ...purge, confirm }).catch(() => "cut");
      await expect.poll(() => sent).toBe(1);
      instances.keepTo(1);
      expect(await contentOf(session, "purge_submit", { ...purge, confirm })).toMatchObject({
        error: "approval_refused",
      });
      instances.processes[0]?.child.kill("SIGKILL");
      expect(await cut).toBe("cut");
      const status = async () => (await contentOf(session, "plan_get", { plan: confirm }))["status"];
      expect(await status()).toBe("sending");
      // Its lease ends after ten seconds.
      await expect.poll(status).toBe("unknown");
      expect(await contentOf(session, "purge_submit", { ...purge, confirm })).toMatchObject({
        error: "approval_refused",
      });
      expect(sent).toBe(1);
    } finally {
      await session.client.close().catch(() => undefined);
      await instances.close();
      await upstream.close();
    }
  });
});

describe("an instance whose database is gone", needs.postgresServer, () => {
  it("an instance without its database reads, refuses the rest, recovers", async () => {
    let sent = 0;
    const upstream = await startUpstream((response, { method }) => {
      if (method === "POST") sent += 1;
      json(response, method === "POST" ? 201 : 200, { supportId: "s", httpStatus: 200, detail: "d", queueLength: 0 });
    });
    const instances = await startInstances(1, { flags: ["--upstream", upstream.url] });
    const session = await openAt(instances, upstream.url, "v2 2026 http");
    const timed = async (name: string, args: Record<string, unknown>) => {
      const startedMs = performance.now();
      const content = await contentOf(session, name, args);
      return { content, ms: performance.now() - startedMs };
    };
    try {
      const { confirm } = await contentOf(session, "purge_submit", purge);
      await instances.postgres.stop();
      for (let at = 0; at < 3; at += 1) {
        const read = await timed("purge_queue_get", { queueName: "default" });
        expect(read.content).toMatchObject({ status: 200 });
        const refused = await timed("purge_submit", { ...purge, confirm });
        expect(refused.content).toMatchObject({ error: "failed", message: expect.stringContaining("PostgreSQL") });
        expect(await contentOf(session, "result_get", { handle: "AAAAAAAAAAAA" })).toMatchObject({ error: "failed" });
        for (const { ms } of [read, refused]) expect(ms).toBeLessThan(2_000 * pace);
      }
      expect(sent).toBe(0);
      await instances.postgres.start();
      const confirmed = () => contentOf(session, "purge_submit", { ...purge, confirm });
      await expect.poll(confirmed).toMatchObject({ status: 201 });
      expect(sent).toBe(1);
    } finally {
      await session.client.close().catch(() => undefined);
      await instances.close();
      await upstream.close();
    }
  });
});

describe("two instances", needs.postgresServer, () => {
  let upstream: Awaited<ReturnType<typeof startProcess>>;
  let instances: Instances;
  const sessions: Session[] = [];
  beforeAll(async () => {
    upstream = await startProcess(["emulator", "--port", "0"], bareEnvironment(), /POST (\S+)\/_emulator\/reset/);
    instances = await startInstances(2, { flags: ["--upstream", upstream.match] });
  });
  afterAll(async () => {
    for (const session of sessions) await session.client.close().catch(() => undefined);
    await instances?.close();
    upstream?.child.kill("SIGKILL");
  });

  const open = async (kind: Kind, own: Pick<Start, "answer"> = {}) => {
    const session = await openAt(instances, upstream.match, kind, own);
    sessions.push(session);
    return session;
  };
  /** Runs a command on the state that the instances share. */
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["dist/server.js", ...words, ...instances.shared], {
      env: bareEnvironment(),
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };

  it.each(kinds)("preview on one and confirm on the other, once: %s", async (kind) => {
    const session = await open(kind);
    for (let round = 0; round < 4; round += 1) {
      const { confirm } = await contentOf(session, "purge_submit", purge);
      expect(confirm).toMatch(/^plan_/);
      expect(await contentOf(session, "purge_submit", { ...purge, confirm })).toMatchObject({ status: 201 });
      const replays = await Promise.all([1, 2].map(() => contentOf(session, "purge_submit", { ...purge, confirm })));
      for (const replay of replays) expect(replay).toMatchObject({ message: "This plan has been used." });
    }
  });

  it.each(kinds)("let a client confirm in another session, and no other client: %s", async (kind) => {
    const { confirm } = await contentOf(await open(kind), "purge_submit", purge);
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

  it.each(kinds)("read what the other has kept, with SQL, too: %s", async (kind) => {
    const session = await open(kind);
    const listed = await contentOf(session, "events_list", {});
    const { handle } = listed as { handle?: string };
    expect(handle).toBeDefined();
    for (let round = 0; round < 4; round += 1)
      expect(await contentOf(session, "result_get", { handle })).toMatchObject({ handle });
  });

  it("stop all changes at once, and let them through again", async () => {
    const session = await open("v2 2026 http");
    const { confirm } = await contentOf(session, "purge_submit", purge);
    expect(run("stop-writes", "--reason", "incident 4711")).toMatchObject({ status: 0 });
    for (let at = 0; at < 2; at += 1) {
      const refused = await contentOf(session, "purge_submit", { ...purge, confirm });
      expect(refused).toMatchObject({ error: "not_allowed", why: expect.stringContaining("incident 4711") });
      expect(await contentOf(session, "purge_queue_get", { queueName: "default" })).toMatchObject({ status: 200 });
    }
    expect(run("resume-writes")).toMatchObject({ status: 0 });
    expect(await contentOf(session, "purge_submit", { ...purge, confirm })).toMatchObject({ status: 201 });
  });

  it("are seen by doctor, with what waits and what is stopped", async () => {
    const seen = () =>
      (
        JSON.parse(run("doctor", "--json", "--emulator").stdout) as { subject: string; state: string; what: string }[]
      ).filter(({ subject }) => subject === "Store");
    const what = expect.stringMatching(new RegExp(`2 instances, .* schema ${migrations.length}\\.$`));
    expect(seen()).toMatchObject([{ state: "ok", what }]);
    run("stop-writes", "--reason", "incident 4711");
    expect(seen()[1]).toMatchObject({ state: "warning", what: expect.stringContaining("incident 4711") });
    run("resume-writes");
  });

  it("have one audit log, whose chains verify together and name each other", async () => {
    expect(run("audit", "verify")).toMatchObject({ status: 0, stdout: expect.stringContaining("unbroken") });
    const head = run("audit", "head").stdout;
    expect(JSON.parse(head)).toMatchObject({ version: 1 });
    const against = spawnSync(
      process.execPath,
      ["dist/server.js", "audit", "verify", "--head", "-", ...instances.shared],
      {
        env: bareEnvironment(),
        encoding: "utf8",
        input: head,
      },
    );
    expect(against.status).toBe(0);
    const [line] = await instances.postgres.query(
      instances.shared[1] ?? "",
      `update edgewise.audit_lines set line = replace(line, 'purge_submit', 'purge_nothing')
       where (chain, seq) in (select chain, seq from edgewise.audit_lines where line like '%purge_submit%' limit 1)
       returning chain`,
    );
    expect(line).toBeDefined();
    const broken = run("audit", "verify");
    expect([broken.status, broken.stdout]).toMatchObject([1, expect.stringContaining("it was edited")]);
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
