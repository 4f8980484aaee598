/** How soon an API accepts the next request: a token bucket, filled as published and corrected by what responses say. */
import type { Bucket } from "../language/rate-limit.js";
import { minuteMs } from "../time/durations.js";
import { nextRequestSeconds, type RateLimitReport, rateLimitIn, retryAfterSeconds } from "./rate-limit-headers.js";
import { maxClosedMs } from "./shared-limits.js";

/** The part of what calls leave that background work takes. */
const spareShare = 1 / 5;

// Unless a refusal says that the API's own limit is used up, it may be about one object: it must not close the API for all.
const maxClosedByOneMs = 5 * minuteMs;

export class TokenBucket {
  readonly #isPublished: boolean;
  /** How many processes share the bucket. */
  readonly #processes: () => number;
  /** Undefined while nothing is known of a limit. */
  #bucket: Bucket | undefined;
  #tokens = Number.POSITIVE_INFINITY;
  /** The tokens that background work can take: the share of those that were added and not taken by calls. */
  #spare = Number.POSITIVE_INFINITY;
  #filledAtMs = 0;
  #closedUntilMs = 0;
  #isClosedByLimit = false;

  constructor(published: Bucket | undefined, processes: () => number) {
    this.#bucket = published;
    this.#isPublished = published !== undefined;
    this.#processes = processes;
  }

  /** How long it takes until a number of requests can be sent, in milliseconds. */
  waitMs(nowMs: number, requests = 1): number {
    const closedMs = this.#closedMs(nowMs);
    if (this.#bucket === undefined) return closedMs;
    this.#fill(this.#bucket, nowMs);
    const lacking = requests - this.#tokens;
    return lacking <= 0 ? closedMs : Math.max(closedMs, (lacking / this.#perMinute(this.#bucket)) * minuteMs);
  }

  /** How long it takes until background work can send a request, in milliseconds; zero where nothing is known of a limit. */
  spareMs(nowMs: number): number {
    const waitMs = this.waitMs(nowMs);
    if (this.#bucket === undefined || this.#spare >= 1) return waitMs;
    return Math.max(waitMs, ((1 - this.#spare) / (spareShare * this.#perMinute(this.#bucket))) * minuteMs);
  }

  /** Why no request is accepted at the moment, as a clause. */
  cause(nowMs: number): string {
    const isByOne = this.#closedMs(nowMs) > 0 && !this.#isClosedByLimit;
    return isByOne ? "It answered 429 with a time to wait" : "Its rate limit is used up";
  }

  /** Counts a request, of a call or of background work. */
  take(isSpare: boolean): void {
    this.#tokens -= 1;
    this.#setSpare(this.#spare - (isSpare ? 1 : spareShare));
  }

  /**
   * Takes account of a response.
   * @param others How many other requests are in progress, which its figures may not contain yet.
   * @returns how long no request is accepted, in milliseconds; undefined if the response says nothing about that.
   */
  observe(
    { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
    others: number,
    nowMs: number,
  ): number | undefined {
    const report = rateLimitIn(headers);
    if (report) this.#correct(report, others, nowMs);
    const isUsedUp = report?.remaining === 0;
    if (status !== 429 && !isUsedUp) return undefined;
    // Of any other response, Retry-After is about the object that it shows.
    const seconds = status === 429 ? retryAfterSeconds(headers, nowMs) : nextRequestSeconds(headers, nowMs);
    const closedMs = seconds === undefined ? status === 429 && isUsedUp && this.#wholeMs() : seconds * 1000;
    if (closedMs === false || closedMs === undefined) return undefined;
    const isByLimit = status === 429 && isUsedUp;
    const untilMs = nowMs + Math.min(closedMs, isByLimit ? maxClosedMs : maxClosedByOneMs);
    if (untilMs > this.#closedUntilMs) {
      this.#closedUntilMs = untilMs;
      this.#isClosedByLimit = isUsedUp;
    }
    return this.#closedMs(nowMs);
  }

  #closedMs(nowMs: number): number {
    // A clock that was set back must not keep it closed for longer.
    this.#closedUntilMs = Math.min(this.#closedUntilMs, nowMs + maxClosedMs);
    return Math.max(0, this.#closedUntilMs - nowMs);
  }

  /** When a refusal without a time ends: when the limit is whole again, or after a minute, for which limits are set. */
  #wholeMs(): number | undefined {
    return this.#bucket && Math.min(1, this.#bucket.burst / this.#bucket.perMinute) * minuteMs;
  }

  /** The upstream's own count, which others use up, too. */
  #correct({ remaining, limit, perMinute }: RateLimitReport, others: number, nowMs: number): void {
    if (!this.#isPublished && limit !== undefined) this.#bucket = { burst: limit, perMinute: perMinute ?? limit };
    if (this.#bucket === undefined) return;
    this.#fill(this.#bucket, nowMs);
    this.#tokens = Math.min(this.#tokens, Math.max(0, remaining - others) / this.#processes());
    this.#setSpare(this.#spare);
  }

  #setSpare(spare: number): void {
    this.#spare = Math.min(spare, spareShare * this.#tokens);
  }

  /** The requests that are added each minute; however slow a response says it is, the next one comes in time. */
  #perMinute({ perMinute }: Bucket): number {
    return Math.max(perMinute / this.#processes(), minuteMs / maxClosedMs);
  }

  #fill(bucket: Bucket, nowMs: number): void {
    const added = (Math.max(0, nowMs - this.#filledAtMs) / minuteMs) * this.#perMinute(bucket);
    this.#tokens = Math.min(Math.max(1, bucket.burst / this.#processes()), this.#tokens + added);
    this.#filledAtMs = nowMs;
    this.#setSpare(this.#spare + spareShare * added);
  }
}
