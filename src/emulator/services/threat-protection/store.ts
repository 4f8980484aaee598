/** The threat-protection configuration of the account: what it is made of, what is written, and what was deployed when. */
import type { Call } from "../../../language/behaviour.js";
import { minuteMs } from "../../../language/durations.js";
import type { threatProtection as declared } from "../../../tools/threat-protection/index.js";
import { conflict, notFound, orNotFound, Refusal } from "../../reply.js";
import type { World } from "../../world.js";
import { portalUser } from "../account.js";
import { type Authored, authored, byId } from "../stored.js";

type Operations = (typeof declared)["operations"];
/** What a request of an operation writes. */
export type Body<T extends keyof Operations> = Call<Operations[T]>["body"];
export type Item = Body<"threat_list_item_update">["add"][number];
type EmergencyItem = Body<"threat_emergency_list_replace">["items"][number];

/** What all objects have; the stamp rises with every change. */
export interface Kept extends Readonly<Authored> {
  readonly id: number;
  readonly stamp: number;
  /** Members that were written but are not declared. */
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

/** All of it was written on one morning, deployed at noon, and changed in two places later that day. */
const morning = Date.UTC(2025, 0, 1, 9);
const noon = Date.UTC(2025, 0, 1, 12);
const evening = Date.UTC(2025, 0, 1, 18);

const kept = (id: number, atMs: number = morning): Kept => ({
  id,
  ...authored(morning, portalUser),
  modifiedAtMs: atMs,
  stamp: atMs,
});
const office = (id: number, name: string, ipAddr: string, policyId: number, atMs?: number): Site => ({
  ...kept(id, atMs),
  ...(atMs === undefined ? {} : { createdAtMs: atMs }),
  name,
  description: `Visitors behind ${ipAddr}`,
  policyId,
  exitPoints: [{ addrType: "ADDR_TYPE_IPV4", ipAddr }],
});
const setting = (listId: number, confirmedResponseId: number) => ({
  listId,
  confirmedResponseId,
  suspectedResponseId: 1,
  shouldNotifyConfirmed: true,
  shouldNotifySuspected: false,
});
const policy = (id: number, name: string, lists: Policy["securitySettings"]): Policy => ({
  ...kept(id),
  name,
  description: `How threats are handled for ${name.toLowerCase()}`,
  basicSettings: { dnssec: true, edns0ecs: false },
  aupSettings: [{ categoryId: 2, responseId: 4 }],
  securitySettings: [...lists],
});
const honeypot = (id: number, name: string, address: string): Honeypot => ({
  ...kept(id),
  name,
  description: "Records what infected machines send",
  ipv4Addrs: [address],
  ipv6Addrs: [],
  aliases: [],
});
const domain = (value: string, confidenceLevelId = 2): Item => ({ type: "LIST_TYPE_DOMAIN", value, confidenceLevelId });
const byValue = (items: readonly Item[]): ReadonlyMap<string, Item> => new Map(items.map((one) => [one.value, one]));
const emergency = (...values: readonly string[]) => ({
  items: values.map((value): EmergencyItem => ({ type: "LIST_TYPE_DOMAIN", value })),
  modifiedBy: portalUser,
  modifiedAtMs: morning,
});

/** The configuration that the world begins with: offices of the example company, deployed but for two changes. */
function seeds(): Configuration {
  const imitations = Array.from({ length: 120 }, (_, at) => domain(`shop-login-${at + 1}.example.net`, at % 4 ? 2 : 1));
  const phishing: List = {
    ...kept(3785),
    name: "Phishing",
    description: "Sites that imitate the shop",
    securityCategoryId: 2,
    items: byValue([domain("old.example.com"), ...imitations]),
  };
  const tracking: List = {
    ...kept(4541),
    name: "Tracking",
    description: "Hosts that follow visitors",
    securityCategoryId: 4,
    items: byValue([
      domain("tracker.example.net"),
      { type: "LIST_TYPE_IP", value: "192.0.2.124", confidenceLevelId: 1 },
    ]),
  };
  const deployed = {
    sites: byId([
      office(101, "Berlin office", "198.51.100.16/28", 1030),
      office(102, "Hamburg office", "198.51.100.48/28", 1031),
      { ...office(2160, "Unidentified IPs", "0.0.0.0/0", 1031), exitPoints: [] },
    ]),
    policies: byId([
      policy(1030, "Offices", [setting(1, 2), setting(2, 4), setting(3, 760), setting(3785, 4)]),
      policy(1031, "Guests", [setting(1, 2), setting(2, 2)]),
      policy(1032, "Laboratory", [setting(1, 1)]),
    ]),
    honeypots: byId([honeypot(760, "Sinkhole 1", "203.0.113.200"), honeypot(761, "Sinkhole old", "203.0.113.199")]),
    emergency: new Map([
      ["whitelist", emergency("partner.example.org")],
      ["blacklist", emergency("malware.example.net", "dropper.example.net")],
    ]),
  };
  const atNoon = { by: portalUser, startedAtMs: noon };
  return {
    id: 1100,
    sites: new Map([...deployed.sites, [103, office(103, "Munich office", "198.51.100.64/28", 1031, evening)]]),
    policies: new Map(deployed.policies),
    honeypots: new Map(deployed.honeypots),
    emergency: new Map(deployed.emergency),
    lists: byId([
      phishing,
      {
        ...tracking,
        items: byValue([...tracking.items.values(), domain("beacon.example.net")]),
        modifiedAtMs: evening,
      },
    ]),
    deployments: [{ id: 5001, comment: "First deployment", ...atNoon, liveAtMs: noon + 25_000, written: deployed }],
    listDeployments: [phishing, tracking].map((list, at) => ({
      id: 7001 + at,
      listId: list.id,
      ...atNoon,
      liveAtMs: noon + 30 * minuteMs,
      list,
    })),
  };
}

export const maxItems = 200_000;
/** How long deployments take (document C, limits). */
export const lastsMs = { configuration: 25_000, list: 30 * minuteMs } as const;

export const ownConfiguration = (world: World): Configuration => world.state("threat protection", seeds);

export function configurationOf(world: World, configId: number): Configuration {
  const own = ownConfiguration(world);
  if (own.id !== configId) throw notFound(`There is no configuration ${configId}`);
  return own;
}

export const keptIn = <T>(kept: ReadonlyMap<number, T>, what: string, id: number): T =>
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
