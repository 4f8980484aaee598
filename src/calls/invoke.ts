/** Calls within a call: any unguarded operation by its tool's name, validated, counted and recorded like every call. */
import type { CallPurpose } from "../audit/index.js";
import type { Arguments } from "../language/conduct.js";
import { guardOf, isRead } from "../language/effect.js";
import { asFailure, Failure } from "../language/failure.js";
import { canonical } from "../text/canonical.js";
import type { Reply } from "../wire/index.js";
import type { CallContext, Invoke, InvokeByPurpose, ReadMemory } from "./context.js";
import { operationOf } from "./locate.js";
import type { ToolOffer } from "./offer.js";
import type { ReadOrigin } from "./origin.js";
import { permitCalls } from "./permit.js";
import { resolveCall } from "./resolve.js";
import type { CallRun } from "./run.js";
import { validateCall } from "./validate.js";

/** The context of a call in progress. */
export type InvocationRun = Pick<CallRun, "context" | "deadline" | "trail" | "waiting"> & {
  readonly caller: ReadOrigin;
  /** Whether it is background work, which only takes a part of what the limits of the APIs leave. */
  readonly isSpare?: true;
};

/**
 * Calls an operation that needs no approval, with its own audit trail.
 * @throws Failure, always with what to do next.
 */
export async function callUnguarded(
  run: InvocationRun,
  tool: string,
  args: Arguments,
  purpose: CallPurpose,
): Promise<Reply> {
  const { context, trail, deadline, caller, waiting, isSpare } = run;
  try {
    const cause = { purpose, through: trail.outerTools.at(-1) };
    const operation = await operationOf(context, tool);
    const validCall = await validateCall(run, tool, operation, args, cause);
    const call = await resolveCall({ ...run, read: createInvoke(run) }, validCall, cause);
    const { service, declared, request } = call;
    const { facts, decision } = await permitCalls(run, { all: [call] });
    if (declared.spec.secretTo)
      throw new Error("An operation whose response contains a secret cannot be called internally.");
    if (guardOf(declared)) throw new Error("An operation that needs an approval cannot be called internally.");
    if (decision.effect === "approve")
      throw new Failure("not_allowed", `${tool} needs a separate approval.`, {
        why: `The policy's rule ${decision.rule} requires it, and ${tool} was called as a step of another call. Nothing was sent.`,
        next: `Call ${tool} directly, and have it approved.`,
      });
    await trail.recordIntent(facts, decision);
    const reply = await context.client.call(tool, service, declared, request, {
      owner: caller.owner,
      deadline,
      onWait: waiting,
      onRequest: trail.countRequest,
      // A preview and an approval need the state of this moment, and a shared read may have begun earlier.
      isFresh: purpose === "state",
      isSpare,
    });
    await trail.recordEnd(reply);
    if (reply.rows === undefined) return reply;
    // Calls within a call need the whole body and store no file.
    const { withAllRows } = await import("./row-file.js");
    try {
      return withAllRows(reply);
    } finally {
      reply.rows.drop();
    }
  } catch (error) {
    await trail.recordEnd({ failure: asFailure(error) });
    throw error;
  }
}

/** Creates the function for calls within a call, which share its deadline. */
export const createInvoke =
  (run: InvocationRun): InvokeByPurpose =>
  (purpose) =>
  (tool, args) =>
    callUnguarded({ ...run, trail: run.trail.beginInner(tool, args, purpose) }, tool, args, purpose);

export const createReadMemory = (): ReadMemory => new Map<string, Promise<Reply>>();

/**
 * The same with memoized responses: what checks, the composition and the preview all need is read once. Tools that
 * are left out are cached by purpose, because they are read for some purposes and refused for others.
 */
export function withMemory(invoke: InvokeByPurpose, offer: ToolOffer | undefined, known: ReadMemory): InvokeByPurpose {
  return (purpose) => (tool, args) => {
    const key = canonical(offer?.leftOut(tool) === undefined ? [tool, args] : [tool, args, purpose]);
    const found = known.get(key) ?? invoke(purpose)(tool, args);
    known.set(key, found);
    return found;
  };
}

/** The same for reads only, because nothing may change before the approval. */
export function invokeReadsOnly(context: CallContext, invoke: Invoke): Invoke {
  return async (tool, args) => {
    const found = await context.operationOf(tool);
    if (found && !isRead(found.declared)) throw new Error("A change may only be composed from reads.");
    return invoke(tool, args);
  };
}
