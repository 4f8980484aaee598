/** The emulated account that all services share: people, contracts, CP codes, hosts, addresses, locations. */
export const account = { id: "1-7KLGH", name: "Example Shops", supportLevel: "STANDARD" } as const;

/** The accounts that API clients with the right to switch can act on, too; a key begins with the id of its account. */
export const otherAccounts = [
  { accountName: "Example Shops Outlet", accountSwitchKey: "1-8OUTL:1-8BYUX" },
  { accountName: "Example Shops Nordic", accountSwitchKey: "1-9NORD:1-8BYUX" },
  { accountName: "Made-up Media", accountSwitchKey: "1-5MEDI:1-8BYUX" },
] as const;

/** The people that services name as users, contacts and authors. */
interface Person {
  readonly login: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

const person = (login: string, firstName: string, lastName: string): Person => ({
  login,
  firstName,
  lastName,
  email: `${login}@shop.example`,
});

export const owner = person("mheld", "Maria", "Held");
/** All who work with the account, the owner first. */
export const people: readonly Person[] = [
  owner,
  person("jbrandt", "Jonas", "Brandt"),
  person("rchen", "Rosa", "Chen"),
  person("tokafor", "Tunde", "Okafor"),
];

/** The user who created the initial objects. */
export const portalUser = owner.login;
/** The user whose credentials sign the requests, so that whatever is written is hers. */
export const userInUse = owner.login;
/** The id under which the user in use is known. */
export const ownUserId = "A-B-100001";
/** API clients with the users who own them; the first one signs the requests. */
export const apiClients = [
  { openIdentityId: "oi-1000", ownerId: ownUserId },
  { openIdentityId: "oi-7421", ownerId: "A-B-100003" },
  { openIdentityId: "oi-7422", ownerId: "A-B-100003" },
] as const;

export interface Contract {
  readonly id: string;
  readonly isChild: boolean;
  readonly isExpired: boolean;
  readonly products: readonly { readonly id: string; readonly name: string }[];
}
const delivery = { id: "M-SITE-7", name: "Site delivery" } as const;
const gateway = { id: "M-API-2", name: "API gateway" } as const;
/** The contract of all delivery traffic. */
export const mainContractId = "C-1FRYVV3";
export const contracts: readonly Contract[] = [
  { id: mainContractId, isChild: false, isExpired: false, products: [delivery, gateway] },
  { id: "3-MADEUP", isChild: false, isExpired: false, products: [delivery] },
  { id: "C-1FRYVV4", isChild: true, isExpired: false, products: [gateway] },
  { id: "3-EXPIRED", isChild: false, isExpired: true, products: [delivery] },
];

export const groups: readonly {
  readonly id: number;
  readonly name: string;
  readonly contractIds: readonly string[];
}[] = [
  { id: 11111, name: "Shops", contractIds: [mainContractId] },
  { id: 22222, name: "Everything", contractIds: [mainContractId, "3-MADEUP"] },
];

export interface CpCode {
  readonly id: string;
  readonly name: string;
  readonly contractId: string;
  readonly product: Contract["products"][number];
  /** Requests in an average hour. */
  readonly hitsPerHour: number;
  /** The share of successful requests that miss the cache. */
  readonly originShare: number;
}
const shop = { id: "12345", name: "Shop", contractId: mainContractId, product: delivery } as const;
const api = { id: "12346", name: "Shop API", contractId: mainContractId, product: gateway } as const;
const images = { id: "67890", name: "Images", contractId: mainContractId, product: delivery } as const;
const live = { id: "67891", name: "Live", contractId: mainContractId, product: delivery } as const;
const liveEvents = { id: "67892", name: "Live events", contractId: mainContractId, product: delivery } as const;
export const cpCodes: readonly CpCode[] = [
  { ...shop, hitsPerHour: 90_000, originShare: 0.3 },
  { ...api, hitsPerHour: 26_000, originShare: 1 },
  { ...images, hitsPerHour: 9_000, originShare: 0.1 },
  { ...live, hitsPerHour: 4_000, originShare: 0.05 },
  { ...liveEvents, hitsPerHour: 1_500, originShare: 0.05 },
];
/** The CP code of the incident, and the one whose origin currently refuses connections. */
export const incidentCpCode = shop.id;
export const refusedCpCode = api.id;

/** The encrypted and the plain network, with the share of traffic on each. */
export const networks: Readonly<Record<string, { readonly name: string; readonly share: number }>> = {
  both: { name: "Both networks", share: 1 },
  essl: { name: "Encrypted traffic", share: 0.8 },
  freeflow: { name: "Plain traffic", share: 0.2 },
};

/** Addresses are in the documentation ranges: 192.0.2 is the edge, 203.0.113 the account's servers, 198.51.100 visitors. */
export interface Host {
  readonly name: string;
  readonly cpCode: number;
  readonly originName: string;
  readonly originIp: string;
  readonly serialNumber: number;
  readonly ttl: string;
  /** Its share of the requests to its CP code. */
  readonly share: number;
}
const origin = { originName: "origin.shop.example", originIp: "203.0.113.10" } as const;
const apiOrigin = { originName: "origin-api.shop.example", originIp: "203.0.113.66" } as const;
/** The hosts configured on the CDN. The last one's name resolves elsewhere until its zone is changed. */
export const hosts: readonly Host[] = [
  { name: "www.shop.example", cpCode: 12345, ...origin, serialNumber: 1682, ttl: "3600", share: 1 },
  { name: "api.shop.example", cpCode: 12346, ...apiOrigin, serialNumber: 1683, ttl: "0", share: 1 },
  { name: "images.shop.example", cpCode: 67890, ...origin, serialNumber: 1684, ttl: "Infinite", share: 1 },
  { name: "www.example.com", cpCode: 12345, ...origin, serialNumber: 1685, ttl: "3600", share: 0 },
];

const liveOrigin = { originName: "origin-live.shop.example", originIp: "203.0.113.70", ttl: "0", share: 1 } as const;
/** The hosts that live streaming delivers on both networks, without a property. */
export const liveHosts: readonly Host[] = [
  { name: "live.shop.example", cpCode: 67891, ...liveOrigin, serialNumber: 1686 },
  { name: "events.shop.example", cpCode: 67892, ...liveOrigin, serialNumber: 1687 },
];
export const everyHost: readonly Host[] = [...hosts, ...liveHosts];

/** The CDN's own zones by the network that their names lead to; in each, every edge hostname has its name. */
export const edgeZoneName = "edgesuite.example";
export const secureEdgeZoneName = "edgekey.example";
export const edgeNameOf = (host: Host): string => `${host.name}.${edgeZoneName}.`;
/** The zone in which the names of another lead to the staging network. */
export const stagingZoneName = (zoneName: string): string => zoneName.replace(".", "-staging.");

/** The origins that edge logic can forward to, under the host name of the property's usual one. */
export const conditionalOrigins: Readonly<
  Record<string, readonly { readonly id: string; readonly hostName: string }[]>
> = {
  [origin.originName]: [
    { id: "shopFrankfurt", hostName: origin.originName },
    { id: "shopStandby", hostName: "standby.shop.example" },
  ],
  [apiOrigin.originName]: [{ id: "apiFrankfurt", hostName: apiOrigin.originName }],
};

/** DNS zones with their average responses per second, and the contract under which they are served. */
export const servedZones: readonly {
  readonly name: string;
  readonly contractId: string;
  readonly responsesPerSecond: number;
}[] = [
  { name: "example.com", contractId: mainContractId, responsesPerSecond: 160 },
  { name: "shop.example", contractId: mainContractId, responsesPerSecond: 35 },
];

/** Traffic management properties with two data centers, of which the second is a standby. */
export const trafficProperties = [
  {
    property: "www",
    domain: "shop.example",
    hostName: "www.shop.example",
    testIps: ["203.0.113.9"],
    targetIps: [origin.originIp, "203.0.113.11"],
  },
] as const;

/** Resolver-service objects, whose queries are logged. */
export const resolvers = [{ id: "6601", name: "Office resolvers" }] as const;

/** The tests behind service level agreements, each of a host. */
export const serviceLevelTests = [{ id: "25707", name: "Shop front page", cpCode: shop.id }] as const;

/** The geographic location of an address. */
export interface Place {
  readonly city: string;
  readonly countryCode: string;
  /** The code of the region within the country. */
  readonly regionCode: string;
  readonly continent: string;
  readonly timeZone: string;
  readonly latitude: number;
  readonly longitude: number;
}
const frankfurt = {
  city: "FRANKFURT",
  countryCode: "DE",
  regionCode: "HE",
  continent: "EU",
  timeZone: "GMT+1",
  latitude: 50.11,
  longitude: 8.68,
} as const;
const berlin = { ...frankfurt, city: "BERLIN", regionCode: "BE", latitude: 52.52, longitude: 13.41 } as const;

export interface Location extends Place {
  readonly id: string;
  readonly value: string;
  /** The address of the edge server there. */
  readonly edgeIp: string;
  readonly region: number;
  /** Latency to an origin in Frankfurt, in milliseconds. */
  readonly toOriginMs: number;
}
const at = (
  id: string,
  value: string,
  [countryCode, regionCode, continent, timeZone]: readonly [string, string, string, string],
  [latitude, longitude]: readonly [number, number],
  last: number,
  toOriginMs: number,
): Location => ({
  id,
  value,
  city: (id.split("-")[0] ?? "").toUpperCase(),
  countryCode,
  regionCode,
  continent,
  timeZone,
  latitude,
  longitude,
  edgeIp: `192.0.2.${last}`,
  region: 4_000 + last,
  toOriginMs,
});
export const locations: readonly Location[] = [
  at("frankfurt-germany", "Frankfurt, Germany", ["DE", "HE", "EU", "GMT+1"], [50.11, 8.68], 10, 2),
  at("tokyo-japan", "Tokyo, Japan", ["JP", "13", "AS", "GMT+9"], [35.69, 139.69], 20, 228),
  at("saopaulo-brazil", "Sao Paulo, Brazil", ["BR", "SP", "SA", "GMT-3"], [-23.55, -46.63], 30, 204),
  at("sanjose-ca-unitedstates", "San Jose, CA, United States", ["US", "CA", "NA", "PST"], [37.33, -121.89], 40, 151),
  at("sydney-australia", "Sydney, Australia", ["AU", "NSW", "OC", "GMT+10"], [-33.87, 151.21], 50, 281),
  at("zurich-switzerland", "Zurich, Switzerland", ["CH", "ZH", "EU", "GMT+1"], [47.38, 8.54], 60, 7),
];
/** The edge server of the staging network, which no visitor reaches and no list of locations has. */
export const stagingEdge = at(
  "frankfurt-staging",
  "Frankfurt, Germany",
  ["DE", "HE", "EU", "GMT+1"],
  [50.11, 8.68],
  200,
  2,
);
const edges: readonly Location[] = [...locations, stagingEdge];
/** The edge server with an address, on either network. */
export const edgeAt = (ipAddress: string): Location | undefined => edges.find(({ edgeIp }) => edgeIp === ipAddress);

/** Picks a visitor's address by a share in [0, 1); all are in Berlin. The addresses above them are routers. */
export const visitorIp = (share: number): string => `198.51.100.${1 + Math.floor(share * 190)}`;
export const routerIp = (hop: number): string => `198.51.100.${200 + hop}`;
export const visitorPlace = "Berlin, Germany";

/** The place and the network of an address; undefined for an address that the world does not have. */
export function placeOf(ipAddress: string): { readonly place: Place; readonly asNum: string } | undefined {
  const edge = edgeAt(ipAddress);
  if (edge) return { place: edge, asNum: "20940" };
  if (ipAddress.startsWith("203.0.113.")) return { place: frankfurt, asNum: "64500" };
  return ipAddress.startsWith("198.51.100.") ? { place: berlin, asNum: "64501" } : undefined;
}
