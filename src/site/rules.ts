/** What the rules of a hostname say of its caching. */
import { Failure } from "../language/failure.js";
import { isRecord, listAt, memberAt } from "../language/member.js";
import { z } from "../language/z.js";
import { wildcardOf } from "./names.js";
import { bodyAs, listIn, type SiteReads, textIn } from "./reads.js";

/** The version of a property that serves on the production network. */
const Serving = z.object({ propertyId: z.string(), propertyVersion: z.number() });
type ServingVersion = z.output<typeof Serving>;

/** The version in the response of a search that is active on production. */
function servingIn(body: unknown): ServingVersion | undefined {
  const [found] = listIn(body, "versions.items").filter((one) => textIn(one, "productionStatus") === "ACTIVE");
  return found === undefined ? undefined : bodyAs(Serving, found);
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const secondsOf = (ttl: unknown): number | undefined => {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(String(ttl)) ?? [];
  return unit === undefined ? undefined : Number(count) * (unitSeconds[unit] ?? 0);
};

/** The times of a rule and those below it, in seconds; undefined for each that the rules leave to the origin or an include. */
function timesOf(rule: unknown): readonly (number | undefined)[] {
  const behaviors = listAt(rule, "behaviors").filter(isRecord);
  return [
    ...behaviors.flatMap(({ name, options }) => {
      if (name === "include") return [undefined];
      if (name !== "caching") return [];
      return [memberAt(options, "behavior") === "MAX_AGE" ? secondsOf(memberAt(options, "ttl")) : undefined];
    }),
    ...listAt(rule, "children").flatMap(timesOf),
  ];
}

/** The longest time that a rule tree lets an object stay fresh, in seconds; undefined if it does not say so for all. */
export function longestTimeIn(body: unknown): number | undefined {
  const times = timesOf(memberAt(body, "rules"));
  return times.length === 0 || times.includes(undefined) ? undefined : Math.max(...times.map(Number));
}

/** The version that serves a name as properties have it. */
async function servingExactly(reads: SiteReads, hostname: string): Promise<ServingVersion | undefined> {
  const args = reads.isToday ? { body: { hostname } } : { hostname };
  try {
    return await reads.recall("property_version_find", args, servingIn);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
}

/**
 * The version that serves a hostname on the production network, also by a wildcard; undefined if no property of the
 * account has it.
 * @throws Failure
 */
export async function servingVersion(reads: SiteReads, hostname: string): Promise<ServingVersion | undefined> {
  const wildcard = wildcardOf(hostname);
  const serving = await servingExactly(reads, hostname);
  return serving ?? (wildcard === undefined ? undefined : servingExactly(reads, wildcard));
}

/**
 * The longest time that the active rules of a hostname let an object stay fresh, in seconds; undefined if they do not say.
 * @throws Failure
 */
export async function longestTimeOf(reads: SiteReads, hostname: string): Promise<number | undefined> {
  const serving = await servingVersion(reads, hostname);
  return serving && reads.recall("property_rule_tree_get", { ...serving }, longestTimeIn);
}
