/** The policies of all applications with their versions and activations, which several services read and write. */
import { hexDigits, noiseText } from "../../noise-text.js";
import { conflict, notFound } from "../../problem.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import { authored } from "../authorship.js";
import { propertiesIn } from "../properties/served.js";
import type { Property } from "../properties/world.js";
import { type Standing, standing } from "../standing.js";
import { invalid } from "./applications.js";
import type { Activation, Network, Policy, Rule, Version } from "./policy-records.js";
import { seeds } from "./policy-seeds.js";

/** How long an activation is pending. */
const lastsMs: Readonly<Record<Network, number>> = { staging: 10_000, prod: 30_000 };

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
export function versionOf({ policyId, versions }: Policy, version: number): Version {
  const found = versions.find((one) => one.version === version && !one.isDeleted);
  if (!found) throw notFound(`The policy ${policyId} has no version ${version}`);
  return found;
}
export const latestOf = ({ versions }: Policy): Version | undefined => versions.findLast(({ isDeleted }) => !isDeleted);

export const ownerOfName = (world: World, name: string): Policy | undefined =>
  policies(world).find((one) => one.name === name && !one.isDeleted);

/** Adds a version whose number is the one after the highest that the policy ever had. */
export function addVersion(world: World, policy: Policy, description: string | null, rules: readonly Rule[]): Version {
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
): Policy {
  const policyId = world.next("policy", 2_001);
  const added: Policy = {
    policyId,
    ...given,
    isDeleted: false,
    ...authored(world.now()),
    versions: [],
    activations: [],
  };
  addVersion(world, added, given.description, rules);
  policies(world).push(added);
  return added;
}

/** Whether a version is being or was activated, so that its rules are fixed. */
export const isLocked = ({ activations }: Policy, version: number): boolean =>
  activations.some((one) => one.version === version);

/** The state of an activation: as the clock has it, but for those of a deleted policy. */
export function statusOf(world: World, { activations, isDeleted }: Policy, one: Activation): Standing {
  if (isDeleted) return "deactivated";
  const inPlace = activations.filter(({ network, property }) => network === one.network && property === one.property);
  return standing(world, inPlace, one, lastsMs[one.network]);
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
  const added = properties.map((property) => ({ network, property, version, atMs: world.now(), by: userInUse }));
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
