/** What a call prints: each form of an answer, what fits on a terminal, and how far the work is. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { cellTable, outputOf, resultRows, outcomeLines as writtenFor } from "../../src/commands/output.js";
import {
  cellTo,
  columnsOfTerminal,
  cutTo,
  effectInList,
  firstSentence,
  inRed,
  terminalProgress,
  terminalTable,
  toolLines,
  widthOf,
  wrapText,
} from "../../src/commands/terminal.js";
import { readConfig } from "../../src/config.js";
import { Failure } from "../../src/language/failure.js";
import { secretForms } from "../../src/secrets/held-secrets.js";
import { operation } from "../../src/tools/index.js";
import { runs } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { lostOf } from "../lab/lost-cells.js";
import { sectionsOf } from "../lab/tables.js";

const presentation = { upstream: "h.example", secrets: secretForms(["secret-12345678"]), maxTokens: 1_000_000 };
const declared = (await operation("contract_ids_list", { service: "contracts" }))?.spec;

function answer(body: unknown, notes: readonly string[] = []): Exclude<Outcome, { kind: "question" }> {
  if (!declared) throw new Error("The operation is gone.");
  return { kind: "answer", reply: { status: 200, headers: {}, body, notes, attempts: 1 }, declared } as never;
}
const howToApprove = (plan: string) => `Run edgewise approve ${plan}.`;
const rows = [
  { id: 1, name: 'a, "b"\nc', tags: ["x", "y"] },
  { id: 22, name: "secret-12345678", more: { deep: true } },
];

it("output: a table for a terminal, JSON elsewhere, unless set", () => {
  expect([outputOf([], true), outputOf([], false)]).toEqual(["table", "json"]);
  expect(outputOf(["x", "--output=csv", "--output=ndjson"], true)).toBe("ndjson");
  expect([outputOf(["--json"], true), outputOf(["--json", "--output=json"], false)]).toEqual(["json", "json"]);
  expect(() => outputOf(["--json", "--output=csv"], true)).toThrow("--json does not fit --output csv.");
  expect(() => outputOf(["--output=xml"], true)).toThrow("--output takes table, json, csv, ndjson");
});

type Ended = Parameters<typeof writtenFor>[0];
const failure: Ended = {
  kind: "failure",
  failure: new Failure("not_found", "There is none.", { next: "Look elsewhere." }),
};
const long = (id: number) => ({ id, contract: "C-1", none: null, text: `${id} ${"long words ".repeat(9)}` });
const leaf = { name: "cache", options: { ttl: "30d", note: "a sentence that is longer than the terminal is wide" } };
const tree = { name: "default", behaviors: [leaf], children: [{ name: "Images", behaviors: [leaf] }] };
const coloured = ["x".repeat(300), "b\u001b[31m"].map((name, id) => ({ id, name }));

/** What is written of each, by what it shows; the text has it. */
const outputs: Readonly<Record<string, [Ended, Parameters<typeof writtenFor>[2], width?: number]>> = {
  "CSV has every row, no JSON in a cell, and no secret": [answer({ items: rows }, ["a note"]), "csv"],
  "CSV of an answer that is the list": [answer(rows), "csv"],
  "CSV of an answer without rows": [answer({ queueLength: 0 }), "csv"],
  "CSV of nothing": [answer(undefined), "csv"],
  "NDJSON has a line for every row": [answer({ items: rows }), "ndjson"],
  "NDJSON of an answer without rows": [answer({ queueLength: 0 }), "ndjson"],
  "NDJSON of a text": [answer("text"), "ndjson"],
  "a failure beside CSV": [failure, "csv", 80],
  "a failure beside a table": [failure, "table", 80],
  "a table is plain and whole where there is no terminal": [answer({ total: 2, items: coloured }), "table"],
  "a value of every row is said once, an empty column left out": [answer({ items: [1, 2, 3].map(long) }), "table", 30],
  "a tree is written whole, within the terminal": [answer({ rules: tree, none: [] }), "table", 44],
};

it("output is written as its text has it", () => {
  const texts = sectionsOf("commands/outputs.txt");
  return holdsForEach(Object.entries(outputs), (title, [outcome, output, width]) => {
    const { out, err } = writtenFor(outcome, presentation, output, { out: width, err: width, howToApprove });
    const lines = [...out, ...err.map((line) => `stderr: ${line}`)].join("\n").split("\n");
    expect(lines.map((line) => line || "(an empty line)")).toEqual(texts.get(title));
  });
});

it("a failure is JSON where that is asked for", () => {
  const { out, err } = writtenFor(failure, presentation, "json", { out: 80, err: 80, howToApprove });
  expect([JSON.parse(out.join("\n")), err]).toMatchObject([{ error: "not_found" }, []]);
});

it.each([20, 40, 80, 200])("every line of a table is within %d columns", (width) => {
  const wide = [
    { id: 1, name: "日本語の名前です".repeat(6), url: "https://www.example.com/".repeat(3), note: "é".repeat(50) },
    { id: 1000, name: "👍 ok", url: "", note: null },
  ];
  const { lines } = terminalTable(wide, width);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
  expect(lines.length).toBeGreaterThan(2);
});

it("a narrow table keeps the columns that tell rows apart", () => {
  const row = { note: "free text of some length", id: "a1", deep: [{ x: 1 }, { x: 2 }], name: "one", status: "ACTIVE" };
  const { lines, leftOut } = terminalTable([row, { ...row, id: "b2" }], 30);
  expect(lines.slice(0, 2)).toEqual(["id  name  status", "a1  one   ACTIVE"]);
  expect(leftOut).toEqual(["note", "deep"]);
  expect(terminalTable([row], undefined).lines[1]).toContain(JSON.stringify(row.deep));
  // An address is cut in the middle, a sentence at its end.
  expect(cellTo("https://www.example.com/spring/sale", 17)).toBe("https://…ing/sale");
  expect(cellTo("this is said at length", 10)).toBe("this is s…");
});

it("a sentence breaks between words, never in a command", () => {
  expect(wrapText("Note: run `edgewise call change_restore --plan plan_x` when needed", 30, "  ")).toEqual([
    "Note: run",
    "  `edgewise call change_restore --plan plan_x`",
    "  when needed",
  ]);
  expect(wrapText("a  b", 2)).toEqual(["a", "b"]);
  expect(wrapText("as it is", undefined)).toEqual(["as it is"]);
});

it("text is measured and cut by the columns of characters", () => {
  expect(["ab", "日本", "e\u0301", "👍"].map(widthOf)).toEqual([2, 4, 1, 2]);
  expect([cutTo("abcdef", 4), cutTo("日本語", 4), cutTo("abc", 3)]).toEqual(["abc…", "日…", "abc"]);
});

it("progress is on one line of a terminal, and nowhere else", async () => {
  let text = "";
  const write = (part: string) => {
    text += part;
  };
  const shown = terminalProgress({ isTTY: true, columns: 30, write });
  shown.clear();
  expect(text).toBe("");
  await shown.progress(2, "reading page\n2 of a very long list of things", 5);
  expect(text).toBe("\r\u001b[2K[2/5] reading page[U+000A]2 …");
  await shown.progress(0.456, "half", 1);
  expect(text.endsWith("\u001b[2K[45 %] half")).toBe(true);
  shown.clear();
  shown.clear();
  expect(text.endsWith("half\r\u001b[2K")).toBe(true);
  text = "";
  const silent = terminalProgress({ write });
  await silent.progress(1, "x");
  silent.clear();
  expect(text).toBe("");
});

it("a terminal without a width has 80 columns, and another stream none", () => {
  const stream = (isTTY: boolean, columns?: number) => ({ isTTY, ...(columns === undefined ? {} : { columns }) });
  expect([stream(true, 0), stream(true), stream(true, 1)].map(columnsOfTerminal)).toEqual([80, 80, 1]);
  expect(columnsOfTerminal(stream(false, 40))).toBeUndefined();
});

it("what failed is red, unless NO_COLOR or the terminal says otherwise", () => {
  expect(inRed("FAIL")).toBe("\u001b[31mFAIL\u001b[39m");
  const told = [{}, { NO_COLOR: "" }, { NO_COLOR: "1" }, { TERM: "dumb" }].map(
    (env) => readConfig([], env).isColourless,
  );
  expect(told).toEqual([false, false, true, true]);
});

const tools = [
  { tool: "dns_zone_get", effect: "read", does: "Reads a whole zone and the token required to change it." },
  { tool: "dns_zone_write", effect: "guarded", does: "Replaces a zone." },
];

it("a list of tools keeps names whole, and cuts or moves what they do", () => {
  expect(toolLines(tools, 60)).toEqual([
    "dns_zone_get    read     Reads a whole zone and the token r…",
    "dns_zone_write  guarded  Replaces a zone.",
  ]);
  expect(toolLines(tools, 40).slice(0, 2)).toEqual([
    "dns_zone_get    read",
    "    Reads a whole zone and the token re…",
  ]);
  for (const width of [40, 60, 80, 200])
    for (const line of toolLines(tools, width)) expect(line.length).toBeLessThanOrEqual(width);
});

it("a list of tools has first sentences, and names guarded changes", () => {
  expect(firstSentence("Sets v1.2: all of it. Then more.")).toBe("Sets v1.2: all of it.");
  expect(firstSentence("No end")).toBe("No end");
  expect([true, false].map((destructiveHint) => effectInList("create", { destructiveHint }))).toEqual([
    "guarded",
    "create",
  ]);
});

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
const nameOfUser = ["first", "last", "mail", "org.name"];
const cellsOfMap = [
  ["a.example", 1, true],
  ["b.example", 2, false, "x"],
];
const cellsOfZone = [
  ["a", "www", 1],
  ["mx", "", 2, 3],
];
const ofMap = { "a.example": { id: 1, on: true }, "b.example": { id: 2, on: false, note: "x" } };
const ofZone = { name: "example.com", a: [{ name: "www", ttl: 1 }], mx: [{ name: "", ttl: 2, priority: 3 }] };
const ofPage = { accountId: "1", items: { items: [{ a: 1, more: { b: 2 } }], total: 1 }, others: [{ c: 3 }] };

type Row = [
  title: string,
  body: unknown,
  columns: readonly string[],
  cells: object,
  list?: string | undefined,
  left?: string,
];
it.each<Row>([
  ["the items of its list", ofPage, ["a", "more.b"], [[1, 2]], "items.items", "accountId, others, items.total"],
  ["the thing it is about", ofUser, nameOfUser, [["A", "B", "c", "D"]], undefined, "grants"],
  ["one thing with links", { id: 1, links: [{ rel: "self" }] }, ["id"], [[1]], undefined, "links"],
  ["one thing with an empty list", { id: 1, tags: [] }, ["id", "tags"], [[1, ""]]],
  ["none of an empty list", { totalCount: 0, items: [] }, [], [], "items", "totalCount"],
  ["none of an empty array", [], [], []],
  ["the members of a map", ofMap, ["key", "id", "on", "note"], cellsOfMap],
  [
    "the items of all lists that are alike",
    { zone: ofZone },
    ["list", "name", "ttl", "priority"],
    cellsOfZone,
    "zone.a, zone.mx",
    "zone.name",
  ],
])("the rows of an answer: %s", (_, body, columns, cells, list, left = "") => {
  const found = resultRows(body, {});
  const { columns: head, rows, left: others } = cellTable(found);
  expect(head).toEqual(columns);
  expect(rows.map((row) => Object.values(row))).toEqual(cells);
  expect([found.list, others.join(", ")]).toEqual([list, left]);
});

it("a workflow's result is written by the rows of its list", () => {
  const usage = [{ product: "A", highest: { date: "2026-10-09", value: 2 }, days: [{ sum: 1 }] }];
  const body = { contractId: "C-1", month: "2026-10", comparedWith: "2026-09", findings: ["x"], usage };
  expect(cellTable(resultRows(body, {}, true))).toEqual({
    columns: ["product", "highest.date", "highest.value"],
    rows: [{ product: "A", "highest.date": "2026-10-09", "highest.value": 2 }],
    left: ["contractId", "month", "comparedWith", "findings", "usage.days"],
  });
});

it("no cell is JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (body, isReport) => {
      const { rows } = cellTable(resultRows(body, {}, isReport));
      for (const cell of rows.flatMap((row) => Object.values(row)))
        expect(cell === null || typeof cell !== "object").toBe(true);
    }),
    { numRuns: runs(40) },
  );
});

it("a read with several equal lists asks whose rows are wanted", () => {
  const of = (body: unknown, more: object) =>
    writtenFor(answer(body), presentation, "csv", { howToApprove, ...more }).out.join("|");
  const two = { apis: [{ api: 1 }], groups: [{ group: 2 }] };
  expect(() => of(two, { isRead: true })).toThrow("The result has several lists: apis, groups.");
  expect(of(two, { isRead: true, list: "groups" })).toBe("group|2");
  expect(of(two, { isRead: false })).toBe("api|1");
  expect(of({ data: [{ api: 1 }], metadata: { list: [{ group: 2 }] } }, { isRead: true })).toBe("api|1");
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
