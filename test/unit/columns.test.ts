/** Rows of bare cells come as rows of named values, whatever the API leaves out of its columns. */
import { expect, it } from "vitest";
import { withNamedCells } from "../../src/answers/columns.js";
import { successResult } from "../../src/answers/result.js";

const shows = { columns: { columns: "columns", name: "name", rows: "rows" } };
const columns = [
  { index: 0, name: "Time", type: "DIMENSION" },
  { index: 1, name: "Hits" },
];

it("names each cell by its column, and keeps what stands beside the rows", () => {
  const body = {
    columns,
    rows: [
      ["1758542400", "17"],
      ["1758546000", "4"],
    ],
    metaData: { hasMoreData: false },
  };
  const before = structuredClone(body);
  expect(withNamedCells(body, shows)).toEqual({
    ...body,
    rows: [
      { Time: "1758542400", Hits: "17" },
      { Time: "1758546000", Hits: "4" },
    ],
  });
  expect(body).toEqual(before);
});

it("finds columns and rows at a path", () => {
  const deep = { columns: { columns: "report.head", name: "title.text", rows: "report.data" } };
  const body = { report: { head: [{ title: { text: "Hits" } }], data: [[1]] } };
  expect(withNamedCells(body, deep)).toEqual({ report: { head: body.report.head, data: [{ Hits: 1 }] } });
});

it("loses no cell to columns that are equal, without a title or missing", () => {
  const body = { columns: [{ name: "Hits" }, { name: "Hits" }, { id: 3 }], rows: [["1", "2", "3", "4"], ["5"], []] };
  expect(withNamedCells(body, shows)).toMatchObject({
    rows: [{ Hits: "1", "Hits (2)": "2", "column 3": "3", "column 4": "4" }, { Hits: "5" }, {}],
  });
});

it.each([
  undefined,
  "text",
  { columns },
  { rows: [["1"]] },
  { columns: "Time", rows: [["1"]] },
  { columns, rows: [{ Time: "1" }] },
  { columns, rows: "none" },
])("leaves a body as it is that has no such rows: %j", (body) => {
  expect(withNamedCells(body, shows)).toBe(body);
  expect(withNamedCells(body, {})).toBe(body);
});

it("shows empty data as no rows", () => {
  expect(withNamedCells({ columns, rows: [] }, shows)).toEqual({ columns, rows: [] });
});

it("is what an assistant receives, cut at whole rows, while the kept answer is the API's own", () => {
  const rows = Array.from({ length: 500 }, (_, hits) => ["1758542400", String(hits)]);
  const reply = { status: 200, body: { columns, rows }, notes: [] };
  const kept: unknown[] = [];
  const keep = (whole: unknown) => `handle-${kept.push(whole)}`;
  const { structuredContent } = successResult(reply, { upstream: "h", secrets: [], maxBytes: 2_000 }, { shows }, keep);
  const { rows: shown } = structuredContent["data"] as { rows: unknown[] };
  expect(shown[0]).toEqual({ Time: "1758542400", Hits: "0" });
  expect(shown.at(-1)).toMatch(/^\[cut by edgewise: \d+ of 500 shown\]$/);
  expect(kept).toEqual([reply.body]);
});
