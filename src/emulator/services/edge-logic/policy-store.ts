/** The policies of all applications with their versions and activations, which several services read and write. */
import { dayMs } from "../../../language/durations.js";
import type { z } from "../../../language/z.js";
import type { StoredRule } from "../../../tools/edge-logic/match-rules.js";
import { type Standing, standing } from "../../primitives/activation.js";
import { type Authored, authored } from "../../primitives/authored.js";
import type { Job } from "../../primitives/job.js";
import { foundIn } from "../../primitives/store.js";
import { conflict, notFound } from "../../reply.js";
import { hexDigits, noiseText, type World } from "../../world.js";
import { portalUser, userInUse } from "../account.js";
import { propertiesIn } from "../properties/served.js";
import type { Property } from "../properties/world.js";
import { demand, invalid, workGroupId } from "./applications.js";

export type Rule = z.output<typeof StoredRule>;
export type Network = "staging" | "prod";

export interface Version extends Authored {
  /** Distinguishes this version from every version of any policy. */
  readonly id: number;
  readonly version: number;
  description: string | null;
  rules: readonly Rule[];
  isDeleted: boolean;
}
export interface Activation extends Job {
  readonly network: Network;
  readonly property: Property;
  readonly version: number;
  readonly by: string;
}
export interface Policy extends Authored {
  readonly policyId: number;
  readonly cloudletId: number;
  name: string;
  description: string | null;
  groupId: number;
  isDeleted: boolean;
  /** Members that were written but are not declared. */
  others?: Readonly<Record<string, unknown>>;
  readonly versions: Version[];
  readonly activations: Activation[];
}

/** A rule of the seed, in force at any time. */
const rule = (type: Rule["type"], vendorRuleId: string, name: string, own: Partial<Rule>): Rule => ({
  type,
  vendorRuleId,
  name,
  start: 0,
  end: 0,
  id: 0,
  ...own,
});
export const redirect = (vendorRuleId: string, name: string, matchURL: string, redirectURL: string): Rule =>
  rule("erMatchRule", vendorRuleId, name, {
    id: null,
    matchURL,
    redirectURL,
    statusCode: 301,
    useIncomingQueryString: true,
    useRelativeUrl: "relative_url",
  });
const containing = (matchType: string, matchValue: string) => [
  { matchType, matchOperator: "contains" as const, matchValue, negate: false, caseSensitive: false },
];
const queue = rule("vpMatchRule", "7ad069c880278ac1", "Checkout", {
  matchURL: "/checkout",
  matches: containing("hostname", "www.shop.example"),
  passThroughPercent: 50,
  useIncomingQueryString: true,
});
const offices = rule("saMatchRule", "8be17ad991389bd2", "Offices", {
  matches: containing("clientip", "198.51.100.0/24"),
});

/** The policies that a world begins with: one of each application that has something to show. */
function seeds(world: World): Policy[] {
  const at = (days: number) => Math.floor(world.startedAtMs / dayMs) * dayMs - days * dayMs;
  const version = (id: number, number: number, days: number, description: string, rules: readonly Rule[]): Version => ({
    id,
    version: number,
    description,
    rules,
    isDeleted: false,
    ...authored(at(days), portalUser),
  });
  const policy = (
    policyId: number,
    cloudletId: number,
    name: string,
    days: number,
    versions: Version[],
    activations: Activation[] = [],
  ): Policy => ({
    policyId,
    cloudletId,
    name,
    description: null,
    groupId: workGroupId,
    isDeleted: false,
    ...authored(at(days), portalUser),
    versions,
    activations,
  });
  const [front] = propertiesIn(world);
  const active = (network: Network, number: number, days: number): Activation[] =>
    front
      ? [{ network, property: front, version: number, atMs: at(days), lastsMs: lastsMs[network], by: portalUser }]
      : [];
  const spring = redirect("5db847a66e0566ad", "Spring", "/spring", "/sale");
  return [
    policy(
      1001,
      0,
      "spring_redirects",
      40,
      [
        version(11_870, 1, 40, "Spring", [spring]),
        version(11_871, 2, 3, "Spring, extended", [spring, redirect("6ec958b77f1677be", "Old", "/old", "/new")]),
      ],
      [...active("staging", 1, 35), ...active("prod", 1, 30)],
    ),
    policy(1002, 9, "shop_balancing", 60, [version(11_872, 1, 60, "Both regions", [])]),
    policy(1003, 1, "sale_queue", 50, [version(102, 1, 50, "Sale", [queue])], active("staging", 1, 20)),
    policy(1004, 2, "crm_access", 50, [version(103, 1, 50, "Offices", [offices])]),
    policy(1005, 3, "old_rewrites", 300, [version(11_873, 1, 300, "Before the relaunch", [])]),
  ];
}

/** How long an activation is pending. */
export const lastsMs: Readonly<Record<Network, number>> = { staging: 10_000, prod: 30_000 };

/** The checksum of a content, which differs when the content does. */
export const checksumOf = (world: World, ...words: readonly string[]): string =>
  noiseText(world, hexDigits, 32, "checksum", ...words);
const newRuleId = (world: World): string => noiseText(world, hexDigits, 16, "rule", world.next("rule", 1));

/** A rule as it is stored: with an id, its own if it has one. */
export const storedRule = (world: World, { akaRuleId: _, location: __, ...rule }: Rule): Rule => ({
  start: 0,
  end: 0,
  id: null,
  name: null,
  ...rule,
  vendorRuleId: rule.vendorRuleId ?? newRuleId(world),
});

export const policies = (world: World): Policy[] => world.state("policies", () => seeds(world));

/** A policy that is there; one that was deleted is not, unless it may be. */
export function policyOf(world: World, policyId: number, mayBeDeleted = false): Policy {
  const found = policies(world).find((one) => one.policyId === policyId);
  if (!found || (found.isDeleted && !mayBeDeleted)) throw notFound(`There is no policy ${policyId}`);
  return found;
}
/** A version of a policy that was not deleted. */
export const versionOf = ({ policyId, versions }: Policy, version: number): Version =>
  foundIn(versions, { version, isDeleted: false }, `The policy ${policyId} has no version ${version}`);
/** A policy that the user in use may do something with. */
export function policyFor(
  world: World,
  capability: "Edit" | "Activate",
  policyId: number,
  mayBeDeleted = false,
): Policy {
  const policy = policyOf(world, policyId, mayBeDeleted);
  demand(world, capability, policy.groupId, policy.cloudletId);
  return policy;
}
export const latestOf = ({ versions }: Policy): Version | undefined => versions.findLast(({ isDeleted }) => !isDeleted);

/** Refuses a name that another policy has, with the members that show that one; not where there is nothing to show. */
export function checkFree(
  world: World,
  name: string,
  own: Policy | undefined,
  shown: (owner: Policy) => Readonly<Record<string, unknown>> | undefined,
): void {
  const owner = policies(world).find((one) => one.name === name && !one.isDeleted);
  const members = owner && owner !== own ? shown(owner) : undefined;
  if (members) throw conflict(`The policy ${name} exists`, { code: "existing", members });
}

/** Adds a version whose number is the one after the highest that the policy ever had. */
export function addVersion(
  world: World,
  policy: Pick<Policy, "versions">,
  description: string | null,
  rules: readonly Rule[],
): Version {
  const added: Version = {
    id: world.next("policy version", 12_000),
    version: (policy.versions.at(-1)?.version ?? 0) + 1,
    description,
    rules: rules.map((rule) => storedRule(world, rule)),
    isDeleted: false,
    ...authored(world.now()),
  };
  policy.versions.push(added);
  return added;
}

export function addPolicy(
  world: World,
  given: Pick<Policy, "cloudletId" | "name" | "description" | "groupId">,
  rules: readonly Rule[] = [],
): { readonly policy: Policy; readonly version: Version } {
  const policyId = world.next("policy", 2_001);
  const stamps = authored(world.now());
  const policy: Policy = { policyId, ...given, isDeleted: false, ...stamps, versions: [], activations: [] };
  const version = addVersion(world, policy, given.description, rules);
  policies(world).push(policy);
  return { policy, version };
}

/** Whether a version is being or was activated, so that its rules are fixed. */
export const isLocked = ({ activations }: Policy, version: number): boolean =>
  activations.some((one) => one.version === version);

/** The state of an activation: as the clock has it, but for those of a deleted policy. */
export function statusOf(world: World, { activations, isDeleted }: Policy, one: Activation): Standing {
  if (isDeleted) return "deactivated";
  const inPlace = activations.filter(({ network, property }) => network === one.network && property === one.property);
  return standing(world, inPlace, one);
}

/** The properties that use a policy on any network. */
export const propertiesUsing = (world: World, { activations }: Policy): readonly Property[] =>
  propertiesIn(world).filter((one) => activations.some(({ property }) => property === one));

/** Activates a version for properties, each of which is pending first. */
export function activate(
  world: World,
  policy: Policy,
  version: number,
  network: Network,
  properties: readonly Property[],
): readonly Activation[] {
  if (properties.length === 0) throw invalid("No property uses the policy: name one in additionalPropertyNames");
  const isPending = policy.activations.some(
    (one) => one.network === network && one.version === version && statusOf(world, policy, one) === "pending",
  );
  if (isPending) throw conflict(`Version ${version} is being activated on ${network}`);
  const begun = { network, version, atMs: world.now(), lastsMs: lastsMs[network], by: userInUse };
  const added = properties.map((property) => ({ property, ...begun }));
  policy.activations.push(...added);
  return added;
}

/** The version of a policy that is active for a property on a network. */
export function activeVersion(world: World, policy: Policy, network: Network, property?: Property): number {
  const active = policy.activations.filter(
    (one) =>
      one.network === network &&
      (property === undefined || one.property === property) &&
      statusOf(world, policy, one) === "active",
  );
  return active.at(-1)?.version ?? 0;
}
