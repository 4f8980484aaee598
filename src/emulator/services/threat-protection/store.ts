/** The threat-protection configuration of the account: what is written, what is deployed, and since when. */
import type { Call } from "../../../api/behaviour.js";
import type { threatProtection as declared } from "../../../tools/threat-protection/index.js";
import { Refusal } from "../../problem.js";
import type { World } from "../../world.js";
import { apiClient } from "../account.js";
import { seeds } from "./seeds.js";

type Operations = (typeof declared)["operations"];
type Body<T extends keyof Operations> = Call<Operations[T]>["body"];
export type Item = Body<"threat_list_item_update">["add"][number];
export type EmergencyItem = Body<"threat_emergency_list_replace">["items"][number];

/** What all objects have; the stamp rises with every change. */
export interface Kept {
  readonly id: number;
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly modifiedBy: string;
  readonly modifiedAtMs: number;
  readonly stamp: number;
}
export type Site = Kept & Omit<Body<"threat_site_create">, "policyId"> & { readonly policyId: number };
export type Policy = Kept & Omit<Body<"threat_policy_create">, "sites">;
export type Honeypot = Kept & Body<"threat_honeypot_create">;
export type List = Kept & Body<"threat_list_create"> & { readonly items: ReadonlyMap<string, Item> };
export interface Emergency {
  readonly items: readonly EmergencyItem[];
  readonly modifiedBy: string;
  readonly modifiedAtMs: number;
}

/** What a configuration deployment takes live, by kind and id; objects are replaced and never changed in place. */
export interface Written {
  readonly sites: ReadonlyMap<number, Site>;
  readonly policies: ReadonlyMap<number, Policy>;
  readonly honeypots: ReadonlyMap<number, Honeypot>;
  readonly emergency: ReadonlyMap<string, Emergency>;
}
/** The members of a configuration that a deployment names by id. */
export type Kind = "sites" | "policies" | "honeypots";

export interface Deployment {
  readonly id: number;
  readonly comment: string;
  readonly by: string;
  readonly startedAtMs: number;
  readonly liveAtMs: number;
  readonly written: Written;
}
export interface ListDeployment {
  readonly id: number;
  readonly listId: number;
  readonly by: string;
  readonly startedAtMs: number;
  readonly liveAtMs: number;
  /** The list as it was deployed; undefined where its deletion was. */
  readonly list: List | undefined;
}

export interface Configuration extends Written {
  readonly id: number;
  readonly sites: Map<number, Site>;
  readonly policies: Map<number, Policy>;
  readonly honeypots: Map<number, Honeypot>;
  readonly emergency: Map<string, Emergency>;
  readonly lists: Map<number, List>;
  /** In the order in which they were launched, of which the first is of the world's past. */
  readonly deployments: Deployment[];
  readonly listDeployments: ListDeployment[];
}

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
  createdBy: apiClient,
  createdAtMs: world.now(),
  modifiedBy: apiClient,
  modifiedAtMs: world.now(),
  stamp: world.now(),
});
/** The object with another content, changed now; two changes within a millisecond have two stamps. */
export const changed = <T extends Kept>(world: World, one: T, content: Partial<T>): T => ({
  ...one,
  ...content,
  id: one.id,
  modifiedBy: apiClient,
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
