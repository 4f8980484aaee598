/** The threat-protection configuration of the account: what is written, what is deployed, and since when. */
import { Refusal } from "../../problem.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import type { Configuration, Kept, List, Written } from "./records.js";
import { seeds } from "./seeds.js";

export const maxItems = 200_000;
/** How long deployments take (document C, limits). */
export const lastsMs = { configuration: 25_000, list: 30 * 60_000 } as const;

export const ownConfiguration = (world: World): Configuration => world.state("threat protection", seeds);

export const missing = (detail: string): Refusal => new Refusal(404, "Not Found", detail);
export const invalid = (detail: string): Refusal => new Refusal(400, "Bad Request", detail);
export const conflict = (detail: string): Refusal => new Refusal(409, "Conflict", detail);

export function configurationOf(world: World, configId: number): Configuration {
  const own = ownConfiguration(world);
  if (own.id !== configId) throw missing(`There is no configuration ${configId}`);
  return own;
}

export function foundIn<T>(kept: ReadonlyMap<number, T>, what: string, id: number): T {
  const found = kept.get(id);
  if (found === undefined) throw missing(`There is no ${what} ${id}`);
  return found;
}

export const created = (world: World, id: number): Kept => ({
  id,
  createdBy: userInUse,
  createdAtMs: world.now(),
  modifiedBy: userInUse,
  modifiedAtMs: world.now(),
  stamp: world.now(),
});
/** The object with another content, changed now; two changes within a millisecond have two stamps. */
export const changed = <T extends Kept>(world: World, one: T, content: Partial<T>): T => ({
  ...one,
  ...content,
  id: one.id,
  modifiedBy: userInUse,
  modifiedAtMs: world.now(),
  stamp: Math.max(world.now(), one.stamp + 1),
});

export const etagOf = ({ stamp }: Kept) => ({ etag: `"${stamp}"` });

/** Refuses a write that does not show the present stamp. The reader of requests has refused one without any. */
export function checkStamp(one: Kept, { "if-match": given }: Readonly<Record<string, string>>): void {
  if (given !== undefined && given !== "*" && given !== etagOf(one).etag)
    throw new Refusal(412, "Precondition Failed", `It was changed meanwhile. Code-090414`);
}

/** Refuses a name that another one of the kind has. */
export function checkName(
  kept: ReadonlyMap<number, { readonly id: number; readonly name: string }>,
  name: string,
  own?: number,
): void {
  if ([...kept.values()].some((one) => one.name === name && one.id !== own))
    throw conflict(`The name :${name} is not unique. Code-090415`);
}

export const itemsIn = ({ lists }: Configuration): number =>
  [...lists.values()].reduce((sum, { items }) => sum + items.size, 0);

/** Refuses more items than the custom lists of the configuration may hold together. */
export function checkQuota(own: Configuration, more: number): void {
  if (itemsIn(own) + more > maxItems) throw conflict(`The lists would hold more than ${maxItems} items. Code-090420`);
}

/** The configuration that was deployed last, though it may not be live yet. */
export const lastDeployed = ({ deployments }: Configuration): Written | undefined => deployments.at(-1)?.written;
/** The state of a list that was deployed last; undefined where there is none. */
export const lastDeployedList = ({ listDeployments }: Configuration, listId: number): List | undefined =>
  listDeployments.findLast((one) => one.listId === listId)?.list;
