/** Operations on properties and their versions, which configure what the edge does for which hostnames. */
import type { Check } from "../../language/check.js";
import { json, op } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { openObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { copyGuard, deletionGuard, noteCopiedVersion } from "./guards.js";
import { IdInBody, PropertyId, PropertyVersion, place, requiredPlace } from "./ids.js";
import { FoundVersions, Properties, Versions } from "./shapes.js";
import { isInactive, propertyKind } from "./states.js";

const property = { path: { propertyId: PropertyId }, query: place } as const;
const inPlace = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
const stamp = z.string().min(1).max(200);
const noSuchVersion = "property_versions_list lists the versions of a property.";

export const searchArguments = ["propertyName", "hostname", "edgeHostname"] as const;
/** The search takes one value, and the API refuses any other number (public facts B, 3.1). */
export const oneValueOf =
  (...names: readonly string[]): Check =>
  ({ args }) => {
    const given = names.filter((name) => memberAt(args, name) !== undefined);
    const takes = `a value in exactly one of ${names.join(", ")}`;
    if (given.length === 0) return [{ field: names[0] ?? "", takes }];
    return given.slice(1).map((field) => ({ field, takes: `no value, because ${given[0]} is given: ${takes}` }));
  };

/** The members of a new property. */
export const newProperty = {
  productId: IdInBody,
  propertyName: z.string().min(1).max(85),
  ruleFormat: z.string().max(20).optional(),
  cloneFrom: openObject({
    propertyId: IdInBody,
    version: PropertyVersion,
    cloneFromVersionEtag: stamp.optional().describe("Fails if its etag differs"),
    copyHostnames: z.boolean().optional(),
  }).optional(),
};

export const versionOperations = {
  properties_list: op("GET /papi/v0/properties/", {
    does: "Lists the properties of a contract and a group, with their active versions.",
    needs: "property_groups_list lists both ids.",
    query: requiredPlace,
    returns: { 200: json(Properties) },
    rules: ["property-prefixes"],
    example: inPlace,
  }),
  property_create: op("POST /papi/v0/properties/", {
    does: "Creates a property, empty or as a copy of another property's version.",
    query: requiredPlace,
    body: json(newProperty),
    returns: { 201: json(z.looseObject({ propertyLink: z.string() })) },
    effect: "create",
    shownBy: "properties_list",
    example: { ...inPlace, body: { productId: "prd_Site_Delivery", propertyName: "new.shop.example" } },
  }),
  property_get: op("GET /papi/v0/properties/{propertyId}", {
    does: "Reads one property: its newest version, and the active ones.",
    ...property,
    returns: { 200: json(Properties) },
    example: { propertyId: "prp_175780" },
  }),
  property_delete: op("DELETE /papi/v0/properties/{propertyId}", {
    does: "Deletes a property with all its versions; refused while one is active.",
    ...property,
    returns: { 200: json(z.looseObject({ message: z.string() })) },
    checks: [isInactive(propertyKind)],
    guard: deletionGuard(propertyKind, "rules and hostnames"),
    shownBy: "property_get",
    example: { propertyId: "prp_175783" },
  }),
  property_versions_list: op("GET /papi/v0/properties/{propertyId}/versions/", {
    does: "Lists a property's versions, newest first, with where each is active.",
    ...property,
    returns: { 200: json(Versions) },
    example: { propertyId: "prp_175780" },
  }),
  property_version_create: op("POST /papi/v0/properties/{propertyId}/versions/", {
    does: "Creates a version of a property as a copy of another, for editing.",
    ...property,
    body: json({
      createFromVersion: PropertyVersion,
      createFromVersionEtag: stamp.optional().describe("Fails if its etag differs"),
    }),
    returns: { 201: json(z.looseObject({ versionLink: z.string() })) },
    effect: "create",
    shownBy: "property_versions_list",
    resolves: noteCopiedVersion,
    guard: copyGuard,
    example: { propertyId: "prp_175780", body: { createFromVersion: 2 } },
  }),
  property_version_get: op("GET /papi/v0/properties/{propertyId}/versions/{propertyVersion}", {
    does: "Reads one version of a property: where it is active, rule format, etag.",
    path: { ...property.path, propertyVersion: PropertyVersion },
    query: place,
    returns: { 200: json(Versions) },
    means: { 404: noSuchVersion },
    example: { propertyId: "prp_175780", propertyVersion: 2 },
  }),
  property_latest_version_get: op("GET /papi/v0/properties/{propertyId}/versions/latest", {
    does: "Reads a property's newest version, or the one active on a network.",
    path: property.path,
    query: { ...place, activatedOn: z.enum(["STAGING", "PRODUCTION"]).optional() },
    returns: { 200: json(Versions) },
    rules: ["property-latest-activated-on"],
    means: {
      404: "No version is active there; omit activatedOn to read the newest one. properties_list shows the properties.",
    },
    note: "The API redirects to the version (public facts B, 3.1); the redirect is followed.",
    example: { propertyId: "prp_175780", activatedOn: "PRODUCTION" },
  }),
  property_version_find: op("GET /papi/v0/search/find-by-value", {
    does: "Finds properties and versions by exactly one of a property's name, a hostname or an edge hostname.",
    query: { ...members(z.string().min(1).max(253).optional(), "propertyName", "hostname", "edgeHostname") },
    checks: [oneValueOf(...searchArguments)],
    returns: { 200: json(FoundVersions) },
    note: "The document has a GET and does not show where the value goes; public facts B, 3.1, have a POST with a JSON body.",
    example: { hostname: "www.shop.example" },
  }),
} as const;
