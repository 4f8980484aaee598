/** What the sources say of threat protection, written from document C and the public facts, not from the declarations. */

const root = "/etp-config/v1/configs/{configId}";
const site = "name* exitPoints* description policyId";
const policy = "name* description* sites* basicSettings* aupSettings* securitySettings*";
const list = "name* description* securityCategoryId*";
const honeypot = "name* description* ipv4Addrs* ipv6Addrs* aliases";

/** `listId` is in no document: public facts have it in the path. */
export const threatQueries: Readonly<Record<string, string>> = {
  [`GET ${root}/lists/items`]: "numItemsPerPage page type confidence search listId",
  [`PUT ${root}/lists/items`]: "listId*",
  [`GET ${root}/deployments`]: "deploymentStatuses",
};

export const threatBodies: Readonly<Record<string, string>> = {
  [`POST ${root}/sites`]: site,
  [`PUT ${root}/sites/{siteId}`]: `${site}* id`,
  [`POST ${root}/policies`]: policy,
  [`POST ${root}/policies basicSettings`]: "dnssec* edns0ecs*",
  [`PUT ${root}/policies/{policyId}`]: `${policy} id`,
  [`POST ${root}/lists`]: list,
  [`PUT ${root}/lists/{listId}`]: `${list} id`,
  [`PATCH ${root}/lists/{listId}`]: "add delete",
  [`PUT ${root}/emergency-lists/{listType}`]: "listType items*",
  [`POST ${root}/honeypots`]: honeypot,
  [`PUT ${root}/honeypots/{honeypotId}`]: `${honeypot} id`,
  [`POST ${root}/deployments`]: "comment* created* modified* deleted*",
  [`POST ${root}/deployments created`]: "sites policies honeypots customlists",
  [`POST ${root}/lists/deployments`]: "id* status",
};

const things = [
  ["sites", "siteId"],
  ["policies", "policyId"],
  ["lists", "listId"],
  ["honeypots", "honeypotId"],
];
/** Creations answer with 200, and with 201 for a policy; changes with 200, and a policy's deletion with 204; `?` is a guess. */
export const threatStatuses: Readonly<Record<string, string>> = Object.fromEntries([
  ...things.flatMap(([kind, id]) => [
    [`POST ${root}/${kind}`, kind === "policies" ? "200? 201" : "200 201?"],
    [`PUT ${root}/${kind}/{${id}}`, "200 204?"],
    [`DELETE ${root}/${kind}/{${id}}`, "200 204"],
  ]),
  [`PATCH ${root}/lists/{listId}`, "200 204?"],
  [`PUT ${root}/lists/items`, "200 204?"],
  [`POST ${root}/deployments`, "200 201?"],
  [`POST ${root}/lists/deployments`, "200 201?"],
]);

export const threatEnumerations: Readonly<Record<string, string>> = {
  "threat_list_items_list type": "LIST_TYPE_DOMAIN LIST_TYPE_IP",
};

const stamp = (thing: string) => ({ field: "ifMatch", from: `threat_${thing}_get`, at: "headers.etag" });
export const threatLocks: Readonly<Record<string, object>> = Object.fromEntries([
  ...["site", "policy", "list", "honeypot"].flatMap((thing) => [
    [`threat_${thing}_update`, stamp(thing)],
    [`threat_${thing}_delete`, stamp(thing)],
  ]),
  ["threat_list_item_replace", stamp("list")],
]);

/** The writes that the sources let go only with a stamp: those of sites, policies and lists. */
export const threatStamped = ["site", "policy", "list"].flatMap((thing) => [
  `threat_${thing}_update`,
  `threat_${thing}_delete`,
]);
