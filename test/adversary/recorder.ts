/** An emulator that keeps every request it was sent, so that a test can count the changes that reached the API. */
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
  /** Without those that authorize it, which no one approves. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Received = Pick<ResolvedRequest, "method" | "url" | "headers" | "body">;

// Time stands still, so that what two emulators answer can be compared.
const frozenAt = Date.now();
const begun = () => createWorld({ frozenAt });
const { vendor } = begun();
const serviceFor = createRouter(serviceEntries, vendor);

/** Of a request to where the answer before it had sent its client: the request that was answered so, and the status. */
const sentOn = new WeakMap<Received, { readonly before: Received; readonly status: number }>();

const operationOf = async ({ method, url }: Received): Promise<AnyOperation> =>
  findRoute(await serviceFor(url, method), method, url).route.operation;

/** The operation that a request is of: where its API sends a client on, it is still the one that was called. */
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
  /** The emulator itself, which begins anew when it is reset. */
  readonly emulator: Emulator;
  /** The requests since the last reset that changed something, or would have, whatever came of them. */
  changes(): Promise<readonly Arrived[]>;
  /** All requests since the last reset but the first so many. */
  requests(but?: number): Promise<readonly Arrived[]>;
  /** Forgets the requests and every change. */
  reset(): void;
}

/** Starts an emulator whose requests are kept. */
export function createRecorder(): Recorder {
  let emulator = createEmulator({ world: begun() });
  let received: Received[] = [];
  /** The latest answer that sends its client on. */
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
