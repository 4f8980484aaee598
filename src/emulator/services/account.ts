/** The emulated account that all services share: people, contracts, CP codes, hosts, addresses, locations. */
import data from "./account.json" with { type: "json" };

/** The other accounts are those that API clients with the right to switch can act on; a key begins with the account's id. */
export const { account, otherAccounts } = data;

export const { owner } = data;
/** All who work with the account, the owner first. */
export const people = [owner, ...data.colleagues];

/** The user who created the initial objects. */
export const portalUser = owner.login;
/** The user whose credentials sign the requests, so that whatever is written is hers. */
export const userInUse = owner.login;
/** The id under which the user in use is known. */
export const userInUseId = "A-B-100001";
/** API clients with the users who own them; the first one signs the requests. */
export const apiClients = [
  { openIdentityId: "oi-1000", ownerId: userInUseId },
  { openIdentityId: "oi-7421", ownerId: "A-B-100003" },
  { openIdentityId: "oi-7422", ownerId: "A-B-100003" },
] as const;

/** The contract of all delivery traffic. */
export const mainContractId = "C-1FRYVV3";
export type AccountContract = (typeof data.contracts)[number];
export const contracts: readonly AccountContract[] = data.contracts;
/** The groups that contracts are sold to, and those below them. */
export const { groups, subGroups } = data;

export type AccountCpCode = (typeof data.cpCodes)[number];
/** CP codes with the requests of an average hour, and the share of the successful ones that miss the cache. */
export const cpCodes: readonly AccountCpCode[] = data.cpCodes;
/** The CP code of the incident, and the one whose origin currently refuses connections. */
export const incidentCpCode = "12345";
export const refusedCpCode = "12346";

/** The encrypted and the plain network, with the share of traffic on each. */
export const deliveryNetworks: Readonly<Record<string, { readonly name: string; readonly share: number }>> =
  data.networks;

export type AccountHost = (typeof data.hosts)[number];
/**
 * The hosts configured on the CDN, each with its share of the requests to its CP code. The last one's name resolves
 * elsewhere until its zone is changed. Addresses are in the documentation ranges: 192.0.2 is the edge, 203.0.113 the
 * account's servers, 198.51.100 visitors.
 */
export const hosts: readonly AccountHost[] = data.hosts;
/** The hosts that live streaming delivers on both networks, without a property. */
export const { liveHosts } = data;
/** The live streams that every world begins with. Their ids are text: the API may write zeros before them. */
export const { streams } = data;
export const everyHost: readonly AccountHost[] = [...hosts, ...liveHosts];

/** The CDN's own zones by the network that their names lead to; in each, every edge hostname has its name. */
export const edgeZoneName = "edgesuite.example";
export const secureEdgeZoneName = "edgekey.example";
export const edgeNameOf = (host: AccountHost): string => `${host.name}.${edgeZoneName}.`;
/** The zone in which the names of another lead to the staging network. */
export const stagingZoneName = (zoneName: string): string => zoneName.replace(".", "-staging.");

/** The origins that edge logic can forward to, under the host name of the property's usual one. */
export const conditionalOrigins: Readonly<
  Record<string, readonly { readonly id: string; readonly hostName: string }[]>
> = data.conditionalOrigins;

/** DNS zones with their average responses per second, and the contract under which they are served. */
export const { servedZones } = data;
/** Traffic management properties with two data centers, of which the second is a standby. */
export const { trafficProperties } = data;
/** Resolver-service objects, whose queries are logged. */
export const { resolvers } = data;
/** The tests behind service level agreements, each of a host. */
export const { serviceLevelTests } = data;

export type EdgeLocation = (typeof data.locations)[number];
/** Where edge servers are, each with its address and its latency to an origin in Frankfurt, in milliseconds. */
export const locations: readonly EdgeLocation[] = data.locations;
/** The edge server of the staging network, which no visitor reaches and no list of locations has. */
export const { stagingEdge } = data;
/** The edge server with an address, on either network. */
export const edgeAt = (ipAddress: string): EdgeLocation | undefined =>
  [...locations, stagingEdge].find(({ edgeIp }) => edgeIp === ipAddress);

/** The geographic location of an address; the region's code is one within the country. */
type GeoLocation = Omit<EdgeLocation, "id" | "value" | "edgeIp" | "region" | "toOriginMs">;
const frankfurt: GeoLocation = {
  city: "FRANKFURT",
  countryCode: "DE",
  regionCode: "HE",
  continent: "EU",
  timeZone: "GMT+1",
  latitude: 50.11,
  longitude: 8.68,
};
const berlin: GeoLocation = { ...frankfurt, city: "BERLIN", regionCode: "BE", latitude: 52.52, longitude: 13.41 };

/** Picks a visitor's address by a share in [0, 1); all are in Berlin. The addresses above them are routers. */
export const visitorIp = (share: number): string => `198.51.100.${1 + Math.floor(share * 190)}`;
export const routerIp = (hop: number): string => `198.51.100.${200 + hop}`;
export const visitorPlace = "Berlin, Germany";

/** The place and the network of an address; undefined for an address that the world does not have. */
export function geoLocationOf(ipAddress: string): { readonly place: GeoLocation; readonly asNum: string } | undefined {
  const edge = edgeAt(ipAddress);
  if (edge) return { place: edge, asNum: "20940" };
  if (ipAddress.startsWith("203.0.113.")) return { place: frankfurt, asNum: "64500" };
  return ipAddress.startsWith("198.51.100.") ? { place: berlin, asNum: "64501" } : undefined;
}
