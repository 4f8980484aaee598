/** Rulings: the facts of a call with the decision on it, and those on calls that are approved together as one. */
import type { FieldProblem } from "../language/failure.js";
import type { CallFacts } from "./facts.js";
import type { PolicyRule } from "./file.js";
import { type Freeze, freezeInWords } from "./freeze.js";
import { tiers } from "./tier.js";

export interface PolicyDecision {
  readonly effect: PolicyRule["effect"];
  /** The id of the deciding rule, or a name if no rule of the file decided. */
  readonly rule: string;
  /** Why, in one sentence. */
  readonly why: string;
  /** The same with the name of the rule, for a person who approves the call; absent if no rule of the file decided. */
  readonly whyByRule?: string;
  /** Set if the effect is `approve` and two persons have to. */
  readonly approvers?: 2;
  /**
   * The rules that deny the call unless two persons approve it, each with a reason: the gravest first, never empty. Set
   * with `approvers`.
   */
  readonly breaks?: readonly string[];
  /** The freeze for which it is denied, or those which it breaks; a rule without windows has none. */
  readonly freezes?: readonly Freeze[];
  /** The forms of ticket that its rules ask for, each of them one list of patterns. */
  readonly tickets?: readonly (readonly string[])[];
  /** Set if the effect is `deny` for the lack of a ticket of one of these patterns. */
  readonly lacksTicket?: readonly string[];
  /** What to do about a denial, if there is an option. */
  readonly next?: string;
  /** The same for a person at a shell, where it differs. */
  readonly atShell?: { readonly next: string };
  /** The refused fields, if individual fields were refused. */
  readonly fields?: readonly FieldProblem[];
}

/** The facts of a call, and the decision on it. */
export interface Ruling {
  readonly facts: CallFacts;
  readonly decision: PolicyDecision;
}

const effects: readonly PolicyRule["effect"][] = ["allow", "approve", "deny"];

/** Compares rulings: first by their effects, then by tier. */
const compareGravity = (a: Ruling, b: Ruling): number =>
  effects.indexOf(b.decision.effect) - effects.indexOf(a.decision.effect) ||
  tiers.indexOf(b.facts.tier) - tiers.indexOf(a.facts.tier);

const gravestOf = (rulings: readonly Ruling[]): Ruling =>
  rulings.reduce((most, ruling) => (compareGravity(ruling, most) < 0 ? ruling : most));

/** What rulings break together: each rule and each freeze once, in the order of the rulings. */
function joinBreaks(breaking: readonly Ruling[]): Pick<PolicyDecision, "breaks" | "freezes"> {
  if (breaking.length === 0) return {};
  const freezes = breaking.flatMap(({ decision }) => decision.freezes ?? []);
  return {
    breaks: [...new Set(breaking.flatMap(({ decision }) => decision.breaks ?? []))],
    freezes: [...new Map(freezes.map((freeze) => [freeze.rule, freeze])).values()],
  };
}

/**
 * The ruling on calls that are approved together: a denial, or what the gravest of them needs. Two persons for one of
 * them are two for all.
 * @param rulings At least one.
 * @param drafts Rulings on what is written for these calls before them, which is part of the decision and not of the
 * facts.
 */
export function jointRuling(rulings: readonly Ruling[], drafts: readonly Ruling[] = []): Ruling {
  const count = rulings.reduce((sum, { facts }) => sum + facts.count, 0);
  const facts = { ...gravestOf(rulings).facts, count, calls: rulings.length };
  const all = [...rulings, ...drafts];
  const gravest = gravestOf(all);
  if (gravest.decision.effect === "deny") return { facts, decision: gravest.decision };
  const breaking = all.filter(({ decision }) => decision.breaks !== undefined).toSorted(compareGravity);
  const approvers = all.some(({ decision }) => decision.approvers === 2) ? { approvers: 2 as const } : {};
  return { facts, decision: { ...(breaking[0] ?? gravest).decision, ...joinBreaks(breaking), ...approvers } };
}

/** A sentence for each freeze that a call breaks, with the end of each if it has windows. */
export const breaksInWords = ({ breaks = [], freezes = [] }: PolicyDecision): readonly string[] =>
  breaks.map((rule) => {
    const freeze = freezes.find((one) => one.rule === rule);
    const end = freeze === undefined ? "" : ` ${freezeInWords(freeze)}`;
    return `Frozen by the rule ${rule}: two persons have to approve it, each with a reason.${end}`;
  });
