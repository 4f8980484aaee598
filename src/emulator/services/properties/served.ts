/** What the edge serves: the hosts of the versions on a network, and the account's CP codes. */
import { memberAt } from "../../../language/member.js";
import type { World } from "../../world.js";
import { type AccountHost, contracts, edgeZoneName, everyHost, liveHosts, secureEdgeZoneName } from "../account.js";
import { liveVersion } from "./networks.js";
import { type EdgeNetwork, initialTtl, type Property, products, type StoredPropertyVersion, stateOf } from "./world.js";

/** The address of an origin that the account's initial hosts do not have. */
export const otherOriginIp = "203.0.113.99";

const optionOf = ({ rules }: StoredPropertyVersion, behavior: string, option: string): unknown =>
  memberAt(rules.behaviors?.find(({ name }) => name === behavior)?.options, option);

/** All properties of the account. */
export const propertiesIn = (world: World): readonly Property[] => [...stateOf(world).properties.values()];

/** The number of an object, without the prefix of its id. */
export const numberOf = (id: string): number => Number(id.slice(4));

/** The version of a property that a network has, now or at an earlier instant. */
export function versionOn(
  world: World,
  property: Property,
  network: EdgeNetwork,
  atMs = world.now(),
): StoredPropertyVersion | undefined {
  const live = liveVersion(property, network, atMs);
  return property.versions.find(({ number }) => number === live);
}

/** The host name of the origin to which a version forwards what no rule sends elsewhere. */
export const originNameOf = (version: StoredPropertyVersion): string => String(optionOf(version, "origin", "hostname"));

const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
/** The seconds of a time to live as rules write it, such as `1d12h`. */
const secondsOf = (ttl: string): number =>
  ttl
    .split(/(?<=[smhd])/)
    .reduce((sum, part) => sum + Number.parseInt(part, 10) * (secondsIn[part.at(-1) ?? ""] ?? 0), 0);

/** How long the edge keeps the objects of a host, by its account's data until a version's default rule says otherwise. */
function ttlOf(version: StoredPropertyVersion, initial: AccountHost | undefined): string {
  const [behavior, ttl] = [optionOf(version, "caching", "behavior"), optionOf(version, "caching", "ttl")];
  if (behavior === "NO_STORE" || behavior === "BYPASS_CACHE") return "0";
  const isInitial = behavior !== "MAX_AGE" || (initial !== undefined && ttl === initialTtl(initial));
  return isInitial ? (initial?.ttl ?? "3600") : String(secondsOf(String(ttl)));
}

/** The hosts that are configured on a network: what diagnostics know there, and what can be purged. */
export function servedHosts(
  world: World,
  network: EdgeNetwork = "PRODUCTION",
  atMs = world.now(),
): readonly AccountHost[] {
  const served = propertiesIn(world).flatMap((property) => {
    const version = versionOn(world, property, network, atMs);
    if (!version) return [];
    const originName = originNameOf(version);
    const originIp = everyHost.find((host) => host.originName === originName)?.originIp ?? otherOriginIp;
    const cpCode = Number(optionOf(version, "cpCode", "value.id"));
    return version.hostnames.map(({ cnameFrom: name, edgeHostnameId }): AccountHost => {
      const initial = everyHost.find((host) => host.name === name);
      const [ttl, share] = [ttlOf(version, initial), initial?.share ?? 0];
      return { name, cpCode, originName, originIp, serialNumber: numberOf(edgeHostnameId), ttl, share };
    });
  });
  return [...served, ...liveHosts].sort((a, b) => a.serialNumber - b.serialNumber);
}

/** The property whose version on a network has a hostname. */
export const propertyServing = (world: World, network: EdgeNetwork, hostName: string): Property | undefined =>
  propertiesIn(world).find((property) =>
    versionOn(world, property, network)?.hostnames.some(({ cnameFrom }) => cnameFrom === hostName),
  );

/** The names that edge hostnames have in one of the CDN's own zones, without the zone. */
export const edgeNamesIn = (world: World, zoneName: string): readonly string[] => [
  ...[...stateOf(world).edgeHostnames.values()].filter(({ suffix }) => suffix === zoneName).map(({ prefix }) => prefix),
  ...(zoneName === edgeZoneName ? liveHosts.map(({ name }) => name) : []),
];
export const edgeZoneNames = [edgeZoneName, secureEdgeZoneName] as const;

/** What each of the account's contracts sells, by the product's id there. */
const soldProducts = new Map(
  contracts.flatMap((contract) => contract.products.map((product) => [product.id, product])),
);

/** A CP code as the services other than properties know it: by its number. */
export interface CurrentCpCode {
  readonly id: string;
  readonly name: string;
  readonly contractId: string;
  readonly groupId: number;
  readonly product: { readonly id: string; readonly name: string };
}

/** The account's CP codes as they are now, for every service that takes or lists them. */
export const currentCpCodes = (world: World): readonly CurrentCpCode[] =>
  [...stateOf(world).cpCodes.values()].map(({ id, name, contractId, groupId, productId }) => {
    const soldAs = products.find((one) => one.id === productId)?.soldAs ?? "";
    return {
      id: id.slice(4),
      name,
      contractId: contractId.slice(4),
      groupId: numberOf(groupId),
      product: soldProducts.get(soldAs) ?? { id: soldAs, name: soldAs },
    };
  });
