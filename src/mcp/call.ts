/** `tools/call`: from the request to a caller, from the outcome to a result, and how a person is asked for an approval in either era. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
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
import type { Caller, Decision, Outcome } from "../calls/index.js";
import type { InProfile } from "../engine/in-profile.js";
import { type Plan, planAddress, question } from "../guard/index.js";
import { profileArgument } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import { Failure, inWords, shown } from "../language/failure.js";
import { type WholeCall, withCallsWritten } from "../language/next-call.js";
import { scrubbed, visible } from "../secrets/held-secrets.js";
import type { Asked, Menu } from "./menu.js";
import { ownerOf, readerOf } from "./owner.js";
import type { Surface } from "./surface.js";

/**
 * The question that a call leads to: a required yes or no, and where that is not enough the target to be typed, both
 * without a default that a client could fill in.
 * @param profile The profile that it was asked in, in which the whole preview is found.
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
    message: scrubbed(question(preview, planAddress(plan.id, profile)), secrets),
    requestedSchema: needsTarget
      ? { type: "object", properties: { approve, target }, required: ["approve", "target"] }
      : { type: "object", properties: { approve }, required: ["approve"] },
  };
}

/** The plan that the question is about, and the profile in which it was asked. */
interface ApprovalState {
  readonly plan: string;
  readonly profile?: string | undefined;
}

const algorithm = "aes-256-gcm";
const sizes = { nonce: 12, tag: 16 };
// A question lives no longer than the process that asked it; its plan may.
const key = randomBytes(32);

/** Who is asked and for which method is authenticated with the state, so that it holds for no one else. */
const audience = (ctx: ServerContext): Buffer => Buffer.from(JSON.stringify([ctx.mcpReq.method, ownerOf(ctx)]));

/** Seals the state for the client that made a request. */
export function sealed({ plan, profile }: ApprovalState, ctx: ServerContext): string {
  const nonce = randomBytes(sizes.nonce);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(audience(ctx));
  const text = Buffer.concat([cipher.update(JSON.stringify({ plan, profile }), "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
}

/**
 * Opens a state that came back.
 * @throws Error for anything that `sealed` did not make for this client; the SDK answers it without the error's text.
 */
export function unsealed(state: string, ctx: ServerContext): ApprovalState {
  const bytes = Buffer.from(state, "base64url");
  // Decoding skips what is no base64url, so that two texts could mean the same state.
  if (bytes.toString("base64url") !== state) throw new Error("The state is not as it was written.");
  const [nonce, tag] = [bytes.subarray(0, sizes.nonce), bytes.subarray(sizes.nonce, sizes.nonce + sizes.tag)];
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: sizes.tag })
    .setAAD(audience(ctx))
    .setAuthTag(tag);
  const text = bytes.subarray(sizes.nonce + sizes.tag);
  return JSON.parse(Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8")) as ApprovalState;
}

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

const decisionOf = (plan: string, { action, content = {} }: Response): Decision => ({
  plan,
  isApproved: action === "accept" && content["approve"] === true,
  isDismissed: action === "cancel",
  typed: typeof content["target"] === "string" ? content["target"] : undefined,
});

/** Requests of the 2026 era carry their capabilities with them; in the 2025 era the server asks by a request of its own. */
const isModern = (ctx: ServerContext): boolean => ctx.mcpReq.envelope !== undefined;

/**
 * What came back of a question of the 2026 era; nothing in the other one. Without a state that this server sealed, a
 * response approves nothing (security notes, F2); a state without a response means that the client could not ask. The
 * state of a question that was asked in another profile is none.
 */
function answeredQuestion(ctx: ServerContext, profile: string | undefined): Pick<Caller, "decision" | "unanswered"> {
  const state = isModern(ctx) ? ctx.mcpReq.requestState<ApprovalState>() : undefined;
  if (state === undefined || state.profile !== profile) return {};
  const answer = inputResponse(ctx.mcpReq.inputResponses, "approval");
  return answer?.kind === "elicit" ? { decision: decisionOf(state.plan, answer) } : { unanswered: state.plan };
}

/**
 * Asks the user of a 2025-era client. The SDK would do this by itself, but answers a failed question with an error; here
 * it becomes a question without an answer, for which the caller gets the preview.
 */
async function elicited(
  ctx: ServerContext,
  question: ReturnType<typeof questionOf>,
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

// A step is called by what it is about, and that may be a name of the upstream's.
const maxMessage = 500;

/** The function that reports progress to the caller of a request, with its progress token; it reports nothing without one. */
export function progressOf(ctx: ServerContext): Progress {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return async () => undefined;
  return async (progress, told, total) => {
    const message = textTo(told, maxMessage);
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
    // A caller that disconnected gets no notification; the work is stopped by its signal.
    await ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

const callerOf = (server: Server, ctx: ServerContext, menu: Menu, profile: string | undefined): Caller => ({
  ...readerOf(server, ctx, menu),
  progress: progressOf(ctx),
  supportsElicitation: supportsElicitation(server, ctx),
  requestId: ctx.mcpReq.id,
  ...answeredQuestion(ctx, profile),
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
    failure: new Failure("invalid_input", `${inWords(problem)}.`, {
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
    const { plan } = outcome;
    const question = questionOf(outcome, profile, presentation.secrets);
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
