/** The limits of an API: how many requests are made at a time, whose turn it is, who is refused, and how soon more are accepted. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type AnyOperation, json, op } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import type { Bucket, RateLimit } from "../../src/language/rate-limit.js";
import type { SendFailure } from "../../src/language/wire.js";
import { z } from "../../src/language/z.js";
import { deadlineIn } from "../../src/time/durations.js";
import { createLimiters, type Limiter, type LimitOptions } from "../../src/wire/limiter.js";
import type { SharedLimits } from "../../src/wire/shared-limits.js";
import { runs } from "../lab/depth.js";
import { type Answer, responseOf } from "./exchange.js";

const does = "Does something.";
const operation = (route: "GET /a" | "GET /b", rateLimit?: RateLimit): AnyOperation => ({
  ...op(route, { does, returns: { 200: json(z.unknown()) }, example: {} }),
  service: { title: "Things", standing: { state: "alive" }, vendorWords: [], operations: {}, rateLimit },
});
const options: LimitOptions = { concurrency: 2, queue: 3, isPublishedObeyed: true };

/** A limiter, for an API with a published limit if one is given. */
const limiterOf = (others: Partial<LimitOptions> = {}, bucket?: Bucket): Limiter =>
  createLimiters({ ...options, ...others }).of(
    "x",
    operation("GET /a", bucket && { api: "Things", bucket, source: "a page" }),
  );

/** What processes share: how many they are, and how long the API stays closed for another one. */
const sharedBy = (processes: number, closedMs = () => 0): SharedLimits => ({
  processes: () => processes,
  closedMs,
  close: () => undefined,
});

const answered = (status: number, headers: Answer["headers"] = {}) => responseOf({ status, headers, body: "" });

/** Enters a limiter, and keeps what has come of it. */
function enter(limiter: Limiter, owner = "one", totalMs = 60_000) {
  const heard: string[] = [];
  const left = new AbortController();
  const entry = { heard, leave: () => left.abort(), state: "waiting" as string, error: undefined as unknown };
  const refused = (error: unknown) => {
    entry.state = error instanceof Failure ? error.code : (error as SendFailure).reason;
    entry.error = error;
  };
  try {
    const waiting = limiter.enter("thing_get", {
      owner,
      deadline: deadlineIn(totalMs, left.signal),
      onWait: (message) => heard.push(message),
    });
    if (waiting === undefined) entry.state = "admitted";
    else waiting.then(() => (entry.state = "admitted"), refused);
  } catch (error) {
    refused(error);
  }
  return entry;
}
const settled = () => vi.advanceTimersByTimeAsync(0);
/** Enters so many times, and counts those that are admitted: at once, or by when it is asked again. */
function enterAll(limiter: Limiter, count: number): () => number {
  const entries = Array.from({ length: count }, () => enter(limiter));
  return () => entries.filter(({ state }) => state === "admitted").length;
}

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 4, 20) }));
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it("an API's concurrency and queue stay in bounds, and no one is lost", async () => {
  const moves = fc.array(fc.record({ kind: fc.constantFrom("enter", "leave", "abort"), owner: fc.nat(3) }), {
    maxLength: 120,
  });
  await fc.assert(
    fc.asyncProperty(moves, fc.integer({ min: 1, max: 5 }), fc.nat(8), async (all, concurrency, queue) => {
      const limiter = limiterOf({ concurrency, queue });
      const entries: ReturnType<typeof enter>[] = [];
      const count = (state: string) => entries.filter((one) => one.state === state).length;
      let gone = 0;
      for (const { kind, owner } of all) {
        const isFull = count("admitted") - gone >= concurrency;
        if (kind === "enter") entries.push(enter(limiter, `owner ${owner}`));
        if (kind === "leave" && count("admitted") > gone) {
          gone += 1;
          limiter.leave();
        }
        if (kind === "abort") entries.find(({ state }) => state === "waiting")?.leave();
        await settled();
        const running = count("admitted") - gone;
        expect(running).toBeLessThanOrEqual(concurrency);
        expect(count("waiting")).toBeLessThanOrEqual(queue);
        // A slot is free only if no one waits, and no one waits or is refused unless all are taken.
        if (running < concurrency) expect(count("waiting")).toBe(0);
        if (kind === "enter" && !isFull) expect(entries.at(-1)?.state).toBe("admitted");
      }
      while (count("admitted") > gone) {
        gone += 1;
        limiter.leave();
        await settled();
      }
      expect(count("waiting")).toBe(0);
    }),
    { numRuns: runs(10) },
  );
});

it("an API's concurrency is divided by processes, and never below one", () => {
  for (const [processes, most] of [
    [1, 8],
    [3, 2],
    [50, 1],
  ] as const)
    expect(enterAll(limiterOf({ concurrency: 8, queue: 0, shared: sharedBy(processes) }), 10)()).toBe(most);
});

it("an API's queue never admits an owner twice while another waits", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(4), { minLength: 2, maxLength: 40 }), async (owners) => {
      const limiter = limiterOf({ concurrency: 1, queue: 100 });
      enter(limiter, "first");
      const queued = owners.map((owner) => ({ owner, entry: enter(limiter, `owner ${owner}`) }));
      const sinceTurn = new Map<number, number>();
      for (let left = queued.length; left > 0; left -= 1) {
        const waiting = queued.filter(({ entry }) => entry.state === "waiting");
        limiter.leave();
        await settled();
        const next = waiting.find(({ entry }) => entry.state === "admitted");
        for (const owner of new Set(waiting.map((one) => one.owner)))
          sinceTurn.set(owner, owner === next?.owner ? 0 : (sinceTurn.get(owner) ?? 0) + 1);
        expect(Math.max(...sinceTurn.values())).toBeLessThan(5);
      }
    }),
    { numRuns: runs(10) },
  );
});

it("an API's queue says what a call waits for and who is ahead, once", async () => {
  const limiter = limiterOf({ concurrency: 1, queue: 10 });
  const owners = ["a", "a", "a", "b", "a", "c", "b"];
  const entries = owners.map((owner) => enter(limiter, owner));
  const ahead = entries.map(({ heard }) =>
    heard.map((said) => /slot of the Things API \((\d) ahead\)/.exec(said)?.[1]),
  );
  expect(ahead).toEqual([[], ["0"], ["1"], ["1"], ["3"], ["2"], ["4"]]);
  for (const { leave } of entries) leave();
  await settled();
});

it("an API's queue forgets a call that is cancelled, at any place", async () => {
  const limiter = limiterOf({ concurrency: 1, queue: 10 });
  const [, ...waiting] = ["x", "a", "b", "a", "c"].map((owner) => enter(limiter, owner));
  waiting[1]?.leave();
  waiting[2]?.leave();
  await settled();
  limiter.leave();
  await settled();
  limiter.leave();
  await settled();
  expect(waiting.map(({ state }) => state)).toEqual(["admitted", "aborted", "aborted", "admitted"]);
});

it("an API's queue never takes in a call that was cancelled before", async () => {
  const limiter = limiterOf({ concurrency: 1 });
  enter(limiter);
  const signal = AbortSignal.abort();
  const waiting = limiter.enter("x", { owner: "a", deadline: { signal, timeLeftMs: () => 1_000 }, onWait: () => {} });
  await expect(waiting).rejects.toMatchObject({ reason: "aborted", isSent: false });
  limiter.leave();
  expect(enter(limiter).state).toBe("admitted");
});

it("the queue of an API refuses what finds it full, at once", () => {
  const limiter = limiterOf({ queue: 0 });
  const [, , third] = [1, 2, 3].map(() => enter(limiter));
  expect(third?.error).toMatchObject({ code: "rate_limited", detail: { retryAfterSeconds: 1 } });
});

it("an API's queue refuses a call at its deadline, and admits the next", async () => {
  const limiter = limiterOf({ concurrency: 1 });
  enter(limiter);
  const [hurried, patient] = [enter(limiter, "one", 1_000), enter(limiter, "one", 9_000)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect([hurried.state, patient.state]).toEqual(["rate_limited", "waiting"]);
  expect(hurried.error).toMatchObject({ detail: { why: expect.stringContaining("Nothing was sent.") } });
  limiter.leave();
  await settled();
  expect(patient.state).toBe("admitted");
});

it("a token bucket admits a burst, then its rate, and fills up again", async () => {
  const limiter = limiterOf({ concurrency: 100, queue: 100 }, { burst: 5, perMinute: 60 });
  const admitted = enterAll(limiter, 11);
  expect(admitted()).toBe(5);
  expect(enter(limiter).heard).toEqual(["Waiting for the Things API to accept more requests, in 1 s (6 ahead)"]);
  for (let second = 1; second <= 7; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(admitted()).toBe(Math.min(11, 5 + second));
  }
  await vi.advanceTimersByTimeAsync(600_000);
  const again = enterAll(limiter, 9);
  expect(again()).toBe(5);
  await vi.advanceTimersByTimeAsync(4_000);
});

it("a token bucket refuses at once what would miss its deadline", () => {
  const limiter = limiterOf({ concurrency: 100, queue: 100 }, { burst: 1, perMinute: 6 });
  const entries = Array.from({ length: 9 }, () => enter(limiter, "one", 25_000));
  expect(entries.map(({ state }) => state).slice(0, 4)).toEqual(["admitted", "waiting", "waiting", "rate_limited"]);
  expect(entries[3]?.error).toMatchObject({ detail: { retryAfterSeconds: 10 } });
  for (const { leave } of entries) leave();
});

it("a token bucket does not apply to an upstream that is not the vendor's", () => {
  const limiter = limiterOf({ concurrency: 100, isPublishedObeyed: false }, { burst: 1, perMinute: 1 });
  expect([1, 2, 3].map(() => enter(limiter).state)).toEqual(["admitted", "admitted", "admitted"]);
});

it("the token bucket of an API is divided by the processes that share it", () => {
  const limiter = limiterOf({ concurrency: 100, queue: 0, shared: sharedBy(2) }, { burst: 6, perMinute: 6 });
  expect(enterAll(limiter, 9)()).toBe(3);
});

it("a token bucket is shared by an API's services, or by operation", () => {
  const together: RateLimit = { api: "One", source: "a page" };
  const { of } = createLimiters(options);
  expect(of("x", operation("GET /a", together))).toBe(of("y", operation("GET /b", together)));
  expect(of("x", operation("GET /a"))).not.toBe(of("x", operation("GET /a", together)));
  const each: RateLimit = { ...together, isPerOperation: true };
  expect(of("x", operation("GET /a", each))).not.toBe(of("x", operation("GET /b", each)));
  expect(of("x", operation("GET /a", each))).toBe(of("x", operation("GET /a", each)));
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

const usedUp = (more: Record<string, string>) => ({ "x-ratelimit-remaining": "0", ...more });
const ofSecond = (each: string) => usedUp({ "x-ratelimit-limit": "100", "x-ratelimit-limit-per-second": each });
const stricter = {
  "x-ratelimit-remaining": "5",
  "akamai-ratelimit-remaining": "0",
  "akamai-ratelimit-limit": "100",
  "akamai-ratelimit-limit-per-second": "50",
};
it.each<[string, number, () => Record<string, string>, number]>([
  ["a refusal with Retry-After", 429, () => ({ "retry-after": "7" }), 7],
  ["a refusal with a date in it", 429, () => ({ "retry-after": new Date(Date.now() + 7_000).toUTCString() }), 7],
  ["a refusal with an instant", 429, () => ({ "x-ratelimit-next": inSeconds(7) }), 7],
  ["one of the newer services", 429, () => ({ "akamai-ratelimit-next": inSeconds(7) }), 7],
  ["one of the reports", 429, () => ({ "akamai-sync-ratelimit-next": inSeconds(7) }), 7],
  ["a success that uses the limit up", 200, () => usedUp({ "x-ratelimit-next": inSeconds(7) }), 7],
  ["a refusal without a time, of a limit a minute", 429, () => usedUp({ "x-ratelimit-limit": "20" }), 60],
  ["a refusal without a time, of a limit a second", 429, () => ofSecond("50.00"), 2],
  ["a refusal by a limit that takes longer than a minute to fill", 429, () => ofSecond("0.5"), 60],
  ["a refusal for long, as if for five minutes", 429, () => ({ "retry-after": "3600" }), 300],
  ["one for longer than can be counted", 429, () => ({ "retry-after": "9".repeat(400) }), 300],
  ["a success that names a distant instant", 200, () => usedUp({ "x-ratelimit-next": inSeconds(7_000) }), 300],
  ["a refusal for very long by a used-up limit", 429, () => usedUp({ "retry-after": "999999999" }), 3_600],
  ["a refusal with two times, the longer one", 429, () => ({ "retry-after": "5, 7" }), 7],
  ["one whose next header says more", 429, () => ({ "retry-after": "0", "x-ratelimit-next": inSeconds(7) }), 7],
  ["one with a time and none", 429, () => ({ "retry-after": "soon", "x-ratelimit-next": inSeconds(7) }), 7],
  ["a refusal by the stricter of two limits, without a time", 429, () => stricter, 2],
])("a response closes the API if it is %s", async (_, status, headers, seconds) => {
  const closed: unknown[] = [];
  const shared = { ...sharedBy(1), close: (...all: unknown[]) => void closed.push(all) };
  const limiter = limiterOf({ shared });
  enter(limiter);
  expect(limiter.observe(answered(status, headers()))).toBe(seconds * 1_000);
  limiter.leave();
  expect(closed).toEqual([["Things", seconds * 1_000]]);
  const next = enter(limiter, "another", 10_000_000);
  await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
  expect(next.state).toBe("waiting");
  await vi.advanceTimersByTimeAsync(2);
  expect(next.state).toBe("admitted");
});

it.each<[string, number, Record<string, string>]>([
  ["a refusal for a limit of something else", 429, { "x-ratelimit-remaining": "12", "x-ratelimit-limit": "100" }],
  ["a refusal without any figures", 429, {}],
  ["a success that may be repeated later", 200, { "retry-after": "60" }],
  ["a failure of one object", 503, { "retry-after": "60" }],
  ["a success that uses the limit up", 200, { "x-ratelimit-remaining": "0", "retry-after": "60" }],
  ["a refusal with a time in the past", 429, { "retry-after": "Wed, 20 May 2020 00:00:00 GMT" }],
  ["a refusal with what is no time", 429, { "retry-after": "soon", "x-ratelimit-remaining": "few" }],
  ["a refusal with a sentence that ends in a year", 429, { "retry-after": "not before 2099" }],
])("a response does not close it if it is %s", (_, status, headers) => {
  const limiter = limiterOf();
  enter(limiter);
  expect(limiter.observe(answered(status, headers))).toBeUndefined();
  expect(enter(limiter).state).toBe("admitted");
});

it("a response corrects the count by others' use and open requests", () => {
  const limiter = limiterOf({ concurrency: 100, queue: 0 }, { burst: 50, perMinute: 50 });
  for (const _ of [1, 2, 3]) enter(limiter);
  limiter.observe(answered(200, { "x-ratelimit-limit": "50", "x-ratelimit-remaining": "6" }));
  expect(enterAll(limiter, 9)()).toBe(4);
});

it("a response makes a limit known that is not published, and its pace", async () => {
  const limiter = limiterOf({ concurrency: 100, queue: 100 });
  enter(limiter);
  limiter.observe(answered(200, { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "2" }));
  const admitted = enterAll(limiter, 5);
  expect(admitted()).toBe(2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(admitted()).toBe(5);
});

it("a response's limit per minute holds if that per second is invalid", async () => {
  for (const each of ["0", "0.0", "-1", "1e400", "NaN", "", "0, 0"]) {
    const limiter = limiterOf({ concurrency: 100, queue: 100 });
    const limits = { "x-ratelimit-limit": "60", "x-ratelimit-limit-per-second": each };
    limiter.observe(answered(200, { ...limits, "x-ratelimit-remaining": "0" }));
    const admitted = enterAll(limiter, 2);
    await vi.advanceTimersByTimeAsync(999);
    expect([each, admitted()]).toEqual([each, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect([each, admitted()]).toEqual([each, 2]);
  }
});

it("a response that another process has received closes the API here", async () => {
  let closedMs = 5_000;
  const limiter = limiterOf({ shared: sharedBy(2, () => closedMs) });
  const entry = enter(limiter);
  expect(entry.state).toBe("waiting");
  closedMs = 0;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(entry.state).toBe("admitted");
});

const families = ["x-ratelimit", "akamai-ratelimit", "akamai-sync-ratelimit"];
const names = [
  "retry-after",
  ...families.flatMap((family) =>
    ["remaining", "limit", "limit-per-second", "next"].map((name) => `${family}-${name}`),
  ),
];
const strange = [
  ...["", "  ", "0", "0.0", "-0", "-1", "NaN", "Infinity", "1e400", "1e-400", "0.000000001", "999999999"],
  ...["9".repeat(400), "1, 2", "0, 0", "2, 0", "-1, 1e400", "soon", "not before 2099", "2099", "12, 2099", "60;w=0"],
  ...["Fri, 01 Jan 2999 00:00:00 GMT", "2999-01-01T00:00:00Z", "+275760-09-13T00:00:00Z", "0000-01-01T00:00:00Z"],
];
const hostile = fc.oneof(fc.constantFrom(...strange), fc.string({ maxLength: 12 }), fc.double().map(String));
const headers = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), hostile), {
  selector: ([name]) => name,
  minLength: 1,
  maxLength: names.length,
});
const allUsedUp = Object.fromEntries(
  families.flatMap((family) => [
    [`${family}-remaining`, "0"],
    [`${family}-limit`, "9"],
  ]),
);
const most = 3_600_000;

it("headers never close an API for over an hour, also if a clock goes back", async () => {
  const shared: SharedLimits = { ...sharedBy(4), close: (_, ms) => expect(ms).toBeLessThanOrEqual(most) };
  // Each family has the same four headers, which are read by the same code.
  const cases = names.slice(0, 5).flatMap((name) =>
    strange.flatMap((value) =>
      [200, 429, 503].map((status) => {
        const limiter = limiterOf({ shared }, { burst: 3, perMinute: 20 });
        limiter.observe(answered(status, { ...allUsedUp, [name]: value }));
        return { name, value, status, limiter };
      }),
    ),
  );
  vi.setSystemTime(Date.now() - 86_400_000);
  const entered = cases.map(({ limiter, ...rest }) => ({ ...rest, entry: enter(limiter, "one", most + 2) }));
  await vi.advanceTimersByTimeAsync(most + 1);
  expect(entered.filter(({ entry }) => entry.state !== "admitted")).toEqual([]);
});

it("headers close an API for over five minutes only by a used-up limit", async () => {
  // Without what makes a limit known, whose pace may be slower.
  const closing = ["retry-after", "x-ratelimit-next"].flatMap((name) =>
    strange.flatMap((value) =>
      [200, 429, 503].map((status) => {
        const limiter = limiterOf();
        expect(limiter.observe(answered(status, { [name]: value })) ?? 0).toBeLessThanOrEqual(300_000);
        return { name, value, status, entry: enter(limiter, "one", 300_002) };
      }),
    ),
  );
  await vi.advanceTimersByTimeAsync(300_001);
  expect(closing.filter(({ entry }) => entry.state !== "admitted")).toEqual([]);
});

it("headers never shorten the time that one of them plainly demands", async () => {
  const seconds = fc.integer({ min: 1, max: 400 });
  const plain = fc.constantFrom("retry-after", ...families.map((family) => `${family}-next`));
  await fc.assert(
    fc.asyncProperty(plain, seconds, headers, async (name, demanded, others) => {
      const limiter = limiterOf();
      const value = name === "retry-after" ? String(demanded) : inSeconds(demanded);
      limiter.observe(answered(429, { ...Object.fromEntries(others), [name]: value }));
      const entry = enter(limiter, "one", 3_700_000);
      await vi.advanceTimersByTimeAsync(Math.min(demanded, 300) * 1_000 - 1);
      expect(entry.state).toBe("waiting");
      entry.leave();
      await settled();
    }),
    { numRuns: runs(10) },
  );
});

const refusedBy = (status: number, headers: Record<string, string>, others: Partial<LimitOptions> = {}) => {
  const limiter = limiterOf(others);
  const first = enter(limiter);
  limiter.observe(answered(status, headers));
  first.leave();
  return enter(limiter, "another", 1_000).error;
};

it.each<[Record<string, string>, RegExp, number]>([
  [{ "retry-after": "3600" }, /^It answered 429 .* before 2026-05-20T00:05:00\.000Z,.* Nothing was sent\.$/, 300],
  [{ "retry-after": "3600", "x-ratelimit-remaining": "0" }, /^Its rate limit .* before 2026-05-20T01:00:00/, 3_600],
  [{ "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0" }, /^Its rate limit .* before 2026-05-20T00:01:00/, 60],
])("a refusal by a closed API says until when, and why: %j", (headers, why, retryAfterSeconds) => {
  expect(refusedBy(429, headers)).toMatchObject({ detail: { why: expect.stringMatching(why), retryAfterSeconds } });
});

it("a closed API says until when, and that another process was refused", () => {
  const shared = sharedBy(2, () => 5_200);
  const why = expect.stringMatching(/^Another instance of this server .* before 2026-05-20T00:00:05.200Z/);
  // Whole seconds, and never too few: 5.2 s are 6.
  expect(refusedBy(429, { "retry-after": "2" }, { shared })).toMatchObject({ detail: { why, retryAfterSeconds: 6 } });
});

it("a closed API says the same with a full queue and after a long wait", async () => {
  const closedUntil = { why: expect.stringContaining("before 2026-05-20T00:00:01.200Z"), retryAfterSeconds: 2 };
  const shared = sharedBy(1, () => Date.UTC(2026, 4, 20, 0, 0, 1, 200) - Date.now());
  const limiter = limiterOf({ queue: 1, shared });
  const [waiting, refused] = [enter(limiter, "one", 1_300), enter(limiter, "one", 60_000)];
  expect(waiting.heard).toEqual(["Waiting for the Things API to accept more requests, in 2 s (0 ahead)"]);
  expect(refused.error).toMatchObject({ detail: closedUntil });
  vi.setSystemTime(Date.UTC(2026, 4, 19, 23, 59, 59, 500));
  await vi.advanceTimersByTimeAsync(1_300);
  expect(waiting.error).toMatchObject({ code: "rate_limited" });
});
