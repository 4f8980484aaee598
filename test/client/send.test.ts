/** What each way of getting no answer says of the request: which cause it had, and whether a byte of it can have left. */
import { expect, it, vi } from "vitest";
import type { Exchange } from "../../src/client/exchange.js";
import { createSend } from "../../src/client/send.js";

const broken = vi.hoisted(() => ({ code: "" }));
vi.mock("undici", () => ({
  Pool: class {
    dispatch = (_: unknown, exchange: Exchange) =>
      exchange.onResponseError(undefined, Object.assign(new Error("its words are not used"), broken));
    destroy = () => Promise.resolve();
  },
}));

it.each([
  ["ECONNREFUSED", "connect", false],
  ["EHOSTUNREACH", "connect", false],
  ["ENETUNREACH", "connect", false],
  ["UND_ERR_CONNECT_TIMEOUT", "connect", false],
  ["ENOTFOUND", "name", false],
  ["EAI_AGAIN", "name", false],
  ["CERT_HAS_EXPIRED", "tls", false],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls", false],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls", false],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls", false],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls", false],
  ["EPROTO", "tls", false],
  ["ECONNRESET", "reset", true],
  ["EPIPE", "reset", true],
  ["UND_ERR_SOCKET", "reset", true],
  ["", "reset", true],
])("tells by %s that the cause is %s, and whether the request can have left: %s", async (code, reason, isSent) => {
  broken.code = code;
  const { send, close } = createSend({ connectMs: 100, firstByteMs: 100, idleMs: 100 });
  const url = new URL("https://host.example/x");
  await expect(send({ method: "GET", url, headers: {}, timeLeftMs: 1_000 })).rejects.toMatchObject({ reason, isSent });
  await close();
});

it("sends nothing for a call that was cancelled before", async () => {
  const { send, close } = createSend({ connectMs: 100, firstByteMs: 100, idleMs: 100 });
  const request = { method: "GET", url: new URL("https://host.example/x"), headers: {}, timeLeftMs: 1_000 };
  await expect(send({ ...request, signal: AbortSignal.abort() })).rejects.toMatchObject({
    reason: "aborted",
    isSent: false,
  });
  await close();
});
