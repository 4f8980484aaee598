/** The adapter between Node's HTTP objects and the SDK's web-standard handler, with as little copying as possible. */
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * The part of an AbortSignal that the SDK listens to, aborted when the client disconnects before it has its response. A
 * real one would be among the most expensive parts of a request.
 */
export class Disconnection extends EventTarget {
  aborted = false;
  readonly reason = "the client disconnected";

  constructor(response: ServerResponse) {
    super();
    response.once("close", () => {
      if (response.writableFinished) return;
      this.aborted = true;
      this.dispatchEvent(new Event("abort"));
    });
  }
}

/**
 * A node request as the part of a web Request that the SDK's handler reads: method, address, headers and signal. Making
 * a real Request for every call takes longer than the call; the body is handed over parsed, so it is never read from here.
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

/** Waits until the response drains or closes, and removes both listeners. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.on("drain", go).on("close", go);
  });
}

/** Writes a web Response to node's: JSON in one piece, a stream with its back-pressure. */
export async function writeWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  if (answer.body === null) {
    response.writeHead(answer.status, headers).end();
    return;
  }
  const isStream = headers["content-type"]?.startsWith("text/event-stream") === true;
  const reader = answer.body.getReader();
  let piece = await reader.read();
  if (!isStream && !piece.done) {
    const next = await reader.read();
    if (next.done) {
      response.writeHead(answer.status, { ...headers, "content-length": piece.value.byteLength }).end(piece.value);
      return;
    }
    response.writeHead(answer.status, headers).write(piece.value);
    piece = next;
  } else {
    response.writeHead(answer.status, headers).flushHeaders();
  }
  response.once("close", () => void reader.cancel().catch(() => undefined));
  while (!piece.done && !response.destroyed) {
    if (!response.write(piece.value)) await drained(response);
    piece = await reader.read();
  }
  response.end();
}
