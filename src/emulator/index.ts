/** The emulator: the whole API behind the seam, given the very same signed bytes as the real one. */

import { translation } from "../api/vendor-words.js";
import { type Send, SendFailure, type WireResponse } from "../api/wire.js";
import { rankedMedia, writeBody } from "./answer.js";
import { createLimiter } from "./limit.js";
import { givenTexts } from "./media.js";
import { Refusal, usualWording, type Wording } from "./problem.js";
import { createRouter, findRoute, type RoutedService, type ServiceEntry } from "./router.js";
import { serviceEntries } from "./services/index.js";
import { createVerifier, gatewayWording, type IncomingRequest } from "./verify.js";
import { readCall } from "./wire.js";
import type { ControlledWorld } from "./world.js";

export interface EmulatorOptions {
  readonly world: ControlledWorld;
  /** The clock that signatures are checked by, which is the real one even where the world's stands still. */
  readonly wallNow?: () => number;
  /** The services that answer; all of the API's where none are given. */
  readonly entries?: readonly ServiceEntry[];
}

export interface Emulator {
  readonly send: Send;
  readonly world: ControlledWorld;
  /** The same for a request that came over a socket, where the signed scheme is not known. */
  handle(request: IncomingRequest): Promise<WireResponse>;
}

/** What is to be written: a status, text, and the headers beside those that every response has. */
interface Written {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const tooMany = "You have exceeded total number of requests configured for this API.";

let lastSecond = Number.NaN;
let lastDate = "";

/** The Date header; the same text for a whole second. */
function dateHeader(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastDate = new Date(nowMs).toUTCString();
  }
  return lastDate;
}

/** Makes an emulator over a world. */
export function createEmulator({ world, wallNow = Date.now, entries = serviceEntries }: EmulatorOptions): Emulator {
  const verify = createVerifier(wallNow);
  const findService = createRouter(entries, world.vendor);
  const count = createLimiter(world, wallNow);
  const wordingOfGateway = gatewayWording(wallNow);

  const response = (method: string, { status, headers, text }: Written): WireResponse => {
    const bytes = new TextEncoder().encode(text);
    return {
      status,
      headers: {
        date: dateHeader(wallNow()),
        "x-request-id": world.next("request", 0x1000_0000).toString(16),
        // An answer without content has no length (RFC 9110, 8.6); one to HEAD has the length that GET would get.
        ...(status === 204 ? {} : { "content-length": String(bytes.byteLength) }),
        ...headers,
      },
      body: (async function* () {
        if (bytes.byteLength > 0 && method !== "HEAD") yield bytes;
      })(),
    };
  };

  const answer = (service: RoutedService, request: IncomingRequest): Written => {
    const { route, segments } = findRoute(service, request.method, request.url);
    const words = translation(route.operation.service?.vendorWords ?? [], world.vendorWords);
    const given = words.toDocuments(givenTexts(segments, request.url));
    const ranked = rankedMedia(route.operation, request, given, world.vendor);
    const call = readCall(route, segments, request, { answer: ranked[0], vendor: world.vendor, words });
    const { status, body, headers = {} } = route.run(call, world);
    const { type, text } = writeBody(route.operation, status, words.toWire(body), ranked);
    const { location } = headers;
    const named = {
      ...(type === undefined ? {} : { "content-type": type }),
      ...headers,
      ...(location === undefined ? {} : { location: words.toWire(location) }),
    };
    return { status, headers: named, text };
  };

  const refused = (error: unknown, wording: Wording, request: IncomingRequest): Written => {
    const refusal = error instanceof Refusal ? error : new Refusal(500, "Internal Server Error", "The emulator failed");
    const { body, type = "application/problem+json" } = wording(refusal, request, world);
    const { members, headers } = refusal.more;
    const text = JSON.stringify({ ...body, ...members });
    return { status: refusal.status, headers: { "content-type": type, ...headers }, text };
  };

  const handle = async (request: IncomingRequest): Promise<WireResponse> => {
    let wording = wordingOfGateway;
    let limitHeaders: Readonly<Record<string, string>> = {};
    let written: Written;
    try {
      verify(request);
      wording = usualWording;
      const service = await findService(request.url);
      wording = service.wording;
      const { headers, isExceeded } = count(service.name, service.requestsPerMinute);
      limitHeaders = headers;
      if (isExceeded) throw new Refusal(429, "Too Many Requests", tooMany);
      written = answer(service, request);
    } catch (error) {
      written = refused(error, wording, request);
    }
    return response(request.method, { ...written, headers: { ...limitHeaders, ...written.headers } });
  };

  return {
    world,
    handle,
    async send({ method, url, headers, body, signal }) {
      if (signal?.aborted) throw new SendFailure("aborted", false);
      return handle({ method, url, schemes: [url.protocol.slice(0, -1)], headers, body: body ?? new Uint8Array() });
    },
  };
}
