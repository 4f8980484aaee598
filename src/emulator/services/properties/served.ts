/** What the edge serves: the hosts of the versions on the production network, and the account's CP codes. */
import { memberAt } from "../../../api/member.js";
import type { World } from "../../world.js";
import { edgeZoneName, type Host, hosts } from "../account.js";
import { liveVersion } from "./networks.js";
import { products, stateOf, type Version } from "./world.js";

/** The address of an origin that the account's initial hosts do not have. */
const otherOriginIp = "203.0.113.99";

const optionOf = ({ rules }: Version, behavior: string, option: string): unknown =>
  memberAt(rules.behaviors?.find(({ name }) => name === behavior)?.options, option);

/** The hosts that are configured on the production network now: what diagnostics know and what can be purged. */
export function servedHosts(world: World): readonly Host[] {
  const served = [...stateOf(world).properties.values()].flatMap((property) => {
    const live = liveVersion(property, "PRODUCTION", world);
    const version = property.versions.find(({ number }) => number === live);
    if (!version) return [];
    const originName = String(optionOf(version, "origin", "hostname"));
    const originIp = hosts.find((host) => host.originName === originName)?.originIp ?? otherOriginIp;
    return version.hostnames.map(({ cnameFrom: name, edgeHostnameId }): Host => {
      const initial = hosts.find((host) => host.name === name);
      const cpCode = Number(optionOf(version, "cpCode", "value.id"));
      const { ttl = "3600", share = 0 } = initial ?? {};
      return { name, cpCode, originName, originIp, serialNumber: Number(edgeHostnameId.slice(4)), ttl, share };
    });
  });
  return served.sort((a, b) => a.serialNumber - b.serialNumber);
}

/** The names in the CDN's own zone, each of an edge hostname. */
export const edgeNames = (world: World): readonly string[] =>
  [...stateOf(world).edgeHostnames.values()]
    .filter(({ suffix }) => suffix === edgeZoneName)
    .map(({ prefix, suffix }) => `${prefix}.${suffix}.`);

/** The account's CP codes by number, with the product of the contract that each belongs to. */
export const ownCpCodes = (world: World) =>
  [...stateOf(world).cpCodes.values()].map(({ id, contractId, productId }) => ({
    id: id.slice(4),
    contractId: contractId.slice(4),
    productId: products.find((one) => one.id === productId)?.soldAs ?? "",
  }));
