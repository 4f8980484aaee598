/** What the engine itself refuses, should a query get past the check of its syntax. */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { inInstance, lock, viewFile } from "../../src/query/engine.js";
import { needsSql, sqlEngine } from "../lab/engines.js";
import { folder as newFolder } from "../lab/files.js";
import { failureOf, queryOf, startQueries } from "../query/run.js";

const folder = newFolder();
const file = join(folder, "secret.csv");
writeFileSync(file, "a\nunreachable\n");
afterAll(() => rmSync(folder, { recursive: true }));

const queries = await startQueries();
const run = (sql: string) =>
  inInstance(sqlEngine, [], async (connection) => {
    await connection.run("create table r as select 1 as hits");
    await lock(connection, "Asia/Tokyo");
    return (await connection.runAndReadAll(sql)).getRowsJson();
  });

it("reads what it was given, in the time zone that was asked for", needsSql, async () => {
  expect(await run("select hits, current_setting('timezone') from r")).toEqual([[1, "Asia/Tokyo"]]);
});

it.each([
  `select * from read_csv('${file}')`,
  `select * from read_text('${file}')`,
  `select * from read_blob('${file}')`,
  `select * from '${file}'`,
  `select * from sniff_csv('${file}')`,
  "select * from read_text('/proc/self/environ')",
  "select * from read_csv('https://example.com/x.csv')",
  `copy r to '${folder}/out.csv'`,
  `copy r to '${folder}/r.db.wal'`,
  `export database '${folder}/out'`,
  `attach '${folder}/r.db' as other`,
  "install httpfs",
  "load httpfs",
  "set memory_limit='64GB'",
  "set enable_external_access=true",
  "set lock_configuration=false",
  "reset memory_limit",
  "set timezone='UTC'",
])("refuses %s", needsSql, async (sql) => {
  await expect(run(sql)).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(["secret.csv"]);
});

it("finds no file by a pattern", needsSql, async () => {
  const found = await run(`select * from glob('${folder}/*')`).catch(() => []);
  expect(found).toEqual([]);
  expect(existsSync(file)).toBe(true);
});

it("keeps to its memory", needsSql, async () => {
  await expect(run("select list(x) from range(100000000) t(x)")).rejects.toThrow(/memory/i);
});

it("reads the file that it was given while the query runs, and no other", needsSql, async () => {
  const rows = join(folder, "it's rows.csv");
  writeFileSync(rows, 'a,1\n"",\n');
  const given = (sql: string) =>
    inInstance(sqlEngine, [rows], async (connection) => {
      const columns = [
        { name: "a", type: "VARCHAR" },
        { name: 'h"i', type: "BIGINT" },
      ] as const;
      await viewFile(connection, { name: "r", path: rows, columns });
      await lock(connection, "UTC");
      return (await connection.runAndReadAll(sql)).getRowsJson();
    });
  expect(await given("select * from r")).toEqual([
    ["a", "1"],
    ["", null],
  ]);
  // The engine itself once took the option for empty texts for another column when not all columns were read.
  expect(await given('select sum("h""i") from r')).toEqual([["1"]]);
  for (const sql of [
    `select * from read_csv('${file}')`,
    `select * from read_text('${file}')`,
    `select * from glob('${folder}/*')`,
    `copy r to '${folder}/out.csv'`,
    "set allowed_paths=['/']",
    "set enable_external_access=true",
  ])
    await expect(given(sql)).rejects.toThrow();
  rmSync(rows);
});

it("sends no more than a message holds, cut at a row", needsSql, async () => {
  const { rows, hasMore } = await queries.run("local", queryOf("select repeat('x', 3000000) from range(4)"));
  expect(rows.length).toBe(2);
  expect(hasMore).toBe(true);
  const failure = await failureOf(queries.run("local", queryOf("select repeat('x', 9000000)")));
  expect(failure).toMatchObject({ code: "invalid_input", message: "One row of the result is too large." });
});

it("runs over 100,000 rows", needsSql, async () => {
  const data = Array.from({ length: 100_000 }, (_, hits) => ({ hits, class: hits % 2 ? "5xx" : "2xx" }));
  expect(
    (await queries.run("local", queryOf("select class, sum(hits) from r group by 1 order by 1", { r: { data } }))).rows,
  ).toEqual([
    ["2xx", 2499950000],
    ["5xx", 2500000000],
  ]);
});
