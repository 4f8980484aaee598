/** The emulator: the whole API behind the seam, given the very same signed bytes as the real one. */
import { type Send, SendFailure, type WireResponse } from "../api/wire.js";
import { createLimiter } from "./limit.js";
import { Problem, Refusal, type Wording } from "./problem.js";
import { createRouter, type Loaded, matchOf, nobody } from "./router.js";
import { type Arrived, createVerifier } from "./verify.js";
import { acceptable, readCall, writeBody } from "./wire.js";
import type { ControlledWorld } from "./world.js";

export interface EmulatorOptions {
  readonly world: ControlledWorld;
  /** The clock that signatures are checked by, which is the real one even where the world's stands still. */
  readonly wallNow?: () => number;
}

export interface Emulator {
  readonly send: Send;
  readonly world: ControlledWorld;
  /** The same for a request that came over a socket, where the signed scheme is not known. */
  handle(request: Arrived): Promise<WireResponse>;
}

/** A request with its service and the headers that every answer to it has. */
interface Taken {
  readonly service: Loaded;
  readonly request: Arrived;
  readonly headers: Readonly<Record<string, string>>;
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
export function createEmulator({ world, wallNow = Date.now }: EmulatorOptions): Emulator {
  const verify = createVerifier(wallNow);
  const find = createRouter();
  const count = createLimiter(world, wallNow);

  const response = (status: number, headers: Readonly<Record<string, string>>, text: string): WireResponse => {
    const bytes = new TextEncoder().encode(text);
    return {
      status,
      headers: {
        date: dateHeader(wallNow()),
        "x-request-id": world.next("request", 0x1000_0000).toString(16),
        "content-length": String(bytes.byteLength),
        ...headers,
      },
      body: (async function* () {
        if (bytes.byteLength > 0) yield bytes;
      })(),
    };
  };

  const answer = ({ service, request, headers: own }: Taken): WireResponse => {
    const { route, segments } = matchOf(service, request.method, request.url);
    const isTaken = acceptable(route.operation, request);
    const call = readCall(route.operation, request, segments, route.fixed);
    const { status, body, headers = {} } = route.run(call, world);
    const { type, text } = writeBody(route.operation, status, body, isTaken);
    return response(status, { ...own, ...(type === undefined ? {} : { "content-type": type }), ...headers }, text);
  };

  const problemOf = (error: unknown, wording: Wording, request: Arrived): Problem => {
    if (error instanceof Problem) return error;
    const refusal = error instanceof Refusal ? error : new Refusal(500, "Internal Server Error", "The emulator failed");
    const { body, type } = wording(refusal, request, world);
    return new Problem(refusal.status, body, type, refusal.more.headers);
  };

  const handle = async (request: Arrived): Promise<WireResponse> => {
    let taken: Taken = { service: nobody, request, headers: {} };
    try {
      verify(request);
      const service = await find(request.url);
      const { headers, isOver } = count(service.name, service.requestsPerMinute);
      taken = { service, request, headers };
      if (isOver) throw new Refusal(429, "Too Many Requests", tooMany);
      return answer(taken);
    } catch (error) {
      const problem = problemOf(error, taken.service.wording, request);
      const headers = { ...taken.headers, "content-type": problem.type, ...problem.headers };
      return response(problem.status, headers, JSON.stringify(problem.body));
    }
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
