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

const headerFamily = (prefix: string) => ({
  remaining: `${prefix}-remaining`,
  limit: `${prefix}-limit`,
  perSecond: `${prefix}-limit-per-second`,
  next: `${prefix}-next`,
});
// Of most services, of newer ones, and of reports (public facts A, 0.3).
const families = ["x-ratelimit", "akamai-ratelimit", "akamai-sync-ratelimit"].map(headerFamily);

const numberAtStart = /^\d{1,9}(?:\.\d{1,9})?(?=$|[;\s])/;

/** The numbers in the values of a header, which are joined by commas; none for what is absent or no number. */
function numbersIn(text: string | undefined): readonly number[] {
  if (text === undefined) return [];
  return text.split(",").flatMap((value) => (numberAtStart.exec(value.trim()) ?? []).map(Number));
}

/** The least positive number in a header, which is the strictest limit; undefined if there is none. */
function leastIn(text: string | undefined): number | undefined {
  const positive = numbersIn(text).filter((one) => one > 0);
  return positive.length === 0 ? undefined : Math.min(...positive);
}

/** The rate limit in the headers of a response, the one with the fewest requests left; undefined if they have none. */
export function rateLimitIn(headers: Headers): RateLimitReport | undefined {
  const reports = families.flatMap(({ remaining, limit, perSecond }) => {
    const left = numbersIn(headers[remaining]);
    if (left.length === 0) return [];
    const each = leastIn(headers[perSecond]);
    return { remaining: Math.min(...left), limit: leastIn(headers[limit]), perMinute: each && each * 60 };
  });
  return reports.toSorted((one, other) => one.remaining - other.remaining)[0];
}

// An HTTP date or an instant with its zone: `Date.parse` takes much more, and reads a year out of any sentence.
const dated =
  /^(?:[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))$/;

/** The seconds until an instant, rounded up; undefined for any other text. */
function secondsUntil(text: string, nowMs: number): number | undefined {
  const ms = dated.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.ceil((ms - nowMs) / 1000);
}

const longest = (seconds: readonly number[]): number | undefined =>
  seconds.length === 0 ? undefined : Math.max(...seconds);

const nextSecondsIn = (headers: Headers, nowMs: number): readonly number[] =>
  families.flatMap(({ next }) => {
    const seconds = headers[next] === undefined ? undefined : secondsUntil(headers[next], nowMs);
    return seconds === undefined ? [] : Math.max(0, seconds);
  });

/** How long it takes until the next request is accepted, in seconds, if the headers of a rate limit name the instant. */
export const nextRequestSeconds = (headers: Headers, nowMs: number): number | undefined =>
  longest(nextSecondsIn(headers, nowMs));

// 31 years; the digits of a longer time may be no finite number.
const maxSeconds = 999_999_999;

/** The times that `Retry-After` names, in seconds: none if it is in the past, or no time. */
function retrySecondsIn(text: string, nowMs: number): readonly number[] {
  const values = text.split(",").map((value) => value.trim());
  if (values.every((value) => /^\d+$/.test(value))) return values.map((value) => Math.min(Number(value), maxSeconds));
  const seconds = secondsUntil(text, nowMs);
  return seconds !== undefined && seconds >= 0 ? [seconds] : [];
}

/** How long to wait before a retry, in seconds: the longest time that any of the headers names that the services use. */
export function retryAfterSeconds(headers: Headers, nowMs: number): number | undefined {
  const retryAfter = headers["retry-after"];
  const stated = retryAfter === undefined ? [] : retrySecondsIn(retryAfter, nowMs);
  return longest([...stated, ...nextSecondsIn(headers, nowMs)]);
}
