/** The policy's decision on a call. */
import type { Arguments } from "../language/conduct.js";
import {
  asksForTickets,
  type CallerFacts,
  type CallFacts,
  denialOf,
  jointRuling,
  type RuledCall,
  type Ruling,
  rulingOn,
  rulingOnReading,
} from "../policy/index.js";
import type { TierFacts } from "../policy/tier.js";
import type { CallContext, DeclaredOperation, ResolvedCall } from "./context.js";
import type { ReadOrigin } from "./origin.js";
import type { Trail } from "./trail.js";
import { type CallCause, type ValidatedCall, validateCall } from "./validate.js";
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

/** The context of a decision. */
interface PermitContext {
  readonly context: CallContext;
  readonly caller: Pick<ReadOrigin, "isReadOnly" | "principal" | "ticket">;
  readonly trail: Trail;
}

/**
 * Validates a call, and refuses it for the lack of the ticket that the policy asks for: not even a check of its arguments
 * has read anything then. What is not known of it yet counts as what restricts most.
 * @throws Failure `not_allowed`, or `invalid_input`.
 */
export async function validateWithTicket(
  run: PermitContext & { readonly caller: Pick<ReadOrigin, "offer"> },
  tool: string,
  operation: DeclaredOperation,
  args: Arguments,
  cause: CallCause,
): Promise<ValidatedCall> {
  const call = await validateCall(run, tool, operation, args, cause);
  const { context, caller, trail } = run;
  if (!asksForTickets(context.policy)) return call;
  const ruled: RuledCall = { ...call, composed: cause.composed };
  const ruling = rulingOn(context.policy, ruled, callerFactsOf(context, caller), Date.now());
  if (ruling.decision.lacksTicket !== undefined) await refuseIfDenied(ruling, trail);
  return call;
}

/** Calls that are made together, and those that write their draft. */
interface JointCalls {
  readonly all: readonly ResolvedCall[];
  readonly drafted?: { readonly calls: readonly ResolvedCall[] } | undefined;
}

/**
 * Decides on the requests of a call and of its draft together.
 * @param known Facts found by a preview, which can only raise the tier.
 * @throws Failure `not_allowed` if the policy denies one of them, or all changes are stopped.
 */
export async function permitCalls(
  { context, caller, trail }: PermitContext,
  { all, drafted }: JointCalls,
  known?: TierFacts,
): Promise<Permit> {
  const callerFacts = callerFactsOf(context, caller);
  const rule = (call: ResolvedCall) => rulingOn(context.policy, call, callerFacts, Date.now(), known);
  const rulings = all.map(rule);
  const drafts = drafted?.calls.map(rule) ?? [];
  const joint = [...rulings, ...drafts];
  const change = joint.find(({ facts }) => facts.tier !== "read");
  // With known facts, the call has passed this check before, and each of its requests passes it again.
  if (change && known === undefined) await refuseIfStopped(context, change.facts.tool);
  for (const ruling of joint) await refuseIfDenied(ruling, trail);
  return jointRuling(rulings, drafts);
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
