/** Calls whose upstream answers with as many bytes as a test says, and what must hold of their results. */
import { afterAll, expect } from "vitest";
import type { ToolResult } from "../../../src/answers/result.js";
import { estimateTokens } from "../../../src/answers/tokens.js";
import type { Outcome } from "../../../src/calls/index.js";
import { createResults } from "../../../src/calls/results.js";
import { demoCredentials } from "../../../src/emulator/credentials.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { createWorld } from "../../../src/emulator/world.js";
import type { Arguments } from "../../../src/language/conduct.js";
import type { AnyOperation } from "../../../src/language/define.js";
import { guardOf } from "../../../src/language/effect.js";
import { type AccountResults, createResultStore, noResultStore } from "../../../src/rows/result-store.js";
import { createQueries } from "../../../src/rows/sql/index.js";
import { secretFiles } from "../../../src/secrets/files.js";
import { hasCutMark } from "../../../src/text/marks.js";
import { allServices } from "../../../src/tools/index.js";
import { authorizer } from "../../../src/wire/authorize.js";
import { createClient } from "../../../src/wire/index.js";
import { allWorkflows } from "../../../src/workflows/index.js";
import { examples, tools } from "../../adversary/targets.js";
import { callsIn } from "../../lab/calls.js";
import { sqlEngine } from "../../lab/engines.js";
import { caller } from "../../lab/made-up.js";
import { mechanismsOf, sampled } from "../../lab/mechanisms.js";
import { handleOf, resultStoredIn } from "../../lab/options.js";
import { secretDirectory } from "../../lab/secret-files.js";
import type { Growth } from "./grown.js";
import { type GrowthOf, largeUpstream } from "./upstream.js";

const maxTokens = 8_000;
const services = await allServices("documents");
const operations = new Map<string, AnyOperation>(services.flatMap((service) => Object.entries(service.operations)));
const workflows = new Map(await allWorkflows());

type Example = (typeof examples)[number];
const wordsOf =
  (isMeant: RegExp) =>
  ([tool]: Example): readonly string[] =>
    mechanismsOf(operations.get(tool) as AnyOperation).filter((word) => isMeant.test(word));
const own = examples.filter(([tool]) => operations.has(tool));
const composed = examples.filter(([tool]) => workflows.has(tool));

/** All operations with their arguments. */
export const ofOperations: readonly Example[] = own;
/** Operations with each mechanism that decides how so long an answer is read and held. */
export const ofMedia = sampled(own, wordsOf(/^(answer|envelope|paging$|view$|effect)/));
/** Guarded operations with each mechanism that decides what is read before a change is shown, and what is made of that. */
export const ofGuards = sampled(
  own.filter(([tool]) => guardOf(operations.get(tool) as AnyOperation) !== undefined),
  wordsOf(/^(shown|sendsTo|order|guard (replaces|compares|items$))/),
);
/** Workflows with each member that a declaration of one can have. */
export const ofWorkflows = sampled(composed, ([tool]) => Object.keys(workflows.get(tool) ?? {}));

const textOf = ({ content }: ToolResult) => content.map((one) => (one.type === "text" ? one.text : "")).join("\n");
const isWhole = (json: string): boolean => {
  try {
    return typeof JSON.parse(json) === "object";
  } catch {
    return false;
  }
};

/** What is wrong with a result. */
function problemsOf(result: ToolResult): string[] {
  const { structuredContent: content } = result;
  const [text, json] = [textOf(result), JSON.stringify(content)];
  const inLine = text.split("\n").flatMap((line) => /^ *[\w.-]+: (\{".*|\[\{".*)$/.exec(line)?.[1] ?? []);
  const problems = {
    "its text is beyond the budget": estimateTokens(text) > maxTokens,
    "its structured content is beyond the budget": estimateTokens(json) > maxTokens,
    "it says nothing": text.trim() === "",
    "it does not say that its content was cut": hasCutMark(json) && content["cut"] !== true,
    "its text does not say that it was cut": hasCutMark(text) && !/^[^\n]*, truncated\.$/m.test(text),
    "JSON in its text is cut inside": !inLine.every(isWhole),
  };
  return Object.entries(problems).flatMap(([name, isSo]) => (isSo ? [name] : []));
}

// What stands for a plan and for a handle in examples.
const made = { plan: "plan_AAAAAAAAAAAAAAAAAAAAAA", handle: "AAAAAAAAAAAAAAAAAAAAAA" };
/** Rows of about so many bytes. */
const rowsOf = (bytes: number) =>
  Array.from({ length: bytes / 100 }, (_, at) => ({
    class: `${at % 50}xx`,
    hits: at,
    time: new Date(at * 300_000).toISOString(),
    from: "somewhere in the world",
  }));
type Made = Exclude<Outcome, { kind: "question" }>;

/**
 * Laws of results, each a check of one tool with its arguments.
 * @param worker The file of the process that runs SQL.
 */
export function startLarge(worker = "none") {
  const world = createWorld({ frozenAt: Date.now() });
  const emptyStore = () => createResultStore({ maxBytesPerOwner: 400e6, maxBytes: 400e6, ttlMs: 600_000 });
  let store = emptyStore();
  const results: AccountResults = {
    ...noResultStore,
    get: (owner, handle) => store.get(owner, "an account", handle),
    keep: (owner, handle, whole) => store.keep(owner, "an account", handle, whole),
  };
  const queries = createQueries({ worker, timeMs: 15_000 });
  afterAll(() => {
    queries.close();
    store = emptyStore();
  });
  let growthOf: GrowthOf = () => undefined;
  const { calls } = callsIn(world, {
    client: createClient({
      send: largeUpstream(createEmulator({ world }), () => growthOf),
      target: { origin: `https://${demoCredentials.host}`, vendor: "akamai" },
      authorize: authorizer(undefined, demoCredentials),
      maxResponseBytes: 16_777_216,
    }),
    secretFiles: secretFiles(secretDirectory()),
    callTimeoutMs: 60_000,
    results: createResults({ store: results, queries: async () => queries, secrets: [], maxTokens }),
  });

  async function outcomeOf(tool: string, args: Arguments): Promise<Made> {
    const outcome = await calls.call(tool, args, caller);
    if (outcome.kind === "question") throw new Error("It asked.");
    return outcome;
  }
  async function outcomesOf(tool: string, args: Arguments): Promise<Made[]> {
    const first = await outcomeOf(tool, args);
    return first.kind === "preview" ? [first, await outcomeOf(tool, { ...args, confirm: first.plan.id })] : [first];
  }
  /** A change that was made, with a preview of hundreds of lines. */
  async function planMade(): Promise<string> {
    const objects = Array.from({ length: 400 }, (_, at) => `https://www.shop.example/${"path/".repeat(10)}${at}`);
    const [change] = await outcomesOf("purge_submit", { queueName: "default", body: { objects } });
    if (change?.kind !== "preview") throw new Error(JSON.stringify(change));
    return change.plan.id;
  }
  async function checked(outcome: Made): Promise<ToolResult> {
    const result = await resultStoredIn(results, outcome, { upstream: "the upstream", secrets: [], maxTokens });
    expect(problemsOf(result), textOf(result).slice(0, 2_000)).toEqual([]);
    return result;
  }
  const begin = (growth: GrowthOf): void => {
    // What one tool has changed or kept must not decide what the next one meets.
    world.reset();
    store = emptyStore();
    growthOf = growth;
  };

  return {
    /** Its own answer has so many bytes. */
    answering: (bytes: number) => async (tool: string, args: Arguments) => {
      const operation = operations.get(tool);
      begin((one) => (one === operation ? { by: "rows", bytes } : undefined));
      for (const outcome of await outcomesOf(tool, args)) {
        const { cut, data } = (await checked(outcome)).structuredContent;
        if (outcome.kind === "preview") continue;
        if (outcome.kind !== "answer") throw new Error(JSON.stringify(outcome).slice(0, 2_000));
        // A secret in a file and what an envelope had beside the answer may leave little to show.
        if (outcome.reply.whole === undefined && cut !== true) expect(data).toEqual(outcome.reply.body);
      }
    },
    /** Each answer that a workflow reads has so many bytes. */
    composing: (bytes: number) => async (tool: string, example: Arguments) => {
      begin(() => undefined);
      const given = JSON.stringify(example);
      const plan = given.includes(made.plan) ? await planMade() : "";
      const handle = given.includes(made.handle) ? ((await handleOf(results, { data: rowsOf(bytes) })) ?? "") : "";
      const placed = given.replaceAll(made.plan, plan).replaceAll(made.handle, handle);
      growthOf = (): Growth => ({ by: "texts", bytes });
      for (const outcome of await outcomesOf(tool, JSON.parse(placed))) {
        // A change may be refused for what its composition read, and what reads tells what it can.
        if (tools.get(tool)?.effect === "read" && (tool !== "result_query" || sqlEngine !== undefined))
          expect(outcome.kind).toBe("workflow");
        await checked(outcome);
      }
    },
    /** Each answer that a guard reads before it shows a change has so many bytes. */
    guarding: (bytes: number) => async (tool: string, args: Arguments) => {
      begin((): Growth => ({ by: "rows", bytes }));
      const outcome = await outcomeOf(tool, args);
      await checked(outcome);
      if (outcome.kind === "preview") return;
      // What is there in several copies may suit the arguments no more.
      const { checks, resolves } = operations.get(tool)?.spec ?? {};
      const refusals = ["too_large", ...(checks || resolves ? ["invalid_input"] : [])];
      expect(refusals).toContain(outcome.kind === "failure" ? outcome.failure.code : outcome.kind);
    },
  };
}
