/** Whether a rule matches a call: one that restricts matches on any doubt, one that allows on none. */

import { matchesGlob } from "../api/glob.js";
import { onceFor } from "../api/once-for.js";
import { networks } from "../guard/tier.js";
import { type CallFacts, namesOf } from "./facts.js";
import type { Rule } from "./rule.js";
import { agreedNames, allNames, isPlain } from "./spelling.js";

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
