/** A destructive call: a preview or an elicitation first, and the request only under an approved plan. */
import { Failure } from "../api/failure.js";
import type { Reply } from "../client/index.js";
import { approve, type GuardedCall, plan, type Settlement, type Through } from "../guard/index.js";
import type { Caller } from "./caller.js";
import type { Context, Invoke, Prepared } from "./context.js";
import type { Outcome } from "./outcome.js";
import { readState } from "./state.js";

/**
 * The plan that a call is made under, and how it came: from its argument, or from the user's approval.
 * @throws Failure `declined` when the user was asked and did not approve.
 */
async function approvedPlan(
  { tool, checked }: Prepared,
  { plans }: Context,
  { decision }: Caller,
): Promise<{ readonly id: string; readonly through: Through } | undefined> {
  if (checked.confirm !== undefined) return { id: checked.confirm, through: "confirm" };
  if (decision === undefined) return undefined;
  if (decision.isApproved) return { id: decision.plan, through: "elicitation" };
  await plans.refuse(decision.plan, "elicitation");
  throw new Failure("declined", `${tool} was not approved.`, {
    why: "The user was asked and did not approve. Nothing was sent.",
    next: "Do not ask again unless the user wants it.",
  });
}

/** How a call that threw has ended. */
function endOf(error: unknown): Settlement {
  if (!(error instanceof Failure)) return { state: "unknown", says: "it failed" };
  const isUnknown = error.code === "outcome_unknown" || error.code === "cancelled";
  return { state: isUnknown ? "unknown" : "failed", says: `it ended with ${error.code}` };
}

/** Makes a guarded call: `send` is called once, when its plan is approved and still valid. */
export async function performGuarded(
  context: Context,
  prepared: Prepared,
  caller: Caller,
  invoke: Invoke,
  send: () => Promise<Reply>,
): Promise<Outcome> {
  const { plans, account } = context;
  const { tool, declared, checked, request } = prepared;
  const call: GuardedCall = {
    tool,
    operation: declared,
    args: checked,
    request,
    account,
    owner: caller.owner,
    readState: () => readState(context, declared.spec.shownBy, checked.values, invoke),
  };
  const approved = await approvedPlan(prepared, context, caller);
  if (approved === undefined) {
    const [kind, awaits] = caller.supportsElicitation
      ? (["question", "question"] as const)
      : (["preview", "confirm"] as const);
    return { kind, ...(await plan(plans, call, awaits)) };
  }
  const { id, through } = approved;
  await approve(plans, id, call, through);
  try {
    await plans.sending(id);
    const reply = await send();
    await plans.settle(id, { state: "done", says: `it answered ${reply.status}` });
    return { kind: "answer", reply, declared: declared.spec };
  } catch (error) {
    await plans.settle(id, endOf(error));
    throw error;
  }
}
