/** What a change of a custom list needs beyond its schema: room in the quota, and no item that is meant two ways. */
import { type Check, unlessInsisted } from "../../language/check.js";
import { problem, shown } from "../../language/failure.js";
import { listAt, memberAt } from "../../language/member.js";

const numberAt = (value: unknown, path: string): number | undefined => {
  const number = memberAt(value, path);
  return typeof number === "number" ? number : undefined;
};
const valueOfItem = (item: unknown): string => String(memberAt(item, "value")).toLowerCase();

const noRoom = (field: string, wanted: number, room: number) => ({
  field,
  given: `${wanted} more items`,
  takes: `at most ${room} more items: the custom lists of a configuration hold 200,000 together, and threat_list_quota_get shows what is left`,
});

/** Refuses more items than the quota has room for (document C, limits); what the call deletes makes room. */
export const fitsQuota: Check = async ({ args, read }) => {
  const more = listAt(args, "body.add").length - listAt(args, "body.delete").length;
  if (more <= 0) return [];
  const room = numberAt(await read("threat_list_quota_get", { configId: args["configId"] }), "remainingCount");
  return room === undefined || more <= room ? [] : [noRoom("body.add", more, room)];
};

/** Refuses a difference that changes nothing, or that adds and deletes one value. */
export const isDifference: Check = ({ args }) => {
  const add = listAt(args, "body.add").map(valueOfItem);
  const remove = listAt(args, "body.delete").map((value) => String(value).toLowerCase());
  if (add.length + remove.length === 0) return [{ field: "body.add", takes: "at least one item, or values to delete" }];
  const seen = new Set<string>();
  const twice = add.filter((value) => seen.size === seen.add(value).size);
  const both = remove.filter((value) => seen.has(value));
  return [
    ...twice.slice(0, 3).map((value) => ({ field: "body.add", given: shown(value), takes: "each value once" })),
    ...both.slice(0, 3).map((value) => ({
      field: "body.delete",
      given: shown(value),
      takes: "values that body.add does not have: to change an item's confidence, add it with the new one",
    })),
  ];
};

/** The words of the argument `override`, and what each of them stands for. */
const itemOverrides = { many_removed: "over a quarter of the items would go" } as const;

const largestPage = 10_000;
/**
 * What of a list's items a replacement leaves out. Two pages are enough: a replacement has 10,000 items at most, so that
 * of a list with more than those pages hold it leaves out more than any share that is accepted.
 */
async function itemsGone({ args, read }: Parameters<Check>[0]) {
  const { configId, listId } = args;
  const written = new Set(listAt(args, "body").map(valueOfItem));
  let [there, kept] = [0, 0];
  for (const page of [0, 1]) {
    const items = await read("threat_list_items_list", { configId, listId, page, numItemsPerPage: largestPage });
    const total = numberAt(items, "totalCount");
    if (total === undefined) return undefined;
    there = total;
    kept += listAt(items, "items").filter((item) => written.has(valueOfItem(item))).length;
    if (total <= largestPage) break;
  }
  return { there, gone: there - kept };
}

/** Refuses to write over a list what leaves out much of it, and what the quota has no room for. */
export const keepsItems = unlessInsisted(itemOverrides, async (call) => {
  const { args, read } = call;
  const found = await itemsGone(call);
  if (found === undefined) return [];
  const { there, gone } = found;
  const insisted = (args["override"] ?? []) as readonly string[];
  if (gone * 4 > there && !insisted.includes("many_removed"))
    return [
      {
        field: "override",
        takes: `"many_removed" where that is what the user wants: ${gone} of the list's ${there} items would be gone; threat_list_item_update adds and deletes without losing others`,
      },
    ];
  const more = listAt(args, "body").length - there;
  if (more <= 0) return [];
  const room = numberAt(await read("threat_list_quota_get", { configId: args["configId"] }), "remainingCount");
  return room === undefined || more <= room ? [] : [noRoom("body", more, room)];
});

/** Refuses a body that repeats the id of another object than the path names. */
export const sameId =
  (argument: string): Check =>
  ({ args }) => {
    const given = memberAt(args, "body.id");
    return given === undefined || given === args[argument]
      ? []
      : problem("body.id", given, `${shown(args[argument])}, as ${argument} says, or nothing`);
  };
