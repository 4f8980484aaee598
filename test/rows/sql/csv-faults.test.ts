/** The faults of the engine's CSV reader that the view of a file keeps away from: each test fails once one is mended. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { inInstance, literal, viewFile } from "../../../src/rows/sql/engine.js";
import { needsSql, sqlEngine } from "../../lab/engines.js";
import { folder as newFolder } from "../../lab/files.js";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const columns = [
  { name: "id", type: "BIGINT" },
  { name: "name", type: "VARCHAR" },
  { name: "at", type: "TIMESTAMPTZ" },
] as const;
const path = join(folder, "rows.csv");
writeFileSync(path, "1,,2026-05-20T11:40Z\n2,b,2026-05-20T11:40:00Z\n");

const rows = (sql: string) =>
  inInstance(sqlEngine, [path], async (connection) => {
    await viewFile(connection, { name: "r", path, columns });
    return (await connection.runAndReadAll(sql)).getRowsJson();
  });

it("the CSV reader loses empty text if not all columns are read", needsSql, async () => {
  const types = "columns = {'c0': 'BIGINT', 'c1': 'VARCHAR', 'c2': 'VARCHAR'}";
  const options = `header = false, auto_detect = false, nullstr = '', force_not_null = ['c1'], ${types}`;
  expect(await rows(`select c1 from read_csv(${literal(path)}, ${options})`)).toEqual([[null], ["b"]]);
  expect(await rows("select name from r")).toEqual([[""], ["b"]]);
});

it("the CSV reader takes a time with offset and no seconds as no value", needsSql, async () => {
  expect(await rows('select "at" is null from r')).toEqual([[true], [false]]);
});
