/** A server over HTTP that is asked to stop: what it still answers, what it refuses and how, and what `/readyz` says. */
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, expect, it, vi } from "vitest";
import {
  ask,
  calling,
  callSlow,
  clientsOf,
  initialize,
  listen,
  message,
  modern,
  openSession,
  slowCall,
  startHttp,
  startSlow,
} from "../lab/raw-http.js";

afterEach(() => void vi.useRealTimers());

const readiness = (url: URL, headers = {}) => ask(url, { path: "/readyz", method: "GET", headers });
const health = async (url: URL) => (await ask(url, { path: "/healthz", method: "GET" })).status;

it("/readyz needs no token, and is ok where nothing is depended on", async () => {
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
