/** The threat-protection configuration of the account: what is written, what is deployed, and since when. */
import { minuteMs } from "../../../language/durations.js";
import { conflict, notFound, orNotFound, Refusal } from "../../reply.js";
import type { World } from "../../world.js";
import { authored } from "../stored.js";
import type { Configuration, Kept, List, Named, Written } from "./records.js";
import { seeds } from "./seeds.js";

export const maxItems = 200_000;
/** How long deployments take (document C, limits). */
export const lastsMs = { configuration: 25_000, list: 30 * minuteMs } as const;

export const ownConfiguration = (world: World): Configuration => world.state("threat protection", seeds);

export function configurationOf(world: World, configId: number): Configuration {
  const own = ownConfiguration(world);
  if (own.id !== configId) throw notFound(`There is no configuration ${configId}`);
  return own;
}

export const foundIn = <T>(kept: ReadonlyMap<number, T>, what: string, id: number): T =>
  orNotFound(kept.get(id), `There is no ${what} ${id}`);

export const made = (world: World, id: number): Kept => ({
  id,
  ...authored(world.now()),
  stamp: world.now(),
});
/** What an object has when it is changed now; two changes within a millisecond have two stamps. */
export const renewed = (world: World, { id, createdBy, createdAtMs, stamp }: Kept): Kept => ({
  ...made(world, id),
  createdBy,
  createdAtMs,
  stamp: Math.max(world.now(), stamp + 1),
});
/** The object with another content, changed now. */
export const changed = <T extends Kept>(world: World, one: T, content: Partial<T>): T => ({
  ...one,
  ...content,
  ...renewed(world, one),
});

export const etagOf = ({ stamp }: Kept) => ({ etag: `"${stamp}"` });

/** Refuses a write that does not show the present stamp. The reader of requests has refused one without any. */
export function checkStamp(one: Kept, { "if-match": given }: Readonly<Record<string, string>>): void {
  if (given !== undefined && given !== "*" && given !== etagOf(one).etag)
    throw new Refusal(412, "Precondition Failed", `It was changed meanwhile. Code-090414`);
}

/** Refuses a name that another one of the kind has. */
export function checkName(kept: ReadonlyMap<number, Named>, name: string, own?: number): void {
  if ([...kept.values()].some((one) => one.name === name && one.id !== own))
    throw conflict(`The name :${name} is not unique. Code-090415`);
}

export const itemsIn = ({ lists }: Configuration): number =>
  [...lists.values()].reduce((sum, { items }) => sum + items.size, 0);

/** Refuses more items than the custom lists of the configuration may hold together. */
export function checkQuota(own: Configuration, more: number): void {
  if (itemsIn(own) + more > maxItems) throw conflict(`The lists would hold more than ${maxItems} items. Code-090420`);
}

const nothing: Written = { sites: new Map(), policies: new Map(), honeypots: new Map(), emergency: new Map() };
/** The configuration that was deployed last, though it may not be live yet. */
export const lastDeployed = ({ deployments }: Configuration): Written => deployments.at(-1)?.written ?? nothing;
/** The state of a list that was deployed last; undefined where there is none. */
export const lastDeployedList = ({ listDeployments }: Configuration, listId: number): List | undefined =>
  listDeployments.findLast((one) => one.listId === listId)?.list;
