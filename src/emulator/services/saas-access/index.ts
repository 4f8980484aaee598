/** SaaS access: policies by address or country, over the policies that edge logic shows as well. */
import { saasAccess as declared } from "../../../tools/saas-access/index.js";
import { forbidden } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { mainContractId } from "../account.js";
import { invalidRequest, isGroup } from "../edge-logic/applications.js";
import { propertiesUsing } from "../edge-logic/policy-store.js";
import { envelopeErrorFormat, envelopeReply, policyManager } from "../policy-envelope.js";
import { propertiesIn } from "../properties/served.js";

const cloudletId = 2;
const access = policyManager(cloudletId);

/** The group of a call, which must be the account's like the contract (public facts B, 6). */
function groupOf(
  world: World,
  { contractId, groupId }: { readonly contractId: string; readonly groupId: string },
): number {
  if (contractId !== mainContractId || !isGroup(world, Number(groupId)))
    throw forbidden(`The user is not associated with ${contractId} and ${groupId}`);
  return Number(groupId);
}

export const saasAccess = emulateService(declared, envelopeErrorFormat, {
  saasaccess_policy_create: ({ query, body }, world) => {
    const groupId = groupOf(world, query);
    const { create } = body.policyManagerRequest;
    if (Number(create.cloudletId) !== cloudletId) throw invalidRequest(`SaaS access is the cloudlet ${cloudletId}`);
    const source = query.cloneId === undefined ? undefined : access.versionOf(world, Number(query.cloneId));
    const description = create.policyDescription ?? source?.policy.description ?? null;
    const rules = create.matchRules ?? source?.version.rules ?? [];
    return access.create(world, { name: create.policyName, description, groupId }, rules);
  },

  saasaccess_policies_list: ({ query }, world) => {
    const groupId = groupOf(world, query);
    return access.list(world, (policy) => policy.groupId === groupId);
  },

  saasaccess_policy_get: ({ path }, world) => access.get(world, path.id),

  saasaccess_policy_update: ({ path, body }, world) => {
    const { update } = body.policyManagerRequest;
    if (update.id !== undefined && update.id !== path.id)
      throw invalidRequest(`The body is of the version ${update.id}, but the path says ${path.id}`);
    return access.update(world, path.id, update);
  },

  saasaccess_policy_versions_list: ({ path }, world) => access.listVersions(world, path.policyId),

  saasaccess_policy_activate: ({ query }, world) =>
    access.activate(world, query.ids.map(Number), query.network, (policy) => {
      const used = propertiesUsing(world, policy);
      return used.length > 0 ? used : propertiesIn(world).slice(0, 1);
    }),

  saasaccess_activations_list: ({ query }, world) => {
    const isAsked = ({ id }: { readonly id: number }) => query.ids === undefined || query.ids.includes(String(id));
    return envelopeReply(access.activations(world, query.historyOnly, query.network, isAsked));
  },
});
