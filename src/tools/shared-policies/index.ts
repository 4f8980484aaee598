/** Shared policies of edge logic (today's /cloudlets/v3): one policy for many properties, in versions, live per network. */
import definition from "../../definitions/box/edge_app.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import { json } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { openObject } from "../../language/open-object.js";
import { repeated, withReadOnlyMembers } from "../../language/read-only.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { Match, Rule, rulesOfEachType, StoredRule } from "../edge-logic/match-rules.js";
import { members } from "../fields.js";
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

const [redirect, rewrite, audience, phased, , prioritization, , control] = Rule.options;

/** What all rules have: an id under today's name, and a flag that is no text. */
const common = withReadOnlyMembers(
  {
    name: redirect.shape.name,
    start: redirect.shape.start,
    end: redirect.shape.end,
    matchesAlways: redirect.shape.matchesAlways,
    // Today's API answers null where a match does not look at addresses.
    matches: z
      .array(Match.extend({ checkIPs: z.string().nullable().optional() }).meta({ id: "SharedMatch" }))
      .nullable()
      .optional(),
    disabled: z.boolean().optional(),
    akaRuleId: repeated(z.string().optional().describe("As it was read")),
  },
  "id",
);
/** Today's API answers null where a rule has no origin, and some rules without any settings. */
const forwardSettings = rewrite.shape.forwardSettings.extend({ originId: z.string().nullable().optional() });
const today = { vendorRuleId: true } as const;

/** The types of rules that a shared policy takes; each belongs to one application. */
const SharedRule = z
  .discriminatedUnion("type", [
    redirect.omit(today).extend(common),
    rewrite.omit(today).extend({ ...common, forwardSettings }),
    audience.omit(today).extend({ ...common, forwardSettings: forwardSettings.optional() }),
    phased.omit(today).extend({
      ...common,
      forwardSettings: phased.shape.forwardSettings.extend(forwardSettings.shape).optional(),
    }),
    prioritization.omit(today).extend(common),
    control.omit(today).extend(common),
    openObject({
      type: z.literal("vwrMatchRule"),
      ...common,
      action: z.literal("FIFO"),
      useIncomingQueryString: z.boolean().optional(),
    }),
  ])
  .meta({
    id: "SharedRule",
    examples: [
      ...rulesOfEachType.filter(({ type }) => !/^(alb|vp)/.test(type)),
      { type: "vwrMatchRule", matches: [{ matchType: "path", matchValue: "/checkout" }], action: "FIFO" },
    ],
  });

const id = z.int().positive();
const text = z.string();
const operationAt = overlay(definition, {
  arguments: {
    ...members(id, "policyId", "version", "activationId", "groupId", "policyVersion"),
    additionalVersions: z.array(id),
    page: z.int().min(0).default(0),
    size: z.int().min(10).default(100),
    name: text.min(1).describe("Properties refer to it"),
    newName: text.min(1),
    description: true,
    policyType: true,
    matchRules: z.array(SharedRule).describe("In order of evaluation"),
    configuration: openObject({ originNewVisitorLimit: z.int().min(10).max(10_000_000) }).describe("Of type VWR"),
  },
  answers: {
    effective: "In use now, unless its operation is DEACTIVATION",
    immutable: "It is active or being activated",
    // The definition has one shape for each type of rule, and the API answers null in some of their members.
    matchRules: z.array(StoredRule.omit({ vendorRuleId: true, location: true }).extend({ akaRuleId: text.optional() })),
  },
});
const paging = {
  start: "page",
  counts: "pages",
  size: "size",
  defaultSize: 100,
  items: "content",
  total: "page.totalElements",
} as const;
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
    sharedpolicy_applications_list: operationAt("GET /cloudlets/v3/cloudlet-info", {
      does: "Lists the applications that can have shared policies, by type.",
      corrects: {
        why: "The definition has one application; its own example, and the vendor's clients, have a list of them.",
        returns: { 200: json(z.array(z.looseObject(members(text, "cloudletName", "cloudletType")))) },
      },
    }),
    sharedpolicies_list: operationAt("GET /cloudlets/v3/policies", {
      does: "Lists shared policies with what is active.",
      paging,
    }),
    sharedpolicy_create: operationAt("POST /cloudlets/v3/policies", {
      does: "Creates a shared policy, still without a version.",
      effect: "create",
      shownBy: "sharedpolicies_list",
      rules: ["sharedpolicy-name-taken"],
      means: { 409: "The name is taken: choose another one, or use that policy; sharedpolicies_list shows it." },
      example: { body: { cloudletType: "ER", groupId: 11111, name: "autumn_redirects_shared" } },
    }),
    sharedpolicy_get: operationAt("GET /cloudlets/v3/policies/{policyId}", {
      does: "Reads a shared policy with what is active on each network.",
      example: { policyId: 3001 },
    }),
    sharedpolicy_update: operationAt("PUT /cloudlets/v3/policies/{policyId}", {
      does: "Describes a shared policy or moves it to another group.",
      effect: "update",
      guard: policyChange,
      shownBy: "sharedpolicy_get",
      example: { policyId: 3001, body: { groupId: 11111, description: "Redirects of all shops" } },
    }),
    sharedpolicy_delete: operationAt("DELETE /cloudlets/v3/policies/{policyId}", {
      does: "Deletes an inactive shared policy with all its versions.",
      guard: policyDeletion,
      shownBy: "sharedpolicy_get",
      relatedReads: readForPolicy,
      checks: [policyInactive],
      rules: ["sharedpolicy-delete-inactive"],
      example: { policyId: 3003 },
    }),
    sharedpolicy_clone: operationAt("POST /cloudlets/v3/policies/{policyId}/clone", {
      does: "Clones a policy, shared or not, as a new shared one.",
      needs: "A policyId from sharedpolicies_list or edgelogic_policies_list.",
      effect: "create",
      shownBy: "sharedpolicies_list",
      rules: ["sharedpolicy-clone-versions"],
      example: { policyId: 1001, body: { newName: "spring_redirects_shared", groupId: 11111 } },
    }),
    sharedpolicy_properties_list: operationAt("GET /cloudlets/v3/policies/{policyId}/properties", {
      does: "Lists the active properties that use a shared policy, by network.",
      paging,
      example: { policyId: 3001 },
    }),
    sharedpolicy_versions_list: operationAt("GET /cloudlets/v3/policies/{policyId}/versions", {
      does: "Lists the versions of a shared policy, without rules.",
      paging,
      example: { policyId: 3001 },
    }),
    sharedpolicy_version_create: operationAt("POST /cloudlets/v3/policies/{policyId}/versions", {
      does: "Adds a version with rules to a shared policy.",
      effect: "create",
      shownBy: "sharedpolicy_versions_list",
      rules: ["sharedpolicy-version-number"],
      example: { policyId: 3001, body: { description: "Autumn", matchRules: [autumn] } },
    }),
    sharedpolicy_version_get: operationAt("GET /cloudlets/v3/policies/{policyId}/versions/{version}", {
      does: "Reads a version of a shared policy with its rules.",
      example: { policyId: 3001, version: 1 },
    }),
    sharedpolicy_version_update: operationAt("PUT /cloudlets/v3/policies/{policyId}/versions/{version}", {
      does: "Replaces the rules and the description of an inactive version.",
      effect: "update",
      guard: versionChange,
      shownBy: "sharedpolicy_version_get",
      relatedReads: readForVersion,
      checks: [versionMutable],
      rules: ["sharedpolicy-immutable"],
      note: "The definition does not say what becomes of rules that a call leaves out; the preview and the emulator take them as removed.",
      example: { policyId: 3001, version: 2, body: { description: "Autumn", matchRules: [autumn] } },
    }),
    sharedpolicy_version_delete: operationAt("DELETE /cloudlets/v3/policies/{policyId}/versions/{version}", {
      does: "Deletes an inactive version of a shared policy.",
      guard: versionDeletion,
      shownBy: "sharedpolicy_version_get",
      relatedReads: readForVersion,
      checks: [versionInactive],
      rules: ["sharedpolicy-immutable", "sharedpolicy-version-number"],
      example: { policyId: 3001, version: 2 },
    }),
    sharedpolicy_activations_list: operationAt("GET /cloudlets/v3/policies/{policyId}/activations", {
      does: "Lists when versions of a shared policy were activated or deactivated.",
      paging,
      example: { policyId: 3001 },
    }),
    sharedpolicy_version_activate: operationAt("POST /cloudlets/v3/policies/{policyId}/activations", {
      does: "Activates a version on a network for all properties that use the policy, or deactivates it.",
      whyClosed: "it could activate an untested version",
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
    sharedpolicy_activation_get: operationAt("GET /cloudlets/v3/policies/{policyId}/activations/{activationId}", {
      does: "Reads the status of an activation or a deactivation.",
      example: { policyId: 3001, activationId: 300001 },
    }),
  },
});
