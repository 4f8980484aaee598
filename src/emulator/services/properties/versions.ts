/** Properties, versions, hostnames and rule trees of the emulated property service. */
import type { TreeRule } from "../../../tools/properties/shapes.js";
import type { versionOperations } from "../../../tools/properties/versions.js";
import { created, notFound, ok, RequestRefusal } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import { checkFormat } from "./content.js";
import {
  checkPlace,
  etagHeader,
  foundVersion,
  linkTo,
  ownerOf,
  propertyOf,
  propertyRefusal,
  versionOf,
  withPrefix,
} from "./lookup.js";
import { liveVersion, pendingActivation, versionStatus } from "./networks.js";
import {
  assetIdOf,
  type EdgeNetwork,
  edgeNetworks,
  etagOf,
  type Property,
  products,
  type StoredPropertyVersion,
  stateOf,
} from "./world.js";

/** A network serves a version, or nothing. */
const liveOn = (property: Property, network: EdgeNetwork, world: World): number | null =>
  liveVersion(property, network, world.now()) ?? null;

export const propertyItem = (property: Property, world: World) => ({
  ...ownerOf(property),
  propertyId: property.id,
  propertyName: property.name,
  latestVersion: property.versions.at(-1)?.number ?? 1,
  stagingVersion: liveOn(property, "STAGING", world),
  productionVersion: liveOn(property, "PRODUCTION", world),
  assetId: property.assetId,
  note: property.note,
});

/** A version as a search finds it. */
const foundItem = (property: Property, version: StoredPropertyVersion, world: World) => ({
  propertyVersion: version.number,
  updatedByUser: version.updatedBy,
  updatedDate: instant(version.updatedAtMs),
  productionStatus: versionStatus(property, version.number, "PRODUCTION", world),
  stagingStatus: versionStatus(property, version.number, "STAGING", world),
});
/** What a search finds of a property or an include: its active versions and the newest one (public facts B, 3.1). */
export const foundVersions = (property: Property, world: World) =>
  property.versions
    .filter(
      (version) =>
        version === property.versions.at(-1) ||
        edgeNetworks.some((network) => liveVersion(property, network, world.now()) === version.number),
    )
    .map((version) => {
      const item = { ...ownerOf(property), assetId: property.assetId, ...foundItem(property, version, world) };
      return [version, item] as const;
    });
export const versionItem = (property: Property, version: StoredPropertyVersion, world: World) => ({
  ...foundItem(property, version, world),
  etag: etagOf(property, version),
  productId: property.productId,
  ruleFormat: version.ruleFormat,
  note: version.note,
});

const versionsOf = (property: Property, versions: readonly StoredPropertyVersion[], world: World) => ({
  propertyId: property.id,
  propertyName: property.name,
  ...ownerOf(property),
  assetId: property.assetId,
  versions: { items: versions.map((one) => versionItem(property, one, world)) },
});

export const emptyTree: TreeRule = {
  name: "default",
  options: { is_secure: false },
  criteria: [],
  behaviors: [],
  children: [],
};

/** The version that a clone starts from; its stamp, where one is given, must be the present one. */
export function source(property: Property, number: number, stamp: string | undefined): StoredPropertyVersion {
  const version = versionOf(property, number);
  if (stamp !== undefined && stamp !== etagOf(property, version))
    throw new RequestRefusal(412, "Precondition Failed", "The source was changed meanwhile", { code: "etag-conflict" });
  return version;
}

/** Adds a version that is a copy of another, of a property or an include. @returns its number. */
export function addCopy(
  property: Property,
  request: { readonly createFromVersion: number; readonly createFromVersionEtag?: string | undefined },
  world: World,
): number {
  const from = source(property, request.createFromVersion, request.createFromVersionEtag);
  const number = (property.versions.at(-1)?.number ?? 0) + 1;
  const note = `Copy of version ${from.number}`;
  property.versions.push({ ...from, number, note, updatedBy: userInUse, updatedAtMs: world.now() });
  return number;
}

/** Refuses to delete a property or an include of which a version is active, or on its way to a network. */
export function checkInactive(property: Property, noun: "property" | "include", world: World): void {
  // The public documentation has this status for it (public facts B, 3.1).
  if (
    edgeNetworks.some(
      (network) =>
        liveVersion(property, network, world.now()) !== undefined || pendingActivation(property, network, world),
    )
  )
    throw propertyRefusal("http/internal-server-error", `A version of the ${noun} is active`, 500);
}

/** The number of the newest version, or of the one that is active on a network. */
export function latestVersion(property: Property, activatedOn: EdgeNetwork | undefined, world: World): number {
  const number =
    activatedOn === undefined ? property.versions.at(-1)?.number : liveVersion(property, activatedOn, world.now());
  if (number === undefined) throw notFound(`No version of ${property.id} is active on ${activatedOn}`);
  return number;
}

export const versionBehaviours: BehavioursOf<typeof versionOperations> = {
  properties_list: ({ query }, world) => {
    const { contractId, groupId } = checkPlace(world, query);
    const properties = [...stateOf(world).properties.values()].filter(
      (one) => one.contractId === contractId && one.groupId === groupId,
    );
    return ok({ properties: { items: properties.map((one) => propertyItem(one, world)) } });
  },
  property_create: ({ query, body }, world) => {
    const place = checkPlace(world, query);
    const { properties, settings } = stateOf(world);
    const productId = withPrefix("prd_", body.productId);
    if (!products.some((one) => one.id === productId))
      throw propertyRefusal("http/forbidden", `No product ${productId}`, 403);
    if (!/^[A-Za-z0-9._-]+$/.test(body.propertyName))
      throw propertyRefusal("property/invalid-name", "A name has letters, digits, dots, hyphens and underscores");
    if ([...properties.values()].some(({ name }) => name === body.propertyName))
      throw propertyRefusal("property/name-in-use", `${body.propertyName} is in use`);
    const { cloneFrom } = body;
    const original = cloneFrom && propertyOf(world, { propertyId: withPrefix("prp_", cloneFrom.propertyId) }, {});
    const from = original && source(original, cloneFrom.version, cloneFrom.cloneFromVersionEtag);
    const number = world.next("property", 180_001);
    const first: StoredPropertyVersion = {
      number: 1,
      note: "",
      updatedBy: userInUse,
      updatedAtMs: world.now(),
      ruleFormat: checkFormat(body.ruleFormat) ?? from?.ruleFormat ?? settings.ruleFormat,
      rules: from?.rules ?? emptyTree,
      hostnames: cloneFrom?.copyHostnames && from ? from.hostnames : [],
    };
    const id = `prp_${number}`;
    const owner = { ...place, assetId: assetIdOf(number), productId };
    properties.set(id, { id, name: body.propertyName, ...owner, note: "", versions: [first], activations: [] });
    const propertyLink = linkTo(`properties/${id}`, place);
    return created({ propertyLink }, { location: propertyLink });
  },
  property_get: ({ path, query }, world) =>
    ok({ properties: { items: [propertyItem(propertyOf(world, path, query), world)] } }),
  property_delete: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    checkInactive(property, "property", world);
    stateOf(world).properties.delete(property.id);
    return ok({ message: "Deletion Successful." });
  },

  property_versions_list: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    return ok(versionsOf(property, property.versions.toReversed().slice(0, 500), world));
  },
  property_version_create: ({ path, query, body }, world) => {
    const property = propertyOf(world, path, query);
    const number = addCopy(property, body, world);
    const versionLink = linkTo(`properties/${property.id}/versions/${number}`, property);
    return created({ versionLink }, { location: versionLink });
  },
  property_version_get: ({ path, query }, world) => {
    const { property, version } = foundVersion(world, path, query);
    return ok(versionsOf(property, [version], world), etagHeader(property, version));
  },
  property_latest_version_get: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    const number = latestVersion(property, query.activatedOn, world);
    const versionLink = linkTo(`properties/${property.id}/versions/${number}`, property);
    // Clients follow this redirect, so no operation declares it as an answer.
    throw new RequestRefusal(302, "Found", "", { members: { versionLink }, headers: { location: versionLink } });
  },
  property_version_find: ({ query }, world) => {
    const values = Object.entries(query).filter(([, value]) => value !== undefined);
    if (values.length !== 1)
      throw propertyRefusal(`search/${values.length === 0 ? "missing" : "extra"}-request-body-field`, "Give one value");
    const { propertyName, hostname, edgeHostname } = query;
    const fits = (property: Property, { hostnames }: StoredPropertyVersion): boolean =>
      property.name === propertyName ||
      hostnames.some(({ cnameFrom, cnameTo }) => cnameFrom === hostname || cnameTo === edgeHostname);
    const items = [...stateOf(world).properties.values()].flatMap((property) =>
      foundVersions(property, world)
        .filter(([version]) => fits(property, version))
        .map(([, item]) => ({
          ...item,
          propertyId: property.id,
          propertyName: property.name,
          ...(hostname === undefined ? {} : { hostname }),
          ...(edgeHostname === undefined ? {} : { edgeHostname }),
        })),
    );
    return ok({ versions: { items } });
  },
};
