/** The service of shared policies, over the applications, groups and properties of edge logic; it also clones its policies. */
import { sharedPolicies as declared } from "../../../tools/shared-policies/index.js";
import { undeclaredMembers } from "../../others.js";
import { authorshipAt, touch } from "../../primitives/authored.js";
import { findIn } from "../../primitives/store.js";
import { accepted, badRequest, conflict, created, noContent, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { applications } from "../edge-logic/applications.js";
import {
  activationFrom,
  activeVersion,
  addVersion,
  type MatchRule,
  policies as nonShared,
  storedRule,
  versionsOf,
} from "../edge-logic/policy-store.js";
import { numberOf } from "../properties/served.js";
import {
  activationBody,
  errorFormat,
  page,
  policyBody,
  ruleToStore,
  type SharedRule,
  versionBody,
  versionEntry,
} from "./bodies.js";
import {
  isImmutable,
  policies,
  requireCapabilityFor,
  type SharedPolicy,
  type SharedPolicyType,
  type SharedVersion,
  sharedPolicyNetworks,
  sharedPolicyTypes,
  standingOn,
  usersOn,
} from "./store.js";

const { operations } = declared;

const versionOf = (policy: SharedPolicy, version: number): SharedVersion =>
  findIn(versionsOf(policy), { version }, `Policy Version \`${version}\` not found in Policy \`${policy.policyId}\`.`);

/** The policy of a path that the user in use may do something with. */
function policyFor(world: World, policyId: number, capability: "Edit" | "Activate"): SharedPolicy {
  const policy = policies(world).find(policyId);
  requireCapabilityFor(world, capability, policy.groupId, policy.type);
  return policy;
}

function checkMutable(world: World, policy: SharedPolicy, { version }: SharedVersion): void {
  if (isImmutable(world, policy, version)) throw badRequest(`Version ${version} is active or being activated.`);
}

/** The rules of a body, all of which must be of the policy's application. */
function rulesFor({ type }: SharedPolicy, rules: readonly SharedRule[]): readonly MatchRule[] {
  const expected = `${type.toLowerCase()}MatchRule`;
  const foreign = rules.find((one) => one.type !== expected);
  if (foreign) throw badRequest(`The policy takes rules of the type ${expected}, not ${foreign.type}.`);
  return rules.map(ruleToStore);
}

function addPolicy(world: World, given: Pick<SharedPolicy, "type" | "name" | "description" | "groupId">): SharedPolicy {
  requireCapabilityFor(world, "Edit", given.groupId, given.type);
  if (policies(world).rival("name", given.name)) throw conflict(`Policy with \`${given.name}\` name already exists.`);
  const policyId = world.next("policy", 2_001);
  return policies(world).add({ policyId, ...given, versions: [], activations: [], ...authorshipAt(world.now()) });
}

/** What a clone copies of a policy, shared or not. */
function sourceOf(world: World, policyId: number) {
  const former = nonShared(world).find((one) => one.policyId === policyId && !one.isDeleted);
  if (former === undefined) {
    const policy = policies(world).find(policyId);
    return { ...policy, active: sharedPolicyNetworks.map((network) => standingOn(world, policy, network).active) };
  }
  const { cloudletCode } = applications.find((one) => one.cloudletId === former.cloudletId) ?? {};
  const type = Object.keys(sharedPolicyTypes).find((one): one is SharedPolicyType => one === cloudletCode);
  const active = sharedPolicyNetworks.map((network) => activeVersion(world, former, network));
  const versions: readonly SharedVersion[] = former.versions;
  return { ...former, type, versions, active };
}

export const sharedPolicies = emulateService(declared, errorFormat, {
  sharedpolicy_applications_list: () =>
    ok(Object.entries(sharedPolicyTypes).map(([cloudletType, cloudletName]) => ({ cloudletName, cloudletType }))),

  sharedpolicies_list: ({ query }, world) =>
    page(
      policies(world).all.map((one) => policyBody(world, one)),
      query,
    ),

  sharedpolicy_create: ({ body }, world) => {
    const { cloudletType: type, name, groupId, description = "" } = body;
    const policy = addPolicy(world, { type, name, groupId, description });
    policy.others = undeclaredMembers(operations.sharedpolicy_create, body);
    return created(policyBody(world, policy));
  },

  sharedpolicy_get: ({ path }, world) => ok(policyBody(world, policies(world).find(path.policyId))),

  sharedpolicy_update: ({ path, body }, world) => {
    const policy = policyFor(world, path.policyId, "Edit");
    requireCapabilityFor(world, "Edit", body.groupId, policy.type);
    policy.groupId = body.groupId;
    policy.description = body.description ?? "";
    policy.others = undeclaredMembers(operations.sharedpolicy_update, body);
    touch(world, policy);
    return ok(policyBody(world, policy));
  },

  sharedpolicy_delete: ({ path }, world) => {
    const policy = policyFor(world, path.policyId, "Edit");
    if (isImmutable(world, policy)) throw badRequest("The policy has versions that are active or being activated.");
    policies(world).delete(path.policyId);
    return noContent();
  },

  sharedpolicy_clone: ({ path, body }, world) => {
    const { type, description, active, ...source } = sourceOf(world, path.policyId);
    if (type === undefined) throw badRequest("The policy is of an application that has no shared policies.");
    const left = versionsOf(source);
    const [last] = left.toSorted((a, b) => b.modifiedAtMs - a.modifiedAtMs || b.version - a.version);
    const missing = body.additionalVersions?.find((wanted) => !left.some(({ version }) => version === wanted));
    if (missing !== undefined)
      throw badRequest(`Policy Version \`${missing}\` not found in Policy \`${path.policyId}\`.`);
    const wanted = new Set([...active, last?.version, ...(body.additionalVersions ?? [])]);
    const { newName: name, groupId } = body;
    const policy = addPolicy(world, { type, name, groupId, description: description ?? "" });
    for (const one of left.filter(({ version }) => wanted.has(version))) {
      const copy: SharedVersion = addVersion(world, policy, one.description, one.rules);
      copy.configuration = one.configuration;
    }
    return ok(policyBody(world, policy));
  },

  sharedpolicy_properties_list: ({ path, query }, world) => {
    const policy = policies(world).find(path.policyId);
    const users = sharedPolicyNetworks.flatMap((network) =>
      usersOn(world, policy, network).map(({ property: { id, groupId, name }, version }) => {
        return { id: numberOf(id), groupId: numberOf(groupId), name, network, version };
      }),
    );
    return page(users, query);
  },

  sharedpolicy_versions_list: ({ path, query }, world) => {
    const policy = policies(world).find(path.policyId);
    const newestFirst = versionsOf(policy)
      .toReversed()
      .map((one) => versionEntry(policy, one));
    return page(newestFirst, query);
  },

  sharedpolicy_version_create: ({ path, body }, world) => {
    const policy = policyFor(world, path.policyId, "Edit");
    const version: SharedVersion = addVersion(world, policy, body.description, rulesFor(policy, body.matchRules));
    version.configuration = body.configuration;
    version.others = undeclaredMembers(operations.sharedpolicy_version_create, body);
    return created(versionBody(world, policy, version));
  },

  sharedpolicy_version_get: ({ path }, world) => {
    const policy = policies(world).find(path.policyId);
    return ok(versionBody(world, policy, versionOf(policy, path.version)));
  },

  sharedpolicy_version_update: ({ path, body }, world) => {
    const policy = policyFor(world, path.policyId, "Edit");
    const version = versionOf(policy, path.version);
    checkMutable(world, policy, version);
    version.rules = rulesFor(policy, body.matchRules ?? []).map((rule) => storedRule(world, rule));
    version.description = body.description;
    version.configuration = body.configuration;
    version.others = undeclaredMembers(operations.sharedpolicy_version_update, body);
    touch(world, version);
    return ok(versionBody(world, policy, version));
  },

  sharedpolicy_version_delete: ({ path }, world) => {
    const policy = policyFor(world, path.policyId, "Edit");
    const version = versionOf(policy, path.version);
    checkMutable(world, policy, version);
    version.isDeleted = true;
    return noContent();
  },

  sharedpolicy_activations_list: ({ path, query }, world) => {
    const policy = policies(world).find(path.policyId);
    const newestFirst = policy.activations.toReversed().map((one) => activationBody(world, policy, one));
    return page(newestFirst, query);
  },

  sharedpolicy_version_activate: ({ path, body }, world) => {
    const policy = policyFor(world, path.policyId, "Activate");
    const { network, operation } = body;
    const { version } = versionOf(policy, body.policyVersion);
    const { active, running } = standingOn(world, policy, network);
    if (running) throw badRequest("Unable to activate because a previous activation for this policy is pending.");
    if (operation === "DEACTIVATION" && active !== version)
      throw badRequest(`Version ${version} is not active on ${network}.`);
    const id = world.next("shared policy activation", 300_011);
    const begun = activationFrom({ id, network, operation, version, atMs: world.now() });
    policy.activations.push(begun);
    return accepted(activationBody(world, policy, begun));
  },

  sharedpolicy_activation_get: ({ path }, world) => {
    const policy = policies(world).find(path.policyId);
    const missing = `Activation with id \`${path.activationId}\` not found.`;
    return ok(activationBody(world, policy, findIn(policy.activations, { id: path.activationId }, missing)));
  },
});
