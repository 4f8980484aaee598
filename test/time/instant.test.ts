/** Times as a caller writes them: in a zone, on the days when its clocks change, and as they are listed. */
import { expect, it } from "vitest";
import { z } from "../../src/language/z.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { hasOffset, instantsIn, isInstant, readInstant, valuesAt, withInstants } from "../../src/time/instant.js";
import { alertsV2 } from "../../src/tools/alerts-v2/index.js";
import { events } from "../../src/tools/events/index.js";
import { EpochMs } from "../../src/tools/fields.js";
import { problemsOf } from "../lab/checked.js";

const { event_create: create, events_list: list } = events.operations;
const fieldsOf = (args: object) => problemsOf("event_create", create, args);
const created = (start: unknown, more: object = {}) => ({
  body: { name: "Sale", start, end: "2030-01-01T00:00:00Z" },
  ...more,
});
const startOf = (start: unknown, timeZone: string) => {
  const { body, notes } = validateArguments("event_create", create, created(start, { timeZone }));
  return [new Date((body as { start: number }).start).toISOString(), notes[0]];
};

it("a time without offset is in the zone, with a note", () => {
  expect(startOf("2026-11-27T00:00", "Asia/Tokyo")).toEqual([
    "2026-11-26T15:00:00.000Z",
    "body.start 2026-11-27T00:00 (Asia/Tokyo) is 2026-11-26T15:00:00Z.",
  ]);
  const { query, notes } = validateArguments("events_list", list, { startRange: "2026-11-27", timeZone: "Asia/Tokyo" });
  expect(query).toEqual({ startRange: Date.parse("2026-11-26T15:00:00Z") });
  expect(notes).toEqual(["startRange 2026-11-27 (Asia/Tokyo) is 2026-11-26T15:00:00Z."]);
});

it("a time without offset is sent as it is if the API accepts that", () => {
  const args = { definitionId: "a@1", start: "2026-05-01", end: "2026-05-02T06:30:00" };
  const { query } = validateArguments("x", alertsV2.operations.alert_suppression_create, args);
  expect(query).toEqual({ start: "2026-05-01", end: "2026-05-02T06:30:00" });
});

it("a time without offset is the earlier of two when clocks go back", () => {
  const note = "is 2026-10-25T00:30:00Z, the earlier of two occurrences of that local time.";
  expect(startOf("2026-10-25T02:30:00", "Europe/Berlin")).toEqual([
    "2026-10-25T00:30:00.000Z",
    `body.start 2026-10-25T02:30:00 (Europe/Berlin) ${note}`,
  ]);
  expect(startOf("2026-10-25T03:00:00", "Europe/Berlin")[0]).toBe("2026-10-25T02:00:00.000Z");
  expect(startOf("2026-04-05T01:45:00", "Australia/Lord_Howe")[0]).toBe("2026-04-04T14:45:00.000Z");
});

it.each([
  ["2026-03-29T02:30:00", "Europe/Berlin", "2026-03-29T01:59:59 and 2026-03-29T03:00:00"],
  ["2026-10-04T02:10:00", "Australia/Lord_Howe", "2026-10-04T01:59:59 and 2026-10-04T02:30:00"],
  ["2026-03-08T00:30:00", "America/Havana", "2026-03-07T23:59:59 and 2026-03-08T01:00:00"],
  ["2011-12-30T12:00:00", "Pacific/Apia", "2011-12-29T23:59:59 and 2011-12-31T00:00:00"],
])("%s is refused in %s, where the clocks skip it, with its neighbors", (start, timeZone, neighbors) => {
  expect(fieldsOf(created(start, { timeZone }))).toEqual([
    { field: "body.start", given: JSON.stringify(start), takes: expect.stringContaining(neighbors) },
  ]);
});

it("a time zone is refused where nothing needs it, and where there is none", () => {
  for (const timeZone of ["Asia/Tokyo", "Mars/Olympus"])
    expect(fieldsOf(created("2026-11-27T00:00:00Z", { timeZone }))).toEqual([
      { field: "timeZone", given: `"${timeZone}"`, takes: expect.any(String) },
    ]);
});

const Nested: z.ZodType = z.looseObject({
  at: EpochMs.optional().describe("Then"),
  get inner() {
    return Nested.optional();
  },
});
const schema = z.strictObject({
  list: z.array(z.looseObject({ at: EpochMs })).optional(),
  record: z.record(z.string(), EpochMs.nullable()).optional(),
  either: z.union([z.strictObject({ a: EpochMs }), z.strictObject({ b: z.string() })]).optional(),
  nested: Nested.optional(),
});

it("instants are found in lists, records, unions and recursive schemas", () => {
  const at = "2026-05-01T00:00:00Z";
  const ms = Date.parse(at);
  const given = { list: [{ at, other: at }], record: { x: at, y: null }, either: { a: at }, nested: { at, b: at } };
  const { values, problems } = withInstants(schema, given, undefined);
  const read = {
    list: [{ at: ms, other: at }],
    record: { x: ms, y: null },
    either: { a: ms },
    nested: { at: ms, b: at },
  };
  expect(values).toEqual(read);
  expect(problems).toEqual([]);
  expect(given.list[0]?.at).toBe(at);
});

it("instants of other kinds are named by their place, or yield nothing", () => {
  const { problems } = withInstants(schema, { list: [{ at: 1 }, { at: "x" }], record: { y: "z" } }, undefined);
  expect(problems.map(({ field }) => field)).toEqual(["list[1].at", "record.y"]);
  for (const value of [undefined, null, 7, "text", [], {}])
    expect(instantsIn(schema).flatMap(({ path }) => [...valuesAt(value, path)])).toEqual([]);
});

it("a text longer than any time is no time", () => {
  const long = "2026-05-19T00:00:00Z ".repeat(500_000);
  expect([readInstant(long), hasOffset(`${long}Z`), isInstant(long)]).toEqual([Number.NaN, false, false]);
  expect(readInstant("2026-05-19T00:00:00.123456789+0200")).toBe(Date.UTC(2026, 4, 18, 22, 0, 0, 123));
});
