/** What a threat-protection configuration is made of: what is written, and what was deployed when. */
import type { Call } from "../../../language/behaviour.js";
import type { threatProtection as declared } from "../../../tools/threat-protection/index.js";
import type { Authored } from "../stored.js";

type Operations = (typeof declared)["operations"];
/** What a request of an operation writes. */
export type Body<T extends keyof Operations> = Call<Operations[T]>["body"];
export type Item = Body<"threat_list_item_update">["add"][number];
export type EmergencyItem = Body<"threat_emergency_list_replace">["items"][number];

/** What all objects have; the stamp rises with every change. */
export interface Kept extends Readonly<Authored> {
  readonly id: number;
  readonly stamp: number;
  /** What was written besides what the declarations name. */
  readonly others?: Readonly<Record<string, unknown>>;
}
export type Named = Kept & { readonly name: string };
export type Site = Kept & Omit<Body<"threat_site_update">, "id" | "policyId"> & { readonly policyId: number };
export type Policy = Kept & Omit<Body<"threat_policy_update">, "id" | "sites">;
export type Honeypot = Kept & Omit<Body<"threat_honeypot_update">, "id">;
export type List = Kept & Omit<Body<"threat_list_update">, "id"> & { readonly items: ReadonlyMap<string, Item> };
export interface Emergency {
  readonly items: readonly EmergencyItem[];
  readonly modifiedBy: string;
  readonly modifiedAtMs: number;
}

export interface Kinds {
  readonly sites: Site;
  readonly policies: Policy;
  readonly honeypots: Honeypot;
}
/** The members of a configuration that a deployment names by id. */
export type Kind = keyof Kinds;
export type Objects = { readonly [K in Kind]: ReadonlyMap<number, Kinds[K]> };
/** What a configuration deployment takes live, by kind and id; objects are replaced and never changed in place. */
export interface Written extends Objects {
  readonly emergency: ReadonlyMap<string, Emergency>;
}

interface Launched {
  readonly id: number;
  readonly by: string;
  readonly startedAtMs: number;
  readonly liveAtMs: number;
}
export interface Deployment extends Launched {
  readonly comment: string;
  readonly written: Written;
}
export interface ListDeployment extends Launched {
  readonly listId: number;
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
