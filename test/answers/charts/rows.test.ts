/** What is read from rows: times in their forms, numbers in text, groups with the rest of them summed. */
import { describe, expect, it } from "vitest";
import { units } from "../../../src/answers/charts/figures.js";
import { chartDataOf, type DataSelection, tableIn, timeColumnOf } from "../../../src/answers/charts/series.js";
import { groupsInWords } from "../../../src/answers/charts/words.js";

const choice: DataSelection = { maxMetrics: 6, usualMetrics: 2, maxSeries: 3, maxBars: 3, declared: () => undefined };
function overTime(value: unknown, more: Partial<DataSelection> = {}) {
  const data = chartDataOf(value, { ...choice, ...more });
  if (!("over" in data)) throw new Error("The rows were not over time.");
  return data.over;
}
function byGroup(value: unknown, more: Partial<DataSelection> = {}) {
  const data = chartDataOf(value, { ...choice, ...more });
  if (!("groups" in data)) throw new Error("The rows were over time.");
  return data.groups;
}
const takes = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { detail: { fields?: readonly object[] } }).detail.fields?.[0];
  }
};
const noon = Date.parse("2026-05-20T12:00:00Z");

describe("the rows of an answer", () => {
  it("are its longest list of records, however deep, or cells under columns", () => {
    expect(tableIn({ metadata: { columns: [{ name: "a" }] }, data: [{ x: 1 }, { x: 2, y: 3 }] })).toEqual({
      columns: ["x", "y"],
      rows: [{ x: 1 }, { x: 2, y: 3 }],
    });
    expect(tableIn({ body: { columns: [{ name: "t" }, "v"], rows: [[1, "2"]] } })).toEqual({
      columns: ["t", "v"],
      rows: [{ t: 1, v: "2" }],
    });
    expect(tableIn({ a: 1 }).rows).toEqual([]);
  });

  it.each([
    ["ISO text", ["2026-05-20T12:00:00Z", "2026-05-20T14:00:00+02:00"]],
    ["SQL text", ["2026-05-20 12:00:00+00", "2026-05-20 12:00:00"]],
    ["seconds", [noon / 1_000, String(noon / 1_000)]],
    ["milliseconds", [noon, String(noon)]],
  ])("have their times in %s", (_, times) => {
    const { series } = overTime(times.map((time) => ({ time, hits: "2" })));
    expect(series[0]?.points).toEqual([{ at: noon, value: 2 * times.length }]);
  });

  it("do not have their times in numbers that are not times", () => {
    expect(timeColumnOf(tableIn([{ hits: noon, kind: "a" }]))).toBeUndefined();
    expect(timeColumnOf(tableIn([{ time: 12, kind: "a" }]))).toBeUndefined();
  });
});

it("values of one time are added or averaged, without empty cells", () => {
  const rows = [
    { at: "2026-05-20T13:00:00Z", edgeBytes: "5", hit_pct: "50" },
    { at: "2026-05-20T12:00:00Z", edgeBytes: "1", hit_pct: "90.5" },
    { at: "2026-05-20T12:00:00Z", edgeBytes: "2", hit_pct: "80.5" },
    { at: "2026-05-20T14:00:00Z", edgeBytes: "", hit_pct: null },
  ];
  const { series, stepMs } = overTime(rows);
  expect(stepMs).toBe(3_600_000);
  expect(series).toMatchObject([
    { name: "edgeBytes", unit: units.BYTE, points: [{ at: noon, value: 3 }, { value: 5 }] },
    { name: "hit_pct", unit: units.RATIO, points: [{ at: noon, value: 85.5 }, { value: 50 }] },
  ]);
});

describe("groups", () => {
  const rows = ["a", "b", "c", "d", "e"].flatMap((key, index) =>
    [0, 1].map((hour) => ({ time: noon + hour * 3_600_000, key, hits: 10 * (index + 1) })),
  );

  it("are the largest, and the rest of them summed", () => {
    const { series } = overTime(rows, { by: "key" });
    expect(series.map(({ name, points, isRest }) => [name, isRest, ...points.map(({ value }) => value)])).toEqual([
      ["key e", false, 50, 50],
      ["key d", false, 40, 40],
      ["key c", false, 30, 30],
      ["others (2)", true, 30, 30],
    ]);
  });

  it("are all shown if the rest would be a single one", () => {
    expect(overTime(rows, { by: "key", maxSeries: 4 }).series.map(({ name }) => name)).toContain("key a");
  });

  it("without a time are bars, whose identifying numbers are names", () => {
    const grouped = [
      { endpoint_id: "101", http_method: "get", hits: "5" },
      { endpoint_id: "102", http_method: "get", hits: "9" },
      { endpoint_id: "102", http_method: "post", hits: "2" },
    ];
    expect(byGroup(grouped)[0]?.values).toEqual([
      { group: "get · 102", value: 9 },
      { group: "get · 101", value: 5 },
      { group: "post · 102", value: 2 },
    ]);
    expect(byGroup(grouped, { by: "endpoint_id" })[0]?.values).toEqual([
      { group: "102", value: 11 },
      { group: "101", value: 5 },
    ]);
  });
});

it.each([
  ["metrics", { metrics: ["none"] }, { field: "metrics", given: '"none"', takes: "columns of numbers: hits" }],
  ["by", { by: "none" }, { field: "by", given: '"none"', takes: "a column of the rows: hits, name" }],
])("what the rows do not have is refused: %s", (_, more, problem) => {
  expect(takes(() => chartDataOf([{ time: noon, hits: 1, name: "x" }], { ...choice, ...more }))).toEqual(problem);
});

it("a value without rows, and rows without numbers, are refused", () => {
  expect(() => chartDataOf({ data: [] }, choice)).toThrow("There are no rows to draw.");
  expect(() => chartDataOf([{ name: "x" }], choice)).toThrow("The rows have no numbers to draw.");
});

it("groups are described with their shares of the total, to one decimal", () => {
  const groups = (...values: readonly number[]) => [
    { name: "hits", unit: units.number, values: values.map((value, at) => ({ group: `g${at}`, value })) },
  ];
  expect(groupsInWords(groups(9_994, 6))).toEqual(["hits: 2 bars; total 10,000; g0 9,994 (99.9 %), g1 6 (0.1 %)."]);
  expect(groupsInWords(groups(9_996, 4))).toEqual(["hits: 2 bars; total 10,000; g0 9,996 (100 %), g1 4 (0 %)."]);
});
