/** An emulator that records every request, so that a test can count the changes that reached the API. */
import { createEmulator, type Emulator } from "../../src/emulator/index.js";
import { createRouter, findRoute } from "../../src/emulator/router.js";
import { serviceEntries } from "../../src/emulator/services/index.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import type { ResolvedRequest } from "../../src/wire/index.js";

/** A request as it arrived. */
export interface Arrived {
  readonly operation: AnyOperation;
  readonly method: string;
  readonly url: URL;
  /** Without the authorization, which is no part of an approval. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Received = Pick<ResolvedRequest, "method" | "url" | "headers" | "body">;

// Time stands still, so that the responses of two emulators can be compared.
const frozenAt = Date.now();
const begun = () => createWorld({ frozenAt });
const { vendor } = begun();
const serviceFor = createRouter(serviceEntries, vendor);

/** For a request that follows a redirect: the request that was redirected, and the status of that redirect. */
const sentOn = new WeakMap<Received, { readonly before: Received; readonly status: number }>();

const operationOf = async ({ method, url }: Received): Promise<AnyOperation> =>
  findRoute(await serviceFor(url, method), method, url).route.operation;

/** The operation of a request; after a redirect it is still the one that was called. */
async function calledBy(request: Received): Promise<AnyOperation> {
  const { before, status = 0 } = sentOn.get(request) ?? {};
  const called = before && (await operationOf(before));
  return called && called.spec.returns[status] === undefined ? called : operationOf(request);
}

async function arrived(request: Received): Promise<Arrived> {
  const { method, url, headers, body } = request;
  const operation = await calledBy(request);
  const { authorization: _, ...rest } = headers;
  return { operation, method, url, headers: rest, body: Buffer.from(body ?? []).toString("utf8") };
}

export interface Recorder {
  /** The emulator itself, which starts anew when it is reset. */
  readonly emulator: Emulator;
  /** The requests since the last reset that were meant to change something, whatever their result. */
  changes(): Promise<readonly Arrived[]>;
  /** All requests since the last reset, without the first `but`. */
  requests(but?: number): Promise<readonly Arrived[]>;
  /** Forgets the requests and every change. */
  reset(): void;
}

/** Starts an emulator whose requests are recorded. */
export function createRecorder(): Recorder {
  let emulator = createEmulator({ world: begun() });
  let received: Received[] = [];
  /** The latest redirect. */
  let sends: { readonly before: Received; readonly status: number; readonly to: string } | undefined;
  return {
    emulator: {
      get world() {
        return emulator.world;
      },
      send: async (request) => {
        if (sends?.to === request.url.href) sentOn.set(request, sends);
        received.push(request);
        const response = await emulator.send(request);
        const { status, headers } = response;
        const to = status >= 300 && status < 400 && headers["location"];
        sends = to ? { before: request, status, to: new URL(to, request.url).href } : undefined;
        return response;
      },
      handle: (request) => {
        received.push(request);
        return emulator.handle(request);
      },
    },
    async changes() {
      const mayChange = received.filter(({ method }) => method !== "GET" && method !== "HEAD");
      return (await Promise.all(mayChange.map(arrived))).filter(({ operation }) => !isRead(operation));
    },
    requests: (but = 0) => Promise.all(received.slice(but).map(arrived)),
    reset() {
      emulator = createEmulator({ world: begun() });
      received = [];
    },
  };
}

/** What decides what a request does, in one text: two requests that differ have two. */
export const asText = ({ method, url, headers, body }: Arrived): string =>
  `${method} ${url.pathname}${url.search}\n${headers["content-type"] ?? ""}\n${body}`;
