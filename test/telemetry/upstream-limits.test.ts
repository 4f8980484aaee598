/** The limiters of a profile are one set for all of its credentials, and what waits in them is a metric. */
import { expect, it } from "vitest";
import { readConfig } from "../../src/config.js";
import { createUpstreamLimits } from "../../src/engine/upstream-limits.js";
import { deadlineIn } from "../../src/language/durations.js";
import { Meters } from "../../src/telemetry/meters.js";
import { purge } from "../../src/tools/purge/index.js";
import { memoryState } from "../lab/state.js";
import { readExposition } from "./exposition.js";

const upstream = { origin: "https://one.luna.akamaiapis.net", label: "one" };

it("counts what waits for an API and what was sent, by profile", async () => {
  const meters = new Meters();
  const limitersOf = createUpstreamLimits(readConfig(["--upstream-concurrency", "1"], {}), memoryState(), meters);
  const operation = Object.values(purge.operations)[0] ?? expect.fail();
  const enter = (profile: string) =>
    limitersOf(profile, upstream)
      .of("purge", operation)
      .enter("purge_submit", { owner: "ann", deadline: deadlineIn(60_000), onWait: () => undefined });
  expect(enter("shop")).toBeUndefined();
  const second = enter("shop");
  expect(second).toBeInstanceOf(Promise);
  expect(enter("blog")).toBeUndefined();
  const series = readExposition(await meters.text()).get("edgewise_upstream_pending")?.series ?? [];
  const pending = series.map(({ labels, value }) => [labels["profile"], labels["state"], value]);
  expect(pending).toEqual([
    ["shop", "waiting", 1],
    ["shop", "sent", 1],
    ["blog", "waiting", 0],
    ["blog", "sent", 1],
  ]);
  limitersOf("shop", upstream).of("purge", operation).leave();
  await second;
});
