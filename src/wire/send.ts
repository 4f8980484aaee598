/** The network transport: one undici pool per origin, a timeout on every wait, no redirects and no retries. */
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Dispatcher, Pool } from "undici";
import { type Send, SendFailure } from "../language/wire.js";
import { classified, Exchange, type SendLimits } from "./exchange.js";

export type { SendLimits } from "./exchange.js";

/** The body of a gzip response. */
async function* unzipped(exchange: Exchange): AsyncGenerator<Uint8Array> {
  try {
    // The callback prevents an uncaught error, which the stream reports as well.
    yield* pipeline(exchange, createGunzip(), () => undefined);
  } catch (error) {
    throw classified(error);
  } finally {
    await exchange.return();
  }
}

/** A `Send` over the network; `close` releases its sockets. */
export function createSend(limits: SendLimits): { readonly send: Send; close(): Promise<void> } {
  const pools = new Map<string, Pool>();
  const poolOf = (origin: string): Pool => {
    const known = pools.get(origin);
    if (known) return known;
    // undici's own header and body timers tick once a second, which is too coarse; those of the exchange replace them.
    // The limiters bound the connections, for each API separately, so that one that hangs takes none from another.
    const pool = new Pool(origin, {
      connect: { timeout: limits.connectMs },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    pools.set(origin, pool);
    return pool;
  };

  const send: Send = async ({ method, url, headers, body, signal, timeLeftMs }) => {
    if (signal?.aborted) throw new SendFailure("aborted", false);
    const exchange = new Exchange(limits, timeLeftMs, signal);
    const request: Dispatcher.DispatchOptions = {
      method: method as Dispatcher.HttpMethod,
      path: url.pathname + url.search,
      headers: { ...headers, "accept-encoding": "gzip" },
      ...(body ? { body } : {}),
    };
    poolOf(url.origin).dispatch(request, exchange);
    const head = await exchange.head;
    return { ...head, body: head.headers["content-encoding"] === "gzip" ? unzipped(exchange) : exchange };
  };
  return {
    send,
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}
