/** That CSV loses nothing: what an answer holds is in a cell, or is named as left out, for every operation that reads and for any JSON. */
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf, resultRows } from "../../src/commands/output.js";
import type { Shows } from "../../src/language/conduct.js";
import { isRecord, memberAt } from "../../src/language/member.js";
import { columnsOf, rowTexts } from "../../src/rows/row-text.js";
import { begin, exampleOf, isRead, operations } from "../emulator/examples.js";
import { apis } from "../lab/project.js";

/** The plain values of a body, each with its path; what is empty is nothing to lose. */
function* leavesOf(value: unknown, path = ""): Generator<readonly [path: string, leaf: unknown]> {
  if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, path);
  else if (isRecord(value))
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, path === "" ? name : `${path}.${name}`);
  else if (value !== null && value !== undefined && value !== "") yield [path, value];
}

/** The leaves of a body that are neither in its CSV nor below what is named as left out. */
function lostOf(body: unknown, shows: Shows): string[] {
  const found = resultRows(body, shows);
  const { columns, rows } = cellsOf(found);
  expect(columns).toEqual(columnsOf(rows));
  const text = [...rowTexts.csv.head(columns), ...rows.map((row) => rowTexts.csv.row(columns.map((one) => row[one])))];
  const cells = columns.length === 0 ? [] : (parse(text.join("\n"), { relax_column_count: true }) as string[][]).flat();
  const nested = cells.filter((cell) => /^[[{]/.test(cell)).flatMap((cell) => [...leavesOf(JSON.parse(cell))]);
  const known = new Set([...cells, ...nested.map(([, leaf]) => String(leaf))]);
  // A column that is named by the answer itself has other cells, such as times in place of seconds.
  const { columns: head, rows: cellsAt } = shows.columns ?? {};
  const isLine = head !== undefined && typeof memberAt(body, head) === "string";
  const renamed = [cellsAt, isLine ? head : undefined].filter((one) => one !== undefined);
  return [...leavesOf(body)]
    .filter(([path]) => ![...found.left, ...renamed].some((left) => path === left || path.startsWith(`${left}.`)))
    .filter(([, leaf]) => !known.has(String(leaf)))
    .map(([path, leaf]) => `${path}: ${leaf}`);
}

it("of the example of every operation that reads", async () => {
  const { call } = begin();
  let answered = 0;
  for (const [tool, operation] of operations) {
    const { body } = isRead(operation) ? await call(tool, exampleOf(tool)) : { body: undefined };
    if (body === undefined) continue;
    answered += 1;
    expect(lostOf(body, operation.spec.shows ?? {}), tool).toEqual([]);
  }
  expect(answered).toBeGreaterThan({ documents: 150, today: 130 }[apis]);
});

it("of any JSON", () => {
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
    { numRuns: 400 },
  );
});

const rowsOf = (body: unknown) => {
  const found = resultRows(body, {});
  return { ...cellsOf(found), list: found.list, left: found.left };
};

describe("the rows of an answer", () => {
  it("are the items of its list, and what is beside it is named", () => {
    expect(
      rowsOf({ accountId: "1", items: { items: [{ a: 1, more: { b: 2 } }], total: 1 }, others: [{ c: 3 }] }),
    ).toEqual({
      columns: ["a", "more"],
      rows: [{ a: 1, more: { b: 2 } }],
      list: "items.items",
      left: ["accountId", "others", "items.total"],
    });
  });

  it("are the one thing that it is about, whatever lists that has", () => {
    const user = { first: "A", last: "B", mail: "c", org: { name: "D" }, grants: [{ role: 1 }] };
    expect(rowsOf(user)).toEqual({
      columns: ["first", "last", "mail", "org.name", "grants"],
      rows: [{ first: "A", last: "B", mail: "c", "org.name": "D", grants: [{ role: 1 }] }],
      list: undefined,
      left: [],
    });
    expect(rowsOf({ id: 1, value: "x", links: [{ rel: "self", href: "/x" }] }).columns).toEqual([
      "id",
      "value",
      "links",
    ]);
    expect(rowsOf({ id: 1, tags: [] }).rows).toEqual([{ id: 1, tags: [] }]);
  });

  it("are none where its list is empty", () => {
    expect(rowsOf({ totalCount: 0, items: [] })).toMatchObject({ rows: [], list: "items", left: ["totalCount"] });
    expect(rowsOf([])).toMatchObject({ rows: [], left: [] });
  });

  it("are the things of a map, each with its key", () => {
    const map = { "a.example": { id: 1, on: true }, "b.example": { id: 2, on: false, note: "x" } };
    expect(rowsOf(map)).toMatchObject({
      columns: ["key", "id", "on", "note"],
      rows: [{ key: "a.example" }, { key: "b.example" }],
    });
  });

  it("are those of all lists that are alike, each with the name of its list", () => {
    const zone = {
      zone: { name: "example.com", a: [{ name: "www", ttl: 1 }], mx: [{ name: "", ttl: 2, priority: 3 }] },
    };
    expect(rowsOf(zone)).toEqual({
      columns: ["list", "name", "ttl", "priority"],
      rows: [
        { list: "a", name: "www", ttl: 1 },
        { list: "mx", name: "", ttl: 2, priority: 3 },
      ],
      list: "zone.a, zone.mx",
      left: ["zone.name"],
    });
  });
});
