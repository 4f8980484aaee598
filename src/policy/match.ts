/** Whether a rule matches a call: one that restricts matches on any doubt, one that allows on none. */

import { matchesGlob } from "../api/glob.js";
import { networks } from "../guard/tier.js";
import { type CallFacts, namesOf } from "./facts.js";
import type { Rule } from "./rule.js";

const matchesAny = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, text));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The URL with a host that a text is, or that it is with something in front of it. */
function urlOf(text: string, prefix = ""): URL | undefined {
  const url = URL.canParse(prefix + text) ? new URL(prefix + text) : undefined;
  return url?.host === "" ? undefined : url;
}

/** What a thing is called where a rule allows: one spelling, in which `..` and a host's letters are settled, and its host. */
function exactNames(object: string): string[] {
  const url = urlOf(object);
  return url === undefined ? [object] : [url.href, url.hostname];
}

/** Everything that a thing can be called, in lower case, so that no spelling of it escapes a rule that restricts. */
function allNames(object: string): string[] {
  // Behind this scheme, a URL's host begins with or without slashes.
  const url = urlOf(object) ?? urlOf(object, "https:");
  const parts = urlOf(object) === undefined ? object.split("/") : [];
  const names = [object, ...parts, ...(url ? [url.href, `${url.hostname}${url.pathname}`, url.hostname] : [])];
  const spellings = names.flatMap((name) => [name, decoded(name)]);
  return spellings.flatMap((name) => [name, name.replace(/\.$/, "")]).map((name) => name.toLowerCase());
}

function matchesObjects(patterns: readonly string[], objects: readonly string[], isAllowing: boolean): boolean {
  if (isAllowing)
    return objects.length > 0 && objects.every((one) => exactNames(one).some((name) => matchesAny(patterns, name)));
  const lower = patterns.map((pattern) => pattern.toLowerCase());
  return objects.some((one) => allNames(one).some((name) => matchesAny(lower, name)));
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
    (objects === undefined || matchesObjects(objects, facts.objects, isAllowing)) &&
    (during === undefined || during.some((isIn) => isIn(nowMs)))
  );
}
