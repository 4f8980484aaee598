/** The tier of a call: how much harm it can do, from its declaration, its arguments and whether its state could be shown. */
import type { Arguments, Guard, GuardKind } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { guardOf, isRead } from "../language/effect.js";
import { listAt, memberAt } from "../language/member.js";
import { withoutFalse } from "../language/words.js";

/** The tiers, mildest first. */
export const tiers = ["read", "write", "guarded", "critical"] as const;
export type Tier = (typeof tiers)[number];

/** Facts about a call beyond its declaration and arguments. */
export interface TierFacts {
  /** Whether the present state could be read; undefined before the attempt. */
  readonly isStateShown?: boolean;
  /** Whether it sends data nowhere, if it is guarded only because of its destinations. */
  readonly isToNobody?: boolean;
  /** Reasons that were found by reading, as clauses that follow "because". */
  readonly criticalBy?: readonly string[];
}

export interface TierWithReasons {
  readonly tier: Tier;
  /** Why, as clauses that follow "because". */
  readonly because: readonly string[];
}

export const knownNetworks = ["production", "staging"] as const;

/** The network of changes that are live immediately, in place of an argument. */
const live = "PRODUCTION";

/** The argument that names the network, if there is one. */
export const networkArgument = ({ network }: Guard): string | undefined => (network === live ? undefined : network);

/** Other spellings of networks in APIs. */
const spellings = new Map([["prod", "production"]]);

const isNetwork = (word: string): boolean => knownNetworks.some((network) => network === word);

const alwaysCritical: Partial<Readonly<Record<GuardKind, string>>> = {
  credential: "it changes credentials",
  access: "it changes who has access",
};

/** Whether an argument has its one harmless value; a flag that is left out, or null, is not set. */
const isHarmless = (given: unknown, unless: unknown): boolean =>
  given === unless || (unless === false && (given === undefined || given === null));

/** More objects than this are too many to review one by one. */
export const wideAbove = 100;

/** What an argument names as the network: for a list, what all of its items name, or nothing if they differ. */
function namedAt(args: Arguments, argument: string): unknown {
  const [path = "", ofItem] = argument.split("[].");
  if (ofItem === undefined) return memberAt(args, path);
  const [one, ...others] = new Set(listAt(args, path).map((item) => memberAt(item, ofItem)));
  return others.length === 0 ? one : undefined;
}

/**
 * The network that a call acts on, in lower case: production if the argument is left out or changes are live immediately;
 * undefined if the operation has no networks.
 */
export function networkOf(operation: AnyOperation, args: Arguments): string | undefined {
  const guard = guardOf(operation);
  if (guard === undefined) return undefined;
  const argument = networkArgument(guard);
  if (argument === undefined) return guard.network === live || guard.kind === "activate" ? "production" : undefined;
  const given = namedAt(args, argument);
  if (given === undefined || given === null || given === "") return "production";
  const word = String(given).toLowerCase();
  return spellings.get(word) ?? word;
}

/** The list of objects that a call affects, if its guard names one; empty if it is not a list. */
export function countedObjects(operation: AnyOperation, args: Arguments): readonly unknown[] | undefined {
  const counts = guardOf(operation)?.counts;
  if (counts === undefined) return undefined;
  const counted = memberAt(args, counts);
  return Array.isArray(counted) ? counted : [];
}

/** Whether a deleted object can be created again with the same effect. */
const isReversible = ({ undo }: Guard): boolean => typeof undo === "object" && "args" in undo && undo.isWhole === true;

/** The arguments that make a call critical. */
export const criticalArguments = ({ critical = [] }: Guard) => critical.filter((one) => typeof one === "object");

/** Why a call is critical, according to the guard's functions of the state that was read. */
export const criticalByState = (
  { critical = [] }: Guard,
  args: Arguments,
  present: unknown,
  related: Arguments,
): readonly string[] =>
  withoutFalse(...critical.flatMap((one) => (typeof one === "function" ? one(args, present, related) : [])));

function criticalBecause(
  operation: AnyOperation,
  guard: Guard,
  args: Arguments,
  { isStateShown, criticalBy = [] }: TierFacts,
): string[] {
  const network = networkOf(operation, args);
  const counted = countedObjects(operation, args);
  const because = [
    alwaysCritical[guard.kind],
    guard.kind === "delete" && !isReversible(guard) && "the deletion cannot be fully undone",
    network === "production" && "it acts on the production network",
    network !== undefined && !isNetwork(network) && `the network ${JSON.stringify(network)} is unknown`,
    (counted?.length ?? 0) > wideAbove && `it affects ${counted?.length} objects, which is more than ${wideAbove}`,
    counted?.length === 0 && "the number of affected objects is unknown",
    isStateShown === false && "the state that it changes could not be shown",
    ...criticalArguments(guard).map(
      ({ argument, unless, because: why }) => !isHarmless(memberAt(args, argument), unless) && why,
    ),
    ...criticalBy,
  ];
  return because.filter((why) => typeof why === "string");
}

function guardedBecause({ kind, when }: Guard): string {
  if (when === "sending") return "it sends data to a destination";
  return kind === "create" ? "it adds something that needs a review" : "it replaces, removes or silences something";
}

/**
 * The tier of a call. Uncertainty raises it: a missing or unknown network, a missing state, an argument's value that is not
 * declared as harmless.
 * @param args The validated arguments by name, with defaults filled in.
 */
export function tierOf(operation: AnyOperation, args: Arguments, facts: TierFacts = {}): TierWithReasons {
  if (isRead(operation)) return { tier: "read", because: ["it changes nothing"] };
  const guard = guardOf(operation);
  if (guard === undefined) return { tier: "write", because: ["it makes a change that is not declared as destructive"] };
  if (facts.isToNobody) return { tier: "write", because: ["it sends data nowhere"] };
  const because = criticalBecause(operation, guard, args, facts);
  return because.length > 0 ? { tier: "critical", because } : { tier: "guarded", because: [guardedBecause(guard)] };
}
