/** One world: a stream that is created and deleted by the tools of live streaming has viewers in media analytics just between. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Calls } from "../../src/calls/index.js";
import { type ControlledWorld, createWorld } from "../../src/emulator/world.js";
import { callsIn } from "../lab/calls.js";
import { caller } from "../lab/made-up.js";

const hourMs = 3_600_000;
/** Not on the hour, and standing still: no hour begins between two calls. */
const frozenAt = Date.UTC(2026, 4, 20, 12, 30);
let world: ControlledWorld;
let calls: Calls;
beforeEach(() => {
  world = createWorld({ frozenAt });
  ({ calls } = callsIn(world, { callTimeoutMs: 60_000 }));
});
afterEach(() => world.reset());

async function bodyOf(tool: string, args: Record<string, unknown>): Promise<unknown> {
  const outcome = await calls.call(tool, args, caller);
  if (outcome.kind !== "answer") throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
  return outcome.reply.body;
}

/** The plays of each stream by hour, with the hours as ISO times. */
async function playsOf(name: string): Promise<readonly (readonly [hour: string, plays: number])[]> {
  const hour = (ms: number) => new Date(Math.floor(ms / hourMs) * hourMs).toISOString();
  const { rows } = (await bodyOf("media_data_get", {
    family: "audience-analytics",
    reportPackId: 6831,
    startDate: hour(world.now() - 24 * hourMs),
    endDate: hour(world.now() + hourMs),
    aggregation: 3_600,
    dimensions: ["Time", "Stream"],
    metrics: ["Plays"],
  })) as { rows: readonly (readonly [string, string, string])[] };
  return rows
    .filter(([, stream]) => stream === name)
    .map(([time, , plays]) => [new Date(Number(time) * 1_000).toISOString(), Number(plays)]);
}

it("live viewers: from a stream's creation to its deletion, then kept", async () => {
  const domain = "live.shop.example";
  expect(await playsOf("winter-show")).toEqual([]);
  const createdAt = world.now();
  const body = { "stream-type": "Universal Streaming Live", "stream-name": "winter-show" };
  const created = (await bodyOf("live_stream_create", { domain, body })) as { "stream-id": string };
  const stream = { domain, streamId: created["stream-id"] };
  expect(await playsOf("winter-show")).toEqual([]);

  world.advance(5 * hourMs);
  const before = await playsOf("winter-show");
  expect(before.length).toBeGreaterThanOrEqual(5);
  expect(Date.parse(before[0]?.[0] ?? "")).toBeGreaterThan(createdAt - hourMs);
  expect(before.every(([, plays]) => plays > 0)).toBe(true);

  const preview = await calls.call("live_stream_delete", stream, caller);
  if (preview.kind !== "preview") throw new Error(preview.kind);
  const approved = { ...stream, confirm: preview.plan.id };
  expect(await calls.call("live_stream_delete", approved, caller)).toMatchObject({ kind: "answer" });
  const deletedAt = world.now();
  // A plan is used once.
  expect(await calls.call("live_stream_delete", approved, caller)).toMatchObject({
    kind: "failure",
    failure: { code: "approval_refused" },
  });

  world.advance(5 * hourMs);
  const after = await playsOf("winter-show");
  expect(after.filter(([hour]) => Date.parse(hour) < deletedAt - hourMs)).toEqual(before.slice(0, -1));
  expect(Math.max(...after.map(([hour]) => Date.parse(hour)))).toBeLessThanOrEqual(deletedAt);
  expect((await playsOf("shop-show")).length).toBeGreaterThan(after.length);
});
