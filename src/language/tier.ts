/** The tier of a call: how much harm it can do, from its declaration, its arguments and whether its state could be shown. */
import type { Arguments, Guard, GuardKind } from "./conduct.js";
import type { AnyOperation } from "./define.js";
import { guardOf, isRead } from "./effect.js";
import { memberAt } from "./member.js";

/** The tiers, mildest first. */
export const tiers = ["read", "write", "guarded", "critical"] as const;
export type Tier = (typeof tiers)[number];

/** What is known of a call beyond its declaration and its arguments. */
export interface TierFacts {
  /** Whether the operation that shows the state could be called; undefined as long as nobody has tried. */
  readonly isStateShown?: boolean;
  /** Whether it sends data to nobody, where it is guarded for that alone. */
  readonly isToNobody?: boolean;
  /** What only reading tells of how much harm it can do, as clauses that follow "because". */
  readonly criticalBy?: readonly string[];
}

export interface Tiered {
  readonly tier: Tier;
  /** Why, as clauses that follow "because". */
  readonly because: readonly string[];
}

/** The networks that a call can be known to act on. */
export const networks = ["production", "staging"] as const;

/** The network of what is live at once, in the place of an argument. */
const live = "PRODUCTION";

/** The argument that names the network, where there is one. */
export const networkArgument = ({ network }: Guard): string | undefined => (network === live ? undefined : network);

/** Other spellings of networks that APIs take. */
const spellings: Readonly<Record<string, string>> = { prod: "production" };

const isNetwork = (word: string): boolean => networks.some((network) => network === word);

const alwaysCritical: Partial<Readonly<Record<GuardKind, string>>> = {
  credential: "it changes credentials",
  access: "it changes who has access",
};

/** Whether an argument has its one harmless value; a flag that is left out, or null, is not set. */
const isHarmless = (given: unknown, unless: unknown): boolean =>
  given === unless || (unless === false && (given === undefined || given === null));

/** More things than this are too many to look at one by one. */
export const wideAbove = 100;

/**
 * The network that a call acts on, in lower case. An operation whose network is left out acts on production, and so does
 * one whose changes are live at once; undefined where networks mean nothing to it.
 */
export function networkOf(operation: AnyOperation, args: Arguments): string | undefined {
  const guard = guardOf(operation);
  if (guard === undefined) return undefined;
  const argument = networkArgument(guard);
  if (argument === undefined) return guard.network === live || guard.kind === "activate" ? "production" : undefined;
  const given = memberAt(args, argument);
  if (given === undefined || given === null || given === "") return "production";
  const word = String(given).toLowerCase();
  return spellings[word] ?? word;
}

/** The list of things that a call affects, where its guard names one; empty when it has another form. */
export function countedIn(operation: AnyOperation, args: Arguments): readonly unknown[] | undefined {
  const counts = guardOf(operation)?.counts;
  if (counts === undefined) return undefined;
  const counted = memberAt(args, counts);
  return Array.isArray(counted) ? counted : [];
}

/** Whether what is deleted can be created again with the same effect. */
const isReversible = ({ undo }: Guard): boolean => typeof undo === "object" && "args" in undo && undo.isWhole === true;

/** The arguments that make a call critical. */
export const criticalArguments = ({ critical = [] }: Guard) => critical.filter((one) => typeof one === "object");

/** What makes a call critical that reading alone tells, each function of it with what has been read. */
export const criticalByState = (
  { critical = [] }: Guard,
  args: Arguments,
  present: unknown,
  beside: Arguments,
): readonly string[] => critical.flatMap((one) => (typeof one === "function" ? one(args, present, beside) : []));

function criticalBecause(
  operation: AnyOperation,
  guard: Guard,
  args: Arguments,
  { isStateShown, criticalBy = [] }: TierFacts,
): string[] {
  const network = networkOf(operation, args);
  const counted = countedIn(operation, args);
  const because = [
    alwaysCritical[guard.kind],
    guard.kind === "delete" && !isReversible(guard) && "what it deletes cannot be brought back as it was",
    network === "production" && "it acts on the production network",
    network !== undefined && !isNetwork(network) && `nobody knows what the network ${JSON.stringify(network)} is`,
    (counted?.length ?? 0) > wideAbove && `it affects ${counted?.length} objects, which is more than ${wideAbove}`,
    counted?.length === 0 && "the number of objects that it affects is not known",
    isStateShown === false && "the state that it changes could not be shown",
    ...criticalArguments(guard).map(
      ({ argument, unless, because: why }) => !isHarmless(memberAt(args, argument), unless) && why,
    ),
    ...criticalBy,
  ];
  return because.filter((why) => typeof why === "string");
}

function guardedBecause({ kind, when }: Guard): string {
  if (when === "sending") return "it sends data to somebody";
  return kind === "create"
    ? "it adds something that somebody has to have seen"
    : "it replaces, removes or silences something";
}

/**
 * The tier of a call. What is not known raises it: a missing or unknown network, a missing state, an argument's value that
 * the declaration does not call harmless.
 * @param args The arguments by name, after their check, with defaults filled in.
 */
export function tierOf(operation: AnyOperation, args: Arguments, facts: TierFacts = {}): Tiered {
  if (isRead(operation)) return { tier: "read", because: ["it changes nothing"] };
  const guard = guardOf(operation);
  if (guard === undefined) return { tier: "write", because: ["it makes a change that is not declared as destructive"] };
  if (facts.isToNobody) return { tier: "write", because: ["it sends data to nobody"] };
  const because = criticalBecause(operation, guard, args, facts);
  return because.length > 0 ? { tier: "critical", because } : { tier: "guarded", because: [guardedBecause(guard)] };
}
