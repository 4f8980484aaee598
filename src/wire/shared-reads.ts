/** One request for identical reads that one owner makes at the same time. */
import { type Deadline, waitFor } from "../language/durations.js";
import { SendFailure } from "../language/wire.js";
import type { Reply } from "./reply.js";
import type { ResolvedRequest } from "./request.js";

interface Read {
  readonly reply: Promise<Reply>;
  /** The deadline of the call that sends it. */
  readonly deadline: Deadline;
}

const isOver = ({ signal, timeLeftMs }: Deadline): boolean => signal?.aborted === true || timeLeftMs() <= 0;

/** The reads of a client that are in progress. */
export class SharedReads {
  readonly #reads = new Map<string, Read>();

  /** The key of a read: all that determines its response, and the words of a failure. */
  static keyOf(owner: string, tool: string, { method, url, headers, body }: ResolvedRequest): string {
    const bytes = body === undefined ? "" : Buffer.from(body).toString("base64");
    return JSON.stringify([owner, tool, method, url.href, headers, bytes]);
  }

  /**
   * The response to a read: of the one in progress, or of a new one.
   * @param joined Called if it is the one in progress.
   * @param send Sends a new one.
   * @throws what `send` throws, and SendFailure if this call ends before another one's response arrives.
   */
  reply(key: string, deadline: Deadline, joined: () => void, send: () => Promise<Reply>): Promise<Reply> {
    const known = this.#reads.get(key);
    if (known === undefined) return this.#sent(key, { reply: send(), deadline });
    joined();
    return this.#ofOther(known, deadline).then((reply) => reply ?? this.reply(key, deadline, joined, send));
  }

  /** Has later reads sent anew, because something may have changed since the ones in progress were sent. */
  forget(): void {
    this.#reads.clear();
  }

  async #sent(key: string, read: Read): Promise<Reply> {
    this.#reads.set(key, read);
    try {
      return await read.reply;
    } finally {
      if (this.#reads.get(key) === read) this.#reads.delete(key);
    }
  }

  /** The response to another call's read; undefined if that call has ended before it arrived, and this one has not. */
  async #ofOther({ reply, deadline: sender }: Read, deadline: Deadline): Promise<Reply | undefined> {
    const own = new AbortController();
    const leave = () => own.abort();
    deadline.signal?.addEventListener("abort", leave, { once: true });
    if (deadline.signal?.aborted) leave();
    const over = waitFor(Math.max(0, deadline.timeLeftMs()), own.signal).then(() => "over" as const);
    const ended = reply.catch((error: unknown) => {
      if (isOver(sender)) return undefined;
      throw error;
    });
    try {
      const first = await Promise.race([ended, over]);
      if (first === "over") throw new SendFailure(deadline.signal?.aborted ? "aborted" : "overdue", false);
      return first;
    } finally {
      deadline.signal?.removeEventListener("abort", leave);
      leave();
    }
  }
}
