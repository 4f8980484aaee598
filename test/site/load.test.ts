/** The arithmetic of forecasts: the load that a purge brings, the times that rules state, and the course of a week. */
import { expect, it } from "vitest";
import { originLoadOf } from "../../src/site/purge.js";
import { longestTimeIn } from "../../src/site/rules.js";
import { courseOf } from "../../src/site/traffic.js";
import { hourMs, minuteMs } from "../../src/time/durations.js";

const trafficOf = (edgeRate: number, originRate: number, peak = 1) => ({
  carried: { edgeRate, report: "r", untilMs: 0 },
  originRate,
  peak,
});

it.each([
  // Of 90 that the cache answers, a fifth to four fifths; never more than what the edge has.
  [trafficOf(100, 10), undefined, { from: 18, upTo: 72, atMost: 100 }],
  // The coming hour has half as much again.
  [trafficOf(100, 10, 1.5), undefined, { from: 27, upTo: 108, atMost: 150 }],
  // The hour had an outage a week ago: the maximum holds for what there is now.
  [trafficOf(100, 10, 0.1), undefined, { from: 1.8, upTo: 7.2, atMost: 100 }],
  // 10 a second for 36 minutes are all that is fresh: 72 a second over five minutes, and so no less than without the time.
  [trafficOf(100, 10), 2_160, { from: 18, upTo: 72, atMost: 100 }],
  [trafficOf(100, 10), 2_130, { from: 17.8, upTo: 71, atMost: 100 }],
  [trafficOf(100, 10), 300, { from: 2.5, upTo: 10, atMost: 100 }],
  // What is fresh for a minute answers 40 a second for no longer than that.
  [trafficOf(100, 60), 60, { from: 2, upTo: 8, atMost: 100 }],
  [trafficOf(100, 40), 60, { from: 2, upTo: 8, atMost: 100 }],
  // Without a time to stay fresh, nothing is known by it.
  [trafficOf(100, 10), 0, { from: 18, upTo: 72, atMost: 100 }],
  // The origin gets all, or more than the edge where requests are repeated.
  [trafficOf(100, 100), 3_600, { from: 0, upTo: 0, atMost: 100 }],
  [trafficOf(100, 101), undefined, { from: 0, upTo: 0, atMost: 100 }],
  [trafficOf(0, 0), undefined, { from: 0, upTo: 0, atMost: 0 }],
  // Three digits count, and rounding narrows the interval and raises the maximum.
  [trafficOf(1_234.5, 0), undefined, { from: 247, upTo: 987, atMost: 1_240 }],
  [trafficOf(0.012345, 0), undefined, { from: 0.00247, upTo: 0.00987, atMost: 0.0124 }],
])("load of %j, fresh for %s s", (traffic, fresh, load) => {
  expect(originLoadOf(traffic, fresh)).toEqual(load);
});

const caching = (ttl: string, behavior = "MAX_AGE") => ({ name: "caching", options: { behavior, ttl } });
const ruleOf = (...behaviors: readonly object[]) => ({ name: "a rule", behaviors, children: [] });

it.each([
  ["the longest of all rules", { behaviors: [caching("1h")], children: [ruleOf(caching("7d")), ruleOf()] }, 604_800],
  ["seconds", { behaviors: [caching("30s")] }, 30],
  ["none", { behaviors: [{ name: "cpCode", options: {} }] }, undefined],
  [
    "what the origin decides",
    { behaviors: [caching("1h")], children: [ruleOf(caching("1h", "CACHE_CONTROL"))] },
    undefined,
  ],
  ["what an include decides", { behaviors: [caching("1h"), { name: "include", options: { id: "inc_1" } }] }, undefined],
  ["a variable", { behaviors: [caching("{{user.PMUSER_TTL}}")] }, undefined],
])("rules state how long objects stay fresh: %s", (_, rules, seconds) => {
  expect(longestTimeIn({ rules })).toBe(seconds);
});

it("the course of last week goes from the data to the coming hour", () => {
  const [firstMs, comingMs] = [0, 90 * minuteMs];
  const at = (startMs: number, edge: number) => [startMs, edge] as const;
  const before = Array.from({ length: 12 }, (_, step) => at(step * 5 * minuteMs, 300));
  // Between the two hours and after them other traffic does not count.
  const series = [...before, at(hourMs, 90_000), at(comingMs, 600), at(comingMs + hourMs, 90_000)];
  expect(courseOf(series, firstMs, comingMs)).toEqual({ rate: 600 / 3_600, peak: 2 });
  expect(courseOf([at(comingMs, 600)], firstMs, comingMs).peak).toBeUndefined();
});
