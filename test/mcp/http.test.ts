/** The HTTP endpoint as raw clients meet it: its access checks, its messages, clients that disconnect, and how it stops. */
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { writeResponse } from "../../src/mcp/http/bridge.js";
import { needs } from "../lab/needs.js";
import {
  as,
  ask,
  calling,
  callSlow,
  clientsOf,
  initialize,
  list,
  listen,
  message,
  modern,
  openSession,
  slowCall,
  startHttp,
  startSlow,
} from "../lab/raw-http.js";

afterEach(() => void vi.useRealTimers());

describe("access", () => {
  it("only by its own names and origins, and those of the settings", async () => {
    const { url } = await startSlow({ allowedHosts: ["mcp.example.com", "localhost:6274"] });
    const { port } = url;
    const statuses = async (name: string, values: readonly string[]) => {
      const answers = values.map((value) => ask(url, { headers: { ...modern, [name]: value } }));
      return new Set((await Promise.all(answers)).map(({ status }) => status));
    };
    const hosts = [`localhost:${port}`, `127.0.0.1:${port}`, "mcp.example.com", "mcp.example.com:8443"];
    expect(await statuses("host", hosts)).toEqual(new Set([200]));
    const refused = ["evil.com", "localhost.evil.com", "evil.com@localhost", "127.1", "2130706433", "localhost:1"];
    expect(await statuses("host", [...refused, "localhost."])).toEqual(new Set([403]));
    const own = [url.origin, `http://localhost:${port}`, "https://mcp.example.com", "http://localhost:6274"];
    expect(await statuses("origin", own)).toEqual(new Set([200]));
    const foreign = [
      ...["http://evil.com", "null", "http://localhost.evil.com", "https://evil.com@localhost", "file://"],
      ...["http://localhost", "http://localhost:1", "http://127.0.0.1:1", `https://localhost:${port}`],
      ...[`http://127.0.0.3:${port}`, `http://u@localhost:${port}`, `http://localhost:${port}/page`],
    ];
    expect(await statuses("origin", foreign)).toEqual(new Set([403]));
    const page = await ask(url, { headers: { ...modern, origin: url.origin } });
    expect(Object.keys(page.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  // Only Linux takes every address of 127/8 for its own without being told to.
  it("accepts the name that it is bound to, and no neighboring address", needs.linux, async () => {
    const { url } = await startSlow({ host: "127.0.0.2" });
    expect((await ask(url, { headers: modern })).status).toBe(200);
    expect((await ask(url, { headers: { ...modern, host: `127.0.0.3:${url.port}` } })).status).toBe(403);
  });

  it("accepts the token, and checks it before reading the body", async () => {
    const { url } = await startSlow({ clients: clientsOf("one") });
    expect((await ask(url, { headers: { ...modern, ...as("one") } })).status).toBe(200);
    expect((await ask(url, { headers: modern, body: "{" })).status).toBe(401);
    expect((await ask(url, { path: "/healthz", method: "GET" })).status).toBe(200);
  });

  it("does not open to the network without a token", async () => {
    for (const host of ["0.0.0.0", "::", "10.0.0.1"])
      await expect(startSlow({ host })).rejects.toMatchObject({ code: "bad_configuration" });
  });
});

describe("messages", () => {
  const forwarded = (host: string) => ({ "x-forwarded-host": host });
  it.each([
    [400, "cut JSON", { headers: modern, body: list.slice(0, -2) }],
    [415, "another medium", { headers: { ...modern, "content-type": "text/plain; a=application/json" } }],
    [415, "an encoding", { headers: { ...modern, "content-encoding": "gzip" } }],
    [400, "no protocol version header", { headers: { "mcp-method": "tools/list" } }],
    [400, "a method header that the body contradicts", { headers: { ...modern, "mcp-method": "tools/call" } }],
    [405, "GET without a session", { method: "GET" }],
    [405, "a preflight", { method: "OPTIONS", headers: { "access-control-request-method": "POST" } }],
    [404, "an unknown session", { headers: { "mcp-session-id": "unknown" }, body: initialize }],
    [404, "a different path", { path: "/other" }],
    [403, "a host that was forwarded", { headers: { ...modern, host: "evil.example", ...forwarded("localhost") } }],
    [200, "the name of an evil host that was forwarded", { headers: { ...modern, ...forwarded("evil.example") } }],
  ])("answers %i to %s", async (status, _, raw) => {
    const { url } = await startSlow();
    expect((await ask(url, raw)).status).toBe(status);
  });

  it("serves the 2026 era without a session and the 2025 era with one", async () => {
    const { url } = await startSlow();
    expect((await ask(url, { headers: modern })).headers).not.toHaveProperty("mcp-session-id");
    const headers = await openSession(url);
    const inSession = { headers, body: message("tools/list") };
    expect((await ask(url, inSession)).status).toBe(200);
    expect((await ask(url, { method: "DELETE", headers })).status).toBe(200);
    expect((await ask(url, inSession)).status).toBe(404);
  });
});

describe("clients that read slowly", () => {
  const piece = new Uint8Array(256 * 1024);

  async function read(source: ReadableStream): Promise<{ readonly response: IncomingMessage; written: Promise<void> }> {
    let written: Promise<void> | undefined;
    const server = createServer((_, response) => {
      written = writeResponse(new Response(source, { headers: { "content-type": "text/event-stream" } }), response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { address: host, port } = server.address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((resolve) => httpRequest({ host, port }, resolve).end());
    return { response, written: written ?? Promise.reject(new Error("no request came")) };
  }

  it("get every piece, and leave no listener behind", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    const { response } = await read(ReadableStream.from(Array.from({ length: 20 }, () => piece)));
    let size = 0;
    for await (const chunk of response) {
      size += (chunk as Buffer).length;
      await new Promise(setImmediate);
    }
    process.off("warning", note);
    expect(size).toBe(20 * piece.length);
    expect(warnings).toEqual([]);
  });

  it("release the stream when they disconnect before its end", async () => {
    let isCancelled = false;
    let pieces = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pieces += 1;
        controller.enqueue(piece);
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    const { response, written } = await read(endless);
    await expect.poll(() => pieces).toBeGreaterThan(1);
    response.destroy();
    await written;
    expect(isCancelled).toBe(true);
  });
});

describe("clients that disconnect", () => {
  it("abort their call", async () => {
    const { url, seen, callsBegun } = await startSlow();
    const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const sent = httpRequest(url, { method: "POST", headers: { ...usual, ...calling } });
    sent.once("error", () => undefined).end(callSlow);
    await callsBegun(1);
    sent.destroy();
    await expect.poll(() => seen.aborted).toBe(1);
  });

  it.each(["Content-Length: 1000", "Transfer-Encoding: chunked"])(
    "in the middle of a message with %s cause no failure",
    async (framing) => {
      const lines: string[] = [];
      const { url, counts } = await startSlow({ log: (line) => void lines.push(line) });
      const connections = async () => (await counts()).connections;
      const socket = connect(Number(url.port), url.hostname);
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n2\r\n{"`,
      );
      await expect.poll(connections).toBe(1);
      socket.destroy();
      await expect.poll(connections).toBe(0);
      expect((await ask(url, { headers: modern })).status).toBe(200);
      expect(lines).toEqual([]);
    },
  );

  it("do not hide a failure of the server", async () => {
    const lines: string[] = [];
    const build = () => {
      throw new Error("inside");
    };
    const { url } = await startHttp({ build, log: (line) => void lines.push(line) });
    expect((await ask(url, { body: initialize })).status).toBe(500);
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain("inside");
  });
});

const readiness = (url: URL, headers = {}) => ask(url, { path: "/readyz", method: "GET", headers });
const health = async (url: URL) => (await ask(url, { path: "/healthz", method: "GET" })).status;

it("/readyz needs no token, and is ok if there is nothing to check", async () => {
  const { url } = await startSlow({ clients: clientsOf("one") });
  expect(await readiness(url)).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  expect((await readiness(url, { host: "evil.com" })).status).toBe(403);
});

it("/readyz names the checks that fail, without why; /healthz stays ok", async () => {
  const fails = async () => {
    throw new Error("password=secret");
  };
  const readyChecks = [
    { name: "store", check: fails },
    { name: "issuer", check: async () => undefined },
    { name: "another", check: () => new Promise<void>(() => undefined) },
  ];
  const { url } = await startSlow({ readyChecks });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const asked = readiness(url);
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await asked).toMatchObject({ status: 503, text: '{"status":"not ready","failed":["store","another"]}' });
  expect(await health(url)).toBe(200);
});

it("/readyz asks once a second, however many probes there are", async () => {
  let asked = 0;
  let isUp = false;
  const check = async () => {
    asked += 1;
    if (!isUp) throw new Error("down");
  };
  const { url } = await startSlow({ readyChecks: [{ name: "store", check }] });
  vi.useFakeTimers({ toFake: ["performance"] });
  const probe = async () => (await readiness(url)).status;
  expect(new Set(await Promise.all(Array.from({ length: 20 }, probe)))).toEqual(new Set([503]));
  isUp = true;
  await vi.advanceTimersByTimeAsync(999);
  expect([await probe(), asked]).toEqual([503, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect([await probe(), asked]).toEqual([200, 2]);
});

it("a stopping server refuses new calls and answers those in progress", async () => {
  const { url, close, finish, callsBegun } = await startSlow();
  const inSession = await openSession(url);
  const pending = [ask(url, { headers: calling, body: callSlow }), ask(url, { headers: inSession, body: slowCall() })];
  const listening = await listen(url, await openSession(url));
  let heard = "";
  listening.setEncoding("utf8").on("data", (chunk: string) => {
    heard += chunk;
  });
  await callsBegun(2);
  const listened = once(listening, "end");
  const closed = close();
  expect(await readiness(url)).toMatchObject({ text: '{"status":"not ready","failed":["stopping"]}' });
  expect(await health(url)).toBe(200);
  // Streams end at once, and say when to listen again.
  await listened;
  expect(heard).toContain("retry: 1000\n\n");
  const unknown = { ...inSession, "mcp-session-id": "other" };
  for (const [headers, body] of [
    [calling, callSlow],
    [{}, initialize],
    [unknown, slowCall()],
  ] as const)
    expect(await ask(url, { headers, body })).toMatchObject({
      status: 503,
      headers: { "retry-after": "1", connection: "close" },
    });
  // Clients of sessions are sent elsewhere.
  const refused = await ask(url, { headers: inSession, body: slowCall(4) });
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([404, { error: { code: -32_001 } }]);
  expect((await listen(url, inSession)).statusCode).toBe(404);
  finish();
  for (const one of await Promise.all(pending)) expect(one.text).toContain("slow answer");
  await closed;
  await expect(ask(url, { headers: modern })).rejects.toThrow();
});

it("a stopping server takes the answer to a question of a running call", async () => {
  const build = () => {
    const server = new Server({ name: "raw", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/call", async (_, { mcpReq }) => {
      const schema = { type: "object" as const, properties: { yes: { type: "boolean" as const } } };
      const question = { mode: "form" as const, message: "Now?", requestedSchema: schema };
      const answer = await mcpReq.elicitInput(question, { relatedRequestId: mcpReq.id });
      return { content: [{ type: "text", text: `answered ${answer.action}` }] };
    });
    return server;
  };
  const { url, close } = await startHttp({ build });
  const inSession = await openSession(url, {}, undefined, { elicitation: {} });
  const sent = httpRequest(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...inSession },
  });
  sent.end(message("tools/call", { name: "ask", arguments: {} }));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await expect.poll(() => text).toContain("elicitation/create");
  const [, id] = /"id":(\d+)/.exec(text) ?? [];
  const closed = close();
  const answer = { jsonrpc: "2.0", id: Number(id), result: { action: "accept", content: { yes: true } } };
  expect((await ask(url, { headers: inSession, body: JSON.stringify(answer) })).status).toBe(202);
  await Promise.all([closed, once(response, "close")]);
  expect(text).toContain("answered accept");
});

it("a stopping server waits for calls no longer than it may", async () => {
  const { url, close, callsBegun } = await startSlow({ drainMs: 20 });
  const pending = ask(url, { headers: calling, body: callSlow }).catch(() => "cut");
  await callsBegun(1);
  await close();
  await pending;
  await expect(ask(url, { headers: modern })).rejects.toThrow();
});
