/** How the edge-logic API shows the properties that use its policies, and the origins that they forward to. */
import type { World } from "../../world.js";
import { conditionalOrigins, portalUser } from "../account.js";
import { numberOf, originNameOf, versionOn } from "../properties/served.js";
import type { EdgeNetwork, Property, StoredPropertyVersion } from "../properties/world.js";
import { activeVersion, checksumOf, policies } from "./policy-store.js";

/** Who activated a property's version on a network, and when; empty if it was never activated. */
export function activatorOf({ activations }: Property, version: number | undefined, network: EdgeNetwork) {
  const last = activations.findLast((one) => one.version === version && one.network === network);
  return { activatedBy: last ? portalUser : null, activationDate: last?.submittedAtMs ?? 0 };
}

/** The origins that edge logic can forward to from a version of a property. */
export const originsOf = (world: World, version: StoredPropertyVersion | undefined) =>
  (conditionalOrigins[version ? originNameOf(version) : ""] ?? []).map(({ id, hostName }) => ({
    originId: id,
    hostname: hostName,
    type: "CUSTOMER",
    checksum: checksumOf(world, id, hostName),
  }));

/** Properties by their names, each version with the policies that it refers to. */
export const propertyBodies = (world: World, properties: readonly Property[]) =>
  Object.fromEntries(
    properties.flatMap((property) => {
      const { groupId, name, versions } = property;
      const newest = versions.at(-1);
      if (!newest) return [];
      const shownVersion = (version: StoredPropertyVersion, from: readonly EdgeNetwork[]) => {
        const brought = from
          .map((network) => activatorOf(property, version.number, network))
          .find(({ activatedBy }) => activatedBy !== null);
        return {
          version: version.number,
          activatedBy: brought?.activatedBy ?? null,
          activationDate: brought ? new Date(brought.activationDate).toISOString().slice(0, 10) : null,
          referencedPolicies: policies(world)
            .filter((policy) => from.some((network) => activeVersion(world, policy, network, property) > 0))
            .map(({ name }) => name),
          cloudletsOrigins: Object.fromEntries(originsOf(world, version).map((one) => [one.originId, one])),
        };
      };
      const on = (network: EdgeNetwork) => {
        const version = versionOn(world, property, network);
        return version ? shownVersion(version, [network]) : null;
      };
      const newestVersion = shownVersion(newest, ["PRODUCTION", "STAGING"]);
      const body = {
        groupId: numberOf(groupId),
        name,
        newestVersion,
        production: on("PRODUCTION"),
        staging: on("STAGING"),
      };
      return [[name, body] as const];
    }),
  );
