/** The threat-protection configuration of the account: what it is made of, what is written, and what was deployed when. */
import { minuteMs } from "../../../time/durations.js";
import type { threatProtection as declared } from "../../../tools/threat-protection/index.js";
import type { Call } from "../../behaviour.js";
import { type Authorship, authorshipNow } from "../../primitives/authored.js";
import type { Job } from "../../primitives/job.js";
import { seedsOf } from "../../primitives/seeds.js";
import { Store } from "../../primitives/store.js";
import { conflict, notFound, ok, RequestRefusal } from "../../reply.js";
import type { World } from "../../world.js";
import { portalUser } from "../account.js";
import seeds from "./seeds.json" with { type: "json" };

type Operations = (typeof declared)["operations"];
/** What a request of an operation writes. */
export type ThreatBody<T extends keyof Operations> = Call<Operations[T]>["body"];
export type ThreatListItem = ThreatBody<"threat_list_item_update">["add"][number];

/** What all objects have; the stamp rises with every change. */
export interface StampedObject extends Readonly<Authorship> {
  readonly id: number;
  readonly stamp: number;
}
export type NamedObject = StampedObject & { readonly name: string };
export type ThreatSite = StampedObject &
  Omit<ThreatBody<"threat_site_update">, "id" | "policyId"> & { readonly policyId: number };
export type ThreatPolicy = StampedObject & Omit<ThreatBody<"threat_policy_update">, "id" | "sites">;
export type Honeypot = StampedObject & Omit<ThreatBody<"threat_honeypot_update">, "id">;
export type ThreatList = StampedObject &
  Omit<ThreatBody<"threat_list_update">, "id"> & { readonly items: ReadonlyMap<string, ThreatListItem> };
export interface EmergencyListState extends Readonly<Authorship> {
  readonly listType: string;
  readonly items: ThreatBody<"threat_emergency_list_replace">["items"];
}

export interface ThreatObjectsByKind {
  readonly sites: ThreatSite;
  readonly policies: ThreatPolicy;
  readonly honeypots: Honeypot;
}
/** The members of a configuration that a deployment names by id. */
export type ThreatObjectKind = keyof ThreatObjectsByKind;
export type ThreatObjectStores = { readonly [K in ThreatObjectKind]: Store<ThreatObjectsByKind[K]> };
/** What a configuration deployment takes live; the objects in it are replaced and never changed in place. */
export interface DeployableObjects extends ThreatObjectStores {
  readonly emergency: Store<EmergencyListState>;
}

interface Launch extends Job {
  readonly id: number;
  readonly by: string;
}
export interface ConfigurationDeployment extends Launch {
  readonly comment: string;
  readonly objects: DeployableObjects;
}
export interface ListDeployment extends Launch {
  readonly listId: number;
  /** The list as it was deployed; undefined if its deletion was. */
  readonly list: ThreatList | undefined;
}

export interface ThreatConfiguration extends DeployableObjects {
  readonly id: number;
  readonly lists: Store<ThreatList>;
  /** In the order in which they were launched, of which the first is of the world's past. */
  readonly deployments: Store<ConfigurationDeployment>;
  readonly listDeployments: Store<ListDeployment>;
}

/** How long deployments take (document C, limits). */
export const lastsMs = { configuration: 25_000, list: 30 * minuteMs } as const;

/** An instant as the API writes it. */
export const dateOf = (ms: number): string => new Date(ms).toISOString().replace("Z", "+0000");

const domain = (value: string, confidenceLevelId: number): ThreatListItem => ({
  type: "LIST_TYPE_DOMAIN",
  value,
  confidenceLevelId,
});
/** Domains are the same in any case. */
export const itemsByValue = (items: readonly ThreatListItem[]): Map<string, ThreatListItem> =>
  new Map(items.map((one) => [one.value.toLowerCase(), one]));
const storeOf = <T extends StampedObject | Launch>(what: string, all: readonly T[]) =>
  new Store<T>("id", (id) => `There is no ${what} ${id}`, all);

interface Seeds {
  readonly sites: readonly Omit<ThreatSite, "stamp">[];
  readonly policies: readonly Omit<ThreatPolicy, "stamp">[];
  readonly honeypots: readonly Omit<Honeypot, "stamp">[];
  readonly emergency: readonly EmergencyListState[];
  readonly lists: readonly (Omit<ThreatList, "stamp" | "items"> & { readonly items: readonly ThreatListItem[] })[];
}

/** The configuration that the world begins with: offices of the example company, deployed but for two changes. */
function configuration(world: World): ThreatConfiguration {
  const { sites, policies, honeypots, emergency, lists } = seedsOf<Seeds>(seeds, world.startedAtMs);
  const withStamps = <T extends Readonly<Authorship>>(all: readonly T[]) =>
    all.map((one) => ({ ...one, stamp: one.createdAtMs }));
  const custom = storeOf<ThreatList>(
    "list",
    withStamps(lists).map((one) => ({ ...one, items: itemsByValue(one.items) })),
  );
  const imitations = Array.from({ length: 120 }, (_, at) => domain(`shop-login-${at + 1}.example.net`, at % 4 ? 2 : 1));
  const [phishing, tracking] = [custom.find(3785), custom.find(4541)];
  custom.add({ ...phishing, items: itemsByValue([...phishing.items.values(), ...imitations]) });
  const deployed = custom.all;
  const [noon, evening] = [Date.UTC(2025, 0, 1, 12), Date.UTC(2025, 0, 1, 18)];
  const launch = { by: portalUser, atMs: noon };
  const objects = {
    sites: storeOf<ThreatSite>("site", withStamps(sites)),
    policies: storeOf<ThreatPolicy>("policy", withStamps(policies)),
    honeypots: storeOf<Honeypot>("honeypot", withStamps(honeypots)),
    emergency: new Store<EmergencyListState>("listType", (type) => `There is no emergency list ${type}`, emergency),
  };
  const threatConfiguration = {
    id: 1100,
    ...objects,
    lists: custom,
    deployments: storeOf<ConfigurationDeployment>("deployment", [
      {
        id: 5001,
        comment: "First deployment",
        ...launch,
        lastsMs: lastsMs.configuration,
        objects: copyObjects(objects),
      },
    ]),
    listDeployments: storeOf<ListDeployment>(
      "list deployment",
      deployed.map((list, at) => ({ id: 7001 + at, listId: list.id, ...launch, lastsMs: lastsMs.list, list })),
    ),
  };
  threatConfiguration.deployments.find(5001).objects.sites.delete(103);
  const items = itemsByValue([...tracking.items.values(), domain("beacon.example.net", 2)]);
  threatConfiguration.lists.add({ ...tracking, items, modifiedAtMs: evening });
  return threatConfiguration;
}

/** The objects as they are now. */
export const copyObjects = ({ sites, policies, honeypots, emergency }: DeployableObjects): DeployableObjects => ({
  sites: sites.copy(),
  policies: policies.copy(),
  honeypots: honeypots.copy(),
  emergency: emergency.copy(),
});

export const accountConfiguration = (world: World): ThreatConfiguration =>
  world.state("threat protection", () => configuration(world));

export function configurationOf(world: World, configId: number): ThreatConfiguration {
  const threatConfiguration = accountConfiguration(world);
  if (threatConfiguration.id !== configId) throw notFound(`There is no configuration ${configId}`);
  return threatConfiguration;
}

/** What an object has when it is written now; two changes within a millisecond have two stamps. */
export const stampObject = (
  world: World,
  former: StampedObject | readonly [series: string, firstId: number],
): StampedObject =>
  "stamp" in former
    ? { id: former.id, ...authorshipNow(world, former), stamp: Math.max(world.now(), former.stamp + 1) }
    : { id: world.next(...former), ...authorshipNow(world), stamp: world.now() };
/** The object with another content, changed now. */
export const withContent = <T extends StampedObject>(world: World, object: T, content: Partial<T>): T => ({
  ...object,
  ...content,
  ...stampObject(world, object),
});

type Headers = Readonly<Record<string, string>>;

/** Refuses a write that does not show the present stamp. The reader of requests has refused one without any. */
export function checkStamp({ stamp }: StampedObject, { "if-match": given }: Headers): void {
  if (given !== undefined && given !== "*" && given !== `"${stamp}"`)
    throw new RequestRefusal(412, "Precondition Failed", `It was changed meanwhile. Code-090414`);
}

/** What the collections of a configuration have in common: each change needs the stamp, which every answer shows. */
export const stampChecks = {
  checkChange: (one: StampedObject, _: World, headers: Headers) => checkStamp(one, headers),
  headers: (one: StampedObject) => ({ etag: `"${one.stamp}"` }),
};
/** The path of everything that belongs to a configuration. */
export interface ConfigurationPath {
  readonly configId: number;
}
export const locationOf =
  (segment: string) =>
  ({ id }: { readonly id: number }, { configId }: ConfigurationPath): string =>
    `/etp-config/v1/configs/${configId}/${segment}/${id}`;
/** Most writes answer with headers only. */
export const headersOnly = (_?: unknown, headers?: Headers) => ok(undefined, headers);

/** Refuses a name that another one of the kind has. */
export function checkName<T extends NamedObject>(all: Store<T>, name: T["name"], former: T | undefined): void {
  if (all.rival("name", name, former)) throw conflict(`The name :${name} is not unique. Code-090415`);
}

export const maxItems = 200_000;
export const itemsIn = ({ lists }: ThreatConfiguration): number =>
  lists.all.reduce((sum, { items }) => sum + items.size, 0);

/** Puts other items in a list; refuses more than the custom lists of the configuration may hold together. */
export function putItems(
  world: World,
  threatConfiguration: ThreatConfiguration,
  list: ThreatList,
  items: ReadonlyMap<string, ThreatListItem>,
): void {
  if (itemsIn(threatConfiguration) + items.size - list.items.size > maxItems)
    throw conflict(`The lists would hold more than ${maxItems} items. Code-090420`);
  threatConfiguration.lists.add(withContent(world, list, { items }));
}

/** The configuration that was deployed last, though it may not be live yet. */
export const lastDeployedObjects = (own: ThreatConfiguration): DeployableObjects =>
  own.deployments.all.at(-1)?.objects ?? own;
/** The state of a list that was deployed last; undefined where there is none. */
export const lastDeployedList = ({ listDeployments }: ThreatConfiguration, listId: number): ThreatList | undefined =>
  listDeployments.all.findLast((one) => one.listId === listId)?.list;
