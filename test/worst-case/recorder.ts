/** An emulator that keeps every request it was sent, so that a test can count the changes that reached the API. */
import type { AnyOperation } from "../../src/api/define.js";
import { isRead } from "../../src/api/effect.js";
import type { ResolvedRequest } from "../../src/client/index.js";
import { createEmulator, type Emulator } from "../../src/emulator/index.js";
import { createRouter, findRoute } from "../../src/emulator/router.js";
import { serviceEntries } from "../../src/emulator/services/index.js";
import { createWorld } from "../../src/emulator/world.js";

/** A request that changes something, as it arrived. */
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

async function arrived({ method, url, headers, body }: Received): Promise<Arrived | undefined> {
  if (method === "GET" || method === "HEAD") return undefined;
  const { operation } = findRoute(await serviceFor(url), method, url).route;
  const { authorization: _, ...rest } = headers;
  return { operation, method, url, headers: rest, body: Buffer.from(body ?? []).toString("utf8") };
}

export interface Recorder {
  /** The emulator itself, which begins anew when it is reset. */
  readonly emulator: Emulator;
  /** The requests since the last reset that changed something, or would have, whatever came of them. */
  changes(): Promise<readonly Arrived[]>;
  /** Forgets the requests and every change. */
  reset(): void;
}

/** Starts an emulator whose requests are kept. */
export function createRecorder(): Recorder {
  let emulator = createEmulator({ world: begun() });
  let received: Received[] = [];
  return {
    emulator: {
      get world() {
        return emulator.world;
      },
      send: (request) => {
        received.push(request);
        return emulator.send(request);
      },
      handle: (request) => {
        received.push(request);
        return emulator.handle(request);
      },
    },
    async changes() {
      const found = await Promise.all(received.map(arrived));
      return found.filter((one) => one !== undefined && !isRead(one.operation)) as Arrived[];
    },
    reset() {
      emulator = createEmulator({ world: begun() });
      received = [];
    },
  };
}

/** What decides what a request does, in one text: two requests that differ have two. */
export const asText = ({ method, url, headers, body }: Arrived): string =>
  `${method} ${url.pathname}${url.search}\n${headers["content-type"] ?? ""}\n${body}`;
