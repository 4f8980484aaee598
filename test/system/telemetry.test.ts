/** The built server seen from outside: its metrics over every kind of failure, its log as JSON, and an operator's tracer. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folder as newFolder } from "../lab/files.js";
import { ask, openSession } from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";
import {
  bareEnvironment,
  connect,
  environmentOf,
  type HttpServer,
  type Session,
  startProcess,
} from "../lab/session.js";
import { type Family, readExposition } from "../telemetry/exposition.js";
import { json, startUpstream, type Upstream } from "./upstream.js";

const token = "3f0c5a1e9b7d2468ace013579bdf2468ace01357";
const queue = { supportId: "s", httpStatus: 200, detail: "d", queueLength: 0 };
const object = "https://www.example.com/argument-4711.jpg";
const purge = { queueName: "default", body: { objects: [object] } };

let upstream: Upstream;
let folder: string;
let server: Awaited<ReturnType<typeof startProcess>> & {
  readonly metrics: string;
  readonly secrets: HttpServer["search"];
};
let session: Session;
beforeAll(async () => {
  upstream = await startUpstream((response) => json(response, 200, queue));
  folder = newFolder();
  writeFileSync(join(folder, "tokens"), `test ${token}\n`, { mode: 0o600 });
  // The tracer of an operator, without any library: the global object that the library of the API makes.
  writeFileSync(
    join(folder, "otel.mjs"),
    `const span = (name) => ({
       spanContext: () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 }),
       isRecording: () => true, setAttributes() {}, setStatus() {},
       end: () => process.stderr.write("span " + name + "\\n"),
     });
     globalThis[Symbol.for("opentelemetry.js.api.1")] = { version: "1.4.0", trace: { getTracer: () => ({ startSpan: span }) } };`,
  );
  const flags = ["--upstream", upstream.url, "--state-dir", join(folder, "state")];
  const { environment, search } = environmentOf(flags, {});
  const words = [
    ...["http", "--port", "0", "--token-file", join(folder, "tokens"), "--allow-writes", ...flags],
    ...["--metrics-address", "0", "--log", "json", "--plan-seconds", "2"],
    ...["--first-byte-timeout-ms", "300", "--max-response-bytes", "20000"],
  ];
  const env = { ...environment, NODE_OPTIONS: `--import ${join(folder, "otel.mjs")}` };
  const started = await startProcess(words, env, /serving MCP at ([^\s"]+)/);
  const [, metrics = ""] = /metrics are at ([^\s"]+)/.exec(started.stderr()) ?? [];
  server = { ...started, metrics, secrets: search };
  const at: HttpServer = {
    ...environmentOf(flags, {}),
    url: new URL(started.match),
    token,
    stderr: started.stderr,
    stop: async () => undefined,
  };
  session = await connect("v2 2026 http", { at });
});
afterAll(async () => {
  await session?.client.close().catch(() => undefined);
  server?.child.kill("SIGKILL");
  await upstream?.close();
});

const call = async (name: string, args: Record<string, unknown>, signal?: AbortSignal) =>
  (await session.call(name, args, signal ? { signal } : {})).structuredContent;
const read = async (): Promise<ReadonlyMap<string, Family>> =>
  readExposition(await (await fetch(server.metrics)).text());
const figure = (families: ReadonlyMap<string, Family>, name: string, labels: Record<string, string> = {}) =>
  families
    .get(name)
    ?.series.find((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))?.value;
const readQueue = () => call("purge_queue_get", { queueName: "default" });

/** Each kind of failure: how the upstream answers, and the call that meets it. */
const kinds: readonly (readonly [string, Parameters<Upstream["script"]>[0], () => Promise<unknown>])[] = [
  ["ok", (response) => json(response, 200, queue), readQueue],
  ["invalid_input", () => undefined, () => call("purge_queue_get", { queueName: 1 })],
  ["unknown_tool", () => undefined, () => call("no_such_tool", {}).catch(() => undefined)],
  ["unauthorized", (response) => json(response, 401, {}), readQueue],
  ["forbidden", (response) => json(response, 403, {}), readQueue],
  ["not_found", (response) => json(response, 404, {}), readQueue],
  ["rejected", (response) => json(response, 400, {}), readQueue],
  // Of another API, of which nothing is asked until then.
  [
    "rate_limited",
    (response) => json(response, 429, {}, { "retry-after": "300" }),
    () => call("edgelogic_schema_get", { schemaName: "a.json" }),
  ],
  ["upstream", (response) => json(response, 503, {}, { "retry-after": "300" }), readQueue],
  ["redirect_refused", (response) => void response.writeHead(302, { location: "https://x.example" }).end(), readQueue],
  ["bad_reply", (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{"), readQueue],
  ["too_large", (response) => json(response, 200, { ...queue, detail: "x".repeat(30_000) }), readQueue],
  ["timeout", () => undefined, readQueue],
  ["preview", (response) => json(response, 200, queue), () => call("purge_submit", purge)],
  [
    "approval_refused",
    (response) => json(response, 200, queue),
    () => call("purge_submit", { ...purge, confirm: `plan_${"A".repeat(22)}` }),
  ],
  [
    "outcome_unknown",
    (response, { method }) => (method === "POST" ? response.destroy() : json(response, 200, queue)),
    async () => call("purge_submit", { ...purge, confirm: (await call("purge_submit", purge))["confirm"] }),
  ],
];

describe("metrics", () => {
  it("metrics count each kind of failure, and hold no arguments", async () => {
    for (const [outcome, script, make] of kinds) {
      const before = figure(await read(), "edgewise_calls_total", { outcome }) ?? 0;
      upstream.script(script);
      await make();
      expect([outcome, figure(await read(), "edgewise_calls_total", { outcome })]).toEqual([outcome, before + 1]);
    }
    upstream.script((response) => void setTimeout(() => json(response, 200, queue), 200));
    const leaves = new AbortController();
    const left = call("purge_queue_get", { queueName: "default" }, leaves.signal).catch(() => undefined);
    await expect.poll(() => upstream.received.length).toBe(1);
    leaves.abort();
    await left;
    await expect.poll(async () => figure(await read(), "edgewise_calls_total", { outcome: "cancelled" })).toBe(1);
    const text = await (await fetch(server.metrics)).text();
    expect(text).not.toMatch(/argument-4711|no_such_tool|plan_/);
    server.secrets.see("the metrics", text);
    server.secrets.see("the log", server.stderr());
    server.secrets.end();
  });

  it("metrics tell the upstream's time from the server's", async () => {
    upstream.script((response) => void setTimeout(() => json(response, 200, queue), 250));
    const sums = async () => {
      const families = await read();
      const of = (name: string) =>
        families.get(name)?.series.find((one) => one.name.endsWith("_sum") && one.labels["service"] === "purge")
          ?.value ?? 0;
      return { upstream: of("edgewise_call_upstream_seconds"), own: of("edgewise_call_own_seconds") };
    };
    const before = await sums();
    const startedMs = performance.now();
    await readQueue();
    const elapsed = (performance.now() - startedMs) / 1_000;
    const after = await sums();
    const upstreamSeconds = after.upstream - before.upstream;
    expect(upstreamSeconds).toBeGreaterThan(0.24);
    // Neither has the other in it: together they are no longer than the client has waited.
    expect(after.own - before.own + upstreamSeconds).toBeLessThanOrEqual(elapsed);
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
    const url = new URL(server.match);
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
    expect((await ask(new URL(server.match), { method: "GET", path: "/metrics" })).status).toBe(404);
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

it.each(["nonsense", "127.0.0.1", "127.0.0.1:70000", ":9464"])("refuses %s as the address of metrics", (address) => {
  const words = ["dist/server.js", "http", "--emulator", "--port", "0", "--metrics-address", address];
  const { status, stderr } = spawnSync(process.execPath, words, { env: bareEnvironment(), encoding: "utf8" });
  expect([status, stderr]).toEqual([78, expect.stringContaining("--metrics-address takes a port, or HOST:PORT.")]);
});

it("metrics end with the server", async () => {
  const exit = once(server.child, "exit");
  server.child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  await expect(fetch(server.metrics)).rejects.toThrow();
});
