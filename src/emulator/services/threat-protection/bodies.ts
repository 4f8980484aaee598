/** How the threat-protection API shows what the configuration keeps. */
import type { World } from "../../world.js";
import { builtinOf, categoryOf, responseOf } from "./catalog.js";
import { dateOf } from "./changes.js";
import {
  type Configuration,
  type Deployment,
  type Emergency,
  type Honeypot,
  type Item,
  itemsIn,
  type Kept,
  type List,
  type ListDeployment,
  maxItems,
  type Policy,
  type Site,
} from "./store.js";

/** Who wrote an object and when, and the members that were written but are not declared. */
const written = ({ createdBy, createdAtMs, modifiedBy, modifiedAtMs, others }: Kept) => ({
  ...others,
  createdBy,
  createdDate: dateOf(createdAtMs),
  modifiedBy,
  modifiedDate: dateOf(modifiedAtMs),
});

export const siteBody = (own: Configuration, site: Site) => ({
  id: site.id,
  name: site.name,
  description: site.description ?? "",
  policyId: site.policyId,
  policyInfo: { id: site.policyId, name: own.policies.get(site.policyId)?.name ?? "" },
  exitPoints: [...site.exitPoints],
  ...written(site),
});

/** A response or a honeypot: their ids share one space. */
const responseInfo = ({ honeypots }: Configuration, id: number) => ({
  id,
  name: responseOf(id)?.name ?? honeypots.get(id)?.name ?? "",
});
const listInfo = ({ lists }: Configuration, id: number) => ({
  id,
  name: builtinOf(id)?.name ?? lists.get(id)?.name ?? "",
  categoryId: builtinOf(id)?.securityCategoryId ?? lists.get(id)?.securityCategoryId,
});
const settingBody = (own: Configuration, one: Policy["securitySettings"][number]) => ({
  ...one,
  listInfo: listInfo(own, one.listId),
  confirmedResponseInfo: responseInfo(own, one.confirmedResponseId),
  suspectedResponseInfo: responseInfo(own, one.suspectedResponseId),
});

export function policyBody(own: Configuration, policy: Policy) {
  const sites = [...own.sites.values()].filter(({ policyId }) => policyId === policy.id);
  return {
    id: policy.id,
    name: policy.name,
    description: policy.description,
    sites: sites.map(({ id }) => id),
    sitesInfo: sites.map(({ id, name }) => ({ id, name })),
    basicSettings: policy.basicSettings,
    aupSettings: policy.aupSettings.map((one) => ({ ...one, responseInfo: responseInfo(own, one.responseId) })),
    securitySettings: policy.securitySettings.map((one) => settingBody(own, one)),
    ...written(policy),
  };
}

function counts(items: readonly Item[]) {
  const domains = items.filter(({ type }) => type === "LIST_TYPE_DOMAIN").length;
  return { domains, ips: items.length - domains };
}
export function listBody(own: Configuration, list: List) {
  const items = [...list.items.values()];
  const { name = "" } = categoryOf(list.securityCategoryId) ?? {};
  const used = [...own.policies.values()].flatMap(({ securitySettings }) =>
    securitySettings.filter(({ listId }) => listId === list.id),
  );
  return {
    id: list.id,
    name: list.name,
    description: list.description,
    securityCategoryId: list.securityCategoryId,
    securityCategoryInfo: { id: list.securityCategoryId, name },
    itemCount: items.length,
    remainingCount: maxItems - itemsIn(own),
    knownCounts: counts(items.filter(({ confidenceLevelId }) => confidenceLevelId === 2)),
    suspectedCounts: counts(items.filter(({ confidenceLevelId }) => confidenceLevelId !== 2)),
    policySecuritySettings: used.map((one) => settingBody(own, one)),
    ...written(list),
  };
}

export const emergencyBody = (listType: string, { items }: Emergency) => ({
  listType,
  items: items.map((one) => ({ ...one })),
});

export function honeypotBody(own: Configuration, honeypot: Honeypot) {
  const { id, name, description, ipv4Addrs, ipv6Addrs, aliases = [] } = honeypot;
  const policies = [...own.policies.values()].filter(({ securitySettings }) =>
    securitySettings.some((one) => one.confirmedResponseId === id || one.suspectedResponseId === id),
  );
  return {
    id,
    name,
    description,
    ipv4Addrs: [...ipv4Addrs],
    ipv6Addrs: [...ipv6Addrs],
    aliases: [...(aliases ?? [])],
    policies: policies.map((one) => ({ id: one.id, name: one.name })),
    ...written(honeypot),
  };
}

/** How far a deployment is, by the clock. */
function progress(world: World, { startedAtMs, liveAtMs }: Pick<Deployment, "startedAtMs" | "liveAtMs">) {
  const done = Math.min(1, (world.now() - startedAtMs) / (liveAtMs - startedAtMs));
  return {
    status: done >= 1 ? "COMPLETED" : done > 0 ? "RUNNING" : "PENDING",
    progressPct: Math.floor(done * 100),
    startTime: dateOf(startedAtMs),
    ...(done >= 1 ? { endTime: dateOf(liveAtMs) } : {}),
  };
}
export const deploymentBody = (world: World, one: Deployment) => ({
  id: one.id,
  comment: one.comment,
  deployedBy: one.by,
  ...progress(world, one),
});
export const listDeploymentBody = (world: World, one: ListDeployment) => ({
  id: one.id,
  listId: one.listId,
  deployedBy: one.by,
  ...progress(world, one),
});
