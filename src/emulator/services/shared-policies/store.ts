/** The shared policies of a world: their versions, what is active by the clock, and the properties that use them. */
import { isRecord } from "../../../language/member.js";
import type { Authorship } from "../../primitives/authored.js";
import { isOver } from "../../primitives/job.js";
import { seedsOf } from "../../primitives/seeds.js";
import { Store } from "../../primitives/store.js";
import type { World } from "../../world.js";
import { portalUser } from "../account.js";
import { applications, requireCapability } from "../edge-logic/applications.js";
import {
  activationFrom,
  midnightOf,
  type CloudletPolicy as NonShared,
  type PolicyVersion,
  type VersionActivation,
} from "../edge-logic/policy-store.js";
import { propertiesIn, versionOn } from "../properties/served.js";
import type { EdgeNetwork } from "../properties/world.js";
import seeds from "./seeds.json" with { type: "json" };

export const sharedPolicyNetworks = ["STAGING", "PRODUCTION"] as const;
/** The applications that can have shared policies; waiting rooms have no others. */
export const sharedPolicyTypes = {
  AP: "API_PRIORITIZATION",
  AS: "AUDIENCE_SEGMENTATION",
  ER: "EDGE_REDIRECTOR",
  FR: "FORWARD_REWRITE",
  CD: "PHASED_RELEASE",
  IG: "REQUEST_CONTROL",
  VWR: "VIRTUAL_WAITING_ROOM",
} as const;
export type SharedPolicyType = keyof typeof sharedPolicyTypes;

export interface SharedVersion extends PolicyVersion, Pick<NonShared, "others"> {
  configuration?: { readonly originNewVisitorLimit: number } | undefined;
}
export interface SharedActivation extends VersionActivation {
  readonly id: number;
  readonly operation: "ACTIVATION" | "DEACTIVATION";
}
/** A policy; it shares the ids and the forms of versions and rules with those that are not shared. */
export interface SharedPolicy extends Authorship, Pick<NonShared, "policyId" | "others"> {
  readonly type: SharedPolicyType;
  readonly name: string;
  description: string;
  groupId: number;
  readonly versions: SharedVersion[];
  readonly activations: SharedActivation[];
}
interface SharedPolicySeed extends Omit<SharedPolicy, "activations"> {
  readonly activations: readonly Omit<SharedActivation, "lastsMs" | "by">[];
}

export const policies = (world: World): Store<SharedPolicy> =>
  world.state("shared policies", () => {
    const all = seedsOf<readonly SharedPolicySeed[]>(seeds, midnightOf(world)).map(({ activations, ...policy }) => ({
      ...policy,
      activations: activations.map((begun) => activationFrom(begun, portalUser)),
    }));
    return new Store<SharedPolicy>("policyId", (policyId) => `Policy with id \`${policyId}\` not found.`, all);
  });

/** Refuses what the user in use may not do; waiting rooms, which the former API lacks, have the rights of redirects. */
export const requireCapabilityFor = (
  world: World,
  capability: "Edit" | "Activate",
  groupId: number,
  type: SharedPolicyType,
): void =>
  requireCapability(world, capability, groupId, applications.find((one) => one.cloudletCode === type)?.cloudletId ?? 0);

/** The operation that counts on a network, the version that it keeps in use, and the last operation, also while it runs. */
export function standingOn(world: World, { activations }: SharedPolicy, network: EdgeNetwork) {
  const there = activations.filter((one) => one.network === network);
  const effective = there.findLast((one) => isOver(world, one));
  const active = effective?.operation === "ACTIVATION" ? effective.version : undefined;
  const latest = there.at(-1);
  return { effective, active, latest, running: latest === effective ? undefined : latest };
}

/** Whether a version, or any, is active or being activated, so that it cannot change. */
export const isImmutable = (world: World, policy: SharedPolicy, version?: number): boolean =>
  sharedPolicyNetworks.some((network) => {
    const { active, running } = standingOn(world, policy, network);
    const used = [active, running?.version].filter((one) => one !== undefined);
    return version === undefined ? used.length > 0 : used.includes(version);
  });

/** Whether rules refer to a shared policy, in a behavior of any depth. */
function refersTo(rules: unknown, policyId: number): boolean {
  if (Array.isArray(rules)) return rules.some((one) => refersTo(one, policyId));
  if (!isRecord(rules)) return false;
  return Object.entries(rules).some(([name, value]) =>
    name === "cloudletSharedPolicy" ? Number(value) === policyId : refersTo(value, policyId),
  );
}

/** The properties whose version on a network refers to a policy, each with that version. */
export const usersOn = (world: World, { policyId }: SharedPolicy, network: EdgeNetwork) =>
  propertiesIn(world).flatMap((property, at) => {
    const version = versionOn(world, property, network);
    if (version === undefined) return [];
    // The first property uses the initial redirects, whatever its rules say.
    const isUser = (policyId === 3001 && at === 0) || refersTo(version.rules, policyId);
    return isUser ? [{ property, version: version.number }] : [];
  });
