/** Rows of bare cells are read as rows of named values, whatever the API leaves out of its columns. */
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { namedRows } from "../../src/rows/index.js";

const shows = { columns: { columns: "columns", rows: "rows", time: "Time" } };
const rowsOf = (body: object, from = shows) => (namedRows(body, from) as { rows: unknown[] }).rows;
const columns = [
  { index: 0, name: "Time", type: "DIMENSION" },
  { index: 1, name: "Hits" },
];

it("rows of cells: each cell is named by its column", () => {
  const body = {
    columns,
    rows: [
      ["1758542400", "17"],
      ["1758546000", "4"],
    ],
    metaData: { hasMoreData: false },
  };
  const before = structuredClone(body);
  expect(namedRows(body, shows)).toEqual({
    ...before,
    rows: [
      { Time: "2025-09-22T12:00:00Z", Hits: "17" },
      { Time: "2025-09-22T13:00:00Z", Hits: "4" },
    ],
  });
  expect(body).toEqual(before);
});

it("rows of cells: a cell that is not a time, or elsewhere, stays", () => {
  const body = { columns, rows: [["none", "1758542400"], ["17", "1"], [1758542400]] };
  expect(rowsOf(body)).toEqual([{ Time: "none", Hits: "1758542400" }, { Time: "17", Hits: "1" }, { Time: 1758542400 }]);
});

it("rows of cells: columns and rows at a path", () => {
  const deep = { columns: { columns: "report.head", rows: "report.data" } };
  const body = { report: { head: [{ name: "Hits" }], data: [[1]] } };
  expect(namedRows(body, deep)).toEqual({
    report: { head: [{ name: "Hits" }], data: [{ Hits: 1 }] },
  });
});

it("rows of cells: none is lost to equal, unnamed or missing columns", () => {
  const body = { columns: [{ name: "Hits" }, { name: "Hits" }, { id: 3 }], rows: [["1", "2", "3", "4"], ["5"], []] };
  expect(rowsOf(body)).toEqual([{ Hits: "1", "Hits (2)": "2", "column 3": "3", "column 4": "4" }, { Hits: "5" }, {}]);
});

it.each([
  undefined,
  "text",
  { columns },
  { rows: [["1"]] },
  { columns: "Time", rows: [["1"]] },
  { columns, rows: [{ Time: "1" }] },
  { columns, rows: "none" },
])("no rows of cells in %j", (body) => {
  expect(namedRows(body, shows)).toBeUndefined();
});

it("rows of cells: empty data is no rows", () => {
  expect(rowsOf({ columns, rows: [] })).toEqual([]);
});

const presentation = { upstream: "h", secrets: [], maxTokens: 1_000 };

it("named rows are in the text, the API's own rows in the data", () => {
  const body = { columns, rows: [["1758542400", "2"]] };
  const { structuredContent, content } = successResult({ status: 200, body, notes: ["a note"] }, presentation, {
    shows,
  });
  expect(structuredContent).toEqual({ status: 200, data: body, notes: ["a note"], upstream: "h" });
  expect(content[0]?.text).toContain('{"Time":"2025-09-22T12:00:00Z","Hits":"2"}');
});

it("rows of cells are cut at whole rows, and the whole is stored once", () => {
  const rows = Array.from({ length: 500 }, (_, hits) => ["1758542400", String(hits)]);
  const kept: unknown[] = [];
  const keep = (whole: unknown) => `handle-${kept.push(whole)}`;
  const reply = { status: 200, body: { columns, rows }, notes: [] };
  const { structuredContent, content } = successResult(reply, presentation, { shows }, keep);
  const { data } = structuredContent as { data: { rows: unknown[] } };
  expect([data.rows[0], data.rows.at(-1)]).toEqual([
    ["1758542400", "0"],
    expect.stringMatching(/^\[cut by edgewise: \d+ of 500 shown\]$/),
  ]);
  const lines = content[0]?.text.split("\n") ?? [];
  expect(lines[0]).toBe("HTTP 200 (h), truncated.");
  expect(lines).toContain("same in every row shown: Time=2025-09-22T12:00:00Z");
  const [, shown] = /^\[cut by edgewise: (\d+) of 500 shown\]$/m.exec(content[0]?.text ?? "") ?? [];
  expect(lines).toContain(String(Number(shown) - 1));
  expect(lines).not.toContain(shown);
  expect(kept).toEqual([reply.body]);
});
