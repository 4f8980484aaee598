/** What the emulated threat protection does with sites, policies, honeypots and emergency lists. */
import type { threatProtection as declared } from "../../../tools/threat-protection/index.js";
import type { honeypotOperations, policyOperations, siteOperations } from "../../../tools/threat-protection/sites.js";
import type { Behaviours } from "../../behaviour.js";
import { authorshipNow, withDates } from "../../primitives/authored.js";
import { collection } from "../../primitives/collection.js";
import { badRequest, conflict, created, noContent, ok, RequestRefusal } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { aupCategories, builtinOf, responseOf } from "./catalog.js";
import {
  accountConfiguration,
  type ConfigurationPath,
  checkName,
  configurationOf,
  dateOf,
  type EmergencyListState,
  headersOnly,
  locationOf,
  stampChecks,
  stampObject,
  type ThreatBody,
  type ThreatConfiguration,
  type ThreatPolicy,
  type ThreatSite,
  withContent,
} from "./store.js";

type EmergencyTool = "threat_emergency_lists_list" | "threat_emergency_list_get" | "threat_emergency_list_replace";
type Own = BehavioursOf<typeof siteOperations & typeof policyOperations & typeof honeypotOperations> &
  Pick<Behaviours<typeof declared, World>, EmergencyTool>;

const unidentified = "Unidentified IPs";
/** The policy of a new site that names none. */
const usualPolicyId = 1030;

type SiteContent = Omit<ThreatBody<"threat_site_update">, "policyId"> & { readonly policyId?: number | undefined };
const sites = collection({
  store: (world, { configId }: ConfigurationPath) => configurationOf(world, configId).sites,
  id: ({ siteId }: ConfigurationPath & { readonly siteId: number }) => siteId,
  view: ({ id, stamp: _, ...site }, world) => ({
    id,
    ...withDates(site, dateOf),
    description: site.description ?? "",
    policyInfo: { id: site.policyId, name: accountConfiguration(world).policies.get(site.policyId)?.name ?? "" },
  }),
  write: (body: SiteContent, world, former): ThreatSite => {
    const { sites: all, policies: known } = accountConfiguration(world);
    const { description = "", policyId = usualPolicyId } = body;
    checkName(all, body.name, former);
    if (!known.has(policyId)) throw badRequest(`policyId: there is no policy ${policyId}`);
    return { ...body, description, policyId, ...stampObject(world, former ?? ["threat site", 104]) };
  },
  ...stampChecks,
  // It covers all addresses that no other one covers.
  checkChange: (site, world, headers) => {
    stampChecks.checkChange(site, world, headers);
    if (site.name === unidentified)
      throw new RequestRefusal(412, "Precondition Failed", `Cannot modify the ${unidentified} site. Code-090414`);
  },
  location: locationOf("sites"),
});

type Settings = Pick<ThreatBody<"threat_policy_update">, "aupSettings" | "securitySettings">;

/** Refuses acceptable use of a category that is not there, or with a response that it does not take. */
function checkAcceptableUse(configuration: ThreatConfiguration, { aupSettings }: Settings): void {
  for (const { categoryId, responseId } of aupSettings) {
    if (!aupCategories.some(({ id }) => id === categoryId)) throw badRequest(`There is no category ${categoryId}`);
    if (responseOf(responseId)?.allowedForAUP !== true && !configuration.honeypots.has(responseId))
      throw badRequest(`The response ${responseId} is not allowed for acceptable use`);
  }
}

/** Refuses handling of a list that is not there, or by a response that is not. */
function checkHandling(configuration: ThreatConfiguration, { securitySettings }: Settings): void {
  for (const { listId, confirmedResponseId, suspectedResponseId } of securitySettings) {
    if (!builtinOf(listId) && !configuration.lists.has(listId)) throw badRequest(`There is no list ${listId}`);
    for (const id of [confirmedResponseId, suspectedResponseId])
      if (!responseOf(id) && !configuration.honeypots.has(id))
        throw badRequest(`There is no response or honeypot ${id}`);
  }
}

/** Puts sites under a policy; what it no longer has stays there only where it has no other one. */
function assign(
  world: World,
  { policies: known, sites: offices }: ThreatConfiguration,
  policyId: number,
  ids: readonly number[],
) {
  const other = known.all.find(({ id }) => id !== policyId)?.id ?? policyId;
  for (const site of offices.all) {
    const next = ids.includes(site.id) ? policyId : site.policyId === policyId ? other : site.policyId;
    if (next !== site.policyId) offices.add(withContent(world, site, { policyId: next }));
  }
}

/** A response or a honeypot: their ids share one space. */
const responseInfo = ({ honeypots: honeypotStore }: ThreatConfiguration, id: number) => ({
  id,
  name: responseOf(id)?.name ?? honeypotStore.get(id)?.name ?? "",
});
export function settingBody(configuration: ThreatConfiguration, setting: ThreatPolicy["securitySettings"][number]) {
  const [builtin, list] = [builtinOf(setting.listId), configuration.lists.get(setting.listId)];
  const { name = "", securityCategoryId: categoryId } = builtin ?? list ?? {};
  return {
    ...setting,
    listInfo: { id: setting.listId, name, categoryId },
    confirmedResponseInfo: responseInfo(configuration, setting.confirmedResponseId),
    suspectedResponseInfo: responseInfo(configuration, setting.suspectedResponseId),
  };
}

const policies = collection({
  store: (world, { configId }: ConfigurationPath) => configurationOf(world, configId).policies,
  id: ({ policyId }: ConfigurationPath & { readonly policyId: number }) => policyId,
  view: ({ id, stamp: _, ...policy }, world) => {
    const configuration = accountConfiguration(world);
    const protectedSites = configuration.sites.all.filter(({ policyId }) => policyId === id);
    return {
      id,
      ...withDates(policy, dateOf),
      sites: protectedSites.map(({ id }) => id),
      sitesInfo: protectedSites.map(({ id, name }) => ({ id, name })),
      aupSettings: policy.aupSettings.map((one) => ({
        ...one,
        responseInfo: responseInfo(configuration, one.responseId),
      })),
      securitySettings: policy.securitySettings.map((one) => settingBody(configuration, one)),
    };
  },
  write: ({ sites: ids, ...content }: ThreatBody<"threat_policy_update">, world, former): ThreatPolicy => {
    const configuration = accountConfiguration(world);
    checkName(configuration.policies, content.name, former);
    for (const id of ids) if (!configuration.sites.has(id)) throw badRequest(`sites: there is no site ${id}`);
    checkAcceptableUse(configuration, content);
    checkHandling(configuration, content);
    const policy = { ...content, ...stampObject(world, former ?? ["threat policy", 1_033]) };
    assign(world, configuration, policy.id, ids);
    return policy;
  },
  ...stampChecks,
  checkDeletion: ({ id }, world) => {
    if (accountConfiguration(world).sites.rival("policyId", id))
      throw conflict("The policy protects sites. Code-090416");
  },
  location: locationOf("policies"),
});

const policiesUsing = (world: World, honeypotId: number): readonly ThreatPolicy[] =>
  accountConfiguration(world).policies.all.filter(({ securitySettings }) =>
    securitySettings.some((one) => one.confirmedResponseId === honeypotId || one.suspectedResponseId === honeypotId),
  );
const honeypots = collection({
  store: (world, { configId }: ConfigurationPath) => configurationOf(world, configId).honeypots,
  id: ({ honeypotId }: ConfigurationPath & { readonly honeypotId: number }) => honeypotId,
  view: ({ id, stamp: _, ...honeypot }, world) => ({
    id,
    ...withDates(honeypot, dateOf),
    aliases: honeypot.aliases ?? [],
    policies: policiesUsing(world, id).map(({ id, name }) => ({ id, name })),
  }),
  write: (body: ThreatBody<"threat_honeypot_update">, world, former) => {
    checkName(accountConfiguration(world).honeypots, body.name, former);
    return { ...body, ...stampObject(world, former ?? ["threat honeypot", 762]) };
  },
  ...stampChecks,
  checkDeletion: ({ id }, world) => {
    if (policiesUsing(world, id).length > 0) throw conflict("Policies direct traffic to the honeypot. Code-090417");
  },
  location: locationOf("honeypots"),
});

const emergencyBody = ({ listType, items }: EmergencyListState) => ({ listType, items: [...items] });

export const objectBehaviours: Own = {
  threat_sites_list: sites.list,
  threat_site_create: sites.create(headersOnly),
  threat_site_get: sites.get(ok),
  threat_site_update: sites.update(headersOnly),
  threat_site_delete: sites.remove(headersOnly),

  threat_policies_list: policies.list,
  threat_policy_create: policies.create((_, headers) => created(undefined, headers)),
  threat_policy_get: policies.get(ok),
  threat_policy_update: policies.update(headersOnly),
  threat_policy_delete: policies.remove(noContent),

  threat_honeypots_list: honeypots.list,
  threat_honeypot_create: honeypots.create(headersOnly),
  threat_honeypot_get: honeypots.get(ok),
  threat_honeypot_update: honeypots.update(headersOnly),
  threat_honeypot_delete: honeypots.remove(headersOnly),

  threat_emergency_lists_list: ({ path }, world) =>
    ok(configurationOf(world, path.configId).emergency.all.map(emergencyBody)),
  threat_emergency_list_get: ({ path }, world) =>
    ok(emergencyBody(configurationOf(world, path.configId).emergency.find(path.listType))),
  threat_emergency_list_replace: ({ path: { configId, listType }, body }, world) => {
    const { emergency } = configurationOf(world, configId);
    const former = emergency.find(listType);
    if (body.listType !== undefined && body.listType !== listType)
      throw badRequest(`listType: the list of this address is ${listType}`);
    return ok(emergencyBody(emergency.add({ listType, items: body.items, ...authorshipNow(world, former) })));
  },
};
