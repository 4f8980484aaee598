/** The operations on policies, their versions and rules, and where they are active. */
import { type Arguments, pickArguments } from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { readOnly, withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import {
  policyChange,
  policyDeletion,
  readForActivation,
  rulesUnlocked,
  versionActivation,
  versionDeletion,
} from "./guards.js";
import { Rule, StoredRule } from "./match-rules.js";
import { Activation, Policy, Properties, Version } from "./shapes.js";

const id = z.int().positive();
const vendorRuleId = z.string().regex(/^\w[\w.-]*$/, "the id of a rule, from the version's matchRules");
const noPolicy = "There is no such policy: edgelogic_policies_list shows all.";
const noVersion = "There is no such version: edgelogic_policy_versions_list shows all.";
const noRule = "There is no such rule: edgelogic_policy_version_get shows those of a version with their ids.";
const refused =
  "The version or a rule was refused: see the upstream's detail. The rules of an activated version are fixed: create a new one with edgelogic_policy_version_create.";
const page = {
  offset: z.int().min(0).optional().describe("Records to skip"),
  pageSize: z.int().min(1).max(1_000).optional().describe("100 by default"),
};
const paging = { start: "offset", counts: "records", size: "pageSize", defaultSize: 100 } as const;
const format = z.string().optional().describe("Such as 1.0");
const policyQuery = {
  gid: z.int().min(0).optional().describe("Group"),
  includeDeleted: z.boolean().optional(),
  cloudletId: z.int().min(0).optional(),
  clonePolicyId: id.optional().describe("Policy to clone"),
  version: id.optional().describe("Version of it; latest by default"),
};
const versionQuery = {
  includeRules: z.boolean().optional(),
  matchRuleFormat: format,
  cloneVersion: id.optional().describe("Version to clone"),
};
const oneVersionQuery = { omitRules: z.boolean().optional(), matchRuleFormat: format };
const name = z.string().regex(/^\w+$/, "letters, digits and underscores").max(64);
const description = z.string().max(255).nullable().optional();
const content = {
  description,
  matchRuleFormat: format,
  matchRules: z.array(Rule).max(5_000).nullable().optional().describe("All, in order of evaluation"),
  // A version is accepted as it was read. Deleting it by a write would bypass the preview of a deletion.
  deleted: readOnly(
    z
      .boolean()
      .refine((isDeleted) => !isDeleted, "false, or nothing: edgelogic_policy_version_delete deletes a version")
      .optional(),
  ),
};

/** The states of the activations in a response that belong to the launch with these arguments. */
function statesOf(body: unknown, given: Arguments): readonly string[] {
  const { data = [] } = z.array(Activation).safeParse(body);
  return data
    .filter((one) => one.policyInfo.version === given["version"] && one.network === memberAt(given, "body.network"))
    .map((one) => one.policyInfo.status.toLowerCase());
}

export const policyOperations = {
  edgelogic_policies_list: op("GET /cloudlets/api/v2/policies", {
    does: "Lists policies with their activations.",
    query: { ...policyQuery, ...page },
    returns: { 200: json(z.array(Policy)) },
    paging,
    rules: ["edgelogic-offset"],
    example: { cloudletId: 0 },
  }),
  edgelogic_policy_create: op("POST /cloudlets/api/v2/policies", {
    does: "Creates a policy with version 1, or clones one.",
    query: policyQuery,
    body: json({
      cloudletId: z.int().min(0).describe("Application"),
      name,
      groupId: z.int().optional(),
      description,
      propertyName: z.string().nullable().optional().describe("Deprecated"),
    }),
    returns: { 201: json(Policy) },
    effect: "create",
    shownBy: "edgelogic_policies_list",
    rules: ["edgelogic-first-version", "edgelogic-name-taken", "edgelogic-clone-latest", "edgelogic-clone-attributes"],
    means: {
      409: "The name is taken. The upstream's response is the existing policy: continue with that one (edgelogic_policy_get), or choose another name.",
    },
    example: { body: { cloudletId: 0, groupId: 11111, name: "autumn_redirects", description: "Autumn sale" } },
  }),
  edgelogic_policy_get: op("GET /cloudlets/api/v2/policies/{policyId}", {
    does: "Reads one policy with its activations.",
    path: { policyId: id },
    means: { 404: noPolicy },
    returns: { 200: json(Policy) },
    example: { policyId: 1001 },
  }),
  edgelogic_policy_update: op("PUT /cloudlets/api/v2/policies/{policyId}", {
    does: "Renames, describes, moves or restores a policy.",
    path: { policyId: id },
    means: { 404: noPolicy },
    body: json(
      withReadOnlyMembers(
        {
          name: name.optional(),
          description,
          groupId: z.int().optional(),
          deleted: z.boolean().optional().describe("false: restore"),
        },
        Policy,
      ),
    ),
    returns: { 200: json(Policy) },
    effect: "update",
    // With deleted it deletes, and another group changes who can access it.
    guard: policyChange,
    shownBy: "edgelogic_policy_get",
    example: { policyId: 1001, body: { description: "Redirects of the spring sale" } },
  }),
  edgelogic_policy_delete: op("DELETE /cloudlets/api/v2/policies/{policyId}", {
    does: "Deletes a policy with all its versions.",
    path: { policyId: id },
    means: { 404: noPolicy },
    returns: { 204: empty },
    guard: policyDeletion,
    shownBy: "edgelogic_policy_get",
    relatedReads: {
      versions: { by: "edgelogic_policy_versions_list", args: ({ policyId }) => ({ policyId, pageSize: 1_000 }) },
    },
    rules: ["edgelogic-policy-restore"],
    example: { policyId: 1005 },
  }),
  edgelogic_policy_versions_list: op("GET /cloudlets/api/v2/policies/{policyId}/versions", {
    does: "Lists a policy's versions.",
    path: { policyId: id },
    means: { 404: noPolicy },
    query: { ...versionQuery, ...page },
    returns: { 200: json(z.array(Version)) },
    paging,
    rules: ["edgelogic-offset"],
    example: { policyId: 1001 },
  }),
  edgelogic_policy_version_create: op("POST /cloudlets/api/v2/policies/{policyId}/versions", {
    does: "Adds a version to a policy: from rules, or as a clone of another version.",
    path: { policyId: id },
    query: versionQuery,
    body: json({ ...content, matchRulesFormat: format.describe("Another spelling of matchRuleFormat") }),
    returns: { 201: json(Version) },
    effect: "create",
    shownBy: "edgelogic_policy_versions_list",
    rules: ["edgelogic-version-number"],
    means: { 400: refused, 404: noPolicy },
    note: "One published sample spells matchRuleFormat as matchRulesFormat.",
    example: { policyId: 1001, cloneVersion: 1, body: { description: "Spring, second wave" } },
  }),
  edgelogic_policy_version_get: op("GET /cloudlets/api/v2/policies/{policyId}/versions/{version}", {
    does: "Reads a version with its rules.",
    path: { policyId: id, version: id },
    means: { 404: noVersion },
    query: oneVersionQuery,
    returns: { 200: json(Version) },
    example: { policyId: 1001, version: 1 },
  }),
  edgelogic_policy_version_update: op("PUT /cloudlets/api/v2/policies/{policyId}/versions/{version}", {
    does: "Replaces the rules or the description of a version that was never activated.",
    path: { policyId: id, version: id },
    query: oneVersionQuery,
    body: json(withReadOnlyMembers(content, Version)),
    returns: { 200: json(Version) },
    effect: "update",
    shownBy: "edgelogic_policy_version_get",
    checks: [rulesUnlocked],
    rules: ["edgelogic-rules-locked"],
    means: { 400: refused, 404: noVersion },
    example: { policyId: 1001, version: 2, body: { description: "Spring, as announced" } },
  }),
  edgelogic_policy_version_delete: op("DELETE /cloudlets/api/v2/policies/{policyId}/versions/{version}", {
    does: "Deletes a version, even one that is active.",
    path: { policyId: id, version: id },
    means: { 404: noVersion },
    query: oneVersionQuery,
    returns: { 204: empty },
    guard: versionDeletion,
    shownBy: { by: "edgelogic_policy_version_get", args: () => ({ omitRules: undefined, matchRuleFormat: undefined }) },
    // The approver of the deletion sees the rules that it loses, whatever the response leaves out.
    relatedReads: { policy: { by: "edgelogic_policy_get", args: pickArguments("policyId") } },
    rules: ["edgelogic-version-delete"],
    example: { policyId: 1001, version: 2 },
  }),
  edgelogic_rule_create: op("POST /cloudlets/api/v2/policies/{policyId}/versions/{version}/rules", {
    does: "Inserts one rule into a never activated version; shows the order before and after.",
    path: { policyId: id, version: id },
    query: { index: z.int().min(0).optional().describe("Zero-based; last by default") },
    body: json(Rule),
    returns: { 200: json(StoredRule) },
    effect: "create",
    shownBy: "edgelogic_policy_version_get",
    shows: { order: { of: "matchRules", by: ["name", "vendorRuleId"] } },
    checks: [rulesUnlocked],
    rules: ["edgelogic-rule-index", "edgelogic-rules-locked"],
    means: { 400: refused, 404: noVersion },
    example: {
      policyId: 1001,
      version: 2,
      index: 0,
      body: { type: "erMatchRule", name: "Flash", matchURL: "/flash", redirectURL: "/sale", statusCode: 302 },
    },
  }),
  edgelogic_rule_get: op("GET /cloudlets/api/v2/policies/{policyId}/versions/{version}/rules/{vendorRuleId}", {
    does: "Reads one rule of a version.",
    path: { policyId: id, version: id, vendorRuleId },
    means: { 404: noRule },
    returns: { 200: json(StoredRule) },
    example: { policyId: 1001, version: 1, vendorRuleId: "5db847a66e0566ad" },
  }),
  edgelogic_rule_update: op("PUT /cloudlets/api/v2/policies/{policyId}/versions/{version}/rules/{vendorRuleId}", {
    does: "Replaces one rule of a never activated version.",
    path: { policyId: id, version: id, vendorRuleId },
    body: json(Rule),
    returns: { 200: json(StoredRule) },
    effect: "update",
    shownBy: "edgelogic_rule_get",
    checks: [rulesUnlocked],
    rules: ["edgelogic-rules-locked"],
    means: { 400: refused, 404: noRule },
    example: {
      policyId: 1001,
      version: 2,
      vendorRuleId: "6ec958b77f1677be",
      body: { type: "erMatchRule", matchURL: "/old", redirectURL: "/new", statusCode: 301, disabled: "true" },
    },
  }),
  edgelogic_policy_properties_list: op("GET /cloudlets/api/v2/policies/{policyId}/properties", {
    does: "Lists the properties that use a policy, by name.",
    path: { policyId: id },
    means: { 404: noPolicy },
    returns: { 200: json(Properties) },
    example: { policyId: 1001 },
  }),
  edgelogic_policy_activations_list: op("GET /cloudlets/api/v2/policies/{policyId}/activations", {
    does: "Lists where and when a policy's versions were activated.",
    path: { policyId: id },
    means: { 404: noPolicy },
    query: { network: z.enum(["staging", "prod"]).optional(), propertyName: z.string().min(1).optional() },
    returns: { 200: json(z.array(Activation)) },
    rules: ["edgelogic-activation-moves"],
    example: { policyId: 1001, network: "prod" },
  }),
  edgelogic_policy_version_activate: op("POST /cloudlets/api/v2/policies/{policyId}/versions/{version}/activations", {
    does: "Activates a version on a network, for every property that uses the policy or is named.",
    path: { policyId: id, version: id },
    body: json(
      closedObject("it could activate an untested version", {
        network: z.enum(["staging", "prod"]),
        additionalPropertyNames: z.array(z.string().min(1)).optional().describe("Properties that use it from now on"),
      }),
    ),
    returns: { 200: json(z.array(Activation)) },
    effect: "destructive",
    guard: versionActivation,
    shownBy: "edgelogic_policy_get",
    relatedReads: readForActivation,
    awaits: {
      status: "edgelogic_policy_activations_list",
      follow: (_, { policyId }) => ({ policyId }),
      isReady: ({ body }, given) => {
        const states = statesOf(body, given);
        return states.length > 0 && !states.includes("pending");
      },
      state: ({ body }, given) => statesOf(body, given).join(" "),
      reads: ["version", "body.network"],
      failure: ({ body }, given) =>
        statesOf(body, given).includes("failed") ? "The activation of the version has failed." : undefined,
      pauseSeconds: () => 5,
    },
    rules: ["edgelogic-activation-moves"],
    means: {
      400: "The activation was refused: a property that does not exist, or a version that is being activated; edgelogic_properties_list shows the properties.",
      404: noVersion,
    },
    example: { policyId: 1001, version: 2, body: { network: "staging" } },
  }),
};
