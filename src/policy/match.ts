/** What a policy's patterns match: a call by its rules, where one that restricts matches on any doubt and one that allows on none, and a destination by its lists. */
import { onceFor } from "../language/once-for.js";
import { networks } from "../language/tier.js";
import type { Destination } from "../schema/destination.js";
import { type CallFacts, namesOf } from "./facts.js";
import { matchesGlob } from "./glob.js";
import type { Policy, Rule } from "./rule.js";
import { agreedHost, agreedNames, allNames, isPlain } from "./spelling.js";

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

/** Whether a rule matches a call at an instant. */
export function matches(rule: Rule, facts: CallFacts, nowMs: number): boolean {
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
