/** The shared policies of a world: their versions, what is active by the clock, and the properties that use them. */
import { dayMs } from "../../../language/durations.js";
import { isRecord } from "../../../language/member.js";
import { type Authored, authored } from "../../primitives/authored.js";
import { notFound, orRefuse } from "../../reply.js";
import type { World } from "../../world.js";
import { portalUser } from "../account.js";
import { applications, demand, workGroupId } from "../edge-logic/applications.js";
import { lastsMs, type Policy as NonShared, redirect, type Version } from "../edge-logic/policy-store.js";
import { propertiesIn, versionOn } from "../properties/served.js";
import type { Network, Property } from "../properties/world.js";

export const networks = ["STAGING", "PRODUCTION"] as const;
/** The applications that can have shared policies; waiting rooms have no others. */
export const types = {
  AP: "API_PRIORITIZATION",
  AS: "AUDIENCE_SEGMENTATION",
  ER: "EDGE_REDIRECTOR",
  FR: "FORWARD_REWRITE",
  CD: "PHASED_RELEASE",
  IG: "REQUEST_CONTROL",
  VWR: "VIRTUAL_WAITING_ROOM",
} as const;
export type Type = keyof typeof types;

export interface SharedVersion extends Version, Pick<NonShared, "others"> {
  configuration?: { readonly originNewVisitorLimit: number } | undefined;
}
export interface Activation {
  readonly id: number;
  readonly network: Network;
  readonly operation: "ACTIVATION" | "DEACTIVATION";
  readonly version: number;
  readonly atMs: number;
  readonly by: string;
}
/** A policy; it shares the ids and the forms of versions and rules with those that are not shared. */
export interface Policy extends Authored, Pick<NonShared, "policyId" | "others"> {
  readonly type: Type;
  readonly name: string;
  description: string;
  groupId: number;
  readonly versions: SharedVersion[];
  readonly activations: Activation[];
}

function seeds(world: World): Policy[] {
  const at = (days: number) => Math.floor(world.startedAtMs / dayMs) * dayMs - days * dayMs;
  const version = (id: number, number: number, days: number, description: string, own: Partial<SharedVersion>) => ({
    ...{ id, version: number, description, rules: [], isDeleted: false, ...own },
    ...authored(at(days), portalUser),
  });
  const policy = (policyId: number, type: Type, name: string, versions: SharedVersion[]): Policy => ({
    ...{ policyId, type, name, description: "", groupId: workGroupId, versions, activations: [] },
    ...authored(at(60), portalUser),
  });
  const news = redirect("1c40e6a8d3b92f57", "News", "/news", "/stories");
  const jobs = redirect("2d51f7b9e4c03a68", "Jobs", "/jobs", "/careers");
  const redirects = policy(3001, "ER", "company_redirects", [
    version(11_901, 1, 60, "Company", { rules: [news] }),
    version(11_902, 2, 2, "Company, with jobs", { rules: [news, jobs] }),
  ]);
  const begun = { operation: "ACTIVATION", version: 1, by: portalUser } as const;
  redirects.activations.push(
    { id: 300_001, network: "STAGING", atMs: at(55), ...begun },
    { id: 300_002, network: "PRODUCTION", atMs: at(50), ...begun },
  );
  return [
    redirects,
    policy(3002, "VWR", "ticket_queue", [
      version(11_903, 1, 30, "Tickets", { configuration: { originNewVisitorLimit: 1_000 } }),
    ]),
    policy(3003, "FR", "former_rewrites", [version(11_904, 1, 60, "Before the relaunch", {})]),
  ];
}

export const policies = (world: World): Policy[] => world.state("shared policies", () => seeds(world));
export const policyOf = (world: World, policyId: number): Policy =>
  orRefuse(
    policies(world).find((one) => one.policyId === policyId),
    () => notFound(`Policy with id \`${policyId}\` not found.`),
  );

/** Refuses what the user in use may not do; waiting rooms, which the former API lacks, have the rights of redirects. */
export const demandFor = (world: World, capability: "Edit" | "Activate", groupId: number, type: Type): void =>
  demand(world, capability, groupId, applications.find((one) => one.cloudletCode === type)?.cloudletId ?? 0);

const lasting = { STAGING: lastsMs.staging, PRODUCTION: lastsMs.prod } as const;
/** When an operation ends. */
export const endOf = ({ network, atMs }: Activation): number => atMs + lasting[network];

/** The operation that counts on a network, and the last one that was begun there. */
export function standingOn(world: World, { activations }: Policy, network: Network) {
  const there = activations.filter((one) => one.network === network);
  return { effective: there.findLast((one) => endOf(one) <= world.now()), latest: there.at(-1) };
}

/** The version in use on a network. */
export function activeOn(world: World, policy: Policy, network: Network): number | undefined {
  const { effective } = standingOn(world, policy, network);
  return effective?.operation === "ACTIVATION" ? effective.version : undefined;
}

/** Whether a version is active or being activated, so that it cannot change. */
export const isImmutable = (world: World, policy: Policy, version?: number): boolean =>
  networks.some((network) => {
    const { latest } = standingOn(world, policy, network);
    const running = latest && endOf(latest) > world.now() ? latest.version : undefined;
    return [activeOn(world, policy, network), running].some(
      (one) => one !== undefined && (version === undefined || one === version),
    );
  });

/** Whether rules refer to a shared policy, in a behavior of any depth. */
function refersTo(rules: unknown, policyId: number): boolean {
  if (Array.isArray(rules)) return rules.some((one) => refersTo(one, policyId));
  if (!isRecord(rules)) return false;
  return Object.entries(rules).some(([name, value]) =>
    name === "cloudletSharedPolicy" ? Number(value) === policyId : refersTo(value, policyId),
  );
}

/** The property that uses the initial redirects, whatever its rules say. */
const initialUser = 3001;

/** The properties whose version on a network refers to a policy, each with that version. */
export const usersOn = (world: World, { policyId }: Policy, network: Network) =>
  propertiesIn(world).flatMap((property: Property, at) => {
    const version = versionOn(world, property, network);
    if (version === undefined) return [];
    const isUser = (policyId === initialUser && at === 0) || refersTo(version.rules, policyId);
    return isUser ? [{ property, version: version.number }] : [];
  });
