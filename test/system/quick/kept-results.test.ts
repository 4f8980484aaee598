/** Kept results in the built server: read in parts, queried by the engine's process, and no process left behind. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needsSql } from "../../lab/engines.js";
import { folder } from "../../lab/files.js";
import { instanceCount, isSystemLane } from "../../lab/run/lane.js";
import { connect, type Kind } from "../../lab/session.js";
import { eventually } from "../../lab/time.js";
import { reportCsv } from "../../workflows/report-csv.js";
import { startUpstream } from "../upstream.js";

/** Both transports in the second lane, and a server of several instances over HTTP alone. */
const kindsOr = (quick: Kind): readonly Kind[] =>
  instanceCount > 1 ? ["v1 http"] : isSystemLane ? ["v2 2026 stdio", "v1 http"] : [quick];

/** The processes whose command names the engine's file in this build. */
const engines = (): string[] =>
  execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`${process.cwd()}/dist/program/query-worker.js`));

// Windows has no ps.
it.each(kindsOr("v2 2026 stdio"))(
  "a kept result is read in parts and queried by a process: %s",
  needsSql,
  async (kind) => {
    const session = await connect(kind);
    const types = await session.call("report_types_list", { max_tokens: 200 });
    const notes = types.structuredContent["notes"] as string[];
    const [, handle] = /result:\/\/([\w-]+)/.exec(notes.join(" ")) ?? [];
    const { structuredContent } = await session.call("result_get", { handle, limit: 2, format: "csv" });
    expect(structuredContent).toMatchObject({ handle, offset: 0, nextOffset: 2 });
    const before = engines();
    const answer = await session.call("result_query", { sql: "select count(*) as n from result", results: handle });
    expect(answer.content[0]?.text).toBe(`n\n${structuredContent["total"]}\n`);
    const mine = engines().filter((line) => !before.includes(line));
    expect(mine.length).toBe(1);
    await session.close();
    await eventually(() => expect(engines().filter((line) => mine.includes(line))).toEqual([]));
  },
);

it.each(kindsOr("v1 http"))(
  "the rows of a long report are in a file while the server runs: %s",
  needsSql,
  async (kind) => {
    const place = folder();
    // What came with the request comes back in every row; the session looks for secrets in all that it sees.
    const upstream = await startUpstream((response, { headers }) => {
      const echo = String(headers.authorization).replace(/.*client_token=([^;]+).*access_token=([^;]+).*/, "$1 $2");
      const rows = new Array<string>(20_000).fill(`2020-01-01T00:00:00Z,${echo},7`);
      response.writeHead(200, { "content-type": "text/csv" });
      response.end(reportCsv(rows, ["startdatetime", "echo", "edgeHits"]));
    });
    const flags = ["--upstream", upstream.url];
    const session = await connect(kind, { flags, env: { TMPDIR: place } });
    const period = { start: "2020-01-01T00:00:00Z", end: "2020-01-02T00:00:00Z" };
    const report = { reportName: "some-report", version: 1, ...period, allObjectIds: true, format: "csv" };
    const answer = await session.call("report_data_get", report);
    expect(answer.structuredContent["summary"]).toMatchObject({ rows: 20_000 });
    expect(answer.content[0]?.text).toContain("2020-01-01T00:00:00Z,[secret] [secret],7\n");
    const [, results] = /result:\/\/([\w-]+)/.exec(JSON.stringify(answer.structuredContent["notes"])) ?? [];
    const sql = "select echo, sum(edgeHits) as hits from result group by echo";
    const grouped = await session.call("result_query", { sql, results });
    expect(grouped.content[0]?.text).toBe("echo,hits\n[secret] [secret],140000\n");
    const [own = ""] = readdirSync(place).filter((name) => name.startsWith("edgewise-rows-"));
    expect(readFileSync(join(place, own, "1.csv"), "utf8")).toBe(
      "2020-01-01T00:00:00Z,[secret] [secret],7\n".repeat(20_000),
    );
    await session.close();
    await upstream.close();
    await eventually(() => expect(readdirSync(place)).not.toContain(own));
  },
);
