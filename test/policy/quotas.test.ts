/** Quotas count what is sent: never more than allowed within any window, whatever races. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Failure } from "../../src/language/failure.js";
import type { Quota } from "../../src/policy/file.js";
import { createQuotas, memoryQuotaCounters } from "../../src/policy/index.js";

const hourMs = 3_600_000;
const usual = { id: "purged", tools: ["purge_*"], counts: "objects", per: "hour", max: 5 } as const;
const quota = (change: Partial<Quota> = {}): Quota => ({ ...usual, ...change });
const purge = (count = 1) => ({ tool: "purge_submit", count, calls: 1 });

/** Quotas with counters of their own. */
const quotasOf = (quotas: readonly Quota[], now?: () => number) => createQuotas(quotas, memoryQuotaCounters(now));

/** The failure of taking; undefined where it is taken. */
const failureOf = (take: () => Promise<unknown>): Promise<Failure | undefined> =>
  take().then(
    () => undefined,
    (error: Failure) => error,
  );

it("a quota counts objects or calls of its tools, and says what is left", async () => {
  const objects = quotasOf([quota()]);
  await objects.take(purge(5));
  expect((await failureOf(() => objects.take(purge())))?.code).toBe("not_allowed");
  expect(await failureOf(() => objects.take({ tool: "dns_zone_write", count: 9, calls: 1 }))).toBeUndefined();
  const calls = quotasOf([quota({ counts: "calls", max: 2 })]);
  await calls.take(purge(500));
  await calls.take(purge(500));
  expect(await failureOf(() => calls.take(purge()))).toBeDefined();
  const quotas = quotasOf([quota()], () => 1_000 * hourMs);
  await quotas.take(purge(3));
  const failure = await failureOf(() => quotas.take(purge(3)));
  expect(failure?.message).toBe('purge_submit exceeds the quota "purged" of 5 objects an hour.');
  expect(failure?.detail.why).toContain("3 are counted already, and this call adds 3");
  expect(failure?.detail.retryAfterSeconds).toBe(3_660);
  expect(failure?.detail.next).toContain("Wait 3660 s");
});

it.each([
  // Two were counted in the minute that begins at 0, and two in the one that begins ten minutes later.
  [3, 3_660],
  [4, 4_260],
])("a call of %i has to wait until there is room, and no longer", async (count, seconds) => {
  let nowMs = 0;
  const quotas = quotasOf([quota()], () => nowMs);
  await quotas.take(purge(1));
  await quotas.take(purge(1));
  nowMs = 600_000;
  await quotas.take(purge(2));
  expect((await failureOf(() => quotas.take(purge(count))))?.detail.retryAfterSeconds).toBe(seconds - 600);
  nowMs = seconds * 1_000 - 1_200;
  expect((await failureOf(() => quotas.take(purge(count))))?.detail.retryAfterSeconds).toBe(2);
  nowMs = seconds * 1_000 - 1;
  expect((await failureOf(() => quotas.take(purge(count))))?.detail.retryAfterSeconds).toBe(1);
  nowMs = seconds * 1_000;
  expect(await failureOf(() => quotas.take(purge(count)))).toBeUndefined();
});

it.each([
  ["the tool of one of its patterns", { tool: "purge_submit" }, true],
  ["the tool that composed the call", { tool: "property_activate", through: "site_release" }, true],
  ["the tool that a call was composed of", { tool: "purge_submit", through: "dns_record_set" }, true],
  ["no other tool", { tool: "property_activate", through: "dns_record_set" }, false],
])("a quota counts for %s", async (_, names, isCounted) => {
  const quotas = quotasOf([quota({ tools: ["purge_*", "site_*"], max: 1 })]);
  const take = () => quotas.take({ ...names, count: 1, calls: 1 });
  await take();
  expect((await failureOf(take)) !== undefined).toBe(isCounted);
});

it("a call that is too large for its quota has to be smaller, not to wait", async () => {
  const { detail } = (await failureOf(() => quotasOf([quota()]).take(purge(6)))) ?? expect.fail("it was taken");
  expect(detail.next).toContain("smaller");
  expect(detail.retryAfterSeconds).toBeUndefined();
});

it("a quota counts a call's first request with it, then each by itself", async () => {
  const quotas = quotasOf([quota({ counts: "requests", max: 5 })]);
  const two = await quotas.take({ tool: "purge_submit", count: 9, calls: 2 });
  for (const _ of [1, 2, 3, 4]) await two.request?.();
  await (await quotas.take(purge())).request?.();
  const failure = await failureOf(async () => two.request?.());
  expect(failure?.message).toBe('purge_submit exceeds the quota "purged" of 5 requests an hour.');
  expect(failure?.detail.why).toBe("5 are counted already, and this call adds 1. Nothing more was sent.");
  expect((await failureOf(() => quotas.take(purge())))?.detail.why).toContain("Nothing was sent.");
});

it("a quota counts a call and its objects once, whatever it requests", async () => {
  const quotas = quotasOf([quota({ counts: "calls", max: 2 }), quota({ max: 2 })]);
  const one = await quotas.take(purge());
  for (const _ of [1, 2, 3, 4]) await one.request?.();
  expect(await failureOf(() => quotas.take(purge()))).toBeUndefined();
});

it("inner requests count for the outer tool and for themselves", async () => {
  const quotas = quotasOf([
    quota({ id: "outer", tools: ["look"], counts: "requests", max: 2 }),
    quota({ id: "inner", tools: ["look"], counts: "calls", max: 1 }),
  ]);
  const outer = await quotas.take({ tool: "look", count: 1, calls: 1, requests: 0 });
  for (const _ of [1, 2]) await (await quotas.take({ ...purge(), within: ["look"] }, outer)).request?.();
  expect((await failureOf(() => quotas.take({ ...purge(), within: ["look"] }, outer)))?.message).toContain('"outer"');
  expect(await failureOf(() => quotas.take(purge()))).toBeUndefined();
});

it("a quota's count of a day is free after a day", async () => {
  let nowMs = 0;
  const quotas = quotasOf([quota({ per: "day" })], () => nowMs);
  await quotas.take(purge(5));
  nowMs = 24 * hourMs - 1;
  expect(await failureOf(() => quotas.take(purge()))).toBeDefined();
  nowMs = 24.5 * hourMs;
  expect(await failureOf(() => quotas.take(purge()))).toBeUndefined();
});

const parallel = () => quotasOf([quota({ per: "parallel", counts: "calls", max: 2 })]);

it("a parallel quota makes room as calls end, once for each", async () => {
  const quotas = parallel();
  const end = await quotas.take(purge());
  await quotas.take(purge());
  const { detail } = (await failureOf(() => quotas.take(purge()))) ?? expect.fail("it was taken");
  expect(detail.next).toContain("in progress");
  expect(detail).not.toHaveProperty("retryAfterSeconds");
  await end.release?.();
  await quotas.take(purge());
  await end.release?.();
  expect(await failureOf(() => quotas.take(purge()))).toBeDefined();
});

it("parallel quotas count inner calls with their counted outer call", async () => {
  const quotas = quotasOf([quota({ per: "parallel", counts: "calls", max: 1 })]);
  const outer = await quotas.take(purge());
  const inner = await quotas.take(purge(), outer);
  await (await quotas.take(purge(), inner)).release?.();
  await inner.release?.();
  expect(await failureOf(() => quotas.take(purge()))).toBeDefined();
  await outer.release?.();
  const uncounted = await quotas.take({ tool: "look", count: 1, calls: 1 });
  await quotas.take(purge(), uncounted);
  expect(await failureOf(() => quotas.take(purge(), uncounted))).toBeDefined();
});

it("the end of a call gives back nothing that counts by the hour", async () => {
  const quotas = quotasOf([quota({ max: 1 })]);
  await (await quotas.take(purge())).release?.();
  expect(await failureOf(() => quotas.take(purge()))).toBeDefined();
});

it("a quota is never exceeded in an hour, and is all free after two", async () => {
  const step = fc.record({ waitMs: fc.integer({ min: 0, max: hourMs / 2 }), count: fc.integer({ min: 1, max: 7 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let nowMs = 1_700_000_000_000;
      const quotas = quotasOf([quota()], () => nowMs);
      const sent: { readonly atMs: number; readonly count: number }[] = [];
      for (const { waitMs, count } of steps) {
        nowMs += waitMs;
        if ((await failureOf(() => quotas.take(purge(count)))) === undefined) sent.push({ atMs: nowMs, count });
      }
      for (const { atMs } of sent) {
        const within = sent.filter((one) => one.atMs >= atMs && one.atMs < atMs + hourMs);
        expect(within.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(5);
      }
      nowMs += 2 * hourMs;
      expect(await failureOf(() => quotas.take(purge(5)))).toBeUndefined();
    }),
  );
});
