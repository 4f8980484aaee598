/** A destructive call: a preview or an elicitation first, and the request only under an approved plan. */
import { Failure } from "../api/failure.js";
import type { Reply } from "../client/index.js";
import { approve, type GuardedCall, plan } from "../guard/index.js";
import type { Caller } from "./caller.js";
import type { Context, Invoke, Prepared } from "./context.js";
import type { Outcome } from "./outcome.js";
import { readState } from "./state.js";

/**
 * The plan that a call is made under: from its argument, or from the user's approval.
 * @throws Failure `declined` when the user was asked and did not approve.
 */
function approvedPlan({ tool, args, composed }: GuardedCall, { plans }: Context, { decision }: Caller) {
  const confirm = composed ? composed.confirm : args.confirm;
  if (confirm !== undefined) return confirm;
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
  const { declared, checked, request, composed } = prepared;
  const call: GuardedCall = {
    tool: composed?.tool ?? prepared.tool,
    operation: declared,
    args: checked,
    request,
    composed,
    account,
    owner: caller.owner,
    readState: () => readState(context, declared.spec.shownBy, checked.values, invoke),
  };
  const planId = approvedPlan(call, context, caller);
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
