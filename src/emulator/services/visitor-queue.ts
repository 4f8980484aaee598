/** The visitor queue: the commands of the policy manager, over the policies that edge logic shows as well. */
import type { Behaviours } from "../../api/behaviour.js";
import { visitorQueue as declared } from "../../tools/visitor-queue.js";
import { emulated } from "../service.js";
import type { World } from "../world.js";
import { demand, invalid, workGroupId } from "./edge-logic/applications.js";
import { activate, latestOf } from "./edge-logic/policy-store.js";
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

const cloudletId = 1;
const networks = { staging: "staging", production: "prod" } as const;

const behaviours: Behaviours<typeof declared, World> = {
  visitor_policies_list: (_, world) => {
    const found = policiesOf(world, cloudletId).flatMap((policy) => {
      const version = latestOf(policy);
      return version ? [versionInfo(world, policy, version, false)] : [];
    });
    return { status: 200, body: enveloped(found) };
  },

  visitor_policy_create: ({ body }, world) => {
    const { create } = body.policyManagerRequest;
    if (create.cloudletId !== cloudletId) throw invalid(`The visitor queue is the cloudlet ${cloudletId}`);
    const description = create.policyDescription ?? null;
    const policy = { name: create.policyName, description, groupId: workGroupId, rules: [] };
    return { status: 200, body: enveloped(created(world, cloudletId, policy)) };
  },

  visitor_policy_get: ({ body }, world) => {
    const { policy, version } = byVersionId(world, cloudletId, body.policyManagerRequest.read.id);
    return { status: 200, body: enveloped(versionInfo(world, policy, version, true)) };
  },

  visitor_policy_update: ({ body }, world) => {
    const { update } = body.policyManagerRequest;
    return { status: 200, body: enveloped(updated(world, cloudletId, update.id, update)) };
  },

  visitor_policy_versions_list: ({ body }, world) => {
    const policy = policyIn(world, cloudletId, body.policyManagerRequest.getPolicyInfoList.policyId);
    const versions = policy.versions.filter(({ isDeleted }) => !isDeleted);
    return { status: 200, body: enveloped(versions.map((one) => versionInfo(world, policy, one, false))) };
  },

  visitor_policy_clone: ({ body }, world) => {
    const { clone } = body.policyManagerRequest;
    const { policy, version } = byVersionId(world, cloudletId, clone.id);
    const name = clone.policyName ?? `${policy.name}_copy`;
    const { description, groupId } = policy;
    return {
      status: 200,
      body: enveloped(created(world, cloudletId, { name, description, groupId, rules: version.rules })),
    };
  },

  visitor_policy_activate: ({ body }, world) => {
    const { tapiocaIDs, arlId, assetId, network } = body.policyManagerRequest.activate;
    const property = propertiesIn(world).find((one) => one.id === `prp_${arlId}` && one.assetId === `aid_${assetId}`);
    if (!property) throw invalid(`There is no property with the file ${arlId} and the asset ${assetId}`);
    const found = tapiocaIDs.map((id) => byVersionId(world, cloudletId, id));
    for (const { policy } of found) demand(world, "Activate", policy.groupId, cloudletId);
    for (const { policy, version } of found) activate(world, policy, version.version, networks[network], [property]);
    return {
      status: 200,
      body: enveloped(found.map(({ policy, version }) => versionInfo(world, policy, version, false))),
    };
  },

  visitor_activations_list: ({ query }, world) => ({
    status: 200,
    body: activationInfos(world, cloudletId, query.historyOnly === true, ["staging", "prod"]),
  }),
};

export const visitorQueue = emulated(declared, { behaviours, errorFormat: envelopeErrorFormat });
