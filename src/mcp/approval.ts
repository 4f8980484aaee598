/** How a user is asked for an approval, in either era: the form and its message, the state that travels with it, the answer. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Caller, Decision, Outcome } from "../calls/index.js";
import { type Plan, planAddress, question } from "../guard/index.js";
import { scrubbed } from "../secrets/held-secrets.js";
import { ownerOf } from "./owner.js";

/** The schema of an elicitation's form. */
type ApprovalForm = ElicitRequestFormParams["requestedSchema"];

/**
 * A form with a required yes or no, and the target to be typed, both without a default that a client could fill in.
 * @param target What the user has to type, where a yes is not enough.
 */
const approvalForm = (target?: string): ApprovalForm => ({
  type: "object",
  properties: {
    approve: {
      type: "boolean",
      title: "Do this now",
      description: "Yes makes the change shown above; no leaves everything as it is.",
    },
    ...(target === undefined
      ? {}
      : { target: { type: "string", title: "Target", description: `Type exactly: ${target}` } }),
  },
  required: target === undefined ? ["approve"] : ["approve", "target"],
});

/** What a user is asked: the form, and the message above it. */
interface Question {
  readonly message: string;
  readonly requestedSchema: ApprovalForm;
}

/**
 * The question that a call leads to.
 * @param profile The profile that it was asked in, in which the whole preview is found.
 * @param secrets The forms of the process's own secrets, which the message must not contain.
 */
export const questionOf = (
  { preview, plan, needsTarget }: Extract<Outcome, { kind: "question" }>,
  profile: string | undefined,
  secrets: readonly string[],
): Question => ({
  message: scrubbed(question(preview, planAddress(plan.id, profile)), secrets),
  requestedSchema: approvalForm(needsTarget ? preview.target : undefined),
});

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

/** Whether the client supports form elicitation. */
export function supportsElicitation(server: Server, ctx: ServerContext): boolean {
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

/** Requests of the 2026 era carry their capabilities with them; in the 2025 era the server asks by a request of its own. */
export const isModern = (ctx: ServerContext): boolean => ctx.mcpReq.envelope !== undefined;

/**
 * What came back of a question of the 2026 era; nothing in the other one. Without a state that this server sealed, a
 * response approves nothing (security notes, F2); a state without a response means that the client could not ask. The
 * state of a question that was asked in another profile is none.
 */
export function answeredQuestion(
  ctx: ServerContext,
  profile: string | undefined,
): Pick<Caller, "decision" | "unanswered"> {
  const state = isModern(ctx) ? ctx.mcpReq.requestState<ApprovalState>() : undefined;
  if (state === undefined || state.profile !== profile) return {};
  const answer = inputResponse(ctx.mcpReq.inputResponses, "approval");
  return answer?.kind === "elicit" ? { decision: decisionOf(state.plan, answer) } : { unanswered: state.plan };
}

/**
 * Asks the user of a 2025-era client. The SDK would do this by itself, but answers a failed question with an error; here
 * it becomes a question without an answer, for which the caller gets the preview.
 */
export async function elicited(
  ctx: ServerContext,
  question: Question,
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
