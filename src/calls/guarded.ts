/** A guarded call: a preview or a question first, and requests only under an approved plan. */
import { whoseOf } from "../api/account.js";
import { Failure } from "../api/failure.js";
import {
  type Approval,
  beforeUnread,
  type GuardedCall,
  isAskable,
  keptOf,
  noteOnWayBack,
  type Plan,
  type Proposal,
  propose,
  redeem,
  type Settlement,
  type Through,
} from "../guard/index.js";
import type { TierFacts } from "../guard/tier.js";
import { type Caller, type Decision, wasAsked } from "./caller.js";
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
  { plans, approval, account }: Context,
  tool: string,
  { plan: id, isApproved, isDismissed = false, typed }: Decision,
  owner: string,
  trail: Trail,
): Promise<Given> {
  const whose = whoseOf(owner, account);
  const plan = (await plans.findOwn(id, whose))?.plan;
  if (!isApproved) {
    if (await plans.refuseOwn(id, whose, "elicitation")) await trail.declined(plan?.tier ?? "guarded", id);
    throw new Failure(
      "declined",
      `${tool} was not approved.`,
      isDismissed
        ? {
            why: "The question was closed without an answer. Nothing was sent.",
            next: "Find out from the user whether they want it; the same call asks them anew, and confirm does not take their place.",
          }
        : {
            why: "The user was asked and did not approve. Nothing was sent.",
            next: "Do not ask again unless the user wants it; the same call then asks them anew, and confirm does not take their place.",
          },
    );
  }
  const isTyped = plan === undefined || !needsTarget(approval, plan) || typed === plan.preview.target;
  if (!isTyped) {
    await plans.refuseOwn(id, whose, "elicitation");
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
  const whose = whoseOf(owner, context.account);
  if (unanswered !== undefined) await plans.refuseOwn(unanswered, whose, "elicitation");
  // What the user has said goes before what the model says.
  if (decision !== undefined) return decided(context, call.tool, decision, owner, trail);
  if (confirm === undefined) return undefined;
  const awaits = (await plans.findOwn(confirm, whose))?.plan.awaits;
  return { id: confirm, through: approval === "human" || awaits === "person" ? "person" : "confirm" };
}

/**
 * Who has to approve a new plan: the user by a question, the model's `confirm`, or a person outside. After a question that
 * came to nothing no plan waits for `confirm`, whatever is asked for here: the plans see to that.
 */
function awaitedFrom({ approval }: Context, { supportsElicitation, unanswered, isUnattended }: Caller): Plan["awaits"] {
  // What the operator says of clients does not hold for a person at a terminal.
  const canBeAsked = supportsElicitation && (approval !== "confirm" || isUnattended === true);
  if (canBeAsked && unanswered === undefined) return "question";
  return approval === "human" || isUnattended === true ? "person" : "confirm";
}

const tooLongToAsk =
  "The user was not asked, because a question cannot show all that would be sent. Several smaller calls can be asked about one by one.";

/** Why a plan waits for a person, where the user was asked; undefined where it would wait for one all the same. */
function whyPerson(awaits: Plan["awaits"], plan: Plan, { unanswered }: Caller): string | undefined {
  if (unanswered !== undefined)
    return "The user was asked, and nothing came back that is a yes or a no: that is no approval, and confirm does not take its place. Without one, the same call asks the user anew.";
  return awaits === "confirm" && plan.awaits === "person"
    ? "The user was asked before and has not said yes, and confirm does not take the place of that, whatever the client says of itself now."
    : undefined;
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

/** What there is to know about a change when it is made. */
interface Afterwards {
  readonly wayBack: ReturnType<typeof noteOnWayBack>;
  readonly warnings: readonly string[];
}

/** How the note begins that repeats a warning for whoever has not seen the preview. */
export const warnedBefore = "Warning in its preview: ";

/** The outcome of a change with what is to be known about it. */
function withNotes(outcome: Outcome, { wayBack, warnings }: Afterwards): Outcome {
  const { note, undoWith } = wayBack ?? {};
  const undo = undoWith === undefined ? {} : { undoWith };
  const seen = warnings.map((warning) => warnedBefore + warning);
  if (outcome.kind === "answer") {
    const notes = [...seen, ...(note === undefined ? [] : [note])];
    const { reply } = outcome;
    const offers = { ...reply.offers, ...undo };
    return { ...outcome, reply: { ...reply, notes: [...reply.notes, ...notes], offers } };
  }
  if (outcome.kind !== "workflow") return outcome;
  return {
    ...outcome,
    result: {
      ...outcome.result,
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(note === undefined ? {} : { wayBack: note }),
      ...undo,
    },
  };
}

/** The way back from what was made of a call, of which some requests may have been refused. */
function wayBackFrom(call: GuardedCall, id: string, kept: Plan["before"], { made = [], unmade = [] }: Settlement) {
  const before = (kept ?? beforeUnread(call))
    .map((one, at) => ({ ...one, ...(made[at] ? { made: made[at] } : {}) }))
    .filter((_, at) => !unmade.includes(at));
  return noteOnWayBack(call.operation, id, before, kept !== undefined);
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
    const kept = (await plans.findOwn(id, whoseOf(call.owner, call.account)))?.plan;
    // Where every request was refused there is nothing to take back.
    const wayBack = settlement.state === "failed" ? undefined : wayBackFrom(call, id, kept?.before, settlement);
    // With `confirm` the assistant has seen the preview itself.
    const warnings = approval.channel === "confirm" ? [] : (kept?.preview.warnings ?? []);
    return withNotes(outcome, { wayBack, warnings });
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
  const asked = awaitedFrom(context, caller);
  // Whoever answers a question that hides a part of the call does not know what they approve; a terminal shows every line.
  const isTooLongToAsk = asked === "question" && caller.isUnattended !== true && !isAskable(preview);
  const awaits = isTooLongToAsk ? "person" : asked;
  const plan = await context.plans.open(binding, { awaits, tier: facts.tier, preview: keptOf(preview), before });
  await trail.previewed({ tier: facts.tier, rule: decision.rule }, plan.id);
  if (awaits !== "question") {
    const why = isTooLongToAsk ? tooLongToAsk : whyPerson(awaits, plan, caller);
    return { kind: "preview", preview, plan, ...(why === undefined ? {} : { why }) };
  }
  return { kind: "question", preview, plan, needsTarget: needsTarget(context.approval, plan) };
}

/** Whether a call that the policy lets go on waits for an approval: a person always decides where only people may approve, or was asked. */
const needsApproval = ({ approval }: Context, { call }: Work, { decision }: Permit, caller: Caller): boolean => {
  if (approval === "human" || decision.effect === "approve" || wasAsked(caller)) return true;
  // Its caller has not seen what was composed; those of a batch are its caller's own.
  return call.composed !== undefined && call.composed.isGiven !== true && approval !== "off";
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
  if (!needsApproval(context, work, permitted, caller)) {
    const { preview, binding, before } = proposal;
    const { id } = await plans.open(binding, {
      awaits: "policy",
      tier: permitted.facts.tier,
      preview: keptOf(preview),
      before,
    });
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
    const tier = (await context.plans.findOwn(given.id, whoseOf(caller.owner, context.account)))?.plan.tier;
    // What only its preview has read counts again: a rule can have begun to hold since.
    const known = tier === "critical" ? { criticalBy: ["its preview found it to be"] } : undefined;
    const permitted = known ? await permitAll(context, work.prepared, caller, trail, known) : early;
    const approval = await redeem(context.plans, given.id, work.call, given.through);
    return sendApproved(context, work, permitted, trail, { id: given.id, approval });
  }
  const found = await proposed(context, work, caller, trail);
  return "approved" in found ? sendApproved(context, work, found.permit, trail, found.approved) : found;
}
