/** Reads message bodies within limits: when one is reached, the oldest unfinished body is dropped for the next. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { notUtf8, tooManyBytes } from "../message.js";
import type { Rejection } from "./access.js";
import { type HttpBounds, Tally } from "./bounds.js";

// Small messages are limited by number, so that large ones never prevent a client from calling, answering or cancelling.
const freeBytes = 64 * 1024;

/** A body that is still arriving. */
interface Reading {
  readonly client: string;
  readonly maxBytes: number;
  chunks: Buffer[];
  /** The bytes that have arrived, and those of them that count towards the limit. */
  size: number;
  counted: number;
  /** Drops it and releases its share immediately. */
  end(rejection: Rejection): void;
}

export interface Bodies {
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
const ending = (rejection: Rejection): Rejection => ({
  ...rejection,
  headers: { ...rejection.headers, connection: "close" },
});

const tooLarge = (maxBytes: number): Rejection => ({
  status: 413,
  message: tooManyBytes(maxBytes),
});

/** The received bytes as text; most bodies arrive in one piece, which is not copied. */
function textIn({ chunks }: Reading): string | Rejection {
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  return isUtf8(bytes) ? bytes.toString("utf8") : { status: 400, ...notUtf8 };
}

/** Creates the body reader of an endpoint. */
export function createBodies(bounds: Pick<HttpBounds, "readings" | "bytes" | "maxBodyBytes" | "bodyMs">): Bodies {
  const messages = new Tally(bounds.readings, "unfinished messages");
  const bytes = new Tally(bounds.bytes, "large messages");
  // Oldest first.
  const unfinished = new Set<Reading>();

  /** Drops unfinished bodies, oldest first, until the client can hold this much more; or returns why that is not enough. */
  const makeRoom = (tally: Tally, client: string, more: number, weightOf: (reading: Reading) => number) => {
    for (;;) {
      const refusal = tally.refusal(client, more);
      if (!refusal) return undefined;
      const from = refusal.status === 429 ? client : tally.biggest();
      const oldest = [...unfinished].find((reading) => reading.client === from && weightOf(reading) > 0);
      if (!oldest) return refusal;
      oldest.end(refusal);
    }
  };

  /** Accepts a piece of a body, or drops the body. */
  const arrived = (reading: Reading, chunk: Buffer): void => {
    if (!unfinished.has(reading)) return;
    reading.size += chunk.length;
    const more = Math.max(0, reading.size - freeBytes) - reading.counted;
    const full =
      reading.size > reading.maxBytes
        ? tooLarge(reading.maxBytes)
        : more > 0
          ? makeRoom(bytes, reading.client, more, ({ counted }) => counted)
          : undefined;
    if (full) reading.end(full);
    // Making room may have dropped this body, if it is the oldest.
    if (!unfinished.has(reading)) return;
    reading.counted += more;
    bytes.add(reading.client, more);
    reading.chunks.push(chunk);
  };

  return {
    read(request, response, client, maxBytes = bounds.maxBodyBytes) {
      if (Number(request.headers["content-length"]) > maxBytes) return Promise.resolve(ending(tooLarge(maxBytes)));
      const refusal = makeRoom(messages, client, 1, () => 1);
      if (refusal) return Promise.resolve(ending(refusal));
      return new Promise((resolve) => {
        const settle = (outcome: string | Rejection | undefined): void => {
          if (!unfinished.delete(reading)) return;
          clearTimeout(timer);
          messages.add(client, -1);
          const free = (): void => bytes.add(client, -reading.counted);
          if (typeof outcome === "string" && !response.closed) response.once("close", free);
          else free();
          reading.chunks = [];
          resolve(outcome);
        };
        const end = (rejection: Rejection): void => settle(ending(rejection));
        const reading: Reading = { client, maxBytes, chunks: [], size: 0, counted: 0, end };
        const timer = setTimeout(() => {
          end({ status: 408, message: `The message did not arrive within ${bounds.bodyMs} ms.` });
        }, bounds.bodyMs);
        messages.add(client, 1);
        unfinished.add(reading);
        request.on("data", (chunk: Buffer) => arrived(reading, chunk));
        request.once("end", () => settle(textIn(reading)));
        request.once("close", () => settle(undefined));
      });
    },
  };
}
