/** A cell is the same to whoever reads it: a number, a time, empty or text, in SQL, views, summaries, charts and tables. */
import { expect, it } from "vitest";
import { chartDataOf, isNumeric, tableIn, timeColumnOf } from "../../src/answers/charts/series.js";
import { compactTableOf as shownTable } from "../../src/answers/table.js";
import { epochMs, timeOf } from "../../src/rows/cell-type.js";
import { CsvScanner } from "../../src/rows/csv-scanner.js";
import { queryTableOf } from "../../src/rows/sql/engine.js";
import { summarizeRows } from "../../src/rows/summary.js";
import { RowView } from "../../src/rows/view/schema.js";
import { applyView } from "../../src/rows/view/viewed.js";
import { holdsForEach } from "../lab/laws.js";

type Kind = "number" | "time" | "empty" | "text";

const cells: readonly (readonly [Kind, readonly unknown[]])[] = [
  ["number", [0, -7, 1.5, 1e21, 1e300, 1_767_225_600, 1_767_225_600_000]],
  ["number", ["0", "-7", "12.50", "0.5", "-0", "-0.0", "1767225600", "1767225600000", "20260102"]],
  // As programs print a double.
  ["number", ["9.58037033E7", "-1.5e-05"]],
  [
    "number",
    ["12345678901234567890", "9".repeat(38), "0.12345678901234567", "33.333333333333336", "9007199254740993.5"],
  ],
  // The zeros, the plus or the blanks would be lost, or the whole of a code.
  ["text", ["007", "00", "-007", "00.5", "+5", " 12 ", "12 ", "1e3", "1E3", "12e5", "9".repeat(39)]],
  [
    "text",
    ["1,000", "1_000", "0x10", ".5", "5.", "१२", "12%", "1.2.3", "--1", "- 1", "1.5e999", "1.5e", "NaN", "Infinity"],
  ],
  ["time", ["2026-01-02", "2026-01-02T03:04:05", "2026-01-02 03:04:05", "2026-01-02T03:04", "2026-01-02 03:04"]],
  ["time", ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456Z", "2026-01-02 03:04:05Z", "2026-01-02T03:04Z"]],
  [
    "time",
    ["2026-01-02T03:04:05+02:00", "2026-01-02T03:04:05.5-0330", "2026-01-02 03:04:05+00", "1969-12-31T23:59:59.5Z"],
  ],
  ["time", ["9999-12-31T23:59:59Z", "01/02/2026", "01/02/2026:10:30", "Fri, 02 Jan 2026 03:04:05 GMT"]],
  [
    "text",
    ["2026-02-30", "2026-13-01T00:00:00Z", "2026-01-02T24:00:00Z", "2026-01-02T03:60:00Z", "2026-01-02T03:04:60Z"],
  ],
  [
    "text",
    ["24:00:00", "03:04", "2026-01", "2026-01-02T", "2026-01-02x", "2026-1-2", "13/02/2026", "0000-01-01T00:00:00Z"],
  ],
  [
    "text",
    ["2026-01-02T03:04:05+99:00", "Thu, 02 Jan 2026 03:04:05 GMT", "2026-01-02T03:04:05Z and more", " 2026-01-02"],
  ],
  ["text", ["-", "null", "n/a", " ", "true", true, false, [0], ["a"], [[]], { a: 1 }]],
  ["empty", ["", null, undefined, [], {}]],
];

const problemless = (rows: readonly { readonly c: unknown }[], view: object): boolean =>
  !("problems" in applyView(rows, RowView.parse(view)));
const many = (cell: unknown) => Array.from({ length: 30 }, (_, n) => ({ n, c: cell }));
const kindFrom = (isNumber: boolean, isTime: boolean, isEmpty: boolean): Kind =>
  isNumber ? "number" : isTime ? "time" : isEmpty ? "empty" : "text";

/** A type of the engine as a kind; the cell beside a number says whether it has no value. */
function kindOfType(type: string): Kind {
  if (/^(BIGINT|HUGEINT|DOUBLE|DECIMAL)/.test(type)) return "number";
  return /^(TIMESTAMP|DATE)/.test(type) ? "time" : "text";
}

/** What a cell is to each that reads cells. */
const readers: Readonly<Record<string, (cell: unknown) => Kind>> = {
  SQL: (cell) => {
    const [related] = queryTableOf("t", [{ c: cell }, { c: 1 }]).columns;
    const isEmpty = queryTableOf("t", [{ c: cell }, { c: 1 }]).values[0]?.[0] === null;
    if (isEmpty) return related?.type === "BIGINT" ? "empty" : "text";
    return kindOfType(queryTableOf("t", [{ c: cell }]).columns[0]?.type ?? "");
  },
  view: (cell) =>
    kindFrom(
      problemless([{ c: cell }], { aggregate: "sum(c)" }),
      problemless([{ c: cell }], { group_by: "day(time)" }),
      JSON.stringify(applyView([{ c: cell }], RowView.parse({ where: "c is empty", aggregate: "count" }))).includes(
        '"count":1',
      ),
    ),
  chart: (cell) => {
    const table = tableIn(many(cell));
    const isTime = timeColumnOf(table) === "c";
    const choice = { maxMetrics: 1, usualMetrics: 1, maxSeries: 3, maxBars: 3, declared: () => undefined };
    const data = isTime ? undefined : chartDataOf(many(cell), { ...choice, by: "c" });
    const group = data && "groups" in data ? data.groups[0]?.values[0]?.group : undefined;
    return kindFrom(isNumeric(table, "c"), isTime, group === "(none)");
  },
};

/** Those that do not tell all kinds apart: what each would say of a cell of a kind. */
const partly: Readonly<
  Record<string, { readonly says: (cell: unknown) => unknown; readonly of: (kind: Kind) => unknown }>
> = {
  "the summary": {
    says: (cell) => {
      const summary = summarizeRows(many(cell), {});
      return kindFrom(summary?.["c"] !== undefined, String(summary?.["n"]).includes(" at "), false);
    },
    of: (kind) => (kind === "empty" ? "text" : kind),
  },
  "the table of an answer": {
    says: (cell) => shownTable(many(cell))?.empty.length === 1,
    of: (kind) => kind === "empty",
  },
};

const written = (cell: unknown): string => JSON.stringify(cell) ?? "undefined";
const odd = cells.flatMap(([kind, list]) => list.map((cell) => [kind, written(cell), cell] as const));

it("a cell is the same to all that read cells", () =>
  holdsForEach(
    odd.map(([kind, text, cell]) => [text, kind, cell] as const),
    (_, kind, cell) => {
      for (const [reader, read] of Object.entries(readers)) expect([reader, read(cell)]).toEqual([reader, kind]);
      for (const [reader, { says, of }] of Object.entries(partly))
        expect([reader, says(cell)]).toEqual([reader, of(kind)]);
    },
  ));

it.each([
  ["2026-01-02T03:04:05.123456Z", "instant", Date.UTC(2026, 0, 2, 3, 4, 5, 123), 456],
  ["2026-01-02T03:04:05.1234567Z", "instant", Date.UTC(2026, 0, 2, 3, 4, 5, 123), 456],
  ["2026-01-02T03:04:05.5-0330", "instant", Date.UTC(2026, 0, 2, 6, 34, 5, 500), 0],
  ["2026-01-02 03:04", "local", Date.UTC(2026, 0, 2, 3, 4), 0],
  ["2026-01-02", "day", Date.UTC(2026, 0, 2), 0],
])("%s is one moment, to the microsecond", (cell, kind, ms, micros) => {
  expect(timeOf(cell)).toEqual({ kind, ms, micros });
});

it("a number reads as an epoch time only if it is from 1973 to 5138", () => {
  const read = [1e8 - 1, 1e8, 1e11 - 1, 1e11, 1e14 - 1, 1e14].map(epochMs);
  expect(read).toEqual([undefined, 1e11, (1e11 - 1) * 1_000, 1e11, 1e14 - 1, undefined]);
});

// The members of an object have columns of their own.
it.each(odd.filter(([kind, , cell]) => kind !== "time" && kind !== "empty" && typeof cell !== "object"))(
  "is shortened as a time by no table: %s %s",
  (_kind, _written, cell) => {
    expect(shownTable([{ c: cell }, { c: "2026-01-02T03:04:05Z" }])?.columns).toEqual(["c"]);
  },
);

// The engine reads the file of a long answer by itself, and no times but these.
const readByEngine = /^\d{4}-\d\d-\d\d(?:$|[T ]\d\d:\d\d(?::\d\d|$))/;
it.each(odd.filter(([, , cell]) => typeof cell === "string" && cell !== ""))(
  "is %s to the columns of a long CSV, too: %s",
  (kind, _, cell) => {
    const scanner = new CsvScanner({ begin: "#BEGIN", end: "#END", at: "", columns: () => ["a", "b"] });
    scanner.push(Buffer.from(`#BEGIN\nx,${String(cell).includes(",") ? JSON.stringify(cell) : cell}\n#END\n`));
    const [, column] = scanner.end().table.columns;
    const isRead = kind !== "time" || readByEngine.test(String(cell));
    expect(kindOfType(column?.type ?? "")).toBe(isRead ? kind : "text");
    expect((column?.mostRow ?? -1) >= 0).toBe(kind === "number");
  },
);
