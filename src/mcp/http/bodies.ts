/** Reads message bodies within limits: when one is reached, the oldest unfinished body is dropped for the next. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { notUtf8, tooManyBytes } from "../message.js";
import type { Rejection } from "./access.js";
import { type HttpBounds, ShareTally } from "./bounds.js";

// Small messages are limited by number, so that large ones never prevent a client from calling, answering or cancelling.
const freeBytes = 64 * 1024;

/** A body that is still arriving. */
interface UnfinishedBody {
  readonly client: string;
  readonly maxBytes: number;
  chunks: Buffer[];
  /** The bytes that have arrived, and those of them that count towards the limit. */
  size: number;
  counted: number;
  /** Drops it and releases its share immediately. */
  end(rejection: Rejection): void;
}

export interface BodyReader {
  /**
   * Reads a request's body as text. Its bytes count until the response closes.
   * @param client The client to whose share they count.
   * @returns undefined if the client disconnected first.
   */
  read(
    request: IncomingMessage,
    response: ServerResponse,
    client: string,
    maxBytes?: number,
  ): Promise<string | Rejection | undefined>;
}

// The rest of the body is not read, so the connection cannot be reused.
const closingConnection = (rejection: Rejection): Rejection => ({
  ...rejection,
  headers: { ...rejection.headers, connection: "close" },
});

const tooLarge = (maxBytes: number): Rejection => ({
  status: 413,
  message: tooManyBytes(maxBytes),
});

/** The received bytes as text; most bodies arrive in one piece, which is not copied. */
function textIn({ chunks }: UnfinishedBody): string | Rejection {
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  return isUtf8(bytes) ? bytes.toString("utf8") : { status: 400, ...notUtf8 };
}

/** Creates the body reader of an endpoint. */
export function createBodyReader(
  bounds: Pick<HttpBounds, "readings" | "bytes" | "maxBodyBytes" | "bodyMs">,
): BodyReader {
  const messages = new ShareTally(bounds.readings, "unfinished messages");
  const bytes = new ShareTally(bounds.bytes, "large messages");
  // Oldest first.
  const unfinished = new Set<UnfinishedBody>();

  /** Drops unfinished bodies, oldest first, until the client can hold this much more; or returns why that is not enough. */
  const makeRoom = (tally: ShareTally, client: string, more: number, weightOf: (body: UnfinishedBody) => number) => {
    for (;;) {
      const refusal = tally.refusal(client, more);
      if (!refusal) return undefined;
      const from = refusal.status === 429 ? client : tally.biggest();
      const oldest = [...unfinished].find((body) => body.client === from && weightOf(body) > 0);
      if (!oldest) return refusal;
      oldest.end(refusal);
    }
  };

  /** Accepts a piece of a body, or drops the body. */
  const receive = (body: UnfinishedBody, chunk: Buffer): void => {
    if (!unfinished.has(body)) return;
    body.size += chunk.length;
    const more = Math.max(0, body.size - freeBytes) - body.counted;
    const full =
      body.size > body.maxBytes
        ? tooLarge(body.maxBytes)
        : more > 0
          ? makeRoom(bytes, body.client, more, ({ counted }) => counted)
          : undefined;
    if (full) body.end(full);
    // Making room may have dropped this body, if it is the oldest.
    if (!unfinished.has(body)) return;
    body.counted += more;
    bytes.add(body.client, more);
    body.chunks.push(chunk);
  };

  return {
    read(request, response, client, maxBytes = bounds.maxBodyBytes) {
      if (Number(request.headers["content-length"]) > maxBytes)
        return Promise.resolve(closingConnection(tooLarge(maxBytes)));
      const refusal = makeRoom(messages, client, 1, () => 1);
      if (refusal) return Promise.resolve(closingConnection(refusal));
      return new Promise((resolve) => {
        const settle = (outcome: string | Rejection | undefined): void => {
          if (!unfinished.delete(body)) return;
          clearTimeout(timer);
          messages.add(client, -1);
          const free = (): void => bytes.add(client, -body.counted);
          if (typeof outcome === "string" && !response.closed) response.once("close", free);
          else free();
          body.chunks = [];
          resolve(outcome);
        };
        const end = (rejection: Rejection): void => settle(closingConnection(rejection));
        const body: UnfinishedBody = { client, maxBytes, chunks: [], size: 0, counted: 0, end };
        const timer = setTimeout(() => {
          end({ status: 408, message: `The message did not arrive within ${bounds.bodyMs} ms.` });
        }, bounds.bodyMs);
        messages.add(client, 1);
        unfinished.add(body);
        request.on("data", (chunk: Buffer) => receive(body, chunk));
        request.once("end", () => settle(textIn(body)));
        request.once("close", () => settle(undefined));
      });
    },
  };
}
