/** The rows of a body are found in every form that the APIs have, and none of them costs more than reading the body. */
import { expect, it } from "vitest";
import { noRowsAt, rowsIn } from "../../../src/rows/index.js";

it("takes a body that is a list", () => {
  expect(rowsIn([{ a: 1 }, { a: 2 }])).toEqual({ path: "", rows: [{ a: 1 }, { a: 2 }], others: [] });
});

it("the longest list of records is taken; others come with lengths", () => {
  const zone = { name: "example.com", a: [{ name: "www" }], mx: [{ name: "" }, { name: "m" }], tags: ["x", "y", "z"] };
  expect(rowsIn({ zone })).toEqual({
    path: "zone.mx",
    rows: zone.mx,
    others: [
      { path: "zone.a", length: 1 },
      { path: "zone.tags", length: 3 },
    ],
  });
});

it("a caller's path picks its list, even a list of plain values", () => {
  const zone = { a: [{ name: "www" }, { name: "w" }], mx: [{ name: "" }], tags: ["x"] };
  expect(rowsIn({ zone }, {}, "zone.mx")?.rows).toEqual([{ name: "" }]);
  expect(rowsIn({ zone }, {}, "zone.tags")?.rows).toEqual([{ value: "x" }]);
});

it("a report's rows are taken, not its columns, filters or links", () => {
  const metadata = {
    columns: [
      { name: "groupBy", label: "startdatetime" },
      { name: "edgeHits", label: "Edge hits" },
    ],
    filters: [{ name: "response_class", values: ["5xx"] }],
  };
  const data = [{ startdatetime: "2026-05-01T00:00:00Z", edgeHits: "7" }];
  expect(rowsIn({ metadata, data, links: [{ rel: "a" }, { rel: "b" }] })).toMatchObject({ path: "data", rows: data });
  expect(rowsIn({ metadata, data: [] })).toMatchObject({ path: "data", rows: [] });
});

it("a report's cells take names from its columns or the group's label", () => {
  const columns = [
    { name: "groupBy", label: "cpcode" },
    { name: "edgeHits", label: "Edge hits" },
  ];
  const data = [
    ["12", 3],
    ["13", 4],
  ];
  const named = [
    { cpcode: "12", edgeHits: 3 },
    { cpcode: "13", edgeHits: 4 },
  ];
  expect(rowsIn({ metadata: { columns }, data })).toMatchObject({ path: "data", rows: named });
  expect(rowsIn({ columns: ["cpcode", "edgeHits"], data })).toMatchObject({ path: "data", rows: named });
});

it("names the cells of a declared column table, with its times in ISO form", () => {
  const body = {
    columns: [{ title: "Time" }, { title: "Hits" }],
    rows: [["1785542400", "5"]],
    messages: ["one", "two"],
  };
  const shows = { columns: { columns: "columns", rows: "rows", time: "Time" } };
  expect(rowsIn(body, shows)).toMatchObject({ path: "rows", rows: [{ Time: "2026-08-01T00:00:00Z", Hits: "5" }] });
});

it("reads declared lines of text as rows under their labels", () => {
  const body = { log: { headers: "ip\tstatus", logs: ["192.0.2.1\t200", "192.0.2.2\t404"] } };
  expect(rowsIn(body, { columns: { columns: "log.headers", rows: "log.logs" } })).toMatchObject({
    path: "log.logs",
    rows: [
      { ip: "192.0.2.1", status: "200" },
      { ip: "192.0.2.2", status: "404" },
    ],
  });
});

it("no list gives no rows, and a wrong path names the existing lists", () => {
  expect(rowsIn({ a: { b: 1 } })).toBeUndefined();
  expect(rowsIn("text")).toBeUndefined();
  expect(noRowsAt({ a: 1 })).toEqual({ field: "rows", takes: "a result that has a list; this one has none" });
  const body = { contracts: { items: [{ a: 1 }] }, links: [{ rel: "self" }] };
  expect(rowsIn(body, {}, "contract.items")).toBeUndefined();
  expect(noRowsAt(body, {}, "contract.items")).toEqual({
    field: "rows",
    given: '"contract.items"',
    takes: 'the path of a list: contracts.items, links (did you mean "contracts.items"?)',
    mends: [{ at: ["rows"], value: "contracts.items" }],
  });
  expect(noRowsAt([{ a: 1 }], {}, "x").takes).toBe("the path of a list: (the result itself: leave rows out)");
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`list${at}`, [{ at }]]));
  expect(noRowsAt(many).takes.split(", ")).toHaveLength(20);
});

it("is not misled by members with the names of inherited ones", () => {
  const body = JSON.parse('{"__proto__": [{"a": 1}], "constructor": {"prototype": [1]}}') as unknown;
  expect(rowsIn(body)).toMatchObject({ path: "__proto__", rows: [{ a: 1 }] });
  expect(({} as { a?: number }).a).toBeUndefined();
  const table = rowsIn({ columns: ["__proto__", "constructor"], rows: [["x", "y"]] });
  expect(Object.entries(table?.rows[0] ?? {})).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
});
