/** What a change of a custom list needs beyond its schema: room in the quota, and no item that is meant two ways. */
import type { Check } from "../../api/check.js";
import type { Arguments } from "../../api/conduct.js";
import { shown } from "../../api/failure.js";
import { memberAt } from "../../api/member.js";

const listAt = (args: Arguments, path: string): readonly unknown[] => {
  const list = memberAt(args, path);
  return Array.isArray(list) ? list : [];
};
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
export const itemOverrides = { many_removed: "more than a quarter of the items would be gone" } as const;

/** Refuses to write over a list what has far fewer items, and what the quota has no room for. */
export const keepsItems: Check = async ({ args, read }) => {
  const { configId, listId } = args;
  const written = listAt(args, "body").length;
  const there = numberAt(await read("threat_list_items_list", { configId, listId, numItemsPerPage: 1 }), "totalCount");
  if (there === undefined) return [];
  const insisted = (args["override"] ?? []) as readonly string[];
  if (written * 4 < there * 3 && !insisted.includes("many_removed"))
    return [
      {
        field: "override",
        takes: `"many_removed" where that is what the user wants: the list has ${there} items, and this call leaves ${written}; threat_list_item_update adds and deletes without losing others`,
      },
    ];
  if (written <= there) return [];
  const room = numberAt(await read("threat_list_quota_get", { configId }), "remainingCount");
  return room === undefined || written - there <= room ? [] : [noRoom("body", written - there, room)];
};

/** Refuses a body that repeats the id of another object than the path names. */
export const sameId =
  (argument: string): Check =>
  ({ args }) => {
    const given = memberAt(args, "body.id");
    return given === undefined || given === args[argument]
      ? []
      : [{ field: "body.id", given: shown(given), takes: `${shown(args[argument])}, as ${argument} says, or nothing` }];
  };
