/** The policies of all applications with their versions and activations, which several services read and write. */

import type { z } from "../../../api/z.js";
import type { StoredRule } from "../../../tools/edge-logic/match-rules.js";
import { Refusal } from "../../problem.js";
import type { World } from "../../world.js";
import { apiClient, type DeliveryProperty, deliveryProperties, portalUser } from "../account.js";
import { invalid, missing, workGroupId } from "./applications.js";

export type Rule = z.output<typeof StoredRule>;
export type Network = "staging" | "prod";

export interface Version {
  /** Tells this version from every version of any policy. */
  readonly id: number;
  readonly version: number;
  description: string | null;
  rules: readonly Rule[];
  isDeleted: boolean;
  readonly createdBy: string;
  readonly createdAtMs: number;
  modifiedBy: string;
  modifiedAtMs: number;
}
interface Activation {
  readonly network: Network;
  readonly property: DeliveryProperty;
  readonly version: number;
  readonly atMs: number;
  readonly by: string;
}
export interface Policy {
  readonly policyId: number;
  readonly cloudletId: number;
  name: string;
  description: string | null;
  groupId: number;
  isDeleted: boolean;
  readonly createdBy: string;
  readonly createdAtMs: number;
  modifiedBy: string;
  modifiedAtMs: number;
  readonly versions: Version[];
  readonly activations: Activation[];
}

const dayMs = 86_400_000;
/** How long an activation is pending. */
const lastsMs: Readonly<Record<Network, number>> = { staging: 10_000, prod: 30_000 };

const hex = (world: World, length: number, ...words: readonly (string | number)[]): string =>
  Array.from({ length }, (_, at) => Math.floor(world.noise(...words, at) * 16).toString(16)).join("");
/** The checksum of a content, which differs when the content does. */
export const checksumOf = (world: World, ...words: readonly string[]): string => hex(world, 32, "checksum", ...words);
const newRuleId = (world: World): string => hex(world, 16, "rule", world.next("rule", 1));

/** A rule as it is stored: with an id, its own if it has one. */
export const storedRule = (world: World, { akaRuleId: _, location: __, ...rule }: Rule): Rule => ({
  start: 0,
  end: 0,
  id: null,
  name: null,
  ...rule,
  vendorRuleId: rule.vendorRuleId ?? newRuleId(world),
});

const redirect = (vendorRuleId: string, name: string, matchURL: string, redirectURL: string): Rule => ({
  type: "erMatchRule",
  vendorRuleId,
  name,
  start: 0,
  end: 0,
  id: null,
  matchURL,
  redirectURL,
  statusCode: 301,
  useIncomingQueryString: true,
  useRelativeUrl: "relative_url",
});

function seeds(world: World): Policy[] {
  const at = (days: number) => Math.floor(world.startedAtMs / dayMs) * dayMs - days * dayMs;
  const version = (id: number, number: number, days: number, description: string, rules: readonly Rule[]): Version => ({
    id,
    version: number,
    description,
    rules,
    isDeleted: false,
    createdBy: portalUser,
    createdAtMs: at(days),
    modifiedBy: portalUser,
    modifiedAtMs: at(days),
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
    createdBy: portalUser,
    createdAtMs: at(days),
    modifiedBy: portalUser,
    modifiedAtMs: at(days),
    versions,
    activations,
  });
  const [front] = deliveryProperties;
  const active = (network: Network, number: number, days: number): Activation[] =>
    front ? [{ network, property: front, version: number, atMs: at(days), by: portalUser }] : [];
  const spring = redirect("5db847a66e0566ad", "Spring", "/spring", "/sale");
  const queue: Rule = {
    type: "vpMatchRule",
    vendorRuleId: "7ad069c880278ac1",
    name: "Checkout",
    start: 0,
    end: 0,
    id: 0,
    matchURL: "/checkout",
    matches: [
      {
        matchType: "hostname",
        matchOperator: "contains",
        matchValue: "www.shop.example",
        negate: false,
        caseSensitive: false,
      },
    ],
    passThroughPercent: 50,
    useIncomingQueryString: true,
  };
  const offices: Rule = {
    type: "saMatchRule",
    vendorRuleId: "8be17ad991389bd2",
    name: "Offices",
    start: 0,
    end: 0,
    id: 0,
    matches: [
      {
        matchType: "clientip",
        matchOperator: "contains",
        matchValue: "198.51.100.0/24",
        negate: false,
        caseSensitive: false,
      },
    ],
  };
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

export const policies = (world: World): Policy[] => world.state("policies", () => seeds(world));

/** A policy that is there; one that was deleted is not, unless it may be. */
export function policyOf(world: World, policyId: number, mayBeDeleted = false): Policy {
  const found = policies(world).find((one) => one.policyId === policyId);
  if (!found || (found.isDeleted && !mayBeDeleted)) throw missing(`There is no policy ${policyId}`);
  return found;
}
export function versionOf({ policyId, versions }: Policy, version: number): Version {
  const found = versions.find((one) => one.version === version && !one.isDeleted);
  if (!found) throw missing(`The policy ${policyId} has no version ${version}`);
  return found;
}
export const latestOf = ({ versions }: Policy): Version | undefined => versions.findLast(({ isDeleted }) => !isDeleted);

export const ownerOfName = (world: World, name: string): Policy | undefined =>
  policies(world).find((one) => one.name === name && !one.isDeleted);

const stamps = (world: World) => ({
  createdBy: apiClient,
  createdAtMs: world.now(),
  modifiedBy: apiClient,
  modifiedAtMs: world.now(),
});
export function touch(world: World, one: Policy | Version): void {
  one.modifiedBy = apiClient;
  one.modifiedAtMs = world.now();
}

/** Adds a version whose number is the one after the highest that the policy ever had. */
export function addVersion(world: World, policy: Policy, description: string | null, rules: readonly Rule[]): Version {
  const added: Version = {
    id: world.next("policy version", 12_000),
    version: (policy.versions.at(-1)?.version ?? 0) + 1,
    description,
    rules: rules.map((rule) => storedRule(world, rule)),
    isDeleted: false,
    ...stamps(world),
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
  const added: Policy = { policyId, ...given, isDeleted: false, ...stamps(world), versions: [], activations: [] };
  addVersion(world, added, given.description, rules);
  policies(world).push(added);
  return added;
}

/** Whether a version is being or was activated, so that its rules are fixed. */
export const isLocked = ({ activations }: Policy, version: number): boolean =>
  activations.some((one) => one.version === version);

export type Status = "pending" | "active" | "deactivated";
/** The state of an activation: pending for a while, then active until a later one is. */
export function statusOf(world: World, { activations }: Policy, one: Activation): Status {
  const isOver = ({ network, atMs }: Activation) => world.now() >= atMs + lastsMs[network];
  if (!isOver(one)) return "pending";
  const isReplaced = activations
    .slice(activations.indexOf(one) + 1)
    .some((later) => later.network === one.network && later.property === one.property && isOver(later));
  return isReplaced ? "deactivated" : "active";
}

/** The properties that use a policy on any network. */
export const propertiesUsing = ({ activations }: Policy): readonly DeliveryProperty[] =>
  deliveryProperties.filter((one) => activations.some(({ property }) => property === one));

/** Activates a version for properties, each of which is pending first. */
export function activate(
  world: World,
  policy: Policy,
  version: number,
  network: Network,
  properties: readonly DeliveryProperty[],
): readonly Activation[] {
  if (properties.length === 0) throw invalid("No property uses the policy: name one in additionalPropertyNames");
  const isPending = policy.activations.some(
    (one) => one.network === network && one.version === version && statusOf(world, policy, one) === "pending",
  );
  if (isPending) throw new Refusal(409, "Conflict", `Version ${version} is being activated on ${network}`);
  const added = properties.map((property) => ({ network, property, version, atMs: world.now(), by: apiClient }));
  policy.activations.push(...added);
  return added;
}

/** The version of a policy that is active for a property on a network. */
export function activeVersion(world: World, policy: Policy, network: Network, propertyName?: string): number {
  const active = policy.activations.filter(
    (one) =>
      one.network === network &&
      (propertyName === undefined || one.property.name === propertyName) &&
      statusOf(world, policy, one) === "active",
  );
  return active.at(-1)?.version ?? 0;
}
