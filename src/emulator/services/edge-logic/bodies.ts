/** How the edge-logic API shows policies, versions, activations and the properties that use them. */
import type { World } from "../../world.js";
import { type DeliveryProperty, portalUser } from "../account.js";
import { applications } from "./applications.js";
import type { Network, Policy, Rule, Version } from "./policy-records.js";
import { activeVersion, checksumOf, isLocked, policies, statusOf } from "./policy-store.js";

const root = "/cloudlets/api/v2";
const resource = { serviceVersion: null, apiVersion: "2.0" } as const;
type Activation = Policy["activations"][number];

const stampsOf = ({ createdBy, createdAtMs, modifiedBy, modifiedAtMs }: Policy | Version) => ({
  createdBy,
  createDate: createdAtMs,
  lastModifiedBy: modifiedBy,
  lastModifiedDate: modifiedAtMs,
});

export function activationBody(world: World, policy: Policy, one: Activation) {
  const status = statusOf(world, policy, one);
  const { property, version, atMs } = one;
  const detail =
    status === "pending"
      ? { statusDetail: "initial" }
      : { statusDetail: "File successfully deployed to the network", detailCode: 4000 };
  return {
    ...resource,
    network: one.network,
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
      version: property.activeVersion,
      groupId: property.groupId,
      status: "active",
      activatedBy: portalUser,
      activationDate: world.startedAtMs - 60 * 86_400_000,
    },
  };
}

/** What stands in a policy and in a version: what is active or about to be. */
const current = (world: World, policy: Policy) =>
  policy.activations
    .filter((one) => statusOf(world, policy, one) !== "deactivated")
    .map((one) => activationBody(world, policy, one));

export const policyBody = (world: World, policy: Policy) => ({
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

/** The origins of a property that rules can forward to. */
export const propertyOrigins = (world: World, { origins }: DeliveryProperty) =>
  origins.map(({ id, hostName }) => ({
    originId: id,
    hostname: hostName,
    type: "CUSTOMER",
    checksum: checksumOf(world, id, hostName),
  }));

/** Properties by their names, each version with the policies that it refers to. */
export function propertyBodies(world: World, properties: readonly DeliveryProperty[]) {
  const day = new Date(world.startedAtMs - 60 * 86_400_000).toISOString().slice(0, 10);
  return Object.fromEntries(
    properties.map((property) => {
      const version = (number: number, networks: readonly Network[]) => ({
        version: number,
        activatedBy: portalUser,
        activationDate: day,
        referencedPolicies: policies(world)
          .filter((policy) => !policy.isDeleted)
          .filter((policy) => networks.some((network) => activeVersion(world, policy, network, property.name) > 0))
          .map(({ name }) => name),
        cloudletsOrigins: Object.fromEntries(propertyOrigins(world, property).map((one) => [one.originId, one])),
      });
      const { name, groupId, newestVersion, activeVersion: onNetworks } = property;
      return [
        name,
        {
          groupId,
          name,
          newestVersion: version(newestVersion, ["prod", "staging"]),
          production: version(onNetworks, ["prod"]),
          staging: version(onNetworks, ["staging"]),
        },
      ];
    }),
  );
}
