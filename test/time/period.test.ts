/** Relative periods: which instants they mean, in which zone, and how a call that uses them goes wrong. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import { resolvedExample } from "../../src/language/example.js";
import { boundsOf } from "../../src/time/period.js";
import { alertsV2 } from "../../src/tools/alerts-v2/index.js";
import { billingUsage } from "../../src/tools/billing-usage/index.js";
import { contracts } from "../../src/tools/contracts/index.js";
import { events } from "../../src/tools/events/index.js";
import { reporting } from "../../src/tools/reporting/index.js";
import { runs } from "../lab/depth.js";

const now = Date.parse("2026-05-20T12:34:56Z");
const bounds = (period: string, zone = "UTC", at = now, areDaysWhole = false) => {
  const { start, end } = boundsOf(period, zone, at, areDaysWhole);
  return `${new Date(start).toISOString()} ${new Date(end).toISOString()}`;
};

it.each([
  ["last_24h", "UTC", "2026-05-19T12:00:00.000Z 2026-05-20T12:00:00.000Z"],
  ["last_1h", "Asia/Tokyo", "2026-05-20T11:00:00.000Z 2026-05-20T12:00:00.000Z"],
  ["last_7d", "UTC", "2026-05-13T12:00:00.000Z 2026-05-20T12:00:00.000Z"],
  ["yesterday", "UTC", "2026-05-19T00:00:00.000Z 2026-05-20T00:00:00.000Z"],
  ["yesterday", "Asia/Tokyo", "2026-05-18T15:00:00.000Z 2026-05-19T15:00:00.000Z"],
  ["yesterday", "America/Los_Angeles", "2026-05-19T07:00:00.000Z 2026-05-20T07:00:00.000Z"],
  ["yesterday", "Asia/Kolkata", "2026-05-18T18:30:00.000Z 2026-05-19T18:30:00.000Z"],
  ["today", "UTC", "2026-05-20T00:00:00.000Z 2026-05-20T12:00:00.000Z"],
  ["today", "Asia/Tokyo", "2026-05-19T15:00:00.000Z 2026-05-20T12:00:00.000Z"],
  ["next_24h", "UTC", "2026-05-20T12:00:00.000Z 2026-05-21T12:00:00.000Z"],
  ["next_30d", "Asia/Tokyo", "2026-05-20T12:00:00.000Z 2026-06-19T12:00:00.000Z"],
  ["this_month", "UTC", "2026-05-01T00:00:00.000Z 2026-05-20T12:00:00.000Z"],
  ["last_month", "UTC", "2026-04-01T00:00:00.000Z 2026-05-01T00:00:00.000Z"],
  ["last_month", "Asia/Tokyo", "2026-03-31T15:00:00.000Z 2026-04-30T15:00:00.000Z"],
  ["last_3_months", "Europe/Berlin", "2026-01-31T23:00:00.000Z 2026-04-30T22:00:00.000Z"],
  ["last_15_months", "UTC", "2025-02-01T00:00:00.000Z 2026-05-01T00:00:00.000Z"],
])("the period %s in %s is %s", (period, zone, expected) => {
  expect(bounds(period, zone)).toBe(expected);
});

it.each([
  ["last_28d", "UTC", "2026-04-22T00:00:00.000Z 2026-05-20T00:00:00.000Z"],
  ["last_7d", "Asia/Tokyo", "2026-05-12T15:00:00.000Z 2026-05-19T15:00:00.000Z"],
  ["last_24h", "UTC", "2026-05-19T00:00:00.000Z 2026-05-20T00:00:00.000Z"],
  ["last_36h", "UTC", "2026-05-18T00:00:00.000Z 2026-05-20T00:00:00.000Z"],
  ["next_2d", "UTC", "2026-05-20T00:00:00.000Z 2026-05-22T00:00:00.000Z"],
  ["today", "UTC", "2026-05-20T00:00:00.000Z 2026-05-21T00:00:00.000Z"],
  ["yesterday", "UTC", "2026-05-19T00:00:00.000Z 2026-05-20T00:00:00.000Z"],
  ["this_month", "UTC", "2026-05-01T00:00:00.000Z 2026-05-21T00:00:00.000Z"],
  ["last_2_months", "UTC", "2026-03-01T00:00:00.000Z 2026-05-01T00:00:00.000Z"],
])("the period %s in %s, in whole days: %s", (period, zone, expected) => {
  expect(bounds(period, zone, now, true)).toBe(expected);
});

it("last_month is of the zone and not of UTC, around midnight", () => {
  const eve = Date.parse("2026-05-31T20:00:00Z");
  expect(bounds("last_month", "UTC", eve)).toBe("2026-04-01T00:00:00.000Z 2026-05-01T00:00:00.000Z");
  expect(bounds("last_month", "Asia/Tokyo", eve)).toBe("2026-04-30T15:00:00.000Z 2026-05-31T15:00:00.000Z");
});

it("today is an hour when it has only begun", () => {
  expect(bounds("today", "UTC", Date.parse("2026-05-20T00:20:00Z"))).toBe(
    "2026-05-20T00:00:00.000Z 2026-05-20T01:00:00.000Z",
  );
});

it("times in an example are counted from the full hour", () => {
  const example = { a: "{now}", b: "{now-7d}", c: ["{now-90h}"] };
  expect(resolvedExample(example, now)).toEqual({
    a: "2026-05-20T12:00:00Z",
    b: "2026-05-13T12:00:00Z",
    c: ["2026-05-16T18:00:00Z"],
  });
  expect(resolvedExample({ a: "{today}", b: "{today+7d}", c: "{today-20d}", d: "{now+2h}" }, now)).toEqual({
    a: "2026-05-20",
    b: "2026-05-27",
    c: "2026-04-30",
    d: "2026-05-20T14:00:00Z",
  });
});

it("yesterday has 23 or 25 hours where the clocks change", () => {
  expect(bounds("yesterday", "Europe/Berlin", Date.parse("2026-03-30T10:00:00Z"))).toBe(
    "2026-03-28T23:00:00.000Z 2026-03-29T22:00:00.000Z",
  );
  expect(bounds("yesterday", "Europe/Berlin", Date.parse("2026-10-26T10:00:00Z"))).toBe(
    "2026-10-24T22:00:00.000Z 2026-10-25T23:00:00.000Z",
  );
});

it.each(["America/Havana", "Atlantic/Azores", "America/Nuuk"])(
  "yesterday begins at the first instant of its day in %s",
  (zone) => {
    const dates = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
    for (let at = Date.UTC(2026, 0, 2, 12); at < Date.UTC(2027, 0); at += 86_400_000) {
      const { start, end } = boundsOf("yesterday", zone, at);
      const days = [start - 1, start, end - 1, end].map((instant) => dates.format(instant));
      expect(new Set(days).size, `${days} of ${new Date(at).toISOString()}`).toBe(3);
      expect([days[1], days[3]]).toEqual([days[2], dates.format(at)]);
    }
  },
);

it("a past period is never empty and never in the future", () => {
  const zones = fc.constantFrom("UTC", "Asia/Tokyo", "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati");
  const instants = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
  fc.assert(
    fc.property(zones, instants, fc.constantFrom("yesterday", "last_24h", "last_7d"), (zone, at, period) => {
      const { start, end } = boundsOf(period, zone, at);
      expect(end - start).toBeGreaterThanOrEqual(23 * 3_600_000);
      expect(end).toBeLessThanOrEqual(at);
    }),
    { numRuns: runs(100) },
  );
});

describe("in a call", () => {
  const data = reporting.operations.report_data_get;
  const found = { reportName: "endpoint-usage-by-time", version: 1, interval: "DAY" };
  const report = { ...found, allObjectIds: true };
  const check = (args: object) => checkArguments("report_data_get", data, args, now);
  const wrong = (args: object): string[] => {
    try {
      check(args);
    } catch (error) {
      return (error as { detail: { fields: { field: string }[] } }).detail.fields.map(({ field }) => field);
    }
    return [];
  };

  it("a period sets start and end, with a note", () => {
    const { query, notes } = check({ ...report, interval: "HOUR", period: "yesterday", timeZone: "Asia/Tokyo" });
    expect(query).toMatchObject({ start: "2026-05-18T15:00:00Z", end: "2026-05-19T15:00:00Z" });
    expect(query).not.toHaveProperty("period");
    expect(notes).toEqual(["yesterday (Asia/Tokyo) is 2026-05-18T15:00:00Z to 2026-05-19T15:00:00Z."]);
  });

  it.each(["HOUR", "FIVE_MINUTES"])("a period ends with the last full hour for interval %s", (interval) => {
    const { query } = check({ ...report, interval, period: "last_2d" });
    expect(query).toMatchObject({ start: "2026-05-18T12:00:00Z", end: "2026-05-20T12:00:00Z" });
  });

  it("a period of days notes that the API has UTC days", () => {
    const notesIn = (timeZone: string) => check({ ...report, period: "last_7d", timeZone }).notes;
    expect(notesIn("Asia/Tokyo")).toEqual([
      "last_7d (Asia/Tokyo) is 2026-05-12T15:00:00Z to 2026-05-19T15:00:00Z.",
      expect.stringContaining("UTC days"),
    ]);
    expect(notesIn("UTC")).toHaveLength(1);
  });

  it("last_7d is seven dates", () => {
    const { contract_product_summary_get: summary } = contracts.operations;
    const { query } = checkArguments("x", summary, { contractId: "3-MADEUP", period: "last_7d" }, now);
    expect(query).toEqual({ from: "2026-05-13", to: "2026-05-19" });
  });

  it.each([
    ["this_month", { month: 5, year: 2026 }],
    ["last_month", { month: 4, year: 2026 }],
    ["last_1_months", { month: 4, year: 2026 }],
    ["last_3_months", { fromMonth: 2, fromYear: 2026, toMonth: 4, toYear: 2026 }],
    ["last_6_months", { fromMonth: 11, fromYear: 2025, toMonth: 4, toYear: 2026 }],
  ])("the months of usage in %s", (period, expected) => {
    const { usage_contract_measures_list: list } = billingUsage.operations;
    const args = { contractId: "C-1", productId: "M-1", period };
    expect(checkArguments("usage_contract_measures_list", list, args, now).query).toEqual(expected);
  });

  it.each(["last_7d", "yesterday", "today", "next_24h"])("usage does not take the period %s", (period) => {
    const { usage_contract_measures_list: list } = billingUsage.operations;
    expect(() => checkArguments("x", list, { contractId: "C-1", productId: "M-1", period }, now)).toThrow(
      `period: "${period}" was given; takes this_month, last_month or last_3_months (at most 15), because`,
    );
  });

  it("a period of usage is refused beside a month or a year", () => {
    const { usage_contract_measures_list: list } = billingUsage.operations;
    const args = { contractId: "C-1", productId: "M-1", period: "last_month" };
    for (const name of ["month", "year", "fromMonth", "toYear"])
      expect(() => checkArguments("x", list, { ...args, [name]: name.includes("onth") ? 5 : 2026 }, now)).toThrow(
        `${name}: `,
      );
  });

  it("a report takes no period of the future, a suppression does", () => {
    expect(wrong({ ...report, period: "next_7d" })).toEqual(["period"]);
    const { alert_suppression_create: suppress } = alertsV2.operations;
    expect(() => checkArguments("x", suppress, { definitionId: "a@1", period: "next_7d" }, now)).not.toThrow();
  });

  it("a period is in milliseconds where the operation takes those", () => {
    expect(checkArguments("events_list", events.operations.events_list, { period: "last_24h" }, now).query).toEqual({
      startRange: Date.parse("2026-05-19T12:00:00Z"),
      endRange: Date.parse("2026-05-20T12:00:00Z"),
    });
  });

  it.each([
    [{}, ["start", "end"]],
    [{ start: "2026-05-01" }, ["end"]],
    [{ period: "yesterday", start: "2026-05-01" }, ["start"]],
    [{ period: "last_week" }, ["period"]],
    [{ period: "last_0d" }, ["period"]],
    [{ period: "last_0_months" }, ["period"]],
    [{ period: "last_16_months" }, ["period"]],
    [{ period: "next_month" }, ["period"]],
    [{ period: "yesterday", timeZone: "Mars/Olympus" }, ["timeZone"]],
    [{ start: "2026-05-01T00:00Z", end: "2026-05-02T00:00Z", timeZone: "Asia/Tokyo" }, ["timeZone"]],
    [{ start: "2026-05-02", end: "2026-05-01" }, ["end"]],
    [{ start: "2026-05-01T09:00+09:00", end: "2026-04-30T23:59Z" }, ["end"]],
    [{ start: "2026-05-01T09:00+09:00", end: "2026-05-01T00:00Z" }, []],
  ])("a report with %j is refused by field", (more, fields) => {
    expect(wrong({ ...report, ...more })).toEqual(fields);
  });
});
