/** The facts of a call for the policy: its effect, its objects, its network, and its destinations. */
import type { AnyOperation, Effect } from "../language/define.js";
import { type Destination, destinationsIn } from "../language/destination.js";
import { effectOf, isAboutDestinations } from "../language/effect.js";
import { argumentsSchema, type ValidatedArguments } from "../schema/arguments.js";
import type { Principal } from "./principal.js";
import { countedObjects, networkOf, type Tier, type TierFacts, type TierWithReasons, tierOf } from "./tier.js";

/** The identity of a call, which its arguments do not contain. */
export interface CallerFacts {
  /** The profile of the call, or the section of its credentials file. */
  readonly section: string;
  /** The highest tier that the profile allows; any if absent. */
  readonly highestTier?: Tier;
  /** Absent over stdio and at a shell. */
  readonly principal?: Principal | undefined;
  /** The ticket that the call was given, in the form of one. */
  readonly ticket?: string | undefined;
  /** Whether the server or the caller is read-only. */
  readonly isReadOnly: boolean;
}

export interface CallFacts extends CallerFacts, TierWithReasons {
  readonly tool: string;
  /** The tool that was called, if it composed this call of another. */
  readonly through?: string;
  readonly service: string;
  /** The effect of the operation; absent for a tool that only makes reads of others, each with its own facts. */
  readonly effect?: Effect;
  /** Whether it is an operation of an imported definition. */
  readonly isImported?: true;
  /** Whether it is the read of a path that no tool covers, which rules for declared tools deny, too. */
  readonly isOfPath?: true;
  /** In lower case; absent if the call has no networks. */
  readonly network?: string;
  /** The objects that it names: those that it lists, or else its path arguments joined by `/`, as one. */
  readonly objects: readonly string[];
  /** Whether these are its path arguments, which are ids and not addresses. */
  readonly isPath?: boolean;
  /** The number of affected objects, at least one. */
  readonly count: number;
  /** The number of calls of an operation; several that are approved together have combined facts. */
  readonly calls: number;
  /** The minimum number of requests; one per call if absent. */
  readonly requests?: number;
  readonly destinations: readonly Destination[];
  /** Whether its destinations are the only reason for its guard. */
  readonly isAboutDestinations?: true;
}

/** A call of an operation that the policy has to decide on. */
export interface RuledCall {
  readonly tool: string;
  readonly service: string;
  readonly declared: AnyOperation;
  readonly checked: ValidatedArguments;
  readonly composed?: { readonly tool: string } | undefined;
  /** Destinations that it does not name itself; unknown before anything is read. */
  readonly reaches?: readonly Destination[];
}

/** The names by which a rule can match a call. */
export const toolNamesOf = ({ tool, through }: Pick<CallFacts, "tool" | "through">): readonly string[] =>
  through === undefined ? [tool] : [tool, through];

/** The facts of a call of an operation. */
export function callFactsOf(
  { tool, service, declared, checked, composed, reaches = [] }: RuledCall,
  caller: CallerFacts,
  known: TierFacts = {},
): CallFacts {
  const { confirm: _, ...args } = checked.values;
  const network = networkOf(declared, args);
  const place = Object.values(checked.path).map(String);
  const destinations = [...destinationsIn(argumentsSchema(declared), args), ...reaches];
  // The meaning of undocumented fields is unknown: they may be destinations, too.
  const isAbout = checked.unknown === undefined && isAboutDestinations(declared);
  // Data sent to a destination that the call does not name counts as sent, whether or not the destination was read.
  const isToNobody = isAbout && destinations.length === 0 && declared.spec.sendsTo === undefined;
  const listed = countedObjects(declared, args)?.map((item) =>
    typeof item === "string" ? item : JSON.stringify(item),
  );
  return {
    tool,
    service,
    effect: effectOf(declared),
    ...(composed === undefined ? {} : { through: composed.tool }),
    ...(declared.isImported ? { isImported: true } : {}),
    ...(declared.isOfPath ? { isOfPath: true } : {}),
    ...tierOf(declared, args, isToNobody ? { ...known, isToNobody } : known),
    ...caller,
    ...(network === undefined ? {} : { network }),
    ...(listed === undefined && place.length > 0
      ? { objects: [place.join("/")], isPath: true }
      : { objects: listed ?? [] }),
    count: Math.max(1, listed?.length ?? 1),
    calls: 1,
    destinations,
    ...(isAbout ? { isAboutDestinations: isAbout } : {}),
  };
}

/**
 * The facts of a call of a tool that is not an operation: it only reads, and the operations that it calls have their
 * own facts, with their requests.
 */
export const readFactsOf = (tool: string, service: string, caller: CallerFacts): CallFacts => ({
  tool,
  service,
  tier: "read",
  because: ["it changes nothing"],
  ...caller,
  objects: [],
  count: 1,
  calls: 1,
  requests: 0,
  destinations: [],
});
