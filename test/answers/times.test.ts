/** The ISO times beside an answer whose API writes them as milliseconds. */
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { json } from "../../src/language/define.js";
import { z } from "../../src/language/z.js";
import { timesOf } from "../../src/rows/index.js";
import { events } from "../../src/tools/events/index.js";
import { EpochMs } from "../../src/tools/fields.js";

const presentation = { upstream: "the emulator", secrets: [], maxTokens: 30_000 };
const start = Date.UTC(2026, 10, 27);
const event = {
  id: "1",
  name: "Sale",
  version: 1,
  start,
  end: start + 3_600_500,
  createdDate: start - 86_400_000,
  modifiedDate: start - 86_400_000,
};

it("times are shown beside an event, each once, and do not change it", () => {
  const reply = { status: 200, body: event, notes: [] };
  const { structuredContent } = successResult(reply, presentation, events.operations.event_get.spec);
  expect(structuredContent["data"]).toEqual(event);
  expect(structuredContent["times"]).toEqual({
    [String(start)]: "2026-11-27T00:00:00Z",
    [String(start + 3_600_500)]: "2026-11-27T01:00:00.500Z",
    [String(start - 86_400_000)]: "2026-11-26T00:00:00Z",
  });
  expect(structuredContent).not.toHaveProperty("notes");
});

it("times of a list are bounded and counted", () => {
  const body = Array.from({ length: 40 }, (_, index) => ({
    ...event,
    start: start + index * 1_000,
    end: start - 1_000,
  }));
  const reply = { status: 200, body, notes: [] };
  const { structuredContent } = successResult(reply, presentation, events.operations.events_list.spec);
  const times = structuredContent["times"] as Record<string, string>;
  expect(Object.keys(times)).toEqual(body.map((one) => String(one.start)));
  expect(structuredContent["notes"]).toEqual(["times: 40 of 42 are shown; the others also count from 1970."]);
});

it("no times for another status or a value that is not a time", () => {
  const returns = { 200: json(z.looseObject({ at: EpochMs.nullable() })) };
  for (const [status, body] of [
    [201, { at: start }],
    [200, { at: "soon" }],
    [200, { at: null }],
    [200, { at: 9e15 }],
    [200, "page"],
    [200, undefined],
  ] as const)
    expect(timesOf({ returns }, status, body)).toEqual({ notes: [] });
});

it("finds the times of a payload in its envelope", () => {
  const Listed = z.looseObject({ response: z.array(z.looseObject({ createDate: EpochMs })) });
  const returns = { 200: json(Listed) };
  const body = [{ createDate: 1_779_000_000_000 }];
  const expected = { "1779000000000": new Date(1_779_000_000_000).toISOString().replace(".000Z", "Z") };
  expect(timesOf({ returns }, 200, { response: body }).times).toEqual(expected);
  expect(timesOf({ returns }, 200, body).times).toBeUndefined();
});
