/** Long CSV reports: what they cost the server and the process of the engine, beside a parser that does nothing else. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { lines, median, message, start } from "./process.js";

const report = {
  reportName: "some-report",
  version: 1,
  start: "2020-01-01T00:00:00Z",
  end: "2026-01-01T00:00:00Z",
  allObjectIds: true,
  format: "csv",
};
const head = [
  "#METADATA_START",
  "name,some-report",
  "version,1",
  "groupBy,startdatetime",
  "start,2020-01-01T00:00:00Z",
  "end,2026-01-01T00:00:00Z",
  "rowCount,0",
  "objectIds,all",
  "#METADATA_END",
  "#SUMMARYSTATISTICS_START",
  "#SUMMARYSTATISTICS_END",
  "#COLUMNS_START",
  "startdatetime,cpcode,response_class,edgeHits,edgeBytes",
  "#COLUMNS_END",
  "#DATA_START",
  "",
].join("\n");

const rowText = (row: number): string =>
  `${new Date(Date.UTC(2020, 0, 1) + (row % 500_000) * 300_000).toISOString().slice(0, 19)}Z,${100_000 + (row % 977)},${row % 10}xx,${(row * 7_919) % 100_003},${(row * 15_485_863) % 10_000_000_019}\n`;

/** The rows of a report as bytes, in parts of which none is large. */
export function rowParts(count: number): Buffer[] {
  const parts: Buffer[] = [];
  const rowsOfPart = 1_000;
  for (let row = 0; row < count; row += rowsOfPart)
    parts.push(
      Buffer.from(Array.from({ length: Math.min(rowsOfPart, count - row) }, (_, at) => rowText(row + at)).join("")),
    );
  return parts;
}

/** An upstream that answers with the report of the moment. */
async function startUpstream() {
  let parts: readonly Buffer[] = [];
  const server = createServer(async (_, response) => {
    response.writeHead(200, { "content-type": "text/csv" });
    response.write(head);
    for (const part of parts)
      if (!response.write(part)) await new Promise((resolve) => response.once("drain", resolve));
    response.end("#DATA_END\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith(given: readonly Buffer[]) {
      parts = given;
    },
    close: () => void server.close(),
  };
}

/** The most memory that a process has had, in MB, where the system tells it. */
function peakMb(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** The process of the engine that a server has started. */
function engineOf({ pid }: ChildProcess): number {
  return Number(
    execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
      .trim()
      .split("\n")[0],
  );
}

/** What the same bytes take csv-parse alone, in milliseconds of the clock, in a process of its own. */
function parserMs(count: number): number {
  const args = ["scripts/run.mjs", "bench/reports-parser.ts", String(count)];
  return Number(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

export interface ReportCost {
  readonly rows: number;
  /** From the call to the answer, the report sent over loopback; with the rows grouped into ten by a query; milliseconds. */
  readonly storedMs: number;
  readonly groupedMs: number;
  readonly parserMs: number;
  readonly serverMb: number;
  readonly engineMb: number;
}

/** Reads, stores and groups a report of so many rows, each round in a server of its own. */
async function costOf(count: number, rounds: number): Promise<ReportCost> {
  const upstream = await startUpstream();
  upstream.answerWith(rowParts(count));
  const measured: Omit<ReportCost, "rows">[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const child = start(["dist/server.js", "--upstream", upstream.origin]);
    const ask = lines(child);
    await ask(message(0, "tools/call", { name: "report_types_list", arguments: {} }));
    const startedAt = performance.now();
    const answer = await ask(message(1, "tools/call", { name: "report_data_get", arguments: report }));
    const storedMs = performance.now() - startedAt;
    const [, handle] = /result:\/\/([\w-]+)/.exec(answer) ?? [];
    const sql = "select response_class, sum(edgeHits), sum(edgeBytes), count(*) from result group by 1";
    const grouped = await ask(message(2, "tools/call", { name: "result_query", arguments: { sql, results: handle } }));
    if (!grouped.includes('"total":10')) throw new Error(`unexpected answer: ${grouped.slice(0, 1_000)}`);
    const groupedMs = performance.now() - startedAt;
    const [serverMb, engineMb] = [peakMb(child.pid ?? 0), peakMb(engineOf(child))];
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
    measured.push({ storedMs, groupedMs, serverMb, engineMb, parserMs: parserMs(count) });
  }
  upstream.close();
  const of = (name: keyof (typeof measured)[number]) => median(measured.map((one) => one[name]));
  return {
    rows: count,
    storedMs: of("storedMs"),
    groupedMs: of("groupedMs"),
    parserMs: of("parserMs"),
    serverMb: of("serverMb"),
    engineMb: of("engineMb"),
  };
}

/** Reports of 10,000, 100,000 and 1,000,000 rows. */
export async function reportCosts(): Promise<readonly [ReportCost, ReportCost, ReportCost]> {
  return [await costOf(10_000, 3), await costOf(100_000, 3), await costOf(1_000_000, 3)];
}
