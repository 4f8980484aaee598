/** What each way of getting no answer says of the request: which cause it had, and whether a byte of it can have left. */
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Dispatcher } from "undici";
import { expect, it } from "vitest";
import { Exchange } from "../../src/wire/exchange.js";
import { createSend } from "../../src/wire/send.js";
import { json, startUpstream } from "../system/upstream.js";

const limits = { connectMs: 100, firstByteMs: 100, idleMs: 100 };
const failing = (code: string) => Object.assign(new Error("its words are not used"), { code });
const get = { method: "GET", headers: {}, timeLeftMs: 5_000 };

it.each([
  ["ECONNREFUSED", "connect", false],
  ["UND_ERR_CONNECT_TIMEOUT", "connect", false],
  ["ENOTFOUND", "name", false],
  ["CERT_HAS_EXPIRED", "tls", false],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls", false],
  ["EPROTO", "tls", false],
  ["ECONNRESET", "reset", true],
  ["UND_ERR_SOCKET", "reset", true],
  ["", "reset", true],
])("%s: cause %s, request can have left: %s", async (code, reason, isSent) => {
  const exchange = new Exchange(limits, 1_000, undefined);
  exchange.onResponseError(undefined, failing(code));
  await expect(exchange.head).rejects.toMatchObject({ reason, isSent });
});

it("a request is sent once its connection is open, never if cancelled", async () => {
  for (const code of ["EPROTO", "CERT_HAS_EXPIRED", "ECONNREFUSED", "ENOTFOUND", "ECONNRESET"]) {
    const exchange = new Exchange(limits, 1_000, undefined);
    exchange.onRequestStart({} as Dispatcher.DispatchController);
    exchange.onResponseError(undefined, failing(code));
    await expect(exchange.head, code).rejects.toMatchObject({ reason: "reset", isSent: true });
  }
  const { send, close } = createSend(limits);
  const sent = send({ ...get, url: new URL("https://host.example/x"), signal: AbortSignal.abort() });
  await expect(sent).rejects.toMatchObject({ reason: "aborted", isSent: false });
  await close();
});

it("opens connections even while other requests hang", async () => {
  const upstream = await startUpstream((response, { target }) => {
    if (target === "/alive") json(response, 200, {});
  });
  const { send, close } = createSend({ connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000 });
  const ask = (path: string) => send({ ...get, url: new URL(path, upstream.url), timeLeftMs: 60_000 });
  const hung = Array.from({ length: 40 }, () => ask("/hangs"));
  expect((await ask("/alive")).status).toBe(200);
  await Promise.all([close(), ...hung.map((one) => expect(one).rejects.toMatchObject({ reason: "reset" }))]);
  await upstream.close();
});

/** A proxy that connects to what the test names, whatever it is asked for, and remembers what that was. */
async function startProxy(answer: (asked: string, socket: Socket) => void) {
  const asked: string[] = [];
  const server = createServer().on("connect", ({ url = "" }, socket: Socket) => {
    asked.push(url);
    answer(url, socket);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { asked, place: `127.0.0.1:${port}`, close: () => new Promise((done) => server.close(done)) };
}
const proxied = (proxies: Partial<Parameters<typeof createSend>[1]>) =>
  createSend(
    { connectMs: 2_000, firstByteMs: 2_000, idleMs: 2_000 },
    { HTTPS_PROXY: "", HTTP_PROXY: "", NO_PROXY: "", ...proxies },
  );

it("uses the configured proxy; if that refuses, nothing was sent", async () => {
  const proxy = await startProxy((_, socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
  for (const set of [{ HTTPS_PROXY: proxy.place }, { HTTP_PROXY: `http://a:b@${proxy.place}` }]) {
    const { send, close } = proxied({ ...set, NO_PROXY: "other.example,.host.invalid:8443" });
    const sent = send({ ...get, url: new URL("https://host.invalid/x") });
    await expect(sent).rejects.toMatchObject({ reason: "proxy", isSent: false });
    await close();
  }
  expect(proxy.asked).toEqual(["host.invalid:443", "host.invalid:443"]);
  await proxy.close();
});

it("bypasses the proxy for NO_PROXY and for this machine", async () => {
  const proxy = await startProxy((_, socket) => socket.destroy());
  const upstream = await startUpstream((response) => json(response, 200, {}));
  const { send, close } = proxied({ HTTPS_PROXY: proxy.place, HTTP_PROXY: proxy.place, NO_PROXY: ".invalid" });
  expect((await send({ ...get, url: new URL("/", upstream.url) })).status).toBe(200);
  const direct = send({ ...get, url: new URL("https://host.invalid/x") });
  await expect(direct).rejects.toMatchObject({ reason: "name", isSent: false });
  expect(proxy.asked).toEqual([]);
  await Promise.all([close(), proxy.close(), upstream.close()]);
});

it("refuses a value that is not a proxy's URL, and does not show it", () => {
  for (const text of ["socks://user:hidden@h:1", "http://user:hidden@"]) {
    expect(() => proxied({ HTTPS_PROXY: text })).toThrow("HTTPS_PROXY is no URL of a proxy.");
    expect(() => proxied({ HTTPS_PROXY: text })).not.toThrow("hidden");
  }
});
