/** What the instances of a server know of each other's upstream limits: their number, and which APIs one has found closed. */
import { afterAll, describe, expect, it } from "vitest";
import type { SharedLimits } from "../../src/wire/shared-limits.js";
import { needs } from "../lab/needs.js";
import { eventually } from "../lab/time.js";
import { closeStates, openInstance, testDatabase } from "../state/states.js";

afterAll(closeStates);

const limitsOf = ({ upstreamLimits }: Awaited<ReturnType<typeof openInstance>>, upstream: string): SharedLimits => {
  if (upstreamLimits === undefined) throw new Error("It shares no limits.");
  return upstreamLimits(upstream);
};
// An instance looks with each beat, every three seconds.

// Each with a database of its own: they wait for beats most of the time.
describe.concurrent("instances on PostgreSQL", needs.postgres, () => {
  it("know how many they are, and how many are left when one ends", async () => {
    const { url } = await testDatabase();
    const first = limitsOf(await openInstance(url), "host");
    expect(first.processes()).toBe(1);
    const second = await openInstance(url);
    expect(second.instances?.count()).toBe(2);
    expect(limitsOf(second, "host").processes()).toBe(2);
    await eventually(() => expect(first.processes()).toBe(2));
    await second.close();
    await eventually(() => expect(first.processes()).toBe(1));
  });

  it("instances on PostgreSQL share which APIs one of them found closed", async () => {
    const { url, query } = await testDatabase();
    const [one, other] = [await openInstance(url), await openInstance(url)];
    const closing = limitsOf(one, "host");
    closing.close("Things", 120_000);
    closing.close("Things", 40_000);
    const learning = limitsOf(other, "host");
    await eventually(() => expect(learning.closedMs("Things")).toBeGreaterThan(90_000));
    expect(learning.closedMs("Things")).toBeLessThanOrEqual(120_000);
    expect(learning.closedMs("Others")).toBeLessThanOrEqual(0);
    expect(limitsOf(other, "another host").closedMs("Things")).toBeLessThanOrEqual(0);
    await query("update edgewise.closed_apis set until_ms = 0");
    await eventually(() => expect(learning.closedMs("Things")).toBeLessThanOrEqual(0));
  });

  it("hold no API closed for longer than an hour, whatever is stored", async () => {
    const { url, query } = await testDatabase();
    const [one, other] = [await openInstance(url), await openInstance(url)];
    await query("insert into edgewise.closed_apis (api, until_ms) values ('host Things', 9000000000000000)");
    const limits = [one, other].map((instance) => limitsOf(instance, "host"));
    for (const { closedMs } of limits) {
      await eventually(() => expect(closedMs("Things")).toBeGreaterThan(0));
      expect(closedMs("Things")).toBeLessThanOrEqual(3_600_000);
    }
    // The entry itself is shortened: otherwise each beat would close the API for another hour.
    const [stored] = await query("select until_ms from edgewise.closed_apis");
    expect(Number(stored?.["until_ms"])).toBeLessThanOrEqual(Date.now() + 3_700_000);
  });
});
