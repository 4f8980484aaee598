/** Metrics as Prometheus reads them: every kind in the text format, with values that have to be escaped. */
import { expect, it } from "vitest";
import { readConfig } from "../../src/config.js";
import { createUpstreamLimits } from "../../src/engine/upstream-limits.js";
import { Meters } from "../../src/telemetry/meters.js";
import { addProcessMeters } from "../../src/telemetry/process.js";
import { deadlineIn } from "../../src/time/durations.js";
import { purge } from "../../src/tools/purge/index.js";
import { memoryState } from "../lab/state.js";
import { readExposition } from "./exposition.js";

const read = async (meters: Meters) => readExposition(await meters.text());

it("metrics count by the values of their labels, whatever these contain", async () => {
  const meters = new Meters();
  const count = meters.counter("calls_total", "Calls.", ["tool", "outcome"]);
  const hard = 'a"b\\c\nd,e="f"}';
  count("one", "ok");
  count("one", "ok");
  count(hard, "ok");
  count("one", "");
  const name = "calls_total";
  expect((await read(meters)).get(name)).toEqual({
    ...{ name, type: "counter", help: "Calls." },
    series: [
      { name, labels: { tool: "one", outcome: "ok" }, value: 2 },
      { name, labels: { tool: hard, outcome: "ok" }, value: 1 },
      { name, labels: { tool: "one", outcome: "" }, value: 1 },
    ],
  });
});

it("metrics sort times into buckets that include those below them", async () => {
  const meters = new Meters();
  const observe = meters.histogram("own_seconds", "Time.", ["service"], [0.1, 1]);
  for (const seconds of [0.05, 0.1, 0.5, 7]) observe(seconds, "purge");
  const { series = [] } = (await read(meters)).get("own_seconds") ?? {};
  const buckets = series.filter(({ name }) => name.endsWith("_bucket"));
  expect(buckets.map(({ labels, value }) => `${labels["le"]} ${value}`)).toEqual(["0.1 2", "1 3", "+Inf 4"]);
  expect(series.find(({ name }) => name.endsWith("_sum"))?.value).toBeCloseTo(7.65);
});

it("metrics leave out what has no value yet and what cannot be read", async () => {
  const meters = new Meters();
  meters.counter("none_total", "Nothing yet.", ["x"]);
  meters.gauge("broken", "Cannot be read.", async () => {
    throw new Error("password=secret");
  });
  meters.gauge("fine", "Can be read.", async () => [{ labels: { of: "a" }, value: 1.5 }]);
  expect([...(await read(meters)).keys()]).toEqual(["fine"]);
});

it("the metrics include those of the process", async () => {
  const meters = new Meters();
  addProcessMeters(meters, "1.2.3");
  const families = await read(meters);
  expect(families.get("edgewise_build_info")?.series).toEqual([
    { name: "edgewise_build_info", labels: { version: "1.2.3" }, value: 1 },
  ]);
  expect(families.get("process_cpu_seconds_total")).toMatchObject({ type: "counter" });
  for (const name of ["process_resident_memory_bytes", "nodejs_heap_size_used_bytes"])
    expect(families.get(name)?.series[0]?.value).toBeGreaterThan(1_000_000);
});

it("metrics count what waits for an API and what was sent, by profile", async () => {
  const meters = new Meters();
  const upstream = { origin: "https://one.luna.akamaiapis.net", label: "one" };
  // All credentials of a profile have one set.
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
  const series = (await read(meters)).get("edgewise_upstream_pending")?.series ?? [];
  const pending = series.map(({ labels, value }) => `${labels["profile"]} ${labels["state"]} ${value}`);
  expect(pending).toEqual(["shop waiting 1", "shop sent 1", "blog waiting 0", "blog sent 1"]);
  limitersOf("shop", upstream).of("purge", operation).leave();
  await second;
});
