/** The engine's process for tests that run from the sources: bundled as the build bundles it. */
import { resolve } from "node:path";
import { build } from "esbuild";
import { lazily } from "../../../src/language/once-for.js";

/** Bundles the process and returns its file, once a test process. */
export const workerFile = lazily(async (): Promise<string> => {
  const outfile = resolve(".cache", "query", `worker-${process.pid}.cjs`);
  await build({
    entryPoints: ["src/rows/sql/worker.ts"],
    outfile,
    bundle: true,
    external: ["@duckdb/node-api"],
    platform: "node",
    format: "cjs",
    target: "node20",
  });
  return outfile;
});
