/** Properties, versions, hostnames and rule trees of the emulated property service. */
import type { Behaviours } from "../../../api/behaviour.js";
import type { properties as declared } from "../../../tools/properties/index.js";
import type { Rule } from "../../../tools/properties/shapes.js";
import type { versionOperations } from "../../../tools/properties/versions.js";
import { Refusal } from "../../problem.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { apiClient } from "../account.js";
import {
  linkTo,
  notFound,
  ownerOf,
  type Place,
  propertyOf,
  refused,
  requiredPlace,
  shownTo,
  versionOf,
  withPrefix,
} from "./common.js";
import { liveVersion, underWay, versionStatus, wasActivated } from "./networks.js";
import { behaviorNames, criterionNames, validate } from "./validation.js";
import {
  copyOf,
  etagOf,
  type HostnameEntry,
  type Network,
  type Property,
  products,
  stateOf,
  type Version,
} from "./world.js";

type Own = Pick<Behaviours<typeof declared, World>, keyof typeof versionOperations>;
interface VersionPath {
  readonly propertyId: string;
  readonly propertyVersion: number;
}

/** A network serves a version, or nothing. */
const liveOn = (property: Property, network: Network, world: World): number | null =>
  liveVersion(property, network, world) ?? null;

const propertyItem = (property: Property, world: World) => ({
  ...ownerOf(property),
  propertyId: property.id,
  propertyName: property.name,
  latestVersion: property.versions.at(-1)?.number ?? 1,
  stagingVersion: liveOn(property, "STAGING", world),
  productionVersion: liveOn(property, "PRODUCTION", world),
  assetId: property.assetId,
  note: property.note,
});

const versionItem = (property: Property, version: Version, world: World) => ({
  propertyVersion: version.number,
  updatedByUser: version.updatedBy,
  updatedDate: instant(version.updatedAtMs),
  productionStatus: versionStatus(property, version.number, "PRODUCTION", world),
  stagingStatus: versionStatus(property, version.number, "STAGING", world),
  etag: etagOf(property, version),
  productId: property.productId,
  ruleFormat: version.ruleFormat,
  note: version.note,
});

const versionsOf = (property: Property, versions: readonly Version[], world: World) =>
  shownTo(world, {
    propertyId: property.id,
    propertyName: property.name,
    ...ownerOf(property),
    assetId: property.assetId,
    versions: { items: versions.map((one) => versionItem(property, one, world)) },
  });

const etagHeader = (property: Property, version: Version) => ({ etag: `"${etagOf(property, version)}"` });

/** A version with its property, by the path of a request. */
function found(world: World, path: VersionPath, place: Place): { property: Property; version: Version } {
  const property = propertyOf(world, path, place);
  return { property, version: versionOf(property, path.propertyVersion) };
}

/** What identifies the content of a version in an answer. */
const ofVersion = (property: Property, version: Version) => ({
  ...ownerOf(property),
  propertyId: property.id,
  propertyVersion: version.number,
  etag: etagOf(property, version),
});

const hostnamesBody = (property: Property, version: Version, world: World) =>
  shownTo(world, {
    ...ofVersion(property, version),
    hostnames: { items: version.hostnames.map((one) => ({ ...one })) },
  });

function treeBody(property: Property, version: Version, world: World, isValidated: boolean) {
  const { errors, warnings } = validate(world, property, version.rules);
  const instanceOf = (index: number) =>
    `/papi/v0/properties/${property.id}/versions/${version.number}/rules#err_${index}`;
  const listed = (problems: typeof errors, from: number) =>
    problems.map((one, index) => ({ ...one, instance: instanceOf(from + index) }));
  return shownTo(world, {
    ...ofVersion(property, version),
    ruleFormat: version.ruleFormat,
    ...(version.comments === undefined ? {} : { comments: version.comments }),
    rules: version.rules,
    ...(isValidated && errors.length > 0 ? { errors: listed(errors, 100) } : {}),
    ...(isValidated && warnings.length > 0 ? { warnings: listed(warnings, 200) } : {}),
  });
}

/** Refuses a write to what is or was active, and one whose stamp is another than the present one. */
function checkWritable(property: Property, version: Version, stamps: readonly (string | undefined)[]): void {
  if (wasActivated(property, version.number))
    throw refused("property-version/already-activated", `Version ${version.number} was activated`, 403);
  for (const stamp of stamps)
    if (stamp !== undefined && stamp !== "*" && stamp !== `"${etagOf(property, version)}"`)
      throw new Refusal(412, "Precondition Failed", "The version was changed meanwhile", { code: "etag-conflict" });
}

function replaced(property: Property, version: Version, with_: Partial<Version>, world: World): Version {
  const written = { ...version, ...with_, updatedBy: apiClient, updatedAtMs: world.now() };
  property.versions[property.versions.indexOf(version)] = written;
  return written;
}

/** The entries as they are stored: each with both the id and the name of its edge hostname. */
function entriesOf(
  world: World,
  body: readonly { cnameFrom: string; cnameTo?: string | undefined; edgeHostnameId?: string | undefined }[],
): HostnameEntry[] {
  const edges = [...stateOf(world).edgeHostnames.values()];
  return body.map(({ cnameFrom, cnameTo, edgeHostnameId }) => {
    const edge = edges.find(
      ({ id, prefix, suffix }) =>
        (edgeHostnameId === undefined || id === withPrefix("ehn_", edgeHostnameId)) &&
        (cnameTo === undefined || `${prefix}.${suffix}` === cnameTo),
    );
    if (!edge)
      throw refused(
        `property-version-hostname/${cnameTo === undefined ? "edgehostname-mismatch" : "bad-cnameto"}`,
        `There is no edge hostname ${cnameTo ?? edgeHostnameId} for ${cnameFrom}`,
      );
    const domain = `${edge.prefix}.${edge.suffix}`;
    return { cnameType: "EDGE_HOSTNAME", edgeHostnameId: edge.id, cnameFrom, cnameTo: domain };
  });
}

const emptyTree: Rule = { name: "default", options: { is_secure: false }, criteria: [], behaviors: [], children: [] };

/** The version that a clone starts from; its stamp, where one is given, must be the present one. */
function source(property: Property, number: number, stamp: string | undefined): Version {
  const version = versionOf(property, number);
  if (stamp !== undefined && stamp !== etagOf(property, version))
    throw new Refusal(412, "Precondition Failed", "The source was changed meanwhile", { code: "etag-conflict" });
  return version;
}

const available = (property: Property, version: Version, kind: "behaviors" | "criteria", names: readonly string[]) => ({
  ...ownerOf(property),
  productId: property.productId,
  ruleFormat: version.ruleFormat,
  items: names.map((name) => ({
    name,
    schemaLink: `/papi/v0/schemas/products/${property.productId}/latest#/definitions/catalog/${kind}/${name}`,
  })),
});

export const versionBehaviours: Own = {
  properties_list: ({ query }, world) => {
    const { contractId, groupId } = requiredPlace(query);
    const own = [...stateOf(world).properties.values()].filter(
      (one) => one.contractId === contractId && one.groupId === groupId,
    );
    return {
      status: 200,
      body: shownTo(world, { properties: { items: own.map((one) => propertyItem(one, world)) } }),
    };
  },
  property_create: ({ query, body }, world) => {
    const place = requiredPlace(query);
    const { properties, settings } = stateOf(world);
    const productId = withPrefix("prd_", body.productId);
    if (!products.some((one) => one.id === productId)) throw refused("http/forbidden", `No product ${productId}`, 403);
    if (!/^[A-Za-z0-9._-]+$/.test(body.propertyName))
      throw refused("property/invalid-name", "A name has letters, digits, dots, hyphens and underscores");
    if ([...properties.values()].some(({ name }) => name === body.propertyName))
      throw refused("property/name-in-use", `${body.propertyName} is in use`);
    const { cloneFrom } = body;
    const original = cloneFrom && propertyOf(world, { propertyId: withPrefix("prp_", cloneFrom.propertyId) }, {});
    const from = original && source(original, cloneFrom.version, cloneFrom.cloneFromVersionEtag);
    const number = world.next("property", 180_001);
    const first: Version = {
      number: 1,
      note: "",
      updatedBy: apiClient,
      updatedAtMs: world.now(),
      ruleFormat: body.ruleFormat ?? from?.ruleFormat ?? settings.ruleFormat,
      rules: from?.rules ?? emptyTree,
      hostnames: cloneFrom?.copyHostnames && from ? from.hostnames : [],
    };
    const id = `prp_${number}`;
    const owner = { ...place, assetId: `aid_${number + 1_000}` };
    properties.set(id, {
      id,
      name: body.propertyName,
      ...owner,
      productId,
      note: "",
      versions: [first],
      activations: [],
    });
    const propertyLink = linkTo(`properties/${id}`, place);
    return { status: 201, body: { propertyLink }, headers: { location: propertyLink } };
  },
  property_get: ({ path, query }, world) => ({
    status: 200,
    body: shownTo(world, { properties: { items: [propertyItem(propertyOf(world, path, query), world)] } }),
  }),
  property_delete: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    const networks = ["STAGING", "PRODUCTION"] as const;
    // The public documentation has this status for it (public facts B, 3.1).
    if (networks.some((one) => liveVersion(property, one, world) !== undefined || underWay(property, one, world)))
      throw refused("http/internal-server-error", "A version of the property is active", 500);
    stateOf(world).properties.delete(property.id);
    return { status: 200, body: { message: "Deletion Successful." } };
  },

  property_versions_list: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    return { status: 200, body: versionsOf(property, property.versions.toReversed().slice(0, 500), world) };
  },
  property_version_create: ({ path, query, body }, world) => {
    const property = propertyOf(world, path, query);
    const from = source(property, body.createFromVersion, body.createFromVersionEtag);
    const number = (property.versions.at(-1)?.number ?? 0) + 1;
    property.versions.push(copyOf(from, number, world, apiClient));
    const versionLink = linkTo(`properties/${property.id}/versions/${number}`, property);
    return { status: 201, body: { versionLink }, headers: { location: versionLink } };
  },
  property_version_get: ({ path, query }, world) => {
    const { property, version } = found(world, path, query);
    return { status: 200, body: versionsOf(property, [version], world), headers: etagHeader(property, version) };
  },
  property_latest_version_get: ({ path, query }, world) => {
    const property = propertyOf(world, path, query);
    const { activatedOn } = query;
    const number =
      activatedOn === undefined ? property.versions.at(-1)?.number : liveVersion(property, activatedOn, world);
    if (number === undefined) throw notFound(`No version of ${property.id} is active on ${activatedOn}`);
    const versionLink = linkTo(`properties/${property.id}/versions/${number}`, property);
    // Clients follow this redirect, so that it is no answer that an operation declares.
    throw new Refusal(302, "Found", "", { members: { versionLink }, headers: { location: versionLink } });
  },
  property_behavior_names_list: ({ path, query }, world) => {
    const { property, version } = found(world, path, query);
    const { items, ...rest } = available(property, version, "behaviors", behaviorNames);
    return { status: 200, body: shownTo(world, { ...rest, availableBehaviors: { items } }) };
  },
  property_criterion_names_list: ({ path, query }, world) => {
    const { property, version } = found(world, path, query);
    const { items, ...rest } = available(property, version, "criteria", criterionNames);
    return { status: 200, body: shownTo(world, { ...rest, availableCriteria: { items } }) };
  },

  property_hostnames_list: ({ path, query }, world) => {
    const { property, version } = found(world, path, query);
    return { status: 200, body: hostnamesBody(property, version, world), headers: etagHeader(property, version) };
  },
  property_hostnames_replace: ({ path, query, headers, body }, world) => {
    const { property, version } = found(world, path, query);
    checkWritable(property, version, [headers["if-match"]]);
    const written = replaced(property, version, { hostnames: entriesOf(world, body) }, world);
    return { status: 200, body: hostnamesBody(property, written, world), headers: etagHeader(property, written) };
  },

  property_rule_tree_get: ({ path, query }, world) => {
    const { property, version } = found(world, path, query);
    const body = treeBody(property, version, world, query.validateRules ?? true);
    return { status: 200, body, headers: etagHeader(property, version) };
  },
  property_rule_tree_digest_get: ({ path, query }, world) => {
    const { property, version } = found(world, path, query);
    return { status: 204, body: undefined, headers: etagHeader(property, version) };
  },
  property_rule_tree_replace: ({ path, query, headers, body, chosen }, world) => {
    const { property, version } = found(world, path, query);
    const stamp = body.etag === undefined ? undefined : `"${body.etag}"`;
    checkWritable(property, version, [headers["if-match"], stamp]);
    const { comments = version.comments } = body;
    const ruleFormat = chosen?.["ruleFormat"] ?? version.ruleFormat;
    const written = replaced(property, version, { rules: body.rules, comments, ruleFormat }, world);
    const answer = treeBody(property, written, world, query.validateRules ?? true);
    return { status: 200, body: answer, headers: etagHeader(property, written) };
  },

  property_version_find: ({ query }, world) => {
    const values = Object.entries(query).filter(([, value]) => value !== undefined);
    if (values.length !== 1)
      throw refused(`search/${values.length === 0 ? "missing" : "extra"}-request-body-field`, "Give one value");
    const { propertyName, hostname, edgeHostname } = query;
    const fits = (property: Property, { hostnames }: Version): boolean =>
      property.name === propertyName ||
      hostnames.some(({ cnameFrom, cnameTo }) => cnameFrom === hostname || cnameTo === edgeHostname);
    // Of each property the active versions and the newest one (public facts B, 3.1).
    const items = [...stateOf(world).properties.values()].flatMap((property) =>
      property.versions
        .filter((version) => {
          const isNewest = version === property.versions.at(-1);
          const networks = ["STAGING", "PRODUCTION"] as const;
          const isLive = networks.some((one) => liveVersion(property, one, world) === version.number);
          return (isNewest || isLive) && fits(property, version);
        })
        .map((version) => {
          const {
            etag: _etag,
            productId: _product,
            ruleFormat: _format,
            note: _note,
            ...item
          } = versionItem(property, version, world);
          return {
            ...ownerOf(property),
            assetId: property.assetId,
            propertyId: property.id,
            propertyName: property.name,
            ...item,
            ...(hostname === undefined ? {} : { hostname }),
            ...(edgeHostname === undefined ? {} : { edgeHostname }),
          };
        }),
    );
    return { status: 200, body: shownTo(world, { versions: { items } }) };
  },
};
