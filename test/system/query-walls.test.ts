/** What a query must not reach, and that whatever it does ends within its limits and leaves the server well. */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { needsSql } from "../lab/engines.js";
import { folder as newFolder } from "../lab/files.js";
import { pace } from "../lab/run/pace.js";
import { failureOf, queryOf, startQueries } from "../query/run.js";

const queries = await startQueries();
const quick = await startQueries({ timeMs: 700 });
const folder = newFolder();
const outside = `${folder}-out.csv`;
const secret = join(folder, "secret.csv");
writeFileSync(secret, "a\nunreachable\n");
afterAll(() => rmSync(folder, { recursive: true }));

const answers = { r: [{ hits: 1 }] };
const isWell = async () =>
  expect((await queries.run("local", queryOf("select hits + 1 from r", answers))).rows).toEqual([[2]]);

it.each([
  `select * from read_csv('${secret}')`,
  `select * from read_text('${secret}')`,
  `select * from read_blob('${secret}')`,
  `select * from sniff_csv('${secret}')`,
  `select * from '${secret}'`,
  `from '${secret}'`,
  `select * from glob('${folder}/*')`,
  "select * from read_text('/proc/self/environ')",
  "select * from read_csv('https://example.com/x.csv')",
  `copy r to '${folder}/out.csv'`,
  `copy r to '${folder}/out.db.wal'`,
  `copy (select 1) to '${folder}/out.parquet'`,
  `export database '${folder}'`,
  `import database '${folder}'`,
  `attach '${folder}/other.db' as other`,
  `create table t as select 1`,
  "insert into r values (2)",
  "drop table r",
  "install httpfs",
  "load httpfs",
  "create secret (type s3)",
  "set threads = 8",
  "set lock_configuration = false",
  "reset memory_limit",
  "pragma database_list",
  "pragma version",
  "pragma enable_profiling",
  `pragma profiling_output = '${folder}/profile'`,
  "checkpoint",
  "call enable_logging()",
  "select * from enable_logging(storage:='stdout')",
  `select * from enable_logging(storage:='file', storage_path:='${folder}/log')`,
  "select (select 1 from enable_logging() limit 1)",
  "with x as (from enable_logging()) select 1",
  "select * from duckdb_settings()",
  "select * from duckdb_databases()",
  "select * from duckdb_secrets()",
  "select * from query('select 1')",
  "select * from query_table('r')",
  "select * from pragma_database_list",
  "select * from duckdb_databases",
  "select * from sqlite_master",
  "select * from pg_settings",
  "select * from information_schema.tables",
  "select * from pg_catalog.pg_class",
  "select * from system.main.duckdb_views",
  "select * from main.r",
  "select * from memory.main.r",
  "show tables",
  "show all tables",
  "select * from (show databases)",
  "select current_setting('temp_directory')",
  "select CURRENT_SETTING('extension_directory')",
  "select system.main.current_setting('home_directory')",
  "select ('temp_directory').current_setting()",
  "select getvariable('x')",
  "select write_log('x')",
  "select sleep_ms(1)",
  "select (with duckdb_databases as (select 1) select 1), (select path from duckdb_databases limit 1)",
  "select (with hidden as (select 1) select 1) from hidden",
  "with sqlite_master as (select 1 as a) select * from sqlite_master",
  "select 1; select 2",
  `select 1; copy r to '${outside}'`,
  "",
  "pivot r on hits using count(*)",
  "explain analyze select 1",
  "prepare p as select 1",
  "vacuum",
])("refuses %s", needsSql, async (sql) => {
  const { code, message, detail } = await failureOf(queries.run("local", queryOf(sql, answers)));
  expect(code).toBe("invalid_input");
  expect(`${message} ${detail.next}`).not.toMatch(/unreachable|node_modules|\.duckdb|home\//);
  expect(readdirSync(folder)).toEqual(["secret.csv"]);
  expect(existsSync(outside)).toBe(false);
});

it("goes on after all of them", needsSql, isWell);

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
