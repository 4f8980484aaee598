/** Whatever the upstream answers, however much of it: every tool's result is inside its budget, valid, and says that it was cut. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ToolResult } from "../../src/answers/result.js";
import { tokensOf } from "../../src/answers/tokens.js";
import type { Outcome } from "../../src/calls/index.js";
import { createResults } from "../../src/calls/results.js";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createEmulator } from "../../src/emulator/index.js";
import { createWorld } from "../../src/emulator/world.js";
import type { Arguments } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { hasCutMark } from "../../src/language/marks.js";
import { createQueries } from "../../src/query/index.js";
import { type AccountResults, createResultStore, nothingKept } from "../../src/results/store.js";
import { secretFiles } from "../../src/secrets/files.js";
import { allServices } from "../../src/tools/index.js";
import { authorizer } from "../../src/wire/authorize.js";
import { createClient } from "../../src/wire/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { callsIn } from "../lab/calls.js";
import { sqlEngine } from "../lab/engines.js";
import { caller } from "../lab/made-up.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { handleOf, resultStoredIn } from "../lab/options.js";
import { secretDirectory } from "../lab/secret-files.js";
import { workerFile } from "../query/worker-file.js";
import { examples, tools } from "../worst-case/targets.js";
import type { Growth } from "./grown.js";
import { type GrowthOf, largeUpstream } from "./upstream.js";

const maxTokens = 8_000;
const services = await allServices("documents");
const operations = new Map<string, AnyOperation>(services.flatMap((service) => Object.entries(service.operations)));
const world = createWorld({ frozenAt: Date.now() });
const emulator = createEmulator({ world });
const emptyStore = () => createResultStore({ maxBytesPerOwner: 400e6, maxBytes: 400e6, ttlMs: 600_000 });
let store = emptyStore();
const results: AccountResults = {
  ...nothingKept,
  get: (owner, handle) => store.get(owner, "an account", handle),
  keep: (owner, handle, whole) => store.keep(owner, "an account", handle, whole),
};
const queries = createQueries({ worker: await workerFile(), timeMs: 15_000 });
afterAll(() => {
  queries.close();
  store = emptyStore();
});

const asItIs: GrowthOf = () => undefined;
let growthOf = asItIs;
const { calls } = callsIn(world, {
  client: createClient({
    send: largeUpstream(emulator, () => growthOf),
    target: { origin: `https://${demoCredentials.host}`, vendor: "akamai" },
    authorize: authorizer(undefined, demoCredentials),
    maxResponseBytes: 16_777_216,
  }),
  secretFiles: secretFiles(secretDirectory()),
  callTimeoutMs: 60_000,
  results: createResults({
    store: results,
    queries: async () => queries,
    secrets: [],
    maxTokens,
  }),
});
beforeEach(() => {
  world.reset();
  growthOf = asItIs;
});

async function resultFor(outcome: Outcome): Promise<ToolResult> {
  if (outcome.kind === "question") throw new Error("It asked.");
  return resultStoredIn(results, outcome, { upstream: "the upstream", secrets: [], maxTokens });
}
const textOf = ({ content }: ToolResult) => content.map((one) => (one.type === "text" ? one.text : "")).join("\n");

/** What is wrong with a result. */
function problemsOf(result: ToolResult): string[] {
  const { structuredContent: content } = result;
  const [text, json] = [textOf(result), JSON.stringify(content)];
  const inLine = text.split("\n").flatMap((line) => /^ *[\w.-]+: (\{".*|\[\{".*)$/.exec(line)?.[1] ?? []);
  const problems = {
    "its text is beyond the budget": tokensOf(text) > maxTokens,
    "its structured content is beyond the budget": tokensOf(json) > maxTokens,
    "it says nothing": text.trim() === "",
    "it does not say that its content was cut": hasCutMark(json) && content["cut"] !== true,
    "its text does not say that it was cut": hasCutMark(text) && !/^[^\n]*, truncated\.$/m.test(text),
    "JSON in its text is cut inside": inLine.some((one) => {
      try {
        return typeof JSON.parse(one) !== "object";
      } catch {
        return true;
      }
    }),
  };
  return Object.entries(problems).flatMap(([name, isSo]) => (isSo ? [name] : []));
}

/** Makes a call, and the same with its confirmation where it is asked for, and gives what came of each. */
async function outcomesOf(tool: string, args: Arguments): Promise<Outcome[]> {
  const first = await calls.call(tool, args, caller);
  if (first.kind !== "preview") return [first];
  return [first, await calls.call(tool, { ...args, confirm: first.plan.id }, caller)];
}

// What stands for a plan and for a handle in examples.
const made = { plan: "plan_AAAAAAAAAAAAAAAAAAAAAA", handle: "AAAAAAAAAAAAAAAAAAAAAA" };
const placed = (example: Arguments, { plan, handle }: typeof made): Arguments =>
  JSON.parse(JSON.stringify(example).replaceAll(made.plan, plan).replaceAll(made.handle, handle));

/** A change that was made, with a preview of hundreds of lines. */
async function planMade(): Promise<string> {
  const objects = Array.from({ length: 400 }, (_, at) => `https://www.shop.example/${"path/".repeat(10)}${at}`);
  const [preview, done] = await outcomesOf("purge_submit", { queueName: "default", body: { objects } });
  if (preview?.kind !== "preview" || done?.kind !== "answer") throw new Error(JSON.stringify(done).slice(0, 500));
  return preview.plan.id;
}
const rows = Array.from({ length: 100_000 }, (_, at) => ({
  class: `${at % 50}xx`,
  hits: at,
  time: new Date(at * 300_000).toISOString(),
  from: "somewhere in the world",
}));

const isWorkflow = (tool: string): boolean => tools.get(tool)?.service === "workflows";
const eighth = (_: unknown, at: number): boolean => at % 8 === 0;
const counted = new Set(examples.filter(eighth).map(([tool]) => tool));

type Example = (typeof examples)[number];
/** What decides how so long an answer is read and held. */
const ofMedia = /^(answer|envelope|paging$|view$|effect)/;
const wordsOf =
  (isMeant: RegExp) =>
  ([tool]: Example): readonly string[] =>
    mechanismsOf(operations.get(tool) as AnyOperation).filter((word) => isMeant.test(word));
/** What decides what a guard reads before it shows what a change would do, and what it makes of that. */
const ofGuards = /^(shown|sendsTo|order|guard (replaces|compares|items$))/;
const workflows = new Map(await allWorkflows());
const declaredOf = ([tool]: Example): readonly string[] => Object.keys(workflows.get(tool) ?? {});

const own = examples.filter(([tool]) => !isWorkflow(tool));
const composed = examples.filter(([tool]) => isWorkflow(tool));
const guarded = own.filter(([tool]) => {
  const operation = operations.get(tool);
  return operation !== undefined && guardOf(operation) !== undefined;
});

// What an answer's own shape can bring about shows at any length beyond the budget; what a guard makes of what is there,
// and so long a text of whatever reads and holds it, is the same for all that use the same mechanisms.
describe.each([
  { size: "150 kilobytes", bytes: 150_000, own, composed, guarded: sampled(guarded, wordsOf(ofGuards)) },
  {
    size: "ten megabytes",
    bytes: 10_000_000,
    own: sampled(own, wordsOf(ofMedia)),
    composed: sampled(composed, declaredOf),
    guarded: sampled(guarded, wordsOf(ofGuards)),
  },
])("with $size", ({ bytes, ...tried }) => {
  const rowsOf: Growth = { by: "rows", bytes };

  describe("in answer to its own request", () => {
    // What is kept of one tool's answer is in the way of the next.
    beforeEach(() => {
      store = emptyStore();
    });

    it.each(tried.own)("%s", async (tool, example) => {
      const operation = operations.get(tool);
      growthOf = (one) => (one === operation ? rowsOf : undefined);
      expect(tools.get(tool)?.tool).not.toHaveProperty("outputSchema");
      for (const outcome of await outcomesOf(tool, example)) {
        const result = await resultFor(outcome);
        expect(problemsOf(result), textOf(result).slice(0, 2_000)).toEqual([]);
        if (outcome.kind !== "preview") expect(outcome, textOf(result)).toMatchObject({ kind: "answer" });
        const { cut, data } = result.structuredContent;
        // A secret in a file and what an envelope had beside the answer may leave little to show.
        if (outcome.kind === "answer" && outcome.reply.whole === undefined && cut !== true)
          expect(data).toEqual(outcome.reply.body);
        if (counted.has(tool))
          for (const shown of [textOf(result), JSON.stringify(result.structuredContent)])
            expect(encode(shown).length).toBeLessThanOrEqual(maxTokens);
      }
    });
  });

  describe("in answer to each of its requests", () => {
    let at: typeof made;
    beforeAll(async () => {
      growthOf = asItIs;
      at = { plan: await planMade(), handle: (await handleOf(results, { data: rows })) ?? "" };
      expect(at.handle).not.toBe("");
    });

    it.each(tried.composed)("%s", async (tool, example) => {
      growthOf = () => ({ by: "texts", bytes });
      for (const outcome of await outcomesOf(tool, placed(example, at))) {
        // A change may be refused for what its composition read, and what reads tells what it can.
        if (tools.get(tool)?.effect === "read" && (tool !== "result_query" || sqlEngine !== undefined))
          expect(outcome.kind).toBe("workflow");
        const result = await resultFor(outcome);
        expect(problemsOf(result), textOf(result).slice(0, 2_000)).toEqual([]);
      }
    });

    // The guard reads what is there before it shows what a change would do.
    it.each(tried.guarded)("the guard of %s", async (tool, example) => {
      growthOf = () => rowsOf;
      const outcome = await calls.call(tool, example, caller);
      expect(problemsOf(await resultFor(outcome))).toEqual([]);
      if (outcome.kind === "preview") return;
      // What is there in several copies may suit the arguments no more.
      const { checks, resolves } = operations.get(tool)?.spec ?? {};
      const refusals = ["too_large", ...(checks || resolves ? ["invalid_input"] : [])];
      expect(refusals).toContain(outcome.kind === "failure" ? outcome.failure.code : outcome.kind);
    });
  });
});

describe("a report of ten megabytes", () => {
  const metrics = ["edgeBytes", "edgeHits", "midgressBytes"];
  const report = {
    reportName: "endpoint-usage-by-time",
    period: "yesterday",
    interval: "HOUR",
    allObjectIds: true,
    metrics,
  };
  it.each<[string, Arguments]>([
    ["as CSV", { format: "csv" }],
    ["added up", { view: { aggregate: "sum(edgeHits)" } }],
    ["row by row", { view: { where: "edgeHits > 0" } }],
  ])("%s", async (_, more) => {
    growthOf = () => ({ by: "rows", bytes: 10_000_000 });
    const [outcome] = await outcomesOf("report_data_get", { ...report, ...more });
    expect(outcome?.kind).toBe("answer");
    if (outcome) expect(problemsOf(await resultFor(outcome))).toEqual([]);
  });
});

it("calls every tool there is", () => {
  expect(new Set(examples.map(([tool]) => tool))).toEqual(new Set(tools.keys()));
});
