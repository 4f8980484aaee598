/** The content of versions in the emulated property service: hostnames and rule trees, which one digest covers. */
import type { contentOperations } from "../../../tools/properties/content.js";
import { noContent, ok, RequestRefusal } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import { type ContractPlace, etagHeader, foundVersion, ownerOf, propertyRefusal, withPrefix } from "./lookup.js";
import { wasActivated } from "./networks.js";
import { behaviorNames, criterionNames, validate } from "./validation.js";
import {
  etagOf,
  type HostnameEntry,
  type Property,
  ruleFormats,
  type StoredPropertyVersion,
  stateOf,
} from "./world.js";

/** What identifies the content of a version in an answer. */
const ofVersion = (property: Property, version: StoredPropertyVersion) => ({
  ...ownerOf(property),
  propertyId: property.id,
  propertyVersion: version.number,
  etag: etagOf(property, version),
});

const hostnamesBody = (property: Property, version: StoredPropertyVersion) => ({
  ...ofVersion(property, version),
  hostnames: { items: version.hostnames.map((one) => ({ ...one })) },
});

function treeBody(property: Property, version: StoredPropertyVersion, world: World, isValidated: boolean) {
  const { errors, warnings } = validate(world, property, version);
  const instanceOf = (index: number) =>
    `/papi/v0/properties/${property.id}/versions/${version.number}/rules#err_${index}`;
  const listed = (problems: typeof errors, from: number) =>
    problems.map((one, index) => ({ ...one, instance: instanceOf(from + index) }));
  return {
    ...ofVersion(property, version),
    ruleFormat: version.ruleFormat,
    ...(version.comments === undefined ? {} : { comments: version.comments }),
    rules: version.rules,
    ...(isValidated && errors.length > 0 ? { errors: listed(errors, 100) } : {}),
    ...(isValidated && warnings.length > 0 ? { warnings: listed(warnings, 200) } : {}),
  };
}

/** Refuses a write to what is or was active, and one whose stamp is another than the present one. */
export function checkWritable(
  property: Property,
  version: StoredPropertyVersion,
  stamps: readonly (string | undefined)[],
): void {
  if (wasActivated(property, version.number))
    throw propertyRefusal("property-version/already-activated", `Version ${version.number} was activated`, 403);
  for (const stamp of stamps)
    if (stamp !== undefined && stamp !== "*" && stamp !== `"${etagOf(property, version)}"`)
      throw new RequestRefusal(412, "Precondition Failed", "The version was changed meanwhile", {
        code: "etag-conflict",
      });
}

/** Refuses a rule format that the list of rule formats does not have. */
export function checkFormat<F extends string | null | undefined>(ruleFormat: F): F {
  if (typeof ruleFormat === "string" && !ruleFormats.some((one) => one === ruleFormat))
    throw propertyRefusal("invalid-rule-format", `There is no rule format ${ruleFormat}`);
  return ruleFormat;
}

export function replaceVersion(
  property: Property,
  version: StoredPropertyVersion,
  with_: Partial<StoredPropertyVersion>,
  world: World,
): StoredPropertyVersion {
  const newVersion = { ...version, ...with_, updatedBy: userInUse, updatedAtMs: world.now() };
  property.versions[property.versions.indexOf(version)] = newVersion;
  return newVersion;
}

/** The entries as they are stored: each with both the id and the name of its edge hostname. */
export function hostnameEntriesOf(
  world: World,
  body: readonly (Pick<HostnameEntry, "cnameFrom" | "certProvisioningType"> & {
    readonly cnameTo?: string | undefined;
    readonly edgeHostnameId?: string | undefined;
  })[],
): HostnameEntry[] {
  const edges = [...stateOf(world).edgeHostnames.values()];
  return body.map(({ cnameFrom, cnameTo, edgeHostnameId, certProvisioningType }) => {
    const edge = edges.find(
      ({ id, prefix, suffix }) =>
        (edgeHostnameId === undefined || id === withPrefix("ehn_", edgeHostnameId)) &&
        (cnameTo === undefined || `${prefix}.${suffix}` === cnameTo),
    );
    if (edge === undefined)
      throw propertyRefusal(
        `property-version-hostname/${cnameTo === undefined ? "edgehostname-mismatch" : "bad-cnameto"}`,
        `There is no edge hostname ${cnameTo ?? edgeHostnameId} for ${cnameFrom}`,
      );
    const domain = `${edge.prefix}.${edge.suffix}`;
    return {
      cnameType: "EDGE_HOSTNAME",
      edgeHostnameId: edge.id,
      cnameFrom,
      cnameTo: domain,
      ...(certProvisioningType && { certProvisioningType }),
    };
  });
}

interface TreeWrite {
  readonly path: { readonly propertyId: string; readonly propertyVersion: number };
  readonly query: ContractPlace & { readonly validateRules?: boolean; readonly dryRun?: boolean };
  readonly stamps: readonly (string | undefined)[];
}

/** Writes a rule tree, or answers as if it had been written. */
export function writeTree(
  { path, query, stamps }: TreeWrite,
  world: World,
  change: (version: StoredPropertyVersion) => Partial<StoredPropertyVersion>,
) {
  const { property, version } = foundVersion(world, path, query);
  checkWritable(property, version, stamps);
  const newVersion =
    query.dryRun === true
      ? { ...version, ...change(version) }
      : replaceVersion(property, version, change(version), world);
  return ok(treeBody(property, newVersion, world, query.validateRules ?? true), etagHeader(property, newVersion));
}

/** Writes the hostnames of a version. */
export function writeHostnames(
  { path, query, stamps }: Omit<TreeWrite, "query"> & { readonly query: ContractPlace },
  world: World,
  change: (version: StoredPropertyVersion) => readonly HostnameEntry[],
) {
  const { property, version } = foundVersion(world, path, query);
  checkWritable(property, version, stamps);
  const written = replaceVersion(property, version, { hostnames: change(version) }, world);
  return ok(hostnamesBody(property, written), etagHeader(property, written));
}

export const catalog = ({ productId }: Property, kind: "behaviors" | "criteria", names: readonly string[]) => {
  const path = `/papi/v0/schemas/products/${productId}/latest#/definitions/catalog/${kind}`;
  return { items: names.map((name) => ({ name, schemaLink: `${path}/${name}` })) };
};
const ofRules = (property: Property, { ruleFormat }: StoredPropertyVersion) => ({
  ...ownerOf(property),
  productId: property.productId,
  ruleFormat,
});

export const contentBehaviours: BehavioursOf<typeof contentOperations> = {
  property_behavior_names_list: ({ path, query }, world) => {
    const { property, version } = foundVersion(world, path, query);
    const availableBehaviors = catalog(property, "behaviors", behaviorNames);
    return ok({ ...ofRules(property, version), availableBehaviors });
  },
  property_criterion_names_list: ({ path, query }, world) => {
    const { property, version } = foundVersion(world, path, query);
    const availableCriteria = catalog(property, "criteria", criterionNames);
    return ok({ ...ofRules(property, version), availableCriteria });
  },

  property_hostnames_list: ({ path, query }, world) => {
    const { property, version } = foundVersion(world, path, query);
    return ok(hostnamesBody(property, version), etagHeader(property, version));
  },
  property_hostnames_replace: ({ path, query, headers, body }, world) =>
    writeHostnames({ path, query, stamps: [headers["if-match"]] }, world, () => hostnameEntriesOf(world, body)),

  property_rule_tree_get: ({ path, query }, world) => {
    const { property, version } = foundVersion(world, path, query);
    const body = treeBody(property, version, world, query.validateRules ?? true);
    return ok(body, etagHeader(property, version));
  },
  property_rule_tree_digest_get: ({ path, query }, world) => {
    const { property, version } = foundVersion(world, path, query);
    return noContent(etagHeader(property, version));
  },
  property_rule_tree_replace: ({ path, query, headers, body, chosen }, world) => {
    const stamp = body.etag === undefined ? undefined : `"${body.etag}"`;
    return writeTree({ path, query, stamps: [headers["if-match"], stamp] }, world, ({ comments, ruleFormat }) => ({
      rules: body.rules,
      comments: body.comments ?? comments,
      ruleFormat: checkFormat(chosen?.["ruleFormat"]) ?? ruleFormat,
    }));
  },
};
