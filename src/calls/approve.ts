/** The approval of a call: what needs none has it, a guarded call has it by a plan, or is shown and waits for it. */
import { invalidInput } from "../arguments/index.js";
import {
  type Approval as ApprovedBy,
  beforeUnread,
  type GuardedCall,
  isAskable,
  keptOf,
  noteOnWayBack,
  type Plan,
  type PlanRecord,
  type Proposal,
  propose,
  redeem,
  type Settlement,
  type Through,
} from "../guard/index.js";
import { whoseOf } from "../language/account.js";
import { Failure } from "../language/failure.js";
import { type Caller, type Decision, wasAsked } from "./caller.js";
import type { Context, Prepared } from "./context.js";
import { withoutSecrets } from "./echo.js";
import type { Found } from "./find.js";
import type { Outcome } from "./outcome.js";
import { isFree, type Permit, permit } from "./permit.js";
import type { Run } from "./run.js";
import { readForPreview } from "./state.js";
import type { Trail } from "./trail.js";

/** The requests of a call, all known and none of them sent: one, or those of a batch. */
export interface Work extends Found {
  readonly all: readonly [Prepared, ...Prepared[]];
}

/** A call that may be sent. */
export interface Approval {
  readonly permit: Permit;
  /** The plan that was used up for it, and who approved that; absent where it needs none. */
  readonly plan?: { readonly id: string; readonly approval: ApprovedBy };
  /** Marks the plan directly before each request leaves, so that a crash leaves a call of which nobody knows the end. */
  sending(): Promise<void>;
  /** Records in the plan what came of the call. */
  settle(settlement: Settlement): Promise<void>;
  /** What is known of the change after it was settled: its way back, and the warnings that its caller has not seen. */
  afterwards(settlement: Settlement): Promise<Afterwards>;
}

/** What there is to know about a change when it is made. */
export interface Afterwards {
  readonly wayBack: ReturnType<typeof noteOnWayBack>;
  readonly warnings: readonly string[];
}

const none = async (): Promise<void> => undefined;
/** The approval of a call that needs none. */
const unneeded = (permitted: Permit): Approval => ({
  permit: permitted,
  sending: none,
  settle: none,
  afterwards: async () => ({ wayBack: undefined, warnings: [] }),
});

/** The way back from what was made of a call, of which some requests may have been refused. */
function wayBackFrom(call: GuardedCall, id: string, kept: Plan["before"], { made = [], unmade = [] }: Settlement) {
  const before = (kept ?? beforeUnread(call))
    .map((one, at) => ({ ...one, ...(made[at] ? { made: made[at] } : {}) }))
    .filter((_, at) => !unmade.includes(at));
  return noteOnWayBack(call.operation, id, before, kept !== undefined);
}

/** The approval of a call by a plan, which was used up for it. */
const approved = (
  { plans }: Context,
  call: GuardedCall,
  permitted: Permit,
  plan: { readonly id: string; readonly approval: ApprovedBy },
): Approval => ({
  permit: permitted,
  plan,
  sending: () => plans.sending(plan.id),
  settle: (settlement) => plans.settle(plan.id, settlement),
  async afterwards(settlement) {
    // What is too large to be kept of the state is not known any more; what was asked is.
    const kept = (await plans.findOwn(plan.id, whoseOf(call.owner, call.account)))?.plan;
    return {
      // Where every request was refused there is nothing to take back.
      wayBack: settlement.state === "failed" ? undefined : wayBackFrom(call, plan.id, kept?.before, settlement),
      // With `confirm` the assistant has seen the preview itself.
      warnings: plan.approval.channel === "confirm" ? [] : (kept?.preview.warnings ?? []),
    };
  },
});

/** The plan that a call is made under, and how it came. */
interface Given {
  readonly id: string;
  readonly through: Through;
  readonly found?: PlanRecord | undefined;
}

const refused = (what: string, why: string, next: string): Failure =>
  new Failure("approval_refused", what, { why: `${why} Nothing was sent.`, next });

/** Whether a person has to type the target of a plan. */
const needsTarget = (approval: Context["approval"], { tier }: Pick<Plan, "tier">): boolean =>
  approval === "human" && tier === "critical";

/** The plan that the user was asked about, if they approved it. */
async function decided(
  { plans, approval, account }: Context,
  tool: string,
  { plan: id, isApproved, isDismissed = false, typed }: Decision,
  owner: string,
  trail: Trail,
): Promise<Given> {
  const whose = whoseOf(owner, account);
  const found = await plans.findOwn(id, whose);
  const plan = found?.plan;
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
  return { id, through: "elicitation", found };
}

/**
 * The plan that a call brings: in its argument, or by the user's answer; undefined when it brings none.
 * @throws Failure `declined` when the user was asked and did not approve.
 */
async function givenPlan(
  { context, caller, trail }: Run,
  tool: string,
  confirm: string | undefined,
): Promise<Given | undefined> {
  const { plans, approval } = context;
  const { decision, unanswered, owner } = caller;
  const whose = whoseOf(owner, context.account);
  if (unanswered !== undefined) await plans.refuseOwn(unanswered, whose, "elicitation");
  // What the user has said goes before what the model says.
  if (decision !== undefined) return decided(context, tool, decision, owner, trail);
  if (confirm === undefined) return undefined;
  const found = await plans.findOwn(confirm, whose);
  const isForPerson = approval === "human" || found?.plan.awaits === "person";
  return { id: confirm, through: isForPerson ? "person" : "confirm", found };
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

/** Opens a plan for what was proposed, and says who has to approve it. */
async function opened(
  { context, caller, trail }: Run,
  { binding, preview, before }: Proposal,
  { facts, decision }: Permit,
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

/** Whether the caller has seen all that is sent: what was composed nobody has, but for the calls of a batch as they were given. */
const isOwn = ({ composed }: Work): boolean => composed === undefined || composed.isGiven === true;

/** Whether a call that the policy lets go on waits for an approval: a person always decides where only people may approve, or was asked. */
const needsApproval = ({ context: { approval }, caller }: Run, work: Work, { decision }: Permit): boolean =>
  approval === "human" || decision.effect === "approve" || wasAsked(caller) || (!isOwn(work) && approval !== "off");

/** The requests of a call as the guard looks at them. */
function guardedCall({ context, caller, invoke, read, accountName }: Run, { all }: Work): GuardedCall {
  const [{ tool, declared, composed }] = all;
  return {
    tool: composed?.tool ?? tool,
    operationTool: tool,
    operation: declared,
    items: all.map(({ checked, request }) => ({
      args: checked,
      request,
      readState: ({ isFresh }) =>
        readForPreview(context, declared, checked.values, (isFresh ? invoke : read)("state"), { isBoundOnly: isFresh }),
    })),
    composed,
    account: context.account,
    accountName,
    owner: caller.owner,
  };
}

/** What is shown, and the plan that waits for its approval; or the plan that needs none, or has it already. */
async function proposed(run: Run, work: Work, call: GuardedCall): Promise<Outcome | Approval> {
  const { context } = run;
  const { plans } = context;
  const { binding: bound, ...found } = await propose(call);
  const proposal: Proposal = { binding: bound, ...withoutSecrets(found, context.secrets) };
  const permitted = await permit(run, work.all, proposal);
  if (!needsApproval(run, work, permitted)) {
    const { preview, binding, before } = proposal;
    const { tier } = permitted.facts;
    const { id } = await plans.open(binding, { awaits: "policy", tier, preview: keptOf(preview), before });
    return approved(context, call, permitted, { id, approval: await plans.redeem(id, binding, "policy") });
  }
  if (context.approval === "off")
    throw new Failure("not_allowed", `${call.tool} needs an approval, and this server asks nobody for one.`, {
      why: `It was started with --approval off, and its policy does not allow this ${permitted.facts.tier} call (${permitted.decision.rule}). Nothing was sent.`,
      next: "Leave the change to the user, or have whoever operates the server allow it in the policy file.",
    });
  const id = await plans.approvedFor(proposal.binding);
  if (id === undefined) return opened(run, proposal, permitted);
  return approved(context, call, permitted, { id, approval: await redeem(plans, id, call, "person") });
}

/**
 * Approves a call, or shows what it would do and asks for its approval.
 * @param permitted What the policy says of it before anything is read.
 */
export async function approve(run: Run, work: Work, permitted: Permit): Promise<Outcome | Approval> {
  const { context, caller } = run;
  const { all, tool, composed } = work;
  const confirm = composed ? composed.confirm : (all[0].checked.confirm ?? work.confirm);
  if (isOwn(work) && !wasAsked(caller) && isFree(permitted)) {
    if (confirm !== undefined && !composed)
      throw invalidInput(tool, [{ field: "confirm", takes: "nothing: this call needs no approval" }]);
    return unneeded(permitted);
  }
  const call = guardedCall(run, work);
  const given = await givenPlan(run, call.tool, confirm);
  if (!given) return proposed(run, work, call);
  // What only its preview has read counts again: a rule can have begun to hold since.
  const isCritical = given.found?.plan.tier === "critical";
  const known = isCritical ? await permit(run, all, { criticalBy: ["its preview found it to be"] }) : permitted;
  const approval = await redeem(context.plans, given.id, call, given.through);
  return approved(context, call, known, { id: given.id, approval });
}
