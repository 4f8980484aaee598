/** What the headers of a response say about rate limits, in all the forms that the services use. */

type Headers = Readonly<Record<string, string>>;

/** What an upstream reports of a rate limit. */
export interface RateLimitReport {
  /** The requests that can still be made. */
  readonly remaining: number;
  /** The most requests that can be made at once. */
  readonly limit?: number | undefined;
  /** The requests that are added each minute; as many as the limit by default. */
  readonly perMinute?: number | undefined;
}

/** The names of one family of headers. */
const named = (prefix: string) => ({
  remaining: `${prefix}-remaining`,
  limit: `${prefix}-limit`,
  perSecond: `${prefix}-limit-per-second`,
  next: `${prefix}-next`,
});
// Of most services, of newer ones, and of reports (public facts A, 0.3).
const families = ["x-ratelimit", "akamai-ratelimit", "akamai-sync-ratelimit"].map(named);

/** The number at the start of a header. */
function numberIn(text: string | undefined): number | undefined {
  const [digits] = /^\d{1,9}(\.\d{1,9})?/.exec(text?.trim() ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The rate limit in the headers of a response; undefined if they have none. */
export function rateLimitIn(headers: Headers): RateLimitReport | undefined {
  for (const { remaining, limit, perSecond } of families) {
    const left = headers[remaining];
    if (left === undefined) continue;
    const count = numberIn(left);
    if (count === undefined) continue;
    const each = numberIn(headers[perSecond]);
    return { remaining: count, limit: numberIn(headers[limit]), perMinute: each === undefined ? undefined : each * 60 };
  }
  return undefined;
}

/** The seconds until an instant; undefined for any other text. */
function secondsUntil(text: string, nowMs: number): number | undefined {
  const seconds = Math.ceil((Date.parse(text) - nowMs) / 1000);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** How long it takes until the next request is accepted, in seconds, if the headers of a rate limit name the instant. */
export function nextRequestSeconds(headers: Headers, nowMs: number): number | undefined {
  const next = families.map((names) => headers[names.next]).find((text) => text !== undefined);
  const seconds = next === undefined ? undefined : secondsUntil(next, nowMs);
  return seconds === undefined ? undefined : Math.max(0, seconds);
}

/** How long to wait before a retry, in seconds, from any of the headers that the services use. */
export function retryAfterSeconds(headers: Headers, nowMs: number): number | undefined {
  const retryAfter = headers["retry-after"];
  if (retryAfter === undefined) return nextRequestSeconds(headers, nowMs);
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter);
  const seconds = secondsUntil(retryAfter, nowMs);
  return seconds !== undefined && seconds >= 0 ? seconds : undefined;
}
