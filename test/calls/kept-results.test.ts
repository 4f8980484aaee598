/** Stored results, read in parts and queried through the calls that an assistant makes. */
import { parse } from "csv-parse/sync";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, expect, it } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { createWorld } from "../../src/emulator/world.js";
import { needsSql } from "../lab/engines.js";
import { caller } from "../lab/made-up.js";
import { handleOf } from "../lab/options.js";
import { callsThatKeep, maxTokens, secret, store } from "./kept.js";

const { calls, results } = await callsThatKeep(createWorld());

async function call(tool: string, args: object, owner = "local", budget = maxTokens) {
  const outcome = await calls.call(tool, args as Record<string, unknown>, { ...caller, owner, maxTokens: budget });
  if (outcome.kind === "question") throw new Error("It asked.");
  const presentation = { upstream: "host.example", secrets: [secret], maxTokens: budget };
  const { structuredContent, content, isError } = resultOf(outcome, presentation);
  const texts = content.flatMap((one) => (one.type === "text" ? [one.text] : []));
  const shown: Record<string, unknown> = { ...structuredContent, ...(isError ? { isError } : {}) };
  return { ...shown, texts } as Record<string, unknown> & { texts: string[] };
}

const data = Array.from({ length: 3_000 }, (_, at) => ({
  time: new Date(Date.UTC(2026, 9, 24) + at * 300_000).toISOString(),
  class: at % 2 ? "5xx" : "2xx",
  hits: at,
  note: at % 100 ? 'a "quoted", text' : "a\nline | more",
}));
let handle = "";
beforeAll(async () => {
  handle = (await handleOf(store, { metadata: { name: "r" }, data })) ?? "";
});

it("a command, which ends with its call, neither stores nor finds results", async () => {
  const of = async (endsWithCall: boolean) => {
    const own = results({ owner: caller.owner, signal: undefined, endsWithCall });
    return [await own.keep({}), await own.get(handle)];
  };
  expect(await of(true)).toEqual([undefined, undefined]);
  expect(await of(false)).not.toContain(undefined);
});

it("a stored result is read as CSV, part by part, to the last row", async () => {
  const rows: unknown[] = [];
  for (let offset: unknown = 0; offset !== undefined; ) {
    const part = await call("result_get", { handle, format: "csv", offset });
    expect(part).toMatchObject({ handle, at: "data", total: 3_000, offset });
    // The first text is the CSV alone; everything else is in a second one.
    expect(part.texts[0]).toBe(part["text"]);
    expect(part.texts[1]).toContain("total: 3000");
    expect(part.texts[1]).not.toContain("2026-10");
    const { texts, ...structured } = part;
    for (const shown of [texts.join("\n"), JSON.stringify(structured)])
      expect(encode(shown).length).toBeLessThanOrEqual(maxTokens);
    expect(structured).not.toHaveProperty("cut");
    rows.push(...parse(part.texts[0] ?? "", { columns: true }));
    offset = part["nextOffset"];
  }
  expect(rows).toEqual(data.map((row) => ({ ...row, hits: String(row.hits) })));
});

it("a stored result is read as JSON or Markdown, by offset and limit", async () => {
  expect(await call("result_get", { handle: `result://${handle}`, offset: 2_998, limit: 1 })).toMatchObject({
    rows: [data[2_998]],
    nextOffset: 2_999,
  });
  const { texts, ...rest } = await call("result_get", { handle, format: "markdown", offset: 2_900, limit: 2 });
  expect(texts[0]?.split("\n")).toEqual([
    "| time | class | hits | note |",
    "| --- | --- | --- | --- |",
    `| ${data[2_900]?.time} | 2xx | 2900 | a<br>line \\| more |`,
    `| ${data[2_901]?.time} | 5xx | 2901 | a "quoted", text |`,
    "",
  ]);
  expect(rest).toMatchObject({ nextOffset: 2_902 });
  expect(await call("result_get", { handle, offset: 2_999 })).not.toHaveProperty("nextOffset");
});

it("a stored result is read in a smaller budget, and never cut in a row", needsSql, async () => {
  const query = { sql: "from r", results: { r: handle } };
  for (const budget of [200, 500, 2_000])
    for (const format of ["json", "csv", "markdown", "sql"]) {
      const [tool, args] = format === "sql" ? ["result_query", query] : ["result_get", { handle, format }];
      if (format === "sql" && budget === 200) continue;
      const { texts, ...part } = await call(tool as string, args as object, "local", budget);
      if (format !== "sql") expect(part).not.toHaveProperty("cut");
      expect(part["nextOffset"]).toBeGreaterThan(0);
      for (const shown of [JSON.stringify(part), texts.join("\n")])
        expect(encode(shown).length).toBeLessThanOrEqual(budget);
    }
});

it("a stored result without a list is read line by line", async () => {
  const text = (await handleOf(store, { page: { deep: { name: "x".repeat(5_000) } } })) ?? "";
  const { rows, total } = await call("result_get", { handle: text });
  expect(total).toBe(9);
  expect((rows as { line: string }[]).map(({ line }) => line).join("")).toBe(
    JSON.stringify({ page: { deep: { name: "x".repeat(5_000) } } }, null, 1).replaceAll("\n", ""),
  );
});

it("a stored result is only its owner's, and has no rows beyond its last", async () => {
  for (const [given, owner] of [
    [handle, "someone else"],
    ["AAAAAAAAAAAAAAAAAAAAAA", "local"],
  ])
    for (const [tool, args] of [
      ["result_get", { handle: given }],
      ["result_query", { sql: "select 1", results: given }],
    ] as const) {
      const failed = await call(tool, args, owner);
      expect(failed).toMatchObject({ error: "not_found", isError: true });
      expect(failed["next"]).toContain("Repeat the call");
    }
  expect(await call("result_get", { handle, offset: 3_000 })).toMatchObject({
    error: "invalid_input",
    fields: [{ field: "offset", takes: "a number below 3000, the number of rows" }],
  });
});

it("a stored result shows no secret, in any format or to a query", needsSql, async () => {
  const echo = (await handleOf(store, [{ a: `x ${secret}`, b: "\u202e" }])) ?? "";
  for (const format of ["json", "csv", "markdown"]) {
    const text = (await call("result_get", { handle: echo, format })).texts.join("");
    expect(text).toContain("[secret]");
    expect(text).toContain("[U+202E]");
    expect(text).not.toContain(secret);
  }
  const sql = "select reverse(a), reverse(b) from result";
  expect((await call("result_query", { sql, results: echo })).texts[0]).toContain("]terces[ x,]E202+U[");
});

it("a query returns CSV and typed columns", needsSql, async () => {
  const sql = "select class, sum(hits) as hits from report group by class order by class";
  const answer = await call("result_query", { sql, results: { report: handle } });
  expect(answer.texts[0]).toBe("class,hits\n2xx,2248500\n5xx,2250000\n");
  expect(answer).toMatchObject({
    columns: [
      { name: "class", type: "VARCHAR" },
      { name: "hits", type: "HUGEINT" },
    ],
    total: 2,
  });
  expect(answer).not.toHaveProperty("cut");
});

it("a query takes one handle, several, or each under a name, also as JSON", needsSql, async () => {
  const names = (await handleOf(store, [{ class: "2xx", means: "fine" }])) ?? "";
  const sql = (a: string, b: string) => `select means, count(*) from ${a} join ${b} using (class) group by 1`;
  for (const [query, results] of [
    [sql("result1", "result2"), [handle, names]],
    [sql("r", "n"), { r: handle, n: names }],
    [sql("r", "n"), JSON.stringify({ r: handle, n: names })],
  ])
    expect((await call("result_query", { sql: query, results })).texts[0]).toBe("means,count_star()\nfine,1500\n");
});

it("a query result that is not shown whole is stored, for more queries", needsSql, async () => {
  const args = { sql: "select * from r order by hits desc", results: { r: handle }, max_rows: 2_500 };
  const first = await call("result_query", args);
  expect(first).toMatchObject({ cut: true, total: 2_500 });
  expect(first["notes"]).toEqual([expect.stringContaining("max_rows"), expect.stringMatching(/^\d+ of 2500 rows/)]);
  const rest = await call("result_get", { handle: first["handle"], offset: first["nextOffset"], limit: 1 });
  expect(rest).toMatchObject({ total: 2_500, rows: [{ hits: 2_999 - Number(first["nextOffset"]) }] });
  const again = await call("result_query", { sql: "select min(hits) from result", results: first["handle"] });
  expect(again.texts[0]).toBe("min(hits)\n500\n");
});

it("a query refuses a text or names that no query can have", async () => {
  const long = "x".repeat(22);
  for (const [args, field] of [
    [{ sql: "select 1\u0000", results: long }, "sql"],
    [{ sql: "select 1", results: {} }, "results"],
    [{ sql: "select 1", results: { "a b": long } }, "results"],
    [{ sql: "select 1", results: Array(9).fill(long) }, "results"],
  ] as const) {
    const { error, fields } = await call("result_query", args);
    expect([error, JSON.stringify(fields)]).toEqual(["invalid_input", expect.stringContaining(`"field":"${field}`)]);
  }
});

it("a query over stored results takes only an existing time zone", needsSql, async () => {
  const sql = "select hour(time) as h from r order by hits limit 1";
  const zoned = await call("result_query", { sql, results: { r: handle }, timeZone: "Asia/Tokyo" });
  expect(zoned.texts[0]).toBe("h\n9\n");
  expect(await call("result_query", { sql, results: { r: handle }, timeZone: "Mars/One" })).toMatchObject({
    fields: [{ field: "timeZone" }],
  });
});
