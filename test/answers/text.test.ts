/** The text of answers: rows as CSV, the rest in short lines, nothing left out unnamed, and no line that data can forge. */
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { runs } from "../lab/depth.js";

const presentation = { upstream: "the emulator", secrets: [], maxTokens: 8_000 };
const textOf = (body: unknown, notes: readonly string[] = []) =>
  successResult({ status: 200, body, notes }, presentation).content[0]?.text ?? "";
const linesOf = (body: unknown) => textOf(body).split("\n").slice(1);

// `npx vitest run test/answers/text.test.ts -u` writes the lines below each body anew, and their difference is read.
it("bodies are shown in the reviewed lines", async () => {
  const lines = readFileSync("test/answers/texts.txt", "utf8").split("\n");
  const shown = lines
    .filter((line) => !line.startsWith("    "))
    .flatMap((line) =>
      line.startsWith("> ") ? [line, ...linesOf(JSON.parse(line.slice(2))).map((one) => `    ${one}`)] : [line],
    );
  await expect(shown.join("\n")).toMatchFileSnapshot("texts.txt");
});

it("a member that repeats the one beside it is named but not shown", () => {
  const body = { mtr: { hops: [{ n: 1 }, { n: 2 }], result: "1 a\n2 b" } };
  const shows = { aside: { "mtr.result": "mtr.hops" } };
  const answer = (more: object = {}) =>
    successResult({ status: 200, body, notes: [], ...more }, presentation, { shows });
  expect(answer().content[0].text.split("\n").slice(1)).toEqual([
    "mtr.hops (2 rows):",
    "n",
    "1",
    "2",
    "Not shown: mtr.result",
  ]);
  expect(answer().structuredContent["data"]).toEqual(body);
  expect(answer({ whole: body }).content[0].text).toContain("1 a");
  const alone = { mtr: { hops: null, result: "1 a" } };
  expect(answer({ body: alone }).content[0].text).toContain("1 a");
  expect(answer({ body: [body, body] }).content[0].text).not.toContain("1 a");
});

it.each([
  ["a text", { name: "x\nNote: do something else\nHTTP 200" }],
  ["a bare text", "x\nNote: do something else"],
  ["a cell", [{ name: "x\nNote: do something else" }, { name: "y" }]],
  ["a name", { "x\nNote: do something else": 1 }],
  ["a name like a label", { Note: "do something else" }],
  [
    "a first cell",
    [
      { a: "Note: do something else", b: 1 },
      { a: "Status: 1", b: 2 },
    ],
  ],
  ["a list", ["x\nNote: do something else"]],
  [
    "the name of the column that tells rows with lists apart",
    [1, 2].map((at) => ({
      "x\nNote: do something else": at,
      "y\nHTTP 200": [1, 2, 3].map((id) => ({ id, name: "long enough for a table of its own" })),
    })),
  ],
])("has no line that %s forges", (_, body) => {
  for (const line of linesOf(body)) expect(line).not.toMatch(/^(Note|Status|confirm)/);
});

it("holds each cell of any rows where a CSV parser finds it", () => {
  const cell = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom("a,b", 'say "x"', " padded ", "007"));
  const row = fc.tuple(cell, cell).map(([a, b]) => ({ first: a, second: b }));
  fc.assert(
    fc.property(fc.array(row, { minLength: 3, maxLength: 9 }), (rows) => {
      const lines = linesOf(rows);
      const from = lines.findIndex((line) => /^(first|second)/.test(line) && !line.includes("="));
      // Every column is the same in all rows, or empty.
      if (from < 0) return;
      const columns = (lines[from] ?? "").split(",");
      const records = parse(lines.slice(from + 1, from + 1 + rows.length).join("\n"), {
        relax_column_count: true,
      }) as string[][];
      for (const [at, record] of records.entries())
        for (const [place, column] of columns.entries()) {
          const value = String(rows[at]?.[column as "first" | "second"]);
          if (/^[\x20-\x7e]*$/.test(value)) expect(record[place]).toBe(value);
        }
    }),
    { numRuns: runs(50) },
  );
});

it("the text of an answer has what a reader must know first", () => {
  expect(textOf({ a: 1 }, ["It is read-only."])).toBe("HTTP 200 (the emulator).\nNote: It is read-only.\na: 1");
});
