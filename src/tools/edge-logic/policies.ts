/** The operations on policies, their versions and rules. */
import { empty, json, op } from "../../language/define.js";
import { z } from "../../language/z.js";
import { asRead, readOnly } from "../../schema/read-only.js";
import { rulesUnlocked } from "./checks.js";
import { besidePolicy, besideVersion, policyChange, policyDeletion, versionDeletion } from "./guards.js";
import { Rule, StoredRule } from "./match-rules.js";
import { Policy, Version } from "./shapes.js";

const id = z.int().positive();
export const policy = { policyId: id };
export const version = { ...policy, version: id };
const rule = {
  ...version,
  vendorRuleId: z.string().regex(/^\w[\w.-]*$/, "the id of a rule, from the version's matchRules"),
};
const offset = z.int().min(0).optional().describe("Records to skip");
const page = { offset, pageSize: z.int().min(1).max(1_000).optional().describe("100 by default") };
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
const oneVersionQuery = {
  omitRules: z.boolean().optional(),
  matchRuleFormat: format,
};
const name = z.string().regex(/^\w+$/, "letters, digits and underscores").max(64);
const description = z.string().max(255).nullable().optional();
const content = {
  description,
  matchRuleFormat: format,
  matchRules: z.array(Rule).max(5_000).nullable().optional().describe("All, in order of evaluation"),
  // A version is repeated as it was read. Deleting one by a write would be a deletion without its preview.
  deleted: readOnly(
    z
      .boolean()
      .refine((isDeleted) => !isDeleted, "false, or nothing: edgelogic_policy_version_delete deletes a version")
      .optional(),
  ),
};
const locked = {
  400: "The version or a rule was refused: the upstream's detail says why. A version that was activated keeps its rules: make a new one with edgelogic_policy_version_create.",
};
export const policyMissing = { 404: "There is no such policy: edgelogic_policies_list shows all." };
const ruleMissing = {
  404: "There is no such rule: edgelogic_policy_version_get shows those of a version with their ids.",
};
export const versionMissing = { 404: "There is no such version: edgelogic_policy_versions_list shows all." };

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
      409: "The name is taken. The upstream's answer is the policy that has it: go on with that one by edgelogic_policy_get, or choose another name.",
    },
    example: { body: { cloudletId: 0, groupId: 11111, name: "autumn_redirects", description: "Autumn sale" } },
  }),
  edgelogic_policy_get: op("GET /cloudlets/api/v2/policies/{policyId}", {
    does: "Reads one policy with its activations.",
    path: policy,
    returns: { 200: json(Policy) },
    means: policyMissing,
    example: { policyId: 1001 },
  }),
  edgelogic_policy_update: op("PUT /cloudlets/api/v2/policies/{policyId}", {
    does: "Renames, describes, moves or restores a policy.",
    path: policy,
    body: json(
      asRead(
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
    // With deleted it deletes, and with another group it is somebody else's.
    guard: policyChange,
    shownBy: "edgelogic_policy_get",
    means: policyMissing,
    example: { policyId: 1001, body: { description: "Redirects of the spring sale" } },
  }),
  edgelogic_policy_delete: op("DELETE /cloudlets/api/v2/policies/{policyId}", {
    does: "Deletes a policy with all its versions.",
    path: policy,
    returns: { 204: empty },
    guard: policyDeletion,
    shownBy: "edgelogic_policy_get",
    shownBeside: besidePolicy,
    rules: ["edgelogic-policy-restore"],
    means: policyMissing,
    example: { policyId: 1005 },
  }),
  edgelogic_policy_versions_list: op("GET /cloudlets/api/v2/policies/{policyId}/versions", {
    does: "Lists a policy's versions.",
    path: policy,
    query: { ...versionQuery, ...page },
    returns: { 200: json(z.array(Version)) },
    paging,
    rules: ["edgelogic-offset"],
    means: policyMissing,
    example: { policyId: 1001 },
  }),
  edgelogic_policy_version_create: op("POST /cloudlets/api/v2/policies/{policyId}/versions", {
    does: "Adds a version to a policy: from rules, or as a clone of another version.",
    path: policy,
    query: versionQuery,
    body: json({ ...content, matchRulesFormat: format.describe("Another spelling of matchRuleFormat") }),
    returns: { 201: json(Version) },
    effect: "create",
    shownBy: "edgelogic_policy_versions_list",
    rules: ["edgelogic-version-number"],
    means: { ...locked, ...policyMissing },
    note: "One published sample spells matchRuleFormat as matchRulesFormat.",
    example: { policyId: 1001, cloneVersion: 1, body: { description: "Spring, second wave" } },
  }),
  edgelogic_policy_version_get: op("GET /cloudlets/api/v2/policies/{policyId}/versions/{version}", {
    does: "Reads a version with its rules.",
    path: version,
    query: oneVersionQuery,
    returns: { 200: json(Version) },
    means: versionMissing,
    example: { policyId: 1001, version: 1 },
  }),
  edgelogic_policy_version_update: op("PUT /cloudlets/api/v2/policies/{policyId}/versions/{version}", {
    does: "Replaces the rules or the description of a version that was never activated.",
    path: version,
    query: oneVersionQuery,
    body: json(asRead(content, Version)),
    returns: { 200: json(Version) },
    effect: "update",
    shownBy: "edgelogic_policy_version_get",
    checks: [rulesUnlocked],
    rules: ["edgelogic-rules-locked"],
    means: { ...locked, ...versionMissing },
    example: { policyId: 1001, version: 2, body: { description: "Spring, as announced" } },
  }),
  edgelogic_policy_version_delete: op("DELETE /cloudlets/api/v2/policies/{policyId}/versions/{version}", {
    does: "Deletes a version, even one that is active.",
    path: version,
    query: oneVersionQuery,
    returns: { 204: empty },
    guard: versionDeletion,
    shownBy: { by: "edgelogic_policy_version_get", args: () => ({ omitRules: undefined, matchRuleFormat: undefined }) },
    // Whoever approves the deletion sees the rules that it loses, whatever its answer leaves out.
    shownBeside: besideVersion,
    rules: ["edgelogic-version-delete"],
    means: versionMissing,
    example: { policyId: 1001, version: 2 },
  }),
  edgelogic_rule_create: op("POST /cloudlets/api/v2/policies/{policyId}/versions/{version}/rules", {
    does: "Inserts one rule into a never activated version; shows the order before and after.",
    path: version,
    query: { index: z.int().min(0).optional().describe("Zero-based; last by default") },
    body: json(Rule),
    returns: { 200: json(StoredRule) },
    effect: "create",
    shownBy: "edgelogic_policy_version_get",
    shows: { order: { of: "matchRules", by: ["name", "vendorRuleId"] } },
    checks: [rulesUnlocked],
    rules: ["edgelogic-rule-index", "edgelogic-rules-locked"],
    means: { ...locked, ...versionMissing },
    example: {
      policyId: 1001,
      version: 2,
      index: 0,
      body: { type: "erMatchRule", name: "Flash", matchURL: "/flash", redirectURL: "/sale", statusCode: 302 },
    },
  }),
  edgelogic_rule_get: op("GET /cloudlets/api/v2/policies/{policyId}/versions/{version}/rules/{vendorRuleId}", {
    does: "Reads one rule of a version.",
    path: rule,
    returns: { 200: json(StoredRule) },
    means: ruleMissing,
    example: { policyId: 1001, version: 1, vendorRuleId: "5db847a66e0566ad" },
  }),
  edgelogic_rule_update: op("PUT /cloudlets/api/v2/policies/{policyId}/versions/{version}/rules/{vendorRuleId}", {
    does: "Replaces one rule of a never activated version.",
    path: rule,
    body: json(Rule),
    returns: { 200: json(StoredRule) },
    effect: "update",
    shownBy: "edgelogic_rule_get",
    checks: [rulesUnlocked],
    rules: ["edgelogic-rules-locked"],
    means: { ...locked, ...ruleMissing },
    example: {
      policyId: 1001,
      version: 2,
      vendorRuleId: "6ec958b77f1677be",
      body: { type: "erMatchRule", matchURL: "/old", redirectURL: "/new", statusCode: 301, disabled: "true" },
    },
  }),
};
