/** The visitor queue: the commands of the policy manager, over the policies that edge logic shows as well. */
import { visitorQueue as declared } from "../../../tools/visitor-queue/index.js";
import { findIn } from "../../primitives/store.js";
import { ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import { invalidRequest, workGroupId } from "../edge-logic/applications.js";
import { envelopeErrorFormat, policyManager } from "../policy-envelope.js";
import { propertiesIn } from "../properties/served.js";

const cloudletId = 1;
const queue = policyManager(cloudletId);

export const visitorQueue = emulateService(declared, envelopeErrorFormat, {
  visitor_policies_list: (_, world) => queue.list(world),

  visitor_policy_create: ({ body }, world) => {
    const { create } = body.policyManagerRequest;
    if (create.cloudletId !== cloudletId) throw invalidRequest(`The visitor queue is the cloudlet ${cloudletId}`);
    const description = create.policyDescription ?? null;
    return queue.create(world, { name: create.policyName, description, groupId: workGroupId }, []);
  },

  visitor_policy_get: ({ body }, world) => queue.get(world, body.policyManagerRequest.read.id),

  visitor_policy_update: ({ body }, world) => {
    const { update } = body.policyManagerRequest;
    return queue.update(world, update.id, update);
  },

  visitor_policy_versions_list: ({ body }, world) =>
    queue.listVersions(world, body.policyManagerRequest.getPolicyInfoList.policyId),

  visitor_policy_clone: ({ body }, world) => {
    const { clone } = body.policyManagerRequest;
    const { policy, version } = queue.versionOf(world, clone.id);
    const { description, groupId } = policy;
    const name = clone.policyName ?? `${policy.name}_copy`;
    return queue.create(world, { name, description, groupId }, version.rules);
  },

  visitor_policy_activate: ({ body }, world) => {
    const { tapiocaIDs, arlId, assetId, network } = body.policyManagerRequest.activate;
    const missing = () => invalidRequest(`There is no property with the file ${arlId} and the asset ${assetId}`);
    const property = findIn(propertiesIn(world), { id: `prp_${arlId}`, assetId: `aid_${assetId}` }, missing);
    return queue.activate(world, tapiocaIDs, network, () => [property]);
  },

  visitor_activations_list: ({ query }, world) => ok(queue.activations(world, query.historyOnly)),
});
