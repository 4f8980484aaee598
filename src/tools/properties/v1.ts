/** Property configuration of today (version 1): what is carried over from the documents' service, and what is new in it. */
import { alterOperation, carryOperations } from "../../language/carry.js";
import type { Arguments } from "../../language/conduct.js";
import { json, type Route, saidByName } from "../../language/define.js";
import { closedObject, openObject } from "../../language/open-object.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { introduction } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { patchMembers } from "../../schema/json-patch.js";
import { members } from "../fields.js";
import { edgeHostnameMembers } from "./account.js";
import { activationMembers, unreviewedReason } from "./activations.js";
import { entryMembers, missingEdgeHostname, storedTreeArguments, treeAnswers, treeBodies } from "./content.js";
import { place, requiredPlace } from "./ids.js";
import { properties, propertyRules } from "./index.js";
import { propertyManagerLimit } from "./limit.js";
import { Available, items, ownerMembers, productMembers, RuleTree } from "./shapes.js";
import { isEditable, propertyKind } from "./states.js";
import {
  activationGuardToday,
  changesHostnames,
  hostnamePatchGuard,
  patchFits,
  patchGuard,
  presentStamp,
  replacementGuard,
  treeGuard,
} from "./v1-guards.js";
import { hostnameOperations } from "./v1-hostnames.js";
import { operationAt } from "./v1-overlay.js";
import { newProperty, oneValueOf, searchArguments } from "./versions.js";

/** The operations that do not have the header which says whether ids have prefixes. */
const withoutPrefixes: ReadonlySet<string> = new Set([
  "property_delete",
  "property_rule_tree_digest_get",
  "property_build_get",
  "property_client_settings_get",
  "property_client_settings_update",
  "property_rule_schema_get",
  "property_request_schema_get",
]);

const checked = {
  ...place,
  validateRules: z.boolean().optional(),
  validateMode: z.enum(["full", "fast"]).optional(),
};
const hostnameQuery = {
  ...place,
  ...members(z.boolean().optional(), "validateHostnames", "includeCertStatus"),
};
/** An entry as it is read, of which the API sets the state of the certificate itself. */
const Entry = openObject(withReadOnlyMembers(entryMembers, "certStatus")).refine(
  ({ cnameTo, edgeHostnameId }) => cnameTo ?? edgeHostnameId,
  missingEdgeHostname,
);
const treeToday = { 200: [treeAnswers[200][0], saidByName(treeAnswers[200][1])] } as const;

const FormerHostname = z.looseObject({
  ipVersionBehavior: z.enum(["IPV4", "IPV6_COMPLIANCE", "IPV6_PERFORMANCE"]),
  certEnrollmentId: z.union([z.int(), z.string().regex(/^\d+$/)]).optional(),
});
/** The documents have a way to serve IPv6 that is gone, and take the number of a certificate enrollment as a text. */
function edgeHostnameToday({ body, ...others }: Arguments): Arguments | undefined {
  const { data } = FormerHostname.safeParse(body);
  if (data === undefined) return undefined;
  const { ipVersionBehavior: behavior, certEnrollmentId: id } = data;
  if (behavior !== "IPV6_PERFORMANCE" && typeof id !== "string") return undefined;
  const ipVersionBehavior = behavior === "IPV6_PERFORMANCE" ? "IPV6_COMPLIANCE" : behavior;
  return { ...others, body: { ...data, ipVersionBehavior, ...(id !== undefined && { certEnrollmentId: Number(id) }) } };
}

// The operations that the documents have, too, are carried over and not declared anew by the vendor's definition: their
// guards, checks and previews are those of the documents' service, and so are the names of their arguments, of which few
// are missing or new.
const carried = carryOperations(properties.operations, {
  except: ["property_version_find"],
  // The documents' routes end in a slash, and today's do not.
  route: (route) => route.replace("/papi/v0/", "/papi/v1/").replace(/\/$/, "") as Route,
  each: (spec, tool) =>
    withoutPrefixes.has(tool) ? spec : { ...spec, headers: { ...spec.headers, "PAPI-Use-Prefixes": "true" } },
});

/** What differs in the operations that are carried over. */
const changes = {
  property_products_list: alterOperation(carried.property_products_list, {
    query: { contractId: requiredPlace.contractId },
    // The documents' list of products takes a group, too.
    formerly: ({ groupId, ...others }) => (groupId === undefined ? undefined : others),
  }),
  property_edge_hostname_create: alterOperation(carried.property_edge_hostname_create, {
    body: json({
      ...edgeHostnameMembers,
      ipVersionBehavior: z.enum(["IPV4", "IPV6_COMPLIANCE"]),
      certEnrollmentId: z.int().positive().optional().describe("Required with ENHANCED_TLS"),
    }),
    formerly: edgeHostnameToday,
  }),
  property_edge_hostname_get: alterOperation(carried.property_edge_hostname_get, {
    does: "Reads one edge hostname; ready once it has no status.",
  }),
  property_client_settings_update: alterOperation(carried.property_client_settings_update, {
    // Both settings are required, so that no call leaves one out.
    guard: {
      kind: "overwrite",
      thing: "settings of this API client",
      replaces: "body",
      write: "merge",
      undo: "rewrite",
    },
  }),
  properties_list: alterOperation(carried.properties_list, {
    query: {
      ...requiredPlace,
      modifiedSince: z
        .string()
        .regex(/^P[\dA-Z.]+$/, "an ISO 8601 duration such as P7D")
        .optional(),
      modifiedNetwork: z.enum(["PRODUCTION", "STAGING", "BOTH"]).optional(),
    },
  }),
  property_create: alterOperation(carried.property_create, {
    body: json({
      ...newProperty,
      useHostnameBucket: z.boolean().optional().describe("Hostnames change without new versions"),
    }),
  }),
  property_versions_list: alterOperation(carried.property_versions_list, {
    query: {
      ...place,
      offset: z.int().min(0).optional().describe("Page from 0"),
      limit: z.int().min(1).optional(),
    },
  }),
  property_behavior_names_list: alterOperation(carried.property_behavior_names_list, {
    returns: { 200: json(z.looseObject({ ...productMembers, behaviors: Available })) },
  }),
  property_criterion_names_list: alterOperation(carried.property_criterion_names_list, {
    returns: { 200: json(z.looseObject({ ...productMembers, criteria: Available })) },
  }),
  property_hostnames_list: alterOperation(carried.property_hostnames_list, { query: hostnameQuery }),
  property_hostnames_replace: alterOperation(carried.property_hostnames_replace, {
    query: hostnameQuery,
    body: json(z.array(Entry).min(1).max(1_000)),
    resolves: presentStamp,
    guard: replacementGuard,
  }),
  property_rule_tree_get: alterOperation(carried.property_rule_tree_get, { query: checked, returns: treeToday }),
  property_rule_tree_digest_get: alterOperation(carried.property_rule_tree_digest_get, { query: checked }),
  property_rule_tree_replace: alterOperation(carried.property_rule_tree_replace, {
    query: { ...checked, dryRun: z.boolean().optional() },
    body: [treeBodies[0], saidByName(treeBodies[1])],
    returns: treeToday,
    resolves: presentStamp,
    guard: treeGuard(propertyKind),
  }),
  property_version_activate: alterOperation(carried.property_version_activate, {
    guard: activationGuardToday,
    body: json(
      closedObject(unreviewedReason, {
        ...activationMembers,
        complianceRecord: openObject({ noncomplianceReason: z.string().min(1).max(80) })
          .optional()
          .describe("Where the contract asks for it"),
      }),
    ),
  }),
};

const Found = z.looseObject({
  versions: items({
    ...ownerMembers,
    ...members(z.string().optional(), "assetId", "propertyId", "propertyName", "includeId", "includeName"),
    ...members(z.int().optional(), "propertyVersion", "includeVersion"),
    ...members(z.string().optional(), "productionStatus", "stagingStatus", "updatedByUser", "updatedDate"),
  }),
});
const versionSearchNames = [...searchArguments, "includeName"] as const;

const ofVersion = "/papi/v1/properties/{propertyId}/versions/{propertyVersion}";
const readOnly = "A version that is or was active cannot be changed: create a new one with property_version_create.";
const changed = "The version was changed meanwhile: read it again.";

const added = {
  property_version_find: operationAt("POST /papi/v1/search/find-by-value", {
    does: "Finds versions of properties by exactly one of name, hostname or edge hostname, or of includes by name.",
    arguments: members(z.string().min(1).max(253), ...versionSearchNames),
    corrects: {
      why: "The definition has the list of versions once more inside each version.",
      returns: { 200: json(Found) },
    },
    effect: "read",
    checks: [oneValueOf(...versionSearchNames.map((name) => `body.${name}`))],
    formerly: (args) => {
      const given = searchArguments.filter((name) => typeof args[name] === "string");
      return given.length === 0 ? undefined : { body: Object.fromEntries(given.map((name) => [name, args[name]])) };
    },
    example: { body: { propertyName: "www.shop.example" } },
  }),
  property_use_cases_list: operationAt("GET /papi/v1/products/{productId}/mapping-use-cases", {
    does: "Lists the use cases by which a product's edge hostnames are mapped.",
    arguments: { contractId: requiredPlace.contractId },
    example: { productId: "prd_Site_Delivery", contractId: "ctr_C-1FRYVV3" },
  }),
  property_hostnames_update: operationAt(`PATCH ${ofVersion}/hostnames`, {
    does: "Adds and removes hostnames of a version; the others stay.",
    arguments: { add: z.array(Entry).max(1_000) },
    corrects: {
      why: "It answers as the replacement does, with what validation finds.",
      returns: properties.operations.property_hostnames_replace.spec.returns,
    },
    effect: "destructive",
    resolves: presentStamp,
    rules: ["property-active-read-only"],
    shownBy: "property_hostnames_list",
    lock: { field: "ifMatch", from: "property_hostnames_list", at: "body.etag" },
    checks: [changesHostnames, isEditable(propertyKind)],
    guard: hostnamePatchGuard,
    means: { 403: readOnly, 412: changed },
    example: { propertyId: "prp_175780", propertyVersion: 3, body: { remove: ["www.example.com"] } },
  }),
  property_rule_update: operationAt(`PATCH ${ofVersion}/rules`, {
    does: "Changes parts of a version's rule tree by a JSON Patch (RFC 6902).",
    needs: "property_rule_tree_update checks the result first.",
    corrects: {
      why: "The operations are as RFC 6902 has them, at most 200, and the rules are those of the other tools.",
      body: json(
        z.array(openObject(patchMembers)).min(1).max(200).describe("Paths such as /rules/children/0/behaviors/-"),
        "application/json-patch+json",
      ),
      returns: { 200: json(RuleTree) },
    },
    effect: "destructive",
    resolves: presentStamp,
    rules: ["property-active-read-only"],
    shownBy: { by: "property_rule_tree_get", args: storedTreeArguments },
    lock: { field: "ifMatch", from: "property_rule_tree_get", at: "body.etag" },
    checks: [patchFits, isEditable(propertyKind)],
    guard: patchGuard,
    memberNotes: properties.operations.property_rule_tree_replace.spec.memberNotes ?? [],
    means: { 403: readOnly, 412: changed },
    example: {
      propertyId: "prp_175780",
      propertyVersion: 3,
      body: [{ op: "replace", path: "/rules/behaviors/2/options/ttl", value: "2h" }],
    },
  }),
} as const;

export const propertiesV1 = service("property", {
  name: "properties-v1",
  document: "today",
  title: "Properties",
  about: "Reads and changes property versions, their hostnames and rule trees, and activates them.",
  standing: { state: "alive" },
  rateLimit: propertyManagerLimit,
  replaces: { services: ["properties"], gone: {} },
  frontLine: ["properties_list", "property_versions_list", "property_rule_tree_get", "property_activations_list"],
  ids: { ...properties.ids },
  rules: {
    ...propertyRules,
    "property-bucket-one-change":
      "While a hostname activation is under way, the hostnames of the bucket cannot be changed.",
  },
  resources: properties.resources ?? [],
  introduction: introduction`Properties: read ${"property_versions_list"} first; a version that is or was active cannot be changed.`,
  operations: {
    ...carried,
    ...changes,
    ...hostnameOperations,
    ...added,
  },
});
