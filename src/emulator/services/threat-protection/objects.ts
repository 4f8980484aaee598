/** What the emulated threat protection does with sites, policies, honeypots and emergency lists. */
import type { Behaviours } from "../../../api/behaviour.js";
import type { honeypotOperations } from "../../../tools/threat-protection/honeypots.js";
import { threatProtection as declared } from "../../../tools/threat-protection/index.js";
import type { policyOperations } from "../../../tools/threat-protection/policies.js";
import type { siteOperations } from "../../../tools/threat-protection/sites.js";
import { othersIn } from "../../others.js";
import { Refusal } from "../../problem.js";
import type { World } from "../../world.js";
import { apiClient } from "../account.js";
import { emergencyBody, honeypotBody, policyBody, siteBody } from "./bodies.js";
import { aupCategories, builtinOf, responseOf } from "./catalog.js";
import type { Configuration, Policy } from "./records.js";
import {
  changed,
  checkName,
  checkStamp,
  configurationOf,
  conflict,
  created,
  etagOf,
  foundIn,
  invalid,
  missing,
} from "./store.js";

type All = Behaviours<typeof declared, World>;
type Own = Pick<
  All,
  | keyof typeof siteOperations
  | keyof typeof policyOperations
  | keyof typeof honeypotOperations
  | "threat_emergency_lists_list"
  | "threat_emergency_list_get"
  | "threat_emergency_list_replace"
>;

const root = (configId: number, what: string, id: number): string => `/etp-config/v1/configs/${configId}/${what}/${id}`;
const unidentified = "Unidentified IPs";
/** Refuses a change of the site that stands for all addresses of no other one. */
function checkOrdinary({ name }: { readonly name: string }): void {
  if (name === unidentified)
    throw new Refusal(412, "Precondition Failed", `Cannot modify the ${unidentified} site. Code-090414`);
}

type Settings = Pick<Policy, "aupSettings" | "securitySettings"> & { readonly sites: readonly number[] };
/** Refuses settings that name what is not there, and a response that acceptable use does not take. */
function checkSettings(own: Configuration, { sites, aupSettings, securitySettings }: Settings): void {
  for (const id of sites) if (!own.sites.has(id)) throw invalid(`sites: there is no site ${id}`);
  for (const { categoryId, responseId } of aupSettings) {
    if (!aupCategories.some(({ id }) => id === categoryId)) throw invalid(`There is no category ${categoryId}`);
    if (responseOf(responseId)?.allowedForAUP !== true && !own.honeypots.has(responseId))
      throw invalid(`The response ${responseId} is not allowed for acceptable use`);
  }
  for (const { listId, confirmedResponseId, suspectedResponseId } of securitySettings) {
    if (!builtinOf(listId) && !own.lists.has(listId)) throw invalid(`There is no list ${listId}`);
    for (const id of [confirmedResponseId, suspectedResponseId])
      if (!responseOf(id) && !own.honeypots.has(id)) throw invalid(`There is no response or honeypot ${id}`);
  }
}

/** Puts sites under a policy; what it no longer has stays there only where it has no other one. */
function assign(world: World, own: Configuration, policyId: number, sites: readonly number[]): void {
  for (const id of sites) {
    const site = own.sites.get(id);
    if (site && site.policyId !== policyId) own.sites.set(id, changed(world, site, { policyId }));
  }
  const [other] = [...own.policies.keys()].filter((id) => id !== policyId);
  const dropped = [...own.sites.values()].filter((site) => site.policyId === policyId && !sites.includes(site.id));
  for (const site of dropped)
    if (other !== undefined) own.sites.set(site.id, changed(world, site, { policyId: other }));
}

const siteBehaviours: Pick<Own, keyof typeof siteOperations> = {
  threat_sites_list: ({ path }, world) => {
    const own = configurationOf(world, path.configId);
    return { status: 200, body: [...own.sites.values()].map((one) => siteBody(own, one)) };
  },
  threat_site_create: ({ path: { configId }, body }, world) => {
    const own = configurationOf(world, configId);
    checkName(own.sites, body.name);
    const { policyId = 1030, ...content } = body;
    if (!own.policies.has(policyId)) throw invalid(`policyId: there is no policy ${policyId}`);
    const id = world.next("threat site", 104);
    const site = {
      ...created(world, id),
      ...content,
      policyId,
      others: othersIn(declared.operations.threat_site_create, body),
    };
    own.sites.set(id, site);
    return { status: 200, body: undefined, headers: { location: root(configId, "sites", id), ...etagOf(site) } };
  },
  threat_site_get: ({ path: { configId, siteId } }, world) => {
    const own = configurationOf(world, configId);
    const site = foundIn(own.sites, "site", siteId);
    return { status: 200, body: siteBody(own, site), headers: etagOf(site) };
  },
  threat_site_update: ({ path: { configId, siteId }, headers, body }, world) => {
    const own = configurationOf(world, configId);
    const site = foundIn(own.sites, "site", siteId);
    checkStamp(site, headers);
    checkOrdinary(site);
    checkName(own.sites, body.name, siteId);
    const { policyId = site.policyId, description = "", name, exitPoints } = body;
    if (!own.policies.has(policyId)) throw invalid(`policyId: there is no policy ${policyId}`);
    const others = othersIn(declared.operations.threat_site_update, body);
    const next = changed(world, site, { name, description, policyId, exitPoints, others });
    own.sites.set(siteId, next);
    return { status: 200, body: undefined, headers: etagOf(next) };
  },
  threat_site_delete: ({ path: { configId, siteId }, headers }, world) => {
    const own = configurationOf(world, configId);
    const site = foundIn(own.sites, "site", siteId);
    checkStamp(site, headers);
    checkOrdinary(site);
    own.sites.delete(siteId);
    return { status: 200, body: undefined };
  },
};

const policyBehaviours: Pick<Own, keyof typeof policyOperations> = {
  threat_policies_list: ({ path }, world) => {
    const own = configurationOf(world, path.configId);
    return { status: 200, body: [...own.policies.values()].map((one) => policyBody(own, one)) };
  },
  threat_policy_create: ({ path: { configId }, body }, world) => {
    const own = configurationOf(world, configId);
    checkName(own.policies, body.name);
    checkSettings(own, body);
    const { sites, ...content } = body;
    const id = world.next("threat policy", 1_033);
    const policy = {
      ...created(world, id),
      ...content,
      others: othersIn(declared.operations.threat_policy_create, body),
    };
    own.policies.set(id, policy);
    assign(world, own, id, sites);
    return { status: 201, body: undefined, headers: { location: root(configId, "policies", id), ...etagOf(policy) } };
  },
  threat_policy_get: ({ path: { configId, policyId } }, world) => {
    const own = configurationOf(world, configId);
    const policy = foundIn(own.policies, "policy", policyId);
    return { status: 200, body: policyBody(own, policy), headers: etagOf(policy) };
  },
  threat_policy_update: ({ path: { configId, policyId }, headers, body }, world) => {
    const own = configurationOf(world, configId);
    const policy = foundIn(own.policies, "policy", policyId);
    checkStamp(policy, headers);
    checkName(own.policies, body.name, policyId);
    checkSettings(own, body);
    const { sites, id: _, ...content } = body;
    const next = changed(world, policy, {
      ...content,
      others: othersIn(declared.operations.threat_policy_update, body),
    });
    own.policies.set(policyId, next);
    assign(world, own, policyId, sites);
    return { status: 200, body: undefined, headers: etagOf(next) };
  },
  threat_policy_delete: ({ path: { configId, policyId }, headers }, world) => {
    const own = configurationOf(world, configId);
    const policy = foundIn(own.policies, "policy", policyId);
    checkStamp(policy, headers);
    if ([...own.sites.values()].some((site) => site.policyId === policyId))
      throw conflict("The policy protects sites. Code-090416");
    own.policies.delete(policyId);
    return { status: 204, body: undefined };
  },
};

const honeypotBehaviours: Pick<Own, keyof typeof honeypotOperations> = {
  threat_honeypots_list: ({ path }, world) => {
    const own = configurationOf(world, path.configId);
    return { status: 200, body: [...own.honeypots.values()].map((one) => honeypotBody(own, one)) };
  },
  threat_honeypot_create: ({ path: { configId }, body }, world) => {
    const own = configurationOf(world, configId);
    checkName(own.honeypots, body.name);
    const id = world.next("threat honeypot", 762);
    const honeypot = {
      ...created(world, id),
      ...body,
      others: othersIn(declared.operations.threat_honeypot_create, body),
    };
    own.honeypots.set(id, honeypot);
    const headers = { location: root(configId, "honeypots", id), ...etagOf(honeypot) };
    return { status: 200, body: undefined, headers };
  },
  threat_honeypot_get: ({ path: { configId, honeypotId } }, world) => {
    const own = configurationOf(world, configId);
    const honeypot = foundIn(own.honeypots, "honeypot", honeypotId);
    return { status: 200, body: honeypotBody(own, honeypot), headers: etagOf(honeypot) };
  },
  threat_honeypot_update: ({ path: { configId, honeypotId }, headers, body }, world) => {
    const own = configurationOf(world, configId);
    const honeypot = foundIn(own.honeypots, "honeypot", honeypotId);
    checkStamp(honeypot, headers);
    checkName(own.honeypots, body.name, honeypotId);
    const { id: _, aliases = [], ...content } = body;
    const others = othersIn(declared.operations.threat_honeypot_update, body);
    const next = changed(world, honeypot, { ...content, aliases, others });
    own.honeypots.set(honeypotId, next);
    return { status: 200, body: undefined, headers: etagOf(next) };
  },
  threat_honeypot_delete: ({ path: { configId, honeypotId }, headers }, world) => {
    const own = configurationOf(world, configId);
    const honeypot = foundIn(own.honeypots, "honeypot", honeypotId);
    checkStamp(honeypot, headers);
    if (honeypotBody(own, honeypot).policies.length > 0)
      throw conflict("Policies direct traffic to the honeypot. Code-090417");
    own.honeypots.delete(honeypotId);
    return { status: 200, body: undefined };
  },
};

function emergencyOf(world: World, { configId, listType }: { readonly configId: number; readonly listType: string }) {
  const own = configurationOf(world, configId);
  const list = own.emergency.get(listType);
  if (list === undefined) throw missing(`There is no emergency list ${listType}`);
  return { own, list };
}

export const objectBehaviours: Own = {
  ...siteBehaviours,
  ...policyBehaviours,
  ...honeypotBehaviours,
  threat_emergency_lists_list: ({ path }, world) => ({
    status: 200,
    body: [...configurationOf(world, path.configId).emergency].map(([type, list]) => emergencyBody(type, list)),
  }),
  threat_emergency_list_get: ({ path }, world) => ({
    status: 200,
    body: emergencyBody(path.listType, emergencyOf(world, path).list),
  }),
  threat_emergency_list_replace: ({ path, body }, world) => {
    const { own } = emergencyOf(world, path);
    if (body.listType !== undefined && body.listType !== path.listType)
      throw invalid(`listType: the list of this address is ${path.listType}`);
    const list = { items: body.items, modifiedBy: apiClient, modifiedAtMs: world.now() };
    own.emergency.set(path.listType, list);
    return { status: 200, body: emergencyBody(path.listType, list) };
  },
};
