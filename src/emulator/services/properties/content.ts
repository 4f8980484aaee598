/** The content of versions in the emulated property service: hostnames and rule trees, which one digest covers. */
import type { contentOperations } from "../../../tools/properties/content.js";
import { noContent, ok, Refusal } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import { etagHeader, foundVersion, ownerOf, refused, shownTo, withPrefix } from "./lookup.js";
import { wasActivated } from "./networks.js";
import { behaviorNames, criterionNames, validate } from "./validation.js";
import { etagOf, type HostnameEntry, type Property, stateOf, type Version } from "./world.js";

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
  const { errors, warnings } = validate(world, property, version);
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
  const written = { ...version, ...with_, updatedBy: userInUse, updatedAtMs: world.now() };
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
    if (edge === undefined)
      throw refused(
        `property-version-hostname/${cnameTo === undefined ? "edgehostname-mismatch" : "bad-cnameto"}`,
        `There is no edge hostname ${cnameTo ?? edgeHostnameId} for ${cnameFrom}`,
      );
    const domain = `${edge.prefix}.${edge.suffix}`;
    return { cnameType: "EDGE_HOSTNAME", edgeHostnameId: edge.id, cnameFrom, cnameTo: domain };
  });
}

const catalog = ({ productId }: Property, kind: "behaviors" | "criteria", names: readonly string[]) => {
  const path = `/papi/v0/schemas/products/${productId}/latest#/definitions/catalog/${kind}`;
  return { items: names.map((name) => ({ name, schemaLink: `${path}/${name}` })) };
};
const ofRules = (property: Property, { ruleFormat }: Version) => ({
  ...ownerOf(property),
  productId: property.productId,
  ruleFormat,
});

export const contentBehaviours: BehavioursOf<typeof contentOperations> = {
  property_behavior_names_list: ({ path, query }, world) => {
    const { property, version } = foundVersion(world, path, query);
    const availableBehaviors = catalog(property, "behaviors", behaviorNames);
    return ok(shownTo(world, { ...ofRules(property, version), availableBehaviors }));
  },
  property_criterion_names_list: ({ path, query }, world) => {
    const { property, version } = foundVersion(world, path, query);
    const availableCriteria = catalog(property, "criteria", criterionNames);
    return ok(shownTo(world, { ...ofRules(property, version), availableCriteria }));
  },

  property_hostnames_list: ({ path, query }, world) => {
    const { property, version } = foundVersion(world, path, query);
    return ok(hostnamesBody(property, version, world), etagHeader(property, version));
  },
  property_hostnames_replace: ({ path, query, headers, body }, world) => {
    const { property, version } = foundVersion(world, path, query);
    checkWritable(property, version, [headers["if-match"]]);
    const written = replaced(property, version, { hostnames: entriesOf(world, body) }, world);
    return ok(hostnamesBody(property, written, world), etagHeader(property, written));
  },

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
    const { property, version } = foundVersion(world, path, query);
    const stamp = body.etag === undefined ? undefined : `"${body.etag}"`;
    checkWritable(property, version, [headers["if-match"], stamp]);
    const { comments = version.comments } = body;
    const ruleFormat = chosen?.["ruleFormat"] ?? version.ruleFormat;
    const written = replaced(property, version, { rules: body.rules, comments, ruleFormat }, world);
    const answer = treeBody(property, written, world, query.validateRules ?? true);
    return ok(answer, etagHeader(property, written));
  },
};
