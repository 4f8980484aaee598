/** What one client and all clients can hold over HTTP and stdio: each bound at its limit and beyond, while a good client is served. */
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type HttpBounds, ShareTally, usualBounds } from "../../src/mcp/http/bounds.js";
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
  modernly,
  openSession,
  sendUnfinished,
  slowCall,
  startSlow,
} from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";
import { barrier } from "../lab/time.js";
import { done, startServed } from "../telemetry/served.js";

const clients = clientsOf("good", "bad", "worse");
const kibibyte = 1024;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  vi.useRealTimers();
});

/** A server with bounds; without clients that have a token, it is open to all. */
const start = (bounds: Partial<HttpBounds>, more: Parameters<typeof startSlow>[0] = { clients }) =>
  startSlow({ bounds: { ...usualBounds, ...bounds }, ...more });
type Started = Awaited<ReturnType<typeof start>>;

async function unfinished(url: URL, count: number, bytes: number, name: string) {
  const all = await Promise.all(Array.from({ length: count }, () => sendUnfinished(url, bytes, as(name))));
  sockets.push(...all.map(({ socket }) => socket));
  return all;
}
type Unfinished = Awaited<ReturnType<typeof unfinished>>;
const statuses = (all: Unfinished): string[] => all.map(({ status }) => status() ?? "waits").sort();
const waiting = (all: Unfinished): number => statuses(all).filter((status) => status === "waits").length;

const serves = async (url: URL, name: string, body = list) =>
  (await ask(url, { headers: { ...modern, ...as(name) }, body })).status;

type Asked = Parameters<typeof ask>[1];
const statusOf = async (url: URL, raw: Asked) => (await ask(url, raw)).status;
const callAs = (name: string) => () => ({ headers: { ...calling, ...as(name) }, body: callSlow });
/** Sends many requests without waiting; `refused` of them are refused at once, and the others continue. */
async function askOften({ url, seen }: Started, count: number, raw: () => Asked & { body: string }, refused = 0) {
  const found: number[] = [];
  const before = seen.begun;
  for (let index = 0; index < count; index += 1)
    void ask(url, raw()).then(
      ({ status }) => found.push(status),
      () => undefined,
    );
  const begun = raw().body.includes("tools/call") ? count - refused : 0;
  await expect.poll(() => [seen.begun - before, found]).toEqual([begun, Array(refused).fill(429)]);
}

it("a tally keeps to its shares, and holds at most twice its total", () => {
  const tally = new ShareTally({ client: 2, all: 3 }, "things");
  expect(tally.take("a", 2)).toBeTypeOf("function");
  expect(tally.take("a", 1)).toMatchObject({ status: 429 });
  expect(tally.take("b", 1)).toBeTypeOf("function");
  expect(tally.take("b", 1)).toMatchObject({ status: 503 });
  expect(tally.take("c", 3)).toMatchObject({ status: 429 });
  const free = tally.take("c", 1);
  expect(free).toBeTypeOf("function");
  expect(tally.biggest()).toBe("a");
  (free as () => void)();
  expect(tally.heldBy("c")).toBe(0);
  const answers = [..."cdef"].map((client) => tally.take(client, 1));
  expect(answers.map((one) => (typeof one === "function" ? 0 : one.status))).toEqual([0, 0, 0, 503]);
});

describe("unfinished messages", () => {
  const bytes = (all: number) => ({ bytes: { client: 400 * kibibyte, all: all * kibibyte } });
  const ended = (status: string, count: number) => [status, ...Array<string>(count - 1).fill("waits")];
  // Of each, 64 KiB are free.
  it.each<[string, Partial<HttpBounds>, number, [held: number, next: number, of: string], string]>([
    ["beyond a client's number end its oldest", { readings: { client: 3, all: 10 } }, 10, [3, 1, "bad"], "429"],
    ["beyond the number of all end the most", { readings: { client: 3, all: 4 } }, 10, [3, 2, "worse"], "503"],
    ["beyond a client's bytes end its own", bytes(4_000), 165 * kibibyte, [3, 1, "bad"], "429"],
    ["beyond the bytes of all end the most", bytes(500), 164 * kibibyte, [3, 3, "worse"], "503"],
  ])("%s", async (_, bounds, size, [held, next, of], status) => {
    const { url } = await start(bounds);
    const first = await unfinished(url, held, size, "bad");
    const more = await unfinished(url, next, size, of);
    const all = of === "bad" ? [...first, ...more] : first;
    await expect.poll(() => statuses(all)).toEqual(ended(status, all.length));
    expect([await serves(url, "good"), waiting(first), waiting(more)]).toEqual([200, held - 1, next]);
    const large = `${" ".repeat(300 * kibibyte)}{}`;
    expect([await serves(url, "good", large), await serves(url, "bad")]).toEqual([400, 200]);
  });

  it("of exactly a client's bytes are held", async () => {
    const { url } = await start(bytes(4_000));
    const all = await unfinished(url, 4, 164 * kibibyte, "bad");
    expect(await serves(url, "bad")).toBe(200);
    expect(waiting(all)).toBe(4);
  });

  it("end when they have not arrived in time, with the connection", async () => {
    const { url } = await start({ bodyMs: 20 });
    const [one] = await unfinished(url, 1, 10, "bad");
    await new Promise((resolve) => one?.socket.once("close", resolve));
    expect(one?.status()).toBe("408");
  });

  it(promise("share-of-memory", "unfinished messages of 4 MB each hold the usual share and no more"), async () => {
    const { url } = await start({});
    const all: Unfinished = [];
    for (let round = 0; round < 2; round += 1) {
      const four = unfinished(url, 4, 4 * kibibyte * kibibyte - 2, "bad");
      expect(await serves(url, "good")).toBe(200);
      all.push(...(await four));
    }
    await expect.poll(() => waiting(all)).toBeLessThanOrEqual(4);
    expect(await serves(url, "good")).toBe(200);
  });
});

it("a message of the size at the limit is read, and none beyond", async () => {
  const { url } = await start({ maxBodyBytes: 1_000 });
  const statusOf = (size: number) => serves(url, "good", `${" ".repeat(size - 2)}{}`);
  expect([await statusOf(1_000), await statusOf(1_001)]).toEqual([400, 413]);
  // In chunks it is refused as soon as it is too large.
  const socket = connect(Number(url.port), url.hostname);
  sockets.push(socket);
  const lines = { host: url.host, "content-type": "application/json", "transfer-encoding": "chunked", ...as("good") };
  const head = Object.entries(lines).map((line) => `${line.join(": ")}\r\n`);
  socket.write(`POST /mcp HTTP/1.1\r\n${head.join("")}\r\n3e9\r\n${" ".repeat(1_001)}\r\n`);
  const answer = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
  expect(answer).toMatch(/^HTTP\/1\.1 413/);
});

describe("calls", () => {
  it("are limited for a client and for all, and make room when they end", async () => {
    const started = await start({ calls: { client: 3, all: 4 } });
    const { url, finish } = started;
    const refused = async (name: string) => {
      const { status, headers } = await ask(url, callAs(name)());
      return [status, headers["retry-after"]];
    };
    await askOften(started, 3, callAs("bad"));
    expect(await refused("bad")).toEqual([429, "1"]);
    await askOften(started, 1, callAs("worse"));
    expect(await refused("worse")).toEqual([503, "5"]);
    expect(await serves(url, "good")).toBe(200);
    finish();
    await expect.poll(() => serves(url, "bad")).toBe(200);
  });

  it("of a batch all count, and messages that need no response never do", async () => {
    const { url, seen, callsBegun } = await start({ calls: { client: 3, all: 10 } });
    const session = { ...(await openSession(url, as("bad"))), ...as("bad") };
    const batch = (ids: number[]) => ({
      headers: { ...session, "mcp-protocol-version": "2025-03-26" },
      body: `[${ids.map(slowCall).join()}]`,
    });
    expect([(await ask(url, batch([1, 2, 3, 4]))).status, seen.begun]).toEqual([429, 0]);
    void ask(url, batch([1, 2, 3])).catch(() => undefined);
    await callsBegun(3);
    const post = async (body: string) => (await ask(url, { headers: session, body })).status;
    expect(await post(slowCall(4))).toBe(429);
    expect(await post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}')).toBe(202);
    expect(await post('{"jsonrpc":"2.0","id":9,"result":{}}')).toBe(202);
  });
});

const subscribe = modernly("subscriptions/listen", { notifications: { toolsListChanged: true } });

it("streams are limited for each client, and do not count as calls", async () => {
  const { url } = await start({ streams: { client: 1, all: 10 }, calls: { client: 2, all: 10 } });
  const session = async (name: string) => ({ ...(await openSession(url, as(name))), ...as(name) });
  const [one, two, good] = [await session("bad"), await session("bad"), await session("good")];
  await listen(url, one);
  expect((await ask(url, { method: "GET", headers: { ...two, accept: "text/event-stream" } })).status).toBe(429);
  await listen(url, good);
  expect(await serves(url, "bad")).toBe(200);
  const modernOne = { ...subscribe, headers: { ...subscribe.headers, ...as("worse") } };
  void ask(url, modernOne).catch(() => undefined);
  await expect.poll(async () => (await ask(url, modernOne)).status).toBe(429);
});

it("a stream does not count if its client left during the token check", async () => {
  const { opened, open } = barrier();
  let checked = 0;
  const isDenied = async () => {
    checked += 1;
    if (checked > 1) await opened;
    return undefined;
  };
  const { url, counts } = await start({ streams: { client: 1, all: 10 } }, { clients, isDenied });
  const session = { ...(await openSession(url, as("good"))), ...as("good"), accept: "text/event-stream" };
  const gone = request(url, { headers: session }).once("error", () => undefined);
  gone.end();
  await expect.poll(() => checked).toBe(2);
  gone.destroy();
  await expect.poll(async () => (await counts()).connections).toBe(0);
  open();
  expect((await listen(url, session)).statusCode).toBe(200);
  expect((await counts()).streams).toBe(1);
});

describe("clients without a token", () => {
  let lastId = 10;
  const slowIn = (session: Record<string, string>) => () => {
    lastId += 1;
    return { headers: session, body: slowCall(lastId) };
  };
  const listIn = (headers: Record<string, string>) => ({ headers, body: message("tools/list") });
  const alone = { headers: modern };
  const slowAlone = () => ({ headers: calling, body: callSlow });
  const open = (bounds: Partial<HttpBounds>) => start(bounds, {});
  const kinds: readonly string[] = ["a session", "connections alone"];
  const pairs = kinds.flatMap((greedy) => kinds.map((other) => [greedy, other] as const));

  it.each(pairs)(
    promise("calls-per-client", "calls used up by %s leave those of another with %s"),
    async (greedy, other) => {
      const started = await open({ calls: { client: 3, all: 20 } });
      const { url } = started;
      const [first, second] = [await openSession(url), await openSession(url)];
      if (greedy === "a session") await askOften(started, 9, slowIn(first), 6);
      else await askOften(started, 9, slowAlone);
      expect(await statusOf(url, other === "a session" ? listIn(second) : alone)).toBe(200);
    },
  );

  it(promise("sessions-beside", "tokenless connections alone hold at most half of all calls"), async () => {
    const started = await open({ calls: { client: 3, all: 7 } });
    const { url, finish } = started;
    const session = await openSession(url);
    await askOften(started, 30, slowAlone, 26);
    const madeUp = { ...calling, "mcp-session-id": "00000000-0000-4000-8000-000000000000" };
    expect(await statusOf(url, { headers: madeUp, body: callSlow })).toBe(429);
    expect([await statusOf(url, alone), await statusOf(url, listIn(session))]).toEqual([429, 200]);
    expect(await statusOf(url, listIn(await openSession(url)))).toBe(200);
    finish();
    await expect.poll(() => statusOf(url, alone)).toBe(200);
  });

  it("streams of tokenless connections spare sessions and half of all", async () => {
    const started = await open({ streams: { client: 2, all: 8 } });
    const { url } = started;
    const session = await openSession(url);
    await askOften(started, 20, () => subscribe, 16);
    expect((await listen(url, session)).statusCode).toBe(200);
    expect(await statusOf(url, alone)).toBe(200);
  });

  it("tokenless clients' messages crowd out only each other", async () => {
    const started = await open({ readings: { client: 3, all: 10 }, bytes: { client: 400 * kibibyte, all: 4e6 } });
    const { url } = started;
    const session = listIn(await openSession(url));
    const held = await Promise.all(Array.from({ length: 9 }, () => sendUnfinished(url, 10)));
    sockets.push(...held.map(({ socket }) => socket));
    await expect.poll(() => waiting(held)).toBe(3);
    expect([await statusOf(url, session), await statusOf(url, alone)]).toEqual([200, 200]);
    const large = (text: string) => `${" ".repeat(300 * kibibyte)}${text}`;
    await askOften(started, 1, () => ({ headers: calling, body: large(callSlow) }));
    expect(await statusOf(url, { headers: modern, body: large(list) })).toBe(429);
    expect(await statusOf(url, { ...session, body: large(session.body) })).toBe(200);
  });

  // Other systems have one loopback address unless told otherwise.
  it("at another address have calls and sessions of their own", needs.linux, async () => {
    const started = await open({ calls: { client: 3, all: 8 }, sessions: { client: 2, all: 10 } });
    const { url } = started;
    const used = await openSession(url);
    expect(await statusOf(url, listIn(used))).toBe(200);
    for (let index = 0; index < 5; index += 1) await openSession(url);
    const elsewhere = await openSession(url, {}, "127.0.0.9");
    await openSession(url);
    expect([await statusOf(url, listIn(used)), await statusOf(url, listIn(elsewhere))]).toEqual([200, 200]);
    await askOften(started, 30, slowAlone, 26);
    expect(await statusOf(url, alone)).toBe(429);
    expect(await statusOf(url, { ...alone, from: "127.0.0.9" })).toBe(200);
  });
});

describe("sessions", () => {
  const isAlive = async (url: URL, session: Record<string, string>, name: string) =>
    (await ask(url, { headers: { ...session, ...as(name) }, body: message("tools/list") })).status === 200;

  it("beyond its bound of sessions, a client's longest idle one ends", async () => {
    const { url } = await start({ sessions: { client: 2, all: 10 } });
    const good = await openSession(url, as("good"));
    const [first, second] = [await openSession(url, as("bad")), await openSession(url, as("bad"))];
    expect([await isAlive(url, second, "bad"), await isAlive(url, first, "bad")]).toEqual([true, true]);
    const third = await openSession(url, as("bad"));
    expect([await isAlive(url, second, "bad"), await isAlive(url, first, "bad")]).toEqual([false, true]);
    expect([await isAlive(url, third, "bad"), await isAlive(url, good, "good")]).toEqual([true, true]);
    // One that is in use outlives any number that are only opened.
    for (let index = 0; index < 5; index += 1) await openSession(url, as("bad"));
    expect(await isAlive(url, third, "bad")).toBe(true);
  });

  it("with a call in progress are not ended", async () => {
    const { url, finish, callsBegun } = await start({ sessions: { client: 1, all: 10 } });
    const busy = { ...(await openSession(url, as("bad"))), ...as("bad") };
    const pending = ask(url, { headers: busy, body: slowCall() });
    await callsBegun(1);
    expect((await ask(url, { body: initialize, headers: as("bad") })).status).toBe(429);
    finish();
    expect((await pending).status).toBe(200);
    await openSession(url, as("bad"));
  });

  it("at the bound of all sessions, the client with the most makes room", async () => {
    const { url } = await start({ sessions: { client: 8, all: 8 } });
    await Promise.all(Array.from({ length: 24 }, () => ask(url, { body: initialize, headers: as("bad") })));
    const worse = [await openSession(url, as("worse")), await openSession(url, as("worse"))];
    const good = await openSession(url, as("good"));
    for (const session of worse) expect(await isAlive(url, session, "worse")).toBe(true);
    expect(await isAlive(url, good, "good")).toBe(true);
  });

  it("unused sessions end, and sooner before their first use", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { url, counts } = await start({ unusedSessionMs: 500, sessionMs: 2_000 });
    const [used] = [await openSession(url, as("bad")), await openSession(url, as("bad"))];
    expect(await isAlive(url, used, "bad")).toBe(true);
    const sessionsIn = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return (await counts()).sessions;
    };
    expect([await sessionsIn(499), await sessionsIn(1)]).toEqual([2, 1]);
    expect(await isAlive(url, used, "bad")).toBe(true);
    expect([await sessionsIn(1_999), await sessionsIn(1)]).toEqual([1, 0]);
    expect(await isAlive(url, used, "bad")).toBe(false);
  });

  it("do not count if they could not be opened, whatever failed", async () => {
    let isFailing = true;
    const instances = async () => {
      if (isFailing) throw new Error("down");
      return undefined;
    };
    const { url } = await start({ sessions: { client: 1, all: 10 } }, { clients, instances });
    const openedWith = async (more = {}) =>
      (await ask(url, { body: initialize, headers: { ...as("bad"), ...more } })).status;
    expect(await openedWith()).toBe(500);
    isFailing = false;
    expect(await openedWith({ accept: "text/plain" })).toBe(406);
    expect(await isAlive(url, await openSession(url, as("bad")), "bad")).toBe(true);
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

  it("beyond the bound, unused ones end first, used ones later", async () => {
    const { url } = await start({ connections: 3 });
    const kept = await open(url, `GET /healthz HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`);
    await new Promise((resolve) => kept.once("data", resolve));
    const silent = [await open(url), await open(url, "POST /mcp HTT"), await open(url)];
    await expect.poll(() => [kept, ...silent].map(({ closed }) => closed)).toEqual([false, true, false, false]);
    expect(await serves(url, "good")).toBe(200);
  });

  it("in use are not ended; a new one is refused instead", async () => {
    const started = await start({ connections: 2 });
    const { url, finish } = started;
    await askOften(started, 2, callAs("bad"));
    await expect(serves(url, "good")).rejects.toThrow();
    finish();
    await expect.poll(() => serves(url, "good").catch(() => 0)).toBe(200);
  });
});

it("stdio requests beyond the bound fail at once, unstarted", async () => {
  const { opened, open } = barrier();
  let begun = 0;
  const { client, close } = await startServed(
    async () => {
      begun += 1;
      await opened;
      return done;
    },
    { maxPending: 5 },
  );
  const call = async () => (await client.callTool({ name: "thing_get", arguments: {} })).structuredContent;
  const first = Array.from({ length: 5 }, call);
  await expect.poll(() => begun).toBe(5);
  expect(await call()).toMatchObject({ error: "rate_limited", retryAfterSeconds: 1 });
  await expect(client.listPrompts()).rejects.toThrow();
  open();
  expect(await Promise.all(first)).toMatchObject(Array(5).fill({ done: true }));
  expect([await call(), begun]).toMatchObject([{ done: true }, 6]);
  await close();
});
