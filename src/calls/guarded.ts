/** A destructive call: a preview or an elicitation first, and the request only under an approved plan. */
import { Failure } from "../api/failure.js";
import type { Reply } from "../client/index.js";
import { approve, type GuardedCall, plan } from "../guard/index.js";
import type { Caller } from "./caller.js";
import type { Context, Invoke, Prepared } from "./context.js";
import type { Outcome } from "./outcome.js";
import { readPresent } from "./state.js";

/**
 * The plan that a call is made under: from its argument, or from the user's approval.
 * @throws Failure `declined` when the user was asked and did not approve.
 */
function approvedPlan({ tool, checked }: Prepared, { plans }: Context, { decision }: Caller): string | undefined {
  if (checked.confirm !== undefined) return checked.confirm;
  if (decision === undefined || decision.isApproved) return decision?.plan;
  plans.refuse(decision.plan);
  throw new Failure("declined", `${tool} was not approved.`, {
    why: "The user was asked and did not approve. Nothing was sent.",
    next: "Do not ask again unless the user wants it.",
  });
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
    readState: () => readPresent(context, declared, checked.values, invoke),
  };
  const planId = approvedPlan(prepared, context, caller);
  if (planId === undefined)
    return { kind: caller.supportsElicitation ? "question" : "preview", ...(await plan(plans, call)) };
  await approve(plans, planId, call);
  try {
    const reply = await send();
    plans.settle(planId, `it answered ${reply.status}`);
    return { kind: "answer", reply, declared: declared.spec };
  } catch (error) {
    plans.settle(planId, error instanceof Failure ? `it ended with ${error.code}` : "it failed");
    throw error;
  }
}
