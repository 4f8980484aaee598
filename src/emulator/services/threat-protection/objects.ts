/** What the emulated threat protection does with sites, policies, honeypots, custom lists and emergency lists. */
import type { Behaviours } from "../../../language/behaviour.js";
import type { threatProtection as declared } from "../../../tools/threat-protection/index.js";
import type { listOperations } from "../../../tools/threat-protection/lists.js";
import type { honeypotOperations, policyOperations, siteOperations } from "../../../tools/threat-protection/sites.js";
import { badRequest, conflict, ok, orNotFound, Refusal } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import { emergencyBody, honeypotBody, listBody, policyBody, siteBody } from "./bodies.js";
import { aupCategories, builtinOf, categoryOf, responseOf } from "./catalog.js";
import { listsChanges } from "./changes.js";
import { collection } from "./collection.js";
import {
  type Body,
  type Configuration,
  changed,
  checkQuota,
  checkStamp,
  configurationOf,
  type Honeypot,
  type Item,
  itemsIn,
  keptIn,
  type List,
  maxItems,
  type Policy,
  type Site,
} from "./store.js";

type EmergencyTool = "threat_emergency_lists_list" | "threat_emergency_list_get" | "threat_emergency_list_replace";
type Own = BehavioursOf<typeof siteOperations & typeof policyOperations & typeof honeypotOperations> &
  Pick<Behaviours<typeof declared, World>, EmergencyTool>;

const unidentified = "Unidentified IPs";
/** The policy of a new site that names none. */
const usualPolicyId = 1030;

type SiteContent = Omit<Body<"threat_site_update">, "policyId"> & { readonly policyId?: number | undefined };
const sites = collection({
  what: "site",
  segment: "sites",
  firstId: 104,
  among: (own) => own.sites,
  idIn: ({ siteId }: { readonly configId: number; readonly siteId: number }) => siteId,
  shown: siteBody,
  written: ({ name, description = "", policyId = usualPolicyId, exitPoints }: SiteContent, kept): Site => ({
    ...kept,
    name,
    description,
    policyId,
    exitPoints,
  }),
  // It covers all addresses that no other one covers.
  checkOrdinary: ({ name }) => {
    if (name === unidentified)
      throw new Refusal(412, "Precondition Failed", `Cannot modify the ${unidentified} site. Code-090414`);
  },
  check: (own, { policyId = usualPolicyId }) => {
    if (!own.policies.has(policyId)) throw badRequest(`policyId: there is no policy ${policyId}`);
  },
});

type Settings = Pick<Body<"threat_policy_update">, "aupSettings" | "securitySettings">;

/** Refuses acceptable use of a category that is not there, or with a response that it does not take. */
function checkAcceptableUse(own: Configuration, { aupSettings }: Settings): void {
  for (const { categoryId, responseId } of aupSettings) {
    if (!aupCategories.some(({ id }) => id === categoryId)) throw badRequest(`There is no category ${categoryId}`);
    if (responseOf(responseId)?.allowedForAUP !== true && !own.honeypots.has(responseId))
      throw badRequest(`The response ${responseId} is not allowed for acceptable use`);
  }
}

/** Refuses handling of a list that is not there, or by a response that is not. */
function checkHandling(own: Configuration, { securitySettings }: Settings): void {
  for (const { listId, confirmedResponseId, suspectedResponseId } of securitySettings) {
    if (!builtinOf(listId) && !own.lists.has(listId)) throw badRequest(`There is no list ${listId}`);
    for (const id of [confirmedResponseId, suspectedResponseId])
      if (!responseOf(id) && !own.honeypots.has(id)) throw badRequest(`There is no response or honeypot ${id}`);
  }
}

/** Puts sites under a policy; what it no longer has stays there only where it has no other one. */
function assign(world: World, own: Configuration, policyId: number, ids: readonly number[]): void {
  for (const id of ids) {
    const site = own.sites.get(id);
    if (site && site.policyId !== policyId) own.sites.set(id, changed(world, site, { policyId }));
  }
  const [other] = [...own.policies.keys()].filter((id) => id !== policyId);
  const dropped = [...own.sites.values()].filter((site) => site.policyId === policyId && !ids.includes(site.id));
  for (const site of dropped)
    if (other !== undefined) own.sites.set(site.id, changed(world, site, { policyId: other }));
}

const policies = collection({
  what: "policy",
  segment: "policies",
  firstId: 1_033,
  among: (own) => own.policies,
  idIn: ({ policyId }: { readonly configId: number; readonly policyId: number }) => policyId,
  shown: policyBody,
  written: ({ sites: _, ...content }: Body<"threat_policy_update">, kept): Policy => ({ ...content, ...kept }),
  check: (own, body) => {
    for (const id of body.sites) if (!own.sites.has(id)) throw badRequest(`sites: there is no site ${id}`);
    checkAcceptableUse(own, body);
    checkHandling(own, body);
  },
  settle: (world, own, id, body) => assign(world, own, id, body.sites),
  checkUnused: (own, { id }) => {
    if ([...own.sites.values()].some((site) => site.policyId === id))
      throw conflict("The policy protects sites. Code-090416");
  },
});

const honeypots = collection({
  what: "honeypot",
  segment: "honeypots",
  firstId: 762,
  among: (own) => own.honeypots,
  idIn: ({ honeypotId }: { readonly configId: number; readonly honeypotId: number }) => honeypotId,
  shown: honeypotBody,
  written: ({ aliases = [], ...content }: Body<"threat_honeypot_update">, kept): Honeypot => ({
    ...content,
    aliases,
    ...kept,
  }),
  checkUnused: (own, one) => {
    if (honeypotBody(own, one).policies.length > 0)
      throw conflict("Policies direct traffic to the honeypot. Code-090417");
  },
});

function emergencyOf(world: World, { configId, listType }: { readonly configId: number; readonly listType: string }) {
  const own = configurationOf(world, configId);
  const list = orNotFound(own.emergency.get(listType), `There is no emergency list ${listType}`);
  return { own, list };
}

export const objectBehaviours: Own = {
  threat_sites_list: sites.list,
  threat_site_create: sites.create,
  threat_site_get: sites.get,
  threat_site_update: sites.update,
  threat_site_delete: sites.remove,

  threat_policies_list: policies.list,
  threat_policy_create: (call, world) => ({ ...policies.create(call, world), status: 201 }),
  threat_policy_get: policies.get,
  threat_policy_update: policies.update,
  threat_policy_delete: (call, world) => ({ ...policies.remove(call, world), status: 204 }),

  threat_honeypots_list: honeypots.list,
  threat_honeypot_create: honeypots.create,
  threat_honeypot_get: honeypots.get,
  threat_honeypot_update: honeypots.update,
  threat_honeypot_delete: honeypots.remove,

  threat_emergency_lists_list: ({ path }, world) =>
    ok([...configurationOf(world, path.configId).emergency].map(([type, list]) => emergencyBody(type, list))),
  threat_emergency_list_get: ({ path }, world) => ok(emergencyBody(path.listType, emergencyOf(world, path).list)),
  threat_emergency_list_replace: ({ path, body }, world) => {
    const { own } = emergencyOf(world, path);
    if (body.listType !== undefined && body.listType !== path.listType)
      throw badRequest(`listType: the list of this address is ${path.listType}`);
    const list = { items: body.items, modifiedBy: userInUse, modifiedAtMs: world.now() };
    own.emergency.set(path.listType, list);
    return ok(emergencyBody(path.listType, list));
  },
};

/** Domains are the same in any case. */
const keyOf = (value: string): string => value.toLowerCase();
const byKey = (items: readonly Item[]): Map<string, Item> => new Map(items.map((one) => [keyOf(one.value), one]));

const allItems = ({ lists }: Configuration): readonly Item[] =>
  [...lists.values()].flatMap(({ items }) => [...items.values()]);

const lists = collection({
  what: "list",
  segment: "lists",
  firstId: 5_601,
  among: (own) => own.lists,
  idIn: ({ listId }: { readonly configId: number; readonly listId: number }) => listId,
  shown: listBody,
  written: (content: Body<"threat_list_update">, kept, present?: List): List => ({
    ...content,
    ...kept,
    items: present?.items ?? new Map(),
  }),
  check: (_, { securityCategoryId }) => {
    if (!categoryOf(securityCategoryId)) throw badRequest(`There is no security category ${securityCategoryId}`);
  },
  checkUnused: (own, list) => {
    if (listBody(own, list).policySecuritySettings.length > 0)
      throw conflict("Policies have settings for the list. Code-090418");
  },
});

export const listBehaviours: BehavioursOf<typeof listOperations> = {
  threat_lists_list: lists.list,
  threat_list_create: lists.create,
  threat_list_get: lists.get,
  threat_list_update: lists.update,
  threat_list_delete: lists.remove,
  threat_list_quota_get: ({ path }, world) =>
    ok({ count: maxItems, remainingCount: maxItems - itemsIn(configurationOf(world, path.configId)) }),
  threat_list_item_update: ({ path: { configId, listId }, body }, world) => {
    const own = configurationOf(world, configId);
    const list = keptIn(own.lists, "list", listId);
    const items = new Map(list.items);
    for (const value of body.delete) items.delete(keyOf(value));
    for (const [key, item] of byKey(body.add)) items.set(key, item);
    checkQuota(own, items.size - list.items.size);
    own.lists.set(listId, changed(world, list, { items }));
    return ok(undefined);
  },
  threat_list_items_list: ({ path, query }, world) => {
    const own = configurationOf(world, path.configId);
    const { listId, type, confidence = 0, search = "", page = 0, numItemsPerPage = 50 } = query;
    const among = listId === undefined ? allItems(own) : [...keptIn(own.lists, "list", listId).items.values()];
    const found = among.filter(
      (one) =>
        (type === undefined || one.type === type) &&
        (confidence === 0 || one.confidenceLevelId === confidence) &&
        keyOf(one.value).includes(keyOf(search)),
    );
    const items = found.slice(page * numItemsPerPage, (page + 1) * numItemsPerPage);
    return ok({ totalCount: found.length, items: items.map((one) => ({ ...one })) });
  },
  threat_list_item_replace: ({ path, query, headers, body }, world) => {
    const own = configurationOf(world, path.configId);
    const list = keptIn(own.lists, "list", query.listId);
    checkStamp(list, headers);
    const items = byKey(body);
    checkQuota(own, items.size - list.items.size);
    own.lists.set(list.id, changed(world, list, { items }));
    return ok(undefined);
  },
  threat_list_changes_list: ({ path }, world) => ok({ changes: listsChanges(configurationOf(world, path.configId)) }),
};
