/** Rows shown as they are: their members, their order, the first of them with the rest, and the period before. */
import { expect, it } from "vitest";
import { applied, problemsOf, rowsOf } from "./apply.js";

const contracts = [
  { id: "C-1", period: { start: "2026-03-01", end: null }, size: "9" },
  { id: "C-2", period: { start: "01/31/2026", end: "2027-01-01" }, size: "10" },
  { id: "C-3", period: { start: "2025-12-24", end: null }, size: null },
  { id: "C-4", period: { start: "2026-02-01", end: null }, size: 9 },
];

it("a view shows named members, also by their path's last step", () => {
  expect(rowsOf(contracts.slice(0, 2), { fields: "id, end" })).toEqual([
    { id: "C-1", "period.end": null },
    { id: "C-2", "period.end": "2027-01-01" },
  ]);
});

it("numbers sort as numbers, times as times, and empty cells last", () => {
  const idsBy = (sort: string | string[]) => rowsOf(contracts, { sort }).map(({ id }) => id);
  expect(idsBy("size")).toEqual(["C-1", "C-4", "C-2", "C-3"]);
  expect(idsBy("-size")).toEqual(["C-2", "C-1", "C-4", "C-3"]);
  expect(idsBy("period.start")).toEqual(["C-3", "C-2", "C-4", "C-1"]);
  expect(idsBy(["size desc", "-period.start"])).toEqual(["C-2", "C-1", "C-4", "C-3"]);
});

it("after the first rows, a numeric sort sums the rest and says so", () => {
  const { rows, notes } = applied(contracts, { fields: ["id", "size"], sort: "-size", top: 1 });
  expect(rows).toEqual([
    { id: "C-2", size: "10" },
    { id: "rest (3 rows)", size: 18 },
  ]);
  expect(notes).toEqual(["The last row is the sum of the other 3 rows."]);
  expect(applied(contracts, { fields: "id", top: 2 })).toEqual({
    rows: [{ id: "C-1" }, { id: "C-2" }],
    notes: ["The first 2 of 4 rows are shown, in the API's order."],
  });
});

const hourly = (start: string, hits: readonly number[], cpcode = "11") =>
  hits.map((count, at) => ({
    time: new Date(Date.parse(start) + at * 3_600_000).toISOString(),
    cpcode,
    hits: String(count),
  }));

it("each row is compared with the same key and offset a period before", () => {
  const current = [...hourly("2026-05-08T00:00:00Z", [150, 0]), ...hourly("2026-05-08T00:00:00Z", [5], "12")];
  const previous = [...hourly("2026-05-01T00:00:00Z", [100, 0]), ...hourly("2026-05-01T00:00:00Z", [20], "13")];
  const { rows, notes } = applied(current, { compare: "previous_period" }, { previous });
  expect(rows).toEqual([
    { ...current[0], "hits previous": 100, "hits change": 50, "hits change %": 50 },
    { ...current[1], "hits previous": 0, "hits change": 0, "hits change %": null },
    { ...current[2], "hits previous": null, "hits change": null, "hits change %": null },
  ]);
  expect(notes).toEqual(["1 of 3 rows have no counterpart in the previous period."]);
});

it("compares groups by their members, and shows one that is gone", () => {
  const current = [
    { class: "2xx", hits: 90 },
    { class: "5xx", hits: 30 },
  ];
  const previous = [
    { class: "2xx", hits: 100 },
    { class: "5xx", hits: 10 },
    { class: "3xx", hits: 4 },
  ];
  const view = { group_by: "class", aggregate: "sum(hits)", compare: "previous_period" } as const;
  const { rows } = applied(current, view, { previous });
  expect(rows).toEqual([
    { class: "2xx", "sum(hits)": 90, "sum(hits) previous": 100, "sum(hits) change": -10, "sum(hits) change %": -10 },
    { class: "3xx", "sum(hits)": 0, "sum(hits) previous": 4, "sum(hits) change": -4, "sum(hits) change %": -100 },
    { class: "5xx", "sum(hits)": 30, "sum(hits) previous": 10, "sum(hits) change": 20, "sum(hits) change %": 200 },
  ]);
});

it("sort: largest change first, the rest of both periods in one row", () => {
  const of = (figures: Readonly<Record<string, number>>) =>
    Object.entries(figures).map(([code, hits]) => ({ code, hits }));
  const options = { previous: of({ a: 10, b: 50, c: 4, d: 1 }) };
  const view = { group_by: "code", aggregate: "sum(hits)", compare: "previous_period", top: 1 } as const;
  const current = of({ a: 30, b: 51, c: 9, d: 1 });
  expect(rowsOf(current, { ...view, sort: "-sum(hits) change" }, options)).toEqual([
    { code: "a", "sum(hits)": 30, "sum(hits) previous": 10, "sum(hits) change": 20, "sum(hits) change %": 200 },
    {
      code: "rest (3 groups)",
      "sum(hits)": 61,
      "sum(hits) previous": 55,
      "sum(hits) change": 6,
      "sum(hits) change %": 10.91,
    },
  ]);
  expect(rowsOf(current, { ...view, sort: "change %" }, options)[0]).toMatchObject({ code: "d" });
  expect(rowsOf(current, { ...view, sort: "hits previous desc" }, options)[0]).toMatchObject({ code: "b" });
  expect(problemsOf(current, { group_by: "code", sort: "change" })[0]?.field).toBe("sort");
});

it("has a percentage that rises with the figure, also from below zero", () => {
  const view = { aggregate: "sum(delta)", compare: "previous_period" } as const;
  expect(rowsOf([{ delta: -5 }], view, { previous: [{ delta: -20 }] })).toEqual([
    { "sum(delta)": -5, "sum(delta) previous": -20, "sum(delta) change": 15, "sum(delta) change %": 75 },
  ]);
});

it("says that several rows of the period before could be meant", () => {
  const rows = [{ name: "x", hits: 1 }];
  const { notes } = applied(rows, { compare: "previous_period" }, { previous: [...rows, ...rows] });
  expect(notes[0]).toContain("and the first one is compared");
});

it("days are compared by offset, and unmatched ones are reported", () => {
  // June has 30 days and May 31; each first day has 1, each second 2, and so on.
  const days = (month: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      date: new Date(Date.UTC(2026, month, at + 1)).toISOString().slice(0, 10),
      value: at + 1,
    }));
  const view = { group_by: "day(date)", aggregate: "sum(value)", compare: "previous_period" } as const;
  const { rows, notes } = applied(days(5, 30), view, { previous: days(4, 31) });
  expect(rows).toHaveLength(30);
  expect(rows[29]).toEqual({
    "day(date)": "2026-06-30",
    "sum(value)": 30,
    "sum(value) previous": 30,
    "sum(value) change": 0,
    "sum(value) change %": 0,
  });
  expect(notes).toContain("Rows of the previous period beyond the length of this one are left out: 1.");
});

it("takes the periods' own starts where the first rows are missing", () => {
  const current = [{ time: "2026-05-02T05:00:00Z", hits: 8 }];
  const previous = [
    { time: "2026-05-01T04:00:00Z", hits: 1 },
    { time: "2026-05-01T05:00:00Z", hits: 4 },
  ];
  const starts = { currentMs: Date.UTC(2026, 4, 2), endMs: Date.UTC(2026, 4, 3), previousMs: Date.UTC(2026, 4, 1) };
  const view = { group_by: "hours(time)", aggregate: "sum(hits)", compare: "previous_period" } as const;
  expect(rowsOf(current, view, { previous, starts })[0]).toMatchObject({
    "sum(hits) previous": 4,
    "sum(hits) change %": 100,
  });
  expect(rowsOf(current, { compare: "previous_period" }, { previous, starts })[0]).toMatchObject({
    "hits previous": 4,
  });
});

it("applies conditions to both periods, and needs one before", () => {
  const view = { where: "hits > 1", aggregate: "count", compare: "previous_period" } as const;
  expect(rowsOf([{ hits: 2 }, { hits: 1 }], view, { previous: [{ hits: 1 }] })).toEqual([
    { count: 1, "count previous": 0, "count change": 1, "count change %": null },
  ]);
  expect(problemsOf([{ hits: 1 }], view)[0]?.field).toBe("compare");
});
