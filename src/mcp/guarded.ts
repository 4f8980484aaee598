/** A destructive call: a preview or a question to the person first, and the request only under an approved plan. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { previewResult, successResult } from "../answers/result.js";
import { Failure } from "../api/failure.js";
import type { Reply } from "../client/index.js";
import { approve, type GuardedCall, plan } from "../guard/index.js";
import { type ApprovalState, approvalForm, approvalMessage, mintApproval } from "./approval.js";
import type { Engine } from "./engine.js";

/** Whether the client can put a form before its person. */
function canElicit(server: Server, ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities =
    (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? server.getClientCapabilities();
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/**
 * The plan that a call comes with: named by its argument, or by a person's yes to the form.
 * @throws Failure `declined` when the person was asked and did not agree.
 */
function approvedPlan({ tool, args }: GuardedCall, { plans }: Engine, ctx: ServerContext): string | undefined {
  if (args.confirm !== undefined) return args.confirm;
  // Answers that come without a state which this server signed are nobody's approval (security notes, F2).
  const state = ctx.mcpReq.requestState<ApprovalState>();
  const answer = state === undefined ? undefined : inputResponse(ctx.mcpReq.inputResponses, "approval");
  if (state === undefined || answer?.kind !== "elicit") return undefined;
  const isApproved =
    answer.action === "accept" && (answer.content as Record<string, unknown> | undefined)?.["approve"] === true;
  if (isApproved) return state.plan;
  plans.refuse(state.plan);
  throw new Failure("declined", `${tool} was not approved.`, {
    why: "The person was asked and did not agree. Nothing was sent.",
    next: "Do not ask again unless the person wants it.",
  });
}

/** Shows what a call would do: to the assistant, or to the person where the client can ask. */
async function propose(
  call: GuardedCall,
  { plans, presentation }: Engine,
  server: Server,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { plan: made, preview } = await plan(plans, call);
  if (!canElicit(server, ctx)) return previewResult(preview, made.id, made.expiresAtMs, presentation);
  return inputRequired({
    inputRequests: {
      approval: inputRequired.elicit({
        message: approvalMessage(preview, presentation.secrets),
        requestedSchema: approvalForm,
      }),
    },
    requestState: await mintApproval({ plan: made.id }, ctx),
  });
}

/** Makes a guarded call: `send` is called once, when the plan that the call comes with is approved and still true. */
export async function performGuarded(
  call: GuardedCall,
  send: () => Promise<Reply>,
  engine: Engine,
  server: Server,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { plans, presentation } = engine;
  const planId = approvedPlan(call, engine, ctx);
  if (planId === undefined) return propose(call, engine, server, ctx);
  await approve(plans, planId, call);
  try {
    const reply = await send();
    plans.settle(planId, `it answered ${reply.status}`);
    return successResult(reply, presentation, { returns: call.operation.spec.returns });
  } catch (error) {
    plans.settle(planId, error instanceof Failure ? `it ended with ${error.code}` : "it failed");
    throw error;
  }
}
