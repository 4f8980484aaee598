/** How the edge-logic API shows policies, versions, activations and the properties that use them. */

import type { Authored } from "../../primitives/authored.js";
import type { World } from "../../world.js";
import { conditionalOrigins, portalUser } from "../account.js";
import { numberOf, originNameOf, versionOn } from "../properties/served.js";
import type { Property, Version as PropertyVersion } from "../properties/world.js";
import { applications, resource, root } from "./applications.js";
import {
  type Activation,
  activeVersion,
  checksumOf,
  isLocked,
  type Network,
  type Policy,
  policies,
  type Rule,
  statusOf,
  type Version,
} from "./policy-store.js";

const stampsOf = ({ createdBy, createdAtMs, modifiedBy, modifiedAtMs }: Authored) => ({
  createdBy,
  createDate: createdAtMs,
  lastModifiedBy: modifiedBy,
  lastModifiedDate: modifiedAtMs,
});

/** The property service's names of the networks. */
const networks = { staging: "STAGING", prod: "PRODUCTION" } as const;

/** Who activated a property's version on a network, and when; empty if it was never activated. */
function broughtBy({ activations }: Property, version: number | undefined, network: Network) {
  const last = activations.findLast((one) => one.version === version && one.network === networks[network]);
  return { activatedBy: last ? portalUser : null, activatedAtMs: last?.submittedAtMs ?? 0 };
}

export function activationBody(world: World, policy: Policy, one: Activation) {
  const status = statusOf(world, policy, one);
  const { network, property, version, atMs } = one;
  const delivered = versionOn(world, property, networks[network])?.number;
  const { activatedBy, activatedAtMs } = broughtBy(property, delivered, network);
  const detail =
    status === "pending"
      ? { statusDetail: "initial" }
      : { statusDetail: "File successfully deployed to the network", detailCode: 4000 };
  return {
    ...resource,
    network,
    policyInfo: {
      policyId: policy.policyId,
      name: policy.name,
      version,
      status,
      ...detail,
      activatedBy: one.by,
      activationDate: atMs,
    },
    propertyInfo: {
      name: property.name,
      version: delivered ?? 0,
      groupId: numberOf(property.groupId),
      status: delivered === undefined ? "inactive" : "active",
      activatedBy,
      activationDate: activatedAtMs,
    },
  };
}

/** Members of both a policy and a version: what is active or about to be. */
const current = (world: World, policy: Policy) =>
  policy.activations
    .filter((one) => statusOf(world, policy, one) !== "deactivated")
    .map((one) => activationBody(world, policy, one));

export const policyBody = (world: World, policy: Policy) => ({
  ...policy.others,
  location: `${root}/policies/${policy.policyId}`,
  ...resource,
  policyId: policy.policyId,
  cloudletId: policy.cloudletId,
  cloudletCode: applications.find(({ cloudletId }) => cloudletId === policy.cloudletId)?.cloudletCode ?? "",
  groupId: policy.groupId,
  name: policy.name,
  description: policy.description,
  deleted: policy.isDeleted,
  propertyName: null,
  ...stampsOf(policy),
  activations: current(world, policy),
});

export const ruleBody = ({ policyId }: Policy, { version }: Version, rule: Rule) => ({
  ...rule,
  location: `${root}/policies/${policyId}/versions/${version}/rules/${rule.vendorRuleId}`,
});

export const versionBody = (world: World, policy: Policy, version: Version, hasRules: boolean) => ({
  location: `${root}/policies/${policy.policyId}/versions/${version.version}`,
  revisionId: version.id,
  policyId: policy.policyId,
  version: version.version,
  description: version.description,
  ...stampsOf(version),
  rulesLocked: isLocked(policy, version.version),
  deleted: version.isDeleted,
  activations: current(world, policy).filter(({ policyInfo }) => policyInfo.version === version.version),
  matchRules: hasRules ? version.rules.map((rule) => ruleBody(policy, version, rule)) : null,
  matchRuleFormat: "1.0",
});

/** The origins that edge logic can forward to from a version of a property. */
export const originsOf = (world: World, version: PropertyVersion | undefined) =>
  (conditionalOrigins[version ? originNameOf(version) : ""] ?? []).map(({ id, hostName }) => ({
    originId: id,
    hostname: hostName,
    type: "CUSTOMER",
    checksum: checksumOf(world, id, hostName),
  }));

/** Properties by their names, each version with the policies that it refers to. */
export const propertyBodies = (world: World, properties: readonly Property[]) =>
  Object.fromEntries(
    properties.flatMap((property) => {
      const { groupId, name, versions } = property;
      const newest = versions.at(-1);
      if (!newest) return [];
      const shownVersion = (version: PropertyVersion, from: readonly Network[]) => {
        const [brought] = from
          .map((network) => broughtBy(property, version.number, network))
          .filter(({ activatedBy }) => activatedBy !== null);
        return {
          version: version.number,
          activatedBy: brought?.activatedBy ?? null,
          activationDate: brought ? new Date(brought.activatedAtMs).toISOString().slice(0, 10) : null,
          referencedPolicies: policies(world)
            .filter((policy) => from.some((network) => activeVersion(world, policy, network, property) > 0))
            .map(({ name }) => name),
          cloudletsOrigins: Object.fromEntries(originsOf(world, version).map((one) => [one.originId, one])),
        };
      };
      const on = (network: Network) => {
        const version = versionOn(world, property, networks[network]);
        return version ? shownVersion(version, [network]) : null;
      };
      const newestVersion = shownVersion(newest, ["prod", "staging"]);
      const body = { groupId: numberOf(groupId), name, newestVersion, production: on("prod"), staging: on("staging") };
      return [[name, body] as const];
    }),
  );
