/** What the emulated threat protection does with custom lists and their items. */
import type { listOperations } from "../../../tools/threat-protection/lists.js";
import { badRequest, conflict, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import { listBody } from "./bodies.js";
import { categoryOf } from "./catalog.js";
import { listsChanges } from "./changes.js";
import { collection } from "./collection.js";
import type { Body, Configuration, Item, List } from "./records.js";
import { changed, checkQuota, checkStamp, configurationOf, foundIn, itemsIn, maxItems } from "./store.js";

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
    const list = foundIn(own.lists, "list", listId);
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
    const among = listId === undefined ? allItems(own) : [...foundIn(own.lists, "list", listId).items.values()];
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
    const list = foundIn(own.lists, "list", query.listId);
    checkStamp(list, headers);
    const items = byKey(body);
    checkQuota(own, items.size - list.items.size);
    own.lists.set(list.id, changed(world, list, { items }));
    return ok(undefined);
  },
  threat_list_changes_list: ({ path }, world) => ok({ changes: listsChanges(configurationOf(world, path.configId)) }),
};
