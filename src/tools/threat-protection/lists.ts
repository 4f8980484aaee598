/** The operations on custom lists, their items and their quota. */
import { type Check, insistsOn, unlessInsisted } from "../../language/check.js";
import type { Arguments } from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { type FieldProblem, quoteValue } from "../../language/failure.js";
import { listAt, memberAt, numberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { deletionDelay, itemsInWords, listDeploymentMeanings, missingMeaning, objectOperations } from "./kinds.js";
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
  RecentChanges,
  stampHeader,
  Value,
} from "./shapes.js";

const list = objectOperations(List, "list", "lists", stampHeader, listDeploymentMeanings, "custom list");
const itemsNote =
  "The document's path names no list, and no source says how one is selected: listId is sent in the query. In public facts on the next version it is in the path.";

const valueOfItem = (item: unknown): string => String(memberAt(item, "value")).toLowerCase();

/** Refuses more items than fit into the quota (document C, limits). */
async function checkRoom(
  field: string,
  more: number,
  { args, read }: Parameters<Check>[0],
): Promise<readonly FieldProblem[]> {
  if (more <= 0) return [];
  const room = numberAt(await read("threat_list_quota_get", { configId: args["configId"] }), "remainingCount");
  if (room === undefined || more <= room) return [];
  return [
    {
      field,
      given: `${more} more items`,
      takes: `at most ${room} more items: the custom lists of a configuration hold 200,000 in total, and threat_list_quota_get shows how many more fit`,
    },
  ];
}

/** Refuses a difference that changes nothing, or that adds and deletes the same value. */
const isDifference: Check = ({ args }) => {
  const add = listAt(args, "body.add").map(valueOfItem);
  const remove = listAt(args, "body.delete").map((value) => String(value).toLowerCase());
  if (add.length + remove.length === 0) return [{ field: "body.add", takes: "at least one item, or values to delete" }];
  const seen = new Set<string>();
  const twice = add.filter((value) => seen.size === seen.add(value).size);
  const both = remove.filter((value) => seen.has(value));
  return [
    ...twice.slice(0, 3).map((value) => ({ field: "body.add", given: quoteValue(value), takes: "each value once" })),
    ...both.slice(0, 3).map((value) => ({
      field: "body.delete",
      given: quoteValue(value),
      takes: "values that body.add does not have: to change an item's confidence, add it with the new one",
    })),
  ];
};

const largestPage = 10_000;
/** Refuses a replacement that removes much of a list, or that does not fit into the quota. */
const keepsItems = unlessInsisted(
  { many_removed: "more than a quarter of the items would be removed" },
  async (call) => {
    const { args, read } = call;
    const { configId, listId } = args;
    const newValues = new Set(listAt(args, "body").map(valueOfItem));
    let [total, keptCount] = [0, 0];
    // Two pages are enough: a replacement has at most 10,000 items, so for a list that is longer than two pages it removes
    // more than the accepted share in any case.
    for (const page of [0, 1]) {
      const items = await read("threat_list_items_list", { configId, listId, page, numItemsPerPage: largestPage });
      const count = numberAt(items, "totalCount");
      if (count === undefined) return [];
      total = count;
      keptCount += listAt(items, "items").filter((item) => newValues.has(valueOfItem(item))).length;
      if (total <= largestPage) break;
    }
    const removed = total - keptCount;
    if (removed * 4 > total && !insistsOn(args, "many_removed"))
      return [
        {
          field: "override",
          takes: `"many_removed" if the user wants that: ${removed} of the list's ${total} items would be removed; threat_list_item_update adds and deletes items and keeps the others`,
        },
      ];
    return checkRoom("body", listAt(args, "body").length - total, call);
  },
);

const confidences = new Map([
  [2, "known"],
  [1, "suspected"],
  [0, "unknown"],
]);
const kinds = new Map([
  ["LIST_TYPE_DOMAIN", "domains"],
  ["LIST_TYPE_IP", "ips"],
]);

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
    returns: { 200: json(z.looseObject({ count: z.int(), remainingCount: z.int() })) },
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
    guard: list.guard("DELETE", {
      kind: "delete",
      undo: { never: "The items of a deleted list cannot be restored unless they were read before." },
      results: (_, present, { items }) => {
        const named = itemsInWords(items, numberAt(present, "itemCount"));
        return [`it is gone with ${named ?? "all its items"}`, deletionDelay];
      },
      warns: (_, present) => {
        const names = listAt(present, "policySecuritySettings").map((one) =>
          plainOrQuoted(memberAt(one, "policyInfo.name") ?? memberAt(one, "policyId") ?? "unnamed"),
        );
        const policies = [...new Set(names)];
        const which = `${policies.length === 1 ? "The policy" : "The policies"} ${listInWords(policies)}`;
        return [policies.length > 0 && `${which} will no longer handle the items of this list.`];
      },
    }),
    // The preview names the first items.
    relatedReads: {
      items: {
        by: "threat_list_items_list" as const,
        args: ({ configId, listId }: Arguments) => ({ configId, listId, numItemsPerPage: 10 }),
      },
    },
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
    checks: [
      isDifference,
      // Items that the call deletes make room.
      (call) =>
        checkRoom("body.add", listAt(call.args, "body.add").length - listAt(call.args, "body.delete").length, call),
    ],
    rules: ["threat-item-difference", "threat-list-quota", "threat-list-deployment"],
    means: { ...listDeploymentMeanings, ...list.errors },
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
    view: {
      arguments: { valuesOnly: z.boolean().optional().describe("true: values by confidence") },
      // Values have no member that a write takes, so that a page which was read this way cannot be written back as the
      // whole list. They take a third of the space.
      schema: z.looseObject({ totalCount: z.int(), values: z.record(z.string(), z.array(z.string())) }),
      show: (body, { valuesOnly }) => {
        if (valuesOnly !== true) return undefined;
        const { data } = Items.safeParse(body);
        if (data === undefined) return undefined;
        const values: Record<string, string[]> = {};
        for (const { type, value, confidenceLevelId = 0 } of data.items) {
          const key = `${confidences.get(confidenceLevelId) ?? confidenceLevelId} ${kinds.get(type) ?? type}`;
          values[key] ??= [];
          values[key].push(value);
        }
        return { value: { totalCount: data.totalCount, values } };
      },
    },
    rules: ["threat-item-pages"],
    means: missingMeaning("threat_lists_list"),
    example: { configId: 1100, listId: 3785 },
    note: itemsNote,
  }),
  threat_list_item_replace: op("PUT /etp-config/v1/configs/{configId}/lists/items", {
    does: "Replaces all items of a custom list; to keep the others, threat_list_item_update.",
    path: config,
    // The path of the document names no list.
    query: { listId: id },
    headers: stampHeader,
    body: json(z.array(Item).min(1).max(10_000)),
    returns: { 200: json(z.unknown().optional()), 204: empty },
    effect: "update",
    shownBy: "threat_list_items_list",
    lock: list.lock,
    checks: [keepsItems],
    rules: ["threat-item-overwrite", "threat-list-quota", "threat-stamp", "threat-list-deployment"],
    means: { ...listDeploymentMeanings, ...list.errors },
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
