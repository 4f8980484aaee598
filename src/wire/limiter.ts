/** The limits of each API: how many requests are made of it at a time, and a bounded queue in which owners take turns. */
import type { AnyOperation } from "../language/define.js";
import { Failure } from "../language/failure.js";
import { SendFailure, type WireResponse } from "../language/wire.js";
import { type Deadline, waitFor } from "../time/durations.js";
import type { SharedLimits } from "./shared-limits.js";
import { TokenBucket } from "./token-bucket.js";

export interface LimitOptions {
  /** The most requests that are made of an API at a time, by all processes together. */
  readonly concurrency: number;
  /** The most requests that wait for an API in this process. */
  readonly queue: number;
  /** Whether the published limits apply, as they do to the vendor's own hosts. */
  readonly isPublishedObeyed: boolean;
  /** Absent if no other process is known of. */
  readonly shared?: SharedLimits;
  readonly now?: () => number;
}

/** For whom a request waits. */
export interface QueueContext {
  /** Requests of different owners take turns. */
  readonly owner: string;
  readonly deadline: Deadline;
  /** Called once with a sentence if it has to wait; absent if nobody is told. */
  readonly onWait?: ((message: string) => void) | undefined;
  /** Whether it is background work, which only takes a part of what calls leave. */
  readonly isSpare?: boolean | undefined;
}

interface QueuedRequest {
  readonly owner: string;
  readonly admit: () => void;
}

// How often background work looks whether the calls for which it waits have ended.
const yieldMs = 100;

const defaultLimits: LimitOptions = { concurrency: 16, queue: 256, isPublishedObeyed: false };

/** The requests of one API, or of one operation if the upstream counts each separately. */
export class Limiter {
  readonly #api: string;
  readonly #name: string;
  readonly #options: LimitOptions;
  readonly #bucket: TokenBucket;
  readonly #now: () => number;
  /** Who waits, by owner; the owner whose turn it is comes first. */
  readonly #waiters = new Map<string, QueuedRequest[]>();
  #waiting = 0;
  #running = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Whether those who wait will be admitted at the end of this turn of the event loop. */
  #isAdmitting = false;

  /**
   * @param api The API in words.
   * @param name The same, and the operation if that is counted separately.
   */
  constructor(api: string, name: string, bucket: ConstructorParameters<typeof TokenBucket>[0], options: LimitOptions) {
    const { now = Date.now, isPublishedObeyed } = options;
    this.#api = api;
    this.#name = name;
    this.#options = options;
    this.#now = now;
    this.#bucket = new TokenBucket(isPublishedObeyed ? bucket : undefined, () => this.#processes());
  }

  get counts(): ApiCounts {
    return { api: this.#api, waiting: this.#waiting, running: this.#running };
  }

  /**
   * Admits a request; `leave` must be called when it has ended.
   * @returns undefined if it need not wait, or what resolves when it is admitted. That rejects with a SendFailure if the
   *   caller leaves, and with a Failure if the deadline passes.
   * @throws Failure `rate_limited` if it cannot be admitted before the deadline.
   */
  enter(tool: string, context: QueueContext): Promise<void> | undefined {
    if (context.isSpare === true) return this.#enterSpare(context.deadline);
    if (!this.#isFree()) {
      this.refuseIfOverloaded(tool, context.deadline);
      return this.#enqueue(tool, context);
    }
    this.#start();
    return undefined;
  }

  /** Admits background work as soon as no request is made or waits, and a part of what calls have left covers it. */
  async #enterSpare({ signal, timeLeftMs }: Deadline): Promise<void> {
    for (;;) {
      const isBusy = this.#waiting > 0 || this.#running > 0;
      const waitMs = Math.max(isBusy ? yieldMs : 0, this.#waitMs(), this.#bucket.spareMs(this.#now()));
      if (waitMs === 0) return this.#start(true);
      if (waitMs > timeLeftMs()) throw new SendFailure("overdue", false);
      await waitFor(waitMs, signal, true);
      if (signal?.aborted) throw new SendFailure("aborted", false);
    }
  }

  /** Ends a request that was admitted, after its response was read. */
  leave(): void {
    this.#running -= 1;
    if (this.#waiting === 0 || this.#isAdmitting) return;
    // Together with others that end in this turn: what is sent one at a time, between the responses of others, takes the
    // processor longer.
    this.#isAdmitting = true;
    setImmediate(() => {
      this.#isAdmitting = false;
      this.#admitWaiting();
    });
  }

  /**
   * Takes account of the response to a request that was admitted.
   * @returns how long the API accepts no request, in milliseconds, if the response says so.
   */
  observe(response: WireResponse): number | undefined {
    const closedMs = this.#bucket.observe(response, this.#running - 1, this.#now());
    if (closedMs !== undefined && closedMs > 0) this.#options.shared?.close(this.#name, closedMs);
    return closedMs;
  }

  /**
   * Refuses a request that could not be sent in time.
   * @throws Failure `rate_limited`
   */
  refuseIfOverloaded(tool: string, deadline: Deadline): void {
    if (this.#isFree()) return;
    const waitMs = this.#waitMs(this.#waiting + 1);
    const isInTime = waitMs === 0 || waitMs < deadline.timeLeftMs();
    if (isInTime && this.#waiting < this.#options.queue) return;
    const seconds = this.#retrySeconds();
    if (!isInTime)
      throw new Failure(
        "rate_limited",
        `${tool} was not sent: the ${this.#api} API accepts no more requests in time.`,
        {
          why: `${this.#closure()}, and ${this.#waiting} of this server's requests wait for it already. Nothing was sent.`,
          next: `Wait before you call again. Retry after ${seconds} s.`,
          retryAfterSeconds: seconds,
        },
      );
    const cause =
      this.#waitMs() > 0 ? this.#closure() : `This server makes at most ${this.#maxRunning()} requests of it at a time`;
    throw new Failure("rate_limited", `${tool} was not sent: too many requests wait for the ${this.#api} API.`, {
      why: `${cause}, and ${this.#waiting} wait already. Nothing was sent.`,
      next: `Wait before you call again, and make fewer calls at once. Retry after ${seconds} s.`,
      retryAfterSeconds: seconds,
    });
  }

  #processes(): number {
    return Math.max(1, this.#options.shared?.processes() ?? 1);
  }

  /** How many requests this process makes at a time. */
  #maxRunning(): number {
    return Math.max(1, Math.floor(this.#options.concurrency / this.#processes()));
  }

  #waitMs(requests = 1): number {
    return Math.max(this.#bucket.waitMs(this.#now(), requests), this.#options.shared?.closedMs(this.#name) ?? 0);
  }

  /** When a refused call can be repeated, in whole seconds, which are never too few. */
  #retrySeconds(): number {
    return Math.max(1, Math.ceil(this.#waitMs() / 1000));
  }

  /** Why the API accepts no request, and until when, as the beginning of a sentence. */
  #closure(): string {
    const nowMs = this.#now();
    const waitMs = this.#waitMs();
    const isByOther = waitMs > this.#bucket.waitMs(nowMs);
    const cause = isByOther ? "Another instance of this server found it closed" : this.#bucket.cause(nowMs);
    const until = new Date(nowMs + waitMs).toISOString();
    return waitMs > 0 ? `${cause}, so that no request is sent before ${until}` : cause;
  }

  #isFree(): boolean {
    return this.#waiting === 0 && this.#running < this.#maxRunning() && this.#waitMs() === 0;
  }

  #start(isSpare = false): void {
    this.#running += 1;
    this.#bucket.take(isSpare);
  }

  /** Admits those whose turn it is, as far as the limits allow. */
  #admitWaiting(): void {
    clearTimeout(this.#timer);
    while (this.#waiting > 0 && this.#running < this.#maxRunning()) {
      const waitMs = this.#waitMs();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#admitWaiting(), Math.ceil(waitMs));
        return;
      }
      const [[owner, [first] = []] = []] = this.#waiters;
      if (owner === undefined || first === undefined) throw new Error("A waiting request has an owner.");
      this.#remove(first);
      // To the end, so that the next one is another owner's.
      const others = this.#waiters.get(owner);
      if (others && this.#waiters.delete(owner)) this.#waiters.set(owner, others);
      this.#start();
      first.admit();
    }
  }

  #remove(waiter: QueuedRequest): void {
    const queue = this.#waiters.get(waiter.owner) ?? [];
    queue.splice(queue.indexOf(waiter), 1);
    if (queue.length === 0) this.#waiters.delete(waiter.owner);
    this.#waiting -= 1;
    if (this.#waiting === 0) clearTimeout(this.#timer);
  }

  /** How many requests are admitted before the last one of an owner, if no others come. */
  #aheadOfLast(owner: string): number {
    const rounds = (this.#waiters.get(owner)?.length ?? 1) - 1;
    let ahead = rounds;
    let isBefore = true;
    for (const [other, { length }] of this.#waiters) {
      if (other === owner) isBefore = false;
      else ahead += Math.min(length, isBefore ? rounds + 1 : rounds);
    }
    return ahead;
  }

  #enqueue(tool: string, context: QueueContext): Promise<void> {
    const { owner, deadline, onWait } = context;
    const { signal } = deadline;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(overdue);
        signal?.removeEventListener("abort", leave);
      };
      const giveUp = (because: Error): void => {
        settle();
        this.#remove(waiter);
        reject(because);
      };
      const admit = (): void => {
        settle();
        resolve();
      };
      const waiter: QueuedRequest = { owner, admit };
      const leave = (): void => giveUp(new SendFailure("aborted", false));
      const overdue = setTimeout(() => giveUp(this.#overdueFailure(tool)), Math.max(0, deadline.timeLeftMs()));
      const queue = this.#waiters.get(owner);
      if (queue) queue.push(waiter);
      else this.#waiters.set(owner, [waiter]);
      this.#waiting += 1;
      signal?.addEventListener("abort", leave, { once: true });
      if (signal?.aborted) return leave();
      onWait?.(`Waiting for ${this.#reason()} (${this.#aheadOfLast(owner)} ahead)`);
      // If nothing is in progress, nothing else would wake it.
      if (this.#waiting === 1) this.#admitWaiting();
    });
  }

  /** What a request waits for, in words. */
  #reason(): string {
    return this.#waitMs() > 0
      ? `the ${this.#api} API to accept more requests, in ${this.#retrySeconds()} s`
      : `a free slot of the ${this.#api} API`;
  }

  #overdueFailure(tool: string): Failure {
    const seconds = this.#retrySeconds();
    const closure = this.#waitMs() > 0 ? `${this.#closure()}. ` : "";
    return new Failure("rate_limited", `${tool} was not sent: its timeout has passed while it waited.`, {
      why: `It waited for ${this.#reason()}. ${closure}Nothing was sent.`,
      next: `Wait before you call again, and make fewer calls at once. Retry after ${seconds} s.`,
      retryAfterSeconds: seconds,
    });
  }
}

/** The limiters of a profile. */
export interface Limiters {
  /** @param service Its name, if the operation belongs to no declared one. */
  of(service: string, operation: AnyOperation): Limiter;
  /** The requests that wait, and that were sent and are not answered, for each API. */
  counts(): readonly ApiCounts[];
}

interface ApiCounts {
  readonly api: string;
  readonly waiting: number;
  readonly running: number;
}

/** Creates the limiters of a profile. */
export function createLimiters(options: LimitOptions = defaultLimits): Limiters {
  const byOperation = new WeakMap<AnyOperation, Limiter>();
  const byName = new Map<string, Limiter>();
  return {
    counts() {
      const counts = new Map<string, ApiCounts>();
      for (const { counts: apiCounts } of byName.values()) {
        const { waiting = 0, running = 0 } = counts.get(apiCounts.api) ?? {};
        counts.set(apiCounts.api, {
          api: apiCounts.api,
          waiting: waiting + apiCounts.waiting,
          running: running + apiCounts.running,
        });
      }
      return [...counts.values()];
    },
    of(service, operation) {
      const existing = byOperation.get(operation);
      if (existing) return existing;
      const { title = service, rateLimit } = operation.service ?? {};
      const { api = title, isPerOperation, bucket } = rateLimit ?? {};
      const name = isPerOperation ? `${api} ${operation.route}` : api;
      const limiter = byName.get(name) ?? new Limiter(api, name, bucket, options);
      byName.set(name, limiter);
      byOperation.set(operation, limiter);
      return limiter;
    },
  };
}
