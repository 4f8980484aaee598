/** The processes of the engine: how many there are, whose they are, and that none is left behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { createQueries } from "../../src/query/index.js";
import { needsSql } from "../lab/engines.js";
import { needs } from "../lab/needs.js";
import { until } from "../lab/time.js";
import { failureOf, queryOf, startQueries } from "../query/run.js";
import { workerFile } from "../query/worker-file.js";

const folder = await mkdtemp(join(tmpdir(), "edgewise-processes-"));
afterAll(() => rm(folder, { recursive: true }));

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
const echo = join(folder, "echo.cjs");
writeFileSync(
  echo,
  `process.on("disconnect", () => process.exit());
process.on("message", ({ sql }) => setTimeout(() => process.send({ kind: "answered",
  answered: { columns: [], rows: [[process.pid, Object.keys(process.env).length]], hasMore: false } }), Number(sql)));`,
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

  it("gives a process nothing of the environment", async () => {
    const { queries } = pool();
    const [row] = (await queries.run("a", queryOf("0"))).rows;
    expect(row?.[1]).toBe(0);
    queries.close();
  });

  it("says so when the process cannot be started at all", async () => {
    const queries = createQueries({ worker: join(folder, "none.cjs") });
    expect((await failureOf(queries.run("a", queryOf("0")))).code).toBe("failed");
    queries.close();
  });
});

it("SQL without the engine's package is refused with a clear reason", async () => {
  // From a folder without node_modules above it, the package cannot be resolved.
  const alone = join(folder, "worker.cjs");
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
  const program = async (): Promise<ChildProcess> => {
    const source = join(".cache", "query", "parent.ts");
    mkdirSync(join(".cache", "query"), { recursive: true });
    writeFileSync(
      source,
      `import { createQueries } from "${resolve("src/query/index.js")}";
      const queries = createQueries({ worker: process.argv[2] ?? "" });
      const query = (sql: string) => ({ sql, sources: [], timeZone: "UTC", maxRows: 1 });
      await queries.run("a", query("select 1"));
      console.log("warm");
      if (process.argv[3] === "busy") void queries.run("a", query(${JSON.stringify(slow.sql)})).catch(() => undefined);`,
    );
    const outfile = resolve(".cache", "query", `parent-${process.pid}.mjs`);
    await build({ entryPoints: [source], outfile, bundle: true, platform: "node", format: "esm", target: "node20" });
    return spawn(process.execPath, [outfile, await workerFile(), "busy"], { stdio: ["ignore", "pipe", "ignore"] });
  };
  const childrenOf = async (pid: number): Promise<number[]> => {
    const { execFileSync } = await import("node:child_process");
    const listed = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
    return listed.flatMap((line) => {
      const [child, parent] = line.trim().split(/\s+/).map(Number);
      return parent === pid && child !== undefined ? [child] : [];
    });
  };

  it("leaves no process behind, even when it is killed while a query runs", needsSql, async () => {
    const parent = await program();
    if (!parent.stdout || parent.pid === undefined) throw new Error("It was not started.");
    for await (const line of createInterface({ input: parent.stdout })) if (line === "warm") break;
    const [engine] = await childrenOf(parent.pid);
    if (engine === undefined) throw new Error("It has no process.");
    expect(isAlive(engine)).toBe(true);
    parent.kill("SIGKILL");
    await until(() => !isAlive(engine));
  });
});
