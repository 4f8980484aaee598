/** The rows that an answer is written as, and that CSV loses nothing of any JSON. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { cellsOf, resultRows } from "../../src/commands/output.js";
import { runs } from "../lab/depth.js";
import { lostOf } from "../lab/lost-cells.js";

it("the CSV of any JSON has each value, or names it as left out", () => {
  const name = fc.constantFrom("id", "name", "items", "data", "links", "status", "a.b", "columns", "tags", "x");
  const leaf = fc.oneof(
    fc.uuid(),
    fc.integer({ min: 1_000 }),
    fc.boolean(),
    fc.constantFrom(null, "", 0, 'a "b", c\nd'),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(name, tie("value"), { maxKeys: 6 }),
    ),
  }));
  fc.assert(
    fc.property(value, (body) => {
      expect(lostOf(body, {})).toEqual([]);
    }),
    { numRuns: runs(40) },
  );
});

const ofUser = { first: "A", last: "B", mail: "c", org: { name: "D" }, grants: [{ role: 1 }] };
const ofMap = { "a.example": { id: 1, on: true }, "b.example": { id: 2, on: false, note: "x" } };
const ofZone = { name: "example.com", a: [{ name: "www", ttl: 1 }], mx: [{ name: "", ttl: 2, priority: 3 }] };
const ofPage = { accountId: "1", items: { items: [{ a: 1, more: { b: 2 } }], total: 1 }, others: [{ c: 3 }] };

it.each<
  [
    title: string,
    body: unknown,
    columns: readonly string[],
    cells: object,
    list?: string | undefined,
    left?: readonly string[],
  ]
>([
  ["the items of its list", ofPage, ["a", "more.b"], [[1, 2]], "items.items", ["accountId", "others", "items.total"]],
  [
    "the one thing it is about",
    ofUser,
    ["first", "last", "mail", "org.name"],
    [["A", "B", "c", "D"]],
    undefined,
    ["grants"],
  ],
  ["one thing with links", { id: 1, links: [{ rel: "self" }] }, ["id"], [[1]], undefined, ["links"]],
  ["one thing with an empty list", { id: 1, tags: [] }, ["id", "tags"], [[1, ""]]],
  ["none of an empty list", { totalCount: 0, items: [] }, [], [], "items", ["totalCount"]],
  ["none of an empty array", [], [], []],
  [
    "the members of a map",
    ofMap,
    ["key", "id", "on", "note"],
    [
      ["a.example", 1, true],
      ["b.example", 2, false, "x"],
    ],
  ],
  [
    "the items of all lists that are alike",
    { zone: ofZone },
    ["list", "name", "ttl", "priority"],
    [
      ["a", "www", 1],
      ["mx", "", 2, 3],
    ],
    "zone.a, zone.mx",
    ["zone.name"],
  ],
])("the rows of an answer: %s", (_, body, columns, cells, list, left = []) => {
  const found = resultRows(body, {});
  const { columns: head, rows, left: others } = cellsOf(found);
  expect(head).toEqual(columns);
  expect(rows.map((row) => Object.values(row))).toEqual(cells);
  expect([found.list, others]).toEqual([list, left]);
});

it("a workflow's result is written by the rows of its list", () => {
  const usage = [{ product: "A", highest: { date: "2026-10-09", value: 2 }, days: [{ sum: 1 }] }];
  const body = { contractId: "C-1", month: "2026-10", comparedWith: "2026-09", findings: ["x"], usage };
  expect(cellsOf(resultRows(body, {}, true))).toEqual({
    columns: ["product", "highest.date", "highest.value"],
    rows: [{ product: "A", "highest.date": "2026-10-09", "highest.value": 2 }],
    left: ["contractId", "month", "comparedWith", "findings", "usage.days"],
  });
});

it("no cell is JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (body, isReport) => {
      const { rows } = cellsOf(resultRows(body, {}, isReport));
      for (const cell of rows.flatMap((row) => Object.values(row)))
        expect(cell === null || typeof cell !== "object").toBe(true);
    }),
    { numRuns: runs(40) },
  );
});

it("--list: the rows are those of the list that is named, or its lists are", () => {
  const body = { data: [{ a: 1 }], more: { others: [{ b: 2 }], plain: [1], none: [] }, links: [{ rel: "self" }] };
  expect(resultRows(body, {}, false, "more.others")).toMatchObject({
    rows: [{ b: 2 }],
    left: ["data", "links", "more.plain"],
  });
  for (const path of ["more.plain", "more.none", "links", "other"])
    expect(() => resultRows(body, {}, false, path)).toThrowError(`no list "${path}"`);
  expect(() => resultRows(body, {}, false, "x")).toThrowError(
    expect.objectContaining({ detail: { next: "Its lists are data, more.others." } }),
  );
});
