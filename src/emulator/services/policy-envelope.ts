/** The envelope and the policy of the two older policy services, over the same policies as edge logic. */
import { touch } from "../primitives/authored.js";
import { findIn } from "../primitives/store.js";
import { type ErrorFormat, notFound, ok } from "../reply.js";
import type { World } from "../world.js";
import { applications, requireCapability } from "./edge-logic/applications.js";
import {
  activate,
  activeVersion,
  addPolicy,
  addVersion,
  type CloudletPolicy,
  checkNameIsFree,
  isLocked,
  latestOf,
  type MatchRule,
  type PolicyVersion,
  policies,
  versionsOf,
} from "./edge-logic/policy-store.js";
import { numberOf, propertiesIn } from "./properties/served.js";
import type { EdgeNetwork, Property } from "./properties/world.js";

/** An answer in its envelope, in which 0 means success. */
export const envelopeReply = <T>(response: T) => ok({ responseCode: 0, response, i18nCode: 0, englishMessage: null });

/** The refusals of both services: problems, or the existing policy in an envelope where a name is taken. */
export const envelopeErrorFormat: ErrorFormat = ({ status, title, detail, extras: { code } }) =>
  code === "existing"
    ? { body: { responseCode: status, i18nCode: status, englishMessage: detail }, type: "application/json" }
    : { body: { type: `/policymanager/error-types/${status}`, title, status, detail } };

const policiesOf = (world: World, cloudletId: number): readonly CloudletPolicy[] =>
  policies(world).filter((one) => one.cloudletId === cloudletId && !one.isDeleted);
/** The version that an id names, among the policies of one application. */
function byVersionId(world: World, cloudletId: number, id: number) {
  for (const policy of policiesOf(world, cloudletId)) {
    const version = versionsOf(policy).find((one) => one.id === id);
    if (version) return { policy, version };
  }
  throw notFound(`There is no policy version ${id}`);
}

interface Update {
  readonly overwriteRules: boolean;
  readonly policyName?: string | undefined;
  readonly policyDescription?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly matchRules?: readonly MatchRule[] | null | undefined;
}
/** A rule as it is answered here: without its id, and without matches where it has none. */
const ruleBody = ({ vendorRuleId: _, matches, ...rule }: MatchRule) => ({ ...rule, ...(matches ? { matches } : {}) });
/** Rules belong to their version: those of a copy get new ids. */
const withoutIds = (rules: readonly MatchRule[]): readonly MatchRule[] =>
  rules.map(({ vendorRuleId: _, ...rule }) => rule);

const checkName = (world: World, name: string, policy?: CloudletPolicy): void =>
  checkNameIsFree(world, name, policy, (owner) => {
    const version = latestOf(owner);
    return version && { response: versionInfo(world, owner, version, true) };
  });

function configOf(cloudletId: number) {
  const { cloudletCode: key, cloudletName: name } = findIn(applications, { cloudletId }, "There is no such cloudlet");
  const isQueue = cloudletId === 1;
  const words = isQueue ? "Visitor_Prioritization" : "SaaS_Access";
  return {
    id: cloudletId,
    key,
    name,
    featureKey: words.toLowerCase(),
    engProduct: `Cloudlets::${words}`,
    policyFileNamePrefix: key.toLowerCase(),
    openAPIContextRoot: isQueue ? "config-visitor-prioritization-data" : "config-saas-rules",
    isInternal: false,
    stagingLocation: "/staging",
    productionLocation: "/production",
    logsLocation: "/logs",
  };
}

/** The number of a version where it is active, otherwise 0. */
const numberWhereActive = (
  world: World,
  policy: CloudletPolicy,
  { version }: PolicyVersion,
  network: EdgeNetwork,
): number =>
  policy.activations.some((one) => activeVersion(world, policy, network, one.property) === version) ? version : 0;

/** A version of a policy as both services show it; the list leaves its rules out. */
function versionInfo(world: World, policy: CloudletPolicy, version: PolicyVersion, hasRules: boolean) {
  const { policyId, cloudletId } = policy;
  return {
    id: version.id,
    policyId,
    createdBy: version.createdBy,
    createDate: version.createdAtMs,
    acgId: String(policy.groupId),
    version: version.version,
    immutable: isLocked(policy, version.version),
    activatedProduction: numberWhereActive(world, policy, version, "PRODUCTION"),
    activatedStaging: numberWhereActive(world, policy, version, "STAGING"),
    activatedTest: 0,
    description: version.description,
    policyName: policy.name,
    assetId: numberOf(policy.activations.at(-1)?.property.assetId ?? "aid_0"),
    cloudletId,
    cloudletConfig: configOf(cloudletId),
    policyDescription: policy.description,
    policyCreatedBy: policy.createdBy,
    policyLastModifiedBy: policy.modifiedBy,
    policyCreateDate: policy.createdAtMs,
    policyLastModifiedDate: policy.modifiedAtMs,
    matchRules: hasRules ? version.rules.map(ruleBody) : null,
  };
}

/** The networks as both services call them. */
const networks = { staging: "STAGING", production: "PRODUCTION" } as const;

/** What both services do with the policies of their application, after they have parsed the call. */
export const policyManager = (cloudletId: number) => ({
  list: (world: World, isListed: (policy: CloudletPolicy) => boolean = () => true) =>
    envelopeReply(
      policiesOf(world, cloudletId).flatMap((policy) => {
        const version = isListed(policy) ? latestOf(policy) : undefined;
        return version ? [versionInfo(world, policy, version, false)] : [];
      }),
    ),
  versionOf: (world: World, id: number) => byVersionId(world, cloudletId, id),
  get: (world: World, id: number) => {
    const { policy, version } = byVersionId(world, cloudletId, id);
    return envelopeReply(versionInfo(world, policy, version, true));
  },
  create: (
    world: World,
    given: Pick<CloudletPolicy, "name" | "description" | "groupId">,
    rules: readonly MatchRule[],
  ) => {
    requireCapability(world, "Edit", given.groupId, cloudletId);
    checkName(world, given.name);
    const { policy, version } = addPolicy(world, { cloudletId, ...given }, withoutIds(rules));
    return envelopeReply(versionInfo(world, policy, version, true));
  },
  /** Makes a new version, which has the rules of the old unless they are overwritten. */
  update: (world: World, id: number, update: Update) => {
    const { policy, version } = byVersionId(world, cloudletId, id);
    requireCapability(world, "Edit", policy.groupId, cloudletId);
    const {
      policyName = policy.name,
      policyDescription = policy.description,
      description = version.description,
    } = update;
    checkName(world, policyName, policy);
    Object.assign(policy, { name: policyName, description: policyDescription });
    touch(world, policy);
    const rules = [...(update.overwriteRules ? [] : version.rules), ...(update.matchRules ?? [])];
    const added = addVersion(world, policy, description, withoutIds(rules));
    return envelopeReply(versionInfo(world, policy, added, true));
  },
  listVersions: (world: World, policyId: number) => {
    const policy = findIn(policiesOf(world, cloudletId), { policyId }, `There is no policy ${policyId}`);
    return envelopeReply(versionsOf(policy).map((one) => versionInfo(world, policy, one, false)));
  },
  activate: (
    world: World,
    ids: readonly number[],
    network: keyof typeof networks,
    propertiesFor: (policy: CloudletPolicy) => readonly Property[],
  ) => {
    const found = ids.map((id) => byVersionId(world, cloudletId, id));
    for (const { policy } of found) requireCapability(world, "Activate", policy.groupId, cloudletId);
    for (const { policy, version } of found)
      activate(world, policy, version.version, networks[network], propertiesFor(policy));
    return envelopeReply(found.map(({ policy, version }) => versionInfo(world, policy, version, false)));
  },
  /** Which versions were activated for which property: those that are active or pending, or all of them. */
  activations: (
    world: World,
    isHistory = false,
    network?: keyof typeof networks,
    isAsked = (_: PolicyVersion) => true,
  ) => {
    const shown: readonly EdgeNetwork[] = network === undefined ? ["STAGING", "PRODUCTION"] : [networks[network]];
    const isUsed = (policy: CloudletPolicy, property: Property, { version }: PolicyVersion): boolean => {
      const activations = policy.activations.filter((one) => one.property.name === property.name);
      const last = shown.map((where) => activations.findLast((one) => one.network === where));
      const all = isHistory ? activations.filter((one) => shown.includes(one.network)) : last;
      return all.some((one) => one?.version === version);
    };
    return propertiesIn(world).flatMap((property) => {
      const used = policiesOf(world, cloudletId).flatMap((policy) => {
        const found = policy.versions.filter((one) => isUsed(policy, property, one) && isAsked(one));
        const versions = found.map(({ id, version }) => ({ version: String(version), policyVersionId: id }));
        return versions.length === 0 ? [] : [{ policyName: policy.name, versions }];
      });
      const { id, name, assetId } = property;
      return used.length === 0 ? [] : [{ name, fileId: numberOf(id), assetId: numberOf(assetId), policies: used }];
    });
  },
});
