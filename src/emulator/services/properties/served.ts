/** What the edge serves: the hosts of the versions on a network, and the account's CP codes. */
import { memberAt } from "../../../api/member.js";
import type { World } from "../../world.js";
import { edgeZoneName, type Host, hosts, secureEdgeZoneName } from "../account.js";
import { liveVersion } from "./networks.js";
import { type Network, type Property, products, stateOf, type Version } from "./world.js";

/** The address of an origin that the account's initial hosts do not have. */
const otherOriginIp = "203.0.113.99";

const optionOf = ({ rules }: Version, behavior: string, option: string): unknown =>
  memberAt(rules.behaviors?.find(({ name }) => name === behavior)?.options, option);

/** All properties of the account. */
export const propertiesIn = (world: World): readonly Property[] => [...stateOf(world).properties.values()];

/** The number of an object, without the prefix of its id. */
export const numberOf = (id: string): number => Number(id.slice(4));

/** The version of a property that a network has, now or at an earlier instant. */
export function versionOn(world: World, property: Property, network: Network, atMs = world.now()): Version | undefined {
  const live = liveVersion(property, network, atMs);
  return property.versions.find(({ number }) => number === live);
}

/** The host name of the origin to which a version forwards what no rule sends elsewhere. */
export const originNameOf = (version: Version): string => String(optionOf(version, "origin", "hostname"));

/** The hosts that are configured on a network: what diagnostics know there, and what can be purged. */
export function servedHosts(world: World, network: Network = "PRODUCTION", atMs = world.now()): readonly Host[] {
  const served = propertiesIn(world).flatMap((property) => {
    const version = versionOn(world, property, network, atMs);
    if (!version) return [];
    const originName = originNameOf(version);
    const originIp = hosts.find((host) => host.originName === originName)?.originIp ?? otherOriginIp;
    const cpCode = Number(optionOf(version, "cpCode", "value.id"));
    return version.hostnames.map(({ cnameFrom: name, edgeHostnameId }): Host => {
      const { ttl = "3600", share = 0 } = hosts.find((host) => host.name === name) ?? {};
      return { name, cpCode, originName, originIp, serialNumber: numberOf(edgeHostnameId), ttl, share };
    });
  });
  return served.sort((a, b) => a.serialNumber - b.serialNumber);
}

/** The property whose version on a network has a hostname. */
export const propertyServing = (world: World, network: Network, hostName: string): Property | undefined =>
  propertiesIn(world).find((property) =>
    versionOn(world, property, network)?.hostnames.some(({ cnameFrom }) => cnameFrom === hostName),
  );

/** The names that edge hostnames have in one of the CDN's own zones, without the zone. */
export const edgeNamesIn = (world: World, zoneName: string): readonly string[] =>
  [...stateOf(world).edgeHostnames.values()].filter(({ suffix }) => suffix === zoneName).map(({ prefix }) => prefix);
export const edgeZoneNames = [edgeZoneName, secureEdgeZoneName] as const;

/** The account's CP codes by number, with the product of the contract that each belongs to. */
export const ownCpCodes = (world: World) =>
  [...stateOf(world).cpCodes.values()].map(({ id, contractId, productId }) => ({
    id: id.slice(4),
    contractId: contractId.slice(4),
    productId: products.find((one) => one.id === productId)?.soldAs ?? "",
  }));
