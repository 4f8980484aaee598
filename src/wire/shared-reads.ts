/** One request for identical reads that one owner makes at the same time. */
import { SendFailure } from "../language/wire.js";
import { type Deadline, waitFor } from "../time/durations.js";
import type { Reply } from "./reply.js";
import type { ResolvedRequest } from "./request.js";

interface SharedRead {
  readonly reply: Promise<Reply>;
  /** The deadline of the call that sends it. */
  readonly deadline: Deadline;
}

const isOver = ({ signal, timeLeftMs }: Deadline): boolean => signal?.aborted === true || timeLeftMs() <= 0;

/** The reads of a client that are in progress. */
export class SharedReads {
  readonly #reads = new Map<string, SharedRead>();

  /** The key of a read: all that determines its response, and the words of a failure. */
  static keyOf(owner: string, tool: string, { method, url, headers, body }: ResolvedRequest): string {
    const bytes = body === undefined ? "" : Buffer.from(body).toString("base64");
    return JSON.stringify([owner, tool, method, url.href, headers, bytes]);
  }

  /**
   * The response to a read: of the one in progress, or of a new one.
   * @param onJoin Called if it is the one in progress.
   * @param send Sends a new one.
   * @throws what `send` throws, and SendFailure if this call ends before another one's response arrives.
   */
  reply(key: string, deadline: Deadline, onJoin: () => void, send: () => Promise<Reply>): Promise<Reply> {
    const inProgress = this.#reads.get(key);
    if (inProgress === undefined) return this.#share(key, { reply: send(), deadline });
    onJoin();
    return this.#replyOfOther(inProgress, deadline).then((reply) => reply ?? this.reply(key, deadline, onJoin, send));
  }

  /** Makes later reads send a new request, because something may have changed since those in progress were sent. */
  forget(): void {
    this.#reads.clear();
  }

  async #share(key: string, read: SharedRead): Promise<Reply> {
    this.#reads.set(key, read);
    try {
      return await read.reply;
    } finally {
      if (this.#reads.get(key) === read) this.#reads.delete(key);
    }
  }

  /** The response to another call's read; undefined if that call has ended before it arrived, and this one has not. */
  async #replyOfOther({ reply, deadline: sender }: SharedRead, deadline: Deadline): Promise<Reply | undefined> {
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    deadline.signal?.addEventListener("abort", leave, { once: true });
    if (deadline.signal?.aborted) leave();
    const over = waitFor(Math.max(0, deadline.timeLeftMs()), leaving.signal).then(() => "over" as const);
    const replyOrEnd = reply.catch((error: unknown) => {
      if (isOver(sender)) return undefined;
      throw error;
    });
    try {
      const first = await Promise.race([replyOrEnd, over]);
      if (first === "over") throw new SendFailure(deadline.signal?.aborted ? "aborted" : "overdue", false);
      return first;
    } finally {
      deadline.signal?.removeEventListener("abort", leave);
      leave();
    }
  }
}
