/** Calls between the protocol and the wire: every tool is called here and returns an outcome. */
import { checkValues } from "../api/arguments.js";
import type { Arguments } from "../api/conduct.js";
import { deadlineIn } from "../api/deadline.js";
import { asFailure, Failure } from "../api/failure.js";
import type { Reply } from "../client/index.js";
import type { Caller } from "./caller.js";
import type { Context } from "./context.js";
import { withoutEcho } from "./echo.js";
import { performGuarded } from "./guarded.js";
import { createInvoke } from "./invoke.js";
import type { Outcome } from "./outcome.js";
import { prepare } from "./prepare.js";
import { send } from "./send.js";
import type { Tools, Workflow, Workflows } from "./workflow.js";

export type { Caller, Decision } from "./caller.js";
export type { Context, Invoke } from "./context.js";
export type { Outcome } from "./outcome.js";
export type { Tools } from "./workflow.js";

export interface CallsOptions extends Context {
  readonly tools: Tools;
  readonly workflows: Workflows;
  /** The timeout of one call and all that is done for it, in milliseconds; the user's time to approve is not counted. */
  readonly callTimeoutMs: number;
  /** Called with an error that is not a Failure, which is a bug in this program. */
  readonly onFault: (error: unknown, tool: string, requestId: Caller["requestId"]) => void;
}

export interface Calls {
  /** Calls a tool of the catalogue. Never throws: a failure is an outcome. */
  call(tool: string, args: Arguments, caller: Caller): Promise<Outcome>;
  /**
   * Calls an unguarded operation with a deadline of its own.
   * @throws Failure, always with what to do next.
   */
  invoke(tool: string, args: Arguments, signal?: AbortSignal): Promise<Reply>;
}

/** Makes the calls of a process. */
export function createCalls({ callTimeoutMs, onFault, tools, workflows, ...context }: CallsOptions): Calls {
  const runWorkflow = async (tool: string, { input, run }: Workflow, args: Arguments, caller: Caller) => {
    const given = checkValues(tool, input, args);
    const invoke = createInvoke(context, deadlineIn(callTimeoutMs, caller.signal));
    return {
      kind: "workflow",
      result: await run(given, { invoke, progress: caller.progress, tools, workflows }),
    } as const;
  };

  const callOperation = async (tool: string, args: Arguments, caller: Caller): Promise<Outcome> => {
    const deadline = deadlineIn(callTimeoutMs, caller.signal);
    const invoke = createInvoke(context, deadline);
    const prepared = await prepare(context, tool, args, invoke);
    const sendIt = () => send(context, prepared, invoke, { deadline, progress: caller.progress });
    const { spec: declared } = prepared.declared;
    try {
      if (declared.guard) return await performGuarded(context, prepared, caller, invoke, sendIt);
      return { kind: "answer", reply: await sendIt(), declared };
    } catch (error) {
      throw withoutEcho(error, prepared);
    }
  };

  return {
    async call(tool, args, caller) {
      try {
        const workflow = Object.hasOwn(workflows, tool) ? workflows[tool] : undefined;
        return await (workflow ? runWorkflow(tool, await workflow(), args, caller) : callOperation(tool, args, caller));
      } catch (error) {
        if (!(error instanceof Failure)) onFault(error, tool, caller.requestId);
        return { kind: "failure", failure: asFailure(error) };
      }
    },
    invoke: (tool, args, signal) => createInvoke(context, deadlineIn(callTimeoutMs, signal))(tool, args),
  };
}
