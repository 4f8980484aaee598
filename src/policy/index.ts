/** The policy: deny wins over everything, then the first rule that matches, then the defaults. */
import { Failure, type FieldProblem, shown } from "../language/failure.js";
import { onceFor } from "../language/once-for.js";
import { networks, tiers } from "../language/tier.js";
import type { Destination } from "../schema/destination.js";
import { type CallFacts, namesOf } from "./facts.js";
import type { Policy, Rule } from "./file.js";
import { matchesGlob } from "./glob.js";
import { agreedHost, agreedNames, allNames, isPlain } from "./spelling.js";

export { type CallerFacts, type CallFacts, factsOf, factsOfReading } from "./facts.js";
export type { Policy } from "./file.js";
export { createQuotas, type Quotas, type Taken } from "./quotas.js";

/**
 * One address and nothing beside it: no name, no quotes, no second `@` that a mail server could read in another way, and
 * none of the signs by which a server hands mail on to another one.
 */
const plainAddress = /^[^@,;:<>"()[\]%!]+@[a-z\d.-]+$/;

/** The addresses that a text names; several can stand in one, behind commas or semicolons. */
const addressesIn = (text: string): string[] =>
  text
    .split(/[,;]/)
    .filter((part) => part !== "")
    .map((part) => part.replace(/^<(.*)>$/, "$1").toLowerCase());

const isListed = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern.toLowerCase(), name));

/** Whether hosts are listed: of a block of addresses the block itself, since a pattern for one of them may end within it. */
const isHostListed = (patterns: readonly string[], host: string): boolean =>
  isListed(host.includes("/") ? patterns.filter((one) => one === "*" || one.includes("/")) : patterns, host);

/** The names that a destination is held against; undefined where it can be read in several ways, or there are none. */
function namesIn({ kind, value }: Destination): readonly string[] | undefined {
  if (kind === "host") {
    const host = agreedHost(value);
    return host === undefined ? undefined : [host];
  }
  const addresses = isPlain(value) ? addressesIn(value) : [];
  return addresses.length > 0 && addresses.every((address) => plainAddress.test(address)) ? addresses : undefined;
}

/** A destination that the policy does not allow. */
export interface RefusedDestination extends Destination {
  /** Whether no pattern can allow it as it is spelled. */
  readonly isDoubtful: boolean;
}

/** The destinations that the policy does not allow. */
export const refusedDestinations = (
  egress: Policy["egress"],
  destinations: readonly Destination[],
): RefusedDestination[] =>
  destinations.flatMap((destination) => {
    const patterns = egress[`${destination.kind}s`];
    if (patterns === undefined) return [];
    const names = namesIn(destination);
    const isOneListed = destination.kind === "host" ? isHostListed : isListed;
    if (names?.every((name) => isOneListed(patterns, name))) return [];
    return [{ ...destination, isDoubtful: names === undefined }];
  });

const matchesAny = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, text));

/** What path arguments are called where a rule allows: they are no address, so that an `@` in them is one of an id. */
const pathNames = (text: string): readonly string[] => (isPlain(text) ? [text] : []);

/** Scheme and host of a URL or of a pattern for one, and what follows them. */
const inUrl = /^([^/]*:\/\/[^/]*)(.*)$/s;

/**
 * Whether a pattern that allows means a name. In one for URLs, `*` and `?` before the path stand for nothing of the path:
 * otherwise `https://*.example.com/*` would allow `https://elsewhere.example/.example.com/`.
 */
function allowsName(pattern: string, name: string): boolean {
  const [, place, path = ""] = inUrl.exec(pattern) ?? [];
  const [, ownPlace, ownPath = ""] = inUrl.exec(name) ?? [];
  if (place === undefined || ownPlace === undefined) return matchesGlob(pattern, name);
  return matchesGlob(place, ownPlace) && ((path === "" && place.endsWith("*")) || matchesGlob(path, ownPath));
}

/** The names of each object; remembered, because every rule of a policy asks for those of the same call. */
const allNamesOf = onceFor((objects: readonly string[]) => objects.map(allNames));

function matchesObjects(patterns: readonly string[], { objects, isPath }: CallFacts, isAllowing: boolean): boolean {
  if (isAllowing) {
    const namesOfOne = isPath === true ? pathNames : agreedNames;
    const isNamed = (one: string) => namesOfOne(one).some((name) => patterns.some((at) => allowsName(at, name)));
    return objects.length > 0 && objects.every(isNamed);
  }
  const spelled = patterns.map((pattern) => pattern.toLowerCase());
  return allNamesOf(objects).some((names) => names.some((name) => matchesAny(spelled, name)));
}

function matchesNetwork(wanted: readonly string[], network: string | undefined, isAllowing: boolean): boolean {
  if (network === undefined) return false;
  const isKnown = networks.some((known) => known === network);
  // What nobody knows may be production.
  return wanted.includes(isKnown || isAllowing ? network : "production");
}

function matches(rule: Rule, facts: CallFacts, nowMs: number): boolean {
  const isAllowing = rule.effect === "allow";
  const { tools, services, tiers, profiles, networks: wanted, objects, during } = rule;
  return (
    (tools === undefined || namesOf(facts).some((name) => matchesAny(tools, name))) &&
    (services === undefined || services.includes(facts.service)) &&
    (tiers === undefined || tiers.includes(facts.tier)) &&
    (profiles === undefined || matchesAny(profiles, facts.section)) &&
    (wanted === undefined || matchesNetwork(wanted, facts.network, isAllowing)) &&
    (objects === undefined || matchesObjects(objects, facts, isAllowing)) &&
    (during === undefined || during.some((isIn) => isIn(nowMs)))
  );
}

/** The policy where there is no file: reads and writes go through, everything else is approved. */
export const noPolicy: Policy = { rules: [], quotas: [], egress: {}, hash: undefined };

/** Whether a policy allows anything guarded without an approval, which is what going without approvals needs. */
export const allowsWithoutApproval = ({ rules }: Policy): boolean =>
  rules.some(
    ({ effect, tiers }) =>
      effect === "allow" && (tiers === undefined || tiers.some((tier) => tier === "guarded" || tier === "critical")),
  );

export interface Decision {
  readonly effect: Rule["effect"];
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
const sendsToListed = ({ egress }: Policy, { tier, isAboutDestinations, destinations }: CallFacts): boolean =>
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
  if (sendsToListed(policy, facts))
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
