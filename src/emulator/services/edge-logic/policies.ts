/** What the emulated edge logic does with policies, their versions, rules and activations. */
import { edgeLogic } from "../../../tools/edge-logic/index.js";
import type { policyOperations } from "../../../tools/edge-logic/policies.js";
import { undeclaredMembers } from "../../others.js";
import { type Authorship, touch } from "../../primitives/authored.js";
import { findIn } from "../../primitives/store.js";
import { created, noContent, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { numberOf, propertiesIn, versionOn } from "../properties/served.js";
import { applications, invalidRequest, requireCapability, resourceMembers, root, workGroupId } from "./applications.js";
import {
  activate,
  addPolicy,
  addVersion,
  type CloudletPolicy,
  checkNameIsFree,
  editablePolicyOf,
  isLocked,
  latestOf,
  type MatchRule,
  type PolicyActivation,
  type PolicyVersion,
  policies,
  policyNetworks,
  policyOf,
  propertiesUsing,
  statusOf,
  storedRule,
  versionOf,
  versionsOf,
} from "./policy-store.js";
import { activatorOf, propertyBodies } from "./properties.js";

const stampsOf = ({ createdBy, createdAtMs, modifiedBy, modifiedAtMs }: Authorship) => ({
  createdBy,
  createDate: createdAtMs,
  lastModifiedBy: modifiedBy,
  lastModifiedDate: modifiedAtMs,
});

function activationBody(world: World, policy: CloudletPolicy, activation: PolicyActivation) {
  const status = statusOf(world, policy, activation);
  const { network, property, version, atMs } = activation;
  const delivered = versionOn(world, property, network)?.number;
  const detail =
    status === "pending"
      ? { statusDetail: "initial" }
      : { statusDetail: "File successfully deployed to the network", detailCode: 4000 };
  return {
    ...resourceMembers,
    network: policyNetworks[network],
    policyInfo: {
      policyId: policy.policyId,
      name: policy.name,
      version,
      status,
      ...detail,
      activatedBy: activation.by,
      activationDate: atMs,
    },
    propertyInfo: {
      name: property.name,
      version: delivered ?? 0,
      groupId: numberOf(property.groupId),
      status: delivered === undefined ? "inactive" : "active",
      ...activatorOf(property, delivered, network),
    },
  };
}

/** Members of both a policy and a version: what is active or about to be. */
const current = (world: World, policy: CloudletPolicy) =>
  policy.activations
    .filter((one) => statusOf(world, policy, one) !== "deactivated")
    .map((one) => activationBody(world, policy, one));

const policyBody = (world: World, policy: CloudletPolicy) => ({
  ...policy.others,
  location: `${root}/policies/${policy.policyId}`,
  ...resourceMembers,
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

const ruleBody = ({ policyId }: CloudletPolicy, { version }: PolicyVersion, rule: MatchRule) => ({
  ...rule,
  location: `${root}/policies/${policyId}/versions/${version}/rules/${rule.vendorRuleId}`,
});

const versionBody = (world: World, policy: CloudletPolicy, version: PolicyVersion, hasRules: boolean) => ({
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

/** A page of a list: from the record after `offset` on. */
const pageOf = <T>(items: readonly T[], { offset = 0, pageSize = 100 }: { offset?: number; pageSize?: number }) =>
  items.slice(offset, offset + pageSize);

/** Refuses a name that another policy has, with that policy as the whole answer (public facts B, 4). */
const checkName = (world: World, name: string, own?: CloudletPolicy): void =>
  checkNameIsFree(world, name, own, (owner) => policyBody(world, owner));

function checkDraft(policy: CloudletPolicy, { version }: PolicyVersion): void {
  if (isLocked(policy, version)) throw invalidRequest(`The rules of version ${version} are locked`, "rules-locked");
}
const ruleOf = (version: PolicyVersion, id: string): MatchRule =>
  findIn(version.rules, { vendorRuleId: id }, `There is no rule ${id} in version ${version.version}`);
/** The version of a path with its policy; refuses what the user in use may not do with them. */
function at(world: World, path: { readonly policyId: number; readonly version: number }, toDo?: "Edit" | "Activate") {
  const policy = policyOf(world, path.policyId);
  const version = versionOf(policy, path.version);
  if (toDo) requireCapability(world, toDo, policy.groupId, policy.cloudletId);
  return { policy, version };
}

export const policyBehaviours: BehavioursOf<typeof policyOperations> = {
  edgelogic_policies_list: ({ query }, world) => {
    const found = policies(world)
      .filter(({ isDeleted }) => query.includeDeleted === true || !isDeleted)
      .filter(({ cloudletId }) => query.cloudletId === undefined || cloudletId === query.cloudletId)
      .filter(({ groupId }) => query.gid === undefined || groupId === query.gid);
    return ok(pageOf(found, query).map((policy) => policyBody(world, policy)));
  },

  edgelogic_policy_create: ({ query, body }, world) => {
    const source = query.clonePolicyId === undefined ? undefined : policyOf(world, query.clonePolicyId);
    if (source && source.cloudletId !== body.cloudletId)
      throw invalidRequest(`The policy ${source.policyId} is of the cloudlet ${source.cloudletId}`);
    const copied = source && (query.version === undefined ? latestOf(source) : versionOf(source, query.version));
    const groupId = body.groupId ?? source?.groupId ?? workGroupId;
    requireCapability(world, "Edit", groupId, body.cloudletId);
    checkName(world, body.name);
    const description = body.description ?? source?.description ?? null;
    const { cloudletId, name } = body;
    const { policy } = addPolicy(world, { cloudletId, name, description, groupId }, copied?.rules);
    return created(policyBody(world, policy));
  },

  edgelogic_policy_get: ({ path }, world) => ok(policyBody(world, policyOf(world, path.policyId, true))),

  edgelogic_policy_update: ({ path, body }, world) => {
    const policy = editablePolicyOf(world, path.policyId, true);
    requireCapability(world, "Edit", body.groupId ?? policy.groupId, policy.cloudletId);
    const isDeleted = body.deleted ?? policy.isDeleted;
    if (!isDeleted) checkName(world, body.name ?? policy.name, policy);
    const { name = policy.name, description = policy.description, groupId = policy.groupId } = body;
    const others = { ...policy.others, ...undeclaredMembers(edgeLogic.operations.edgelogic_policy_update, body) };
    Object.assign(policy, { name, description, groupId, isDeleted, others });
    touch(world, policy);
    return ok(policyBody(world, policy));
  },

  edgelogic_policy_delete: ({ path }, world) => {
    const policy = editablePolicyOf(world, path.policyId);
    policy.isDeleted = true;
    touch(world, policy);
    return noContent();
  },

  edgelogic_policy_versions_list: ({ path, query }, world) => {
    const policy = policyOf(world, path.policyId);
    const newestFirst = versionsOf(policy).toReversed();
    return ok(pageOf(newestFirst, query).map((one) => versionBody(world, policy, one, query.includeRules === true)));
  },

  edgelogic_policy_version_create: ({ path, query, body }, world) => {
    const policy = editablePolicyOf(world, path.policyId);
    const source = query.cloneVersion === undefined ? undefined : versionOf(policy, query.cloneVersion);
    const description = body.description ?? source?.description ?? null;
    const version = addVersion(world, policy, description, body.matchRules ?? source?.rules ?? []);
    return created(versionBody(world, policy, version, true));
  },

  edgelogic_policy_version_get: ({ path, query }, world) => {
    const { policy, version } = at(world, path);
    return ok(versionBody(world, policy, version, query.omitRules !== true));
  },

  edgelogic_policy_version_update: ({ path, query, body }, world) => {
    const { policy, version } = at(world, path, "Edit");
    if (body.matchRules !== undefined) {
      checkDraft(policy, version);
      version.rules = (body.matchRules ?? []).map((rule) => storedRule(world, rule));
    }
    if (body.description !== undefined) version.description = body.description;
    touch(world, version);
    return ok(versionBody(world, policy, version, query.omitRules !== true));
  },

  edgelogic_policy_version_delete: ({ path }, world) => {
    at(world, path, "Edit").version.isDeleted = true;
    return noContent();
  },

  edgelogic_rule_create: ({ path, query, body }, world) => {
    const { policy, version } = at(world, path, "Edit");
    checkDraft(policy, version);
    const { length } = version.rules;
    const index = query.index ?? length;
    if (index > length) throw invalidRequest(`index ${index} is after the end, ${length}`);
    if (length >= 5_000) throw invalidRequest("A version has at most 5000 rules", "policy-rule-count-exceeded");
    const { vendorRuleId: _, ...rule } = body;
    const added = storedRule(world, rule);
    version.rules = version.rules.toSpliced(index, 0, added);
    touch(world, version);
    return ok(ruleBody(policy, version, added));
  },

  edgelogic_rule_get: ({ path }, world) => {
    const { policy, version } = at(world, path);
    return ok(ruleBody(policy, version, ruleOf(version, path.vendorRuleId)));
  },

  edgelogic_rule_update: ({ path, body }, world) => {
    const { policy, version } = at(world, path, "Edit");
    checkDraft(policy, version);
    const old = ruleOf(version, path.vendorRuleId);
    const rule = storedRule(world, { ...body, vendorRuleId: path.vendorRuleId });
    version.rules = version.rules.map((one) => (one === old ? rule : one));
    touch(world, version);
    return ok(ruleBody(policy, version, rule));
  },

  edgelogic_policy_properties_list: ({ path }, world) =>
    ok(propertyBodies(world, propertiesUsing(world, policyOf(world, path.policyId)))),

  edgelogic_policy_activations_list: ({ path, query }, world) => {
    const policy = policyOf(world, path.policyId);
    const found = policy.activations
      .filter(({ network }) => query.network === undefined || policyNetworks[network] === query.network)
      .filter(({ property }) => query.propertyName === undefined || property.name === query.propertyName);
    return ok(found.toReversed().map((one) => activationBody(world, policy, one)));
  },

  edgelogic_policy_version_activate: ({ path, body }, world) => {
    const { policy, version } = at(world, path, "Activate");
    const named = (body.additionalPropertyNames ?? []).map((name) => {
      const missing = () => invalidRequest(`Requested propertyName "${name}" does not exist`, "unknown-property");
      return findIn(propertiesIn(world), { name }, missing);
    });
    const properties = [...new Set([...propertiesUsing(world, policy), ...named])];
    const network = body.network === "prod" ? "PRODUCTION" : "STAGING";
    const added = activate(world, policy, version.version, network, properties);
    return ok(added.map((one) => activationBody(world, policy, one)));
  },
};
