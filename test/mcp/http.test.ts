/** The HTTP endpoint as raw clients meet it: its access checks, its limits, its sessions, and what happens when clients disconnect. */
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import { writeResponse } from "../../src/mcp/http/bridge.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { needs } from "../lab/needs.js";
import { ask, calling, callSlow, initialize, list, listen, modern, openSession } from "../lab/raw-http.js";

const token = "a-token-of-more-than-32-characters-01";

const clients = [{ name: "one", token }];

let close = async (): Promise<void> => undefined;
let connections = async (): Promise<number> => 0;
let begun = 0;
let aborted = 0;
/** Has the calls in progress answered. */
let finish = (): void => undefined;
const callsBegun = (count: number) => expect.poll(() => begun).toBe(count);
afterEach(() => {
  finish();
  return close();
});

async function start(more: object = {}): Promise<URL> {
  [begun, aborted] = [0, 0];
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const build = () => {
    const server = new Server({ name: "raw", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", async () => ({ tools: [] }));
    server.setRequestHandler("tools/call", async (_, ctx) => {
      ctx.mcpReq.signal.addEventListener("abort", () => {
        aborted += 1;
      });
      begun += 1;
      await finished;
      return { content: [{ type: "text", text: "slow answer" }] };
    });
    return server;
  };
  const served = await serveHttp({
    build,
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    log: () => undefined,
    ...more,
  });
  close = served.close;
  connections = async () => (await served.counts()).connections;
  return new URL(served.url);
}

describe("access", () => {
  it.each(["evil.com", "localhost.evil.com", "evil.com@localhost", "127.1", "2130706433", "localhost:1", "localhost."])(
    "refuses the Host %s",
    async (host) => {
      const url = await start();
      expect((await ask(url, { headers: { ...modern, host } })).status).toBe(403);
    },
  );

  it("accepts loopback names and allowed hosts", async () => {
    const url = await start({ allowedHosts: ["mcp.example.com"] });
    for (const host of [`localhost:${url.port}`, `127.0.0.1:${url.port}`, "mcp.example.com", "mcp.example.com:8443"])
      expect([host, (await ask(url, { headers: { ...modern, host } })).status]).toEqual([host, 200]);
  });

  // Only Linux takes every address of 127/8 for its own without being told to.
  it("accepts the name that it is bound to, and no neighboring address", needs.linux, async () => {
    const url = await start({ host: "127.0.0.2" });
    expect((await ask(url, { headers: modern })).status).toBe(200);
    expect((await ask(url, { headers: { ...modern, host: `127.0.0.3:${url.port}` } })).status).toBe(403);
  });

  it.each(["http://evil.com", "null", "http://localhost.evil.com", "https://evil.com@localhost", "file://"])(
    "refuses the Origin %s",
    async (origin) => {
      const url = await start();
      expect((await ask(url, { headers: { ...modern, origin } })).status).toBe(403);
    },
  );

  it.each([
    "http://localhost",
    "http://localhost:1",
    "http://127.0.0.1:1",
    "https://localhost:PORT",
    "http://127.0.0.3:PORT",
    "http://u@localhost:PORT",
    "http://localhost:PORT/page",
  ])("refuses the Origin %s, which is not one of its own", async (origin) => {
    const url = await start({ allowedHosts: ["mcp.example.com"] });
    const answer = await ask(url, { headers: { ...modern, origin: origin.replace("PORT", url.port) } });
    expect(answer.status).toBe(403);
  });

  it("accepts its own origin, and those that the configuration names", async () => {
    const url = await start({ allowedHosts: ["mcp.example.com", "localhost:6274"] });
    for (const origin of [url.origin, "https://mcp.example.com", "http://localhost:6274"])
      expect([origin, (await ask(url, { headers: { ...modern, origin } })).status]).toEqual([origin, 200]);
  });

  it("accepts a loopback page, without a CORS header", async () => {
    const url = await start();
    const answer = await ask(url, { headers: { ...modern, origin: `http://localhost:${url.port}` } });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("accepts the token, and checks it before reading the body", async () => {
    const url = await start({ clients });
    expect((await ask(url, { headers: { ...modern, authorization: `Bearer ${token}` } })).status).toBe(200);
    expect((await ask(url, { headers: modern, body: "{" })).status).toBe(401);
    expect((await ask(url, { path: "/healthz", method: "GET" })).status).toBe(200);
  });

  it("does not open to the network without a token", async () => {
    for (const host of ["0.0.0.0", "::", "10.0.0.1"])
      await expect(start({ host })).rejects.toMatchObject({
        code: "bad_configuration",
        detail: { next: expect.stringContaining("--token-file") },
      });
  });
});

describe("messages", () => {
  it.each([
    [400, "cut JSON", { headers: modern, body: list.slice(0, -2) }],
    [415, "another medium", { headers: { ...modern, "content-type": "text/plain; a=application/json" } }],
    [400, "no protocol version header", { headers: { "mcp-method": "tools/list" } }],
    [400, "a method header that the body contradicts", { headers: { ...modern, "mcp-method": "tools/call" } }],
    [405, "GET without a session", { method: "GET" }],
    [404, "an unknown session", { headers: { "mcp-session-id": "unknown" }, body: initialize }],
    [404, "a different path", { path: "/other" }],
  ])("answers %i to %s", async (status, _, raw) => {
    const url = await start();
    expect((await ask(url, raw)).status).toBe(status);
  });

  it("a message of more than 4 MiB is refused before it arrives", async () => {
    const url = await start();
    const socket = connect(Number(url.port), url.hostname);
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nContent-Length: 4194305\r\n\r\n`,
    );
    const first = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString())));
    expect(first).toMatch(/^HTTP\/1.1 413/);
    socket.destroy();
    expect((await ask(url, { headers: modern })).status).toBe(200);
  });

  it("serves the 2026 era without a session and the 2025 era with one", async () => {
    const url = await start();
    expect((await ask(url, { headers: modern })).headers).not.toHaveProperty("mcp-session-id");
    const inSession = await openSession(url);
    const plainList = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} });
    expect((await ask(url, { headers: inSession, body: plainList })).status).toBe(200);
    expect((await ask(url, { method: "DELETE", headers: inSession })).status).toBe(200);
    expect((await ask(url, { headers: inSession, body: plainList })).status).toBe(404);
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
    close = async () => void server.close();
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
    const url = await start();
    const sent = httpRequest({
      host: url.hostname,
      port: url.port,
      path: "/mcp",
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...calling },
    });
    sent.once("error", () => undefined);
    sent.end(callSlow);
    await callsBegun(1);
    sent.destroy();
    await expect.poll(() => aborted).toBe(1);
  });

  it.each(["Content-Length: 1000", "Transfer-Encoding: chunked"])(
    "in the middle of a message with %s cause no failure",
    async (framing) => {
      const lines: string[] = [];
      const url = await start({ log: (line: string) => lines.push(line) });
      const socket = connect(Number(url.port), url.hostname);
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n2\r\n{"`,
      );
      await expect.poll(() => connections()).toBe(1);
      socket.destroy();
      await expect.poll(() => connections()).toBe(0);
      expect((await ask(url, { headers: modern })).status).toBe(200);
      expect(lines).toEqual([]);
    },
  );

  it("do not hide a failure of the server", async () => {
    const lines: string[] = [];
    const build = () => {
      throw new Error("inside");
    };
    const url = await start({ build, log: (line: string) => lines.push(line) });
    expect((await ask(url, { body: initialize })).status).toBe(500);
    expect(lines).toEqual(["edgewise: a request failed with an internal error"]);
  });

  it("are waited for in a session too, whose listening ends at once", async () => {
    const url = await start();
    const inSession = await openSession(url);
    const listening = await listen(url, inSession);
    const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "slow", arguments: {} } };
    const ended: string[] = [];
    listening.once("end", () => ended.push("the listening"));
    const pending = ask(url, { headers: inSession, body: JSON.stringify(call) });
    void pending.then(() => ended.push("the call"));
    await callsBegun(1);
    const closed = close();
    await expect.poll(() => ended).toEqual(["the listening"]);
    finish();
    expect((await pending).text).toContain("slow answer");
    expect(ended).toEqual(["the listening", "the call"]);
    await closed;
    close = async () => undefined;
  });
});
