/** Background work beside calls: it takes a fifth of what they leave of a limit, and waits while any is made. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { json, op } from "../../src/language/define.js";
import { z } from "../../src/language/z.js";
import { deadlineIn, minuteMs } from "../../src/time/durations.js";
import { createLimiters, type Limiter } from "../../src/wire/limiter.js";

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

const operation = {
  ...op("GET /a", { does: "Does something.", returns: { 200: json(z.unknown()) }, example: {} }),
  service: {
    ...{ title: "Things", standing: { state: "alive" as const }, vendorWords: [], operations: {} },
    rateLimit: { api: "Things", bucket: { burst: 100, perMinute: 60 }, source: "a page" },
  },
};
const begin = (): Limiter => createLimiters({ concurrency: 2, queue: 3, isPublishedObeyed: true }).of("x", operation);

const enter = (limiter: Limiter, isSpare: boolean, signal?: AbortSignal) =>
  limiter.enter("thing_get", { owner: "one", deadline: deadlineIn(60 * minuteMs, signal), isSpare });

/** Makes one background request after the other. @returns how many were made so far. */
function workIn(limiter: Limiter): () => number {
  let made = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      await enter(limiter, true);
      made += 1;
      limiter.leave();
    }
  };
  void work();
  return () => made;
}

it("takes a fifth of what was left, and then of what is added", async () => {
  const made = workIn(begin());
  await vi.advanceTimersByTimeAsync(0);
  expect(made()).toBe(20);
  await vi.advanceTimersByTimeAsync(10 * minuteMs);
  expect(made()).toBeGreaterThanOrEqual(20 + 118);
  expect(made()).toBeLessThanOrEqual(20 + 120);
});

it("takes less the more the calls take", async () => {
  const limiter = begin();
  const made = workIn(limiter);
  await vi.advanceTimersByTimeAsync(0);
  const first = made();
  for (let second = 0; second < 600; second += 2) {
    await enter(limiter, false);
    limiter.leave();
    await vi.advanceTimersByTimeAsync(2_000);
  }
  // Calls take 30 of the 60 a minute, which leaves 6 of the other 30.
  expect(made() - first).toBeGreaterThanOrEqual(55);
  expect(made() - first).toBeLessThanOrEqual(61);
});

it("waits while a call is made, and no call waits for it", async () => {
  const limiter = begin();
  expect(enter(limiter, false)).toBeUndefined();
  let isAdmitted = false;
  const admission = enter(limiter, true)?.then(() => {
    isAdmitted = true;
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(isAdmitted).toBe(false);
  limiter.leave();
  await vi.advanceTimersByTimeAsync(200);
  await admission;
  expect(isAdmitted).toBe(true);
  expect(enter(limiter, false)).toBeUndefined();
});

it("leaves when it is ended", async () => {
  const limiter = begin();
  enter(limiter, false);
  const ending = new AbortController();
  const refused = enter(limiter, true, ending.signal)?.catch((error: Error) => error.message);
  ending.abort();
  await expect(refused).resolves.toBe("aborted");
});
