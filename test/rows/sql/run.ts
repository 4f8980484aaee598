/** Queries over made-up answers, for tests of the engine. */
import { afterAll } from "vitest";
import type { Failure } from "../../../src/language/failure.js";
import { createQueries, type Queries, type QueriesOptions } from "../../../src/rows/sql/index.js";
import { workerFile } from "./worker-file.js";

/** A pool that is closed after the file's tests. */
export async function startQueries(options: Omit<QueriesOptions, "worker"> = {}): Promise<Queries> {
  const queries = createQueries({ worker: await workerFile(), timeMs: 15_000, ...options });
  afterAll(() => queries.close());
  return queries;
}

/** A query over answers, each by the name of its table. */
export const queryOf = (sql: string, answers: Readonly<Record<string, unknown>> = {}, more: object = {}) => ({
  sql,
  sources: Object.entries(answers).map(([name, answer]) => ({ name, json: JSON.stringify(answer) })),
  timeZone: "UTC",
  maxRows: 100,
  ...more,
});

/** The failure of what was to fail. */
export async function failureOf(attempt: Promise<unknown>): Promise<Failure> {
  return attempt.then(
    (value) => {
      throw new Error(`It did not fail: ${JSON.stringify(value).slice(0, 200)}`);
    },
    (failure) => failure as Failure,
  );
}
