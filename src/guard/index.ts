/** The guard: no destructive request leaves without a plan that was shown, approved, and is still true. */
import { type Account, accountKey, accountText } from "../api/account.js";
import type { CheckedArguments } from "../api/arguments.js";
import type { AnyOperation } from "../api/define.js";
import type { ResolvedRequest } from "../client/index.js";
import { type Binding, type Plan, type Plans, requestHash, stateHash } from "./plan.js";
import { describe, guardOf, type Preview } from "./preview.js";

export { explainConflict } from "./conflict.js";
export { createPlans, type Plan, type Plans } from "./plan.js";
export type { Preview } from "./preview.js";

/** A destructive call as it stands before it is made. */
export interface GuardedCall {
  readonly tool: string;
  readonly operation: AnyOperation;
  readonly args: CheckedArguments;
  readonly request: ResolvedRequest;
  readonly account: Account;
  /** Who asked: one plan never serves anybody else. */
  readonly owner: string;
  /** Reads the state that the call would change; undefined when no operation can show it for these arguments. */
  readonly readState: () => Promise<unknown>;
}

async function bind(call: GuardedCall): Promise<{ readonly binding: Binding; readonly state: unknown }> {
  const state = await call.readState();
  const { tool, account, owner } = call;
  // A queue's length or the time of day moves by itself; only what the call replaces or removes has to stay as shown.
  const isBoundToState = state !== undefined && guardOf(call.operation)?.boundTo !== "request";
  const binding = {
    tool,
    account: accountKey(account),
    owner,
    requestHash: requestHash(call.request),
    stateHash: isBoundToState ? stateHash(state) : undefined,
  };
  return { binding, state };
}

/** Describes the call and records the plan that approves it. Nothing is changed. */
export async function plan(
  plans: Plans,
  call: GuardedCall,
): Promise<{ readonly plan: Plan; readonly preview: Preview }> {
  const { binding, state } = await bind(call);
  return {
    plan: plans.open(binding),
    preview: describe(call.tool, call.operation, call.args, call.request, accountText(call.account), state),
  };
}

/**
 * Uses up the plan of an approved call, after reading the state again.
 * @throws Failure `approval_refused` when the plan does not hold for this call as things are now.
 */
export async function approve(plans: Plans, planId: string, call: GuardedCall): Promise<void> {
  const { binding } = await bind(call);
  plans.redeem(planId, binding);
}
