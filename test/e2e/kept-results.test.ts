/** Kept results in the built server: read in parts, queried by the engine's process, and no process left behind. */
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { connect } from "./session.js";

/** The processes whose command names the engine's file in this build. */
const engines = (): string[] =>
  execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`${process.cwd()}/dist/program/query-worker.js`));

it.each(["v2 2026 stdio", "v1 http"] as const)("are read in parts and queried over %s", async (kind) => {
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
  for (let left = 100; engines().some((line) => mine.includes(line)); left -= 1) {
    expect(left).toBeGreaterThan(0);
    await new Promise((done) => setTimeout(done, 50));
  }
});
