/** The adapter between Node's HTTP objects and the SDK's web-standard handler, with as little copying as possible. */
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * The part of an AbortSignal that the SDK uses, aborted when the client disconnects before the end of the response. A real
 * one would be among the most expensive parts of a request.
 */
export class Disconnection {
  aborted = false;
  readonly reason = "the client disconnected";
  readonly #listeners = new Set<() => void>();

  constructor(response: ServerResponse) {
    response.once("close", () => {
      if (response.writableFinished) return;
      this.aborted = true;
      for (const listener of this.#listeners) listener();
    });
  }

  addEventListener(_: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }
}

/**
 * The part of a web Request that the SDK's handler reads: method, URL, headers and signal. Creating a real Request takes
 * longer than the call; the parsed body is passed separately.
 */
export function asWebRequest(request: IncomingMessage, signal: Disconnection): Request {
  const headers = {
    get: (name: string): string | null => {
      const value = request.headers[name.toLowerCase()];
      return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
    },
    has: (name: string): boolean => request.headers[name.toLowerCase()] !== undefined,
  };
  const { method = "GET", url = "/" } = request;
  return { method, url: `http://${request.headers.host ?? "localhost"}${url}`, headers, signal } as unknown as Request;
}

/**
 * The response of the SDK's HTTP transport to a message without a stream: the patched SDK returns the text, which
 * `Response.json` would wrap in a stream.
 */
interface JsonResponse {
  readonly status: number;
  readonly json: string;
}

/** Waits until the response drains or closes, then removes both listeners. */
function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.on("drain", go).on("close", go);
  });
}

/** Writes the handler's response to Node's: JSON in one piece, a stream with back-pressure. */
export async function writeResponse(answer: Response | JsonResponse, response: ServerResponse): Promise<void> {
  const { status } = answer;
  if (!(answer instanceof Response)) {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(answer.json) };
    response.writeHead(status, headers).end(answer.json);
    return;
  }
  const { body, headers } = answer;
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = body.getReader();
  response.once("close", () => void reader.cancel().catch(() => undefined));
  for (let piece = await reader.read(); !piece.done && !response.destroyed; piece = await reader.read())
    if (!response.write(piece.value)) await waitForDrain(response);
  response.end();
}
