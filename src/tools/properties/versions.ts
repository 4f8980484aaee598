/** Operations on properties and their versions: what a site does on the edge, and which hostnames it does it for. */
import type { Check } from "../../api/check.js";
import { empty, json, op } from "../../api/define.js";
import { EntityTag } from "../../api/fields.js";
import { z } from "../../api/z.js";
import { isEditable, isInactive } from "./editable.js";
import { IdInBody, PropertyId, PropertyVersion, place } from "./ids.js";
import {
  AvailableBehaviors,
  AvailableCriteria,
  Found,
  Hostnames,
  Properties,
  RuleTree,
  TopRule,
  Versions,
} from "./shapes.js";

const property = { propertyId: PropertyId };
const version = { propertyId: PropertyId, propertyVersion: PropertyVersion };
const inPlace = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
const stamp = z.string().min(1).max(200);
const headers = { "If-Match": { argument: "ifMatch", schema: EntityTag.optional() } } as const;
const readOnly = "A version that is or was active cannot be changed: make a new one with property_version_create.";
const treeType = "application/vnd.<vendor>.papirules.{ruleFormat}+json";
const tree = { 200: [json(RuleTree), json(RuleTree, treeType)] } as const;
const noSuchVersion = "property_versions_list has the versions of a property.";

const searched = ["propertyName", "hostname", "edgeHostname"] as const;
/** The search takes one value, and the API refuses any other number (public facts B, 3.1). */
const oneValue: Check = ({ args }) => {
  const given = searched.filter((name) => args[name] !== undefined);
  const takes = `a value in exactly one of ${searched.join(", ")}`;
  if (given.length === 0) return [{ field: searched[0], takes }];
  return given.slice(1).map((field) => ({ field, takes: `nothing beside ${given[0]}: ${takes}` }));
};

const Entry = z
  .strictObject({
    cnameFrom: z.string().min(1).max(253).describe("The site's hostname"),
    cnameTo: z.string().min(1).max(253).optional().describe("Its edge hostname, or give edgeHostnameId"),
    edgeHostnameId: IdInBody.optional(),
    cnameType: z.enum(["EDGE_HOSTNAME"]).optional(),
    certProvisioningType: z.enum(["CPS_MANAGED", "DEFAULT"]).optional(),
  })
  .refine(({ cnameTo, edgeHostnameId }) => cnameTo ?? edgeHostnameId, {
    path: ["cnameTo"],
    message: "the edge hostname, unless edgeHostnameId names it",
  });

export const versionOperations = {
  properties_list: op("GET /papi/v0/properties/", {
    does: "Lists the properties of a contract and a group, with the versions that are active.",
    needs: "contractId and groupId, from property_groups_list.",
    query: place,
    returns: { 200: json(Properties) },
    errors: { 400: "The list needs contractId and groupId: property_groups_list has both." },
    rules: ["property-prefixes"],
    example: inPlace,
  }),
  property_create: op("POST /papi/v0/properties/", {
    does: "Creates a property, empty or as a copy of a version of another one.",
    query: place,
    body: json({
      productId: IdInBody,
      propertyName: z.string().min(1).max(85),
      ruleFormat: z.string().max(20).optional(),
      cloneFrom: z
        .strictObject({
          propertyId: IdInBody,
          version: PropertyVersion,
          cloneFromVersionEtag: stamp.optional().describe("Copy only if this is still its etag"),
          copyHostnames: z.boolean().optional(),
        })
        .optional(),
    }),
    returns: { 201: json(z.looseObject({ propertyLink: z.string() })) },
    effect: "create",
    shownBy: "properties_list",
    example: { ...inPlace, body: { productId: "prd_Site_Delivery", propertyName: "new.shop.example" } },
  }),
  property_get: op("GET /papi/v0/properties/{propertyId}", {
    does: "Reads one property: its newest version, and the active ones.",
    path: property,
    query: place,
    returns: { 200: json(Properties) },
    example: { propertyId: "prp_175780" },
  }),
  property_delete: op("DELETE /papi/v0/properties/{propertyId}", {
    does: "Deletes a property with all its versions; refused while one is active.",
    path: property,
    query: place,
    returns: { 200: json(z.looseObject({ message: z.string() })) },
    checks: [isInactive],
    guard: "delete",
    shownBy: "property_get",
    example: { propertyId: "prp_175783" },
  }),
  property_versions_list: op("GET /papi/v0/properties/{propertyId}/versions/", {
    does: "Lists a property's versions, newest first, with where each is active.",
    path: property,
    query: place,
    returns: { 200: json(Versions) },
    example: { propertyId: "prp_175780" },
  }),
  property_version_create: op("POST /papi/v0/properties/{propertyId}/versions/", {
    does: "Creates a version of a property as a copy of another, to be changed and activated.",
    path: property,
    query: place,
    body: json({
      createFromVersion: PropertyVersion,
      createFromVersionEtag: stamp.optional().describe("Copy only if this is still its etag"),
    }),
    returns: { 201: json(z.looseObject({ versionLink: z.string() })) },
    effect: "create",
    shownBy: "property_versions_list",
    example: { propertyId: "prp_175780", body: { createFromVersion: 2 } },
  }),
  property_version_get: op("GET /papi/v0/properties/{propertyId}/versions/{propertyVersion}", {
    does: "Reads one version of a property: where it is active, its rule format, and the etag of its content.",
    path: version,
    query: place,
    returns: { 200: json(Versions) },
    errors: { 404: noSuchVersion },
    example: { propertyId: "prp_175780", propertyVersion: 2 },
  }),
  property_latest_version_get: op("GET /papi/v0/properties/{propertyId}/versions/latest", {
    does: "Reads a property's newest version, or the one active on a network.",
    path: property,
    query: { ...place, activatedOn: z.enum(["STAGING", "PRODUCTION"]).optional() },
    returns: { 200: json(Versions) },
    rules: ["property-latest-activated-on"],
    errors: { 404: "No version is active there; without activatedOn the newest one is read." },
    note: "The API answers with a redirect to the version (public facts B, 3.1), which is followed.",
    example: { propertyId: "prp_175780", activatedOn: "PRODUCTION" },
  }),
  property_behavior_names_list: op(
    "GET /papi/v0/properties/{propertyId}/versions/{propertyVersion}/available-behaviors",
    {
      does: "Lists the behaviors that a version's rules can use.",
      path: version,
      query: place,
      returns: { 200: json(AvailableBehaviors) },
      example: { propertyId: "prp_175780", propertyVersion: 2 },
    },
  ),
  property_criterion_names_list: op(
    "GET /papi/v0/properties/{propertyId}/versions/{propertyVersion}/available-criteria",
    {
      does: "Lists the match criteria that a version's rules can use.",
      path: version,
      query: place,
      returns: { 200: json(AvailableCriteria) },
      example: { propertyId: "prp_175780", propertyVersion: 2 },
    },
  ),
  property_hostnames_list: op("GET /papi/v0/properties/{propertyId}/versions/{propertyVersion}/hostnames/", {
    does: "Lists a version's hostnames with the edge hostname of each.",
    path: version,
    query: place,
    returns: { 200: json(Hostnames) },
    errors: { 404: noSuchVersion, 500: "The API is known to fail for a version without hostnames." },
    example: { propertyId: "prp_175780", propertyVersion: 2 },
  }),
  property_hostnames_replace: op("PUT /papi/v0/properties/{propertyId}/versions/{propertyVersion}/hostnames/", {
    does: "Replaces all hostnames of a version: those left out are removed from it.",
    path: version,
    query: { ...place, validateHostnames: z.boolean().optional() },
    headers,
    body: json(z.array(Entry).min(1).max(1_000)),
    returns: { 200: json(Hostnames) },
    effect: "update",
    shownBy: "property_hostnames_list",
    lock: { field: "ifMatch", from: "property_hostnames_list", at: "body.etag" },
    checks: [isEditable],
    rules: ["property-active-read-only"],
    errors: { 403: readOnly },
    example: {
      propertyId: "prp_175780",
      propertyVersion: 3,
      body: [{ cnameFrom: "www.shop.example", cnameTo: "www.shop.example.edgesuite.example" }],
    },
  }),
  property_rule_tree_get: op("GET /papi/v0/properties/{propertyId}/versions/{propertyVersion}/rules/", {
    does: "Reads a version's rule tree.",
    path: version,
    query: { ...place, validateRules: z.boolean().optional() },
    returns: tree,
    errors: { 404: noSuchVersion },
    example: { propertyId: "prp_175780", propertyVersion: 2 },
  }),
  property_rule_tree_digest_get: op("HEAD /papi/v0/properties/{propertyId}/versions/{propertyVersion}/rules/", {
    does: "Reads the digest of a version's rule tree alone, as the header etag.",
    path: version,
    query: { ...place, validateRules: z.boolean().optional() },
    answerHeaders: { etag: "ETag" },
    returns: { 204: empty },
    rules: ["property-head-digest"],
    errors: { 404: noSuchVersion },
    example: { propertyId: "prp_175780", propertyVersion: 2 },
  }),
  property_rule_tree_replace: op("PUT /papi/v0/properties/{propertyId}/versions/{propertyVersion}/rules/", {
    does: "Replaces the whole rule tree of a version; it is saved even with errors, which the answer lists.",
    path: version,
    query: { ...place, validateRules: z.boolean().optional() },
    headers,
    body: [
      json({ rules: TopRule, etag: stamp.optional(), comments: z.string().max(5_000).optional() }),
      json({ rules: TopRule, etag: stamp.optional(), comments: z.string().max(5_000).optional() }, treeType),
    ],
    returns: tree,
    effect: "update",
    shownBy: "property_rule_tree_get",
    lock: { field: "ifMatch", from: "property_rule_tree_get", at: "body.etag" },
    checks: [isEditable],
    tells: [{ when: "errors", says: "The tree was saved, but with these errors the version cannot be activated." }],
    rules: ["property-active-read-only", "property-cpcode-product"],
    errors: { 403: readOnly },
    example: {
      propertyId: "prp_175780",
      propertyVersion: 3,
      body: {
        rules: {
          name: "default",
          behaviors: [
            { name: "origin", options: { originType: "CUSTOMER", hostname: "origin.shop.example" } },
            { name: "cpCode", options: { value: { id: 12345 } } },
          ],
          children: [],
        },
      },
    },
  }),
  property_version_find: op("GET /papi/v0/search/find-by-value", {
    does: "Finds properties and versions by a property's name, a hostname or an edge hostname.",
    needs: "Exactly one of the three.",
    query: {
      propertyName: z.string().min(1).max(253).optional(),
      hostname: z.string().min(1).max(253).optional(),
      edgeHostname: z.string().min(1).max(253).optional(),
    },
    checks: [oneValue],
    returns: { 200: json(Found) },
    published: { route: "POST /papi/v0/search/find-by-value", inBody: searched },
    note: "The document has a GET and does not show where its value stands; public facts B, 3.1, have a POST with a JSON body.",
    example: { hostname: "www.shop.example" },
  }),
} as const;
