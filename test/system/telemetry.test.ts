/** The built server seen from outside: its metrics over every kind of failure, its log as JSON, and an operator's tracer. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { file } from "../lab/files.js";
import { ask, openSession } from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";
import { connect, contentOf, type HttpServer, type Session, serve } from "../lab/session.js";
import { type Family, readExposition } from "../telemetry/exposition.js";
import { typed } from "./typed.js";
import { json, startUpstream, type Upstream } from "./upstream.js";

const queue = { supportId: "s", httpStatus: 200, detail: "d", queueLength: 0 };
const object = "https://www.example.com/argument-4711.jpg";
const purge = { queueName: "default", body: { objects: [object] } };

// The tracer of an operator, without any library: the global object that the library of the API makes.
const tracer = `const span = (name) => ({
  spanContext: () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 }),
  isRecording: () => true, setAttributes() {}, setStatus() {},
  end: () => process.stderr.write("span " + name + "\\n"),
});
globalThis[Symbol.for("opentelemetry.js.api.1")] = { version: "1.4.0", trace: { getTracer: () => ({ startSpan: span }) } };`;

let upstream: Upstream;
let server: HttpServer & { readonly metrics: string };
let session: Session;
beforeAll(async () => {
  upstream = await startUpstream((response) => json(response, 200, queue));
  const flags = [
    ...["--upstream", upstream.url, "--metrics-address", "0", "--log", "json", "--plan-seconds", "2"],
    ...["--first-byte-timeout-ms", "300", "--max-response-bytes", "20000"],
  ];
  const env = { NODE_OPTIONS: `--import ${file(tracer, { name: "otel.mjs" })}` };
  const started = await serve({ flags, env });
  const [, metrics = ""] = /metrics are at ([^\s"]+)/.exec(started.stderr()) ?? [];
  server = { ...started, metrics };
  session = await connect("v2 2026 http", { at: started });
});
afterAll(async () => {
  await session?.client.close().catch(() => undefined);
  server?.child?.kill("SIGKILL");
  await upstream?.close();
});

const call = (name: string, args: Record<string, unknown>) => contentOf(session, name, args);
const read = async (): Promise<ReadonlyMap<string, Family>> =>
  readExposition(await (await fetch(server.metrics)).text());
const figure = (families: ReadonlyMap<string, Family>, name: string, labels: Record<string, string> = {}) =>
  families
    .get(name)
    ?.series.find((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))?.value;
const readQueue = () => call("purge_queue_get", { queueName: "default" });

/** Ways in which a call ends: how the upstream answers, and the call that meets it. */
const kinds: readonly (readonly [string, Parameters<Upstream["script"]>[0], () => Promise<unknown>])[] = [
  ["ok", (response) => json(response, 200, queue), readQueue],
  ["unknown_tool", () => undefined, () => call("no_such_tool", {}).catch(() => undefined)],
  ["too_large", (response) => json(response, 200, { ...queue, detail: "x".repeat(30_000) }), readQueue],
  ["timeout", () => undefined, readQueue],
  ["preview", (response) => json(response, 200, queue), () => call("purge_submit", purge)],
  [
    "outcome_unknown",
    (response, { method }) => (method === "POST" ? response.destroy() : json(response, 200, queue)),
    async () => call("purge_submit", { ...purge, confirm: (await call("purge_submit", purge))["confirm"] }),
  ],
];

describe("metrics", () => {
  it("metrics count how calls end, and hold no arguments", async () => {
    for (const [outcome, script, make] of kinds) {
      const before = figure(await read(), "edgewise_calls_total", { outcome }) ?? 0;
      upstream.script(script);
      await make();
      expect([outcome, figure(await read(), "edgewise_calls_total", { outcome })]).toEqual([outcome, before + 1]);
    }
    upstream.script((response) => void setTimeout(() => json(response, 200, queue), 200));
    const leaves = new AbortController();
    const { signal } = leaves;
    const left = session.call("purge_queue_get", { queueName: "default" }, { signal }).catch(() => undefined);
    await expect.poll(() => upstream.received.length).toBe(1);
    leaves.abort();
    await left;
    await expect.poll(async () => figure(await read(), "edgewise_calls_total", { outcome: "cancelled" })).toBe(1);
    const text = await (await fetch(server.metrics)).text();
    expect(text).not.toMatch(/argument-4711|no_such_tool|plan_/);
    server.search.see("the metrics", text);
    server.search.see("the log", server.stderr());
    server.search.end();
  });

  it("metrics count approvals that were given, wait or expired", async () => {
    upstream.script((response, { method }) =>
      method === "POST"
        ? json(response, 201, { httpStatus: 201, purgeId: "p", supportId: "s", estimatedSeconds: 5, detail: "d" })
        : json(response, 200, queue),
    );
    const count = async (labels: Record<string, string>) =>
      figure(await read(), "edgewise_approvals_total", labels) ?? 0;
    const approved = await count({ outcome: "approved", channel: "confirm" });
    const { confirm } = (await call("purge_submit", purge)) as { confirm: string };
    await call("purge_submit", { ...purge, confirm });
    expect(await count({ outcome: "approved", channel: "confirm" })).toBe(approved + 1);
    await call("purge_submit", purge);
    await expect.poll(() => count({ outcome: "expired" })).toBeGreaterThan(0);
    expect(figure(await read(), "edgewise_approvals_waiting")).toBe(0);
  });

  it("metrics count sessions, streams, connections and responses", async () => {
    const { url, token } = server;
    const inSession = await openSession(url, { authorization: `Bearer ${token}` });
    expect(figure(await read(), "edgewise_sessions")).toBe(1);
    expect(figure(await read(), "edgewise_streams")).toBe(0);
    expect(figure(await read(), "edgewise_connections")).toBeGreaterThan(0);
    await ask(url, { headers: inSession });
    expect(figure(await read(), "edgewise_http_responses_total", { status: "401" })).toBeGreaterThan(0);
  });

  it(promise("metrics-apart", "metrics have an address that pages of a browser cannot read"), async () => {
    const url = new URL(server.metrics);
    expect(url.hostname).toBe("127.0.0.1");
    expect((await fetch(url)).headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect((await ask(url, { method: "GET", headers: { host: "evil.example" } })).status).toBe(403);
    expect((await ask(url, { method: "GET", headers: { origin: "http://evil.example" } })).status).toBe(403);
    expect((await ask(url, { method: "POST" })).status).toBe(405);
    expect((await ask(server.url, { method: "GET", path: "/metrics" })).status).toBe(404);
  });
});

it("each request is a line of JSON, with its place in the audit log", async () => {
  await readQueue();
  const lines = server
    .stderr()
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("span "))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(
    lines.every(({ time, level, message }) => [time, level, message].every((one) => typeof one === "string")),
  ).toBe(true);
  expect(lines.findLast(({ event }) => event === "request")).toMatchObject({
    level: "info",
    message: "purge_queue_get: ok",
    method: "tools/call",
    tool: "purge_queue_get",
    effect: "read",
    outcome: "ok",
    ms: expect.any(Number),
    upstream_ms: expect.any(Number),
    upstream_requests: 1,
    call: expect.stringMatching(/^\S{10,}$/),
    trace_id: "a".repeat(32),
  });
});

it("spans go to the operator's tracer, also of an older API", async () => {
  await readQueue();
  await expect
    .poll(server.stderr)
    .toMatch(/span GET \S+\/queues\/\{queueName\}\n.*\nspan tools\/call purge_queue_get\n/);
});

it("the address of metrics is a port, or has a port of a host", async () => {
  for (const address of ["nonsense", "127.0.0.1", "127.0.0.1:70000", ":9464"])
    expect(await typed(["http", "--emulator", "--port", "0", "--metrics-address", address])).toMatchObject({
      status: 78,
      stderr: expect.stringContaining("--metrics-address takes a port, or HOST:PORT."),
    });
});

it("metrics end with the server", async () => {
  const exit = once(server.child as ChildProcess, "exit");
  server.child?.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  await expect(fetch(server.metrics)).rejects.toThrow();
});
