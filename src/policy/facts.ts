/** What a policy looks at in a call: what it does, to which things, on which network, and to whom it sends data. */
import { argumentsSchema, type CheckedArguments } from "../arguments/index.js";
import type { AnyOperation } from "../language/define.js";
import { isAboutDestinations } from "../language/effect.js";
import { countedIn, networkOf, type Tier, type Tiered, type TierFacts, tierOf } from "../language/tier.js";
import { type Destination, destinationsIn } from "../schema/destination.js";

/** Whose call it is, which its arguments do not say. */
export interface CallerFacts {
  /** The profile that it is made in, or the section of the credentials file that it is made with. */
  readonly section: string;
  /** The gravest tier that the profile lets its calls have; any where it is absent. */
  readonly highestTier?: Tier;
  /** Whether the server or the caller may only read. */
  readonly isReadOnly: boolean;
}

export interface CallFacts extends CallerFacts, Tiered {
  readonly tool: string;
  /** The tool that was called, where it composed this call of another. */
  readonly through?: string;
  readonly service: string;
  /** In lower case; absent where networks mean nothing to the call. */
  readonly network?: string;
  /** The things that it names: those that it lists, or else its path arguments joined by `/`, as one. */
  readonly objects: readonly string[];
  /** Whether they are its path arguments, which are ids and no addresses. */
  readonly isPath?: boolean;
  /** How many things it affects, at least one. */
  readonly count: number;
  /** How many calls of an operation it is; several that are approved as one have their facts together. */
  readonly calls: number;
  /** How many requests it makes at least; one for each call where it is absent. */
  readonly requests?: number;
  readonly destinations: readonly Destination[];
  /** Whether where it sends data is all that it is guarded for. */
  readonly isAboutDestinations?: true;
}

interface CheckedCall {
  readonly tool: string;
  readonly service: string;
  readonly declared: AnyOperation;
  readonly checked: CheckedArguments;
  readonly composed?: { readonly tool: string } | undefined;
  /** The destinations that it does not name itself; not known before anything is read. */
  readonly reaches?: readonly Destination[];
}

/** The names by which a rule can mean a call. */
export const namesOf = ({ tool, through }: Pick<CallFacts, "tool" | "through">): readonly string[] =>
  through === undefined ? [tool] : [tool, through];

/** The facts of a call of an operation. */
export function factsOf(
  { tool, service, declared, checked, composed, reaches = [] }: CheckedCall,
  caller: CallerFacts,
  known: TierFacts = {},
): CallFacts {
  const { confirm: _, ...args } = checked.values;
  const network = networkOf(declared, args);
  const place = Object.values(checked.path).map(String);
  const destinations = [...destinationsIn(argumentsSchema(declared), args), ...reaches];
  // What a member means that no source names is not known: it may be a destination, too.
  const isAbout = checked.unknown === undefined && isAboutDestinations(declared);
  // What is sent to somebody whom the call does not name is sent, whether or not anybody has read to whom.
  const isToNobody = isAbout && destinations.length === 0 && declared.spec.sendsTo === undefined;
  const listed = countedIn(declared, args)?.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  return {
    tool,
    service,
    ...(composed === undefined ? {} : { through: composed.tool }),
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
 * The facts of a call of a tool that is no operation: it only reads, and the operations that it calls have their own, with
 * their requests.
 */
export const factsOfReading = (tool: string, service: string, caller: CallerFacts): CallFacts => ({
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
