/** What a query must not reach, by the check of what it says and by the engine itself, and that it ends within its limits. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { inInstance, lockSettings, viewFile } from "../../src/rows/sql/engine.js";
import { needsSql, sqlEngine } from "../lab/engines.js";
import { folder as newFolder } from "../lab/files.js";
import { pace } from "../lab/run/pace.js";
import { failureOf, queryOf, startQueries } from "../rows/sql/run.js";

const queries = await startQueries();
const quick = await startQueries({ timeMs: 700 });
const folder = newFolder();
const outside = `${folder}-out.csv`;
const file = join(folder, "secret.csv");
writeFileSync(file, "a\nunreachable\n");
afterAll(() => rmSync(folder, { recursive: true }));

const answers = { r: [{ hits: 1 }] };
const isWell = async () =>
  expect((await queries.run("local", queryOf("select hits + 1 from r", answers))).rows).toEqual([[2]]);
/** What the engine gives for a query that nobody has checked. */
const unchecked = (sql: string) =>
  inInstance(sqlEngine, [], async (connection) => {
    await connection.run("create table r as select 1 as hits");
    await lockSettings(connection, "Asia/Tokyo");
    return (await connection.runAndReadAll(sql)).getRowsJson();
  });

/** The queries that are refused: those that the engine would refuse, and those that only the check of what they say does. */
const [byEngine = [], byCheck = []] = readFileSync("test/system/query-walls.txt", "utf8")
  .replaceAll("FOLDER", folder)
  .split(/^# .*$/m)
  .slice(1)
  .map((section) => section.trim().split("\n"));

it.each([...byEngine, ...byCheck, ""])("refuses %s", needsSql, async (sql) => {
  const { code, message, detail } = await failureOf(queries.run("local", queryOf(sql, answers)));
  expect(code).toBe("invalid_input");
  expect(`${message} ${detail.next}`).not.toMatch(/unreachable|node_modules|\.duckdb|home\//);
  expect([readdirSync(folder), existsSync(outside)]).toEqual([["secret.csv"], false]);
});

it("goes on after all of them", needsSql, isWell);

it("the engine itself refuses what would get past the check", needsSql, async () => {
  expect(byEngine.length).toBe(18);
  for (const sql of byEngine) await expect(unchecked(sql), sql).rejects.toThrow();
  expect(await unchecked(`select * from glob('${folder}/*')`).catch(() => [])).toEqual([]);
  expect(readdirSync(folder)).toEqual(["secret.csv"]);
});

it("reads what it was given, in the time zone that was asked for", needsSql, async () => {
  expect(await unchecked("select hits, current_setting('timezone') from r")).toEqual([[1, "Asia/Tokyo"]]);
});

it("keeps to its memory", needsSql, async () => {
  await expect(unchecked("select list(x) from range(100000000) t(x)")).rejects.toThrow(/memory/i);
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
      await lockSettings(connection, "UTC");
      return (await connection.runAndReadAll(sql)).getRowsJson();
    });
  expect(await given("select * from r")).toEqual([
    ["a", "1"],
    ["", null],
  ]);
  // The engine itself once took the option for empty texts for another column when not all columns were read.
  expect(await given('select sum("h""i") from r')).toEqual([["1"]]);
  for (const sql of [...byEngine, `select * from glob('${folder}/*')`, "set allowed_paths=['/']"])
    await expect(given(sql), sql).rejects.toThrow();
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

it.each([
  "with recursive a as (select 1 x union all select x + 1 from a where x < 5) select max(x) from a",
  "describe r",
  "summarize r",
  "from R",
  'select "hits" from "r"',
  "select * from generate_series(1, 3), unnest([1, 2])",
  "select distinct on (hits) * from r",
  "with x as (select * from r), y as (select * from x) select * from y",
  "values (1), (2)",
])("runs %s", needsSql, async (sql) => {
  expect((await queries.run("local", queryOf(sql, answers))).rows.length).toBeGreaterThan(0);
});

const costly = [
  "select repeat('x', 2000000000)",
  "select len(range(2000000000))",
  "select list_transform(range(100000000), x -> x + 1)",
  "select count(*) from range(1000000000000)",
  "select count(*) from range(1000000) a, range(1000000) b, range(1000000) c",
  "with recursive a as (select 1 x union all select x + 1 from a) select count(*) from a",
  "select levenshtein(repeat('ab', 500000), repeat('ba', 500000))",
  "select string_agg(repeat('x', 1000), '') from range(10000000)",
];
it.each(costly)("ends %s at its time or memory limit", needsSql, async (sql) => {
  const before = process.memoryUsage.rss();
  const startMs = performance.now();
  const { code } = await failureOf(quick.run("local", queryOf(sql)));
  expect(["timeout", "invalid_input"]).toContain(code);
  // The limit, and time for a busy machine to act on it.
  expect(performance.now() - startMs).toBeLessThan(6_000 * pace);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
});

it("a query over its memory ends, though the engine does not count it", needsSql, async () => {
  const { code, message } = await failureOf(queries.run("local", queryOf("select repeat(repeat('x', 1000000), 2000)")));
  expect(code).toBe("invalid_input");
  expect(message).toBe("The query needs more memory than a query may have.");
});

it("has a new process after each of them", needsSql, isWell);

it.each(["Mars/Olympus", "UTC'; select 1; --", ""])("takes no time zone %j", needsSql, async (timeZone) => {
  const { code, detail } = await failureOf(queries.run("local", queryOf("select 1", {}, { timeZone })));
  expect(code).toBe("invalid_input");
  expect(detail.fields?.[0]?.field).toBe("timeZone");
});
