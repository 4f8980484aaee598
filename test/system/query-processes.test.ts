/** The processes of the engine: how many there are, whose they are, and that none is left behind. */
import { execFileSync, spawn } from "node:child_process";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { createQueries } from "../../src/rows/sql/index.js";
import { needsSql } from "../lab/engines.js";
import { file, folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { until } from "../lab/time.js";
import { failureOf, queryOf, startQueries } from "../rows/sql/run.js";
import { workerFile } from "../rows/sql/worker-file.js";
import { bundled } from "./bundled.js";

const slow = queryOf("select count(*) from range(1000000000000)");
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
/** A worker that says its process id instead of running SQL, and takes as long as the query says. */
const echo = file(
  `process.on("disconnect", () => process.exit());
process.on("message", ({ sql }) => setTimeout(() => process.send({ kind: "answered",
  answered: { columns: [], rows: [[process.pid, Object.keys(process.env).length]], hasMore: false } }), Number(sql)));`,
  { name: "echo.cjs" },
);
const pool = (options = {}) => {
  const queries = createQueries({ worker: echo, ...options });
  const pidOf = async (owner: string, ms = 0): Promise<number> =>
    Number((await queries.run(owner, queryOf(String(ms)))).rows[0]?.[0]);
  return { queries, pidOf };
};

describe("the pool", () => {
  it("query pool: one process per owner, and closing it ends all", async () => {
    const { queries, pidOf } = pool();
    const [first, again, other] = [await pidOf("a"), await pidOf("a"), await pidOf("b")];
    // Nothing of the environment.
    expect((await queries.run("a", queryOf("0"))).rows[0]?.[1]).toBe(0);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    queries.close();
    await until(() => !isAlive(first) && !isAlive(other));
  });

  it("query pool: runs an owner's queries in turn and refuses excess", async () => {
    const { queries, pidOf } = pool();
    const all = await Promise.allSettled(Array.from({ length: 7 }, () => pidOf("a", 30)));
    const done = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(new Set(done).size).toBe(1);
    expect(done.length).toBe(5);
    const refused = all.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(refused).toEqual(["rate_limited", "rate_limited"]);
    expect(await pidOf("a")).toBe(done[0]);
    queries.close();
  });

  it("query pool: only an idle process gives its place to another owner", async () => {
    const { queries, pidOf } = pool({ maxProcesses: 1 });
    const first = await pidOf("a");
    const busy = pidOf("b", 600);
    await until(() => !isAlive(first));
    expect((await failureOf(pidOf("c"))).code).toBe("rate_limited");
    expect(await busy).toBeGreaterThan(0);
    queries.close();
  });

  it("ends a process that has nothing to do", async () => {
    const { queries, pidOf } = pool({ idleMs: 50 });
    const first = await pidOf("a");
    await until(() => !isAlive(first));
    expect(await pidOf("a")).not.toBe(first);
    queries.close();
  });

  it("query pool: a departed caller's query ends, and none is started", async () => {
    const { queries, pidOf } = pool();
    const first = await pidOf("a");
    const leaving = new AbortController();
    const failing = failureOf(queries.run("a", queryOf("60000"), leaving.signal));
    const waiting = failureOf(queries.run("a", queryOf("0"), leaving.signal));
    setTimeout(() => leaving.abort(), 50);
    expect((await failing).code).toBe("cancelled");
    expect((await waiting).code).toBe("cancelled");
    await until(() => !isAlive(first));
    expect(await pidOf("a")).not.toBe(first);
    queries.close();
  });

  it("says so when the process cannot be started at all", async () => {
    const queries = createQueries({ worker: join(folder(), "none.cjs") });
    expect((await failureOf(queries.run("a", queryOf("0")))).code).toBe("failed");
    queries.close();
  });
});

it("SQL without the engine's package is refused with a clear reason", async () => {
  // From a folder without node_modules above it, the package cannot be resolved.
  const alone = join(folder(), "worker.cjs");
  await copyFile(await workerFile(), alone);
  const queries = createQueries({ worker: alone });
  const { code, detail } = await failureOf(queries.run("a", queryOf("select 1")));
  expect(code).toBe("bad_configuration");
  expect(detail.why).toContain("@duckdb/node-api");
  expect(detail.next).toContain("result_get");
  queries.close();
});

it("leaves no process behind when it is closed in the middle of a query", needsSql, async () => {
  const queries = await startQueries();
  const failing = failureOf(queries.run("a", slow));
  setTimeout(() => queries.close(), 300);
  expect((await failing).code).toBe("failed");
});

// Windows has no ps.
describe("a server that goes away, as ps shows", needs.posix, () => {
  /** A program that starts a query and says when; its parent's end of stdin tells it to leave. */
  const text = `import { createQueries } from "./src/rows/sql/index.js";
    const queries = createQueries({ worker: process.argv[2] ?? "" });
    const query = (sql: string) => ({ sql, sources: [], timeZone: "UTC", maxRows: 1 });
    await queries.run("a", query("select 1"));
    console.log("warm");
    void queries.run("a", query(${JSON.stringify(slow.sql)})).catch(() => undefined);`;
  const childrenOf = (pid: number): number[] => {
    const listed = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
    return listed.flatMap((line) => {
      const [child, parent] = line.trim().split(/\s+/).map(Number);
      return parent === pid && child !== undefined ? [child] : [];
    });
  };

  it("leaves no process behind, even when it is killed while a query runs", needsSql, async () => {
    const words = [await bundled({ text }), await workerFile()];
    const parent = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"] });
    for await (const line of createInterface({ input: parent.stdout })) if (line === "warm") break;
    const [engine] = childrenOf(parent.pid ?? 0);
    if (engine === undefined) throw new Error("It has no process.");
    expect(isAlive(engine)).toBe(true);
    parent.kill("SIGKILL");
    await until(() => !isAlive(engine));
  });
});
