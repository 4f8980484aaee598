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
import type { Presentation } from "../answers/result.js";
import { visible } from "../answers/visible.js";
import type { Arguments } from "../api/conduct.js";
import { Failure, shown } from "../api/failure.js";
import { type WholeCall, withCallsWritten } from "../api/next-call.js";
import { profileArgument } from "../api/profile.js";
import type { Caller, Decision, Outcome } from "../calls/index.js";
import { type Plan, planAddress } from "../guard/index.js";
import { type ApprovalForm, approvalForm, approvalMessage } from "./approval.js";
import type { Asked, Menu } from "./menu.js";
import { ownerOf, readerOf } from "./owner.js";
import { progressOf } from "./progress.js";
import { resultOf } from "./result.js";
import { type ApprovalState, sealed } from "./sealed-state.js";
import type { InProfile, Surface } from "./surface.js";

/** Whether the client supports form elicitation. */
function supportsElicitation(server: Server, ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities =
    (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? server.getClientCapabilities();
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

interface Response {
  readonly action: string;
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** What the user decided by the form. */
const decisionOf = (plan: string, { action, content = {} }: Response): Decision => ({
  plan,
  isApproved: action === "accept" && content["approve"] === true,
  isDismissed: action === "cancel",
  typed: typeof content["target"] === "string" ? content["target"] : undefined,
});

/**
 * What came back of a question of the 2026 era. Without a state that this server sealed, a response approves nothing
 * (security notes, F2); a state without a response means that the client could not ask. The state of a question that was
 * asked in another profile is none.
 */
function answeredQuestion(ctx: ServerContext, profile: string | undefined): Pick<Caller, "decision" | "unanswered"> {
  const state = ctx.mcpReq.requestState<ApprovalState>();
  if (state === undefined || state.profile !== profile) return {};
  const answer = inputResponse(ctx.mcpReq.inputResponses, "approval");
  return answer?.kind === "elicit" ? { decision: decisionOf(state.plan, answer) } : { unanswered: state.plan };
}

/** Requests of the 2026 era carry their capabilities with them; in the 2025 era the server asks by a request of its own. */
const isModern = (ctx: ServerContext): boolean => ctx.mcpReq.envelope !== undefined;

/**
 * Asks the user of a 2025-era client. The SDK would do this by itself, but answers a failed question with an error; here
 * it becomes a question without an answer, for which the caller gets the preview.
 */
async function elicited(
  ctx: ServerContext,
  question: { readonly message: string; readonly requestedSchema: ApprovalForm },
  { id, expiresAtMs }: Plan,
): Promise<Pick<Caller, "decision" | "unanswered">> {
  try {
    // Tied to the call, the question travels with its answer: not every client has a stream open besides.
    const options = { timeout: Math.max(1, expiresAtMs - Date.now()), relatedRequestId: ctx.mcpReq.id };
    return { decision: decisionOf(id, await ctx.mcpReq.elicitInput({ ...question, mode: "form" }, options)) };
  } catch (error) {
    if (ctx.mcpReq.signal.aborted) throw error;
    return { unanswered: id };
  }
}

const callerOf = (server: Server, ctx: ServerContext, menu: Menu, profile: string | undefined): Caller => ({
  ...readerOf(server, ctx, menu),
  progress: progressOf(ctx),
  supportsElicitation: supportsElicitation(server, ctx),
  requestId: ctx.mcpReq.id,
  ...(isModern(ctx) ? answeredQuestion(ctx, profile) : {}),
});

const leastTokens = 200;

/**
 * The arguments of a call and its budget: that of the server, or less where the call says so by `max_tokens`, which every
 * tool takes and none lists, because listed with each it would cost more than it saves.
 */
function budgetOf({ max_tokens: asked, ...given }: Arguments, { maxTokens }: Presentation) {
  if (asked === undefined) return { given, tokens: maxTokens };
  const tokens = Number(asked);
  if (Number.isInteger(tokens) && tokens >= leastTokens) return { given, tokens: Math.min(tokens, maxTokens) };
  const problem = { field: "max_tokens", given: shown(asked), takes: `a whole number of at least ${leastTokens}` };
  return {
    failure: new Failure("invalid_input", `max_tokens: ${problem.given} was given; takes ${problem.takes}.`, {
      why: "It bounds the result of this call; nothing was sent.",
      next: "Correct it, or leave it out.",
      fields: [problem],
    }),
  };
}

type Ended = Exclude<Outcome, { kind: "question" }>;

/** An outcome whose calls are written as this client sends calls; a corrected one is bounded as the call that failed. */
function asSent(outcome: Ended, menu: Menu, { profile, args }: Asked, reads: boolean): Ended {
  const inProfile = profile === undefined ? {} : { [profileArgument]: profile };
  const write = (call: WholeCall): WholeCall | undefined => {
    const isRead = menu.tools.get(call.tool)?.effect === "read";
    // With marks in the place of what is invisible it would be another call.
    const isPlain = visible(call.arguments).count === 0;
    return isPlain && (isRead || !reads) ? menu.written(call, inProfile) : undefined;
  };
  switch (outcome.kind) {
    case "answer": {
      const { reply } = outcome;
      return reply.offers === undefined
        ? outcome
        : { ...outcome, reply: { ...reply, offers: withCallsWritten(reply.offers, write) } };
    }
    case "workflow":
      return { ...outcome, result: withCallsWritten(outcome.result, write) };
    case "failure": {
      const { code, message, detail } = outcome.failure;
      const { corrected, ...others } = detail;
      if (!corrected) return outcome;
      const maxTokens = args["max_tokens"];
      const bound = maxTokens === undefined ? {} : { max_tokens: maxTokens };
      const call = menu.written(corrected, { ...inProfile, ...bound });
      return { kind: "failure", failure: new Failure(code, message, call ? { ...others, corrected: call } : others) };
    }
    default:
      return outcome;
  }
}

/** What a call goes through; one whose profile has a credential that cannot be read is refused, and on record. */
async function entered(
  surface: Surface,
  { profile, refused }: Asked,
): Promise<InProfile & { readonly refused?: Failure | undefined }> {
  const engine = await surface.engine();
  try {
    return { ...(await engine.within(profile)), refused };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...engine, refused: refused ?? error };
  }
}

/** Answers `tools/call`, as the menu understands it; every failure becomes a result that says what to do next. */
export async function callTool(
  surface: Surface,
  menu: Menu,
  asked: Asked,
  server: Server,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { tool, args, profile } = asked;
  const { calls, presentation, results, refused } = await entered(surface, asked);
  const budget = budgetOf(args, presentation);
  if (budget.failure) return resultOf({ kind: "failure", failure: budget.failure }, presentation);
  const { given, tokens: maxTokens } = budget;
  const caller: Caller = { ...callerOf(server, ctx, menu, profile), refused, maxTokens };
  let outcome = await calls.call(tool, given, caller);
  if (outcome.kind === "question") {
    const { preview, plan } = outcome;
    const question = {
      message: approvalMessage(preview, presentation.secrets, planAddress(plan.id, profile)),
      requestedSchema: approvalForm(outcome.needsTarget ? preview.target : undefined),
    };
    if (isModern(ctx))
      return inputRequired({
        inputRequests: { approval: inputRequired.elicit(question) },
        requestState: sealed({ plan: plan.id, profile }, ctx),
      });
    outcome = await calls.call(tool, given, { ...caller, ...(await elicited(ctx, question, plan)) });
    if (outcome.kind === "question") throw new Error("A question that was put to the user led to another one.");
  }
  const sent = asSent(outcome, menu, asked, caller.isReadOnly === true || surface.isReadOnly);
  const { structuredContent, ...text } = resultOf(sent, { ...presentation, maxTokens }, (whole, told) => {
    const handle = results.keep(ownerOf(ctx), whole, told);
    // As an address it is read without a call that would say where.
    return handle === undefined || profile === undefined ? handle : `${handle}?${profileArgument}=${profile}`;
  });
  return presentation.isTextOnly ? text : { ...text, structuredContent };
}
