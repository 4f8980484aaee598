/** The table of a CSV body as its bytes arrive, however they are cut: the same rows, types and sums as all at once. */
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CodecError } from "../../src/language/wire.js";
import { csvRows, decodeCsv } from "../../src/rows/csv-reader.js";
import { CsvScanner, type ScannedTable } from "../../src/rows/csv-scanner.js";
import { queryTableOf } from "../../src/rows/sql/engine.js";
import { withHiddenShown } from "../../src/text/marks.js";
import { runs } from "../lab/depth.js";

const marks = { begin: "#BEGIN", end: "#END" };

/** Scans a body in parts of the given sizes, which are used by turns. */
function scanned(body: string | Buffer, width: number, sizes: readonly number[] = [65_536]) {
  const bytes = Buffer.from(body);
  const names = Array.from({ length: width }, (_, at) => String(at));
  const scanner = new CsvScanner({ ...marks, at: "", columns: () => names });
  const given: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    given.push(scanner.push(bytes.subarray(at, at + size)));
    at += size;
  }
  const { rows, table } = scanner.end();
  return { file: Buffer.concat([...given, rows]), table };
}
const bodyOf = (rows: string): string => `a,b\n#BEGIN\n${rows}#END\ntail\n`;
const tableFrom = (rows: string, width: number): ScannedTable => scanned(bodyOf(rows), width).table;

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) || cell === "" ? `"${cell.replaceAll('"', '""')}"` : cell;

it("CSV: the same rows, cut into any parts, with any line ends", () => {
  const cell = fc.oneof(
    fc.constantFrom(
      "",
      "12",
      "-3.50",
      "007",
      'a "b"',
      "x,y",
      "l\nm",
      "l\r\nm",
      "é日本",
      "\u200b",
      "#END",
      "-0",
      "a\rb",
    ),
    fc.string({ unit: "grapheme", maxLength: 6 }),
  );
  const rows = fc
    .integer({ min: 2, max: 4 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
    );
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rows, fc.constantFrom("\n", "\r\n", "mixed"), sizes, (table, ends, parts) => {
      const end = (at: number) => (ends === "mixed" ? (at % 2 ? "\r\n" : "\n") : ends);
      const text = table.map((row, at) => row.map(quoted).join(",") + end(at)).join("");
      const { file, table: found } = scanned(bodyOf(text), table[0]?.length ?? 0, parts);
      const shown = withHiddenShown(table.map((row) => `${row.map(quoted).join(",")}\n`).join(""));
      expect(decodeCsv(file)).toEqual(decodeCsv(Buffer.from(shown)));
      expect(found.count).toBe(table.length);
      expect([found.before, found.after].map(String)).toEqual(["a,b\n#BEGIN\n", "#END\ntail\n"]);
    }),
    { numRuns: runs(100) },
  );
});

it("CSV: any text has the rows, or is as unreadable, as csv-parse says", () => {
  const options = { relax_column_count: true, skip_empty_lines: false, record_delimiter: ["\r\n", "\n"] };
  const orNone = (read: () => unknown): unknown => {
    try {
      return read();
    } catch {
      return undefined;
    }
  };
  const part = fc.constantFrom(",", '"', '""', "\n", "\r\n", "\r", "a", "é", " ", '"x,y"', '"l\nm"', '"q""q"', ',"",');
  fc.assert(
    fc.property(fc.string({ unit: part, maxLength: 12 }), (text) => {
      expect(orNone(() => csvRows(text))).toEqual(orNone(() => parse(text, options)));
    }),
    { numRuns: runs(2_000) },
  );
  expect(() => csvRows("x".repeat(1_048_577))).toThrow(CodecError);
});

it("CSV: a column has the type that it has in memory", () => {
  const cell = fc.oneof(
    fc.integer().map(String),
    fc.constantFrom("", "0", "-0", "007", "1.10", "1.9", "12.50", "1e5", "9007199254740993", "123456789012345"),
    fc.constantFrom("1234567890123456", `${"9".repeat(38)}`, `${"9".repeat(39)}`, "-", "3.", ".5", "2xx", "0.0000001"),
    fc.constantFrom("2026-10-25T02:30:00Z", "2026-10-31T02:30:00Z", "2026-02-30T02:30:00Z", "0000-01-01T00:00:00Z"),
    fc.constantFrom(
      "2026-10-25T02:30:00.5+0100",
      "2026-10-25 01:30",
      "2026-10-25T24:30:00Z",
      "2026-10-25",
      "2026-13-01",
    ),
  );
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 3 }), (cells) => {
      const text = cells.map((one) => `x,${one}\n`).join("");
      const [, column] = tableFrom(text, 2).columns;
      expect(column?.type).toBe(
        queryTableOf(
          "t",
          cells.map((b) => ({ b })),
        ).columns[0]?.type,
      );
    }),
    { numRuns: runs(100) },
  );
});

it("a time with an offset and without seconds is text", () => {
  expect(tableFrom("x,2026-10-25T02:30Z\n", 2).columns[1]?.type).toBe("VARCHAR");
});

it("CSV: sums are exact, and the rows of the extremes are known", () => {
  const [, whole, large, decimal, text] = tableFrom(
    ["x,4000000000000000,9007199254740993,0.1,a", "x,-5,9007199254740993,0.2,2xx", "x,6000000000000000,,,"].join("\n") +
      "\n",
    5,
  ).columns;
  expect(whole).toEqual({ name: "1", type: "BIGINT", numbers: 3, sum: "9999999999999995", mostRow: 2, leastRow: 1 });
  expect(large).toEqual({ name: "2", type: "HUGEINT", numbers: 2, sum: "18014398509481986", mostRow: 0, leastRow: 0 });
  expect(decimal).toEqual({ name: "3", type: "DOUBLE", numbers: 2, sum: "0.3", mostRow: 1, leastRow: 0 });
  expect(text).toEqual({ name: "4", type: "VARCHAR", numbers: 0, sum: "0", mostRow: -1, leastRow: -1 });
});

it("CSV: no byte order mark, and an empty cell is a row", () => {
  const { file, table } = scanned("\ufeff#BEGIN\n\n7\n#END\n", 1, [1]);
  expect([String(table.before), String(file), table.count]).toEqual(["#BEGIN\n", '""\n7\n', 2]);
  expect(String(scanned(bodyOf("\nx,y\n\n"), 2).file)).toBe("x,y\n");
});

it("CSV: invalid UTF-8 is replaced, and the last row ended", () => {
  const { file } = scanned(
    Buffer.concat([Buffer.from("#BEGIN\na,"), Buffer.from([0xff, 0x0a]), Buffer.from("b,c")]),
    2,
  );
  expect(String(file)).toBe("a,\ufffd\nb,c\n");
});

it("CSV: the places of rows are known", () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `row ${at},${"é".repeat(at % 7)}\r\n`);
  const { file, table } = scanned(bodyOf(rows.join("")), 2, [1_000]);
  expect(table.places.length).toBeGreaterThan(3);
  for (const { row, offset } of table.places)
    expect(String(file.subarray(offset, offset + 12))).toContain(`row ${row},`.slice(0, 10));
});

it("CSV: any length before the table, no table of 2,001 columns", () => {
  const ids = `objectIds,${"1,".repeat(3_000)}\n`;
  expect(String(scanned(`${ids}#BEGIN\nx,y\n#END\n`, 2).table.before)).toBe(`${ids}#BEGIN\n`);
  expect(() => scanned(bodyOf("x\n"), 2_001)).toThrow("too many cells");
});

describe("a body that is no such table", () => {
  it.each([
    ["a row that is too short", bodyOf("x,y\nx\n"), "differs in width"],
    ["a row that is too long", bodyOf("x,y\nx,y,z\n"), "differs in width"],
    ["a quote that is not closed", bodyOf('x,"y\n'), "quote"],
    ["a quote inside a cell", bodyOf('x,y"z"\n'), "cannot be read"],
    ["text behind a closing quote", bodyOf('x,"y"z\n'), "cannot be read"],
    ["a quote in each of two cells", bodyOf('x"y,z"\n'), "cannot be read"],
    ["a quote behind a quote in a cell", bodyOf('x"y,"z\n'), "cannot be read"],
    ["a line without an end", `#BEGIN\n${"x".repeat(1_100_000)}`, "cannot be read"],
    ["a quote without an end", `#BEGIN\n"${`${"x".repeat(99)}\n`.repeat(12_000)}`, "cannot be read"],
    ["no table", "<p>error</p>\n".repeat(100_000), "around its table"],
  ])("is refused: %s", (_, body, message) => {
    expect(() => scanned(body, 2)).toThrow(CodecError);
    expect(() => scanned(body, 2)).toThrow(message);
  });
});

it("CSV: a mark in a quoted cell begins no table", () => {
  const body = 'a,"x\n#BEGIN\ny"\n#BEGIN\n1,2,3\n#END\n';
  const wanted = [["a", "x\n#BEGIN\ny"], ["#BEGIN"], ["1", "2", "3"], ["#END"]];
  expect(decodeCsv(Buffer.from(body))).toEqual(wanted);
  expect(decodeCsv(Buffer.from("a\r\n#BEGIN\r\n1,2\r\n"))).toEqual([["a"], ["#BEGIN"], ["1", "2"]]);
});
