/** `tools/call`: turns a request into a call and its outcome into a result, and asks the user for approvals in either era. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { textTo } from "../answers/budget.js";
import { resultOf } from "../answers/outcome.js";
import type { Presentation } from "../answers/result.js";
import type { Progress } from "../calls/context.js";
import type { CallOrigin, FinalOutcome, Outcome, PlanDecision, ReadOrigin } from "../calls/index.js";
import { withNote } from "../calls/outcome.js";
import { noProgress } from "../calls/progress.js";
import type { ProfileRuntime } from "../engine/in-profile.js";
import type { Menu, MenuCall } from "../engine/menu.js";
import type { Surface } from "../engine/surface.js";
import { type Plan, planAddress, question } from "../guard/index.js";
import { profileArgument } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import { Failure, problemInWords, quoteValue } from "../language/failure.js";
import { isNothing } from "../language/member.js";
import { type WholeCall, withCallsWritten } from "../language/next-call.js";
import { storeNamedResults } from "../rows/result-store.js";
import { scrub, showHidden } from "../secrets/held-secrets.js";
import { seal, unseal } from "../secrets/sealing.js";
import type { RequestObservation } from "../telemetry/index.js";
import { callOutcomeOf } from "./observed-request.js";
import { readOriginOf, requestOwner } from "./owner.js";

/**
 * The elicitation for an approval: a required yes or no and, for a critical call, the target to be typed, both without a
 * default that a client could fill in.
 * @param profile The profile of the call, which has the whole preview.
 * @param secrets The forms of the process's own secrets, which the message must not contain.
 */
function questionOf(
  { preview, plan, needsTarget }: Extract<Outcome, { kind: "question" }>,
  profile: string | undefined,
  secrets: readonly string[],
): Pick<ElicitRequestFormParams, "message" | "requestedSchema"> {
  const description = "Yes makes the change shown above; no leaves everything as it is.";
  const approve = { type: "boolean", title: "Do this now", description } as const;
  const target = { type: "string", title: "Target", description: `Type exactly: ${preview.target}` } as const;
  return {
    message: scrub(question(preview, planAddress(plan.id, profile)), secrets),
    requestedSchema: needsTarget
      ? { type: "object", properties: { approve, target }, required: ["approve", "target"] }
      : { type: "object", properties: { approve }, required: ["approve"] },
  };
}

/** The plan that the question is about, and the profile of the call. */
interface ApprovalState {
  readonly plan: string;
  readonly profile?: string | undefined;
}

/** The client and the method are authenticated with the state, so that it is valid only for them. */
const audience = (ctx: ServerContext): string => JSON.stringify([ctx.mcpReq.method, requestOwner(ctx)]);

/** Seals the state for the client that made a request, with a key of 32 bytes. */
export const sealState = ({ plan, profile }: ApprovalState, ctx: ServerContext, key: Buffer): string =>
  seal(JSON.stringify({ plan, profile }), key, audience(ctx)).toString("base64url");

/**
 * Opens a state that a client sent back.
 * @param keys The present key and former ones.
 * @throws Error for anything that `sealState` did not make for this client; the SDK does not send the error's text.
 */
export function unsealState(state: string, ctx: ServerContext, keys: readonly Buffer[]): ApprovalState {
  const bytes = Buffer.from(state, "base64url");
  // Decoding skips characters outside base64url, so that two texts could mean the same state.
  if (bytes.toString("base64url") !== state) throw new Error("The state was altered.");
  for (const key of keys) {
    const text = unseal(bytes, key, audience(ctx));
    if (text !== undefined) return JSON.parse(text) as ApprovalState;
  }
  throw new Error("The state was not sealed here for this client.");
}

function supportsElicitation(server: Server, ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities =
    (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? server.getClientCapabilities();
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

interface ElicitationResponse {
  readonly action: string;
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

const decisionOf = (plan: string, { action, content = {} }: ElicitationResponse): PlanDecision => ({
  plan,
  isApproved: action === "accept" && content["approve"] === true,
  isDismissed: action === "cancel",
  typed: typeof content["target"] === "string" ? content["target"] : undefined,
});

/** In the 2026 era a request has the client's capabilities; in the 2025 era the server asks with a request. */
const isModern = (ctx: ServerContext): boolean => ctx.mcpReq.envelope !== undefined;

/**
 * The response to a question of the 2026 era; undefined in the other one. Without a state that this server sealed, a
 * response approves nothing (security notes, F2); a state without a response means that the client could not ask. A state
 * of another profile is invalid.
 */
function questionResponse(
  ctx: ServerContext,
  profile: string | undefined,
): Pick<CallOrigin, "decision" | "unanswered"> {
  const state = isModern(ctx) ? ctx.mcpReq.requestState<ApprovalState>() : undefined;
  if (state === undefined || state.profile !== profile) return {};
  const answer = inputResponse(ctx.mcpReq.inputResponses, "approval");
  return answer?.kind === "elicit" ? { decision: decisionOf(state.plan, answer) } : { unanswered: state.plan };
}

/**
 * Asks the user of a 2025-era client. The SDK could do this, but turns a failed question into an error; here it becomes a
 * question without an answer, for which the caller gets the preview.
 */
async function elicitDecision(
  ctx: ServerContext,
  question: ReturnType<typeof questionOf>,
  { id, createdAtMs, expiresAtMs }: Plan,
): Promise<Pick<CallOrigin, "decision" | "unanswered">> {
  try {
    // Related to the call, the question is sent on its response stream: not every client has another stream open.
    // The plan was made a moment ago, by a clock that is not this process's where instances share a database.
    const options = { timeout: expiresAtMs - createdAtMs, relatedRequestId: ctx.mcpReq.id };
    return { decision: decisionOf(id, await ctx.mcpReq.elicitInput({ ...question, mode: "form" }, options)) };
  } catch (error) {
    if (ctx.mcpReq.signal.aborted) throw error;
    return { unanswered: id };
  }
}

// The message of a step can contain names from the upstream.
const maxMessage = 500;

/** The function that reports progress to the caller, if the request has a progress token. */
export function progressReporter(ctx: ServerContext): Progress {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return noProgress;
  return async (progress, text, total) => {
    const message = textTo(text, maxMessage);
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
    // A caller that disconnected gets no notification; its signal stops the work.
    await ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

/** A request, and its observation if anything observes it. */
interface ObservedRequest {
  readonly ctx: ServerContext;
  readonly observation?: RequestObservation | undefined;
}

const callOriginOf = (
  server: Server,
  { ctx, observation }: ObservedRequest,
  menu: Menu,
  profile: string | undefined,
): CallOrigin => ({
  ...readOriginOf(server, ctx, menu, observation),
  progress: progressReporter(ctx),
  supportsElicitation: supportsElicitation(server, ctx),
  requestId: ctx.mcpReq.id,
  ...questionResponse(ctx, profile),
});

const leastTokens = 200;

/**
 * The arguments of a call and its token budget: that of the server, or less with `max_tokens`, which every tool takes and
 * none lists, because listing it with each would cost more than it saves.
 */
function budgetOf({ max_tokens: requested, ...toolArguments }: Arguments, { maxTokens }: Presentation) {
  if (requested === undefined || isNothing(requested)) return { given: toolArguments, tokens: maxTokens };
  const tokens = Number(requested);
  if (Number.isInteger(tokens) && tokens >= leastTokens)
    return { given: toolArguments, tokens: Math.min(tokens, maxTokens) };
  const problem = {
    field: "max_tokens",
    given: quoteValue(requested),
    takes: `a whole number of at least ${leastTokens}`,
  };
  return {
    failure: new Failure("invalid_input", `${problemInWords(problem)}.`, {
      why: "It limits the size of this result. Nothing was sent.",
      next: "Correct it, or leave it out.",
      fields: [problem],
    }),
  };
}

/** An outcome with its calls in this client's form; a corrected call gets the budget and the ticket of the failed one. */
function outcomeForClient(
  outcome: FinalOutcome,
  menu: Menu,
  { profile, args }: MenuCall,
  reads: boolean,
): FinalOutcome {
  const inProfile = profile === undefined ? {} : { [profileArgument]: profile };
  const write = (call: WholeCall): WholeCall | undefined => {
    const isRead = menu.tools.get(call.tool)?.effect === "read";
    // With marks in place of invisible characters it would be a different call.
    const isPlain = showHidden(call.arguments).count === 0;
    return isPlain && (isRead || !reads) ? menu.clientCall(call, inProfile) : undefined;
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
      const kept = ["max_tokens", "ticket"].filter((name) => args[name] !== undefined);
      const bound = Object.fromEntries(kept.map((name) => [name, args[name]]));
      const call = menu.clientCall(corrected, { ...bound, ...inProfile });
      return { kind: "failure", failure: new Failure(code, message, call ? { ...others, corrected: call } : others) };
    }
    default:
      return outcome;
  }
}

/** The calls of a profile; if its credential cannot be read, every call is refused and recorded. */
async function enterProfile(
  surface: Surface,
  { profile, refusal }: MenuCall,
  origin: ReadOrigin,
): Promise<ProfileRuntime & { readonly refusal?: Failure | undefined }> {
  const engine = await surface.engine();
  try {
    return { ...(await engine.runtimeFor(profile, origin)), refusal };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...engine, refusal: refusal ?? error };
  }
}

/** Why a result cannot be read again, although the call itself was made. */
const noteOnUnstored = ({ message, detail }: Failure): string =>
  `The whole result was not stored. ${message} ${detail.why ?? ""}`.trim();

/** Handles `tools/call`; every failure becomes a result with what to do next. */
export async function callTool(
  surface: Surface,
  menu: Menu,
  menuCall: MenuCall,
  server: Server,
  request: ObservedRequest,
): Promise<CallToolResult | InputRequiredResult> {
  const { ctx, observation } = request;
  const { tool, args, profile } = menuCall;
  const origin = callOriginOf(server, request, menu, profile);
  const { calls, presentation, results, refusal } = await enterProfile(surface, menuCall, origin);
  const budget = budgetOf(args, presentation);
  if (budget.failure) {
    observation?.ended(budget.failure.code);
    return resultOf({ kind: "failure", failure: budget.failure }, presentation);
  }
  const { given: toolArguments, tokens: maxTokens } = budget;
  const caller: CallOrigin = { ...origin, refusal, maxTokens };
  let outcome = await calls.call(tool, toolArguments, caller);
  observation?.ended(callOutcomeOf(outcome));
  if (outcome.kind === "question") {
    const { plan } = outcome;
    const question = questionOf(outcome, profile, presentation.secrets);
    if (isModern(ctx))
      return inputRequired({
        inputRequests: { approval: inputRequired.elicit(question) },
        requestState: sealState({ plan: plan.id, profile }, ctx, (await surface.engine()).state.keys.of("question")[0]),
      });
    const answered = observation?.beginWait();
    const answer = await elicitDecision(ctx, question, plan).finally(answered);
    outcome = await calls.call(tool, toolArguments, { ...caller, ...answer });
    observation?.ended(callOutcomeOf(outcome));
    if (outcome.kind === "question") throw new Error("An answered question led to another question.");
  }
  const outcomeToSend = outcomeForClient(outcome, menu, menuCall, caller.isReadOnly === true || surface.isReadOnly);
  // A URI is read without arguments, so it has to name the profile itself.
  const inProfile = (handle: string | undefined): string | undefined =>
    handle === undefined || profile === undefined ? handle : `${handle}?${profileArgument}=${profile}`;
  let unstored: Failure | undefined;
  const { structuredContent, ...text } = await storeNamedResults(
    (keep) =>
      resultOf(
        unstored ? withNote(outcomeToSend, noteOnUnstored(unstored)) : outcomeToSend,
        { ...presentation, maxTokens },
        (whole, context) => inProfile(keep(whole, context)),
      ),
    ({ handle, whole, context }) =>
      results.keep(caller.owner, handle, whole, context).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        unstored = error;
        return false;
      }),
  );
  return presentation.isTextOnly ? text : { ...text, structuredContent };
}
