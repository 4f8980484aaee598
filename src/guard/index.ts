/** The guard: no destructive request leaves without a plan that was shown, approved, and is still valid. */
import { type Account, accountKey, accountText } from "../api/account.js";
import type { CheckedArguments } from "../api/arguments.js";
import type { Arguments } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { guardOf } from "../api/effect.js";
import { Failure } from "../api/failure.js";
import type { ResolvedRequest } from "../client/index.js";
import { type Binding, type Plan, type Plans, requestHash, stateHash } from "./plan.js";
import { describe, type Preview } from "./preview.js";
import type { State } from "./state.js";

export { explainConflict } from "./conflict.js";
export { createPlans, type Plan, type Plans } from "./plan.js";
export type { Preview } from "./preview.js";
export type { State } from "./state.js";

/** A change that was composed from what is there, as its caller asked for it. */
export interface Composed {
  readonly tool: string;
  /** Its own arguments, without `confirm`. */
  readonly given: Arguments;
  readonly confirm: string | undefined;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** A destructive call as it stands before it is made. */
export interface GuardedCall {
  /** The tool that was called: of the operation, or of the composed change. */
  readonly tool: string;
  readonly operation: AnyOperation;
  readonly args: CheckedArguments;
  readonly request: ResolvedRequest;
  readonly composed?: Composed | undefined;
  readonly account: Account;
  /** The owner: no one else can use the plan. */
  readonly owner: string;
  /** Reads the state that the call would change; undefined when no operation can show it for these arguments. */
  readonly readState: () => Promise<State | undefined>;
}

// Some state changes by itself, such as a queue's length; only what the call replaces or removes must stay as shown.
const isBoundToState = ({ operation }: GuardedCall): boolean => guardOf(operation)?.boundTo !== "request";

function bindingOf(call: GuardedCall, state: State | undefined): Binding {
  const { tool, account, owner, request, composed } = call;
  const caller = { tool, account: accountKey(account), owner };
  const bound = state && isBoundToState(call) ? state.body : undefined;
  if (!composed) {
    const hash = bound === undefined ? undefined : stateHash(bound);
    return { ...caller, requestHash: requestHash(request), stateHash: hash };
  }
  // The request of a composed change is made from the state and differs whenever that does, although the same was asked.
  // So it counts as part of the state: its refusal then says that the state has changed, and not the arguments.
  return {
    ...caller,
    requestHash: stateHash(composed.given),
    stateHash: stateHash({ request: requestHash(request), state: bound }),
  };
}

/** Describes the call and records the plan that approves it. Nothing is changed. */
export async function plan(
  plans: Plans,
  call: GuardedCall,
): Promise<{ readonly plan: Plan; readonly preview: Preview }> {
  const state = await call.readState();
  const { tool, operation, args, request, account, composed } = call;
  const preview = describe(tool, operation, args, request, accountText(account), state);
  const remarks = composed && { warnings: composed.warnings, notes: composed.notes };
  return { plan: plans.open(bindingOf(call, state)), preview: { ...preview, ...remarks } };
}

/** A refusal whose way on is to compose the change again, which reads what is there now. */
function composedAgain(refusal: unknown, { tool }: Composed): unknown {
  if (!(refusal instanceof Failure)) return refusal;
  return new Failure(refusal.code, refusal.message, {
    ...refusal.detail,
    next: `Call ${tool} again without confirm: it reads what is there now and previews the change made from that. Have the new preview approved.`,
  });
}

/**
 * Uses up the plan of an approved call, after reading the state again where the plan is bound to it.
 * @throws Failure `approval_refused` when the plan does not hold for this call as things are now.
 */
export async function approve(plans: Plans, planId: string, call: GuardedCall): Promise<void> {
  const state = isBoundToState(call) ? await call.readState() : undefined;
  try {
    plans.redeem(planId, bindingOf(call, state));
  } catch (error) {
    throw call.composed ? composedAgain(error, call.composed) : error;
  }
}
