/** A model that makes calls without any protocol: at two desks, as of two processes, on one recorded emulator. */
import { type CallOrigin, type Calls, type CallsOptions, createCalls, type Outcome } from "../../src/calls/index.js";
import { digestOfRequest, digestOfValue } from "../../src/guard/difference.js";
import { createPlans, type OperatorPlans } from "../../src/guard/index.js";
import { memoryPlanStorage, type PlanStorage } from "../../src/guard/plans/storage.js";
import type { Arguments } from "../../src/language/conduct.js";
import { secretFiles } from "../../src/secrets/files.js";
import { onEmulator } from "../lab/emulated.js";
import { secretDirectory } from "../lab/secret-files.js";
import { type Arrived, createRecorder } from "./recorder.js";
import { type Target, tools } from "./targets.js";

export const model: CallOrigin = {
  owner: "local",
  signal: undefined,
  progress: async () => undefined,
  supportsElicitation: false,
};
/** The same with a user who can be asked. */
export const asking: CallOrigin = { ...model, supportsElicitation: true };
/** Another client of the same server. */
export const stranger: CallOrigin = { ...model, owner: "stranger" };

/** The calls of one process, and its plans. */
export interface Desk {
  readonly plans: OperatorPlans;
  readonly calls: Calls;
  call(tool: string, args: Arguments, caller?: CallOrigin): Promise<Outcome>;
}

/** The plan that an outcome names. */
export function planOf(outcome: Outcome): string {
  if (outcome.kind === "preview" || outcome.kind === "question") return outcome.plan.id;
  throw new Error(outcome.kind === "failure" ? outcome.failure.message : `It was a ${outcome.kind}.`);
}

const files = secretFiles(secretDirectory("alice"));

/** One emulator and two desks with one storage of plans, like two processes that share a directory. */
export function begin(options: Partial<CallsOptions> = {}, storage: PlanStorage = memoryPlanStorage(), ttlMs = 60_000) {
  const recorder = createRecorder();
  const desk = (): Desk => {
    const plans = createPlans({ ttlMs, storage });
    const calls = createCalls({
      ...onEmulator(tools, recorder.emulator.send, 16_000_000),
      secretFiles: files,
      plans,
      ...options,
    });
    return { plans, calls, call: (tool, args, caller = model) => calls.call(tool, args, caller) };
  };
  return { recorder, desks: [desk(), desk()] as const };
}

/** Makes a call with the user's approval, and returns its plan. */
export const honestly =
  ({ call }: Desk, caller: CallOrigin = model) =>
  async (tool: string, args: Arguments): Promise<string> => {
    const plan = planOf(await call(tool, args, caller));
    await call(tool, { ...args, confirm: plan }, caller);
    return plan;
  };

/** A target that is ready to be attacked, and the number of changes that have arrived since. */
export async function prepared({ desks: [desk], recorder }: ReturnType<typeof begin>, target: Target, caller = model) {
  const args = await target.prepare(honestly(desk, caller));
  const before = (await recorder.changes()).length;
  return { args, changes: async () => (await recorder.changes()).slice(before) };
}

/** The digest that a preview shows of these requests. */
export function digestOf(arrived: readonly Arrived[]): string {
  const digests = arrived.map(({ method, url, headers, body }) =>
    digestOfRequest({
      method,
      url,
      headers,
      ...(body === "" ? {} : { body: Buffer.from(body) }),
      answers: { byStatus: {}, wanted: [] },
    }),
  );
  const [only = ""] = digests;
  return digests.length === 1 ? only : digestOfValue(digests);
}
