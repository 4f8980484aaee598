/** `tools/call`: from the request to a caller, and from the outcome to a result or an elicitation. */
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { textTo } from "../answers/budget.js";
import { resultOf } from "../answers/outcome.js";
import type { Presentation } from "../answers/result.js";
import type { Progress } from "../calls/context.js";
import type { Caller, Outcome } from "../calls/index.js";
import type { InProfile } from "../engine/in-profile.js";
import { profileArgument } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import { Failure, inWords, shown } from "../language/failure.js";
import { type WholeCall, withCallsWritten } from "../language/next-call.js";
import { visible } from "../secrets/held-secrets.js";
import { answeredQuestion, elicited, isModern, questionOf, sealed, supportsElicitation } from "./approval.js";
import type { Asked, Menu } from "./menu.js";
import { ownerOf, readerOf } from "./owner.js";
import type { Surface } from "./surface.js";

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
