/** What the emulated threat protection does with custom lists and their items. */
import type { listOperations } from "../../../tools/threat-protection/lists.js";
import { withDates } from "../../primitives/authored.js";
import { collection } from "../../primitives/collection.js";
import { badRequest, conflict, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { categoryOf } from "./catalog.js";
import { listsChanges } from "./changes.js";
import { settingBody } from "./objects.js";
import {
  accountConfiguration,
  type ConfigurationPath,
  checkName,
  checkStamp,
  configurationOf,
  dateOf,
  headersOnly,
  itemsByValue,
  itemsIn,
  locationOf,
  maxItems,
  putItems,
  stampChecks,
  stampObject,
  type ThreatBody,
  type ThreatList,
  type ThreatListItem,
} from "./store.js";

function counts(items: readonly ThreatListItem[]) {
  const domains = items.filter(({ type }) => type === "LIST_TYPE_DOMAIN").length;
  return { domains, ips: items.length - domains };
}
const settingsFor = (world: World, id: number) =>
  accountConfiguration(world).policies.all.flatMap(({ securitySettings }) =>
    securitySettings.filter(({ listId }) => listId === id),
  );

const lists = collection({
  store: (world, { configId }: ConfigurationPath) => configurationOf(world, configId).lists,
  id: ({ listId }: ConfigurationPath & { readonly listId: number }) => listId,
  view: ({ id, stamp: _, items: known, ...list }, world) => {
    const configuration = accountConfiguration(world);
    const items = [...known.values()];
    const { name = "" } = categoryOf(list.securityCategoryId) ?? {};
    return {
      id,
      ...withDates(list, dateOf),
      securityCategoryInfo: { id: list.securityCategoryId, name },
      itemCount: items.length,
      remainingCount: maxItems - itemsIn(configuration),
      knownCounts: counts(items.filter(({ confidenceLevelId }) => confidenceLevelId === 2)),
      suspectedCounts: counts(items.filter(({ confidenceLevelId }) => confidenceLevelId !== 2)),
      policySecuritySettings: settingsFor(world, id).map((one) => settingBody(configuration, one)),
    };
  },
  write: (body: ThreatBody<"threat_list_update">, world, former): ThreatList => {
    checkName(accountConfiguration(world).lists, body.name, former);
    if (!categoryOf(body.securityCategoryId))
      throw badRequest(`There is no security category ${body.securityCategoryId}`);
    return { ...body, items: former?.items ?? new Map(), ...stampObject(world, former ?? ["threat list", 5_601]) };
  },
  ...stampChecks,
  checkDeletion: ({ id }, world) => {
    if (settingsFor(world, id).length > 0) throw conflict("Policies have settings for the list. Code-090418");
  },
  location: locationOf("lists"),
});

export const listBehaviours: BehavioursOf<typeof listOperations> = {
  threat_lists_list: lists.list,
  threat_list_create: lists.create(headersOnly),
  threat_list_get: lists.get(ok),
  threat_list_update: lists.update(headersOnly),
  threat_list_delete: lists.remove(headersOnly),
  threat_list_quota_get: ({ path }, world) =>
    ok({ count: maxItems, remainingCount: maxItems - itemsIn(configurationOf(world, path.configId)) }),
  threat_list_item_update: ({ path: { configId, listId }, body }, world) => {
    const configuration = configurationOf(world, configId);
    const list = configuration.lists.find(listId);
    const items = new Map(list.items);
    for (const value of body.delete) items.delete(value.toLowerCase());
    for (const [key, item] of itemsByValue(body.add)) items.set(key, item);
    putItems(world, configuration, list, items);
    return ok(undefined);
  },
  threat_list_items_list: ({ path, query }, world) => {
    const { lists: custom } = configurationOf(world, path.configId);
    const { listId, type, confidence = 0, search = "", page = 0, numItemsPerPage = 50 } = query;
    const among = listId === undefined ? custom.all : [custom.find(listId)];
    const matches = among
      .flatMap(({ items }) => [...items.values()])
      .filter(
        (item) =>
          (type === undefined || item.type === type) &&
          (confidence === 0 || item.confidenceLevelId === confidence) &&
          item.value.toLowerCase().includes(search.toLowerCase()),
      );
    return ok({
      totalCount: matches.length,
      items: matches.slice(page * numItemsPerPage, (page + 1) * numItemsPerPage),
    });
  },
  threat_list_item_replace: ({ path, query, headers, body }, world) => {
    const configuration = configurationOf(world, path.configId);
    const list = configuration.lists.find(query.listId);
    checkStamp(list, headers);
    putItems(world, configuration, list, itemsByValue(body));
    return ok(undefined);
  },
  threat_list_changes_list: ({ path }, world) => ok({ changes: listsChanges(configurationOf(world, path.configId)) }),
};
