/** Calls between the protocol and the wire: every tool is called here and returns an outcome. */
import { checkValues } from "../api/arguments.js";
import type { Arguments } from "../api/conduct.js";
import { type Deadline, deadlineIn } from "../api/deadline.js";
import { asFailure, Failure } from "../api/failure.js";
import type { Reply } from "../client/index.js";
import type { Composed } from "../guard/index.js";
import type { Caller } from "./caller.js";
import type { Context } from "./context.js";
import { withoutEcho } from "./echo.js";
import { performGuarded } from "./guarded.js";
import { createInvoke, createRead } from "./invoke.js";
import type { Outcome } from "./outcome.js";
import { prepare, refuseChange } from "./prepare.js";
import { send } from "./send.js";
import { anyOperation, type Change, isChange, type Tools, type Workflow, type Workflows } from "./workflow.js";

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

  const callOperation = async (
    tool: string,
    args: Arguments,
    caller: Caller,
    deadline: Deadline,
    composed?: Composed,
  ): Promise<Outcome> => {
    const invoke = createInvoke(context, deadline);
    const prepared = await prepare(context, tool, args, invoke, composed);
    const sendIt = () => send(context, prepared, invoke, { deadline, progress: caller.progress });
    const { spec: declared } = prepared.declared;
    try {
      if (declared.guard || composed) return await performGuarded(context, prepared, caller, invoke, sendIt);
      return { kind: "answer", reply: await sendIt(), declared };
    } catch (error) {
      throw withoutEcho(error, prepared);
    }
  };

  const callChange = async (tool: string, declared: Change, args: Arguments, caller: Caller): Promise<Outcome> => {
    refuseChange(context, tool);
    const { confirm, ...given } = checkValues(tool, declared.input, args, true);
    const deadline = deadlineIn(callTimeoutMs, caller.signal);
    const read = createRead(context, deadline);
    const composition = await declared.compose(given, { invoke: read, progress: caller.progress });
    if ("unchanged" in composition)
      return { kind: "workflow", result: { done: "Nothing was changed.", why: composition.unchanged } };
    const { args: prepared, notes = [], warnings = [] } = composition;
    const made = declared.makes === anyOperation ? composition.tool : declared.makes;
    if (made === undefined) throw new Error("A composition lacks the operation that its declaration leaves open.");
    const composed = { tool, given, confirm: confirm as string | undefined, notes, warnings };
    return callOperation(made, prepared, caller, deadline, composed);
  };

  const callTool = async (tool: string, args: Arguments, caller: Caller): Promise<Outcome> => {
    const declared = Object.hasOwn(workflows, tool) ? await workflows[tool]?.() : undefined;
    if (!declared) return callOperation(tool, args, caller, deadlineIn(callTimeoutMs, caller.signal));
    return isChange(declared) ? callChange(tool, declared, args, caller) : runWorkflow(tool, declared, args, caller);
  };

  return {
    async call(tool, args, caller) {
      try {
        return await callTool(tool, args, caller);
      } catch (error) {
        if (!(error instanceof Failure)) onFault(error, tool, caller.requestId);
        return { kind: "failure", failure: asFailure(error) };
      }
    },
    invoke: (tool, args, signal) => createInvoke(context, deadlineIn(callTimeoutMs, signal))(tool, args),
  };
}
