/** A policy as it is used (rules with the times at which they hold, quotas, lists of destinations), what it looks at in a call, and the policy that holds where no file says another. */
import { argumentsSchema, type CheckedArguments } from "../arguments/index.js";
import type { AnyOperation } from "../language/define.js";
import { dayMs, minuteMs } from "../language/durations.js";
import { isAboutDestinations } from "../language/effect.js";
import { countedIn, networkOf, type Tier, type TierFacts, tierOf } from "../language/tier.js";
import { type Destination, destinationsIn } from "../schema/destination.js";
import { isZone, localMs } from "../time/zone.js";

/** Whether an instant lies in a window; its start belongs to it, its end does not. */
export type Window = (nowMs: number) => boolean;

/** What is written for a window, for errors. */
export const windowText =
  "a window: 2026-11-26T00:00Z/2026-11-30T00:00Z, whose times have an offset, or fri 16:00-24:00 Europe/Berlin, or mon-fri 22:00-06:00 UTC";

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const day = `(?:${days.join("|")})`;
const weekly = new RegExp(`^(${day})(?:-(${day}))? (\\d{2}):(\\d{2})-(\\d{2}):(\\d{2}) (\\S+)$`);
const dayMinutes = 1_440;

function interval(text: string): Window | undefined {
  // Stryker disable next-line StringLiteral: any text that is no instant will do for one that is missing.
  const [start = "", end = "", ...more] = text.split("/");
  if (more.length > 0 || !instant.test(start) || !instant.test(end)) return undefined;
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
  // A time that no calendar has is NaN, and compares as false.
  return startMs < endMs ? (nowMs) => startMs <= nowMs && nowMs < endMs : undefined;
}

/** The minute of the day that the digits of a clock name; undefined for none, 24:00 only as an end. */
function minuteOf(hours: string, minutes: string, isEnd: boolean): number | undefined {
  const minute = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && (minute < dayMinutes || (isEnd && minute === dayMinutes)) ? minute : undefined;
}

/** The days from one to another, around the end of the week where that is on the way. */
function daysFrom(first: string, last: string): ReadonlySet<number> {
  const [from, to] = [first, last].map((name) => days.indexOf(name as (typeof days)[number])) as [number, number];
  return new Set(Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, at) => (from + at) % 7));
}

function hoursOfWeek(text: string): Window | undefined {
  const parts = weekly.exec(text.replace(/\S+/, (word) => word.toLowerCase()));
  if (parts === null) return undefined;
  // Stryker disable next-line StringLiteral: in what matches, all but the last day are there.
  const [, first = "", last = first, h1 = "", m1 = "", h2 = "", m2 = "", zone = ""] = parts;
  const [start, end] = [minuteOf(h1, m1, false), minuteOf(h2, m2, true)];
  if (start === undefined || end === undefined || start === end || !isZone(zone)) return undefined;
  const on = daysFrom(first, last);
  return (nowMs) => {
    const local = localMs(zone, nowMs);
    const today = new Date(local).getUTCDay();
    const minute = Math.floor((((local % dayMs) + dayMs) % dayMs) / minuteMs);
    // Stryker disable next-line EqualityOperator: they are never equal.
    if (start < end) return on.has(today) && start <= minute && minute < end;
    // The window goes on after midnight, on a day that need not be one of its own.
    return (on.has(today) && start <= minute) || (on.has((today + 6) % 7) && minute < end);
  };
}

/** The window that a text names; undefined when it names none. */
export const windowOf = (text: string): Window | undefined => interval(text) ?? hoursOfWeek(text);

export type RuleEffect = "allow" | "deny" | "approve";

/** A rule: it matches a call when each of its lists matches, and a list that is left out matches every call. */
export interface Rule {
  readonly id: string;
  readonly effect: RuleEffect;
  /** Why the rule is there, in the words of whoever wrote it. */
  readonly because?: string | undefined;
  /** Patterns of tools' names. */
  readonly tools?: readonly string[] | undefined;
  readonly services?: readonly string[] | undefined;
  readonly tiers?: readonly Tier[] | undefined;
  /** Patterns of profiles, or of sections of the credentials file where none is configured. */
  readonly profiles?: readonly string[] | undefined;
  readonly networks?: readonly string[] | undefined;
  /** Patterns of the things that a call names. */
  readonly objects?: readonly string[] | undefined;
  readonly during?: readonly Window[] | undefined;
}

export interface Quota {
  readonly id: string;
  /** Patterns of tools' names. */
  readonly tools: readonly string[];
  readonly counts: "objects" | "calls" | "requests";
  readonly per: "hour" | "day" | "parallel";
  readonly max: number;
}

export interface Policy {
  readonly rules: readonly Rule[];
  readonly quotas: readonly Quota[];
  /** Patterns of the destinations that are allowed; a list that is left out allows all. */
  readonly egress: {
    readonly emails?: readonly string[] | undefined;
    readonly hosts?: readonly string[] | undefined;
  };
  /** The SHA-256 of the file, for the audit; undefined where there is no file. */
  readonly hash: string | undefined;
}

/** The policy where there is no file: reads and writes go through, everything else is approved. */
export const noPolicy: Policy = { rules: [], quotas: [], egress: {}, hash: undefined };

/** Whether a policy allows anything guarded without an approval, which is what going without approvals needs. */
export const allowsWithoutApproval = ({ rules }: Policy): boolean =>
  rules.some(
    ({ effect, tiers }) =>
      effect === "allow" && (tiers === undefined || tiers.some((tier) => tier === "guarded" || tier === "critical")),
  );

export interface CallFacts {
  readonly tool: string;
  /** The tool that was called, where it composed this call of another. */
  readonly through?: string;
  readonly service: string;
  readonly tier: Tier;
  /** Why it has that tier, as clauses that follow "because". */
  readonly because: readonly string[];
  /** The profile that it is made in, or the section of the credentials file that it is made with. */
  readonly section: string;
  /** The gravest tier that the profile lets its calls have; any where it is absent. */
  readonly highestTier?: Tier;
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
  /** Whether the server or the caller may only read. */
  readonly isReadOnly: boolean;
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

/** Whose call it is, which its arguments do not say. */
export interface CallerFacts {
  readonly section: string;
  readonly highestTier?: Tier;
  readonly isReadOnly: boolean;
}

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
