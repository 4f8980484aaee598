/** A CSV report of more rows than are read back into memory. */
import { afterAll, expect, it } from "vitest";
import { csvCalls, handleIn, report, reportQueries } from "../lab/csv-calls.js";
import { needsSql } from "../lab/engines.js";
import { reportCsv } from "../workflows/report-csv.js";

const queries = await reportQueries();
afterAll(() => queries.close());

it("rows too large for memory are not viewed or drawn, but queried", needsSql, async () => {
  const room = csvCalls(queries, { maxBytes: 40_000_000, maxDiskBytesPerOwner: 40_000_000 });
  // A little more than the 16 MiB that are read back.
  room.answering(reportCsv(new Array<string>(60).fill(`${"x".repeat(290_000)},1`), ["a", "hits"]));
  const answer = await room.call("report_data_get", { ...report, view: { aggregate: "sum(hits)" } });
  expect(answer.notes?.[0]).toMatch(/17400\d+ bytes.*result_query/);
  const handle = handleIn(answer);
  const sql = "select sum(hits) as s from result";
  expect((await room.call("result_query", { sql, results: handle })).texts[0]).toBe("s\n60\n");
  expect(await room.call("report_chart", { result: handle })).toMatchObject({ error: "too_large" });
  expect(await room.call("report_chart", { report })).toMatchObject({ error: "too_large" });
  expect(room.filesThere()).toHaveLength(1);
  room.close();
});
