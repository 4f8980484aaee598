/** Subscriptions to live state: one poll for all, never faster than advised, limited in number and time, none without a subscriber. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Failure, type FailureCode } from "../../src/language/failure.js";
import { createLivePolling, type PollingBounds, type PollResult } from "../../src/resources/live.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const secondMs = 1_000;
const bounds: PollingBounds = { perOwner: 2, all: 3, lastsMs: 3_600 * secondMs };

const begin = (own: Partial<PollingBounds> = {}, instances?: () => number) =>
  createLivePolling(instances, { ...bounds, ...own });

/** Something whose state a test sets, and how often it was looked at. */
function thing(pauseSeconds?: number) {
  const it = {
    looks: 0,
    now: { state: "a", isOver: false, pauseSeconds } as PollResult,
    error: undefined as Failure | undefined,
    signal: undefined as AbortSignal | undefined,
    told: 0,
    look: async (signal: AbortSignal): Promise<PollResult> => {
      it.looks += 1;
      it.signal = signal;
      if (it.error) throw it.error;
      return it.now;
    },
    tell: () => {
      it.told += 1;
    },
  };
  return it;
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * secondMs);

it("subscriptions share a poll, and each is notified of a change", async () => {
  const { subscribe: follow } = begin();
  const one = thing(10);
  let other = 0;
  await follow("me", "x", one.look, one.tell);
  await follow("me", "x", one.look, () => {
    other += 1;
  });
  await pass(35);
  expect([one.looks, one.told, other]).toEqual([4, 0, 0]);
  one.now = { ...one.now, state: "b" };
  await pass(10);
  expect([one.looks, one.told, other]).toEqual([5, 1, 1]);
});

it("subscriptions of each owner are polled separately", async () => {
  const { subscribe: follow } = begin();
  const [mine, yours] = [thing(10), thing(10)];
  await follow("me", "x", mine.look, mine.tell);
  await follow("you", "x", yours.look, yours.tell);
  mine.now = { ...mine.now, state: "b" };
  await pass(1);
  mine.now = { ...mine.now, state: "c" };
  await pass(10);
  expect([mine.told, yours.told]).toEqual([1, 0]);
});

it("polls keep the API's pause, and half a second at least", async () => {
  const { subscribe: follow } = begin({ perOwner: 3 });
  const [slow, eager] = [thing(30), thing(0)];
  await follow("me", "slow", slow.look, slow.tell);
  await follow("me", "eager", eager.look, eager.tell);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(slow.looks).toBe(1);
  expect(eager.looks).toBe(60);
  await vi.advanceTimersByTimeAsync(1);
  expect(slow.looks).toBe(2);
});

it("polls without advice become rarer until there is a change", async () => {
  const { subscribe: follow } = begin();
  const one = thing();
  await follow("me", "x", one.look, one.tell);
  await pass(600);
  const rested = one.looks;
  // 5, 7.5, 11.25 … seconds, and then a minute.
  expect(rested).toBeLessThan(18);
  one.now = { ...one.now, state: "b" };
  await pass(60);
  expect(one.told).toBe(1);
  const after = one.looks;
  await pass(6);
  expect(one.looks).toBeGreaterThan(after - 1);
});

it("a subscription notifies of a final state, even of one at the start", async () => {
  const { subscribe: follow } = begin();
  const [ends, over] = [thing(1), thing(1)];
  over.now = { ...over.now, isOver: true };
  await follow("me", "ends", ends.look, ends.tell);
  await follow("me", "over", over.look, over.tell);
  await pass(1);
  ends.now = { state: "b", isOver: true, pauseSeconds: 1 };
  await pass(60);
  expect([ends.told, over.told, over.looks]).toEqual([1, 1, 1]);
  const { looks } = ends;
  await pass(600);
  expect(ends.looks).toBe(looks);
  expect(vi.getTimerCount()).toBe(0);
});

it("polls stop when the last subscriber has left", async () => {
  const { subscribe: follow } = begin();
  const one = thing(1);
  const [stop, another] = await Promise.all([
    follow("me", "x", one.look, one.tell),
    follow("me", "x", one.look, one.tell),
  ]);
  await pass(1);
  stop();
  stop();
  const { looks } = one;
  await pass(2);
  expect(one.looks).toBe(looks + 2);
  another();
  expect(one.signal?.aborted).toBe(true);
  await pass(60);
  expect(one.looks).toBe(looks + 2);
  expect(vi.getTimerCount()).toBe(0);
});

it("a subscription notifies once of an error, and once of a recovery", async () => {
  const { subscribe: follow } = begin();
  const one = thing(1);
  await follow("me", "x", one.look, one.tell);
  await pass(1);
  one.error = new Failure("upstream", "It was refused.", { next: "Wait." });
  await pass(600);
  expect(one.told).toBe(1);
  one.error = undefined;
  await pass(60);
  expect(one.told).toBe(2);
});

it.each<[FailureCode, number | undefined, number]>([
  ...(["not_found", "invalid_input", "forbidden", "unauthorized", "not_allowed"] as const).map(
    (code): [FailureCode, undefined, number] => [code, undefined, 1],
  ),
  ["not_allowed", 30, 2],
])("a subscription ends at the error %s without a time to retry (%s)", async (code, retryAfterSeconds, looks) => {
  const { subscribe: follow } = begin();
  const one = thing(1);
  one.error = new Failure(code, "It was refused.", { next: "Wait.", ...(retryAfterSeconds && { retryAfterSeconds }) });
  await follow("me", "x", one.look, one.tell);
  await pass(70);
  expect([one.looks, one.told]).toEqual([looks, 1]);
});

it("a subscription ends after its time, with one notification", async () => {
  const { subscribe: follow } = begin({ lastsMs: 60 * secondMs });
  const one = thing(10);
  await follow("me", "x", one.look, one.tell);
  await pass(600);
  expect([one.looks, one.told]).toEqual([7, 1]);
});

it("subscriptions have a limit for each owner and one for all", async () => {
  const { subscribe: follow } = begin();
  const one = thing(1);
  const stop = await follow("me", "1", one.look, one.tell);
  await follow("me", "2", one.look, one.tell);
  await expect(follow("me", "3", one.look, one.tell)).rejects.toThrow(
    "There are already 2 subscriptions of this client.",
  );
  // Another subscription to the same state does not count.
  await follow("me", "2", one.look, one.tell);
  await follow("you", "1", one.look, one.tell);
  await expect(follow("they", "1", one.look, one.tell)).rejects.toThrow(
    "There are already 3 subscriptions on this server.",
  );
  stop();
  await follow("they", "1", one.look, one.tell);
  await pass(0);
});

it("instances divide the limit of all subscriptions, not that of an owner", async () => {
  let instances = 2;
  const { subscribe: follow } = begin({ all: 5 }, () => instances);
  const one = thing(1);
  await follow("me", "1", one.look, one.tell);
  await follow("me", "2", one.look, one.tell);
  await expect(follow("you", "1", one.look, one.tell)).rejects.toThrow(
    "There are already 2 subscriptions on this server.",
  );
  instances = 1;
  await follow("you", "1", one.look, one.tell);
});

it("a repeated subscription causes no earlier poll", async () => {
  const { subscribe: follow } = begin();
  const one = thing(30);
  for (let times = 0; times < 20; times += 1) {
    const stop = await follow("me", "x", one.look, one.tell);
    await pass(1);
    stop();
  }
  expect(one.looks).toBe(1);
  await follow("me", "x", one.look, one.tell);
  one.now = { ...one.now, state: "b" };
  await pass(11);
  expect([one.looks, one.told]).toEqual([2, 1]);
});

it("a subscription that ends during a poll causes no earlier one", async () => {
  const { subscribe: follow } = begin();
  let looks = 0;
  const never = (signal: AbortSignal) =>
    new Promise<PollResult>((_, reject) => {
      looks += 1;
      signal.addEventListener("abort", () => reject(new Error("aborted")));
    });
  for (let times = 0; times < 20; times += 1) {
    const stop = await follow("me", "x", never, () => undefined);
    await vi.advanceTimersByTimeAsync(100);
    stop();
  }
  expect(looks).toBe(1);
});
