/** SaaS access: policies by address or country, over the policies that edge logic shows as well. */
import type { Behaviours } from "../../api/behaviour.js";
import { saasAccess as declared } from "../../tools/saas-access.js";
import { Refusal } from "../problem.js";
import { emulated } from "../service.js";
import type { World } from "../world.js";
import { mainContractId } from "./account.js";
import { demand, invalid, isGroup } from "./edge-logic/applications.js";
import { activate, latestOf, propertiesUsing } from "./edge-logic/policy-store.js";
import {
  activationInfos,
  byVersionId,
  created,
  enveloped,
  envelopeErrorFormat,
  policiesOf,
  policyIn,
  updated,
  versionInfo,
} from "./policy-envelope.js";
import { propertiesIn } from "./properties/served.js";

const cloudletId = 2;
const networks = { staging: "staging", production: "prod" } as const;

/** The group of a call, which must be the account's like the contract (public facts B, 6). */
function groupOf(
  world: World,
  { contractId, groupId }: { readonly contractId: string; readonly groupId: string },
): number {
  if (contractId !== mainContractId || !isGroup(world, Number(groupId)))
    throw new Refusal(403, "Forbidden", `The user is not associated with ${contractId} and ${groupId}`);
  return Number(groupId);
}

const behaviours: Behaviours<typeof declared, World> = {
  saasaccess_policy_create: ({ query, body }, world) => {
    const groupId = groupOf(world, query);
    const { create } = body.policyManagerRequest;
    if (Number(create.cloudletId) !== cloudletId) throw invalid(`SaaS access is the cloudlet ${cloudletId}`);
    const source = query.cloneId === undefined ? undefined : byVersionId(world, cloudletId, Number(query.cloneId));
    const policy = {
      name: create.policyName,
      description: create.policyDescription ?? source?.policy.description ?? null,
      groupId,
      rules: create.matchRules ?? source?.version.rules ?? [],
    };
    return { status: 200, body: enveloped(created(world, cloudletId, policy)) };
  },

  saasaccess_policies_list: ({ query }, world) => {
    const groupId = groupOf(world, query);
    const found = policiesOf(world, cloudletId).flatMap((policy) => {
      const version = policy.groupId === groupId ? latestOf(policy) : undefined;
      return version ? [versionInfo(world, policy, version, false)] : [];
    });
    return { status: 200, body: enveloped(found) };
  },

  saasaccess_policy_get: ({ path }, world) => {
    const { policy, version } = byVersionId(world, cloudletId, path.id);
    return { status: 200, body: enveloped(versionInfo(world, policy, version, true)) };
  },

  saasaccess_policy_update: ({ path, body }, world) => {
    const { update } = body.policyManagerRequest;
    if (update.id !== undefined && update.id !== path.id)
      throw invalid(`The body is of the version ${update.id}, but the path says ${path.id}`);
    return { status: 200, body: enveloped(updated(world, cloudletId, path.id, update)) };
  },

  saasaccess_policy_versions_list: ({ path }, world) => {
    const policy = policyIn(world, cloudletId, path.policyId);
    const versions = policy.versions.filter(({ isDeleted }) => !isDeleted);
    return { status: 200, body: enveloped(versions.map((one) => versionInfo(world, policy, one, false))) };
  },

  saasaccess_policy_activate: ({ query }, world) => {
    const found = query.ids.map((id) => byVersionId(world, cloudletId, Number(id)));
    for (const { policy } of found) demand(world, "Activate", policy.groupId, cloudletId);
    for (const { policy, version } of found) {
      const used = propertiesUsing(world, policy);
      const properties = used.length > 0 ? used : propertiesIn(world).slice(0, 1);
      activate(world, policy, version.version, networks[query.network], properties);
    }
    return {
      status: 200,
      body: enveloped(found.map(({ policy, version }) => versionInfo(world, policy, version, false))),
    };
  },

  saasaccess_activations_list: ({ query }, world) => {
    const asked = query.network === undefined ? (["staging", "prod"] as const) : [networks[query.network]];
    const all = activationInfos(world, cloudletId, query.historyOnly === true, asked);
    const isAsked = ({ policyVersionId }: { readonly policyVersionId: number }) =>
      query.ids === undefined || query.ids.includes(String(policyVersionId));
    const found = all.flatMap((property) => {
      const used = property.policies.flatMap((policy) => {
        const versions = policy.versions.filter(isAsked);
        return versions.length === 0 ? [] : [{ ...policy, versions }];
      });
      return used.length === 0 ? [] : [{ ...property, policies: used }];
    });
    return { status: 200, body: enveloped(found) };
  },
};

export const saasAccess = emulated(declared, { behaviours, errorFormat: envelopeErrorFormat });
