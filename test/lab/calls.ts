/** Calls of the real tools against an emulator whose world the test holds: its clock can be moved, its state be filled. */
import { afterEach, beforeEach, vi } from "vitest";
import { createCalls } from "../../src/calls/index.js";
import { type ControlledWorld, createWorld } from "../../src/emulator/world.js";
import { wholeSearch } from "../search/whole.js";
import { onEmulator } from "./emulated.js";
import { createEmulator } from "./emulator.js";
import { caller } from "./made-up.js";
import { auditTo } from "./options.js";
import { apis, catalogueOfProject } from "./project.js";

export type Args = Record<string, unknown>;

const tools = await catalogueOfProject();

/** What a test does with the calls of one world: each throws where the outcome is of another kind than it says. */
export function callsIn(world: ControlledWorld, more: Partial<Parameters<typeof createCalls>[0]> = {}) {
  const audited: string[] = [];
  const emulator = createEmulator({ world });
  const calls = createCalls({
    ...onEmulator(tools, emulator.send),
    apis: apis === "today" ? apis : undefined,
    audit: auditTo(audited),
    search: wholeSearch,
    ...more,
  });
  const outcomeOf = (tool: string, args: Args) => calls.call(tool, args, caller);
  const other = (outcome: object) => new Error(JSON.stringify(outcome).slice(0, 1_500));
  async function previewed(tool: string, args: Args) {
    const outcome = await outcomeOf(tool, args);
    if (outcome.kind !== "preview") throw other(outcome);
    return { ...outcome.preview, plan: outcome.plan, text: outcome.preview.lines.join("\n") };
  }
  return {
    calls,
    audited,
    call: outcomeOf,
    previewed,
    async approved(tool: string, args: Args) {
      const { plan } = await previewed(tool, args);
      return outcomeOf(tool, { ...args, confirm: plan.id });
    },
    async answer(tool: string, args: Args) {
      const outcome = await outcomeOf(tool, args);
      if (outcome.kind !== "answer") throw other(outcome);
      return outcome.reply;
    },
    /** The result of a workflow, of the type that the test knows it to be. */
    async worked<Result>(tool: string, args: Args) {
      const outcome = await outcomeOf(tool, args);
      if (outcome.kind !== "workflow") throw other(outcome);
      return outcome.result as unknown as Result;
    },
    /** The fields of a refusal, each with what it takes. */
    async refused(tool: string, args: Args) {
      const outcome = await outcomeOf(tool, args);
      if (outcome.kind !== "failure") throw other(outcome);
      const { code, message, detail } = outcome.failure;
      return { code, message, fields: (detail.fields ?? []).map(({ field, takes }) => `${field}: ${takes}`) };
    },
  };
}

/**
 * For each test of a file, calls in a world of its own whose clock stands still, and the machine's date with it.
 * @param more Options of the calls, the same for all tests.
 * @returns the world and its calls, while a test runs; `startAt` begins both anew at another time.
 */
export function callsAt(now: number, more: Parameters<typeof callsIn>[1] = {}) {
  const begun = (nowMs: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
    const world = createWorld({ frozenAt: nowMs });
    return { world, calls: callsIn(world, { callTimeoutMs: 60_000, ...more }) };
  };
  let held: ReturnType<typeof begun> | undefined;
  const present = () => {
    if (!held) throw new Error("No test is running.");
    return held;
  };
  const startAt = (nowMs: number): void => {
    held = begun(nowMs);
  };
  beforeEach(() => startAt(now));
  afterEach(() => {
    vi.useRealTimers();
    present().world.reset();
  });
  return {
    get world(): ControlledWorld {
      return present().world;
    },
    get calls() {
      return present().calls;
    },
    startAt,
  };
}
