/** What is observed of one request of a client: what it asked of the upstream, how long it waited, and how it ended. */
import type { FailureCode } from "../language/failure.js";
import type { OnRequest } from "../language/wire.js";

/** How a tool call ended; a workflow of which a part failed has ended as `partial`. */
export type CallOutcome = "ok" | "partial" | "preview" | "question" | FailureCode;

export interface RequestObservation {
  /** A request to the upstream begins. */
  readonly sending: OnRequest;
  /** Something is waited for that is neither this server nor the upstream. @returns what ends it. */
  readonly beginWait: () => () => void;
  /** The id of the call in the audit log, which says who made it. */
  recordedAs(call: string): void;
  /** How the tool call has ended; the last one counts. */
  ended(outcome: CallOutcome): void;
}

/** The time in which at least one of several things was going on, in milliseconds. */
class Stopwatch {
  #since = 0;
  #open = 0;
  #total = 0;

  /** @returns what ends it; only its first call counts. */
  begin(): () => void {
    if (this.#open === 0) this.#since = performance.now();
    this.#open += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#open -= 1;
      if (this.#open === 0) this.#total += performance.now() - this.#since;
    };
  }

  get ms(): number {
    return this.#open === 0 ? this.#total : this.#total + performance.now() - this.#since;
  }
}

/** Where the time of a request goes. */
export class Times {
  readonly #startedMs = performance.now();
  readonly #upstream = new Stopwatch();
  /** The upstream, and whatever else is waited for: a user who is asked, and pauses between attempts. */
  readonly #elsewhere = new Stopwatch();
  /** The requests to the upstream so far. */
  requests = 0;

  /** A request to the upstream begins. @returns what ends it. */
  beginRequest(): () => void {
    this.requests += 1;
    const ends = [this.#upstream.begin(), this.#elsewhere.begin()];
    return () => {
      for (const end of ends) end();
    };
  }

  readonly beginWait = (): (() => void) => this.#elsewhere.begin();

  get totalMs(): number {
    return performance.now() - this.#startedMs;
  }

  get upstreamMs(): number {
    return this.#upstream.ms;
  }

  /** The time that this server itself took. */
  get ownMs(): number {
    return Math.max(0, this.totalMs - this.#elsewhere.ms);
  }
}
