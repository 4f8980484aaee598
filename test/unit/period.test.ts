/** Relative periods: which instants they mean, in which zone, and how a call that uses them goes wrong. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import type { AnyOperation } from "../../src/language/define.js";
import { resolvedExample } from "../../src/language/example.js";
import { boundsOf } from "../../src/time/period.js";
import { alertsV2 } from "../../src/tools/alerts-v2/index.js";
import { billingUsage } from "../../src/tools/billing-usage/index.js";
import { contracts } from "../../src/tools/contracts/index.js";
import { events } from "../../src/tools/events/index.js";
import { reporting } from "../../src/tools/reporting/index.js";

const now = Date.parse("2026-05-20T12:34:56Z");
const told = (period: string, zone = "UTC", at = now, areDaysWhole = false) => {
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
])("%s in %s is %s", (period, zone, expected) => {
  expect(told(period, zone)).toBe(expected);
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
])("%s in %s is made of whole days: %s", (period, zone, expected) => {
  expect(told(period, zone, now, true)).toBe(expected);
});

it("is of the month of the zone and not of UTC, around midnight", () => {
  const eve = Date.parse("2026-05-31T20:00:00Z");
  expect(told("last_month", "UTC", eve)).toBe("2026-04-01T00:00:00.000Z 2026-05-01T00:00:00.000Z");
  expect(told("last_month", "Asia/Tokyo", eve)).toBe("2026-04-30T15:00:00.000Z 2026-05-31T15:00:00.000Z");
});

it("is an hour of today when that has only begun", () => {
  expect(told("today", "UTC", Date.parse("2026-05-20T00:20:00Z"))).toBe(
    "2026-05-20T00:00:00.000Z 2026-05-20T01:00:00.000Z",
  );
});

it("is in an example counted back from the full hour", () => {
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

it("makes a day of 23 and one of 25 hours where the clocks change", () => {
  expect(told("yesterday", "Europe/Berlin", Date.parse("2026-03-30T10:00:00Z"))).toBe(
    "2026-03-28T23:00:00.000Z 2026-03-29T22:00:00.000Z",
  );
  expect(told("yesterday", "Europe/Berlin", Date.parse("2026-10-26T10:00:00Z"))).toBe(
    "2026-10-24T22:00:00.000Z 2026-10-25T23:00:00.000Z",
  );
});

it.each([
  "America/Havana",
  "Atlantic/Azores",
  "Asia/Beirut",
  "America/Santiago",
  "America/Nuuk",
  "Australia/Lord_Howe",
])("begins at the first instant of its day in %s, where clocks change around midnight, on every day", (zone) => {
  const dates = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
  for (let at = Date.UTC(2026, 0, 2, 12); at < Date.UTC(2027, 0); at += 86_400_000) {
    const { start, end } = boundsOf("yesterday", zone, at);
    const days = [start - 1, start, end - 1, end].map((instant) => dates.format(instant));
    expect(new Set(days).size, `${days} of ${new Date(at).toISOString()}`).toBe(3);
    expect([days[1], days[3]]).toEqual([days[2], dates.format(at)]);
  }
});

it("is never empty and never in the future, in 1,000 made-up moments", () => {
  const zones = fc.constantFrom("UTC", "Asia/Tokyo", "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati");
  const instants = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
  fc.assert(
    fc.property(zones, instants, fc.constantFrom("yesterday", "last_24h", "last_7d"), (zone, at, period) => {
      const { start, end } = boundsOf(period, zone, at);
      expect(end - start).toBeGreaterThanOrEqual(23 * 3_600_000);
      expect(end).toBeLessThanOrEqual(at);
    }),
    { numRuns: 1_000 },
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

  it("stands for start and end, and says what it means", () => {
    const { query, notes } = check({ ...report, interval: "HOUR", period: "yesterday", timeZone: "Asia/Tokyo" });
    expect(query).toMatchObject({ start: "2026-05-18T15:00:00Z", end: "2026-05-19T15:00:00Z" });
    expect(query).not.toHaveProperty("period");
    expect(notes).toEqual(["yesterday (Asia/Tokyo) is 2026-05-18T15:00:00Z to 2026-05-19T15:00:00Z."]);
  });

  it.each(["DAY", "WEEK", "MONTH"])("is of whole days where the interval is %s", (interval) => {
    const { query } = check({ ...report, interval, period: "last_28d" });
    expect(query).toMatchObject({ start: "2026-04-22T00:00:00Z", end: "2026-05-20T00:00:00Z" });
  });

  it.each(["HOUR", "FIVE_MINUTES"])("ends with the last full hour where the interval is %s", (interval) => {
    const { query } = check({ ...report, interval, period: "last_2d" });
    expect(query).toMatchObject({ start: "2026-05-18T12:00:00Z", end: "2026-05-20T12:00:00Z" });
  });

  it("of days says where those are not the API's own", () => {
    const notesIn = (timeZone: string) => check({ ...report, period: "last_7d", timeZone }).notes;
    expect(notesIn("Asia/Tokyo")).toEqual([
      "last_7d (Asia/Tokyo) is 2026-05-12T15:00:00Z to 2026-05-19T15:00:00Z.",
      expect.stringContaining("UTC days"),
    ]);
    expect(notesIn("UTC")).toHaveLength(1);
  });

  it("has as many dates as it says days", () => {
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
  ])("names the months of usage: %s", (period, expected) => {
    for (const [tool, operation] of Object.entries(billingUsage.operations)) {
      if (tool === "usage_measure_find") continue;
      const args = { contractId: "C-1", reportingGroupId: "1", productId: "M-1", period };
      const place = tool.includes("group") ? "contractId" : "reportingGroupId";
      const { [place]: _, ...own } = args as Record<string, string>;
      const { query, notes } = checkArguments(tool, operation as AnyOperation, own, now);
      expect([tool, query]).toEqual([tool, expected]);
      expect(notes[0]).toMatch(new RegExp(`^${period} \\(UTC\\) is 2026-0|^${period} \\(UTC\\) is 2025-11`));
    }
  });

  it("is of usage by the months of the zone", () => {
    const { usage_contract_measures_list: list } = billingUsage.operations;
    const args = { contractId: "C-1", productId: "M-1", period: "this_month", timeZone: "Asia/Tokyo" };
    expect(checkArguments("x", list, args, Date.parse("2025-12-31T20:00:00Z")).query).toEqual({ month: 1, year: 2026 });
  });

  it.each(["last_7d", "yesterday", "today", "next_24h"])("is no %s where usage is asked for", (period) => {
    const { usage_contract_measures_list: list } = billingUsage.operations;
    expect(() => checkArguments("x", list, { contractId: "C-1", productId: "M-1", period }, now)).toThrow(
      `period: "${period}" was given; takes this_month, last_month or last_3_months (at most 15), because`,
    );
  });

  it("stands for all the months of usage, and beside none of them", () => {
    const { usage_contract_measures_list: list } = billingUsage.operations;
    const args = { contractId: "C-1", productId: "M-1", period: "last_month" };
    for (const name of ["month", "year", "fromMonth", "toYear"])
      expect(() => checkArguments("x", list, { ...args, [name]: name.includes("onth") ? 5 : 2026 }, now)).toThrow(
        `${name}: `,
      );
  });

  it("is not of the future where there is nothing to ask for", () => {
    expect(wrong({ ...report, period: "next_7d" })).toEqual(["period"]);
    const { alert_suppression_create: suppress } = alertsV2.operations;
    expect(() => checkArguments("x", suppress, { definitionId: "a@1", period: "next_7d" }, now)).not.toThrow();
  });

  const iso = { start: "2026-05-19T00:00:00Z", end: "2026-05-20T00:00:00Z" };
  // The dates of a contract are whole days, so that one day begins and ends with itself.
  const dates = { from: "2026-05-19", to: "2026-05-19" };
  it.each<[tool: string, operation: AnyOperation, args: object, expected: object]>([
    ["report_data_get", data, report, iso],
    ["report_data_find", reporting.operations.report_data_find, { ...found, body: { objectIds: "all" } }, iso],
    ["alert_suppression_create", alertsV2.operations.alert_suppression_create, { definitionId: "a@cp_1_2" }, iso],
    [
      "contract_product_summary_get",
      contracts.operations.contract_product_summary_get,
      { contractId: "3-MADEUP" },
      dates,
    ],
    [
      "contract_group_product_summary_get",
      contracts.operations.contract_group_product_summary_get,
      { reportingGroupId: 7 },
      dates,
    ],
  ])("is written by %s as the API has its times", (tool, operation, args, expected) => {
    expect(checkArguments(tool, operation, { ...args, period: "yesterday" }, now).query).toMatchObject(expected);
  });

  it("is written in milliseconds where the operation takes those", () => {
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
  ])("with %j names the field", (more, fields) => {
    expect(wrong({ ...report, ...more })).toEqual(fields);
  });

  it("is not needed where start and end are not", () => {
    expect(checkArguments("events_list", events.operations.events_list, {}, now).query).toEqual({});
  });
});
