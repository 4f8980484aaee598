/** Rows of bare cells also come as rows of named values, whatever the API leaves out of its columns. */
import { expect, it } from "vitest";
import { namedRows } from "../../src/answers/columns.js";
import { successResult } from "../../src/answers/result.js";

const shows = { columns: { columns: "columns", name: "name", rows: "rows" } };
const columns = [
  { index: 0, name: "Time", type: "DIMENSION" },
  { index: 1, name: "Hits" },
];

it("names each cell by its column", () => {
  const body = {
    columns,
    rows: [
      ["1758542400", "17"],
      ["1758546000", "4"],
    ],
    metaData: { hasMoreData: false },
  };
  const before = structuredClone(body);
  expect(namedRows(body, shows)).toEqual([
    { Time: "1758542400", Hits: "17" },
    { Time: "1758546000", Hits: "4" },
  ]);
  expect(body).toEqual(before);
});

it("finds columns and rows at a path", () => {
  const deep = { columns: { columns: "report.head", name: "title.text", rows: "report.data" } };
  const body = { report: { head: [{ title: { text: "Hits" } }], data: [[1]] } };
  expect(namedRows(body, deep)).toEqual([{ Hits: 1 }]);
});

it("loses no cell to columns that are equal, without a title or missing", () => {
  const body = { columns: [{ name: "Hits" }, { name: "Hits" }, { id: 3 }], rows: [["1", "2", "3", "4"], ["5"], []] };
  expect(namedRows(body, shows)).toEqual([
    { Hits: "1", "Hits (2)": "2", "column 3": "3", "column 4": "4" },
    { Hits: "5" },
    {},
  ]);
});

it.each([
  undefined,
  "text",
  { columns },
  { rows: [["1"]] },
  { columns: "Time", rows: [["1"]] },
  { columns, rows: [{ Time: "1" }] },
  { columns, rows: "none" },
])("finds no rows in a body that has none of this kind: %j", (body) => {
  expect(namedRows(body, shows)).toBeUndefined();
});

it("finds none where the operation declares no columns", () => {
  expect(namedRows({ columns, rows: [["1", "2"]] }, {})).toBeUndefined();
});

it("shows empty data as no rows", () => {
  expect(namedRows({ columns, rows: [] }, shows)).toEqual([]);
});

it("is what an assistant receives beside the API's own data, both cut at whole rows", () => {
  const rows = Array.from({ length: 500 }, (_, hits) => ["1758542400", String(hits)]);
  const reply = { status: 200, body: { columns, rows }, notes: [] };
  const kept: unknown[] = [];
  const keep = (whole: unknown) => `handle-${kept.push(whole)}`;
  const { structuredContent } = successResult(reply, { upstream: "h", secrets: [], maxBytes: 4_000 }, { shows }, keep);
  const { rows: named } = structuredContent["table"] as { rows: unknown[] };
  expect(named[0]).toEqual({ Time: "1758542400", Hits: "0" });
  expect(named.at(-1)).toMatch(/^\[cut by edgewise: \d+ of 500 shown\]$/);
  expect(structuredContent["data"]).toMatchObject({ columns, rows: expect.arrayContaining([["1758542400", "1"]]) });
  expect(structuredContent["notes"]).toEqual([
    expect.stringMatching(/^rows: \d+ of 500 are shown/),
    expect.stringMatching(/^table\.rows: \d+ of 500 are shown/),
    expect.stringContaining("result://handle-1"),
  ]);
  expect(kept).toEqual([reply.body]);
  const small = successResult(
    { ...reply, body: { columns, rows: [["1", "2"]] } },
    { upstream: "h", secrets: [], maxBytes: 4_000 },
    { shows },
  );
  expect(small.structuredContent).toMatchObject({
    data: { columns, rows: [["1", "2"]] },
    table: { rows: [{ Time: "1", Hits: "2" }] },
  });
});
