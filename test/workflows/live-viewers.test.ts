/** One world: a stream that is created and deleted by the tools of live streaming has viewers in media analytics just between. */
import { expect, it } from "vitest";
import { callsAt } from "../lab/calls.js";

const hourMs = 3_600_000;
/** Not on the hour, and standing still: no hour begins between two calls. */
const here = callsAt(Date.UTC(2026, 4, 20, 12, 30));
/** The plays of each stream by hour, with the hours as ISO times. */
async function playsOf(name: string): Promise<readonly (readonly [hour: string, plays: number])[]> {
  const { world, calls } = here;
  const hour = (ms: number) => new Date(Math.floor(ms / hourMs) * hourMs).toISOString();
  const { body } = await calls.answer("media_data_get", {
    family: "audience-analytics",
    reportPackId: 6831,
    startDate: hour(world.now() - 24 * hourMs),
    endDate: hour(world.now() + hourMs),
    aggregation: 3_600,
    dimensions: ["Time", "Stream"],
    metrics: ["Plays"],
  });
  const { rows } = body as { rows: readonly (readonly [string, string, string])[] };
  return rows
    .filter(([, stream]) => stream === name)
    .map(([time, , plays]) => [new Date(Number(time) * 1_000).toISOString(), Number(plays)]);
}

it("live viewers: from a stream's creation to its deletion, then kept", async () => {
  const { world, calls } = here;
  const domain = "live.shop.example";
  const createdAt = world.now();
  const body = { "stream-type": "Universal Streaming Live", "stream-name": "winter-show" };
  const { body: created } = await calls.answer("live_stream_create", { domain, body });
  const stream = { domain, streamId: (created as { "stream-id": string })["stream-id"] };
  expect(await playsOf("winter-show")).toEqual([]);

  world.advance(5 * hourMs);
  const before = await playsOf("winter-show");
  expect(before.length).toBeGreaterThanOrEqual(5);
  expect(Date.parse(before[0]?.[0] ?? "")).toBeGreaterThan(createdAt - hourMs);
  expect(before.every(([, plays]) => plays > 0)).toBe(true);

  expect((await calls.approved("live_stream_delete", stream)).kind).toBe("answer");
  const deletedAt = world.now();

  world.advance(5 * hourMs);
  const after = await playsOf("winter-show");
  expect(after.filter(([hour]) => Date.parse(hour) < deletedAt - hourMs)).toEqual(before.slice(0, -1));
  expect(Math.max(...after.map(([hour]) => Date.parse(hour)))).toBeLessThanOrEqual(deletedAt);
  expect((await playsOf("shop-show")).length).toBeGreaterThan(after.length);
});
