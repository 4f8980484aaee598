/** What the emulated threat protection does with custom lists and their items. */
import type { Behaviours } from "../../../api/behaviour.js";
import { threatProtection as declared } from "../../../tools/threat-protection/index.js";
import type { listOperations } from "../../../tools/threat-protection/lists.js";
import { othersIn } from "../../others.js";
import type { World } from "../../world.js";
import { listBody } from "./bodies.js";
import { categoryOf } from "./catalog.js";
import { listsChanges } from "./changes.js";
import type { Configuration, Item } from "./records.js";
import {
  changed,
  checkName,
  checkQuota,
  checkStamp,
  configurationOf,
  conflict,
  created,
  etagOf,
  foundIn,
  invalid,
  itemsIn,
  maxItems,
} from "./store.js";

type Own = Pick<Behaviours<typeof declared, World>, keyof typeof listOperations>;

function checkCategory(id: number): void {
  if (!categoryOf(id)) throw invalid(`There is no security category ${id}`);
}
/** Domains are the same in any case. */
const keyOf = (value: string): string => value.toLowerCase();
const byKey = (items: readonly Item[]): Map<string, Item> => new Map(items.map((one) => [keyOf(one.value), one]));

const allItems = ({ lists }: Configuration): readonly Item[] =>
  [...lists.values()].flatMap(({ items }) => [...items.values()]);

export const listBehaviours: Own = {
  threat_lists_list: ({ path }, world) => {
    const own = configurationOf(world, path.configId);
    return { status: 200, body: [...own.lists.values()].map((one) => listBody(own, one)) };
  },
  threat_list_create: ({ path: { configId }, body }, world) => {
    const own = configurationOf(world, configId);
    checkName(own.lists, body.name);
    checkCategory(body.securityCategoryId);
    const id = world.next("threat list", 5_601);
    const others = othersIn(declared.operations.threat_list_create, body);
    const list = { ...created(world, id), ...body, others, items: new Map<string, Item>() };
    own.lists.set(id, list);
    const location = `/etp-config/v1/configs/${configId}/lists/${id}`;
    return { status: 200, body: undefined, headers: { location, ...etagOf(list) } };
  },
  threat_list_quota_get: ({ path }, world) => ({
    status: 200,
    body: { count: maxItems, remainingCount: maxItems - itemsIn(configurationOf(world, path.configId)) },
  }),
  threat_list_get: ({ path: { configId, listId } }, world) => {
    const own = configurationOf(world, configId);
    const list = foundIn(own.lists, "list", listId);
    return { status: 200, body: listBody(own, list), headers: etagOf(list) };
  },
  threat_list_update: ({ path: { configId, listId }, headers, body }, world) => {
    const own = configurationOf(world, configId);
    const list = foundIn(own.lists, "list", listId);
    checkStamp(list, headers);
    checkName(own.lists, body.name, listId);
    checkCategory(body.securityCategoryId);
    const { id: _, ...content } = body;
    const next = changed(world, list, { ...content, others: othersIn(declared.operations.threat_list_update, body) });
    own.lists.set(listId, next);
    return { status: 200, body: undefined, headers: etagOf(next) };
  },
  threat_list_delete: ({ path: { configId, listId }, headers }, world) => {
    const own = configurationOf(world, configId);
    const list = foundIn(own.lists, "list", listId);
    checkStamp(list, headers);
    if (listBody(own, list).policySecuritySettings.length > 0)
      throw conflict("Policies have settings for the list. Code-090418");
    own.lists.delete(listId);
    return { status: 200, body: undefined };
  },
  threat_list_item_update: ({ path: { configId, listId }, body }, world) => {
    const own = configurationOf(world, configId);
    const list = foundIn(own.lists, "list", listId);
    const items = new Map(list.items);
    for (const value of body.delete) items.delete(keyOf(value));
    for (const [key, item] of byKey(body.add)) items.set(key, item);
    checkQuota(own, items.size - list.items.size);
    own.lists.set(listId, changed(world, list, { items }));
    return { status: 200, body: undefined };
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
    return { status: 200, body: { totalCount: found.length, items: items.map((one) => ({ ...one })) } };
  },
  threat_list_item_replace: ({ path, query, headers, body }, world) => {
    const own = configurationOf(world, path.configId);
    const list = foundIn(own.lists, "list", query.listId);
    checkStamp(list, headers);
    const items = byKey(body);
    checkQuota(own, items.size - list.items.size);
    own.lists.set(list.id, changed(world, list, { items }));
    return { status: 200, body: undefined };
  },
  threat_list_changes_list: ({ path }, world) => ({
    status: 200,
    body: { changes: listsChanges(configurationOf(world, path.configId)) },
  }),
};
