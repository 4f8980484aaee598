/** The same rows and the same question: a view and SQL have the same figures, whatever the cells are. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Row } from "../../../src/rows/index.js";
import { runs } from "../../lab/depth.js";
import { needsSql } from "../../lab/engines.js";
import { rowsOf } from "../view/apply.js";
import { queryOf, startQueries } from "./run.js";

const queries = await startQueries();

/** A figure as text. SQL adds short decimals up as doubles, whose last digits are noise. */
function figure(cell: unknown): string {
  if (typeof cell === "number") return String(Number.isInteger(cell) ? cell : Number(cell.toPrecision(14)));
  return typeof cell === "string" ? cell : "none";
}

async function sqlRows(rows: readonly Row[], sql: string, timeZone: string): Promise<readonly (readonly unknown[])[]> {
  return (await queries.run("local", queryOf(sql, { r: rows }, { timeZone, maxRows: 1_000 }))).rows;
}

/** The rows of a view, each as its cells. */
const viewRows = (rows: readonly Row[], view: Parameters<typeof rowsOf>[1]): readonly (readonly unknown[])[] =>
  rowsOf(rows, view).map((row) => Object.values(row));

const inText = (rows: readonly (readonly unknown[])[]): string[] =>
  rows.map((cells) => cells.map(figure).join(" | ")).sort();

const aggregates: readonly (readonly [view: string, sql: string])[] = [
  ["sum(n)", "sum(n)"],
  ["min(n) as least", "min(n)"],
  ["max(n) as most", "max(n)"],
  ["count(n)", "count(n)"],
  ["p50(n)", "quantile_disc(n, 0.5)"],
  ["p90(n)", "quantile_disc(n, 0.9)"],
  ["count", "count(*)"],
];
// The place of an extreme stands beside it.
const isFigure = (name: string): boolean => !name.includes(" at ");
const figuresOf = (row: Row): unknown[] =>
  Object.entries(row).flatMap(([name, cell]) => (isFigure(name) ? [cell] : []));

/** Columns of numbers: one of each kind of cell, with its empty ones. */
const numbers: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  integers: fc.integer(),
  "texts that look like numbers": fc.integer({ min: 0, max: 1_000_000 }).map(String),
  "big integers": fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  "safe integers whose sum is not": fc.integer({ min: 2 ** 52, max: Number.MAX_SAFE_INTEGER }),
  decimals: fc.tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: 1, max: 9 })).map(([a, b]) => `${a}.${b}`),
  "long decimals, and short ones": fc.oneof(
    fc
      .tuple(fc.integer({ min: 0, max: 999 }), fc.bigInt({ min: 10n ** 16n, max: 10n ** 17n - 1n }))
      .map(([a, b]) => `${a}.${b}`),
    fc.constantFrom(7, 0.5),
  ),
};

it.each(Object.keys(numbers))(
  "has the same figures of %s, with empty cells and ragged rows",
  needsSql,
  async (kind) => {
    const cell = numbers[kind] ?? fc.constant(0);
    const key = fc.constantFrom("a", "007", "7", "x.1", "null", null);
    const row = fc.record({ n: cell, k: key }, { requiredKeys: ["k"] });
    const withEmpty = fc
      .tuple(row, fc.boolean())
      .map(([one, isNull]): Row => (isNull && "n" in one ? { ...one, n: null } : one));
    const rowList = fc
      .array(withEmpty, { minLength: 1, maxLength: 30 })
      .filter((all) => all.some((one) => typeof one["n"] === "number" || typeof one["n"] === "string"));
    const sql = `select k, ${aggregates.map(([, one]) => one).join(", ")} from r group by k`;
    await fc.assert(
      fc.asyncProperty(rowList, async (rows) => {
        const groups = rowsOf(rows, { group_by: "k", aggregate: aggregates.map(([one]) => one) }).map(figuresOf);
        // A view adds up to zero what SQL has no sum of.
        const expected = (await sqlRows(rows, sql, "UTC")).map(([k, sum, ...others]) => [k, sum ?? 0, ...others]);
        expect(inText(groups)).toEqual(inText(expected));
      }),
      { numRuns: runs(6) },
    );
  },
);

it("has the same means, but for the digits that a mean keeps", needsSql, async () => {
  const cell = fc.oneof(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.constantFrom("0.25", "-7.5", null));
  const rowList = fc
    .array(fc.record({ k: fc.constant("a"), n: cell }, { requiredKeys: ["k"] }), { minLength: 1, maxLength: 30 })
    .filter((all) => all.some(({ n }) => typeof n === "number"));
  await fc.assert(
    fc.asyncProperty(rowList, async (rows) => {
      const [[mean] = []] = viewRows(rows, { aggregate: "mean(n)" });
      const [[expected] = []] = await sqlRows(rows, "select avg(n) from r", "UTC");
      expect(Number(mean)).toBeCloseTo(Number(expected), 4);
    }),
    { numRuns: runs(6) },
  );
});

const slots: readonly (readonly [view: string, sql: string])[] = [
  ["hour(t)", "hour(t)"],
  ["weekday(t)", "dayname(t)"],
  ["day(t)", "strftime(t, '%Y-%m-%d')"],
  ["week(t)", "strftime(t, '%G-W%V')"],
  ["month(t)", "strftime(t, '%Y-%m')"],
];

it.each(slots)("has the same groups by %s, in any zone and around its clock changes", needsSql, async (slot, sql) => {
  const time = fc
    .integer({ min: 0, max: 400 * 86_400 })
    .map((at) => new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString());
  const near = fc.constantFrom(
    "2026-10-25T00:30:00Z",
    "2026-10-25T01:30:00Z",
    "2026-03-29T01:00:00Z",
    "2026-03-29T02:30:00+02:00",
  );
  const row = fc.record({ t: fc.oneof(time, near, fc.constant(null)), n: fc.integer({ min: 0, max: 99 }) });
  const rowList = fc.array(row, { minLength: 1, maxLength: 30 }).filter((all) => all.some(({ t }) => t !== null));
  await fc.assert(
    fc.asyncProperty(rowList, fc.constantFrom("UTC", "Europe/Berlin", "America/New_York"), async (rows, time_zone) => {
      const groups = viewRows(rows, { group_by: slot, aggregate: ["sum(n)", "count"], time_zone });
      expect(inText(groups)).toEqual(
        inText(await sqlRows(rows, `select ${sql} s, sum(n), count(*) from r group by s`, time_zone)),
      );
    }),
    { numRuns: runs(4) },
  );
});
