/** The operations on custom lists, their items and their quota. */
import { empty, json, op } from "../../language/define.js";
import { closedObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { listDeletion, readForListDeletion } from "./guards.js";
import { itemsView } from "./items.js";
import { fitsQuota, isDifference, keepsItems, kindOf, liveByListDeployment, noSuch } from "./notes.js";
import {
  Confidence,
  config,
  Item,
  Items,
  ItemType,
  id,
  List,
  listBody,
  listChange,
  locked,
  Quota,
  RecentChanges,
  Value,
} from "./shapes.js";

const list = kindOf(List, "list", "lists", locked, liveByListDeployment);
const itemsNote =
  "The document's path names no list, and no source says how one is selected: listId is sent in the query. In public facts on the next version it is in the path.";

export const listOperations = {
  threat_lists_list: op("GET /etp-config/v1/configs/{configId}/lists", {
    does: "Lists a configuration's custom lists, with counts of their items.",
    ...list.list,
  }),
  threat_list_create: op("POST /etp-config/v1/configs/{configId}/lists", {
    does: "Creates an empty custom list; threat_list_item_update fills it.",
    body: json(listBody),
    ...list.creation,
    rules: ["threat-name-unique", "threat-list-deployment"],
    example: {
      configId: 1100,
      body: { name: "Banking", description: "Phishing for banking data", securityCategoryId: 2 },
    },
  }),
  threat_list_quota_get: op("GET /etp-config/v1/configs/{configId}/lists/quota", {
    does: "Reads how many items custom lists hold, and how many more fit.",
    path: config,
    returns: { 200: json(Quota) },
    rules: ["threat-list-quota"],
    example: { configId: 1100 },
  }),
  threat_list_get: op("GET /etp-config/v1/configs/{configId}/lists/{listId}", {
    does: "Reads a custom list with its etag; for its items, threat_list_items_list.",
    ...list.read,
    example: { configId: 1100, listId: 3785 },
  }),
  threat_list_update: op("PUT /etp-config/v1/configs/{configId}/lists/{listId}", {
    does: "Renames a custom list, or changes its description or category.",
    body: json(listChange),
    ...list.update,
    effect: "update",
    guard: { kind: "overwrite", when: "asked", thing: "custom list {name}", replaces: "body" },
    rules: ["threat-stamp", "threat-list-deployment"],
    example: {
      configId: 1100,
      listId: 3785,
      ifMatch: '"1735722000000"',
      body: { name: "Phishing", description: "Sites that imitate the shop", securityCategoryId: 2 },
    },
  }),
  threat_list_delete: op("DELETE /etp-config/v1/configs/{configId}/lists/{listId}", {
    does: "Deletes a custom list with all its items.",
    ...list.deletion,
    guard: listDeletion,
    relatedReads: readForListDeletion,
    rules: ["threat-stamp", "threat-list-deployment"],
    example: { configId: 1100, listId: 4541, ifMatch: '"1735722000000"' },
  }),
  threat_list_item_update: op("PATCH /etp-config/v1/configs/{configId}/lists/{listId}", {
    does: "Adds and deletes items of a custom list; the rest stays.",
    path: list.path,
    body: json(
      closedObject("it could remove more items than are named", {
        add: z.array(Item).max(10_000).default([]),
        delete: z.array(Value).max(10_000).default([]).describe("Values"),
      }),
    ),
    returns: { 200: json(z.unknown().optional()), 204: empty },
    effect: "update",
    shownBy: "threat_list_get",
    checks: [isDifference, fitsQuota],
    rules: ["threat-item-difference", "threat-list-quota", "threat-list-deployment"],
    means: { ...liveByListDeployment, ...list.errors },
    example: {
      configId: 1100,
      listId: 3785,
      body: {
        add: [{ type: "LIST_TYPE_DOMAIN", value: "bad.example.com", confidenceLevelId: 2 }],
        delete: ["old.example.com"],
      },
    },
  }),
  threat_list_items_list: op("GET /etp-config/v1/configs/{configId}/lists/items", {
    does: "Lists or searches the items of a custom list; threat_list_item_find finds the list of an item.",
    path: config,
    query: {
      numItemsPerPage: z.int().min(1).max(10_000).optional().describe("Default 50"),
      page: z.int().min(0).optional().describe("0: first"),
      type: ItemType.optional(),
      confidence: Confidence.optional(),
      search: z.string().min(1).max(253).optional().describe("Part of value"),
      listId: id.optional(),
    },
    paging: {
      start: "page",
      counts: "pages",
      size: "numItemsPerPage",
      defaultSize: 50,
      items: "items",
      total: "totalCount",
    },
    returns: { 200: json(Items) },
    view: itemsView,
    rules: ["threat-item-pages"],
    means: noSuch("threat_lists_list"),
    example: { configId: 1100, listId: 3785 },
    note: itemsNote,
  }),
  threat_list_item_replace: op("PUT /etp-config/v1/configs/{configId}/lists/items", {
    does: "Replaces all items of a custom list; to keep the others, threat_list_item_update.",
    path: config,
    // The path of the document names no list.
    query: { listId: id },
    headers: locked,
    body: json(z.array(Item).min(1).max(10_000)),
    returns: { 200: json(z.unknown().optional()), 204: empty },
    effect: "update",
    shownBy: "threat_list_items_list",
    lock: list.lock,
    checks: [keepsItems],
    rules: ["threat-item-overwrite", "threat-list-quota", "threat-stamp", "threat-list-deployment"],
    means: { ...liveByListDeployment, ...list.errors },
    example: {
      configId: 1100,
      listId: 4541,
      ifMatch: '"1735722000000"',
      body: [
        { type: "LIST_TYPE_IP", value: "192.0.2.124", confidenceLevelId: 1 },
        { type: "LIST_TYPE_DOMAIN", value: "tracker.example.net", confidenceLevelId: 2 },
        { type: "LIST_TYPE_DOMAIN", value: "beacon.example.net", confidenceLevelId: 2 },
      ],
    },
    note: itemsNote,
  }),
  threat_list_changes_list: op("GET /etp-config/v1/configs/{configId}/lists/recentChanges", {
    does: "Lists the changes to custom lists that are not deployed.",
    path: config,
    returns: { 200: json(RecentChanges) },
    rules: ["threat-list-deployment"],
    example: { configId: 1100 },
  }),
} as const;
