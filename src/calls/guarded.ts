/** A guarded call: a preview or a question first, and requests only under an approved plan. */
import { Failure } from "../api/failure.js";
import { restoreTool } from "../api/own-tools.js";
import {
  type Approval,
  beforeUnread,
  type GuardedCall,
  noteOnWayBack,
  type Plan,
  type Proposal,
  propose,
  redeem,
  type Settlement,
  type Through,
} from "../guard/index.js";
import type { TierFacts } from "../guard/tier.js";
import type { Caller, Decision } from "./caller.js";
import type { Context, Prepared } from "./context.js";
import { withoutSecrets } from "./echo.js";
import type { Outcome } from "./outcome.js";
import { type Permit, permit, together } from "./permit.js";
import type { Trail } from "./trail.js";

/** What came of the requests of a guarded call. */
interface Sent {
  readonly outcome: Outcome;
  readonly settlement: Settlement;
  readonly status?: number;
  readonly requestId?: string;
}

/** A guarded call that is ready to be proposed or made. */
export interface Work {
  readonly call: GuardedCall;
  readonly prepared: readonly Prepared[];
  readonly confirm: string | undefined;
  /** Sends the requests in their order, each once, and calls `sending` directly before each. */
  readonly send: (sending: () => Promise<void>) => Promise<Sent>;
}

/** The plan that a call is made under, and how it came. */
interface Given {
  readonly id: string;
  readonly through: Through;
}

const refused = (what: string, why: string, next: string): Failure =>
  new Failure("approval_refused", what, { why: `${why} Nothing was sent.`, next });

/** The plan that the user was asked about, if they approved it. */
async function decided(
  { plans, approval }: Context,
  tool: string,
  { plan: id, isApproved, isDismissed = false, typed }: Decision,
  owner: string,
  trail: Trail,
): Promise<Given> {
  const plan = (await plans.find(id, owner))?.plan;
  if (!isApproved) {
    if (await plans.refuse(id, "elicitation")) await trail.declined(plan?.tier ?? "guarded", id);
    throw new Failure(
      "declined",
      `${tool} was not approved.`,
      isDismissed
        ? {
            why: "The question was closed without an answer. Nothing was sent.",
            next: "Find out from the user whether they want it; the same call asks them again.",
          }
        : {
            why: "The user was asked and did not approve. Nothing was sent.",
            next: "Do not ask again unless the user wants it.",
          },
    );
  }
  const isTyped = plan === undefined || !needsTarget(approval, plan) || typed === plan.preview.target;
  if (!isTyped) {
    await plans.refuse(id, "elicitation");
    throw refused(
      "What was typed is not the target of this call.",
      "A critical call is approved by typing its target exactly.",
      "Call the tool again without confirm if the user wants to approve it after all.",
    );
  }
  return { id, through: "elicitation" };
}

/** Whether a person has to type the target of a plan. */
const needsTarget = (approval: Context["approval"], { tier }: Pick<Plan, "tier">): boolean =>
  approval === "human" && tier === "critical";

/**
 * The plan that a call brings: in its argument, or by the user's answer; undefined when it brings none.
 * @throws Failure `declined` when the user was asked and did not approve.
 */
async function givenPlan(
  context: Context,
  { call, confirm }: Work,
  caller: Caller,
  trail: Trail,
): Promise<Given | undefined> {
  const { plans, approval } = context;
  const { decision, unanswered, owner } = caller;
  if (unanswered !== undefined) await plans.refuse(unanswered, "elicitation");
  if (confirm !== undefined) {
    const awaits = (await plans.find(confirm, owner))?.plan.awaits;
    return { id: confirm, through: approval === "human" || awaits === "person" ? "person" : "confirm" };
  }
  return decision && decided(context, call.tool, decision, owner, trail);
}

/** Who has to approve a new plan: the user by a question, the model's `confirm`, or a person outside. */
function awaitedFrom({ approval }: Context, { supportsElicitation, unanswered, isUnattended }: Caller): Plan["awaits"] {
  if (supportsElicitation && unanswered === undefined) return "question";
  return approval === "human" || isUnattended === true ? "person" : "confirm";
}

/** The permit of all requests that are approved as one. */
async function permitAll(
  context: Context,
  prepared: readonly Prepared[],
  caller: Caller,
  trail: Trail,
  known?: TierFacts,
): Promise<Permit> {
  const permits: Permit[] = [];
  for (const one of prepared) permits.push(await permit(context, one, caller, trail, known));
  return together(permits);
}

/** How a call that threw has ended. */
function endOf(error: unknown): Settlement {
  if (!(error instanceof Failure)) return { state: "unknown", says: "it failed inside this server" };
  const says = `it ended with ${error.code}`;
  if (error.code === "outcome_unknown" || error.code === "cancelled") return { state: "unknown", says };
  return { state: error.code === "network" ? "not_sent" : "failed", says };
}

/** The outcome of a change with how it is taken back. */
function withWayBack(outcome: Outcome, note: string | undefined): Outcome {
  if (note === undefined) return outcome;
  if (outcome.kind === "answer")
    return { ...outcome, reply: { ...outcome.reply, notes: [...outcome.reply.notes, note] } };
  return outcome.kind === "workflow" ? { ...outcome, result: { ...outcome.result, wayBack: note } } : outcome;
}

const stopped: Settlement = { state: "not_sent", says: "it was stopped before anything was sent" };

/** A plan that has been used up for this call, and its approval. */
interface Approved {
  readonly id: string;
  readonly approval: Approval;
}

/** Sends what is approved: the record first, then each request, and what came of it last. */
async function sendApproved(
  { plans }: Context,
  { call, send }: Work,
  { facts, decision }: Permit,
  trail: Trail,
  { id, approval }: Approved,
): Promise<Outcome> {
  let hasBegun = false;
  try {
    await trail.sending(facts, decision.rule, id, approval);
    const { outcome, settlement, ...answer } = await send(async () => {
      await plans.sending(id);
      hasBegun = true;
    });
    await plans.settle(id, settlement);
    await trail.ended(answer);
    // What is too large to be kept of the state is not known any more; what was asked is.
    const before = (await plans.find(id, call.owner))?.plan.before ?? beforeUnread(call);
    // Where every request was refused there is nothing to take back.
    if (settlement.state === "failed") return outcome;
    return withWayBack(outcome, noteOnWayBack(call.operation, restoreTool, id, before));
  } catch (error) {
    await plans.settle(id, hasBegun ? endOf(error) : stopped);
    throw error;
  }
}

/** Opens a plan for what was proposed, and says who has to approve it. */
async function opened(
  context: Context,
  { binding, preview, before }: Proposal,
  { facts, decision }: Permit,
  caller: Caller,
  trail: Trail,
): Promise<Outcome> {
  const awaits = awaitedFrom(context, caller);
  const plan = await context.plans.open(binding, { awaits, tier: facts.tier, preview, before });
  await trail.previewed({ tier: facts.tier, rule: decision.rule }, plan.id);
  if (awaits !== "question") return { kind: "preview", preview, plan };
  return { kind: "question", preview, plan, needsTarget: needsTarget(context.approval, plan) };
}

/** Whether a call that the policy lets go on waits for an approval: a person always decides where only people may approve. */
const needsApproval = ({ approval }: Context, { call }: Work, { decision }: Permit): boolean => {
  if (approval === "human" || decision.effect === "approve") return true;
  // Its caller has not seen what was composed; those of a batch are its caller's own.
  return call.composed !== undefined && call.composed.isGiven !== true && approval === "auto";
};

/** What is shown, and the plan that waits for its approval; or the plan that needs none, or has it already. */
async function proposed(
  context: Context,
  work: Work,
  caller: Caller,
  trail: Trail,
): Promise<Outcome | { readonly approved: Approved; readonly permit: Permit }> {
  const { plans } = context;
  const { call, prepared } = work;
  const { binding: bound, ...found } = await propose(call);
  const proposal: Proposal = { binding: bound, ...withoutSecrets(found, context.secrets) };
  const permitted = await permitAll(context, prepared, caller, trail, proposal);
  if (!needsApproval(context, work, permitted)) {
    const { preview, binding, before } = proposal;
    const { id } = await plans.open(binding, { awaits: "policy", tier: permitted.facts.tier, preview, before });
    return { approved: { id, approval: await plans.redeem(id, binding, "policy") }, permit: permitted };
  }
  if (context.approval === "off")
    throw new Failure("not_allowed", `${call.tool} needs an approval, and this server asks nobody for one.`, {
      why: `It was started with --approval off, and its policy does not allow this ${permitted.facts.tier} call (${permitted.decision.rule}). Nothing was sent.`,
      next: "Leave the change to the user, or have whoever operates the server allow it in the policy file.",
    });
  const known = await plans.approvedFor(proposal.binding);
  if (known === undefined) return opened(context, proposal, permitted, caller, trail);
  return { approved: { id: known, approval: await redeem(plans, known, call, "person") }, permit: permitted };
}

/** Makes a guarded call, or shows what it would do and asks for its approval. */
export async function performGuarded(context: Context, work: Work, caller: Caller, trail: Trail): Promise<Outcome> {
  // What is denied is refused before anything is read or shown.
  const early = await permitAll(context, work.prepared, caller, trail);
  const given = await givenPlan(context, work, caller, trail);
  if (given) {
    const approval = await redeem(context.plans, given.id, work.call, given.through);
    return sendApproved(context, work, early, trail, { id: given.id, approval });
  }
  const found = await proposed(context, work, caller, trail);
  return "approved" in found ? sendApproved(context, work, found.permit, trail, found.approved) : found;
}
