/** Planned events of today: the same events in both versions, what a change loses, and calls in the form of the documents. */
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { callsIn } from "../../lab/calls.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const world = createWorld();
const calls = callsIn(world);
beforeEach(() => world.reset());
const [start, end] = ["2026-11-27T00:00:00Z", "2026-11-28T00:00:00Z"];
const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
const former = "/events/ws/api/v2/current-account/events";

describe("both versions", () => {
  it("show what the other one wrote, and count one version", async () => {
    const { send, get } = startRaw();
    const objects = [
      { id: 12_345, type: "CP_CODE" },
      { id: 6, type: "FLASH_LIVE_STREAM", bitrates: [5_000] },
    ];
    const made = await send("POST", "/events/v3/events", { name: "Sale", start, end, tags: ["sale"], objects });
    const [{ id }] = made.json() as [{ id: number }];
    expect((await get(`${former}/${id}`)).json()).toMatchObject({
      ...{ id: String(id), name: "Sale", start: startMs, version: 0, tags: [{ name: "sale", global: false }] },
      services: { siteCPCodes: [12_345], flashLiveStreams: [{ id: 6, bitrates: [5_000] }] },
    });
    await send("POST", `${former}/${id}`, { name: "Longer sale", start: startMs, end: endMs + 1_000, version: 0 });
    const now = (await get(`/events/v3/events/${id}`)).json();
    expect(now).toMatchObject({ id, name: "Longer sale", end: "2026-11-28T00:00:01Z", version: 1 });
  });

  it("do not show an event that one of them deleted", async () => {
    const { send, get } = startRaw();
    expect((await send("DELETE", "/events/v3/events/20052", undefined)).status).toBe(204);
    expect((await get(`${former}/20052`)).status).toBe(404);
  });
});

rule("event-v3-version", "refuses an update of an event that has changed meanwhile", async () => {
  const { send } = startRaw();
  const refused = await send("PUT", "/events/v3/events/20051", { name: "Spring sale", start, end, version: 11 });
  expect(refused.status).toBe(409);
  expect(refused.json()).toMatchObject({ title: "Concurrent modification", detail: expect.stringContaining("12") });
});

rule("event-v3-unique", "refuses an event with the name, start and end of another", async () => {
  const { send } = startRaw();
  const event = { name: "Sale", start, end };
  expect((await send("POST", "/events/v3/events", event)).status).toBe(200);
  expect((await send("POST", "/events/v3/events", event)).status).toBe(409);
});

rule("event-v3-recurrence", "creates one event for each occurrence", async () => {
  const body = { name: "Show", start, end, recurrence: { frequency: "WEEKLY", count: 3 } };
  const { body: made } = await calls.answer("event_create", { body });
  const starts = (made as { start: string }[]).map((one) => one.start.slice(0, 10));
  expect(starts).toEqual(["2026-11-27", "2026-12-04", "2026-12-11"]);
});

describe("a call of the documents", () => {
  it("that reads an event is taken with its number as text", async () => {
    expect((await calls.answer("event_get", { eventId: "20051" })).body).toMatchObject({ id: 20_051 });
  });
});
