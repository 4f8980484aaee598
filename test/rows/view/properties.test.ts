/** What holds of every view, whatever the rows: nothing is lost, nothing counts twice, and no row is made up. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../lab/depth.js";
import { rowsOf } from "./apply.js";

const row = fc.record({
  name: fc.constantFrom("a", "b", "c", "d", "", null, "__proto__"),
  time: fc
    .integer({ min: 0, max: 400 * 86_400 })
    .map((at) => new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString()),
  hits: fc.oneof(fc.maxSafeInteger(), fc.maxSafeInteger().map(String), fc.constantFrom(null, "n/a")),
});
const rowLists = fc.array(row, { minLength: 1, maxLength: 60 });
const total = (cells: readonly unknown[]): bigint =>
  cells
    .filter((cell) => cell !== null && cell !== "n/a")
    .reduce<bigint>((sum, cell) => sum + BigInt(cell as string), 0n);
const withNumbers = rowLists.filter((rows) => rows.some(({ hits }) => hits !== null && hits !== "n/a"));

const groupings = ["name", "hour(time)", "weekday(time)", "day(time)", "week(time)", "month(time)", "hours(time)"];

it("has groups whose sums and counts add up to those of all rows", () => {
  fc.assert(
    fc.property(
      withNumbers,
      fc.constantFrom(...groupings),
      fc.constantFrom("UTC", "Europe/Berlin"),
      (rows, group_by, time_zone) => {
        const groups = rowsOf(rows, { group_by, time_zone, aggregate: ["sum(hits)", "count"] });
        expect(total(groups.map((one) => one["sum(hits)"]))).toBe(total(rows.map(({ hits }) => hits)));
        expect(groups.reduce((sum, one) => sum + Number(one["count"]), 0)).toBe(rows.length);
        expect(new Set(groups.map((one) => one[group_by])).size).toBe(groups.length);
      },
    ),
    { numRuns: runs(10) },
  );
});

it("the first groups or rows and the rest make up the total", () => {
  fc.assert(
    fc.property(withNumbers, fc.integer({ min: 1, max: 5 }), (rows, top) => {
      const all = total(rows.map(({ hits }) => hits));
      const groups = rowsOf(rows, { group_by: "name", aggregate: "sum(hits)", top });
      expect(groups.length).toBeLessThanOrEqual(top + 1);
      expect(total(groups.map((one) => one["sum(hits)"]))).toBe(all);
      expect(total(rowsOf(rows, { sort: "-hits", top }).map(({ hits }) => hits))).toBe(all);
    }),
    { numRuns: runs(10) },
  );
});

const conditions = [
  ["hits >= 0", "hits < 0"],
  ["name = a", "name != a"],
  ["name in a,b", "name not in a,b"],
  ["name is empty", "name is not empty"],
  ["time >= 2026-06-01", "time < 2026-06-01"],
  ["hits contains 1", "hits not contains 1"],
] as const;

it("a condition and its opposite part the comparable rows", () => {
  fc.assert(
    fc.property(rowLists, fc.constantFrom(...conditions), (rows, [where, opposite]) => {
      const [one, other] = [rowsOf(rows, { where }), rowsOf(rows, { where: opposite })];
      const comparable = where.startsWith("hits >") ? rows.filter(({ hits }) => hits !== null && hits !== "n/a") : rows;
      expect(one.filter((kept) => other.includes(kept))).toEqual([]);
      expect(new Set([...one, ...other])).toEqual(new Set(comparable));
    }),
    { numRuns: runs(10) },
  );
});

it("sorting keeps the rows, by number, whatever order they came in", () => {
  fc.assert(
    fc.property(rowLists, (rows) => {
      const sorted = rowsOf(rows, { sort: "hits" });
      expect(new Set(sorted)).toEqual(new Set(rows));
      expect(sorted).toHaveLength(rows.length);
      const numbers = sorted
        .filter(({ hits }) => hits !== null && hits !== "n/a")
        .map(({ hits }) => BigInt(String(hits)));
      expect(numbers.every((value, at) => at === 0 || (numbers[at - 1] ?? value) <= value)).toBe(true);
      const view = { group_by: ["name", "month(time)"], aggregate: "count" };
      expect(rowsOf([...rows].reverse(), view)).toEqual(rowsOf(rows, view));
    }),
    { numRuns: runs(10) },
  );
});

it("min and max are the extremes, and a percentile bounds its share", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { minLength: 1, maxLength: 50 }),
      fc.integer({ min: 1, max: 99 }),
      (values, percent) => {
        const rows = values.map((x) => ({ x }));
        const [found] = rowsOf(rows, { aggregate: ["min(x)", "max(x)", `p${percent}(x)`] });
        expect(found?.["min(x)"]).toBe(Math.min(...values));
        expect(found?.["max(x)"]).toBe(Math.max(...values));
        const at = Number(found?.[`p${percent}(x)`]);
        expect(values).toContain(at);
        expect(values.filter((value) => value <= at).length * 100).toBeGreaterThanOrEqual(percent * values.length);
        expect(values.filter((value) => value < at).length * 100).toBeLessThan(percent * values.length);
      },
    ),
    { numRuns: runs(10) },
  );
});

it("a view refuses text it cannot use only by naming the field", () => {
  fc.assert(
    fc.property(
      rowLists,
      fc.string({ minLength: 1, maxLength: 60 }),
      fc.constantFrom("where", "sort", "fields", "group_by", "aggregate"),
      (rows, text, part) => {
        try {
          rowsOf(rows, { [part]: [text] });
        } catch (error) {
          expect((error as Error).message).toMatch(new RegExp(`^\\[\\{"field":"${part}"`));
        }
      },
    ),
    { numRuns: runs(50) },
  );
});
