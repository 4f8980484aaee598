/** The way between node's HTTP objects and the SDK's web-standard handler, with as little copying as it allows. */
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * A node request as the part of a web Request that the SDK's handler reads: method, address, headers and signal. Making
 * a real Request for every call takes longer than the call; the body is handed over parsed, so it is never read from here.
 */
export function asWebRequest(request: IncomingMessage, signal: AbortSignal): Request {
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

/** Writes a web Response to node's: JSON in one piece, a stream with its back-pressure. */
export async function writeWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  if (answer.body === null || !headers["content-type"]?.startsWith("text/event-stream")) {
    const text = answer.body === null ? "" : await answer.text();
    response.writeHead(answer.status, { ...headers, "content-length": Buffer.byteLength(text) });
    response.end(text);
    return;
  }
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  const reader = answer.body.getReader();
  response.once("close", () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) break;
    if (!response.write(value))
      await new Promise<void>((resolve) => void response.once("drain", resolve).once("close", resolve));
  }
  response.end();
}

/** Reads a body up to a bound; `undefined` when it is larger. */
export async function readText(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers["content-length"]) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString("utf8");
}
