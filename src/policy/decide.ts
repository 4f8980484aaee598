/** Decides what a policy says of a call: deny wins over everything, then the first rule that matches, then the defaults. */
import { Failure, type FieldProblem, shown } from "../language/failure.js";
import { tiers } from "../language/tier.js";
import type { CallFacts } from "./facts.js";
import { matches, refusedDestinations } from "./match.js";
import type { Policy, Rule, RuleEffect } from "./rule.js";

export interface Decision {
  readonly effect: RuleEffect;
  /** The id of the rule that decided, or a name for what decided where no rule of the file did. */
  readonly rule: string;
  /** Why, in one sentence. */
  readonly why: string;
  /** What to do about a denial, where it is more than to respect it. */
  readonly next?: string;
  /** The fields that were refused, where single fields were. */
  readonly fields?: readonly FieldProblem[];
}

const operatorNext = "Do not try another way around it: whoever operates this server decides what its policy allows.";

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const byRule = ({ effect, id, because }: Rule): Decision => ({
  effect,
  rule: id,
  why: because === undefined ? `The policy's rule ${id} matches this call.` : sentence(because),
});

const readInOneWay =
  "it has to be spelled in the one way in which all programs read it, without spaces, backslashes, invisible or look-alike characters, and without a user before a host";

function byEgress({ egress }: Policy, { destinations }: CallFacts): Decision | undefined {
  const refused = refusedDestinations(egress, destinations);
  const [first] = refused;
  if (first === undefined) return undefined;
  const takes = (patterns: readonly string[] = []) =>
    patterns.length > 0
      ? `one that the policy lists: ${patterns.join(", ")}`
      : "nothing, because the policy lists none";
  return {
    effect: "deny",
    rule: `egress.${first.kind}s`,
    why: `The call would send data to destinations that the policy does not list, in ${refused.map(({ field }) => field).join(", ")}.`,
    next: `Correct these fields or leave them out. ${operatorNext}`,
    fields: refused.map(({ field, value, kind, isDoubtful }) => ({
      field,
      given: shown(value),
      takes: `${takes(egress[`${kind}s`])}${isDoubtful && (egress[`${kind}s`]?.length ?? 0) > 0 ? `; ${readInOneWay}` : ""}`,
    })),
  };
}

/** What a profile forbids whatever the rules say. */
function byProfile({ tool, tier, because, section, highestTier }: CallFacts): Decision | undefined {
  if (highestTier === undefined || tiers.indexOf(tier) <= tiers.indexOf(highestTier)) return undefined;
  return {
    effect: "deny",
    rule: `highestTier of the profile ${section}`,
    why: `The highestTier of the profile ${section} is ${highestTier}, and this call of ${tool} is ${tier}, because ${because.join(", and ")}.`,
    next: "Do not try it in another profile unless the user means that one: whoever operates the server sets highestTier in its configuration.",
  };
}

/** Whether the policy lists all that a call sends data to, where that is all that it is guarded for. */
const isListed = ({ egress }: Policy, { tier, isAboutDestinations, destinations }: CallFacts): boolean =>
  isAboutDestinations === true &&
  tier === "guarded" &&
  destinations.length > 0 &&
  // What a list does not have was refused before.
  destinations.every(({ kind }) => egress[`${kind}s`] !== undefined);

/**
 * What holds where no rule matches: what only reads or writes goes through, and so does what sends data where the policy
 * has it sent; everything else is approved.
 */
function byDefault(policy: Policy, facts: CallFacts): Decision {
  const { tier, because } = facts;
  if (isListed(policy, facts))
    return {
      effect: "allow",
      rule: "egress",
      why: "The policy lists every destination of this call, and it needs an approval for nothing else.",
    };
  const isFree = tier === "read" || tier === "write";
  return {
    effect: isFree ? "allow" : "approve",
    rule: `default: ${tier}`,
    why: `No rule matches; a ${tier} call ${isFree ? "needs no approval" : "is approved first"}, because ${because.join(", and ")}.`,
  };
}

/**
 * What may become of a call. `approve` means that it waits for an approval, and `allow` that it needs none.
 * @param nowMs The time of the decision: a freeze can begin between a preview and its approval, so a call is decided again
 * before it is sent.
 */
export function decide(policy: Policy, facts: CallFacts, nowMs: number): Decision {
  if (facts.isReadOnly && facts.tier !== "read")
    return {
      effect: "deny",
      rule: "read-only",
      why: `This server is read-only, and ${facts.tool} is not a read.`,
      next: "Whoever operates the server can start it with writes switched on; no call can.",
    };
  const limited = byProfile(facts);
  if (limited) return limited;
  const isMatching = (rule: Rule) => matches(rule, facts, nowMs);
  const denial = policy.rules.find((rule) => rule.effect === "deny" && isMatching(rule));
  if (denial) return byRule(denial);
  const egress = byEgress(policy, facts);
  if (egress) return egress;
  // A read has nothing that could be approved: it is denied or it goes through.
  if (facts.tier === "read") return byDefault(policy, facts);
  const first = policy.rules.find(isMatching);
  return first ? byRule(first) : byDefault(policy, facts);
}

/** The failure of a call that the policy denies. */
export const denied = (tool: string, { rule, why, next = operatorNext, fields }: Decision): Failure =>
  new Failure("not_allowed", `${tool} is not allowed by the rule ${JSON.stringify(rule)}.`, {
    why: `${why} Nothing was sent.`,
    next,
    ...(fields === undefined ? {} : { fields }),
  });
