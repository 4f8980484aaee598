/** Relative periods: which instants they mean, in which zone, and how a call that uses them goes wrong. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { resolvedExample } from "../../src/pages/example.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { boundsOf } from "../../src/time/period.js";
import { alertsV2 } from "../../src/tools/alerts-v2/index.js";
import { billingUsage } from "../../src/tools/billing-usage/index.js";
import { contracts } from "../../src/tools/contracts/index.js";
import { events } from "../../src/tools/events/index.js";
import { reporting } from "../../src/tools/reporting/index.js";
import { problemsOf } from "../lab/checked.js";
import { runs } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";

const now = Date.parse("2026-05-20T12:34:56Z");
const bounds = (period: string, zone = "UTC", at = now, areDaysWhole = false) => {
  const { start, end } = boundsOf(period, zone, at, areDaysWhole);
  return `${new Date(start).toISOString()} ${new Date(end).toISOString()}`;
};

it("each period has the recorded bounds, in hours and in whole days", async () => {
  const rows = readFileSync(new URL("periods.txt", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  await holdsForEach(rows.slice(1), (row) => {
    const [period = "", zone = "", from = "", to = "", days] = row.split(/ +/);
    const expected = [from, to].map((text) => new Date(text).toISOString()).join(" ");
    expect(bounds(period, zone, now, days !== undefined)).toBe(expected);
  });
  expect(rows).toHaveLength(26);
});

it("last_month follows its zone, and today lasts an hour at least", () => {
  const eve = Date.parse("2026-05-31T20:00:00Z");
  expect(bounds("last_month", "UTC", eve)).toBe("2026-04-01T00:00:00.000Z 2026-05-01T00:00:00.000Z");
  expect(bounds("last_month", "Asia/Tokyo", eve)).toBe("2026-04-30T15:00:00.000Z 2026-05-31T15:00:00.000Z");
  const begun = Date.parse("2026-05-20T00:20:00Z");
  expect(bounds("today", "UTC", begun)).toBe("2026-05-20T00:00:00.000Z 2026-05-20T01:00:00.000Z");
});

it("times in an example are counted from the full hour", () => {
  const example = { a: "{now}", b: "{now-7d}", c: ["{now-90h}"], d: "{now+2h}" };
  const days = { e: "{today}", f: "{today+7d}", g: "{today-20d}" };
  expect(resolvedExample({ ...example, ...days }, now)).toEqual({
    ...{ a: "2026-05-20T12:00:00Z", b: "2026-05-13T12:00:00Z", c: ["2026-05-16T18:00:00Z"] },
    ...{ d: "2026-05-20T14:00:00Z", e: "2026-05-20", f: "2026-05-27", g: "2026-04-30" },
  });
});

it.each([
  ["2026-03-30T10:00:00Z", "2026-03-28T23:00:00.000Z 2026-03-29T22:00:00.000Z"],
  ["2026-10-26T10:00:00Z", "2026-10-24T22:00:00.000Z 2026-10-25T23:00:00.000Z"],
])("yesterday has 23 or 25 hours where the clocks change: %s", (at, expected) => {
  expect(bounds("yesterday", "Europe/Berlin", Date.parse(at))).toBe(expected);
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

const data = reporting.operations.report_data_get;
const found = { reportName: "endpoint-usage-by-time", version: 1, interval: "DAY" };
const report = { ...found, allObjectIds: true };
const check = (args: object) => validateArguments("report_data_get", data, args, now);
const wrong = (args: object) => problemsOf("report_data_get", data, args, now).map(({ field }) => field);
const { usage_contract_measures_list: list } = billingUsage.operations;
const usage = (args: object) =>
  validateArguments("usage_contract_measures_list", list, { contractId: "C-1", productId: "M-1", ...args }, now);

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

it("a period of days has whole dates, with a note on UTC days", () => {
  const notesIn = (timeZone: string) => check({ ...report, period: "last_7d", timeZone }).notes;
  expect(notesIn("Asia/Tokyo")).toEqual([
    "last_7d (Asia/Tokyo) is 2026-05-12T15:00:00Z to 2026-05-19T15:00:00Z.",
    expect.stringContaining("UTC days"),
  ]);
  expect(notesIn("UTC")).toHaveLength(1);
  const { contract_product_summary_get: summary } = contracts.operations;
  const { query } = validateArguments("x", summary, { contractId: "3-MADEUP", period: "last_7d" }, now);
  expect(query).toEqual({ from: "2026-05-13", to: "2026-05-19" });
});

it.each([
  ["this_month", { month: 5, year: 2026 }],
  ["last_month", { month: 4, year: 2026 }],
  ["last_1_months", { month: 4, year: 2026 }],
  ["last_3_months", { fromMonth: 2, fromYear: 2026, toMonth: 4, toYear: 2026 }],
  ["last_6_months", { fromMonth: 11, fromYear: 2025, toMonth: 4, toYear: 2026 }],
])("the months of usage in %s", (period, expected) => {
  expect(usage({ period }).query).toEqual(expected);
});

it("usage takes no other period, and none with a month or a year", () => {
  for (const period of ["last_7d", "yesterday", "today", "next_24h"])
    expect(() => usage({ period })).toThrow(
      `period: "${period}" was given; takes this_month, last_month or last_3_months (at most 15), because`,
    );
  for (const name of ["month", "year", "fromMonth", "toYear"])
    expect(() => usage({ period: "last_month", [name]: name.includes("onth") ? 5 : 2026 })).toThrow(`${name}: `);
});

it("a period may be in the future or in milliseconds if the API takes it", () => {
  expect(wrong({ ...report, period: "next_7d" })).toEqual(["period"]);
  const { alert_suppression_create: suppress } = alertsV2.operations;
  expect(() => validateArguments("x", suppress, { definitionId: "a@1", period: "next_7d" }, now)).not.toThrow();
  expect(validateArguments("events_list", events.operations.events_list, { period: "last_24h" }, now).query).toEqual({
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
