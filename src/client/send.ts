/** The network side of the seam: one undici pool per origin, a timeout on every wait, no redirects and no retries. */
import { createGunzip } from "node:zlib";
import { type Dispatcher, Pool } from "undici";
import { type Send, SendFailure, type SendFailureReason, type WireResponse } from "../api/wire.js";

/** The timeouts of one attempt, in milliseconds. */
export interface SendLimits {
  readonly connectMs: number;
  /** From sending the request to the response's headers. */
  readonly firstByteMs: number;
  /** Between two chunks of the response's body. */
  readonly idleMs: number;
}

const notSent: Readonly<Record<string, SendFailureReason>> = {
  ECONNREFUSED: "connect",
  EHOSTUNREACH: "connect",
  ENETUNREACH: "connect",
  UND_ERR_CONNECT_TIMEOUT: "connect",
  ENOTFOUND: "name",
  EAI_AGAIN: "name",
};

/** Decides from an error's code alone whether the request can have been sent; its message is never used. */
function classified(error: unknown, cause: SendFailureReason | undefined): SendFailure {
  if (error instanceof SendFailure) return error;
  if (cause) return new SendFailure(cause, true);
  const { code = "" } = error as { code?: string };
  const reason = notSent[code];
  if (reason) return new SendFailure(reason, false);
  if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code))
    return new SendFailure("tls", false);
  return new SendFailure("reset", true);
}

function flat(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]),
  );
}

/** A `Send` over the network; `close` releases its sockets. */
export function createSend(limits: SendLimits): { readonly send: Send; close(): Promise<void> } {
  const pools = new Map<string, Pool>();
  const poolOf = (origin: string): Pool => {
    const known = pools.get(origin);
    if (known) return known;
    // undici's own header and body timers tick once a second, which is too coarse; the timers below replace them.
    const pool = new Pool(origin, {
      connections: 16,
      connect: { timeout: limits.connectMs },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    pools.set(origin, pool);
    return pool;
  };

  const send: Send = async ({ method, url, headers, body, signal, timeLeftMs }) => {
    if (signal?.aborted) throw new SendFailure("aborted", false);
    const stop = new AbortController();
    let cause: SendFailureReason | undefined;
    const end = (reason: SendFailureReason) => {
      cause ??= reason;
      stop.abort();
    };
    // Unreferenced, so that a timer that is no longer needed does not keep the process alive.
    const startTimer = (ms: number, reason: SendFailureReason) => setTimeout(end, ms, reason).unref();
    const overall = startTimer(timeLeftMs, "overdue");
    let timer = startTimer(limits.connectMs + limits.firstByteMs, "first_byte");
    const onAbort = () => end("aborted");
    signal?.addEventListener("abort", onAbort, { once: true });
    const finish = () => {
      clearTimeout(timer);
      clearTimeout(overall);
      signal?.removeEventListener("abort", onAbort);
    };
    let response: Dispatcher.ResponseData;
    try {
      response = await poolOf(url.origin).request({
        method: method as Dispatcher.HttpMethod,
        path: url.pathname + url.search,
        headers: { ...headers, "accept-encoding": "gzip" },
        ...(body ? { body } : {}),
        signal: stop.signal,
      });
    } catch (error) {
      finish();
      throw classified(error, cause);
    }
    const responseHeaders = flat(response.headers);
    const isGzip = responseHeaders["content-encoding"] === "gzip";
    const stream = isGzip ? response.body.pipe(createGunzip()) : response.body;
    if (isGzip) response.body.on("error", (error) => stream.destroy(error));
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of stream) {
          timer.refresh();
          yield chunk as Uint8Array;
        }
      } catch (error) {
        throw classified(error, cause);
      } finally {
        finish();
        response.body.destroy();
      }
    }
    clearTimeout(timer);
    timer = startTimer(limits.idleMs, "idle");
    return { status: response.statusCode, headers: responseHeaders, body: chunks() } satisfies WireResponse;
  };
  return {
    send,
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}
