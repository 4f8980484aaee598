/** Groups, aggregates and parts of time have the figures that were computed by hand. */
import { expect, it } from "vitest";
import { applied, problemsOf, rowsOf } from "./apply.js";

const traffic = [
  { time: "2026-10-24T22:30:00Z", cpcode: "11", class: "2xx", hits: "100", ratio: 0.1 },
  { time: "2026-10-25T00:30:00Z", cpcode: "11", class: "5xx", hits: "7", ratio: 0.2 },
  { time: "2026-10-25T01:30:00Z", cpcode: "12", class: "2xx", hits: "43", ratio: 0.3 },
  { time: "2026-10-25T22:59:59Z", cpcode: "12", class: "4xx", hits: "100", ratio: null },
  { time: "2026-10-25T23:00:00Z", cpcode: "12", class: "2xx", hits: "50", ratio: 0.4 },
];

it("aggregates over all rows answer in one row", () => {
  const aggregate = [
    "sum(hits)",
    "max(hits)",
    "mean(hits)",
    "count",
    "count(distinct cpcode)",
    "p50(hits)",
    "p95(hits)",
  ];
  const { rows, notes } = applied(traffic, { aggregate });
  expect(rows).toEqual([
    {
      "sum(hits)": 300,
      "max(hits)": 100,
      "max(hits) at time": "2026-10-24T22:30Z",
      "max(hits) at cpcode": "11",
      "max(hits) at class": "2xx",
      "mean(hits)": 60,
      count: 5,
      "count(distinct cpcode)": 2,
      // 7, 43, 50, 100, 100: the third and the fifth.
      "p50(hits)": 50,
      "p95(hits)": 100,
    },
  ]);
  expect(notes).toContain("max(hits): the first of 2 rows with this value is shown.");
});

it("groups by a member, with shares of the whole", () => {
  expect(rowsOf(traffic, { group_by: "class", aggregate: "sum(hits), share(hits), count" })).toEqual([
    { class: "2xx", "sum(hits)": 193, "share(hits)": 64.33, count: 3 },
    { class: "4xx", "sum(hits)": 100, "share(hits)": 33.33, count: 1 },
    { class: "5xx", "sum(hits)": 7, "share(hits)": 2.33, count: 1 },
  ]);
});

it("groups by several members, and counts where nothing else is asked", () => {
  expect(rowsOf(traffic, { group_by: ["cpcode", "class"], sort: "-count", top: 1 })).toEqual([
    { cpcode: "12", class: "2xx", count: 2 },
    { cpcode: "rest (3 groups)", class: null, count: 3 },
  ]);
});

it("sums of decimals and large integers are exact, gaps are reported", () => {
  const { rows, notes } = applied(traffic, { aggregate: ["sum(ratio)", "mean(ratio)", "min(ratio)"] });
  expect(rows[0]).toMatchObject({ "sum(ratio)": 1, "mean(ratio)": 0.25, "min(ratio)": 0.1 });
  expect(notes).toEqual(["ratio: 1 of 5 rows have no number and are left out."]);
  expect(rowsOf([{ x: 0.1 }, { x: 0.2 }], { aggregate: "sum(x)" })).toEqual([{ "sum(x)": 0.3 }]);
  const large = [{ x: 9_007_199_254_740_991 }, { x: "9007199254740991" }, { x: 1 }];
  expect(rowsOf(large, { aggregate: "sum(x)" })).toEqual([{ "sum(x)": "18014398509481983" }]);
  expect(rowsOf([{ x: 1 }, { x: 1 }, { x: 0 }], { aggregate: "avg(x)" })).toEqual([{ "avg(x)": 0.6667 }]);
  expect(rowsOf([{ x: 1e300 }, { x: "1" }], { aggregate: "sum(x)" })[0]).toEqual({ "sum(x)": `1${"0".repeat(299)}1` });
});

it("Berlin's repeated hour is one hour of day and two on the timeline", () => {
  const slots = Array.from({ length: 26 }, (_, at) => ({
    time: new Date(Date.UTC(2026, 9, 24, 21) + at * 3_600_000).toISOString(),
    hits: 1,
  }));
  const time_zone = "Europe/Berlin";
  const ofDay = rowsOf(slots, { group_by: "day(time)", aggregate: "sum(hits)", time_zone });
  expect(ofDay).toEqual([
    { "day(time)": "2026-10-24", "sum(hits)": 1 },
    { "day(time)": "2026-10-25", "sum(hits)": 25 },
  ]);
  const byHour = rowsOf(slots, { where: "time = 2026-10-25", group_by: "hour(time)", time_zone });
  expect(byHour).toHaveLength(24);
  expect(byHour[2]).toEqual({ "hour(time)": 2, count: 2 });
  const each = rowsOf(slots, { where: "time = 2026-10-25", group_by: "hours(time)", time_zone });
  expect(each).toHaveLength(25);
  expect(each.slice(1, 5).map((row) => row["hours(time)"])).toEqual([
    "2026-10-25T01:00+02:00",
    "2026-10-25T02:00+02:00",
    "2026-10-25T02:00+01:00",
    "2026-10-25T03:00+01:00",
  ]);
});

it("names weekdays from Monday, and leaves a date where it is in any zone", () => {
  // 2026-11-16 is a Monday.
  const days = ["2026-11-22", "2026-11-16", "11/21/2026", "2026-11-17"].map((date) => ({ date }));
  for (const time_zone of ["UTC", "America/New_York", "Pacific/Auckland"])
    expect(rowsOf(days, { group_by: "weekday(date)", time_zone }).map((row) => row["weekday(date)"])).toEqual([
      "Monday",
      "Tuesday",
      "Saturday",
      "Sunday",
    ]);
});

it.each([
  // The examples that everyone knows of ISO 8601: the week belongs to the year of its Thursday.
  ["2005-01-01", "2004-W53"],
  ["2005-01-03", "2005-W01"],
  ["2008-12-29", "2009-W01"],
  ["2010-01-03", "2009-W53"],
  ["2026-12-31", "2026-W53"],
  ["1969-12-31", "1970-W01"],
])("has %s in week %s", (date, week) => {
  expect(rowsOf([{ date }], { group_by: "week(date)" })).toEqual([{ "week(date)": week, count: 1 }]);
});

it("times with or without offset, in s or ms, fall into the same hour", () => {
  const rows = ["2026-05-01T10:15:00+02:00", "2026-05-01T08:20:00", "2026-05-01 08:59:59Z", "05/01/2026:08:30"]
    .map((time): Record<string, unknown> => ({ time }))
    .concat([{ time: Date.UTC(2026, 4, 1, 8) }, { time: Date.UTC(2026, 4, 1, 8) / 1_000 }, { time: "soon" }]);
  expect(rowsOf(rows, { group_by: "hours(time)" })).toEqual([
    { "hours(time)": "2026-05-01T08:00Z", count: 6 },
    { "hours(time)": null, count: 1 },
  ]);
  expect(rowsOf(rows, { group_by: "month(time)" })[0]).toEqual({ "month(time)": "2026-05", count: 6 });
});

it("has hours that begin on the clock of a zone half an hour off", () => {
  const rows = [{ time: "2026-05-01T00:29:59Z" }, { time: "2026-05-01T00:30:00Z" }, { time: "2026-05-01T01:29:00Z" }];
  expect(rowsOf(rows, { group_by: "hours(time)", time_zone: "Asia/Kolkata" })).toEqual([
    { "hours(time)": "2026-05-01T05:00+05:30", count: 1 },
    { "hours(time)": "2026-05-01T06:00+05:30", count: 2 },
  ]);
});

it("takes what assistants write", () => {
  const expected = [
    { class: "2xx", hits: 193 },
    { class: "4xx", hits: 100 },
    { class: "5xx", hits: 7 },
  ];
  const aggregate = "sum(hits) as hits";
  expect(rowsOf(traffic, { group_by: "Class", aggregate, sort: "hits desc" })).toEqual(expected);
  expect(rowsOf(traffic, { group_by: ["class"], aggregate: ["SUM( hits ) as hits"], sort: ["-sum(hits)"] })).toEqual(
    expected,
  );
  expect(rowsOf(traffic, { aggregate: ["count, sum(hits)"] })).toEqual([{ count: 5, "sum(hits)": 300 }]);
  expect(rowsOf(traffic, { group_by: "hour", time_zone: "UTC" })).toEqual(rowsOf(traffic, { group_by: "hour(time)" }));
  expect(rowsOf(traffic, { group_by: "weekday", sort: "-weekday(time)" })[0]).toEqual({
    "weekday(time)": "Sunday",
    count: 4,
  });
});

it("top groups go by the first aggregate, with the rest as one", () => {
  const view = {
    group_by: "class",
    aggregate: "sum(hits), max(hits), mean(hits), count(distinct cpcode), p50(hits)",
    top: 1,
  };
  const { rows, notes } = applied(traffic, view);
  expect(rows[0]).toMatchObject({ class: "2xx", "sum(hits)": 193, "mean(hits)": 64.3333, "p50(hits)": 50 });
  expect(rows[1]).toMatchObject({
    class: "rest (2 groups)",
    "sum(hits)": 107,
    "max(hits)": 100,
    "max(hits) at time": "2026-10-25T22:59:59Z",
    "mean(hits)": 53.5,
    "count(distinct cpcode)": 2,
    "p50(hits)": 7,
  });
  expect(notes).toContain("The last row combines the other 2 groups.");
});

it("groups that would be alike when joined stay apart, in one order", () => {
  const rows = [
    { a: "x", b: "cy" },
    { a: "xc", b: "y" },
  ];
  expect(rowsOf(rows, { group_by: ["a", "b"] })).toHaveLength(2);
  const written = [{ v: "1.0" }, { v: "1" }, { v: "1.00" }];
  const groups = rowsOf(written, { group_by: "v" });
  expect(groups).toHaveLength(3);
  expect(rowsOf([...written].reverse(), { group_by: "v" })).toEqual(groups);
});

it("has the extremes of the rest wherever they are among its groups", () => {
  const rows = [
    { name: "a", hits: 100 },
    { name: "b", hits: 4 },
    { name: "c", hits: 9 },
    { name: "d", hits: 1 },
  ];
  const view = { group_by: "name", aggregate: ["max(hits)", "min(hits)"], sort: "name", top: 1 };
  expect(rowsOf(rows, view)[1]).toMatchObject({ "max(hits)": 9, "min(hits)": 1 });
});

it.each(["sum", "total", "mean", "avg", "min", "max", "count", "distinct", "median", "p95", "share"])(
  "%s_hits means what is written with brackets, wherever it stands",
  (name) => {
    const [joined, written] = [`${name}_hits`, `${name}(hits)`].map((aggregate) => ({ group_by: "class", aggregate }));
    const expected = rowsOf(traffic, { ...written, sort: `-${name}(hits)`, where: `${name}(hits) > 1` });
    expect(rowsOf(traffic, { ...joined, sort: `-${name}_hits`, where: `${name}_hits > 1` })).toEqual(expected);
    expect(rowsOf(traffic, { ...written, sort: `-${name}_hits`, where: `${name}_hits > 1` })).toEqual(expected);
  },
);

it("where filters the groups by an aggregate, on both sides of its bound", () => {
  const classes = (where: string | string[]) =>
    rowsOf(traffic, { group_by: "class", aggregate: ["sum(hits) as all", "share(hits)"], where });
  expect(classes("sum(hits) > 100")).toEqual([{ class: "2xx", all: 193, "share(hits)": 64.33 }]);
  expect(classes("all >= 100").map((row) => row["class"])).toEqual(["2xx", "4xx"]);
  expect(classes(["class != 2xx", "all < 100"])).toEqual([{ class: "5xx", all: 7, "share(hits)": 6.54 }]);
  expect(applied(traffic, { group_by: "class", where: "count > 1" }).notes).toContain("where matches 1 of 3 groups.");
  expect(problemsOf(traffic, { group_by: "class", where: "sum(hits) > 1" })[0]?.field).toBe("where");
});

it("names what an aggregate, a group and an order take", () => {
  expect(problemsOf(traffic, { aggregate: "sum(hitz)" })[0]).toMatchObject({
    field: "aggregate",
    takes: expect.stringContaining('did you mean "hits"') as string,
  });
  expect(problemsOf(traffic, { aggregate: "summ(hits)" })[0]?.takes).toContain('did you mean "sum"');
  expect(problemsOf(traffic, { group_by: "class", aggregate: "count as class" })[0]?.takes).toContain(
    "no other column",
  );
  expect(problemsOf(traffic, { aggregate: "sum" })[0]?.takes).toContain("sum takes a field");
  expect(problemsOf(traffic, { aggregate: "sum(class)" })[0]?.takes).toContain("numbers: cpcode, hits, ratio");
  expect(problemsOf(traffic, { group_by: "hour(class)" })[0]?.takes).toBe("a field that has a date or a time: time");
  expect(problemsOf(traffic, { group_by: "decade(time)" })[0]?.takes).toContain("of a time also hour, weekday");
  expect(problemsOf(traffic, { group_by: "class", sort: "bytes" })[0]).toMatchObject({
    field: "sort",
    takes: "a column of the result: class, count; - before it for descending",
  });
  expect(problemsOf(traffic, { group_by: "class", time_zone: "Mars/Base" })[0]?.field).toBe("time_zone");
});
