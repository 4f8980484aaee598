/** What a call prints: each form of an answer, what fits on a terminal, and how far the work is. */
import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { outputOf, written as writtenFor } from "../../src/commands/output.js";
import {
  cellTo,
  columnsOfTerminal,
  cutTo,
  inRed,
  terminalProgress,
  terminalTable,
  widthOf,
  wrapped,
} from "../../src/commands/terminal.js";
import { readConfig } from "../../src/config.js";
import { Failure } from "../../src/language/failure.js";
import { secretForms } from "../../src/secrets/held-secrets.js";
import { operation } from "../../src/tools/index.js";

const presentation = { upstream: "h.example", secrets: secretForms(["secret-12345678"]), maxTokens: 1_000_000 };
const declared = (await operation("contract_ids_list", { service: "contracts" }))?.spec;

function answer(body: unknown, notes: readonly string[] = []): Exclude<Outcome, { kind: "question" }> {
  if (!declared) throw new Error("The operation is gone.");
  return { kind: "answer", reply: { status: 200, headers: {}, body, notes, attempts: 1 }, declared } as never;
}
const howToApprove = (plan: string) => `Run edgewise approve ${plan}.`;
const written = (
  outcome: Exclude<Outcome, { kind: "question" }>,
  presented: typeof presentation,
  output: Parameters<typeof writtenFor>[2],
  width: number | undefined,
) => writtenFor(outcome, presented, output, { out: width, err: width, howToApprove });
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

it("CSV: every row, no JSON in a cell, and no secret", () => {
  const { out, err } = written(answer({ items: rows }, ["a note"]), presentation, "csv", undefined);
  const [head, ...read] = parse(out.join("\n")) as string[][];
  expect(head).toEqual(["id", "name", "tags", "more.deep"]);
  expect(read[0]).toEqual(["1", 'a, "b"\nc', "x; y", ""]);
  expect(read[1]?.[1]).toBe("[secret]");
  expect(read[1]?.[3]).toBe("true");
  expect(err).toEqual(["Note: a note"]);
  // An answer that is the list has no other list to choose.
  expect(written(answer(rows), presentation, "csv", undefined).err).toEqual([]);
});

it("a read's rows of one of several equal lists are asked for", () => {
  const of = (body: unknown, more: object) =>
    writtenFor(answer(body), presentation, "csv", { howToApprove, ...more }).out.join("|");
  const two = { apis: [{ api: 1 }], groups: [{ group: 2 }] };
  expect(() => of(two, { isRead: true })).toThrow("The result has several lists: apis, groups.");
  expect(of(two, { isRead: true, list: "groups" })).toBe("group|2");
  expect(of(two, { isRead: false })).toBe("api|1");
  expect(of({ data: [{ api: 1 }], metadata: { list: [{ group: 2 }] } }, { isRead: true })).toBe("api|1");
});

it("NDJSON: a line for every row, and one for an answer without rows", () => {
  const { out } = written(answer({ items: rows }), presentation, "ndjson", undefined);
  expect(out.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 22]);
  expect(written(answer({ queueLength: 0 }), presentation, "ndjson", undefined).out).toEqual(['{"queueLength":0}']);
  expect(written(answer({ queueLength: 0 }), presentation, "csv", undefined).out).toEqual(["queueLength", "0"]);
  expect(written(answer("text"), presentation, "ndjson", undefined).out).toEqual(['{"value":"text"}']);
  expect(written(answer(undefined), presentation, "csv", undefined).out).toEqual([]);
});

it("a failure is written on stderr, but for JSON", () => {
  const failure = new Failure("not_found", "There is none.", { next: "Look elsewhere." });
  const of = (output: "csv" | "table" | "json") => written({ kind: "failure", failure }, presentation, output, 80);
  for (const output of ["csv", "table"] as const)
    expect(of(output)).toEqual({ out: [], err: ["There is none.", "Next: Look elsewhere."] });
  expect(of("json").err).toEqual([]);
  expect(JSON.parse(of("json").out.join("\n"))).toMatchObject({ error: "not_found" });
});

it("a table is plain and whole where there is no terminal", () => {
  const long = "x".repeat(300);
  const items = [long, "b\u001b[31m"].map((name, at) => ({ id: at, name }));
  const body = { total: 2, items };
  const { out } = written(answer(body), presentation, "table", undefined);
  const text = out.join("\n");
  expect(text).toContain("HTTP 200 (h.example).");
  expect(text).toContain("total  2");
  expect(text).toContain(long);
  expect(text).toContain("1  b[U+001B][31m");
  expect(text).toContain("\n\nitems (2 rows):\nid  name");
  expect(text).not.toContain("\u001b");
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
  expect(lines[0]).toBe("id  name  status");
  expect(lines[1]).toBe("a1  one   ACTIVE");
  expect(leftOut).toEqual(["note", "deep"]);
  expect(terminalTable([row], undefined).lines[1]).toContain(JSON.stringify(row.deep));
});

it("an address is cut in the middle, a sentence at its end", () => {
  expect(cellTo("https://www.example.com/spring/sale", 17)).toBe("https://…ing/sale");
  expect(cellTo("this is said at length", 10)).toBe("this is s…");
});

it("a value of every row is said once, an empty column left out", () => {
  const row = (id: number) => ({ id, contract: "C-1", none: null, text: `${id} ${"long words ".repeat(9)}` });
  const { out } = written(answer({ items: [row(1), row(2), row(3)] }), presentation, "table", 30);
  expect(out.slice(1)).toEqual([
    "",
    "items (3 rows):",
    "In every row: contract C-1",
    "id  text",
    " 1  1 long words long words l…",
    " 2  2 long words long words l…",
    " 3  3 long words long words l…",
    "Not shown: nothing in none",
    "  (--output json has all).",
  ]);
});

it("a tree is written whole, within the terminal", () => {
  const leaf = { name: "cache", options: { ttl: "30d", note: "a sentence that is longer than the terminal is wide" } };
  const rules = { name: "default", behaviors: [leaf], children: [{ name: "Images", behaviors: [leaf] }] };
  const { out } = written(answer({ rules, none: [] }), presentation, "table", 44);
  expect(out.slice(1).join("\n")).toBe(`rules:
  name  default
  behaviors:
    - name  cache
      options:
        ttl   30d
        note  a sentence that is longer than
              the terminal is wide
  children:
    - name  Images
      behaviors:
        - name  cache
          options:
            ttl   30d
            note  a sentence that is longer
                  than the terminal is wide
Empty: none`);
});

it("a sentence breaks between words, never in a command", () => {
  expect(wrapped("Note: run `edgewise call change_restore --plan plan_x` when needed", 30, "  ")).toEqual([
    "Note: run",
    "  `edgewise call change_restore --plan plan_x`",
    "  when needed",
  ]);
  expect(wrapped("a  b", 2)).toEqual(["a", "b"]);
  expect(wrapped("as it is", undefined)).toEqual(["as it is"]);
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
