/** `tools/call`: from the request to a caller, and from the outcome to a result or an elicitation. */
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
import type { Caller, Decision } from "../calls/index.js";
import { type ApprovalState, approvalForm, approvalMessage, mintApproval } from "./approval.js";
import { ownerOf } from "./owner.js";
import { progressOf } from "./progress.js";
import { resultOf } from "./result.js";
import type { Surface } from "./surface.js";

/** Whether the client supports form elicitation. */
function supportsElicitation(server: Server, ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities =
    (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? server.getClientCapabilities();
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** The user's response to the form; without a state that this server signed it approves nothing (security notes, F2). */
function decisionOf(ctx: ServerContext): Decision | undefined {
  const state = ctx.mcpReq.requestState<ApprovalState>();
  const answer = state === undefined ? undefined : inputResponse(ctx.mcpReq.inputResponses, "approval");
  if (state === undefined || answer?.kind !== "elicit") return undefined;
  const { approve } = (answer.content ?? {}) as Readonly<Record<string, unknown>>;
  return { plan: state.plan, isApproved: answer.action === "accept" && approve === true };
}

function callerOf(server: Server, ctx: ServerContext): Caller {
  const decision = decisionOf(ctx);
  return {
    owner: ownerOf(ctx),
    signal: ctx.mcpReq.signal,
    progress: progressOf(ctx),
    supportsElicitation: supportsElicitation(server, ctx),
    requestId: ctx.mcpReq.id,
    ...(decision === undefined ? {} : { decision }),
  };
}

/** Answers `tools/call` for a tool of the catalogue; every failure becomes a result that says what to do next. */
export async function callTool(
  surface: Surface,
  tool: string,
  args: Record<string, unknown>,
  server: Server,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { calls, presentation, results } = await surface.engine();
  const outcome = await calls.call(tool, args, callerOf(server, ctx));
  if (outcome.kind !== "question") return resultOf(outcome, presentation, (whole) => results.keep(ownerOf(ctx), whole));
  return inputRequired({
    inputRequests: {
      approval: inputRequired.elicit({
        message: approvalMessage(outcome.preview, presentation.secrets),
        requestedSchema: approvalForm,
      }),
    },
    requestState: await mintApproval({ plan: outcome.plan.id }, ctx),
  });
}
