/** Operations on the content of a version: its hostnames and its rule tree. */
import type { Check } from "../../language/check.js";
import type { Arguments } from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { quoteValue } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { openObject } from "../../language/open-object.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { EntityTag } from "../fields.js";
import { treeReplacement } from "./guards.js";
import { IdInBody, PropertyId, PropertyVersion, place } from "./ids.js";
import { ruleTreeView } from "./outline.js";
import { AvailableBehaviors, AvailableCriteria, Hostnames, RuleTree, TopRule } from "./shapes.js";
import { isEditable, propertyKind } from "./states.js";

const ofVersion = "/papi/v0/properties/{propertyId}/versions/{propertyVersion}";
const version = { path: { propertyId: PropertyId, propertyVersion: PropertyVersion }, query: place } as const;
const validated = { ...version, query: { ...place, validateRules: z.boolean().optional() } } as const;
const noSuchVersion = "property_versions_list lists the versions of a property.";
const headers = { "If-Match": { argument: "ifMatch", schema: EntityTag.optional() } } as const;
const readOnly = "A version that is or was active cannot be changed: create a new one with property_version_create.";
/** The medium of a rule tree in a rule format. */
export const treeType = "application/vnd.<vendor>.papirules.{ruleFormat}+json";
export const treeAnswers = { 200: [json(RuleTree), json(RuleTree, treeType)] } as const;

export const treeComments = z.string().max(5_000).optional();
const treeBody = openObject(
  withReadOnlyMembers(
    { rules: TopRule, etag: z.string().min(1).max(200).optional(), comments: treeComments },
    RuleTree,
  ),
);
/** Reads a tree in its own format, which a write can change, and unvalidated, because that takes the API longer. */
export const storedTreeArguments = (): Arguments => ({ validateRules: false, ruleFormat: undefined });

/** A tree that was read names its format, which a write sets by an argument of that name. */
export const keepsFormat: Check = async ({ args, present }) => {
  const named = memberAt(args, "body.ruleFormat");
  if (named === undefined || named === args["ruleFormat"]) return [];
  const { ruleFormat = memberAt(await present(), "ruleFormat") } = args;
  if (named === (ruleFormat ?? named)) return [];
  const takes =
    args["ruleFormat"] === undefined
      ? `the version's present rule format, ${quoteValue(ruleFormat)}: to write the tree in another one, give ruleFormat`
      : `the same as ruleFormat, ${quoteValue(ruleFormat)}: one of the two is wrong`;
  return [{ field: "body.ruleFormat", given: quoteValue(named), takes }];
};

export const treeBodies = [json(treeBody), json(treeBody, treeType)] as const;
export const entryMembers = {
  cnameFrom: z.string().min(1).max(253).describe("The site's hostname"),
  cnameTo: z.string().min(1).max(253).optional().describe("Its edge hostname, or give edgeHostnameId"),
  edgeHostnameId: IdInBody.optional(),
  cnameType: z.enum(["EDGE_HOSTNAME"]).optional(),
  certProvisioningType: z.enum(["CPS_MANAGED", "DEFAULT"]).optional(),
};
export const missingEdgeHostname = {
  path: ["cnameTo"],
  message: "the edge hostname, unless edgeHostnameId is given",
};
const Entry = openObject(entryMembers).refine(
  ({ cnameTo, edgeHostnameId }) => cnameTo ?? edgeHostnameId,
  missingEdgeHostname,
);

export const contentOperations = {
  property_behavior_names_list: op(`GET ${ofVersion}/available-behaviors`, {
    does: "Lists the behaviors that a version's rules can use.",
    ...version,
    returns: { 200: json(AvailableBehaviors) },
    example: { propertyId: "prp_175780", propertyVersion: 2 },
  }),
  property_criterion_names_list: op(`GET ${ofVersion}/available-criteria`, {
    does: "Lists the match criteria that a version's rules can use.",
    ...version,
    returns: { 200: json(AvailableCriteria) },
    example: { propertyId: "prp_175780", propertyVersion: 2 },
  }),
  property_hostnames_list: op(`GET ${ofVersion}/hostnames/`, {
    does: "Lists a version's hostnames with the edge hostname of each.",
    ...version,
    returns: { 200: json(Hostnames) },
    means: { 404: noSuchVersion, 500: "The API is known to fail for a version without hostnames." },
    example: { propertyId: "prp_175780", propertyVersion: 2 },
  }),
  property_hostnames_replace: op(`PUT ${ofVersion}/hostnames/`, {
    does: "Replaces all hostnames of a version: those left out are removed.",
    path: version.path,
    query: { ...place, validateHostnames: z.boolean().optional() },
    headers,
    body: json(z.array(Entry).min(1).max(1_000)),
    returns: { 200: json(Hostnames) },
    effect: "update",
    shownBy: "property_hostnames_list",
    lock: { field: "ifMatch", from: "property_hostnames_list", at: "body.etag" },
    checks: [isEditable(propertyKind)],
    rules: ["property-active-read-only"],
    means: { 403: readOnly },
    example: {
      propertyId: "prp_175780",
      propertyVersion: 3,
      body: [{ cnameFrom: "www.shop.example", cnameTo: "www.shop.example.edgesuite.example" }],
    },
  }),
  property_rule_tree_get: op(`GET ${ofVersion}/rules/`, {
    does: "Reads a version's rule tree as an outline; a part with at, everything with outline: false.",
    ...validated,
    returns: treeAnswers,
    view: ruleTreeView,
    means: { 404: noSuchVersion },
    example: { propertyId: "prp_175780", propertyVersion: 2 },
  }),
  property_rule_tree_digest_get: op(`HEAD ${ofVersion}/rules/`, {
    does: "Reads only the etag of a version's rule tree.",
    ...validated,
    answerHeaders: { etag: "ETag" },
    returns: { 204: empty },
    rules: ["property-head-digest"],
    means: { 404: noSuchVersion },
    example: { propertyId: "prp_175780", propertyVersion: 2 },
  }),
  property_rule_tree_replace: op(`PUT ${ofVersion}/rules/`, {
    does: "Replaces the whole rule tree of a version; saved even with errors, which the response lists.",
    ...validated,
    headers,
    body: treeBodies,
    returns: treeAnswers,
    effect: "update",
    shownBy: { by: "property_rule_tree_get", args: storedTreeArguments },
    lock: { field: "ifMatch", from: "property_rule_tree_get", at: "body.etag" },
    checks: [keepsFormat, isEditable(propertyKind)],
    guard: { ...treeReplacement(propertyKind), when: "asked" },
    memberNotes: [
      { when: "errors", says: "The tree was saved, but with these errors the version cannot be activated." },
    ],
    rules: ["property-active-read-only", "property-cpcode-product"],
    means: { 403: readOnly },
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
} as const;
