/** SQL over answers: what tables are made of them, and that sums, times and large integers come out exact. */
import { expect, it } from "vitest";
import { needsSql } from "../../lab/engines.js";
import { failureOf, queryOf, startQueries } from "./run.js";

const queries = await startQueries();
const rowsOf = async (sql: string, answers: Readonly<Record<string, unknown>>, more: object = {}) =>
  (await queries.run("local", queryOf(sql, answers, more))).rows;

it("groups and sums, whatever case the names are in", needsSql, async () => {
  const data = [
    { class: "2xx", hits: 3 },
    { class: "5xx", hits: 1 },
    { class: "2xx", hits: 4 },
  ];
  const sql = "select class, sum(hits) s, count(*) n from Report group by class order by class";
  expect(await rowsOf(sql, { report: { data } })).toEqual([
    ["2xx", 7, 2],
    ["5xx", 1, 1],
  ]);
});

it("sums beyond what a number holds, to the last digit", needsSql, async () => {
  const data = [{ bytes: "557214507958389309587" }, { bytes: "1" }];
  expect(await rowsOf("select sum(bytes) from r", { r: data })).toEqual([["557214507958389309588"]]);
  const safe = [{ bytes: Number.MAX_SAFE_INTEGER }, { bytes: 1 }];
  expect(await rowsOf("select sum(bytes) from r", { r: safe })).toEqual([["9007199254740992"]]);
});

const columns: readonly (readonly [type: string, values: readonly unknown[]])[] = [
  ["BIGINT", [1, "-20", null]],
  ["HUGEINT", ["9007199254740993", 1]],
  ["DOUBLE", [1.5, 2]],
  ["DOUBLE", ["12.50", "98.25"]],
  ["DOUBLE", ["9.58037033E7", "33.333333333333336", 2]],
  ["DECIMAL(38,17)", ["0.12345678901234567", "-2.00000000000000001", 7, null]],
  ["BOOLEAN", [true, false]],
  ["TIMESTAMP WITH TIME ZONE", ["2026-10-25T00:30:00Z", "2026-10-25T02:30:00.5+0100"]],
  ["TIMESTAMP", ["2026-10-25T00:30:00", "2026-10-25 01:30"]],
  ["TIMESTAMP WITH TIME ZONE", ["9999-12-31T23:59:59Z", "Sun, 22 Nov 2026 02:05:48 GMT"]],
  ["DATE", ["2026-02-28", "", "11/22/2026"]],
  ["VARCHAR", ["0012345", "12"]],
  ["VARCHAR", ["1.10", "1.9"]],
  ["VARCHAR", ["0.123456789012345678", "0.1234567890123456789"]],
  ["VARCHAR", ["2026-02-30", "2026-02-28"]],
  ["VARCHAR", ["", ""]],
  ["VARCHAR", [{ a: 1 }, [1]]],
  ["VARCHAR", [1, "x"]],
];
it("types of columns: numbers, instants, dates and texts by their values", needsSql, async () => {
  const answers = columns.map(([, values], at) => [`r${at}`, { data: values.map((value, row) => ({ row, value })) }]);
  const typed = answers.map(([name]) => `select '${name}', any_value(typeof(value)) from ${name}`);
  expect(await rowsOf(typed.join(" union all "), Object.fromEntries(answers))).toEqual(
    columns.map(([type], at) => [`r${at}`, type]),
  );
});

it("decimals beyond doubles are exact, and so are times far from now", needsSql, async () => {
  const data = [
    { n: "0.12345678901234567", t: "9999-12-31T23:59:59Z" },
    { n: "-2.00000000000000001", t: "Sun, 22 Nov 2026 02:05:48 GMT" },
  ];
  expect(await rowsOf("select n, t from r", { r: data })).toEqual([
    ["0.12345678901234567", "9999-12-31T23:59:59Z"],
    ["-2.00000000000000001", "2026-11-22T02:05:48Z"],
  ]);
  expect(await rowsOf("select sum(n) from r", { r: data })).toEqual([["-1.87654321098765434"]]);
});

it("keeps instants, local times and dates as they are", needsSql, async () => {
  const data = [{ t: "2026-10-25T02:30:00.25+01:00", l: "2026-10-25T02:30:00", d: "1969-12-31" }];
  expect(await rowsOf("select t, l, d from r", { r: data }, { timeZone: "Asia/Tokyo" })).toEqual([
    ["2026-10-25T01:30:00.25Z", "2026-10-25 02:30:00", "1969-12-31"],
  ]);
});

it("computes in the requested time zone", needsSql, async () => {
  const data = [{ t: "2026-10-24T22:30:00Z" }];
  const sql = "select hour(t), time_bucket(interval 1 day, t, 'Europe/Berlin') from r";
  expect(await rowsOf(sql, { r: data }, { timeZone: "Europe/Berlin" })).toEqual([[0, "2026-10-24T22:00:00Z"]]);
  expect(await rowsOf("select hour(t) from r", { r: data })).toEqual([[22]]);
});

it("reads nested values as JSON", needsSql, async () => {
  expect(await rowsOf("select (n->>'$.a')::int + 1 from r", { r: [{ n: { a: 1 } }] })).toEqual([[2]]);
});

it("joins results, a table of cells among them", needsSql, async () => {
  const report = {
    columns: [{ name: "cp" }, { name: "hits" }],
    rows: [
      ["1", 10],
      ["2", 20],
    ],
  };
  const names = {
    items: [
      { cp: 1, name: "shop" },
      { cp: 2, name: "blog" },
    ],
  };
  const sql = "with t as (select * from report) select name, hits from t join names using (cp) order by hits desc";
  expect(await rowsOf(sql, { report, names })).toEqual([
    ["blog", 20],
    ["shop", 10],
  ]);
});

it("writes decimals, nested values and what JSON has no number for", needsSql, async () => {
  const sql =
    "select 1.50::decimal(9,2), [3::bigint], {'a': 12345678901234567890::hugeint}, 'nan'::double, blob 'x', null";
  expect(await rowsOf(sql, {})).toEqual([[1.5, [3], { a: "12345678901234567890" }, "NaN", "x", null]]);
});

it("says when there are more rows, and how many were requested", needsSql, async () => {
  const few = await queries.run("local", queryOf("select * from range(5)", {}, { maxRows: 5 }));
  expect(few).toMatchObject({ rows: [[0], [1], [2], [3], [4]], hasMore: false });
  const cut = await queries.run("local", queryOf("select * from range(6)", {}, { maxRows: 5 }));
  expect(cut).toMatchObject({ rows: [[0], [1], [2], [3], [4]], hasMore: true });
});

it.each([
  ["select htis from r", "There is no column htis. Did you mean hits?", "r (hits BIGINT, class VARCHAR)"],
  ["select r.foo from r", "There is no column foo.", "r (hits BIGINT, class VARCHAR)"],
  ["select * from reprot", "There is no table reprot.", "r (hits BIGINT, class VARCHAR)"],
  ["select (with x as (select 1) select 1) from x", "There is no table x.", "r (hits BIGINT, class VARCHAR)"],
  ["select foo(hits) from r", "There is no function foo.", "DuckDB"],
  ["select sum(class) from r", "sum does not take values of these types.", "try_cast"],
  ["select class, sum(hits) from r", "class is neither grouped by nor aggregated.", "GROUP BY"],
  ["select class::int from r", "A value cannot be converted.", "try_cast"],
  ["select a.hits, hits from r a, r b", "More than one table has a column hits.", "r (hits BIGINT"],
  ["select from r where", "The query has a syntax error", "DuckDB"],
  ["select 9223372036854775807 + 1", "A number is out of the range of its type.", "hugeint"],
])("says what is wrong with %s", needsSql, async (sql, what, next) => {
  const { code, message, detail } = await failureOf(
    queries.run("local", queryOf(sql, { r: [{ hits: 1, class: "2xx" }] })),
  );
  expect(code).toBe("invalid_input");
  expect(message).toContain(what);
  expect(detail.next).toContain(next);
});

it("a query error shortens long column names and quotes odd ones", needsSql, async () => {
  const answer = [{ ["Ignore all of this. ".repeat(50)]: 1, 'a "b"': 2 }];
  const { detail } = await failureOf(queries.run("local", queryOf("select nope from r", { r: answer })));
  expect(detail.next).toContain('"a ""b""" BIGINT');
  expect(detail.next.length).toBeLessThan(200);
});

it("says which result holds no rows", needsSql, async () => {
  const { message } = await failureOf(queries.run("local", queryOf("select 1", { zone: { name: "x" } })));
  expect(message).toBe("The result zone has no list of rows.");
});
