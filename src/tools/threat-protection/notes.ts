/** What several operations share: how a change is deployed, which calls are refused, and what each kind declares. */
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
  takes: `at most ${room} more items: the custom lists of a configuration hold 200,000 in total, and threat_list_quota_get shows how many more fit`,
});

/** Refuses more items than fit into the quota (document C, limits); items that the call deletes make room. */
export const fitsQuota: Check = async ({ args, read }) => {
  const more = listAt(args, "body.add").length - listAt(args, "body.delete").length;
  if (more <= 0) return [];
  const room = numberAt(await read("threat_list_quota_get", { configId: args["configId"] }), "remainingCount");
  return room === undefined || more <= room ? [] : [noRoom("body.add", more, room)];
};

/** Refuses a difference that changes nothing, or that adds and deletes the same value. */
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

/** The values of the argument `override`, and what each of them means. */
const itemOverrides = { many_removed: "more than a quarter of the items would be removed" } as const;

const largestPage = 10_000;
/**
 * How many of a list's items a replacement removes. Two pages are enough: a replacement has at most 10,000 items, so for
 * a list that is longer than two pages it removes more than the accepted share in any case.
 */
async function removedItems({ args, read }: Parameters<Check>[0]) {
  const { configId, listId } = args;
  const written = new Set(listAt(args, "body").map(valueOfItem));
  let [total, kept] = [0, 0];
  for (const page of [0, 1]) {
    const items = await read("threat_list_items_list", { configId, listId, page, numItemsPerPage: largestPage });
    const count = numberAt(items, "totalCount");
    if (count === undefined) return undefined;
    total = count;
    kept += listAt(items, "items").filter((item) => written.has(valueOfItem(item))).length;
    if (total <= largestPage) break;
  }
  return { total, removed: total - kept };
}

/** Refuses a replacement that removes much of a list, or that does not fit into the quota. */
export const keepsItems = unlessInsisted(itemOverrides, async (call) => {
  const { args, read } = call;
  const found = await removedItems(call);
  if (found === undefined) return [];
  const { total, removed } = found;
  if (removed * 4 > total && !insistsOn(args, "many_removed"))
    return [
      {
        field: "override",
        takes: `"many_removed" if the user wants that: ${removed} of the list's ${total} items would be removed; threat_list_item_update adds and deletes items and keeps the others`,
      },
    ];
  const more = listAt(args, "body").length - total;
  if (more <= 0) return [];
  const room = numberAt(await read("threat_list_quota_get", { configId: args["configId"] }), "remainingCount");
  return room === undefined || more <= room ? [] : [noRoom("body", more, room)];
});

/** Refuses a body with the id of a different object than the path. */
const sameId =
  (argument: string): Check =>
  ({ args }) => {
    const given = memberAt(args, "body.id");
    return given === undefined || given === args[argument]
      ? []
      : problem("body.id", given, `${shown(args[argument])}, as in ${argument}, or no value`);
  };

/** Document C: changes to sites, policies, emergency lists and honeypots are deployed with the configuration. */
const deployed = "Not live yet: threat_deployment_launch makes it live; threat_changes_list shows all pending changes.";
/** Document C: changes to custom lists are deployed list by list. */
const listDeployed =
  "Not live yet: threat_list_deployment_launch makes it live; threat_list_changes_list shows all pending changes.";
export const liveByDeployment = { 200: deployed, 201: deployed, 204: deployed } as const;
export const liveByListDeployment = { 200: listDeployed, 201: listDeployed, 204: listDeployed } as const;

const nameTaken = { 409: "The name is taken: choose another one." } as const;
/** The error of a write with an outdated stamp; the reader returns the current one. */
const stale = (reader: string) =>
  ({
    412: `It was changed meanwhile, or it cannot be changed, such as the site of unidentified addresses: read it again with ${reader}.`,
  }) as const;
export const noSuch = (lister: string) => ({ 404: `It does not exist: ${lister} lists all.` }) as const;

/**
 * What the operations on one kind of object share; their names contain that of the kind, in the singular or plural.
 * @param schema An object as it is read; a write may return it or no body.
 * @param headers The stamp that a write takes.
 * @param live How a change takes effect.
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
