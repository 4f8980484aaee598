/** Bulk work on properties (Property Manager v1): search in all rules, then new versions, patches and activations of many. */
import definition from "../../definitions/box/property_v1.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import { type Arguments, type JobPolling, pickArguments, type UpstreamAnswer } from "../../language/conduct.js";
import { defined, memberAt } from "../../language/member.js";
import { openObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { patchMembers } from "../../schema/json-patch.js";
import { IdInBody, NotifyEmails, place } from "../properties/ids.js";
import { propertyManagerLimit } from "../properties/limit.js";
import { activationsGuard, copiesGuard, patchesGuard } from "./guards.js";

const stamp = z.string().min(1).max(200);
const path = z.string().min(1).max(2_000);
const jobId = z.int().positive();
const operationAt = overlay(definition, {
  arguments: {
    ...place,
    papiUsePrefixes: z.literal("true"),
    bulkSearchId: jobId,
    bulkCreateId: jobId,
    bulkPatchId: jobId,
    bulkActivationId: jobId,
    syntax: true,
    match: path.describe('Such as $..behaviors[?(@.name == "caching")]'),
    bulkSearchQualifiers: z.array(path).describe("Paths that must match, too"),
    propertyType: true,
    propertyId: IdInBody,
    propertyVersion: true,
    createFromVersion: true,
    createPropertyVersions: (list) => list.min(1),
    createFromVersionEtag: stamp,
    patchPropertyVersions: (list) => list.min(1),
    etag: stamp,
    patches: z
      .array(
        openObject({
          op: z.enum(["replace", "add", "remove", "test"]),
          path: patchMembers.path,
          value: patchMembers.value,
        }),
      )
      .min(1),
    activatePropertyVersions: (list) => list.min(1),
    network: true,
    note: z.string().max(2_000),
    acknowledgeWarnings: z.array(z.string().min(1).max(80)),
    defaultActivationSettings: true,
    notifyEmails: NotifyEmails,
    acknowledgeAllWarnings: true,
    fastPush: true,
    useFastFallback: true,
  },
  // A patch sets any JSON, of which the definition has the scalars, and one that removes has no value.
  answers: { value: z.unknown() },
  optional: ["value"],
});
const searchExample = {
  body: { bulkSearchQuery: { syntax: "JSONPATH" as const, match: '$..behaviors[?(@.name == "caching")].options.ttl' } },
};

/**
 * How a job is polled.
 * @param id The argument of the operation that reports it.
 * @param link The field of the launch's response with its address.
 * @param at The field of the status.
 */
const followed = <const N extends string>(status: N, id: string, link: string, at: string): JobPolling<N> => ({
  status,
  follow: ({ body, location }: UpstreamAnswer, given: Arguments) => {
    const [, number] = /\/(\d{1,15})(?:\?|$)/.exec(String(memberAt(body, link) ?? location)) ?? [];
    return number === undefined
      ? undefined
      : defined({ ...pickArguments("contractId", "groupId")(given), [id]: Number(number) });
  },
  isReady: ({ body }) => memberAt(body, at) === "COMPLETE",
  state: ({ body }) => String(memberAt(body, at)),
  failure: ({ body }) => (memberAt(body, at) === "ERROR" ? "The search failed." : undefined),
});

export const propertyBulk = service("bulk", {
  name: "property-bulk",
  document: "today",
  title: "Bulk changes of properties",
  about: "Searches the rules of all properties, and creates, patches and activates versions of many of them.",
  standing: { state: "alive" },
  rateLimit: propertyManagerLimit,
  ids: {
    contractId: "property_contracts_list",
    groupId: "property_groups_list",
    propertyId: "bulk_search_result",
  },
  rules: {
    "bulk-each-alone": "Each property of a job succeeds or fails on its own, and the job is COMPLETE either way.",
    "bulk-fallback-hour": "Within an hour of a bulk activation, useFastFallback returns to what was active before it.",
    "bulk-drafts": "A bulk patch changes only versions that were never activated.",
  },
  operations: {
    bulk_search_launch: operationAt("POST /papi/v1/bulk/rules-search-requests", {
      does: "Starts a JSONPath search in the rules of all active and newest versions of properties or includes.",
      effect: "launch",
      shownBy: "bulk_search_result",
      awaits: followed("bulk_search_result", "bulkSearchId", "bulkSearchLink", "searchTargetStatus"),
      example: searchExample,
    }),
    bulk_search_result: operationAt("GET /papi/v1/bulk/rules-search-requests/{bulkSearchId}", {
      does: "Reads a search's progress, and the versions and JSON Pointers that it found.",
      example: { bulkSearchId: 1 },
    }),
    bulk_search_run: operationAt("POST /papi/v1/bulk/rules-search-requests-synch", {
      does: "Searches the rules of all properties or includes by JSONPath and waits.",
      needs: "bulk_search_launch does not wait.",
      effect: "launch",
      shownBy: "bulk_search_result",
      example: searchExample,
    }),
    bulk_version_create: operationAt("POST /papi/v1/bulk/property-version-creations", {
      does: "Creates a version of each of several properties as a copy of another.",
      effect: "create",
      unseen: "These operations do not show the properties' versions before; property_versions_list does.",
      guard: copiesGuard,
      awaits: followed("bulk_version_status", "bulkCreateId", "bulkCreateVersionLink", "bulkCreateVersionsStatus"),
      rules: ["bulk-each-alone"],
      example: { body: { createPropertyVersions: [{ propertyId: "prp_175780", createFromVersion: 2 }] } },
    }),
    bulk_version_status: operationAt("GET /papi/v1/bulk/property-version-creations/{bulkCreateId}", {
      does: "Reads which versions a bulk creation has made.",
      example: { bulkCreateId: 1 },
    }),
    bulk_patch_submit: operationAt("POST /papi/v1/bulk/rules-patch-requests", {
      does: "Changes the rules of several property versions, each by a JSON Patch.",
      needs: "bulk_search_result has the pointers, bulk_version_status the versions.",
      effect: "update",
      unseen: "These operations do not show the rules before; property_rule_tree_get does.",
      guard: patchesGuard,
      awaits: followed("bulk_patch_status", "bulkPatchId", "bulkPatchLink", "bulkPatchStatus"),
      rules: ["bulk-drafts", "bulk-each-alone"],
      example: {
        body: {
          patchPropertyVersions: [
            {
              propertyId: "prp_175780",
              propertyVersion: 3,
              patches: [{ op: "replace", path: "/rules/behaviors/2/options/ttl", value: "2h" }],
            },
          ],
        },
      },
    }),
    bulk_patch_status: operationAt("GET /papi/v1/bulk/rules-patch-requests/{bulkPatchId}", {
      does: "Reads which versions a bulk patch has changed, with errors and warnings.",
      memberNotes: [
        {
          each: "patchPropertyVersions",
          when: "fatalError",
          says: "{patchPropertyId} was not patched: {fatalError}.",
        },
      ],
      example: { bulkPatchId: 1 },
    }),
    bulk_activation_launch: operationAt("POST /papi/v1/bulk/activations", {
      does: "Activates several property versions, each on its network, or returns all to what was active before.",
      whyClosed: "it could activate what has not been reviewed",
      effect: "destructive",
      unseen: "These operations do not show what is active before; property_activations_list does for each property.",
      guard: activationsGuard,
      awaits: followed("bulk_activation_status", "bulkActivationId", "bulkActivationLink", "bulkActivationStatus"),
      rules: ["bulk-each-alone", "bulk-fallback-hour"],
      example: {
        body: {
          activatePropertyVersions: [{ propertyId: "prp_175780", propertyVersion: 3, network: "STAGING" }],
          defaultActivationSettings: { notifyEmails: ["operations@shop.example"] },
        },
      },
    }),
    bulk_activation_status: operationAt("GET /papi/v1/bulk/activations/{bulkActivationId}", {
      does: "Reads how far each activation of a bulk job is.",
      memberNotes: [
        {
          each: "activatePropertyVersions",
          when: "fatalError",
          says: "{propertyId} was not activated: {fatalError}.",
        },
      ],
      example: { bulkActivationId: 1 },
    }),
  },
});
