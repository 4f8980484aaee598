/** The policies of all applications with their versions and activations, which several services read and write. */
import type { z } from "../../../language/z.js";
import { dayMs } from "../../../time/durations.js";
import type { StoredRule } from "../../../tools/edge-logic/match-rules.js";
import { type ActivationState, activationStateOf } from "../../primitives/activation.js";
import { type Authorship, authorshipAt } from "../../primitives/authored.js";
import type { Job } from "../../primitives/job.js";
import { seedsOf } from "../../primitives/seeds.js";
import { findIn } from "../../primitives/store.js";
import { conflict } from "../../reply.js";
import { hexDigits, noiseText, type World } from "../../world.js";
import { portalUser, userInUse } from "../account.js";
import { propertiesIn } from "../properties/served.js";
import type { EdgeNetwork, Property } from "../properties/world.js";
import { invalidRequest, requireCapability, workGroupId } from "./applications.js";
import seeds from "./seeds.json" with { type: "json" };

export type MatchRule = z.output<typeof StoredRule>;

export interface PolicyVersion extends Authorship {
  /** Distinguishes this version from every version of any policy. */
  readonly id: number;
  readonly version: number;
  description: string | null;
  rules: readonly MatchRule[];
  isDeleted: boolean;
}
/** A version on its way to a network, or there. */
export interface VersionActivation extends Job {
  readonly network: EdgeNetwork;
  readonly version: number;
  readonly by: string;
}
/** Policies that are not shared are activated for each property by itself. */
export interface PolicyActivation extends VersionActivation {
  readonly property: Property;
}
export interface CloudletPolicy extends Authorship {
  readonly policyId: number;
  readonly cloudletId: number;
  name: string;
  description: string | null;
  groupId: number;
  isDeleted: boolean;
  /** Members that were written but are not declared. */
  others?: Readonly<Record<string, unknown>>;
  readonly versions: PolicyVersion[];
  readonly activations: PolicyActivation[];
}

interface SeedPolicy extends Authorship, Pick<CloudletPolicy, "policyId" | "cloudletId" | "name"> {
  readonly versions: readonly Omit<PolicyVersion, "isDeleted">[];
  readonly activations: readonly ActivationSeed[];
}

/** An activation with which a world begins. */
export type ActivationSeed = Pick<VersionActivation, "network" | "version" | "atMs">;
// How long an activation is pending.
const lastsMs: Readonly<Record<EdgeNetwork, number>> = { STAGING: 10_000, PRODUCTION: 30_000 };
/** Activations of all kinds, whose members are kept, last as long as their network takes. */
export const activationFrom = <B extends ActivationSeed>(begun: B, by = userInUse): B & VersionActivation => ({
  ...begun,
  lastsMs: lastsMs[begun.network],
  by,
});
/** The networks as the API writes them for policies that are not shared. */
export const policyNetworks = { STAGING: "staging", PRODUCTION: "prod" } as const;
/** The instant from which the ages of what a world begins with are counted. */
export const midnightOf = (world: World): number => Math.floor(world.startedAtMs / dayMs) * dayMs;

/** The checksum of a content, which differs when the content does. */
export const checksumOf = (world: World, ...words: readonly string[]): string =>
  noiseText(world, hexDigits, 32, "checksum", ...words);

/** A rule as it is stored: with an id, its own if it has one. */
export const storedRule = (world: World, { akaRuleId: _, location: __, ...rule }: MatchRule): MatchRule => ({
  start: 0,
  end: 0,
  id: null,
  name: null,
  ...rule,
  vendorRuleId: rule.vendorRuleId ?? noiseText(world, hexDigits, 16, "rule", world.next("rule", 1)),
});

/** The policies, at first one of each application that has something to show, active for the first property. */
export const policies = (world: World): CloudletPolicy[] =>
  world.state("policies", () => {
    const [property] = propertiesIn(world);
    return seedsOf<readonly SeedPolicy[]>(seeds.policies, midnightOf(world)).map(
      ({ versions, activations, ...policy }) => ({
        ...policy,
        description: null,
        groupId: workGroupId,
        isDeleted: false,
        versions: versions.map((one) => ({ ...one, isDeleted: false })),
        activations: property ? activations.map((one) => ({ property, ...activationFrom(one, portalUser) })) : [],
      }),
    );
  });

/** A policy that is there; one that was deleted is not, unless it may be. */
export const policyOf = (world: World, policyId: number, mayBeDeleted = false): CloudletPolicy => {
  const wanted = mayBeDeleted ? { policyId } : { policyId, isDeleted: false };
  return findIn(policies(world), wanted, `There is no policy ${policyId}`);
};
/** The versions of a policy, shared or not, that were not deleted. */
export const versionsOf = <V extends PolicyVersion>({ versions }: { readonly versions: readonly V[] }): readonly V[] =>
  versions.filter(({ isDeleted }) => !isDeleted);
export const versionOf = (policy: CloudletPolicy, version: number): PolicyVersion =>
  findIn(versionsOf(policy), { version }, `The policy ${policy.policyId} has no version ${version}`);
/** A policy that the user in use may edit. */
export function editablePolicyOf(world: World, policyId: number, mayBeDeleted = false): CloudletPolicy {
  const policy = policyOf(world, policyId, mayBeDeleted);
  requireCapability(world, "Edit", policy.groupId, policy.cloudletId);
  return policy;
}
export const latestOf = (policy: CloudletPolicy): PolicyVersion | undefined => versionsOf(policy).at(-1);

/** Refuses a name that another policy has, with the members that show that one; not where there is nothing to show. */
export function checkNameIsFree(
  world: World,
  name: string,
  policy: CloudletPolicy | undefined,
  shown: (owner: CloudletPolicy) => Readonly<Record<string, unknown>> | undefined,
): void {
  const owner = policies(world).find((one) => one.name === name && !one.isDeleted);
  const members = owner && owner !== policy ? shown(owner) : undefined;
  if (members) throw conflict(`The policy ${name} exists`, { code: "existing", members });
}

/** Adds a version whose number is the one after the highest that the policy ever had. */
export function addVersion(
  world: World,
  policy: Pick<CloudletPolicy, "versions">,
  description: string | null,
  rules: readonly MatchRule[],
): PolicyVersion {
  const added: PolicyVersion = {
    id: world.next("policy version", 12_000),
    version: (policy.versions.at(-1)?.version ?? 0) + 1,
    description,
    rules: rules.map((rule) => storedRule(world, rule)),
    isDeleted: false,
    ...authorshipAt(world.now()),
  };
  policy.versions.push(added);
  return added;
}

export function addPolicy(
  world: World,
  details: Pick<CloudletPolicy, "cloudletId" | "name" | "description" | "groupId">,
  rules: readonly MatchRule[] = [],
): { readonly policy: CloudletPolicy; readonly version: PolicyVersion } {
  const policyId = world.next("policy", 2_001);
  const stamps = authorshipAt(world.now());
  const policy: CloudletPolicy = { policyId, ...details, isDeleted: false, ...stamps, versions: [], activations: [] };
  const version = addVersion(world, policy, details.description, rules);
  policies(world).push(policy);
  return { policy, version };
}

/** Whether a version is being or was activated, so that its rules are fixed. */
export const isLocked = ({ activations }: CloudletPolicy, version: number): boolean =>
  activations.some((one) => one.version === version);

/** The state of an activation: as the clock has it, but for those of a deleted policy. */
export function statusOf(
  world: World,
  { activations, isDeleted }: CloudletPolicy,
  activation: PolicyActivation,
): ActivationState {
  if (isDeleted) return "deactivated";
  const inPlace = activations.filter(
    ({ network, property }) => network === activation.network && property === activation.property,
  );
  return activationStateOf(world, inPlace, activation);
}

/** The properties that use a policy on any network. */
export const propertiesUsing = (world: World, { activations }: CloudletPolicy): readonly Property[] =>
  propertiesIn(world).filter((one) => activations.some(({ property }) => property === one));

/** Activates a version for properties, each of which is pending first. */
export function activate(
  world: World,
  policy: CloudletPolicy,
  version: number,
  network: EdgeNetwork,
  properties: readonly Property[],
): readonly PolicyActivation[] {
  if (properties.length === 0) throw invalidRequest("No property uses the policy: name one in additionalPropertyNames");
  const isPending = policy.activations.some(
    (one) => one.network === network && one.version === version && statusOf(world, policy, one) === "pending",
  );
  if (isPending) throw conflict(`Version ${version} is being activated on ${policyNetworks[network]}`);
  const added = properties.map((property) => activationFrom({ network, version, atMs: world.now(), property }));
  policy.activations.push(...added);
  return added;
}

/** The version of a policy that is active for a property on a network. */
export function activeVersion(world: World, policy: CloudletPolicy, network: EdgeNetwork, property?: Property): number {
  const active = policy.activations.filter(
    (activation) =>
      activation.network === network &&
      (property === undefined || activation.property === property) &&
      statusOf(world, policy, activation) === "active",
  );
  return active.at(-1)?.version ?? 0;
}
