/** The built server over HTTP when it is asked to stop: under load, with an upstream that hangs, and as one of two instances. */
import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { connect, contentOf, type HttpServer, type Session, serve, servedAt } from "../lab/session.js";
import { startInstances } from "./instances.js";
import { typed } from "./typed.js";
import { type Answer, json, startUpstream, type Upstream } from "./upstream.js";

const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };
const queue = { supportId: "s", httpStatus: 200, detail: "d", queueLength: 0 };
const purged = { httpStatus: 201, purgeId: "p", supportId: "s", estimatedSeconds: 5, detail: "d" };

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean();
});

async function upstreamWith(answer: Answer): Promise<Upstream> {
  const upstream = await startUpstream(answer);
  cleanUp.push(upstream.close);
  return upstream;
}

const exitOf = (child: ChildProcess): Promise<readonly [code: number | null, signal: string | null]> =>
  new Promise((resolve) => child.once("exit", (code, signal) => resolve([code, signal])));

async function openAt(at: HttpServer): Promise<Session> {
  const session = await connect("v2 2026 http", { at });
  cleanUp.push(() => session.client.close().catch(() => undefined));
  return session;
}

/** Starts one server, and opens sessions with it. */
async function start(upstream: Upstream, count: number, flags: readonly string[] = []) {
  const state = ["--state-dir", folder()];
  const served = await serve({ flags: ["--upstream", upstream.url, ...state, ...flags] });
  const child = served.child as ChildProcess;
  cleanUp.push(() => child.kill("SIGKILL"));
  const sessions = await Promise.all(Array.from({ length: count }, () => openAt(served)));
  const outcomesOfPlans = async () => {
    const { stdout } = await typed(["plans", "--json", ...state]);
    return (JSON.parse(stdout) as { outcome: string }[]).map(({ outcome }) => outcome);
  };
  return { ...served, child, sessions, outcomesOfPlans };
}

describe("a server that gets SIGTERM", () => {
  it("answers every call that it has begun, begins none, and exits with 0", async () => {
    const upstream = await upstreamWith((response) => void setTimeout(() => json(response, 200, queue), 150));
    const { child, sessions } = await start(upstream, 8);
    const exit = exitOf(child);
    let answered = 0;
    let isSignalled = false;
    const call = async (session: Session, client: number): Promise<void> => {
      // Identical reads that overlap would be sent once.
      const args = { schemaName: `${client}.json` };
      for (;;) {
        const isLate = isSignalled;
        try {
          expect(await contentOf(session, "edgelogic_schema_get", args)).toMatchObject({ status: 200 });
          answered += 1;
        } catch (error) {
          if (!isSignalled) throw error;
        }
        if (isLate) return;
      }
    };
    const calls = sessions.map(call);
    await expect.poll(() => answered).toBeGreaterThan(16);
    isSignalled = true;
    child.kill("SIGTERM");
    await Promise.all(calls);
    expect(await exit).toEqual([0, null]);
    // What reached the upstream was answered, and nothing else did.
    expect(upstream.received).toHaveLength(answered);
  });

  it("after SIGTERM, a hanging change is cut off with outcome unknown", async () => {
    const upstream = await upstreamWith((response, { method }) => {
      if (method !== "POST") json(response, 200, queue);
    });
    const { child, sessions, outcomesOfPlans } = await start(upstream, 1, ["--drain-seconds", "1"]);
    const [session] = sessions as [Session];
    const { confirm } = await contentOf(session, "purge_submit", purge);
    const cut = contentOf(session, "purge_submit", { ...purge, confirm }).catch(() => "cut");
    await expect.poll(() => upstream.received.filter(({ method }) => method === "POST")).toHaveLength(1);
    const exit = exitOf(child);
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
    expect(await cut).toBe("cut");
    expect(await outcomesOfPlans()).toEqual(["it ended with outcome_unknown"]);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("ends at once with a second signal, %s", async (second) => {
    const upstream = await upstreamWith(() => undefined);
    const { child, sessions, stderr } = await start(upstream, 1, ["--drain-seconds", "600"]);
    const [session] = sessions as [Session];
    const cut = contentOf(session, "purge_queue_get", { queueName: "default" }).catch(() => "cut");
    await expect.poll(() => upstream.received).toHaveLength(1);
    const exit = exitOf(child);
    child.kill("SIGTERM");
    await expect.poll(stderr).toContain("stopping");
    child.kill(second);
    expect(await exit).toEqual([null, second]);
    expect(await cut).toBe("cut");
  });
});

describe("one of two instances that gets SIGTERM", needs.postgresServer, () => {
  it("leaves no change undone, unanswered or made twice", async () => {
    const upstream = await upstreamWith((response, { method }) => {
      if (method !== "POST") json(response, 200, queue);
      else setTimeout(() => json(response, 201, purged), 100);
    });
    const instances = await startInstances(2, { flags: ["--upstream", upstream.url] });
    cleanUp.push(() => instances.close());
    const at = servedAt(instances.url, instances.token, upstream.url);
    const sessions = await Promise.all(Array.from({ length: 6 }, () => openAt(at)));
    /** What an instance that stops refuses is sent again, and the proxy takes another one. */
    const persistently = async (session: Session, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
      for (let attempt = 0; attempt < 50; attempt += 1) {
        const content = await contentOf(session, "purge_submit", args).catch(() => undefined);
        if (content !== undefined) return content;
        await wait(20);
      }
      throw new Error("No instance answered.");
    };
    let made = 0;
    let isStopped = false;
    /** A store that does not answer in time refuses a call before it is sent, and the change begins anew. */
    const change = async (session: Session): Promise<void> => {
      for (;;) {
        const isLast = isStopped;
        const preview = await persistently(session, purge);
        const { confirm } = preview;
        const content = confirm === undefined ? preview : await persistently(session, { ...purge, confirm });
        const { retryAfterSeconds } = content;
        if (retryAfterSeconds === undefined) {
          expect(content).toMatchObject({ status: 201 });
          made += 1;
          if (isLast) return;
        } else await wait(Number(retryAfterSeconds) * 1_000);
      }
    };
    const changes = sessions.map(change);
    await expect.poll(() => made).toBeGreaterThan(12);
    const [stopping] = instances.processes;
    if (!stopping) throw new Error("There is no instance.");
    const exit = exitOf(stopping.child);
    stopping.child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
    isStopped = true;
    await Promise.all(changes);
    expect(upstream.received.filter(({ method }) => method === "POST")).toHaveLength(made);
  });
});
