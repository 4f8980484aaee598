/** The guard: no destructive request leaves without a plan that was shown, approved, and is still valid. */
import { type Account, accountKey, accountText } from "../api/account.js";
import type { CheckedArguments } from "../api/arguments.js";
import type { AnyOperation } from "../api/define.js";
import { guardOf } from "../api/effect.js";
import type { ResolvedRequest } from "../client/index.js";
import {
  type Approval,
  type Awaited,
  type Binding,
  type Plan,
  type Plans,
  requestHash,
  stateHash,
  type Through,
} from "./plan.js";
import { describe, type Preview } from "./preview.js";
import type { State } from "./state.js";

export { explainConflict } from "./conflict.js";
export type { Awaited, Plan, PlanRecord, Plans, Settlement, Through } from "./plan.js";
export { createPlans } from "./plans/index.js";
export type { Preview } from "./preview.js";
export type { State } from "./state.js";

/** A destructive call as it stands before it is made. */
export interface GuardedCall {
  readonly tool: string;
  readonly operation: AnyOperation;
  readonly args: CheckedArguments;
  readonly request: ResolvedRequest;
  readonly account: Account;
  /** The owner: no one else can use the plan. */
  readonly owner: string;
  /** Reads the state that the call would change; undefined when no operation can show it for these arguments. */
  readonly readState: () => Promise<State | undefined>;
}

// Some state changes by itself, such as a queue's length; only what the call replaces or removes must stay as shown.
const isBoundToState = ({ operation }: GuardedCall): boolean => guardOf(operation)?.boundTo !== "request";

function bindingOf(call: GuardedCall, state: State | undefined): Binding {
  const { tool, account, owner, request } = call;
  return {
    tool,
    account: accountKey(account),
    owner,
    requestHash: requestHash(request),
    stateHash: state && isBoundToState(call) ? stateHash(state.body) : undefined,
  };
}

/** Describes the call and records the plan that approves it, once what it awaits has come. Nothing is changed. */
export async function plan(
  plans: Plans,
  call: GuardedCall,
  awaits: Awaited,
): Promise<{ readonly plan: Plan; readonly preview: Preview }> {
  const state = await call.readState();
  const { tool, operation, args, request, account } = call;
  const preview = describe(tool, operation, args, request, accountText(account), state);
  return { plan: await plans.open(bindingOf(call, state), { awaits, tier: "guarded", preview }), preview };
}

/**
 * Uses up the plan of an approved call, after reading the state again where the plan is bound to it.
 * @returns Who approved it, and when.
 * @throws Failure `approval_refused` when the plan does not hold for this call as things are now.
 */
export async function approve(plans: Plans, planId: string, call: GuardedCall, through: Through): Promise<Approval> {
  const state = isBoundToState(call) ? await call.readState() : undefined;
  return plans.redeem(planId, bindingOf(call, state), through, call.operation.spec.shownBy);
}
