/** The options of calls where a test sets no others: no policy, no quotas, and an audit that keeps its lines. */
import { resultOf } from "../../src/answers/outcome.js";
import type { Presentation, ToolResult } from "../../src/answers/result.js";
import type { Audit } from "../../src/audit/index.js";
import type { CallsOptions, Outcome, ReadOrigin } from "../../src/calls/index.js";
import { type CallerResults, createResults } from "../../src/calls/results.js";
import type { WorkflowContext } from "../../src/calls/workflow.js";
import { createPlans } from "../../src/guard/index.js";
import { createQuotas, memoryQuotaCounters, noPolicy } from "../../src/policy/index.js";
import { type AccountResults, newHandle, noResultStore, storeNamedResults } from "../../src/rows/result-store.js";
import { createQueries } from "../../src/rows/sql/index.js";
import { secretFiles } from "../../src/secrets/files.js";
import { auditIn } from "../audit/opened.js";

/** An audit whose lines go to a list. */
export const auditTo = (lines: string[]): Audit => auditIn(undefined, { log: (line) => void lines.push(line) });

/** Stored results of a caller for whom nothing is stored. */
export const noResults: CallerResults = createResults({
  store: noResultStore,
  queries: async () => createQueries({ worker: "none" }),
  secrets: [],
  maxTokens: 8_000,
})({ owner: "local", signal: undefined });

/** A search that finds nothing. */
const emptySearch: CallsOptions["search"] = async () => ({
  find: () => ({ tools: [], imported: [], reports: [], resources: [] }),
});

/** The options that have nothing to do with the upstream. */
export const unbound = (): Pick<
  CallsOptions,
  | "plans"
  | "approval"
  | "secrets"
  | "secretFiles"
  | "policy"
  | "quotas"
  | "audit"
  | "together"
  | "writeStop"
  | "accountReadings"
  | "isReadOnly"
  | "tools"
  | "workflows"
  | "results"
  | "search"
  | "callTimeoutMs"
> => ({
  plans: createPlans({ ttlMs: 600_000 }),
  approval: "auto",
  policy: noPolicy,
  quotas: createQuotas([], memoryQuotaCounters()),
  audit: auditTo([]),
  together: (work) => work(undefined),
  writeStop: async () => undefined,
  secrets: [],
  secretFiles: secretFiles(undefined),
  accountReadings: async () => [],
  isReadOnly: false,
  tools: new Map(),
  workflows: {},
  results: () => noResults,
  search: emptySearch,
  callTimeoutMs: 10_000,
});

/** The rest of a workflow's context, for tests that look at no picture and at nothing after the call. */
const unseen: Pick<WorkflowContext, "shown" | "show" | "changesSince" | "inBackground"> = {
  shown: (text) => text,
  show: () => undefined,
  changesSince: () => [],
  inBackground: () => undefined,
};

/** A catalogue of which nothing is left out, as what is read is looked up in it. */
export const offeringAll = (tools: CallsOptions["tools"]) => ({
  catalogue: tools,
  offer: { tools, leftOut: () => undefined },
});

/** Somebody who reads at the machine itself. */
export const reader: ReadOrigin = { owner: "local", signal: undefined };

/** Stores a value for an owner, and returns its handle; undefined if there is no room for it. */
export async function handleOf(
  results: AccountResults,
  whole: unknown,
  owner: string = reader.owner,
): Promise<string | undefined> {
  const handle = newHandle();
  return (await results.keep(owner, handle, whole)) ? handle : undefined;
}

/** The result of an outcome, with the results that it names stored for the reader at the machine. */
export const resultStoredIn = (
  results: AccountResults,
  outcome: Exclude<Outcome, { kind: "question" }>,
  presentation: Presentation,
): Promise<ToolResult> =>
  storeNamedResults(
    (keep) => resultOf(outcome, presentation, keep),
    ({ handle, whole, context }) => results.keep(reader.owner, handle, whole, context),
  );

/** The context of a workflow whose calls a test answers: nothing is stored, found or planned. */
export const workWith = (invoke: WorkflowContext["invoke"]): WorkflowContext => ({
  invoke,
  progress: async () => undefined,
  tools: new Map(),
  refusalOf: () => undefined,
  workflows: {},
  results: noResults,
  search: emptySearch,
  plan: async () => undefined,
  ...unseen,
});
