/** An exchange on real connections: what arrives and in which order, who waits for whom, and what an end from either side says. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { WireResponse } from "../../src/language/wire.js";
import { Exchange } from "../../src/wire/exchange.js";
import { createSend } from "../../src/wire/send.js";
import { until } from "../lab/time.js";

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let url: URL;
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const limits = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000 };
/** Asks over a connection of the test's own, which ends with it. */
const asking = () => {
  const { send, close } = createSend(limits);
  onTestFinished(() => close());
  return (signal?: AbortSignal) => send({ method: "GET", url, headers: {}, timeLeftMs: 20_000, signal });
};
const whole = async ({ body }: WireResponse): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

it("an answer's head comes at once, then chunks in order, then the end", async () => {
  let goOn: () => void = () => undefined;
  answer = (_, response) => {
    response.writeHead(200, { "X-One": ["a", "b"] });
    response.write("one ");
    goOn = () => response.end("two");
  };
  const ask = asking();
  const response = await ask();
  expect(response).toMatchObject({ status: 200, headers: { "x-one": "a, b" } });
  const text = whole(response);
  goOn();
  expect(await text).toBe("one two");
});

it("does not take an interim response for the final one", async () => {
  answer = (_, response) => {
    response.writeEarlyHints({ link: "</a.css>; rel=preload" });
    response.writeHead(404).end("none");
  };
  const ask = asking();
  const response = await ask();
  expect([response.status, await whole(response)]).toEqual([404, "none"]);
});

it("a broken exchange passes on what arrived, and counts as sent", async () => {
  answer = (_, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("half", () => response.destroy());
  };
  const ask = asking();
  const chunks = (await ask()).body[Symbol.asyncIterator]();
  expect(Buffer.from((await chunks.next()).value).toString()).toBe("half");
  await expect(chunks.next()).rejects.toMatchObject({ reason: "reset", isSent: true });
});

describe("an exchange whose clock the test holds", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** An exchange whose request was sent, and the controller of its connection. */
  function sent(timeLeftMs = 3_600_000) {
    const exchange = new Exchange(limits, timeLeftMs, undefined);
    const controller = { abort: vi.fn(), pause: vi.fn(), resume: vi.fn(), aborted: false, paused: false, reason: null };
    exchange.onRequestStart(controller);
    return { exchange, controller };
  }

  it("a sender pauses while its reader has 256 KiB to read, then goes on", async () => {
    const { exchange, controller } = sent();
    exchange.onResponseStart(controller, 200, {});
    exchange.onResponseData(controller, Buffer.alloc(262_144));
    expect(controller.pause).not.toHaveBeenCalled();
    exchange.onResponseData(controller, Buffer.from("a"));
    expect(controller.pause).toHaveBeenCalledOnce();
    await exchange.next();
    expect(controller.resume).not.toHaveBeenCalled();
    expect(await exchange.next()).toEqual({ done: false, value: Buffer.from("a") });
    expect(controller.resume).toHaveBeenCalledOnce();
  });

  it("the reader's time is not taken for the upstream's", async () => {
    const { exchange, controller } = sent();
    exchange.onResponseStart(controller, 200, {});
    exchange.onResponseData(controller, Buffer.from("one"));
    await vi.advanceTimersByTimeAsync(100 * limits.idleMs);
    expect(await exchange.next()).toMatchObject({ done: false });
    const failed = expect(exchange.next()).rejects.toMatchObject({ reason: "idle", isSent: true });
    await vi.advanceTimersByTimeAsync(limits.idleMs - 1);
    expect(controller.abort).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    expect(controller.abort).toHaveBeenCalledOnce();
  });

  it("it ends when the time of the call is over, without a head or an end", async () => {
    for (const hasHead of [false, true]) {
      const { exchange, controller } = sent(100);
      if (hasHead) exchange.onResponseStart(controller, 200, {});
      const ended = hasHead ? exchange.next() : exchange.head;
      const failed = expect(ended).rejects.toMatchObject({ reason: "overdue", isSent: true });
      await vi.advanceTimersByTimeAsync(99);
      expect(controller.abort).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await failed;
    }
  });
});

it("a cancelled request waiting for a connection has sent nothing", async () => {
  let asked = 0;
  const held: ServerResponse[] = [];
  answer = (_, response) => {
    asked += 1;
    held.push(response);
  };
  const ask = asking();
  const first = Array.from({ length: 16 }, () => ask().then(whole));
  await until(() => asked === 16);
  const cancel = new AbortController();
  const late = ask(cancel.signal);
  cancel.abort();
  await expect(late).rejects.toMatchObject({ reason: "aborted", isSent: false });
  for (const response of held) response.end("done");
  expect(await Promise.all(first)).toEqual(Array(16).fill("done"));
  expect(asked).toBe(16);
});

it("closes the connection of a reader that leaves a body, zipped or not", async () => {
  for (const isZipped of [false, true]) {
    let isClosed = false;
    answer = (_, response) => {
      response.once("close", () => {
        isClosed = true;
      });
      if (isZipped) response.setHeader("content-encoding", "gzip");
      const bytes = Buffer.alloc(1_000_000, "0123456789");
      response.write(isZipped ? gzipSync(bytes).subarray(0, -8) : bytes);
    };
    for await (const chunk of (await asking()()).body) {
      expect(chunk.byteLength).toBeGreaterThan(0);
      break;
    }
    await until(() => isClosed);
  }
});

it("reports bytes that are not gzip as a broken connection", async () => {
  answer = (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("plain");
  const ask = asking();
  await expect(whole(await ask())).rejects.toMatchObject({ reason: "reset", isSent: true });
});
