/** Twenty purges in worlds that the forecast was not made with: what the preview says of the origin, and what happens to it. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterEach, expect, it, vi } from "vitest";
import { isUnknown } from "../../src/language/forecast.js";
import { callsIn } from "../lab/calls.js";
import { argumentsOf, highestLoad, type Scenario, worldOf } from "./purged-worlds.js";
import scenarios from "./scenarios.json" with { type: "json" };

afterEach(() => {
  vi.useRealTimers();
});

/** The forecast of a scenario's purge, its text, and the load that the purge then brings to origins. */
async function outcomeOf(scenario: Scenario) {
  const [world, twin] = [await worldOf(scenario), await worldOf(scenario)];
  vi.useFakeTimers({ toFake: ["Date"], now: world.now() });
  const calls = callsIn(world, { callTimeoutMs: 60_000 });
  const args = argumentsOf(scenario);
  const { forecast, lines, outline, plan } = await calls.previewed("purge_submit", args);
  const isForecast = outline.flatMap(({ is, count }) => Array.from({ length: count }, () => is === "forecast"));
  expect(await calls.call("purge_submit", { ...args, confirm: plan.id })).toMatchObject({ kind: "answer" });
  const text = lines.filter((_, at) => isForecast[at]).join("\n");
  return { load: forecast?.originLoad, text, truth: highestLoad(world, twin) };
}

/** How many forecasts are true, are not, or say that the load is unknown; the text of each is short, and the maximum holds. */
async function tally(all: readonly Scenario[]) {
  const counts = { true: 0, false: 0, unknown: 0 };
  for (const scenario of all) {
    const { load, text, truth } = await outcomeOf(scenario);
    if (load === undefined) throw new Error("A purge has a forecast of the origin's load.");
    expect(encode(text).length).toBeLessThanOrEqual(120);
    expect(text.split("\n").length).toBeLessThanOrEqual(5);
    expect(truth).toBeLessThanOrEqual(load.atMost ?? Number.POSITIVE_INFINITY);
    if (isUnknown(load)) counts.unknown += 1;
    else {
      expect(load.upTo).toBeLessThanOrEqual(4 * load.from);
      counts[`${truth >= load.from && truth <= load.upTo}`] += 1;
    }
  }
  return counts;
}

it("of twenty purges of CP codes, eighteen bring what was forecast", async () => {
  expect(await tally(scenarios.cpCodes as readonly Scenario[])).toEqual({ true: 18, false: 2, unknown: 0 });
});

// The traffic of single URLs, of what has a tag and of staging is in no report.
it("of twenty purges of every kind, seven are unknown and one is misjudged", async () => {
  expect(await tally(scenarios.everyKind as readonly Scenario[])).toEqual({ true: 12, false: 1, unknown: 7 });
});
