/** A server over HTTP that is asked to stop: what it still answers, what it refuses and how, and what `/readyz` says. */
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, expect, it, vi } from "vitest";
import { serveHttp } from "../../src/mcp/http/index.js";
import { ask, calling, callSlow, initialize, listen, modern, openSession } from "../lab/raw-http.js";

let close = async (): Promise<void> => undefined;
afterEach(async () => {
  vi.useRealTimers();
  await close();
});

/** Ends the calls that wait in the server. */
let finish = (): void => undefined;
let begun = 0;
const callsBegun = (count: number) => expect.poll(() => begun).toBe(count);

async function start(more: object = {}): Promise<URL> {
  begun = 0;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const build = () => {
    const server = new Server({ name: "raw", version: "1" }, { capabilities: { tools: {}, resources: {} } });
    server.setRequestHandler("tools/list", async () => ({ tools: [] }));
    server.setRequestHandler("tools/call", async ({ params }, ctx) => {
      if (params.name === "ask") {
        const schema = { type: "object" as const, properties: { yes: { type: "boolean" as const } } };
        const question = { mode: "form" as const, message: "Now?", requestedSchema: schema };
        const answer = await ctx.mcpReq.elicitInput(question, { relatedRequestId: ctx.mcpReq.id });
        return { content: [{ type: "text", text: `answered ${answer.action}` }] };
      }
      begun += 1;
      await finished;
      return { content: [{ type: "text", text: "slow answer" }] };
    });
    return server;
  };
  const usual = { build, host: "127.0.0.1", port: 0, allowedHosts: [], log: () => undefined };
  const served = await serveHttp({ ...usual, ...more });
  close = async () => {
    finish();
    await served.close();
  };
  return new URL(served.url);
}

/** Begins to stop the server, which ends with `finish`. */
function stop(): Promise<void> {
  const closing = close;
  // Only what began before the stop is to end it.
  const keep = finish;
  finish = () => undefined;
  const closed = closing();
  finish = keep;
  close = async () => {
    finish();
    await closed;
  };
  return closed;
}

const ready = async (url: URL) => {
  const { status, text } = await ask(url, { path: "/readyz", method: "GET" });
  return { status, ...(JSON.parse(text) as object) };
};

it("/readyz needs no token, and is ok where nothing is depended on", async () => {
  const url = await start({ clients: [{ name: "one", token: "a-token-of-more-than-32-characters-01" }] });
  expect(await ready(url)).toEqual({ status: "ok" });
  expect((await ask(url, { path: "/readyz", method: "GET" })).status).toBe(200);
  expect((await ask(url, { path: "/readyz", method: "GET", headers: { host: "evil.com" } })).status).toBe(403);
});

it("/readyz names the checks that fail, without why; /healthz stays ok", async () => {
  const fails = async () => {
    throw new Error("password=secret");
  };
  const passes = async () => undefined;
  const readyChecks = [
    { name: "store", check: fails },
    { name: "issuer", check: passes },
    { name: "another", check: () => new Promise<void>(() => undefined) },
  ];
  const url = await start({ readyChecks });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const asked = ask(url, { path: "/readyz", method: "GET" });
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  const answer = await asked;
  expect([answer.status, answer.text]).toEqual([503, '{"status":"not ready","failed":["store","another"]}']);
  expect((await ask(url, { path: "/healthz", method: "GET" })).status).toBe(200);
});

it("/readyz asks once a second, however many probes there are", async () => {
  let asked = 0;
  let isUp = false;
  const check = async () => {
    asked += 1;
    if (!isUp) throw new Error("down");
  };
  const url = await start({ readyChecks: [{ name: "store", check }] });
  vi.useFakeTimers({ toFake: ["performance"] });
  const probe = async () => (await ask(url, { path: "/readyz", method: "GET" })).status;
  expect(new Set(await Promise.all(Array.from({ length: 20 }, probe)))).toEqual(new Set([503]));
  isUp = true;
  await vi.advanceTimersByTimeAsync(999);
  expect([await probe(), asked]).toEqual([503, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect([await probe(), asked]).toEqual([200, 2]);
});

it("a stopping server refuses new calls and answers the one in progress", async () => {
  const url = await start();
  const pending = ask(url, { headers: calling, body: callSlow });
  await callsBegun(1);
  const closed = stop();
  expect(await ready(url)).toEqual({ status: "not ready", failed: ["stopping"] });
  expect((await ask(url, { path: "/healthz", method: "GET" })).status).toBe(200);
  for (const body of [callSlow, initialize]) {
    const refused = await ask(url, { headers: body === initialize ? {} : calling, body });
    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1", connection: "close" } });
  }
  finish();
  expect((await pending).text).toContain("slow answer");
  await closed;
  await expect(ask(url, { headers: modern })).rejects.toThrow();
});

it("a stopping server sends clients of sessions elsewhere, and ends them", async () => {
  const url = await start();
  const inSession = await openSession(url);
  const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "slow", arguments: {} } };
  const pending = ask(url, { headers: inSession, body: JSON.stringify(call) });
  await callsBegun(1);
  const closed = stop();
  const refused = await ask(url, { headers: inSession, body: JSON.stringify({ ...call, id: 4 }) });
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([404, { error: { code: -32_001 } }]);
  expect((await listen(url, inSession)).statusCode).toBe(404);
  const unknown = { ...inSession, "mcp-session-id": "other" };
  expect((await ask(url, { headers: unknown, body: JSON.stringify(call) })).status).toBe(503);
  expect((await ask(url, { headers: inSession, method: "DELETE" })).status).toBe(200);
  finish();
  await Promise.all([pending.catch(() => undefined), closed]);
});

it("a stopping server takes the answer to a question of a running call", async () => {
  const url = await start();
  const elicits = {
    ...JSON.parse(initialize),
    params: { ...JSON.parse(initialize).params, capabilities: { elicitation: {} } },
  };
  const opened = await ask(url, { body: JSON.stringify(elicits) });
  const inSession = {
    "mcp-session-id": String(opened.headers["mcp-session-id"]),
    "mcp-protocol-version": "2025-11-25",
  };
  const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "ask", arguments: {} } };
  const sent = httpRequest(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...inSession },
  });
  sent.end(JSON.stringify(call));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await expect.poll(() => text).toContain("elicitation/create");
  const [, id] = /"id":(\d+)/.exec(text) ?? [];
  const closed = stop();
  const answer = { jsonrpc: "2.0", id: JSON.parse(id ?? "0"), result: { action: "accept", content: { yes: true } } };
  expect((await ask(url, { headers: inSession, body: JSON.stringify(answer) })).status).toBe(202);
  await Promise.all([closed, once(response, "close")]);
  expect(text).toContain("answered accept");
});

it("a stopping server ends streams with the time to listen again", async () => {
  const url = await start();
  const response = await listen(url, await openSession(url));
  let text = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await Promise.all([stop(), once(response, "end")]);
  expect(text).toContain("retry: 1000\n\n");
});

it("a stopping server waits for calls no longer than it may", async () => {
  const url = await start({ drainMs: 20 });
  const pending = ask(url, { headers: calling, body: callSlow }).catch(() => "cut");
  await callsBegun(1);
  await stop();
  await pending;
  await expect(ask(url, { headers: modern })).rejects.toThrow();
});
