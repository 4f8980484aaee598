/** How the API shows shared policies, their versions and activations, pages of lists, and refusals. */
import type { sharedPolicies as declared } from "../../../tools/shared-policies/index.js";
import type { Call } from "../../behaviour.js";
import type { Authorship } from "../../primitives/authored.js";
import { endOf, isOver } from "../../primitives/job.js";
import { type ErrorFormat, ok } from "../../reply.js";
import type { World } from "../../world.js";
import type { MatchRule } from "../edge-logic/policy-store.js";
import type { EdgeNetwork } from "../properties/world.js";
import { isImmutable, type SharedActivation, type SharedPolicy, type SharedVersion, standingOn } from "./store.js";

const root = "/cloudlets/v3";
const policyAt = ({ policyId }: SharedPolicy): string => `${root}/policies/${policyId}`;
const self = (href: string) => ({ links: [{ href, rel: "self" }] });
const iso = (ms: number): string => new Date(ms).toISOString();
const stampsOf = ({ createdBy, createdAtMs, modifiedBy, modifiedAtMs }: Authorship) => ({
  createdBy,
  createdDate: iso(createdAtMs),
  modifiedBy,
  modifiedDate: iso(modifiedAtMs),
});

export function activationBody(world: World, policy: SharedPolicy, activation: SharedActivation) {
  const { id, network, operation, version, atMs, by } = activation;
  const isDone = isOver(world, activation);
  return {
    id,
    network,
    operation,
    policyId: policy.policyId,
    policyVersion: version,
    policyVersionDeleted: policy.versions.some((own) => own.version === version && own.isDeleted),
    status: isDone ? ("SUCCESS" as const) : ("IN_PROGRESS" as const),
    createdBy: by,
    createdDate: iso(atMs),
    finishDate: isDone ? iso(endOf(activation)) : null,
    ...self(`${policyAt(policy)}/activations/${id}`),
  };
}

export function policyBody(world: World, policy: SharedPolicy) {
  const shown = (one: SharedActivation | undefined) => (one ? activationBody(world, policy, one) : null);
  const on = (network: EdgeNetwork) => {
    const { effective, latest } = standingOn(world, policy, network);
    return { effective: shown(effective), latest: shown(latest) };
  };
  const { policyId, name, description, groupId, type, others } = policy;
  return {
    ...others,
    id: policyId,
    name,
    description,
    groupId,
    cloudletType: type,
    policyType: "SHARED" as const,
    ...stampsOf(policy),
    currentActivations: { production: on("PRODUCTION"), staging: on("STAGING") },
    ...self(policyAt(policy)),
  };
}

export const versionEntry = (policy: SharedPolicy, version: SharedVersion) => ({
  id: version.id,
  policyId: policy.policyId,
  version: version.version,
  description: version.description ?? "",
  ...stampsOf(version),
  ...self(`${policyAt(policy)}/versions/${version.version}`),
});

export type SharedRule = Call<
  (typeof declared)["operations"]["sharedpolicy_version_create"]
>["body"]["matchRules"][number];
/** A rule as the store keeps it: its id has the former API's name there. */
export const ruleToStore = ({ akaRuleId, ...rule }: SharedRule): MatchRule => ({
  ...(rule as MatchRule),
  ...(akaRuleId === undefined ? {} : { vendorRuleId: akaRuleId }),
});
const ruleBody = ({ vendorRuleId, location: _, disabled, ...rule }: MatchRule) => ({
  ...rule,
  // The former API also takes the flag as text.
  ...(disabled === undefined ? {} : { disabled: String(disabled) === "true" }),
  ...(vendorRuleId === undefined ? {} : { akaRuleId: vendorRuleId }),
});

export function versionBody(world: World, policy: SharedPolicy, version: SharedVersion) {
  const { links: _, ...entry } = versionEntry(policy, version);
  return {
    ...version.others,
    ...entry,
    immutable: isImmutable(world, policy, version.version),
    matchRules: version.rules.map(ruleBody),
    matchRulesWarnings: [],
    ...(version.configuration && { configuration: version.configuration }),
  };
}

/** The answer of a list: one page of it, with the size of the whole. */
export const page = <T>(
  items: readonly T[],
  { page: number, size }: { readonly page: number; readonly size: number },
) =>
  ok({
    content: items.slice(number * size, (number + 1) * size),
    page: { number, size, totalElements: items.length, totalPages: Math.ceil(items.length / size) },
  });

const titles: Readonly<Record<number, string>> = {
  400: "Validation failed",
  403: "Access Denied",
  404: "Not found",
  409: "Data Update Conflict",
};
export const errorFormat: ErrorFormat = ({ status, title: usual, detail }, _, world) => {
  const title = titles[status] ?? usual;
  const instance = world.next("shared policy error", 0x6000_0000).toString(16);
  const named = { type: `${root}/error-types/${title.toLowerCase().replaceAll(" ", "-")}`, title, status, instance };
  return { type: "application/problem+json", body: { ...named, errors: [{ title, detail }] } };
};
