/** What several operations share: which deployment makes a change live, what is refused, what kinds have alike. */
import { type Check, insistsOn, unlessInsisted } from "../../language/check.js";
import { empty, type Header, json } from "../../language/define.js";
import { problem, shown } from "../../language/failure.js";
import { listAt, memberAt } from "../../language/member.js";
import { z } from "../../language/z.js";
import { config, id, stamped } from "./shapes.js";

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
  if (gone * 4 > there && !insistsOn(args, "many_removed"))
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
const sameId =
  (argument: string): Check =>
  ({ args }) => {
    const given = memberAt(args, "body.id");
    return given === undefined || given === args[argument]
      ? []
      : problem("body.id", given, `${shown(args[argument])}, as ${argument} says, or nothing`);
  };

/** Document C: changes of sites, policies, emergency lists and honeypots are deployed with the configuration. */
const deployed =
  "Not live yet: threat_deployment_launch makes it live; threat_changes_list shows all that waits for it.";
/** Document C: changes of custom lists are deployed list by list. */
const listDeployed =
  "Not live yet: threat_list_deployment_launch makes it live; threat_list_changes_list shows all that waits for it.";
export const liveByDeployment = { 200: deployed, 201: deployed, 204: deployed } as const;
export const liveByListDeployment = { 200: listDeployed, 201: listDeployed, 204: listDeployed } as const;

const nameTaken = { 409: "The name is taken: choose another one." } as const;
/** The errors of a write with a stamp, which the operation that reads the thing shows. */
const stale = (reader: string) =>
  ({
    412: `Somebody changed it meanwhile, or it is one that nobody can change, such as the site of unidentified addresses: read it again with ${reader}.`,
  }) as const;
export const noSuch = (lister: string) => ({ 404: `It is not there: ${lister} shows all.` }) as const;

/**
 * What the operations on things of one kind have in common; the name of the kind, and that of several, are in theirs.
 * @param schema A thing as it is read; a write may answer with it or without a body.
 * @param headers The stamp that a write takes.
 * @param live What makes a change of them live.
 */
export function kindOf<
  S extends z.ZodType,
  const K extends string,
  const P extends string,
  H extends Readonly<Record<string, Header>>,
>(schema: S, kind: K, several: P, headers: H, live: typeof liveByDeployment | typeof liveByListDeployment) {
  const [argument, lister, reader] = [`${kind}Id`, `threat_${several}_list`, `threat_${kind}_get`] as const;
  const answer = json(schema.optional());
  const errors = { ...noSuch(lister), ...stale(reader) };
  const lock = { field: "ifMatch", from: reader, at: "headers.etag" } as const;
  const path = { ...config, [argument]: id } as typeof config & Record<`${K}Id`, typeof id>;
  const written = { path, headers, shownBy: reader, lock, returns: { 200: answer, 204: empty } } as const;
  const named = { answerHeaders: stamped, means: { ...live, ...nameTaken } };
  return {
    list: { path: config, returns: { 200: json(z.array(schema)) }, example: { configId: 1100 } },
    read: { path, answerHeaders: stamped, returns: { 200: json(schema) }, means: noSuch(lister) },
    creation: { path: config, ...named, returns: { 200: answer, 201: answer }, effect: "create", shownBy: lister },
    update: {
      ...written,
      answerHeaders: stamped,
      means: { ...live, ...errors, ...nameTaken },
      checks: [sameId(argument)],
    },
    deletion: { ...written, means: { ...live, ...errors } },
    path,
    lock,
    errors,
  } as const;
}
