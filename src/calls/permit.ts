/** The policy's decision on a call. */
import {
  asksForTickets,
  type CallerFacts,
  type CallFacts,
  denialOf,
  type RuledCall,
  type Ruling,
  rulingOn,
  rulingOnReading,
} from "../policy/index.js";
import { type TierFacts, tiers } from "../policy/tier.js";
import type { CallContext, ResolvedCall } from "./context.js";
import type { ReadOrigin } from "./origin.js";
import type { Trail } from "./trail.js";
import { refuseIfStopped } from "./write-stop.js";

/** The facts of a call, and the policy's decision, which is not a denial. */
export type Permit = Ruling;

/** What the policy knows of the origin of a call. */
const callerFactsOf = (
  { account, profile, isReadOnly }: CallContext,
  caller: Pick<ReadOrigin, "isReadOnly" | "principal" | "ticket">,
): CallerFacts => ({
  section: profile?.name ?? account.section,
  ...(profile?.highestTier === undefined ? {} : { highestTier: profile.highestTier }),
  ...(caller.principal === undefined ? {} : { principal: caller.principal }),
  ...(caller.ticket === undefined ? {} : { ticket: caller.ticket }),
  isReadOnly: isReadOnly || caller.isReadOnly === true,
});

/** Records and refuses a call that the policy denies. */
async function refuseIfDenied({ facts, decision }: Ruling, trail: Trail): Promise<void> {
  if (decision.effect !== "deny") return;
  await trail.recordDenial({ tier: facts.tier, rule: decision.rule });
  throw denialOf(facts.tool, decision);
}

/** Whether a call needs neither an approval nor a preview. */
export const isApprovalFree = ({ facts: { tier }, decision: { effect } }: Permit): boolean =>
  effect === "allow" && (tier === "read" || tier === "write");

/** Compares decisions: first whether an approval is needed, then by tier. */
const isGraver = (permit: Permit, other: Permit): boolean => {
  const rank = ({ facts, decision }: Permit) =>
    [decision.effect === "approve" ? 1 : 0, tiers.indexOf(facts.tier)] as const;
  const [[effect, tier], [otherEffect, otherTier]] = [rank(permit), rank(other)];
  return effect === otherEffect ? tier > otherTier : effect > otherEffect;
};

/** The permit of calls that are made together: the gravest one, for the total number of objects. */
function combinePermits(permits: readonly Permit[]): Permit {
  if (permits.length === 1 && permits[0]) return permits[0];
  const gravest = permits.reduce((most, one) => (isGraver(one, most) ? one : most));
  const count = permits.reduce((sum, { facts }) => sum + facts.count, 0);
  // Two persons for one of them are two for all, because they are approved together.
  const approvers = permits.some(({ decision }) => decision.approvers === 2) ? { approvers: 2 as const } : {};
  const breaking = permits.find(({ decision }) => decision.breaks !== undefined);
  return {
    decision: { ...(breaking ?? gravest).decision, ...approvers },
    facts: { ...gravest.facts, count, calls: permits.length },
  };
}

/** The context of a decision. */
interface PermitContext {
  readonly context: CallContext;
  readonly caller: Pick<ReadOrigin, "isReadOnly" | "principal" | "ticket">;
  readonly trail: Trail;
}

/**
 * Refuses a call for the lack of the ticket that the policy asks for, before anything is read for it. What is not known of
 * it yet counts as what restricts most.
 * @throws Failure `not_allowed`
 */
export async function refuseWithoutTicket({ context, caller, trail }: PermitContext, call: RuledCall): Promise<void> {
  if (!asksForTickets(context.policy)) return;
  const ruling = rulingOn(context.policy, call, callerFactsOf(context, caller), Date.now());
  if (ruling.decision.lacksTicket !== undefined) await refuseIfDenied(ruling, trail);
}

/**
 * Decides on the requests of a call together.
 * @param known Facts found by a preview, which can only raise the tier.
 * @throws Failure `not_allowed` if the policy denies one of them, or all changes are stopped.
 */
export async function permitCalls(
  { context, caller, trail }: PermitContext,
  all: readonly ResolvedCall[],
  known?: TierFacts,
): Promise<Permit> {
  const callerFacts = callerFactsOf(context, caller);
  const permits = all.map((one) => rulingOn(context.policy, one, callerFacts, Date.now(), known));
  const change = permits.find(({ facts }) => facts.tier !== "read");
  // With known facts, the call has passed this check before, and each of its requests passes it again.
  if (change && known === undefined) await refuseIfStopped(context, change.facts.tool);
  for (const one of permits) await refuseIfDenied(one, trail);
  return combinePermits(permits);
}

/**
 * Decides on a call of a tool that only calls other tools to read; each of those calls is decided on separately.
 * @throws Failure `not_allowed` if the policy denies it.
 */
export async function permitReading(
  { context, caller, trail }: PermitContext,
  of: Pick<CallFacts, "tool" | "service">,
): Promise<Permit> {
  const ruling = rulingOnReading(context.policy, of, callerFactsOf(context, caller), Date.now());
  await refuseIfDenied(ruling, trail);
  return ruling;
}
