/** What a threat-protection configuration is made of: what is written, and what was deployed when. */
import type { Call } from "../../../api/behaviour.js";
import type { threatProtection as declared } from "../../../tools/threat-protection/index.js";

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
  /** What was written besides what the declarations name. */
  readonly others?: Readonly<Record<string, unknown>>;
}
export type Site = Kept & Omit<Body<"threat_site_update">, "id" | "policyId"> & { readonly policyId: number };
export type Policy = Kept & Omit<Body<"threat_policy_update">, "id" | "sites">;
export type Honeypot = Kept & Omit<Body<"threat_honeypot_update">, "id">;
export type List = Kept & Omit<Body<"threat_list_update">, "id"> & { readonly items: ReadonlyMap<string, Item> };
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
