/** The envelope and the policy of the two older policy services, over the same policies as edge logic. */
import { type ErrorFormat, Refusal } from "../problem.js";
import type { World } from "../world.js";
import { applications, demand, missing } from "./edge-logic/applications.js";
import type { Network, Policy, Rule, Version } from "./edge-logic/policy-records.js";
import {
  activeVersion,
  addPolicy,
  addVersion,
  isLocked,
  latestOf,
  ownerOfName,
  policies,
  touch,
} from "./edge-logic/policy-store.js";
import { numberOf, propertiesIn } from "./properties/served.js";

/** An answer in its envelope, in which 0 means success. */
export const enveloped = <T>(response: T) => ({ responseCode: 0, response, i18nCode: 0, englishMessage: null });

/** The refusals of both services: problems, or the existing policy in an envelope where a name is taken. */
export const envelopeErrorFormat: ErrorFormat = ({ status, title, detail, more: { code } }) =>
  code === "existing"
    ? { body: { responseCode: status, i18nCode: status, englishMessage: detail }, type: "application/json" }
    : { body: { type: `/policymanager/error-types/${status}`, title, status, detail } };

export const policiesOf = (world: World, cloudletId: number): readonly Policy[] =>
  policies(world).filter((one) => one.cloudletId === cloudletId && !one.isDeleted);
export function policyIn(world: World, cloudletId: number, policyId: number): Policy {
  const found = policiesOf(world, cloudletId).find((one) => one.policyId === policyId);
  if (!found) throw missing(`There is no policy ${policyId}`);
  return found;
}
/** The version that an id names, among the policies of one application. */
export function byVersionId(world: World, cloudletId: number, id: number) {
  for (const policy of policiesOf(world, cloudletId)) {
    const version = policy.versions.find((one) => one.id === id && !one.isDeleted);
    if (version) return { policy, version };
  }
  throw missing(`There is no policy version ${id}`);
}

interface Update {
  readonly overwriteRules: boolean;
  readonly policyName?: string | undefined;
  readonly policyDescription?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly matchRules?: readonly Rule[] | null | undefined;
}
/** Makes the version that an update answers with: a new one, which has the rules of the old unless they are overwritten. */
export function updated(world: World, cloudletId: number, id: number, update: Update) {
  const { policy, version } = byVersionId(world, cloudletId, id);
  demand(world, "Edit", policy.groupId, cloudletId);
  if (update.policyName !== undefined) checkName(world, update.policyName, policy);
  policy.name = update.policyName ?? policy.name;
  policy.description = update.policyDescription === undefined ? policy.description : update.policyDescription;
  touch(world, policy);
  const rules = update.overwriteRules ? (update.matchRules ?? []) : [...version.rules, ...(update.matchRules ?? [])];
  const description = update.description === undefined ? version.description : update.description;
  return versionInfo(world, policy, addVersion(world, policy, description, withoutIds(rules)), true);
}
/** Rules are of the version that they stand in: a copy gets ids of its own. */
/** A rule as it is answered here: without its id, and without matches where it has none. */
const ruleBody = ({ vendorRuleId: _, matches, ...rule }: Rule) => ({ ...rule, ...(matches ? { matches } : {}) });
const withoutIds = (rules: readonly Rule[]): readonly Rule[] => rules.map(({ vendorRuleId: _, ...rule }) => rule);

interface Creation {
  readonly name: string;
  readonly description: string | null;
  readonly groupId: number;
  readonly rules: readonly Rule[];
}
export function created(world: World, cloudletId: number, { name, description, groupId, rules }: Creation) {
  demand(world, "Edit", groupId, cloudletId);
  checkName(world, name);
  const policy = addPolicy(world, { cloudletId, name, description, groupId }, withoutIds(rules));
  const [version] = policy.versions;
  if (!version) throw missing(`There is no version of ${name}`);
  return versionInfo(world, policy, version, true);
}
function checkName(world: World, name: string, own?: Policy): void {
  const owner = ownerOfName(world, name);
  const version = owner && latestOf(owner);
  if (!owner || !version || owner === own) return;
  const response = versionInfo(world, owner, version, true);
  throw new Refusal(409, "Conflict", `The policy ${name} exists`, { code: "existing", members: { response } });
}

function configOf(cloudletId: number) {
  const { cloudletCode: key = "", cloudletName: name = "" } =
    applications.find((one) => one.cloudletId === cloudletId) ?? {};
  const words = cloudletId === 1 ? "Visitor_Prioritization" : "SaaS_Access";
  return {
    id: cloudletId,
    key,
    name,
    featureKey: words.toLowerCase(),
    engProduct: `Cloudlets::${words}`,
    policyFileNamePrefix: key.toLowerCase(),
    openAPIContextRoot: cloudletId === 1 ? "config-visitor-prioritization-data" : "config-saas-rules",
    isInternal: false,
    stagingLocation: "/staging",
    productionLocation: "/production",
    logsLocation: "/logs",
  };
}

/** The number of a version where it is active, otherwise 0. */
const numberWhereActive = (world: World, policy: Policy, { version }: Version, network: Network): number =>
  policy.activations.some((one) => activeVersion(world, policy, network, one.property) === version) ? version : 0;

/** A version of a policy as both services show it; the list leaves its rules out. */
export function versionInfo(world: World, policy: Policy, version: Version, hasRules: boolean) {
  const { policyId, cloudletId } = policy;
  return {
    id: version.id,
    policyId,
    createdBy: version.createdBy,
    createDate: version.createdAtMs,
    acgId: String(policy.groupId),
    version: version.version,
    immutable: isLocked(policy, version.version),
    activatedProduction: numberWhereActive(world, policy, version, "prod"),
    activatedStaging: numberWhereActive(world, policy, version, "staging"),
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

/** Which versions were activated for which property: those that are active or pending, or all of them. */
export const activationInfos = (world: World, cloudletId: number, isHistory: boolean, networks: readonly Network[]) =>
  propertiesIn(world).flatMap(({ id, name, assetId }) => {
    const used = policiesOf(world, cloudletId).flatMap((policy) => {
      const own = policy.activations.filter(
        ({ property, network }) => property.name === name && networks.includes(network),
      );
      const last = networks.map((network) => own.findLast((one) => one.network === network));
      const shown = policy.versions.filter(({ version }) =>
        (isHistory ? own : last).some((one) => one?.version === version),
      );
      const versions = shown.map(({ id, version }) => ({ version: String(version), policyVersionId: id }));
      return versions.length === 0 ? [] : [{ policyName: policy.name, versions }];
    });
    return used.length === 0 ? [] : [{ name, fileId: numberOf(id), assetId: numberOf(assetId), policies: used }];
  });
