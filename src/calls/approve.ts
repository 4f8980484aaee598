/** The approval of a call: not needed, given by a plan, or requested with a preview. */
import {
  type ApprovalRoute,
  type ApprovalRecord as ApprovedBy,
  type GuardedCall,
  isAskable,
  keptPreviewOf,
  type Plan,
  type PlanRecord,
  type Proposal,
  prepareRedemption,
  propose,
  type RedeemablePlan,
  type Requester,
  type Settlement,
  undoNote,
  undoRecordsUnread,
  withForecast,
  withPolicyLines,
} from "../guard/index.js";
import { accountOwner } from "../language/account.js";
import { Failure, type FailureDetail } from "../language/failure.js";
import { breaksInWords } from "../policy/index.js";
import { invalidInput } from "../schema/arguments.js";
import type { CallContext, ResolvedCall } from "./context.js";
import type { ResolvedDraft } from "./draft.js";
import type { LocatedCall } from "./locate.js";
import { type CallOrigin, type PlanDecision, wasUserAsked } from "./origin.js";
import type { Outcome } from "./outcome.js";
import { isApprovalFree, type Permit, permitCalls } from "./permit.js";
import type { CallRun } from "./run.js";
import { withoutSecrets } from "./sanitize.js";
import { readForPreview } from "./state.js";
import type { Trail } from "./trail.js";

/** All resolved calls that go together, before they are sent: one, or those of a batch. */
export interface Submission extends LocatedCall {
  readonly all: readonly [ResolvedCall, ...ResolvedCall[]];
  /** The draft that these put into effect. */
  readonly drafted?: ResolvedDraft | undefined;
}

/** That a call may be sent: by the permit alone, or by a plan. */
export interface Approval {
  readonly permit: Permit;
  /** Absent if it needs no plan. */
  readonly redemption?: PlanRedemption;
}

/** The plan that a call redeems, and how the call is recorded in it. */
export interface PlanRedemption extends RedeemablePlan {
  /** Marks the plan directly before each request is sent, so that after a crash its outcome counts as unknown. */
  markSending(): Promise<void>;
  /** Records the outcome of the call in the plan. */
  settle(settlement: Settlement): Promise<void>;
  /** What the caller should know about a change: its undo, and warnings that the caller has not seen. */
  followUp(settlement: Settlement, by: readonly ApprovedBy[]): ChangeFollowUp;
}

/** What the caller should know about a completed change. */
export interface ChangeFollowUp {
  readonly undo: ReturnType<typeof undoNote>;
  readonly warnings: readonly string[];
}

/** The undo of a call, of which some requests may have been refused. */
function undoFrom(call: GuardedCall, id: string, records: Plan["before"], { made = [], unmade = [] }: Settlement) {
  const before = (records ?? undoRecordsUnread(call))
    .map((one, at) => ({ ...one, ...(made[at] ? { made: made[at] } : {}) }))
    .filter((_, at) => !unmade.includes(at));
  return undoNote(call.operation, id, before, records !== undefined);
}

/** The approval of a call by a plan that is valid for it. */
const approvalByPlan = (
  { plans }: CallContext,
  call: GuardedCall,
  permit: Permit,
  { plan, redeem }: RedeemablePlan,
): Approval => {
  const { id, before, preview } = plan;
  const redemption: PlanRedemption = {
    plan,
    redeem,
    markSending: () => plans.sending(id),
    settle: (settlement) => plans.settle(id, settlement),
    followUp: (settlement, by) => ({
      // If every request was refused, there is nothing to undo.
      undo: settlement.state === "failed" ? undefined : undoFrom(call, id, before, settlement),
      // With `confirm` the assistant has seen the preview itself.
      warnings: by.some(({ channel }) => channel === "confirm") ? [] : (preview.warnings ?? []),
    }),
  };
  return { permit, redemption };
};

/** The plan that a call is made with, and through what it was presented. */
interface PresentedPlan {
  readonly id: string;
  readonly through: ApprovalRoute;
  readonly record?: PlanRecord | undefined;
}

// The next step for a person at a shell who has not approved, but wants the change after all.
const ifWanted = "Run the same line again if it is wanted after all.";

const refusalOfApproval = (what: string, why: string, next: Pick<FailureDetail, "next" | "atShell">): Failure =>
  new Failure("approval_refused", what, { why: `${why} Nothing was sent.`, ...next });

/** Whether an approver has to type the target of a plan. */
const needsTarget = (approval: CallContext["approval"], { tier }: Pick<Plan, "tier">): boolean =>
  approval === "human" && tier === "critical";

/** The plan that the user was asked about, if they approved it. */
async function planFromDecision(
  { plans, approval, account }: CallContext,
  tool: string,
  { plan: id, isApproved, isDismissed = false, typed }: PlanDecision,
  owner: string,
  trail: Trail,
): Promise<PresentedPlan> {
  const whose = accountOwner(owner, account);
  const record = await plans.findOwn(id, whose);
  const plan = record?.plan;
  if (!isApproved) {
    if (await plans.refuseOwn(id, whose, "elicitation")) await trail.recordDecline(plan?.tier ?? "guarded", id);
    throw new Failure(
      "declined",
      `${tool} was not approved.`,
      isDismissed
        ? {
            why: "The question was closed without an answer. Nothing was sent.",
            next: "Find out from the user whether they want it; the same call asks them again, and confirm does not replace their answer.",
            atShell: { next: ifWanted },
          }
        : {
            why: "The user was asked and did not approve. Nothing was sent.",
            next: "Do not ask again unless the user wants it; the same call then asks them again, and confirm does not replace their answer.",
            atShell: { why: "The answer did not approve it. Nothing was sent.", next: ifWanted },
          },
    );
  }
  const isTyped = plan === undefined || !needsTarget(approval, plan) || typed === plan.preview.target;
  if (!isTyped) {
    await plans.refuseOwn(id, whose, "elicitation");
    throw refusalOfApproval(
      "The typed text is not the target of this call.",
      "A critical call is approved by typing its target exactly.",
      {
        next: "Call the tool again without confirm if the user wants to approve it after all.",
        atShell: { next: ifWanted },
      },
    );
  }
  return { id, through: "elicitation", record };
}

/**
 * The plan that a call is made with: in its argument, or by the user's answer; undefined if there is none.
 * @throws Failure `declined` if the user was asked and did not approve.
 */
async function planFromCaller(
  { context, caller, trail }: CallRun,
  tool: string,
  confirm: string | undefined,
): Promise<PresentedPlan | undefined> {
  const { plans, approval } = context;
  const { decision, unanswered, owner } = caller;
  const whose = accountOwner(owner, context.account);
  if (unanswered !== undefined) await plans.refuseOwn(unanswered, whose, "elicitation");
  // The user's answer takes precedence over the model's `confirm`.
  if (decision !== undefined) return planFromDecision(context, tool, decision, owner, trail);
  if (confirm === undefined) return undefined;
  const record = await plans.findOwn(confirm, whose);
  const isForPerson = approval === "human" || record?.plan.awaits === "person";
  return { id: confirm, through: isForPerson ? "person" : "confirm", record };
}

/**
 * Who has to approve a new plan: two persons if the policy asks for them, the user by elicitation, the model with
 * `confirm`, or a person outside. After an unanswered question the plans do not accept `confirm`, whatever is returned
 * here.
 */
function awaitedFrom(
  { approval }: CallContext,
  { supportsElicitation, unanswered, isUnattended }: CallOrigin,
  { approvers }: Permit["decision"],
): Plan["awaits"] {
  if (approvers === 2) return "person";
  // The operator's setting for clients does not apply to a person at a terminal.
  const canBeAsked = supportsElicitation && (approval !== "confirm" || isUnattended === true);
  if (canBeAsked && unanswered === undefined) return "question";
  return approval === "human" || isUnattended === true ? "person" : "confirm";
}

const tooLongToAsk =
  "The user was not asked, because the request is too long to be shown in a question. Split it into smaller calls to ask about each.";

/** Why a plan waits for a person although the user was asked; undefined if it would wait for a person anyway. */
function whyPerson(awaits: Plan["awaits"], plan: Plan, { unanswered }: CallOrigin): string | undefined {
  if (plan.breaks !== undefined)
    return "It breaks a freeze, which two persons can let through, each with a reason; neither of them may be the one who asks for the change.";
  if (plan.approvers === 2)
    return "The policy asks for the approval of two persons, neither of whom may be the one who asks for the change.";
  if (unanswered !== undefined)
    return "The user was asked, and the response was neither yes nor no: that is no approval, and confirm does not replace it. Unless a person approves it, the same call asks the user again.";
  return awaits === "confirm" && plan.awaits === "person"
    ? "The user was asked before and has not said yes, and confirm does not replace that answer, whatever the client declares now."
    : undefined;
}

/** Who asks for a change, for those who approve it. */
function requesterOf({ principal, client: software }: CallOrigin): Requester | undefined {
  if (principal === undefined) return undefined;
  const { subject, issuer, client } = principal;
  return {
    subject,
    ...(issuer === undefined ? {} : { issuer }),
    ...(client === undefined ? {} : { client }),
    ...(software === undefined ? {} : { software: `${software.name} ${software.version}` }),
  };
}

/** Why a call needs an approval, for the person who decides: its tier, and the policy's rule if one asks for it. */
function whyApproval({ facts: { tier, because }, decision: { effect, whyByRule } }: Permit): string {
  const ofTier = `The call is ${tier}, because ${because.join(", and ")}.`;
  return effect === "approve" && whyByRule !== undefined ? `${ofTier} ${whyByRule}` : ofTier;
}

/** What the policy adds to a preview: the ticket, and each freeze that the call breaks. */
const policyTexts = (ticket: string | undefined, decision: Permit["decision"]): readonly string[] => [
  ...(ticket === undefined ? [] : [`Ticket: ${ticket}`]),
  ...breaksInWords(decision),
];

/** What of the policy's decision a plan is bound to. */
const boundOf = ({ approvers, breaks }: Permit["decision"]) => ({
  ...(approvers === undefined ? {} : { approvers }),
  ...(breaks === undefined ? {} : { breaks }),
});

/** Opens a plan for a proposal, and determines who has to approve it. */
async function openPlan(
  { context, caller, trail }: CallRun,
  { binding, preview, before }: Proposal,
  permit: Permit,
): Promise<Outcome> {
  const { facts, decision } = permit;
  const usualAwaits = awaitedFrom(context, caller, decision);
  // Users who see only a part of the call in a question do not know what they approve; a terminal shows every line.
  const isTooLongToAsk = usualAwaits === "question" && caller.isUnattended !== true && !isAskable(preview);
  const awaits = isTooLongToAsk ? "person" : usualAwaits;
  const whose = { requester: requesterOf(caller), why: whyApproval(permit) };
  const plan = await context.plans.open(
    { ...binding, ...boundOf(decision) },
    { awaits, ...whose, tier: facts.tier, preview: keptPreviewOf(preview), before },
  );
  await trail.recordPreview({ tier: facts.tier, rule: decision.rule }, plan.id);
  if (awaits !== "question") {
    const why = isTooLongToAsk ? tooLongToAsk : whyPerson(awaits, plan, caller);
    return { kind: "preview", preview, plan, ...(why === undefined ? {} : { why }) };
  }
  return { kind: "question", preview, plan, needsTarget: needsTarget(context.approval, plan) };
}

/**
 * Whether the caller has seen everything that is sent, which is not the case for composed changes, except for a batch
 * of calls that the caller wrote.
 */
const isSeenByCaller = ({ composed }: Submission): boolean => composed === undefined || composed.isGiven === true;

/**
 * Whether a call that the policy allows still needs an approval: always if only people may approve, or if a person was
 * asked.
 */
const needsApproval = (
  { context: { approval }, caller }: CallRun,
  submission: Submission,
  { decision }: Permit,
): boolean =>
  approval === "human" ||
  decision.effect === "approve" ||
  wasUserAsked(caller) ||
  (!isSeenByCaller(submission) && approval !== "off");

/** The requests of a call in the form that the guard needs. */
function guardedCall(
  { context, caller, invoke, read, accountName }: CallRun,
  { all, drafted }: Submission,
): GuardedCall {
  const [{ tool, declared, composed }] = all;
  return {
    tool: composed?.tool ?? tool,
    operationTool: tool,
    operation: declared,
    items: all.map(({ checked, request }) => ({
      args: checked,
      request,
      readState: ({ isFresh }) =>
        readForPreview(context, declared, checked.values, (isFresh ? invoke : read)("state"), {
          isBoundOnly: isFresh,
          isDrafted: drafted !== undefined,
        }),
    })),
    composed,
    ...(drafted && { draft: { requests: drafted.calls.map(({ request }) => request), from: drafted.from } }),
    apis: context.apis,
    account: context.account,
    accountName,
    owner: caller.owner,
    ticket: caller.ticket,
  };
}

/** The preview and a plan that waits for its approval; or a plan that needs none or is already approved. */
async function proposeCall(run: CallRun, submission: Submission, call: GuardedCall): Promise<Outcome | Approval> {
  const { context } = run;
  const { plans } = context;
  const { binding: bound, ...proposalContent } = await propose(call);
  const read: Proposal = { binding: bound, ...withoutSecrets(proposalContent, context.secrets) };
  const permit = await permitCalls(run, submission, read);
  const texts = policyTexts(run.caller.ticket, permit.decision);
  const proposal = { ...read, preview: withPolicyLines(read.preview, texts) };
  if (!needsApproval(run, submission, permit)) {
    const { preview, binding, before } = proposal;
    const { tier } = permit.facts;
    const requester = requesterOf(run.caller);
    const { id } = await plans.open(binding, {
      awaits: "policy",
      requester,
      tier,
      preview: keptPreviewOf(preview),
      before,
    });
    return approvalByPlan(context, call, permit, await plans.redeemable(id, binding, "policy"));
  }
  if (context.approval === "off")
    throw new Failure("not_allowed", `${call.tool} needs an approval, and this server does not ask for approvals.`, {
      why: `It was started with --approval off, and its policy does not allow this ${permit.facts.tier} call (${permit.decision.rule}). Nothing was sent.`,
      next: "Leave the change to the user, or have the operator allow it in the policy file.",
    });
  const id = await plans.approvedFor(proposal.binding);
  if (id === undefined) {
    // After all that binds: an approval is not void because the traffic has changed, and using it reads no traffic.
    const forecast = await run.forecast(proposal.scopes);
    return openPlan(
      run,
      forecast ? { ...proposal, preview: withForecast(proposal.preview, forecast) } : proposal,
      permit,
    );
  }
  const asked = { ...call, ...boundOf(permit.decision) };
  return approvalByPlan(context, call, permit, await prepareRedemption(plans, id, asked, "person"));
}

/**
 * Approves a call, or previews it and asks for approval.
 * @param permit The policy's decision before anything is read.
 */
export async function approveSubmission(
  run: CallRun,
  submission: Submission,
  permit: Permit,
): Promise<Outcome | Approval> {
  const { context, caller } = run;
  const { all, tool, composed } = submission;
  const confirm = composed ? composed.confirm : (all[0].checked.confirm ?? submission.confirm);
  if (isSeenByCaller(submission) && !wasUserAsked(caller) && isApprovalFree(permit)) {
    if (confirm !== undefined && !composed)
      throw invalidInput(tool, [{ field: "confirm", takes: "nothing: this call needs no approval" }]);
    return { permit };
  }
  const call = guardedCall(run, submission);
  const presented = await planFromCaller(run, call.tool, confirm);
  if (!presented) return proposeCall(run, submission, call);
  // The reasons found by its preview count again, because a rule may have come into effect since.
  const isCritical = presented.record?.plan.tier === "critical";
  const known = isCritical
    ? await permitCalls(run, submission, { criticalBy: ["its preview found it to be"] })
    : permit;
  const asked = { ...call, ...boundOf(known.decision) };
  const valid = await prepareRedemption(context.plans, presented.id, asked, presented.through);
  return approvalByPlan(context, call, known, valid);
}
