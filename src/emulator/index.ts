/**
 * The emulator: the whole API in place of the network. It is a `Send` that receives exactly the signed bytes that the
 * real API would, and verifies and parses them with its own code, so that no fault of the client is hidden. A world is
 * deterministic: an answer depends only on its seed, its clock and the requests before it.
 */
import { vendorTranslation } from "../language/vendor-words.js";
import { type Send, SendFailure, type WireResponse } from "../language/wire.js";
import { minuteMs } from "../time/durations.js";
import { rankedMedia, writeBody, xmlText } from "./answer.js";
import { mediaSelectors } from "./media.js";
import { type ErrorFormat, RequestRefusal, usualErrorFormat } from "./reply.js";
import { createRouter, findRoute, type RoutedService, type ServiceEntry } from "./router.js";
import { serviceEntries } from "./services/index.js";
import type { ActingAccount } from "./switched-account.js";
import { createVerifier, gatewayErrorFormat, type IncomingRequest } from "./verify.js";
import { readCall } from "./wire.js";
import { type ControlledWorld, rateLimitOf, type World } from "./world.js";

export interface EmulatorOptions {
  readonly world: ControlledWorld;
  /** The clock for checking signatures: the real one, even when the world's clock is frozen. */
  readonly wallNow?: () => number;
  /** The services to emulate; all of the API's by default. */
  readonly entries?: readonly ServiceEntry[];
}

export interface Emulator {
  readonly send: Send;
  readonly world: ControlledWorld;
  /** Handles a request from a socket, where the signed scheme is not known. */
  handle(request: IncomingRequest): Promise<WireResponse>;
}

/** A response to write: status, text, and the headers that not every response has. */
interface WrittenResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const tooMany = "You have exceeded total number of requests configured for this API.";

let lastSecond = Number.NaN;
let lastDate = "";

/** The Date header, cached for each second. */
function dateHeader(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastDate = new Date(nowMs).toUTCString();
  }
  return lastDate;
}

interface Allowance {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether this request exceeds the limit. */
  readonly isExceeded: boolean;
}

const minuteOf = (ms: number): number => Math.floor(ms / minuteMs);
const nextMinute = (ms: number): string => new Date((minuteOf(ms) + 1) * minuteMs).toISOString();

/** Creates the function that counts a request against its service's limit per minute, and reports what is left of it. */
function createLimiter(world: World, wallNow: () => number): (service: string, serviceLimit?: number) => Allowance {
  return (service, serviceLimit) => {
    const { requestsPerMinute } = rateLimitOf(world);
    const limit = requestsPerMinute ?? serviceLimit;
    if (limit === undefined) return { headers: {}, isExceeded: false };
    // When the world's clock is frozen, only the real clock reaches the next minute.
    const minute = `${minuteOf(world.now())} ${minuteOf(wallNow())}`;
    const state = world.state(`requests to ${service}`, () => ({ minute, count: 0 }));
    if (state.minute !== minute) Object.assign(state, { minute, count: 0 });
    state.count += 1;
    const left = Math.max(0, limit - state.count);
    return {
      headers: {
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(left),
        // Most services send it (public facts A, 0.3), but those that are limited here anyway do not.
        ...(requestsPerMinute !== undefined && left === 0 ? { "x-ratelimit-next": nextMinute(wallNow()) } : {}),
      },
      isExceeded: state.count > limit,
    };
  };
}

/** Makes an emulator over a world. */
export function createEmulator({ world, wallNow = Date.now, entries = serviceEntries }: EmulatorOptions): Emulator {
  const verify = createVerifier(wallNow);
  const findService = createRouter(entries, world.vendor);
  const limit = createLimiter(world, wallNow);
  const gatewayFormat = gatewayErrorFormat(wallNow);

  const response = (method: string, { status, headers, text }: WrittenResponse): WireResponse => {
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

  /** The account that a request acts on; a repeated key is refused later, like any repeated parameter. */
  const accountOf = async ({ searchParams }: URL): Promise<ActingAccount> => {
    const [key, ...others] = searchParams.getAll("accountSwitchKey");
    return key === undefined || others.length > 0
      ? { world, emulatedUrl: (url) => url, withAccountNames: (body) => body }
      : (await import("./switched-account.js")).switchAccount(world, key);
  };

  const answer = async (service: RoutedService, received: IncomingRequest): Promise<WrittenResponse> => {
    const account = await accountOf(received.url);
    const request = { ...received, url: account.emulatedUrl(received.url) };
    const { route, segments } = findRoute(service, request.method, request.url);
    const words = vendorTranslation(route.operation.service?.vendorWords ?? [], world.vendorWords);
    const selectors = words.toDocuments(mediaSelectors(segments, request.url));
    const ranked = rankedMedia(route.operation, request, selectors, world.vendor);
    const call = readCall(route, segments, request, {
      answer: ranked[0],
      given: selectors,
      vendor: world.vendor,
      words,
    });
    const { status, body, headers = {} } = route.run(call, account.world);
    const { type, text } = writeBody(route.operation, status, words.toWire(account.withAccountNames(body)), ranked);
    const { location } = headers;
    const answerHeaders = {
      ...(type === undefined ? {} : { "content-type": type }),
      ...headers,
      ...(location === undefined ? {} : { location: words.toWire(location) }),
    };
    return { status, headers: answerHeaders, text };
  };

  const refusalResponse = (error: unknown, errorFormat: ErrorFormat, request: IncomingRequest): WrittenResponse => {
    const refusal =
      error instanceof RequestRefusal ? error : new RequestRefusal(500, "Internal Server Error", "The emulator failed");
    const { body, type = "application/problem+json", root } = errorFormat(refusal, request, world);
    const { members, headers } = refusal.extras;
    const whole = { ...body, ...members };
    const text = root === undefined ? JSON.stringify(whole) : xmlText(root, whole);
    return { status: refusal.status, headers: { "content-type": type, ...headers }, text };
  };

  const handle = async (request: IncomingRequest): Promise<WireResponse> => {
    let errorFormat = gatewayFormat;
    let limitHeaders: Readonly<Record<string, string>> = {};
    let reply: WrittenResponse;
    try {
      verify(request);
      errorFormat = usualErrorFormat;
      const service = await findService(request.url, request.method);
      errorFormat = service.errorFormat;
      const { headers, isExceeded } = limit(service.name, service.requestsPerMinute);
      limitHeaders = headers;
      if (isExceeded) throw new RequestRefusal(429, "Too Many Requests", tooMany);
      reply = await answer(service, request);
    } catch (error) {
      reply = refusalResponse(error, errorFormat, request);
    }
    return response(request.method, { ...reply, headers: { ...limitHeaders, ...reply.headers } });
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
