/**
 * What keeps open pages up to date: streams of server-sent events with the version that a page would have now. It is
 * looked up once a second for all streams together, and not at all while there is none.
 */
import type { ServerResponse } from "node:http";
import type { Rejection } from "../access.js";
import { ShareTally } from "../bounds.js";
import type { PlanReview } from "./review.js";
import type { DeskSession, SessionEndings } from "./session.js";

/** How often the version is looked up, in milliseconds. */
const pollMs = 1_000;
/** How often a stream without news is written to, so that no proxy takes it for dead. */
const quietMs = 15_000;
/** The time after which a browser connects again. */
const retryMs = 2_000;

interface Stream {
  readonly response: ServerResponse;
  readonly session: DeskSession;
  /** The version that its page was last notified of. */
  version?: string;
  writtenAtMs: number;
}

export interface Watch {
  /**
   * Opens the stream of a page, until its session expires; none if its browser has left.
   * @returns the rejection if this person has too many of them.
   */
  open(response: ServerResponse, session: DeskSession): Rejection | undefined;
  /** Ends all streams; their browsers connect again. */
  close(): void;
}

const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };

const eventOf = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

/** Answers a page without a session: it need not connect again. */
export function endStream(response: ServerResponse): void {
  response.writeHead(200, headers).end(eventOf("signed-out", "yes"));
}

/** @param endedOf Which of some sessions have ended. */
export function createWatch(review: PlanReview, endedOf: SessionEndings["of"], now: () => number): Watch {
  const streams = new Set<Stream>();
  const tally = new ShareTally({ client: 32, all: 512 }, "pages");
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;

  const write = (stream: Stream, text: string): void => {
    stream.response.write(text);
    stream.writtenAtMs = now();
  };

  const update = (stream: Stream, version: string): void => {
    if (version !== stream.version) write(stream, eventOf("version", version));
    else if (stream.writtenAtMs + quietMs <= now()) write(stream, ":\n\n");
    stream.version = version;
  };

  const round = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      const version = await review.version();
      const all = [...streams];
      const ended = await endedOf(all.map(({ session }) => session));
      for (const stream of all)
        if (ended.has(stream.session)) stream.response.end(eventOf("signed-out", "yes"));
        else update(stream, version);
    } catch {
      // The store may be back in the next round; until then the pages stay as they are, and a reload says what is wrong.
    } finally {
      isReading = false;
    }
  };

  const remove = (stream: Stream): void => {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    open(response, session) {
      // It has closed already: a stream that is added now would never be removed, and the store would be read for it.
      if (response.closed) return undefined;
      const share = tally.take(session.id, 1);
      if (typeof share !== "function") return share;
      const stream: Stream = { response, session, writtenAtMs: now() };
      streams.add(stream);
      response.once("close", () => {
        share();
        remove(stream);
      });
      response.writeHead(200, headers);
      write(stream, `retry: ${retryMs}\n\n`);
      timer ??= setInterval(() => void round(), pollMs);
      void round();
      return undefined;
    },
    close() {
      for (const { response } of streams) response.end();
    },
  };
}
