/** The network transport: one undici pool per origin, a timeout on every wait, no redirects and no retries. */
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { Failure } from "../language/failure.js";
import { type Send, SendFailure } from "../language/wire.js";
import { Exchange, type SendLimits, sendFailureOf } from "./exchange.js";
import { isOnThisMachine } from "./origin.js";

export type { SendLimits } from "./exchange.js";

/** The body of a gzip response. */
async function* gunzipBody(exchange: Exchange): AsyncGenerator<Uint8Array> {
  try {
    // The callback prevents an uncaught error, which the stream reports as well.
    yield* pipeline(exchange, createGunzip(), () => undefined);
  } catch (error) {
    throw sendFailureOf(error);
  } finally {
    await exchange.return();
  }
}

/** The proxies of the environment: URLs or `HOST:PORT`, and the hosts that are reached without them. Empty if not set. */
export interface Proxies {
  readonly HTTPS_PROXY: string;
  readonly HTTP_PROXY: string;
  readonly NO_PROXY: string;
}

const noProxies: Proxies = { HTTPS_PROXY: "", HTTP_PROXY: "", NO_PROXY: "" };

/**
 * @throws Failure `bad_configuration` for a value that is not the URL of a proxy; the value is not shown, because it may
 *   contain a password.
 */
function proxyUrl(name: "HTTPS_PROXY" | "HTTP_PROXY", text: string): string {
  const url = text === "" || text.includes("://") ? text : `http://${text}`;
  if (url === "" || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return url;
  throw new Failure("bad_configuration", `${name} is no URL of a proxy.`, {
    next: `Set ${name} to http://HOST:PORT, or unset it.`,
  });
}

/**
 * The agent that sends through the proxies, and the hosts to which it has connected directly; undefined if no proxy is
 * set.
 */
function openProxies(proxies: Proxies, options: EnvHttpProxyAgent.Options & { readonly connect: { timeout: number } }) {
  const httpsProxy = proxyUrl("HTTPS_PROXY", proxies.HTTPS_PROXY);
  const httpProxy = proxyUrl("HTTP_PROXY", proxies.HTTP_PROXY);
  if (httpsProxy === "" && httpProxy === "") return undefined;
  const direct = new Set<string>();
  const connector = buildConnector(options.connect);
  const agent = new EnvHttpProxyAgent({
    ...options,
    httpsProxy,
    httpProxy,
    noProxy: proxies.NO_PROXY,
    connect: (to, done) => {
      direct.add(to.hostname);
      connector(to, done);
    },
  });
  return { agent, isDirect: (hostname: string): boolean => direct.has(hostname) };
}

/** A `Send` over the network, through the proxy that is set for it; `close` releases its sockets. */
export function createSend(
  limits: SendLimits,
  proxies: Proxies = noProxies,
): { readonly send: Send; close(): Promise<void> } {
  const timeout = { timeout: limits.connectMs };
  // undici's own header and body timers tick once a second, which is too coarse; those of the exchange replace them.
  const poolOptions = { connect: timeout, headersTimeout: 0, bodyTimeout: 0 };
  const proxyAgent = openProxies(proxies, { ...poolOptions, requestTls: timeout, proxyTls: timeout });
  const pools = new Map<string, Pool>();
  const poolOf = (origin: string): Pool => {
    const known = pools.get(origin);
    if (known) return known;
    // The limiters bound the connections, for each API separately, so that one that hangs takes none from another.
    const pool = new Pool(origin, poolOptions);
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
    // A program on this machine is never reached through a proxy, which would look for it on its own machine.
    const usedProxies = proxyAgent && !isOnThisMachine(url.origin) ? proxyAgent : undefined;
    (usedProxies?.agent ?? poolOf(url.origin)).dispatch({ ...request, origin: url.origin }, exchange);
    const head = await exchange.head.catch((error: unknown) => {
      const isOfProxy = usedProxies !== undefined && !usedProxies.isDirect(url.hostname) && !exchange.hasStarted;
      const isUnreached = error instanceof SendFailure && ["connect", "name", "reset"].includes(error.reason);
      throw isOfProxy && isUnreached ? new SendFailure("proxy", false) : error;
    });
    return { ...head, body: head.headers["content-encoding"] === "gzip" ? gunzipBody(exchange) : exchange };
  };
  return {
    send,
    close: async () => {
      await Promise.all([proxyAgent?.agent, ...pools.values()].map((one) => one?.destroy()));
      pools.clear();
    },
  };
}
