/** Calls of the reporting service in which a test writes the upstream's body, with the files of rows made of it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createCalls } from "../../src/calls/index.js";
import { createResults } from "../../src/calls/results.js";
import type { WireResponse } from "../../src/language/wire.js";
import { createResultStore, resultsFor } from "../../src/rows/result-store.js";
import { createRowFiles } from "../../src/rows/row-file.js";
import { createQueries } from "../../src/rows/sql/index.js";
import { secretForms } from "../../src/secrets/held-secrets.js";
import { operation } from "../../src/tools/index.js";
import { createClient } from "../../src/wire/index.js";
import { workflowsOf } from "../../src/workflows/index.js";
import { workerFile } from "../rows/sql/worker-file.js";
import { folder } from "./files.js";
import { caller } from "./made-up.js";
import { resultStoredIn, unbound } from "./options.js";

/** A secret that the server holds. */
export const secret = 'a+secret/of,the "server"';
const secrets = secretForms([secret]);
export const maxTokens = 8_000;
const workflows = workflowsOf("documents");

/** Arguments of `report_data_get` that ask for CSV. */
export const report = {
  reportName: "some-report",
  version: 1,
  start: "2020-01-01T00:00:00Z",
  end: "2026-01-01T00:00:00Z",
  allObjectIds: true,
  format: "csv",
};

type Respond = () => Partial<WireResponse> & Pick<WireResponse, "body">;
type Result = Record<string, unknown> & { texts: string[]; notes?: string[] };

/** The handle that an answer names; empty where it names none. */
export const handleIn = ({ notes = [] }: { notes?: string[] }): string =>
  /result:\/\/([\w-]+)/.exec(notes.join(" "))?.[1] ?? "";

/** The queries of a test file, which ends them. */
export const reportQueries = async () => createQueries({ worker: await workerFile(), timeMs: 15_000 });

/**
 * @param maxBytes The longest body.
 * @param maxDiskBytesPerOwner The room for the files of an owner.
 * @param parent The folder of the files.
 */
export function csvCalls(
  queries: Awaited<ReturnType<typeof reportQueries>>,
  { maxBytes = 2_000_000, maxDiskBytesPerOwner = 700_000, parent = folder() } = {},
) {
  let nowMs = Date.now();
  let respond: Respond;
  const files = createRowFiles({ maxBytes, secrets, parent });
  const store = createResultStore({
    maxBytesPerOwner: 64e6,
    maxBytes: 128e6,
    maxDiskBytesPerOwner,
    maxDiskBytes: 2 * maxDiskBytesPerOwner,
    ttlMs: 60_000,
    now: () => nowMs,
  });
  const calls = createCalls({
    ...unbound(),
    operationOf: async (tool) => {
      const declared = await operation(tool, { service: "reporting" });
      return declared && { service: "reporting", declared };
    },
    client: createClient({
      send: async () => ({ status: 200, headers: { "content-type": "text/csv" }, ...respond() }),
      target: { origin: "https://host.example", vendor: "akamai" },
      authorize: () => ({}),
      maxResponseBytes: 300_000,
      rowFiles: files,
    }),
    account: { section: "default", host: "host.example", isEmulated: false },
    workflows,
    results: createResults({ store: resultsFor(store, "a"), queries: async () => queries, secrets, maxTokens }),
    onFault: (error) => {
      throw error;
    },
  });
  const results = resultsFor(store, "a");
  const responding = (by: Respond): void => {
    respond = by;
  };
  /** Answers with a text, in parts of a size. */
  const answering = (text: string, size = 65_536): void => {
    const bytes = Buffer.from(text);
    responding(() => ({
      body: (async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      })(),
    }));
  };
  async function call(tool: string, args: object, budget = maxTokens): Promise<Result> {
    const outcome = await calls.call(tool, args as Record<string, unknown>, { ...caller, maxTokens: budget });
    if (outcome.kind === "question") throw new Error("It asked.");
    const presentation = { upstream: "host.example", secrets, maxTokens: budget };
    const { structuredContent, content } = await resultStoredIn(results, outcome, presentation);
    const texts = content.flatMap((one) => (one.type === "text" ? [one.text] : []));
    return { ...structuredContent, texts };
  }
  return {
    calls,
    store,
    results,
    secrets,
    parent,
    responding,
    answering,
    call,
    /** The handle of the rows of a report. */
    async kept(text: string): Promise<string> {
      answering(text);
      return handleIn(await call("report_data_get", report));
    },
    /** The files of rows that there are, whatever their folders are called. */
    filesThere: (): string[] =>
      readdirSync(parent).flatMap((name) => readdirSync(join(parent, name)).map((file) => join(parent, name, file))),
    passTime: (ms: number): void => {
      nowMs += ms;
    },
    close: () => files.close(),
  };
}
