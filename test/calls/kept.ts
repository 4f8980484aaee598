/** Calls whose results are stored and can be queried, like an assistant's. */
import { afterAll } from "vitest";
import { createResults } from "../../src/calls/results.js";
import type { ControlledWorld } from "../../src/emulator/world.js";
import { createResultStore, resultsFor } from "../../src/rows/result-store.js";
import { createQueries } from "../../src/rows/sql/index.js";
import { callsIn } from "../lab/calls.js";
import { workerFile } from "../rows/sql/worker-file.js";

/** The secret of the process that makes the calls. */
export const secret = "a-secret-of-the-server";
export const maxTokens = 8_000;
export const store = resultsFor(
  createResultStore({ maxBytesPerOwner: 64e6, maxBytes: 128e6, ttlMs: 3_600_000 }),
  "an account",
);

/** The calls of a test file, at whose end the query engine is closed. */
export async function callsThatKeep(world: ControlledWorld) {
  const queries = createQueries({ worker: await workerFile(), timeMs: 15_000 });
  afterAll(() => queries.close());
  const results = createResults({ store, queries: async () => queries, secrets: [secret], maxTokens });
  return { ...callsIn(world, { callTimeoutMs: 60_000, results }), results };
}
