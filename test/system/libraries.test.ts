/** What the build changes in the libraries that it bundles, each by what the built program does with it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bareEnvironment } from "../lab/session.js";
import { startUpstream, type Upstream } from "./upstream.js";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const call = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "purge_queue_get", arguments: { queueName: "default" }, _meta: meta },
});

const program = "dist/program";
// The worker of queries is a program of its own.
const pieces = readdirSync(program)
  .filter((name) => name.endsWith(".js") && name !== "query-worker.js")
  .map((name) => readFileSync(join(program, name), "utf8"));

describe("the libraries in the program", () => {
  it("do without the one that checks answers of a user a second time", () => {
    // What that library calls its keywords' checks; a message of zod shows that texts of libraries are looked at.
    expect(pieces.filter((text) => text.includes("must NOT have additional properties"))).toEqual([]);
    expect(pieces.filter((text) => text.includes("Invalid input: expected")).length).toBeGreaterThan(0);
  });

  it("have zod's messages in English alone", () => {
    for (const other of ["Ongeldige invoer", "Input non valido", "Neplatn"])
      expect(pieces.filter((text) => text.includes(other))).toEqual([]);
  });

  it("the program has two copies of zod, only one with ZodRealError", () => {
    const copies = pieces.filter((text) => text.includes("Invalid input: expected"));
    expect(copies).toHaveLength(2);
    expect(copies.filter((text) => text.includes("ZodRealError"))).toHaveLength(1);
  });
});

const answered = '{"supportId":"s","httpStatus":200,"detail":"d","queueLength":0}';
// A request that nobody aborts ends with its own timeout, which is later.
const beforeItsTimeout = { timeout: 15_000 };
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream(() => undefined);
});
afterAll(() => upstream.close());
const answers = () =>
  upstream.script((response) => response.writeHead(200, { "content-type": "application/json" }).end(answered));
/** Has the upstream keep a call waiting; resolves once it has come. */
const hangs = () => {
  upstream.script(() => undefined);
  return expect.poll(() => upstream.received.length).toBe(1);
};

describe("messages over stdio", () => {
  it("are told apart as the protocol does, whatever members they have", beforeItsTimeout, async () => {
    const child = spawn(process.execPath, ["dist/server.js", "--upstream", upstream.url], {
      env: bareEnvironment(),
      stdio: ["pipe", "pipe", "ignore"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
    answers();
    // None of these is a request; what is no message at all is the only one that is answered.
    for (const message of [
      { jsonrpc: "2.0", id: 7, result: {} },
      { jsonrpc: "2.0", id: 7, error: { code: -32_603, message: "no" } },
      { jsonrpc: "2.0", method: "notifications/unheard", params: { _meta: meta } },
      { jsonrpc: "2.0", id: 8, result: null },
      { jsonrpc: "2.0" },
    ])
      send(message);
    send(call(1));
    // A request keeps being one with a member that answers have.
    send({ ...call(2), params: { ...call(2).params, result: {}, error: {} } });
    const next = async () => JSON.parse(String((await lines.next()).value)) as unknown;
    expect(await next()).toMatchObject({ id: null, error: { code: -32_600 } });
    for (const id of [1, 2]) {
      expect(await next()).toMatchObject({ id, result: { structuredContent: { status: 200 } } });
    }
    const hung = hangs();
    send(call(3));
    await hung;
    send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3, _meta: meta } });
    await upstream.abandoned;
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

describe("answers over HTTP", () => {
  const child = { stop: (): void => undefined, url: "" };
  beforeAll(async () => {
    const flags = ["http", "--port", "0", "--upstream", upstream.url];
    const server = spawn(process.execPath, ["dist/server.js", ...flags], { env: bareEnvironment() });
    child.stop = () => void server.kill("SIGTERM");
    for await (const line of createInterface({ input: server.stderr })) {
      const [, url] = /at (http:\S+)/.exec(line) ?? [];
      if (url === undefined) continue;
      child.url = url;
      break;
    }
  });
  afterAll(() => child.stop());

  const post = (signal?: AbortSignal) =>
    fetch(child.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "purge_queue_get",
      },
      body: JSON.stringify(call(1)),
      ...(signal ? { signal } : {}),
    });

  it("are whole, and of the length that they say", async () => {
    answers();
    const answer = await post();
    expect(answer.headers.get("content-type")).toBe("application/json");
    const text = await answer.text();
    expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { structuredContent: { status: 200 } } });
  });

  it("HTTP answers come in a row though each closes its server later", async () => {
    answers();
    for (let round = 0; round < 20; round += 1) expect((await post()).status).toBe(200);
  });

  it("abort the request upstream when the client disconnects before", beforeItsTimeout, async () => {
    const hung = hangs();
    const stop = new AbortController();
    const asked = post(stop.signal).catch((error: unknown) => error);
    await hung;
    stop.abort();
    expect(await asked).toMatchObject({ name: "AbortError" });
    await upstream.abandoned;
  });
});
