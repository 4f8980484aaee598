/** The includes of the emulated account, which are versioned and activated like properties, and the properties that use them. */
import { dayMs } from "../../../time/durations.js";
import type { TreeRule } from "../../../tools/properties/shapes.js";
import { byId } from "../../primitives/store.js";
import { notFound } from "../../reply.js";
import type { World } from "../../world.js";
import { mainContractId, portalUser } from "../account.js";
import { type ContractPlace, checkPlace } from "../properties/lookup.js";
import { liveVersion } from "../properties/networks.js";
import { propertiesIn } from "../properties/served.js";
import { rulesIn } from "../properties/validation.js";
import {
  assetIdOf,
  type EdgeNetwork,
  edgeNetworks,
  type Property,
  type PropertyActivation,
  products,
  type StoredPropertyVersion,
} from "../properties/world.js";

export interface Include extends Property {
  readonly includeType: "COMMON_SETTINGS" | "MICROSERVICES";
}

const cachingRule = (ttl: string): TreeRule => ({
  name: "default",
  options: { is_secure: false },
  criteria: [],
  behaviors: [{ name: "caching", options: { behavior: "MAX_AGE", ttl } }],
  children: [],
});

function seeds(world: World): Map<string, Include> {
  const before = (days: number) => world.startedAtMs - days * dayMs;
  const version = (number: number, days: number, ttl: string, note: string): StoredPropertyVersion => ({
    ...{ number, note, updatedBy: portalUser, updatedAtMs: before(days) },
    ...{ ruleFormat: "v2015-08-08", rules: cachingRule(ttl), hostnames: [] },
  });
  const live = (id: number, of: number, network: EdgeNetwork, submittedAtMs: number): PropertyActivation => ({
    ...{ id: `atv_${id}`, version: of, network, type: "ACTIVATE", note: `Version ${of}`, submittedAtMs },
    notifyEmails: ["operations@shop.example"],
  });
  const include = (
    number: number,
    name: string,
    includeType: Include["includeType"],
    versions: StoredPropertyVersion[],
    activations: PropertyActivation[],
  ): Include => {
    const owner = { contractId: `ctr_${mainContractId}`, groupId: "grp_11111", assetId: assetIdOf(number) };
    const about = { name, includeType, productId: products[0].id, note: "" };
    return { id: `inc_${number}`, ...owner, ...about, versions, activations };
  };
  return byId([
    include(
      310_001,
      "shared-caching",
      "COMMON_SETTINGS",
      [version(1, 250, "1h", "First version"), version(2, 3, "6h", "Cache longer")],
      [live(5_101, 1, "STAGING", before(249)), live(5_102, 1, "PRODUCTION", before(248))],
    ),
    include(
      310_002,
      "image-caching",
      "MICROSERVICES",
      [version(1, 90, "1d", "First version"), version(2, 1, "30d", "Cache for a month")],
      [live(5_104, 1, "PRODUCTION", before(89)), live(5_103, 2, "PRODUCTION", world.startedAtMs - 30_000)],
    ),
    include(310_003, "draft-caching", "COMMON_SETTINGS", [version(1, 5, "5m", "Draft")], []),
  ]);
}

export const includesIn = (world: World): Map<string, Include> => world.state("includes", () => seeds(world));

export function includeOf(world: World, { includeId }: { readonly includeId: string }, place: ContractPlace): Include {
  checkPlace(world, place);
  const found = includesIn(world).get(includeId);
  const { contractId = found?.contractId, groupId = found?.groupId } = place;
  if (!found || contractId !== found.contractId || groupId !== found.groupId)
    throw notFound(`There is no include ${includeId} here`);
  return found;
}

const usesInclude = ({ rules }: StoredPropertyVersion, includeId: string): boolean =>
  [...rulesIn(rules)].some(([{ behaviors = [] }]) =>
    behaviors.some(({ name, options }) => name === "include" && options?.["id"] === includeId),
  );

/** The properties with an active version that uses an include. */
export const parentsOf = (world: World, { id }: Include): readonly Property[] =>
  propertiesIn(world).filter((property) =>
    edgeNetworks.some((network) => {
      const live = liveVersion(property, network, world.now());
      return property.versions.some((version) => version.number === live && usesInclude(version, id));
    }),
  );
