/** Time in views: the time of each row by the name `time`, spans counted from the start, and parts that are only partial. */
import { expect, it } from "vitest";
import { applied, problemsOf, rowsOf } from "./apply.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const noon = Date.UTC(2026, 4, 13, 12);

/** One row a step, each of one hit. */
const series = (startMs: number, count: number, stepMs = hourMs) =>
  Array.from({ length: count }, (_, at) => ({
    startdatetime: new Date(startMs + at * stepMs).toISOString().replace(".000Z", "Z"),
    hits: 1,
  }));
const partialIn = (notes: readonly string[]) => notes.filter((note) => note.startsWith("Partial"));

it("has the time of each row under the name time, whatever it is called", () => {
  const rows = series(noon, 4);
  expect(rowsOf(rows, { group_by: "day(time)", aggregate: "sum(hits)" })).toEqual([
    { "day(startdatetime)": "2026-05-13", "sum(hits)": 4 },
  ]);
  expect(rowsOf(rows, { where: "time >= 2026-05-13T15:00:00Z" })).toEqual([rows[3]]);
  expect(rowsOf(rows, { sort: "-time", top: 1, fields: "time" })).toEqual([{ startdatetime: "2026-05-13T15:00:00Z" }]);
  expect(rowsOf(rows, { group_by: "hours(time)", sort: "-hours(time)" })[0]).toMatchObject({
    "hours(startdatetime)": "2026-05-13T15:00Z",
  });
  expect(rowsOf(rows, { group_by: "time", sort: "-time" })[0]).toMatchObject({ startdatetime: "2026-05-13T15:00:00Z" });
});

it("leaves a member that is called time itself what it is", () => {
  const rows = [{ time: "first", at: "2026-05-13T12:00:00Z" }];
  expect(rowsOf(rows, { fields: "time" })).toEqual([{ time: "first" }]);
});

it("names the times where there are several, and takes the declared one", () => {
  const rows = [{ notBefore: "2026-05-13T12:00:00Z", notAfter: "2027-05-13T12:00:00Z", name: "a" }];
  for (const view of [{ group_by: "month(time)" }, { where: "time > now" }, { sort: "time" }, { group_by: "month" }])
    expect(problemsOf(rows, view)[0]?.takes).toMatch(/notBefore, notAfter/);
  expect(rowsOf(rows, { group_by: "month(time)" }, { time: "notAfter" })[0]).toMatchObject({
    "month(notAfter)": "2027-05",
  });
});

it("counts spans from the start of the period that was asked for", () => {
  const starts = { currentMs: noon - hourMs, endMs: noon + 10 * dayMs - hourMs, previousMs: 0 };
  const { rows, notes } = applied(series(noon, 239), { group_by: "7 days(time)", aggregate: "sum(hits)" }, { starts });
  expect(rows).toEqual([
    { "7 days(startdatetime)": "2026-05-13T11:00Z", "sum(hits)": 167 },
    { "7 days(startdatetime)": "2026-05-20T11:00Z", "sum(hits)": 72 },
  ]);
  expect(partialIn(notes)).toEqual(["Partial in 7 days(startdatetime): 2026-05-20T11:00Z (3 of 7 days)."]);
});

it("spans start at a series' first row; elsewhere, at that row's day", () => {
  const midnight = Date.UTC(2026, 4, 13);
  const { rows, notes } = applied(series(midnight, 9, dayMs), { group_by: "7 days(time)" });
  expect(rows).toEqual([
    { "7 days(startdatetime)": "2026-05-13", count: 7 },
    { "7 days(startdatetime)": "2026-05-20", count: 2 },
  ]);
  expect(partialIn(notes)).toEqual(["Partial in 7 days(startdatetime): 2026-05-20 (2 of 7 days)."]);
  const events = [noon + 1, noon + 5 * hourMs + 17, noon + 6 * dayMs + 13 * hourMs].map((ms) => ({
    at: new Date(ms).toISOString(),
  }));
  const scattered = applied(events, { group_by: "7 days(at)" });
  expect(scattered.rows).toEqual([
    { "7 days(at)": "2026-05-13", count: 2 },
    { "7 days(at)": "2026-05-20", count: 1 },
  ]);
  expect(partialIn(scattered.notes)).toEqual([]);
});

it.each([
  ["15 minutes(time)", 96],
  ["6 hours(time)", 4],
  ["1 day(time)", 1],
  ["1 week(time)", 1],
  ["1 month(time)", 1],
])("takes %s", (group_by, count) => {
  expect(rowsOf(series(Date.UTC(2026, 4, 4), 96, hourMs / 4), { group_by })).toHaveLength(count);
});

it("says which days, weeks and months a period covers only partly", () => {
  const starts = { currentMs: noon, endMs: noon + 7 * dayMs, previousMs: 0 };
  const rows = series(noon, 168);
  const notesOf = (group_by: string) => partialIn(applied(rows, { group_by }, { starts }).notes);
  expect(notesOf("day(time)")).toEqual([
    "Partial in day(startdatetime): 2026-05-13 (12 of 24 hours), 2026-05-20 (12 of 24 hours).",
  ]);
  expect(notesOf("week(time)")).toEqual([
    "Partial in week(startdatetime): 2026-W20 (4.5 of 7 days), 2026-W21 (2.5 of 7 days).",
  ]);
  expect(notesOf("month(time)")).toEqual(["Partial in month(startdatetime): 2026-05 (7 of 31 days)."]);
  expect(notesOf("hours(time)")).toEqual([]);
  expect(notesOf("hour(time)")).toEqual([]);
});

it("no partial note for hidden parts or times other than the period's", () => {
  const starts = { currentMs: noon, endMs: noon + 3 * dayMs, previousMs: 0 };
  const rows = series(noon, 72).map((row, at) => ({
    ...row,
    made: at === 0 ? "2025-01-01T00:00:00Z" : row.startdatetime,
  }));
  const top = applied(rows, { group_by: "day(startdatetime)", sort: "-count", top: 1 }, { starts });
  expect(partialIn(top.notes)).toEqual([]);
  expect(partialIn(applied(rows, { group_by: "day(made)" }, { starts }).notes)).toEqual([]);
});

it("counts a period that has not ended yet up to now", () => {
  const starts = { currentMs: Date.UTC(2026, 4, 13), endMs: Date.UTC(2026, 4, 14), previousMs: 0 };
  const { notes } = applied(
    series(starts.currentMs, 6),
    { group_by: "day(time)" },
    { starts, nowMs: noon - 6 * hourMs },
  );
  expect(partialIn(notes)).toEqual(["Partial in day(startdatetime): 2026-05-13 (6 of 24 hours)."]);
});

it("has days of 23 and 25 hours whole in their zone", () => {
  const time_zone = "Europe/Berlin";
  // The midnights of Berlin before and after its clocks change.
  const [currentMs, endMs] = [Date.UTC(2026, 9, 23, 22), Date.UTC(2026, 9, 25, 23)];
  const rows = series(currentMs, 49);
  const view = { group_by: "day(time)", time_zone };
  expect(partialIn(applied(rows, view, { starts: { currentMs, endMs, previousMs: 0 } }).notes)).toEqual([]);
  const spans = applied(rows, { group_by: "1 day(time)", time_zone });
  expect(spans.rows.map((row) => [row["1 day(startdatetime)"], row["count"]])).toEqual([
    ["2026-10-24", 24],
    ["2026-10-25", 25],
  ]);
  expect(partialIn(spans.notes)).toEqual([]);
});

it("spans are matched to the period before by offset from its start", () => {
  const [currentMs, endMs] = [Date.UTC(2026, 4, 11), Date.UTC(2026, 4, 21)];
  const previousMs = Date.UTC(2026, 4, 1);
  const view = { group_by: "7 days(time)", aggregate: "sum(hits)", compare: "previous_period" } as const;
  const previous = series(previousMs, 10, dayMs);
  expect(rowsOf(series(currentMs, 10, dayMs), view, { previous, starts: { currentMs, endMs, previousMs } })).toEqual([
    {
      "7 days(startdatetime)": "2026-05-11",
      "sum(hits)": 7,
      "sum(hits) previous": 7,
      "sum(hits) change": 0,
      "sum(hits) change %": 0,
    },
    {
      "7 days(startdatetime)": "2026-05-18",
      "sum(hits)": 3,
      "sum(hits) previous": 3,
      "sum(hits) change": 0,
      "sum(hits) change %": 0,
    },
  ]);
});
