/**
 * The policy: deny takes precedence, then the first matching rule, then the defaults. Callers give the facts of a call
 * and get a decision with its reason; the notation of rules, the spellings of targets and the arithmetic of quotas stay
 * in this room. What is unknown or ambiguous never makes a call more allowed.
 */
import type { Destination } from "../language/destination.js";
import { Failure, quoteValue } from "../language/failure.js";
import { onceFor } from "../language/once-for.js";
import { matchesGlob } from "../text/glob.js";
import { type CallerFacts, type CallFacts, callFactsOf, type RuledCall, readFactsOf, toolNamesOf } from "./facts.js";
import type { Policy, PolicyRule } from "./file.js";
import { freezeInWords, freezeOf } from "./freeze.js";
import { holdsScope, scopeOf, scopes } from "./principal.js";
import type { PolicyDecision, Ruling } from "./ruling.js";
import { agreedHost, agreedNames, allNames, isPlain } from "./spelling.js";
import { matchesTicket, ticketInWords } from "./ticket.js";
import { knownNetworks, type TierFacts, tiers } from "./tier.js";
import { hasPrincipalPattern, matchPrincipal } from "./who.js";

export type { CallerFacts, CallFacts, RuledCall } from "./facts.js";
export type { Policy } from "./file.js";
export type { Freeze } from "./freeze.js";
export { createQuotas, memoryQuotaCounters, type QuotaShare, type Quotas } from "./quotas.js";
export { breaksInWords, jointRuling, type PolicyDecision, type Ruling } from "./ruling.js";

/**
 * A single plain email address: no name, no quotes, no second `@` that a mail server could interpret differently, and
 * none of the characters by which a server relays mail.
 */
const plainAddress = /^[^@,;:<>"()[\]%!]+@[a-z\d.-]+$/;

/** The addresses in a text, separated by commas or semicolons. */
const addressesIn = (text: string): string[] =>
  text
    .split(/[,;]/)
    .filter((part) => part !== "")
    .map((part) => part.replace(/^<(.*)>$/, "$1").toLowerCase());

const isListed = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern.toLowerCase(), name));

/** Whether hosts are listed: for an address block the block itself, because a pattern could match only a part of it. */
const isHostListed = (patterns: readonly string[], host: string): boolean =>
  isListed(host.includes("/") ? patterns.filter((one) => one === "*" || one.includes("/")) : patterns, host);

/** The names of a destination for matching; undefined if it is ambiguous, or empty if there are none. */
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
  /** Whether its spelling is one that no pattern can allow. */
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

/** The kind of path arguments for rules that allow: not an address, so that an `@` in them is part of an id. */
const pathNames = (text: string): readonly string[] => (isPlain(text) ? [text] : []);

/** The scheme and host of a URL or URL pattern, and the rest. */
const inUrl = /^([^/]*:\/\/[^/]*)(.*)$/s;

/**
 * Whether an allowing pattern matches a name. In URL patterns, `*` and `?` before the path match no part of the path:
 * otherwise `https://*.example.com/*` would allow `https://elsewhere.example/.example.com/`.
 */
function allowsName(pattern: string, name: string): boolean {
  const [, place, path = ""] = inUrl.exec(pattern) ?? [];
  const [, ownPlace, ownPath = ""] = inUrl.exec(name) ?? [];
  if (place === undefined || ownPlace === undefined) return matchesGlob(pattern, name);
  return matchesGlob(place, ownPlace) && ((path === "" && place.endsWith("*")) || matchesGlob(path, ownPath));
}

/** The names of each object; memoized, because every rule of a policy needs those of the same call. */
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
  const isKnown = knownNetworks.some((known) => known === network);
  // An unknown network may be production.
  return wanted.includes(isKnown || isAllowing ? network : "production");
}

/** Whether a rule is about this caller. An unknown one is never exempt from a restriction, nor part of a permission. */
function matchesPrincipal(rule: PolicyRule, { principal }: CallFacts, isAllowing: boolean): boolean {
  if (matchPrincipal(rule, principal) === undefined) return false;
  // Who alone calls does not leave them out; `lackingFor` says what else it takes.
  if (rule.unless === undefined || isConditional(rule)) return true;
  return principal === undefined ? !isAllowing : matchPrincipal(rule.unless, principal) === undefined;
}

/** Whether a rule that denies lets calls through for more than who makes them. */
const isConditional = ({ unless }: Pick<PolicyRule, "unless">): boolean =>
  unless?.tickets !== undefined || unless?.approvers !== undefined;

/** What a call lacks of the exception of a rule that denies it. */
interface Lacking {
  readonly ticket: boolean;
  readonly persons: boolean;
}

/**
 * What of its exception a rule that matches a call still lacks; undefined for a rule without one, and for a caller who is not
 * among those whom it is for.
 */
function lackingFor({ unless }: PolicyRule, { principal, ticket }: CallFacts): Lacking | undefined {
  if (unless === undefined || !isConditional({ unless })) return undefined;
  if (matchPrincipal(unless, principal) === undefined) return undefined;
  const { tickets } = unless;
  const hasTicket =
    tickets === undefined || (ticket !== undefined && tickets.some((one) => matchesTicket(one, ticket)));
  return { ticket: !hasTicket, persons: unless.approvers === 2 };
}

function matches(rule: PolicyRule, facts: CallFacts, nowMs: number): boolean {
  const isAllowing = rule.effect === "allow";
  const { tools, services, tiers, profiles, networks: ruleNetworks, objects, during, imported = false } = rule;
  // The path may be of something that a rule for declared tools names, so every deny rule can match it.
  const isEither = facts.isOfPath === true && rule.effect === "deny";
  return (
    (isEither || imported === (facts.isImported === true)) &&
    matchesPrincipal(rule, facts, isAllowing) &&
    (tools === undefined || toolNamesOf(facts).some((name) => matchesAny(tools, name))) &&
    (services === undefined || services.includes(facts.service)) &&
    (tiers === undefined || tiers.includes(facts.tier)) &&
    (profiles === undefined || matchesAny(profiles, facts.section)) &&
    (ruleNetworks === undefined || matchesNetwork(ruleNetworks, facts.network, isAllowing)) &&
    (objects === undefined || matchesObjects(objects, facts, isAllowing)) &&
    (during === undefined || during.some((window) => window.endMs(nowMs) !== undefined))
  );
}

/** The policy without a file: reads and writes are allowed, everything else needs an approval. */
export const noPolicy: Policy = { rules: [], approvers: 1, quotas: [], egress: {}, hash: undefined };

/** Whether a policy allows anything guarded without an approval, which `--approval off` requires. */
export const allowsWithoutApproval = ({ rules }: Policy): boolean =>
  rules.some(
    ({ effect, tiers }) =>
      effect === "allow" && (tiers === undefined || tiers.some((tier) => tier === "guarded" || tier === "critical")),
  );

/** Whether a policy has a rule that asks for a ticket: then calls take one. */
export const asksForTickets = ({ rules }: Pick<Policy, "rules">): boolean =>
  rules.some(({ unless }) => unless?.tickets !== undefined);

const operatorNext = "Do not try to work around it: the operator decides what the policy allows.";

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What a rule matches about the caller, as a sentence that follows another. */
function matchedPrincipalInWords(rule: PolicyRule, principal: CallFacts["principal"]): string {
  const found = matchPrincipal(rule, principal) ?? [];
  return hasPrincipalPattern(rule) ? ` The rule is about ${found.join(", and ")}.` : "";
}

/** A decision by a rule, with the end of its windows if it denies in some. */
const decisionByRule = (policy: Policy, rule: PolicyRule, { principal }: CallFacts, nowMs: number): PolicyDecision => {
  const { effect, id, because } = rule;
  const freeze = effect === "deny" ? freezeOf(rule, policy.timeZone, nowMs) : undefined;
  const reason = because === undefined ? `The policy's rule ${id} matches this call.` : sentence(because);
  const why = `${reason}${matchedPrincipalInWords(rule, principal)}${freeze ? ` ${freezeInWords(freeze)}` : ""}`;
  return {
    effect,
    rule: id,
    why,
    whyByRule: because === undefined ? why : `By the policy's rule ${id}: ${why}`,
    ...(freeze && { freezes: [freeze], next: `Wait until the freeze ends, if it can wait. ${operatorNext}` }),
  };
};

/** The denial of a call that lacks the ticket for which a rule lets it through. */
function denialForTicket(by: PolicyDecision, patterns: readonly string[], ticket: string | undefined): PolicyDecision {
  const takes = ticketInWords(patterns);
  const lack =
    ticket === undefined ? "It was given none." : `It was given ${quoteValue(ticket)}, which is no such ticket.`;
  const tell = "Do not make a ticket up: ask the user for its id.";
  return {
    ...by,
    why: `${by.why} A call needs a ticket: ${takes}. ${lack}`,
    next: `Call again with the same arguments and, next to them, ticket set to the id of the ticket. ${tell}`,
    atShell: { next: "Add --ticket ID to the line." },
    lacksTicket: patterns,
  };
}

const byTwoWithReasons = "Two persons can let this call through, each with a reason that goes on record.";

/** The decision on a call that rules deny unless two persons approve it: by the first of these denials. */
const decisionByTwo = (denials: readonly [PolicyDecision, ...PolicyDecision[]]): PolicyDecision => {
  const [{ next: _, why, whyByRule, ...rest }] = denials;
  return {
    ...rest,
    effect: "approve",
    why: `${why} ${byTwoWithReasons}`,
    whyByRule: `${whyByRule} ${byTwoWithReasons}`,
    approvers: 2,
    breaks: denials.map(({ rule }) => rule),
    freezes: denials.flatMap(({ freezes = [] }) => freezes),
  };
};

const readInOneWay =
  "an unambiguous spelling, without spaces, backslashes, invisible or look-alike characters, and without a user before a host";

function decisionByEgress({ egress }: Policy, { destinations }: CallFacts): PolicyDecision | undefined {
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
      given: quoteValue(value),
      takes: `${takes(egress[`${kind}s`])}${isDoubtful && (egress[`${kind}s`]?.length ?? 0) > 0 ? `; ${readInOneWay}` : ""}`,
    })),
  };
}

/** The limit of a profile, which applies whatever the rules are. */
function decisionByProfile({ tool, tier, because, section, highestTier }: CallFacts): PolicyDecision | undefined {
  if (highestTier === undefined || tiers.indexOf(tier) <= tiers.indexOf(highestTier)) return undefined;
  return {
    effect: "deny",
    rule: `highestTier of the profile ${section}`,
    why: `The highestTier of the profile ${section} is ${highestTier}, and this call of ${tool} is ${tier}, because ${because.join(", and ")}.`,
    next: "Do not try it in another profile unless the user means that one: the operator sets highestTier in the configuration.",
  };
}

/** The scopes of the caller's token, which apply whatever the rules are. */
function decisionByScope({ tool, service, effect, principal }: CallFacts): PolicyDecision | undefined {
  const needed = effect === undefined ? scopes.read : scopeOf(effect);
  const of = effect === undefined ? undefined : service;
  if (principal === undefined || holdsScope(principal.scopes, needed, of)) return undefined;
  return {
    effect: "deny",
    rule: `scope ${needed}`,
    why: `${tool} needs the scope ${needed}${of === undefined ? "" : `, or ${needed}:${of}`}, which the token of this client does not have.`,
    next: "Do not try it in another way: the user can sign in again with this scope, if their identity provider grants it.",
  };
}

/** Whether the policy lists all destinations of a call that is only guarded because of them. */
const sendsToListed = ({ egress }: Policy, { tier, isAboutDestinations, destinations }: CallFacts): boolean =>
  isAboutDestinations === true &&
  tier === "guarded" &&
  destinations.length > 0 &&
  // Unlisted destinations were refused before.
  destinations.every(({ kind }) => egress[`${kind}s`] !== undefined);

/**
 * The decision if no rule matches: reads and writes are allowed, as are calls whose destinations the policy lists;
 * everything else needs an approval.
 */
function defaultDecision(policy: Policy, facts: CallFacts): PolicyDecision {
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
    why: `No rule matches; a ${tier} call ${isFree ? "needs no approval" : "needs an approval"}, because ${because.join(", and ")}.`,
  };
}

/** What the rules that deny make of a call. */
interface DenialDecisions {
  /** Why it is denied. */
  readonly denial?: PolicyDecision;
  /** By whom it is let through, if by two persons. */
  readonly letThrough?: PolicyDecision;
  /** The patterns of tickets of each rule that asks for one. */
  readonly tickets: readonly (readonly string[])[];
}

function decisionByDenials(policy: Policy, facts: CallFacts, nowMs: number): DenialDecisions {
  const matching = policy.rules
    .filter((rule) => rule.effect === "deny" && matches(rule, facts, nowMs))
    .map((rule) => ({ rule, lacking: lackingFor(rule, facts) }));
  const tickets = matching.flatMap(({ rule: { unless } }) => (unless?.tickets ? [unless.tickets] : []));
  const byRule = (rule: PolicyRule) => decisionByRule(policy, rule, facts, nowMs);
  // A read cannot be approved, not even by two. A ticket is only asked for if it can help.
  const closed = matching.find(({ lacking }) => !lacking || (lacking.persons && facts.tier === "read"));
  if (closed) return { denial: byRule(closed.rule), tickets };
  const untold = matching.find(({ lacking }) => lacking?.ticket);
  if (untold) {
    const denial = denialForTicket(byRule(untold.rule), untold.rule.unless?.tickets ?? [], facts.ticket);
    return { denial: { ...denial, tickets }, tickets };
  }
  const [breakable, ...others] = matching.filter(({ lacking }) => lacking?.persons).map(({ rule }) => byRule(rule));
  return breakable ? { letThrough: decisionByTwo([breakable, ...others]), tickets } : { tickets };
}

/** The decision on a call that no rule denies. */
function decisionWithoutDenials(policy: Policy, facts: CallFacts, nowMs: number): PolicyDecision {
  // A read cannot be approved: it is denied or allowed.
  if (facts.tier === "read") return defaultDecision(policy, facts);
  const first = policy.rules.find((rule) => rule.effect !== "deny" && matches(rule, facts, nowMs));
  const decision = first ? decisionByRule(policy, first, facts, nowMs) : defaultDecision(policy, facts);
  const approvers = first?.approvers ?? (facts.tier === "critical" ? policy.approvers : 1);
  return decision.effect === "approve" && approvers === 2 ? { ...decision, approvers } : decision;
}

/**
 * Decides on a call. `approve` means that it needs an approval, `allow` that it needs none.
 * @param nowMs The time of the decision: a freeze can begin between a preview and its approval, so a call is decided
 * again before it is sent.
 */
export function decideCall(policy: Policy, facts: CallFacts, nowMs: number): PolicyDecision {
  if (facts.isReadOnly && facts.tier !== "read")
    return {
      effect: "deny",
      rule: "read-only",
      why: `This server is read-only, and ${facts.tool} is not a read.`,
      next: "The operator can start it with writes enabled; no call can.",
    };
  const limited = decisionByScope(facts) ?? decisionByProfile(facts);
  if (limited) return limited;
  const { denial, letThrough, tickets } = decisionByDenials(policy, facts, nowMs);
  if (denial) return denial;
  const egress = decisionByEgress(policy, facts);
  if (egress) return egress;
  const decision = letThrough ?? decisionWithoutDenials(policy, facts, nowMs);
  return tickets.length === 0 ? decision : { ...decision, tickets };
}

const rulingFor = (policy: Policy, facts: CallFacts, nowMs: number): Ruling => ({
  facts,
  decision: decideCall(policy, facts, nowMs),
});

/**
 * Decides on a call of an operation.
 * @param known Facts found by a preview, which can only raise the tier.
 */
export const rulingOn = (
  policy: Policy,
  call: RuledCall,
  caller: CallerFacts,
  nowMs: number,
  known?: TierFacts,
): Ruling => rulingFor(policy, callFactsOf(call, caller, known), nowMs);

/** Decides on a call of a tool that only makes reads of others. */
export const rulingOnReading = (
  policy: Policy,
  { tool, service }: Pick<CallFacts, "tool" | "service">,
  caller: CallerFacts,
  nowMs: number,
): Ruling => rulingFor(policy, readFactsOf(tool, service, caller), nowMs);

/** The failure of a call that the policy denies. */
export const denialOf = (tool: string, { rule, why, next = operatorNext, atShell, fields }: PolicyDecision): Failure =>
  new Failure("not_allowed", `${tool} is not allowed by the rule ${JSON.stringify(rule)}.`, {
    why: `${why} Nothing was sent.`,
    next,
    ...(atShell === undefined ? {} : { atShell }),
    ...(fields === undefined ? {} : { fields }),
  });
