/** Shared policies of edge logic (today's /cloudlets/v3): one policy for many properties, in versions, live per network. */
import { empty, json, op } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { closedObject, openObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { asRead } from "../../schema/read-only.js";
import {
  networkIdle,
  policyChange,
  policyDeletion,
  policyInactive,
  readForActivation,
  readForPolicy,
  readForVersion,
  versionActivation,
  versionChange,
  versionDeletion,
  versionInactive,
  versionMutable,
} from "./guards.js";
import { SharedRule } from "./match-rules.js";
import {
  Activation,
  Activations,
  Applications,
  Configuration,
  Policies,
  Policy,
  UsingProperties,
  Version,
  Versions,
} from "./shapes.js";

const id = z.int().positive();
const text = z.string();
const ofPolicy = { path: { policyId: id } } as const;
const ofVersion = { path: { ...ofPolicy.path, version: id } } as const;
/** The API requires both arguments of a page. */
const page = { page: z.int().min(0).default(0), size: z.int().min(10).default(100) };
const paging = {
  start: "page",
  counts: "pages",
  size: "size",
  defaultSize: 100,
  items: "content",
  total: "page.totalElements",
} as const;
const groupId = z.int().positive();
const rules = z.array(SharedRule).describe("In order of evaluation");
const configuration = openObject(Configuration).optional().describe("Of type VWR");
/** A rule for examples of versions. */
const autumn = {
  type: "erMatchRule",
  name: "Autumn",
  matchURL: "/autumn",
  redirectURL: "/sale",
  statusCode: 302,
} as const;

export const sharedPolicies = service("sharedpolicy", {
  name: "shared-policies",
  document: "today",
  title: "Shared policies",
  about: "Manages edge-logic policies that many properties share: rules, versions, activations.",
  standing: { state: "alive" },
  // Only activations are limited, to 10 a minute.
  rateLimit: {
    api: "Shared policies",
    isPerOperation: true,
    source: "https://techdocs.akamai.com/cloudlets/reference/rate-limiting",
  },
  frontLine: ["sharedpolicies_list"],
  ids: { groupId: "edgelogic_groups_list" },
  rules: {
    "sharedpolicy-name-taken": "A policy whose name exists is refused with 409.",
    "sharedpolicy-delete-inactive":
      "A policy cannot be deleted while any of its versions is active or being activated on a network.",
    "sharedpolicy-version-number": "The numbers of deleted versions are not used again.",
    "sharedpolicy-immutable": "A version that is active or being activated on a network cannot be changed or deleted.",
    "sharedpolicy-one-operation": "A network takes the next operation once the one before it has ended.",
    "sharedpolicy-replaces-active": "A version that becomes active deactivates the one that was active.",
    "sharedpolicy-clone-versions":
      "A clone has the versions on both networks, the last modified one, and those that additionalVersions names; the source may be a policy that is not shared.",
  },
  operations: {
    sharedpolicy_applications_list: op("GET /cloudlets/v3/cloudlet-info", {
      does: "Lists the applications that can have shared policies, by type.",
      returns: { 200: json(Applications) },
    }),
    sharedpolicies_list: op("GET /cloudlets/v3/policies", {
      does: "Lists shared policies with what is active.",
      query: page,
      paging,
      returns: { 200: json(Policies) },
    }),
    sharedpolicy_create: op("POST /cloudlets/v3/policies", {
      does: "Creates a shared policy, still without a version.",
      body: json({
        cloudletType: z.enum(["AP", "AS", "CD", "ER", "FR", "IG", "VWR"]),
        name: text.min(1).describe("Properties refer to it"),
        groupId,
        description: text.optional(),
        policyType: z.enum(["SHARED"]).optional(),
      }),
      returns: { 201: json(Policy) },
      effect: "create",
      shownBy: "sharedpolicies_list",
      rules: ["sharedpolicy-name-taken"],
      means: { 409: "The name is taken: choose another one, or use that policy; sharedpolicies_list shows it." },
      example: { body: { cloudletType: "ER", groupId: 11111, name: "autumn_redirects_shared" } },
    }),
    sharedpolicy_get: op("GET /cloudlets/v3/policies/{policyId}", {
      does: "Reads a shared policy with what is active on each network.",
      ...ofPolicy,
      returns: { 200: json(Policy) },
      example: { policyId: 3001 },
    }),
    sharedpolicy_update: op("PUT /cloudlets/v3/policies/{policyId}", {
      does: "Describes a shared policy or moves it to another group.",
      ...ofPolicy,
      body: json(asRead({ groupId, description: text.optional() }, Policy)),
      returns: { 200: json(Policy) },
      effect: "update",
      guard: policyChange,
      shownBy: "sharedpolicy_get",
      example: { policyId: 3001, body: { groupId: 11111, description: "Redirects of all shops" } },
    }),
    sharedpolicy_delete: op("DELETE /cloudlets/v3/policies/{policyId}", {
      does: "Deletes an inactive shared policy with all its versions.",
      ...ofPolicy,
      returns: { 204: empty },
      guard: policyDeletion,
      shownBy: "sharedpolicy_get",
      relatedReads: readForPolicy,
      checks: [policyInactive],
      rules: ["sharedpolicy-delete-inactive"],
      example: { policyId: 3003 },
    }),
    sharedpolicy_clone: op("POST /cloudlets/v3/policies/{policyId}/clone", {
      does: "Clones a policy, shared or not, as a new shared one.",
      needs: "A policyId from sharedpolicies_list or edgelogic_policies_list.",
      ...ofPolicy,
      body: json({ newName: text.min(1), groupId, additionalVersions: z.array(id).optional() }),
      returns: { 200: json(Policy) },
      effect: "create",
      shownBy: "sharedpolicies_list",
      rules: ["sharedpolicy-clone-versions"],
      example: { policyId: 1001, body: { newName: "spring_redirects_shared", groupId: 11111 } },
    }),
    sharedpolicy_properties_list: op("GET /cloudlets/v3/policies/{policyId}/properties", {
      does: "Lists the active properties that use a shared policy, by network.",
      ...ofPolicy,
      query: page,
      paging,
      returns: { 200: json(UsingProperties) },
      example: { policyId: 3001 },
    }),
    sharedpolicy_versions_list: op("GET /cloudlets/v3/policies/{policyId}/versions", {
      does: "Lists the versions of a shared policy, without rules.",
      ...ofPolicy,
      query: page,
      paging,
      returns: { 200: json(Versions) },
      example: { policyId: 3001 },
    }),
    sharedpolicy_version_create: op("POST /cloudlets/v3/policies/{policyId}/versions", {
      does: "Adds a version with rules to a shared policy.",
      ...ofPolicy,
      body: json({ description: text, matchRules: rules, configuration }),
      returns: { 201: json(Version) },
      effect: "create",
      shownBy: "sharedpolicy_versions_list",
      rules: ["sharedpolicy-version-number"],
      example: { policyId: 3001, body: { description: "Autumn", matchRules: [autumn] } },
    }),
    sharedpolicy_version_get: op("GET /cloudlets/v3/policies/{policyId}/versions/{version}", {
      does: "Reads a version of a shared policy with its rules.",
      ...ofVersion,
      returns: { 200: json(Version) },
      example: { policyId: 3001, version: 1 },
    }),
    sharedpolicy_version_update: op("PUT /cloudlets/v3/policies/{policyId}/versions/{version}", {
      does: "Replaces the rules and the description of an inactive version.",
      ...ofVersion,
      body: json(asRead({ description: text, matchRules: rules.optional(), configuration }, Version)),
      returns: { 200: json(Version) },
      effect: "update",
      guard: versionChange,
      shownBy: "sharedpolicy_version_get",
      relatedReads: readForVersion,
      checks: [versionMutable],
      rules: ["sharedpolicy-immutable"],
      note: "The definition does not say what becomes of rules that a call leaves out; the preview and the emulator take them as removed.",
      example: { policyId: 3001, version: 2, body: { description: "Autumn", matchRules: [autumn] } },
    }),
    sharedpolicy_version_delete: op("DELETE /cloudlets/v3/policies/{policyId}/versions/{version}", {
      does: "Deletes an inactive version of a shared policy.",
      ...ofVersion,
      returns: { 204: empty },
      guard: versionDeletion,
      shownBy: "sharedpolicy_version_get",
      relatedReads: readForVersion,
      checks: [versionInactive],
      rules: ["sharedpolicy-immutable", "sharedpolicy-version-number"],
      example: { policyId: 3001, version: 2 },
    }),
    sharedpolicy_activations_list: op("GET /cloudlets/v3/policies/{policyId}/activations", {
      does: "Lists when versions of a shared policy were activated or deactivated.",
      ...ofPolicy,
      query: page,
      paging,
      returns: { 200: json(Activations) },
      example: { policyId: 3001 },
    }),
    sharedpolicy_version_activate: op("POST /cloudlets/v3/policies/{policyId}/activations", {
      does: "Activates a version on a network for all properties that use the policy, or deactivates it.",
      ...ofPolicy,
      body: json(
        closedObject("it could activate an untested version", {
          policyVersion: id,
          network: z.enum(["STAGING", "PRODUCTION"]),
          operation: z.enum(["ACTIVATION", "DEACTIVATION"]),
        }),
      ),
      returns: { 202: json(Activation) },
      effect: "destructive",
      guard: versionActivation,
      shownBy: "sharedpolicy_get",
      relatedReads: readForActivation,
      checks: [networkIdle],
      awaits: {
        status: "sharedpolicy_activation_get",
        follow: ({ body }, { policyId }) => {
          const activationId = memberAt(body, "id");
          return activationId === undefined ? undefined : { policyId, activationId };
        },
        isReady: ({ body }) => memberAt(body, "status") === "SUCCESS",
        state: ({ body }) => String(memberAt(body, "status")),
        failure: ({ body }) => (memberAt(body, "status") === "FAILED" ? "The operation has failed." : undefined),
        pauseSeconds: () => 5,
      },
      rules: ["sharedpolicy-one-operation", "sharedpolicy-replaces-active"],
      means: { 400: "Another operation may be in progress on that network: see sharedpolicy_get." },
      example: { policyId: 3001, body: { policyVersion: 2, network: "STAGING", operation: "ACTIVATION" } },
    }),
    sharedpolicy_activation_get: op("GET /cloudlets/v3/policies/{policyId}/activations/{activationId}", {
      does: "Reads the status of an activation or a deactivation.",
      path: { ...ofPolicy.path, activationId: id },
      returns: { 200: json(Activation) },
      example: { policyId: 3001, activationId: 300001 },
    }),
  },
});
