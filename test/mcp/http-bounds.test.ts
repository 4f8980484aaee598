/** What one client and all clients can hold over HTTP and stdio: each bound at its limit and beyond, while a good client is served. */
import { connect, type Socket } from "node:net";
import { InMemoryTransport, type JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type HttpBounds, Tally, usualBounds } from "../../src/mcp/http/bounds.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { serverFactory } from "../../src/mcp/server.js";
import { needs } from "../lab/needs.js";
import {
  ask,
  calling,
  callSlow,
  initialize,
  list,
  listen,
  modern,
  openSession,
  sendUnfinished,
} from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";

const token = (of: string): string => `${of}-${"x".repeat(32)}`;
const names = ["good", "bad", "worse"];
const clients = names.map((name) => ({ name, token: token(name) }));
const as = (name: string) => ({ authorization: `Bearer ${token(name)}` });
const kibibyte = 1024;

let close = async (): Promise<void> => undefined;
const sockets: Socket[] = [];
let release = (): void => undefined;
let running = 0;
let sessions = async (): Promise<number> => 0;
/** What fails while a session is opened. */
let failing: "instances" | "build" | undefined;
const failIn = (part: typeof failing): void => {
  if (failing === part) throw new Error("down");
};
afterEach(async () => {
  release();
  for (const socket of sockets.splice(0)) socket.destroy();
  await close();
  vi.useRealTimers();
});

/** A server whose calls last until the test releases them; without clients that have a token, it is open to all. */
async function start(bounds: Partial<HttpBounds>, known: typeof clients = clients): Promise<URL> {
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  running = 0;
  const instances = async () => {
    failIn("instances");
    return undefined;
  };
  const build = () => {
    failIn("build");
    const server = new Server({ name: "raw", version: "1" }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler("tools/list", async () => ({ tools: [] }));
    server.setRequestHandler("tools/call", async () => {
      running += 1;
      await released;
      return { content: [] };
    });
    return server;
  };
  const usual = {
    build,
    instances,
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    log: () => undefined,
    clients: known,
  };
  const served = await serveHttp({ ...usual, bounds: { ...usualBounds, ...bounds } });
  close = served.close;
  sessions = async () => (await served.counts()).sessions;
  return new URL(served.url);
}

async function unfinished(url: URL, count: number, bytes: number, name: string) {
  const all = await Promise.all(Array.from({ length: count }, () => sendUnfinished(url, bytes, as(name))));
  sockets.push(...all.map(({ socket }) => socket));
  return all;
}
type Unfinished = Awaited<ReturnType<typeof unfinished>>;
const statuses = (all: Unfinished): string[] => all.map(({ status }) => status() ?? "waits").sort();
/** Waits until messages have these statuses, and looks again when a good client has been served. */
async function haveStatuses(url: URL, all: Unfinished, expected: readonly string[]): Promise<void> {
  await expect.poll(() => statuses(all)).toEqual(expected);
  expect(await serves(url, "good")).toBe(200);
  expect(statuses(all)).toEqual(expected);
}

const serves = async (url: URL, name: string, body?: string) =>
  (await ask(url, { headers: { ...modern, ...as(name) }, ...(body === undefined ? {} : { body }) })).status;

/** Starts calls that do not end, and gives the answers that come at once. */
async function call(url: URL, count: number, name: string): Promise<number[]> {
  const before = running;
  const answers: number[] = [];
  for (let index = 0; index < count; index += 1)
    void ask(url, { headers: { ...calling, ...as(name) }, body: callSlow }).then(
      ({ status }) => answers.push(status),
      () => 0,
    );
  await expect.poll(() => running - before + answers.length).toBe(count);
  return answers;
}

describe("a tally", () => {
  it("a tally keeps to its shares, and serves a client that has nothing", () => {
    const tally = new Tally({ client: 2, all: 3 }, "things");
    expect(tally.take("a", 2)).toBeTypeOf("function");
    expect(tally.take("a", 1)).toMatchObject({ status: 429 });
    expect(tally.take("b", 1)).toBeTypeOf("function");
    expect(tally.take("b", 1)).toMatchObject({ status: 503 });
    expect(tally.take("c", 3)).toEqual({ status: 429, message: expect.stringContaining("2 things open at a time") });
    const free = tally.take("c", 1);
    expect(free).toBeTypeOf("function");
    expect(tally.biggest()).toBe("a");
    (free as () => void)();
    expect(tally.of("c")).toBe(0);
  });
});

it("a tally holds at most twice its total, however many clients ask", () => {
  const tally = new Tally({ client: 2, all: 3 }, "things");
  const answers = [..."abcdefg"].map((client) => tally.take(client, 1));
  expect(answers.map((one) => (typeof one === "function" ? "held" : one.status))).toEqual([
    ...["held", "held", "held", "held", "held", "held"],
    503,
  ]);
});

describe("unfinished messages", () => {
  it("beyond its bound of unfinished messages, a client's oldest ends", async () => {
    const url = await start({ readings: { client: 3, all: 10 } });
    const held = await unfinished(url, 3, 10, "bad");
    const next = await unfinished(url, 1, 10, "bad");
    await haveStatuses(url, held, ["429", "waits", "waits"]);
    expect(statuses(next)).toEqual(["waits"]);
  });

  it("let their own client's whole messages through as well", async () => {
    const url = await start({ readings: { client: 3, all: 10 } });
    await unfinished(url, 3, 10, "bad");
    expect(await serves(url, "bad")).toBe(200);
  });

  it("are bounded in all: those of the client with the most end first", async () => {
    const url = await start({ readings: { client: 3, all: 4 } });
    const most = await unfinished(url, 3, 10, "bad");
    const few = await unfinished(url, 2, 10, "worse");
    await haveStatuses(url, most, ["503", "waits", "waits"]);
    expect(statuses(few)).toEqual(["waits", "waits"]);
  });

  it("end when they have not arrived in time, with the connection", async () => {
    const url = await start({ bodyMs: 20 });
    const [one] = await unfinished(url, 1, 10, "bad");
    const closed = new Promise((resolve) => one?.socket.once("close", resolve));
    await closed;
    expect(one?.status()).toBe("408");
  });

  it("unfinished messages stay within a client's share of bytes", async () => {
    const bytes = { client: 400 * kibibyte, all: 4_000 * kibibyte };
    const url = await start({ bytes });
    // Of each, 64 KiB are free.
    const held = await unfinished(url, 4, 164 * kibibyte, "bad");
    const next = await unfinished(url, 1, 65 * kibibyte, "bad");
    await haveStatuses(url, [...held, ...next], ["429", "waits", "waits", "waits", "waits"]);
    const large = `${" ".repeat(300 * kibibyte)}${JSON.stringify({})}`;
    expect(await serves(url, "good", large)).toBe(400);
    expect(await serves(url, "bad")).toBe(200);
  });

  it("unfinished messages stay within all clients' share of bytes", async () => {
    const url = await start({ bytes: { client: 400 * kibibyte, all: 500 * kibibyte } });
    const [most, few] = [
      await unfinished(url, 3, 164 * kibibyte, "bad"),
      await unfinished(url, 2, 164 * kibibyte, "worse"),
    ];
    const more = await unfinished(url, 1, 100 * kibibyte, "worse");
    await haveStatuses(url, most, ["503", "waits", "waits"]);
    expect(statuses([...few, ...more])).toEqual(["waits", "waits", "waits"]);
    const large = `${" ".repeat(300 * kibibyte)}{}`;
    expect(await serves(url, "good", large)).toBe(400);
  });

  it(promise("share-of-memory", "unfinished messages of 4 MB each hold the usual share and no more"), async () => {
    const url = await start({});
    const all: Unfinished = [];
    for (let round = 0; round < 2; round += 1) {
      const four = unfinished(url, 4, 4 * kibibyte * kibibyte - 2, "bad");
      expect(await serves(url, "good")).toBe(200);
      all.push(...(await four));
    }
    const waiting = () => statuses(all).filter((status) => status === "waits").length;
    await expect.poll(waiting).toBeLessThanOrEqual(4);
    expect(await serves(url, "good")).toBe(200);
  });
});

describe("a message's size", () => {
  it.each([
    ["at the limit", 1_000, 400],
    ["beyond it", 1_001, 413],
  ])("%s", async (_, size, status) => {
    const url = await start({ maxBodyBytes: 1_000 });
    expect(await serves(url, "good", `${" ".repeat(size - 2)}{}`)).toBe(status);
  });

  it("is refused in chunks as soon as it is too large", async () => {
    const url = await start({ maxBodyBytes: 1_000 });
    const socket = connect(Number(url.port), url.hostname);
    sockets.push(socket);
    const lines = { host: url.host, "content-type": "application/json", "transfer-encoding": "chunked", ...as("good") };
    socket.write(
      `POST /mcp HTTP/1.1\r\n${Object.entries(lines)
        .map((line) => `${line.join(": ")}\r\n`)
        .join("")}\r\n`,
    );
    socket.write(`3e9\r\n${" ".repeat(1_001)}\r\n`);
    const answer = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
  });
});

describe("calls", () => {
  it("are as many as a client may have, and others are served", async () => {
    const url = await start({ calls: { client: 3, all: 10 } });
    expect(await call(url, 3, "bad")).toEqual([]);
    const refused = await ask(url, { headers: { ...calling, ...as("bad") }, body: callSlow });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect(await serves(url, "good")).toBe(200);
  });

  it("are bounded in all, and a client without any is served", async () => {
    const url = await start({ calls: { client: 3, all: 4 } });
    expect(await call(url, 3, "bad")).toEqual([]);
    expect(await call(url, 1, "worse")).toEqual([]);
    const refused = await ask(url, { headers: { ...calling, ...as("worse") }, body: callSlow });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
    expect(await serves(url, "good")).toBe(200);
  });

  it("make room when they are answered", async () => {
    const url = await start({ calls: { client: 1, all: 10 } });
    await call(url, 1, "bad");
    expect(await serves(url, "bad")).toBe(429);
    release();
    await expect.poll(() => serves(url, "bad")).toBe(200);
  });

  it("of a batch all count, and what asks for no answer never does", async () => {
    const url = await start({ calls: { client: 3, all: 10 } });
    const session = { ...(await openSession(url, as("bad"))), ...as("bad") };
    const one = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "slow", arguments: {} } });
    const batch = {
      headers: { ...session, "mcp-protocol-version": "2025-03-26" },
      body: JSON.stringify([one(1), one(2), one(3)]),
    };
    void ask(url, batch).catch(() => undefined);
    await expect.poll(() => running).toBe(3);
    const post = async (body: object) => (await ask(url, { headers: session, body: JSON.stringify(body) })).status;
    expect(await post(one(4))).toBe(429);
    expect(await post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } })).toBe(202);
    expect(await post({ jsonrpc: "2.0", id: 9, result: {} })).toBe(202);
  });
});

describe("streams", () => {
  it("are as many as a client may have open, and do not count as calls", async () => {
    const url = await start({ streams: { client: 1, all: 10 }, calls: { client: 2, all: 10 } });
    const session = async (name: string) => ({ ...(await openSession(url, as(name))), ...as(name) });
    const [one, two, good] = [await session("bad"), await session("bad"), await session("good")];
    await listen(url, one);
    expect((await ask(url, { method: "GET", headers: { ...two, accept: "text/event-stream" } })).status).toBe(429);
    await listen(url, good);
    expect(await serves(url, "bad")).toBe(200);
  });

  it("of the 2026 era count, too", async () => {
    const url = await start({ streams: { client: 1, all: 10 } });
    const { params } = JSON.parse(callSlow) as { params: { _meta: object } };
    const subscribe = {
      headers: { ...modern, "mcp-method": "subscriptions/listen", ...as("bad") },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 7,
        method: "subscriptions/listen",
        params: { _meta: params._meta, notifications: { toolsListChanged: true } },
      }),
    };
    void ask(url, subscribe).catch(() => undefined);
    await expect.poll(async () => (await ask(url, subscribe)).status).toBe(429);
  });
});

describe("clients without a token", () => {
  const subscribe = JSON.stringify({ ...JSON.parse(callSlow), id: 7, method: "subscriptions/listen" }).replace(
    '"arguments":{}',
    '"notifications":{"toolsListChanged":true}',
  );
  const listening = { ...modern, "mcp-method": "subscriptions/listen" };
  let lastId = 10;
  const slowIn = (session: Record<string, string>) => () => ({
    headers: session,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: ++lastId,
      method: "tools/call",
      params: { name: "slow", arguments: {} },
    }),
  });
  const listIn = (session: Record<string, string>) => ({
    headers: session,
    body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }),
  });
  const alone = () => ({ headers: modern });
  const slowAlone = () => ({ headers: calling, body: callSlow });
  /** Asks many times without waiting; as many are refused at once, and the rest goes on. */
  const askOften = async (url: URL, count: number, message: () => Parameters<typeof ask>[1], refused: number) => {
    const statuses: number[] = [];
    const before = running;
    for (let index = 0; index < count; index += 1)
      void ask(url, message()).then(
        ({ status }) => statuses.push(status),
        () => undefined,
      );
    const isCall = message()?.body?.includes("tools/call") === true;
    const begun = isCall ? count - refused : 0;
    await expect.poll(() => [running - before, statuses]).toEqual([begun, Array(refused).fill(429)]);
  };
  const kinds: readonly string[] = ["a session", "connections alone"];
  const pairs = kinds.flatMap((greedy) => kinds.map((other) => [greedy, other] as const));

  it.each(pairs)(
    promise("calls-per-client", "calls used up by %s leave those of another with %s"),
    async (greedy, other) => {
      const url = await start({ calls: { client: 3, all: 20 } }, []);
      const [first, second] = [await openSession(url), await openSession(url)];
      const isSession = greedy === "a session";
      if (isSession) await askOften(url, 9, slowIn(first), 6);
      else await askOften(url, 9, slowAlone, 0);
      expect((await ask(url, other === "a session" ? listIn(second) : alone())).status).toBe(200);
    },
  );

  it(promise("sessions-beside", "tokenless connections alone hold at most half of all calls"), async () => {
    const url = await start({ calls: { client: 3, all: 7 } }, []);
    const session = await openSession(url);
    await askOften(url, 30, slowAlone, 26);
    expect((await ask(url, listIn(session))).status).toBe(200);
    const another = await openSession(url);
    expect((await ask(url, listIn(another))).status).toBe(200);
    release();
    await expect.poll(async () => (await ask(url, alone())).status).toBe(200);
  });

  it("many tokenless sessions fill all calls, yet an idle one is served", async () => {
    const url = await start({ calls: { client: 3, all: 6 } }, []);
    for (let index = 0; index < 2; index += 1) await askOften(url, 3, slowIn(await openSession(url)), 0);
    for (let index = 0; index < 2; index += 1) await askOften(url, 1, slowIn(await openSession(url)), 0);
    expect(running).toBe(6 + 2);
    expect((await ask(url, listIn(await openSession(url)))).status).toBe(200);
    expect((await ask(url, alone())).status).toBe(200);
  });

  // Other systems have one loopback address unless told otherwise.
  const hasAddresses = process.platform === "linux";
  it("at another address have calls of their own", needs.linux, async () => {
    const url = await start({ calls: { client: 3, all: 8 } }, []);
    await askOften(url, 30, slowAlone, 26);
    expect((await ask(url, alone())).status).toBe(429);
    expect((await ask(url, { ...alone(), from: "127.0.0.9" })).status).toBe(200);
  });

  it("streams of tokenless connections spare sessions and half of all", async () => {
    const url = await start({ streams: { client: 2, all: 8 } }, []);
    const session = await openSession(url);
    await askOften(url, 20, () => ({ headers: listening, body: subscribe }), 16);
    expect((await listen(url, session)).statusCode).toBe(200);
    expect((await ask(url, alone())).status).toBe(200);
  });

  it("tokenless clients' unfinished messages crowd out only each other", async () => {
    const url = await start({ readings: { client: 3, all: 10 } }, []);
    const session = await openSession(url);
    const held = await Promise.all(Array.from({ length: 9 }, () => sendUnfinished(url, 10)));
    sockets.push(...held.map(({ socket }) => socket));
    await expect.poll(() => statuses(held).filter((status) => status === "waits")).toHaveLength(3);
    expect((await ask(url, listIn(session))).status).toBe(200);
    expect((await ask(url, alone())).status).toBe(200);
  });

  it("that hold large messages leave room for those of a session", async () => {
    const url = await start({ bytes: { client: 400 * kibibyte, all: 4_000 * kibibyte } }, []);
    const session = await openSession(url);
    const large = (text: string) => `${" ".repeat(300 * kibibyte)}${text}`;
    await askOften(url, 1, () => ({ headers: calling, body: large(callSlow) }), 0);
    expect((await ask(url, { headers: modern, body: large(list) })).status).toBe(429);
    expect((await ask(url, { ...listIn(session), body: large(listIn(session).body) })).status).toBe(200);
  });

  it("past its bound, a tokenless address loses its least missed session", async () => {
    const url = await start({ sessions: { client: 2, all: 10 } }, []);
    const used = await openSession(url);
    expect((await ask(url, listIn(used))).status).toBe(200);
    for (let index = 0; index < 5; index += 1) await openSession(url);
    expect((await ask(url, listIn(used))).status).toBe(200);
    if (!hasAddresses) return;
    const elsewhere = await openSession(url, {}, "127.0.0.9");
    await openSession(url);
    expect((await ask(url, listIn(elsewhere))).status).toBe(200);
  });

  it("one message with many calls gives a tokenless client no more", async () => {
    const url = await start({ calls: { client: 3, all: 6 } }, []);
    for (let index = 0; index < 4; index += 1) {
      const session = { ...(await openSession(url)), "mcp-protocol-version": "2025-03-26" };
      const messages = Array.from({ length: 4 }, () => JSON.parse(slowIn(session)().body) as object);
      const { status, text } = await ask(url, { headers: session, body: JSON.stringify(messages) });
      expect([status, text]).toEqual([429, expect.stringContaining("3 calls open at a time")]);
    }
    expect(running).toBe(0);
  });

  it("have no more by naming a session that is not there", async () => {
    const url = await start({ calls: { client: 3, all: 8 } }, []);
    await askOften(url, 30, slowAlone, 26);
    const madeUp = { ...calling, "mcp-session-id": "00000000-0000-4000-8000-000000000000" };
    expect((await ask(url, { headers: madeUp, body: callSlow })).status).toBe(429);
  });
});

describe("sessions", () => {
  const plain = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} });
  const isAlive = async (url: URL, session: Record<string, string>, name: string) =>
    (await ask(url, { headers: { ...session, ...as(name) }, body: plain })).status === 200;

  it("beyond its bound of sessions, a client's longest idle one ends", async () => {
    const url = await start({ sessions: { client: 2, all: 10 } });
    const good = await openSession(url, as("good"));
    const [first, second] = [await openSession(url, as("bad")), await openSession(url, as("bad"))];
    expect([await isAlive(url, second, "bad"), await isAlive(url, first, "bad")]).toEqual([true, true]);
    const third = await openSession(url, as("bad"));
    expect([await isAlive(url, second, "bad"), await isAlive(url, first, "bad")]).toEqual([false, true]);
    expect([await isAlive(url, third, "bad"), await isAlive(url, good, "good")]).toEqual([true, true]);
  });

  it("that are in use outlive any number that are only opened", async () => {
    const url = await start({ sessions: { client: 5, all: 10 } });
    const used = await openSession(url, as("bad"));
    expect(await isAlive(url, used, "bad")).toBe(true);
    for (let index = 0; index < 12; index += 1) await openSession(url, as("bad"));
    expect(await isAlive(url, used, "bad")).toBe(true);
  });

  it("with a call in progress are not ended", async () => {
    const url = await start({ sessions: { client: 1, all: 10 } });
    const busy = { ...(await openSession(url, as("bad"))), ...as("bad") };
    const slow = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "slow", arguments: {} } };
    const pending = ask(url, { headers: busy, body: JSON.stringify(slow) });
    await expect.poll(() => running).toBe(1);
    expect((await ask(url, { body: initialize, headers: as("bad") })).status).toBe(429);
    release();
    expect((await pending).status).toBe(200);
    await openSession(url, as("bad"));
  });

  it("at the bound of all sessions, the client with the most makes room", async () => {
    const url = await start({ sessions: { client: 8, all: 8 } });
    await Promise.all(Array.from({ length: 24 }, () => ask(url, { body: initialize, headers: as("bad") })));
    const worse = [await openSession(url, as("worse")), await openSession(url, as("worse"))];
    const good = await openSession(url, as("good"));
    for (const [session, name] of [...worse.map((one) => [one, "worse"] as const), [good, "good"] as const])
      expect(await isAlive(url, session, name)).toBe(true);
  });

  it("unused sessions end, and sooner before their first use", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const url = await start({ unusedSessionMs: 500, sessionMs: 2_000 });
    const [used] = [await openSession(url, as("bad")), await openSession(url, as("bad"))];
    expect(await isAlive(url, used, "bad")).toBe(true);
    const sessionsIn = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return sessions();
    };
    expect([await sessionsIn(499), await sessionsIn(1)]).toEqual([2, 1]);
    expect(await isAlive(url, used, "bad")).toBe(true);
    expect([await sessionsIn(1_999), await sessionsIn(1)]).toEqual([1, 0]);
    expect(await isAlive(url, used, "bad")).toBe(false);
  });

  it("count none that could not be opened, whatever failed", async () => {
    const url = await start({ sessions: { client: 1, all: 10 } });
    for (const part of ["instances", "build"] as const) {
      failing = part;
      expect((await ask(url, { body: initialize, headers: as("bad") })).status).toBe(500);
    }
    failing = undefined;
    const open = await openSession(url, as("bad"));
    expect(await isAlive(url, open, "bad")).toBe(true);
  });

  it("count no first message that opened none", async () => {
    const url = await start({ sessions: { client: 1, all: 10 } });
    const refused = await ask(url, { body: initialize, headers: { ...as("bad"), accept: "text/plain" } });
    expect(refused.status).toBe(406);
    const open = await openSession(url, as("bad"));
    expect(await isAlive(url, open, "bad")).toBe(true);
  });
});

describe("connections", () => {
  const open = async (url: URL, text = ""): Promise<Socket> => {
    const socket = connect(Number(url.port), url.hostname);
    sockets.push(socket);
    socket.on("error", () => undefined).resume();
    await new Promise((resolve) => socket.once("connect", resolve));
    if (text) socket.write(text);
    return socket;
  };

  it("without a request end before one that is kept between requests", async () => {
    const url = await start({ connections: 3 });
    const kept = await open(url, `GET /healthz HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`);
    await new Promise((resolve) => kept.once("data", resolve));
    const silent = [await open(url), await open(url), await open(url)];
    await expect.poll(() => [kept, ...silent].map(({ closed }) => closed)).toEqual([false, true, false, false]);
  });

  it("beyond the bound of connections, the longest idle one ends", async () => {
    const url = await start({ connections: 3 });
    const idle: Socket[] = [];
    for (const text of ["", "POST /mcp HTT", ""]) idle.push(await open(url, text));
    expect(await serves(url, "good")).toBe(200);
    await expect.poll(() => idle.map(({ closed }) => closed)).toEqual([true, false, false]);
  });

  it("in use are not ended; a new one is refused instead", async () => {
    const url = await start({ connections: 2 });
    await call(url, 2, "bad");
    await expect(serves(url, "good")).rejects.toThrow();
    release();
    await expect.poll(() => serves(url, "good").catch(() => 0)).toBe(200);
  });

  it("silent connections, ten times the bound, keep no good client out", async () => {
    const url = await start({ connections: 5 });
    await Promise.all(Array.from({ length: 50 }, () => open(url)));
    expect(await serves(url, "good")).toBe(200);
  });
});

describe("requests over stdio", () => {
  const presentation = { upstream: "nowhere", secrets: [], maxTokens: 8_000 };

  it("stdio requests beyond the bound fail at once, unstarted", async () => {
    const started: string[] = [];
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const tool = { name: "x_thing_get", title: "x", description: "x", inputSchema: { type: "object" } };
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
    const surface = {
      catalogue: new Map([["x_thing_get", { service: "x", effect: "read", tool: { ...tool, annotations } }]]),
      readings: { resources: [], prompts: [], introductions: [] },
      version: "1",
      isEmulated: true,
      isReadOnly: false,
      engine: async () => ({
        presentation,
        within: async () => ({
          presentation,
          calls: {
            call: async (name: string) => {
              started.push(name);
              await held;
              return { kind: "workflow", result: { done: true } };
            },
          },
          results: { keep: () => undefined },
        }),
      }),
    };
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const answers = new Map<
      unknown,
      { readonly result?: { readonly structuredContent?: object }; readonly error?: object }
    >();
    ours.onmessage = (message) => void answers.set((message as { id: unknown }).id, message as never);
    await serverFactory(surface as never, 5)().connect(theirs);
    const send = (id: number, method: string, params: object) =>
      ours.send({ jsonrpc: "2.0", id, method, params } as JSONRPCMessage);
    await send(0, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    });
    for (let id = 1; id <= 6; id += 1) await send(id, "tools/call", { name: "x_thing_get", arguments: {} });
    await send(7, "prompts/list", {});
    // What the first call loads may take longer than a poll usually waits.
    const arrived = () => [started.length, answers.has(6), answers.has(7)];
    await expect.poll(arrived).toEqual([5, true, true]);
    expect(answers.get(6)?.result?.structuredContent).toMatchObject({
      error: "rate_limited",
      message: "5 requests of this client are still in progress.",
      retryAfterSeconds: 1,
    });
    expect(answers.get(7)?.error).toMatchObject({ message: expect.stringContaining("Wait until one of them ends") });
    finish();
    await expect.poll(() => [1, 2, 3, 4, 5].every((id) => answers.get(id)?.result?.structuredContent)).toBe(true);
    await send(8, "tools/call", { name: "x_thing_get", arguments: {} });
    await expect.poll(() => answers.get(8)?.result?.structuredContent).toMatchObject({ done: true });
    await ours.close();
  });
});
