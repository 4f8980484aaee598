/**
 * Calls between the protocol and the wire: every tool call goes through here and returns an outcome. Hides the steps
 * of that path (`road`), and where plans, quotas and the audit log take part in it. Promises that nothing is changed
 * before the policy permits the call and the approval that it needs is given, and that every call is recorded, however
 * it ends.
 */
import type { ApprovalRecord as ApprovedBy } from "../guard/index.js";
import type { Arguments } from "../language/conduct.js";
import { asFailure, Failure } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import { deadlineIn } from "../time/durations.js";
import type { Reply } from "../wire/index.js";
import { createAccountLookup } from "./account.js";
import { type Approval, approveSubmission, type PlanRedemption, type Submission } from "./approve.js";
import { composeCall, runWorkflow, type WorkflowDependencies } from "./compose.js";
import type { CallContext } from "./context.js";
import { resolveDraft, validateDraft } from "./draft.js";
import { finishSubmission, withFollowUp } from "./finish.js";
import { callUnguarded, createInvoke, createReadMemory, withMemory } from "./invoke.js";
import { locateCall, type ToolCall } from "./locate.js";
import { withMaskedReplies } from "./mask.js";
import { type CallOrigin, type InvocationOrigin, operatorOrigin } from "./origin.js";
import { isOutcome, type Outcome } from "./outcome.js";
import { type Permit, permitCalls, validateWithTicket } from "./permit.js";
import { callProgress } from "./progress.js";
import { resolveCall } from "./resolve.js";
import { resolveEach } from "./resolve-batch.js";
import type { CallRun } from "./run.js";
import { withoutEcho } from "./sanitize.js";
import { sendSubmission } from "./send.js";
import { settlementOf, settlementOfError, unknownSettlement, unsentSettlement } from "./settle.js";
import { createStandingNotes } from "./standing-note.js";
import { splitTicket } from "./ticket.js";
import { startTrail } from "./trail.js";
import { type AnyWorkflow, isChange } from "./workflow.js";

export type { CallContext, Invoke } from "./context.js";
export type { CallOrigin, InvocationOrigin, PlanDecision, ReadOrigin } from "./origin.js";
export type { FinalOutcome, Outcome } from "./outcome.js";
export type { Tools } from "./workflow.js";

export interface CallsOptions extends CallContext, WorkflowDependencies {
  /** The timeout of a call and all work for it, in milliseconds; the user's time to approve does not count. */
  readonly callTimeoutMs: number;
  /** Called with an error that is not a Failure, which is a bug in this program. */
  readonly onFault: (error: unknown, tool: string, requestId: CallOrigin["requestId"]) => void;
}

export interface Calls {
  /** Calls a tool of the catalogue. Never throws: a failure is an outcome. */
  call(tool: string, args: Arguments, caller: CallOrigin): Promise<Outcome>;
  /**
   * Calls an unguarded operation outside of a tool call, with its own deadline and record.
   * @param by The client and the purpose; a check by the operator by default.
   * @throws Failure, always with what to do next.
   */
  invoke(tool: string, args: Arguments, by?: InvocationOrigin): Promise<Reply>;
  /** Ends the work that goes on after calls. */
  close(): void;
}

/** The error of a call, without its secrets in the upstream's message, and with the service's explanation. */
async function sanitizeError(run: CallRun, { all: [call], isBatch }: Submission, error: unknown): Promise<unknown> {
  if (isBatch) return error;
  const clean = withoutEcho(error, call);
  if (call.declared.spec.explains === undefined) return clean;
  return (await import("./explain.js")).explainError(clean, call, run.read("check"));
}

/**
 * Redeems the plan of an approved call, counts the call and records it: together or not at all, where the store of state
 * can do that.
 * @param redeemed Called once the plan is redeemed, by this call and no other.
 */
async function admit(
  { context, trail }: CallRun,
  { facts, decision }: Permit,
  { plan, redeem }: PlanRedemption,
  redeemed: (by: readonly ApprovedBy[]) => void,
): Promise<void> {
  await context.together(async (transaction) => {
    const by = await redeem(transaction);
    redeemed(by);
    await trail.recordIntent(facts, decision, { plan: plan.id, by, transaction });
  });
}

function refuseIfOverloaded({ context: { client }, deadline }: CallRun, { all }: Submission): void {
  for (const { tool, service, declared } of all) client.refuseIfOverloaded(tool, service, declared, deadline);
}

/** Sends a call by its plan, which records the outcome however the call ends. */
async function sendByPlan(
  run: CallRun,
  submission: Submission,
  permit: Permit,
  redemption: PlanRedemption,
): Promise<Outcome> {
  let settlement = unsentSettlement;
  let by: readonly ApprovedBy[] | undefined;
  let outcome: Outcome;
  try {
    // An approval is not spent on a call that could not be sent in time.
    refuseIfOverloaded(run, submission);
    await admit(run, permit, redemption, (approvals) => {
      by = approvals;
    });
    const sendResults = await sendSubmission(run, submission, async () => {
      await redemption.markSending();
      settlement = unknownSettlement;
    });
    outcome = await finishSubmission(run, submission, sendResults);
    settlement = settlementOf(submission, sendResults);
  } catch (error) {
    if (settlement === unknownSettlement) settlement = settlementOfError(error);
    throw error;
  } finally {
    // Without the redemption it is another call's plan, which records its own outcome.
    if (by) await redemption.settle(settlement);
  }
  if (!by) return outcome;
  const followUp = redemption.followUp(settlement, by);
  return withFollowUp(outcome, run.caller.endsWithWorld === true ? { ...followUp, undo: undefined } : followUp);
}

/** Sends an approved call, and records how it has ended. */
async function sendApproved(run: CallRun, submission: Submission, { permit, redemption }: Approval): Promise<Outcome> {
  let outcome: Outcome;
  if (redemption) outcome = await sendByPlan(run, submission, permit, redemption);
  else {
    // Without a plan there is nothing to commit together with the record, so the call does not wait for the store.
    await run.trail.recordIntent(permit.facts, permit.decision);
    outcome = await finishSubmission(run, submission, await sendSubmission(run, submission));
  }
  await run.trail.recordEnd(outcome.kind === "answer" ? outcome.reply : {});
  return outcome;
}

/**
 * The path of a call of an operation, and of a batch: locate, validate, resolve, permit, approve, send, finish and
 * settle. All requests are resolved, permitted and approved before the first one is sent.
 */
async function road(run: CallRun, toolCall: ToolCall): Promise<Outcome> {
  const located = await locateCall(run.context, toolCall);
  const { tool, composed } = located;
  const draft = located.draft && (await validateDraft(run, located.draft, composed));
  const resolveItem = async (args: Arguments) =>
    resolveCall(run, await validateWithTicket(run, tool, located, args, { composed }), { composed });
  const [only = {}] = located.itemArguments;
  const all: Submission["all"] = located.isBatch ? await resolveEach(located, resolveItem) : [await resolveItem(only)];
  const submission = { ...located, all, drafted: draft && (await resolveDraft(run, draft, composed)) };
  try {
    const permit = await permitCalls(run, submission);
    const approval = await approveSubmission(run, submission, permit);
    const outcome = isOutcome(approval) ? approval : await sendApproved(run, submission, approval);
    return run.addStandingNotes(outcome, all[0], run.caller);
  } catch (error) {
    throw await sanitizeError(run, submission, error);
  }
}

/** Creates the calls of a process. */
export function createCalls({
  callTimeoutMs,
  onFault,
  tools,
  workflows,
  results,
  search,
  ...context
}: CallsOptions): Calls {
  const background = lazily(async () => {
    const { createBackground } = await import("./background.js");
    return createBackground((error, name) => onFault(error, name, undefined));
  });
  const offering = { tools, workflows, results, search, background };
  const nameOfAccount = createAccountLookup(context.accountReadings);
  const addStandingNotes = createStandingNotes();
  const forecasts = lazily(async () => (await import("./forecast.js")).createForecasts());

  const runOf = (tool: string, args: Arguments, from: CallOrigin): CallRun => {
    const trail = startTrail(context, tool, args, from);
    const deadline = deadlineIn(callTimeoutMs, from.signal, from.observation?.beginWait);
    const { progress, waiting } = callProgress(from.progress);
    const caller = { ...from, progress };
    const invoke = createInvoke({ context, caller, trail, deadline, waiting });
    const known = createReadMemory();
    const run: CallRun = {
      context,
      caller,
      trail,
      deadline,
      waiting,
      invoke,
      known,
      read: withMemory(invoke, caller.offer, known),
      accountName: () => nameOfAccount({ context, caller, trail, waiting }),
      forecast: async (scopes) => (scopes.length === 0 ? undefined : (await forecasts())(run, scopes)),
      addStandingNotes,
      keep: (whole, told) => results(caller).keep(whole, told),
      onFault: (error) => onFault(error, tool, caller.requestId),
    };
    return run;
  };

  /** Runs a workflow, or makes the call of a composed change. */
  const made = async (run: CallRun, tool: string, args: Arguments, declared: AnyWorkflow): Promise<Outcome> => {
    if (!isChange(declared)) return runWorkflow(run, offering, tool, declared, args);
    const toolCall = await composeCall(run, offering, tool, declared, args);
    return isOutcome(toolCall) ? toolCall : road(run, toolCall);
  };

  const callTool = async (run: CallRun, tool: string, args: Arguments): Promise<Outcome> => {
    const declared = Object.hasOwn(workflows, tool) ? await workflows[tool]?.() : undefined;
    try {
      return await (declared ? made(run, tool, args, declared) : road(run, { tool, itemArguments: [args] }));
    } catch (error) {
      if (!(error instanceof Failure) || error.detail.mends === undefined) throw error;
      throw await (await import("./corrected-call.js")).withCorrectedCall(error, run, tool, declared, args);
    }
  };

  return {
    async call(tool, given, from) {
      void background.peek()?.then(({ noteCall }) => noteCall(from.owner));
      const { args, ticket, refusal } = splitTicket(context.policy, given);
      const caller = ticket === undefined ? from : { ...from, ticket };
      const run = runOf(tool, args, caller);
      try {
        if (caller.refusal ?? refusal) throw caller.refusal ?? refusal;
        return await callTool(run, tool, args);
      } catch (error) {
        if (!(error instanceof Failure)) run.onFault(error);
        const failure = asFailure(error);
        await run.trail.recordEnd({ failure });
        return { kind: "failure", failure };
      }
    },
    async invoke(tool, args, by = operatorOrigin) {
      const { purpose, ...caller } = by;
      const trail = startTrail(context, tool, args, caller, { purpose });
      const made = {
        context,
        caller,
        trail,
        deadline: deadlineIn(callTimeoutMs, caller.signal, caller.observation?.beginWait),
        waiting: undefined,
      };
      return withMaskedReplies(context, (one, given) => callUnguarded(made, one, given, purpose))(tool, args);
    },
    close: () => void background.peek()?.then(({ close }) => close()),
  };
}
