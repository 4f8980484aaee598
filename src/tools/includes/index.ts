/** Includes (Property Manager v1): rules that several properties share, in versions that are activated on their own. */

import type { Guard } from "../../language/conduct.js";
import { json, saidByName } from "../../language/define.js";
import { headLine } from "../../language/difference-lines.js";
import { openObject } from "../../language/open-object.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { JsonPatch, patchInWords, patchMembers } from "../../schema/json-patch.js";
import { keepsFormat, storedTreeArguments, treeComments, treeType } from "../properties/content.js";
import { patchDifference } from "../properties/difference.js";
import { deletionGuard } from "../properties/guards.js";
import { IdInBody, requiredPlace } from "../properties/ids.js";
import { propertyManagerLimit } from "../properties/limit.js";
import { treeView } from "../properties/outline.js";
import { writtenTree } from "../properties/shapes.js";
import { isEditable, isInactive, objectOf } from "../properties/states.js";
import { patchFits, patchStatement, presentStamp, treeGuard } from "../properties/v1-guards.js";
import { activationOperations } from "./activations.js";
import { operationAt } from "./overlay.js";
import { IncludeTree, IncludeVersions, includeKind, Parents } from "./shapes.js";

const inPlace = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
const draft = { includeId: "inc_310001", includeVersion: 2 };
const ofVersion = "/papi/v1/includes/{includeId}/versions/{includeVersion}";
const noSuchVersion = "include_versions_list lists the versions of an include.";

const tree = {
  why: "A rule format is asked for by its medium, as of properties; the definition has only JSON.",
  returns: { 200: [json(IncludeTree), saidByName(json(IncludeTree, treeType))] },
} as const;
const treeBody = openObject(
  withReadOnlyMembers({ rules: writtenTree("include_rule_tree_update"), comments: treeComments }, IncludeTree),
);

/** The preview of a patch: its operations in words, and the difference that they make to the rules. */
const patchGuard: Guard = {
  kind: "overwrite",
  when: "asked",
  thing: "rule tree",
  undo: { by: "Call include_rule_tree_replace with the rules that the version had before." },
  says: (args) => patchStatement(includeKind, args),
  compares: ({ body }, present) => {
    const patch = JsonPatch.safeParse(body).data ?? [];
    return [
      ...patch.map((one) => headLine(patchInWords(one))),
      ...(patchDifference(IncludeTree, present, patch) ?? []),
    ];
  },
};

export const includes = service("include", {
  name: "includes",
  document: "today",
  title: "Includes",
  about: "Reads and changes includes, which are rules that several properties share, and activates their versions.",
  standing: { state: "alive" },
  rateLimit: propertyManagerLimit,
  ids: {
    contractId: "property_contracts_list",
    groupId: "property_groups_list",
    productId: "property_products_list",
    propertyId: "include_parents_list",
    propertyVersion: "include_activation_get",
  },
  rules: {
    "include-reach": "An activated version takes effect at once in every active property that uses the include.",
    "include-stamp": "A write of the rules carries the etag that was read, and is refused with 412 if it has changed.",
    "include-delete-inactive": "An include with an active version cannot be deleted.",
    "include-cancelled": "A cancelled activation is not listed any more, and can still be read by its id.",
  },
  operations: {
    includes_list: operationAt("GET /papi/v1/includes", {
      does: "Lists the includes of a contract and a group, with their active versions.",
      arguments: requiredPlace,
      example: inPlace,
    }),
    include_create: operationAt("POST /papi/v1/includes", {
      does: "Creates an include, empty or as a copy of another include's version.",
      arguments: { ...requiredPlace, includeId: IdInBody },
      effect: "create",
      shownBy: "includes_list",
      example: {
        ...inPlace,
        body: { includeName: "security-headers", includeType: "COMMON_SETTINGS", productId: "prd_Site_Delivery" },
      },
    }),
    include_get: operationAt("GET /papi/v1/includes/{includeId}", {
      does: "Reads one include: its newest version, and the active ones.",
      example: { includeId: "inc_310001" },
    }),
    include_delete: operationAt("DELETE /papi/v1/includes/{includeId}", {
      does: "Deletes an include with all its versions; refused while one is active.",
      checks: [isInactive(includeKind)],
      guard: {
        ...deletionGuard(includeKind, "the rules"),
        warns: (_, __, related) =>
          (Parents.safeParse(related["parents"]).data?.properties.items ?? []).map(
            ({ propertyName, propertyId }) => `Property ${propertyName} (${propertyId}) uses it.`,
          ),
      },
      shownBy: "include_get",
      relatedReads: { parents: { by: "include_parents_list", args: objectOf(includeKind) } },
      rules: ["include-delete-inactive"],
      example: { includeId: "inc_310003" },
    }),
    include_parents_list: operationAt("GET /papi/v1/includes/{includeId}/parents", {
      does: "Lists the active properties that use an include.",
      rules: ["include-reach"],
      example: { includeId: "inc_310001" },
    }),
    include_versions_list: operationAt("GET /papi/v1/includes/{includeId}/versions", {
      does: "Lists an include's versions, with where each is active.",
      example: { includeId: "inc_310001" },
    }),
    include_version_create: operationAt("POST /papi/v1/includes/{includeId}/versions", {
      does: "Creates a version of an include as a copy of another.",
      effect: "create",
      shownBy: "include_versions_list",
      example: { includeId: "inc_310001", body: { createFromVersion: 2 } },
    }),
    include_version_get: operationAt(`GET ${ofVersion}`, {
      does: "Reads one version of an include: where it is active, rule format, etag.",
      means: { 404: noSuchVersion },
      example: draft,
    }),
    include_latest_version_get: operationAt("GET /papi/v1/includes/{includeId}/versions/latest", {
      does: "Reads an include's newest version, or the one active on a network.",
      corrects: {
        why: "The redirect to the version is followed, so that the version is what is read.",
        returns: { 200: json(IncludeVersions) },
      },
      means: {
        404: "No version is active there; omit activatedOn to read the newest one. includes_list shows the includes.",
      },
      note: "The API redirects to the version; the redirect is followed.",
      example: { includeId: "inc_310001", activatedOn: "PRODUCTION" },
    }),
    include_behavior_names_list: operationAt(`GET ${ofVersion}/available-behaviors`, {
      does: "Lists the behaviors that an include's rules can use.",
      example: draft,
    }),
    include_criterion_names_list: operationAt(`GET ${ofVersion}/available-criteria`, {
      does: "Lists the match criteria that an include's rules can use.",
      example: draft,
    }),
    include_rule_tree_get: operationAt(`GET ${ofVersion}/rules`, {
      does: "Reads an include's rule tree as an outline; a part with at, everything with outline: false.",
      corrects: tree,
      view: treeView(() => "set outline: false"),
      means: { 404: noSuchVersion },
      example: draft,
    }),
    include_rule_tree_digest_get: operationAt(`HEAD ${ofVersion}/rules`, {
      does: "Reads only the etag of an include's rule tree.",
      answerHeaders: { etag: "ETag" },
      means: { 404: noSuchVersion },
      example: draft,
    }),
    include_rule_tree_replace: operationAt(`PUT ${ofVersion}/rules`, {
      does: "Replaces the whole rule tree of an include's version.",
      corrects: { ...tree, body: [json(treeBody), saidByName(json(treeBody, treeType))] },
      effect: "update",
      shownBy: { by: "include_rule_tree_get", args: storedTreeArguments },
      lock: { field: "ifMatch", from: "include_rule_tree_get", at: "body.etag" },
      checks: [keepsFormat, isEditable(includeKind)],
      resolves: presentStamp,
      guard: treeGuard(includeKind),
      rules: ["include-stamp"],
      example: {
        ...draft,
        body: { rules: { name: "default", behaviors: [{ name: "caching", options: { behavior: "NO_STORE" } }] } },
      },
    }),
    include_rule_tree_update: operationAt(`PATCH ${ofVersion}/rules`, {
      does: "Changes parts of an include's rule tree by a JSON Patch (RFC 6902).",
      corrects: {
        why: "The operations are as RFC 6902 has them, at most 200, and the rules are those of the other tools.",
        body: json(z.array(openObject(patchMembers)).min(1).max(200), "application/json-patch+json"),
        returns: { 200: json(IncludeTree) },
      },
      effect: "update",
      shownBy: { by: "include_rule_tree_get", args: storedTreeArguments },
      lock: { field: "ifMatch", from: "include_rule_tree_get", at: "body.etag" },
      checks: [patchFits, isEditable(includeKind)],
      resolves: presentStamp,
      guard: patchGuard,
      rules: ["include-stamp"],
      example: { ...draft, body: [{ op: "replace", path: "/rules/behaviors/0/options/ttl", value: "2h" }] },
    }),
    ...activationOperations,
  },
});
