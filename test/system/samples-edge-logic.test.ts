/** Every sample of edge logic, served by a replaying upstream, comes through unchanged but for the documents' words. */
import { describe } from "vitest";
import { replaySamples, samplesIn, under } from "./replay.js";

const found = samplesIn("../shared/samples/B/cloudlets");

const policy = { policyId: 1001 };
const version = { ...policy, version: 2 };
const rule = { policyId: 1002, version: 2, vendorRuleId: "5db847a66e0566ad" };
const origin = { originId: "loadBalancer1" };
const draft = { "/cloudlets/api/v2/policies/1002/versions/2?omitRules=true": () => '{"rulesLocked":false}' };
const activated = { policyId: 2962, version: 1 };
const activation = { request: "policyversionactivations-post.json" };

describe("edge logic", () => {
  replaySamples({
    ...found,
    foreign: {},
    rows: under(
      "",
      ["edgelogic_application_get", { cloudletId: 0 }, "cloudlet-get-200.json", 200],
      ["edgelogic_groups_list", {}, "groups-get-200.json", 200],
      ["edgelogic_group_get", { groupId: 1234 }, "group-get-200.json", 200],
      ["edgelogic_group_get", { groupId: 0 }, "groups-get-200.json", 200],
      ["edgelogic_policies_list", {}, "policies-get-200.json", 200],
      ["edgelogic_policy_create", {}, "policies-post-201.json", 201, { request: "policies-post.json" }],
      ["edgelogic_policy_create", {}, "policy-put-200.json", 409, { request: "policies-post.json" }],
      ["edgelogic_policy_update", { ...policy, body: { name: "UpdatePolicyName" } }, "policy-put-200.json", 200],
      ["edgelogic_policy_delete", policy, undefined, 204],
      ["edgelogic_policy_version_get", version, "policyversion-get-200.json", 200],
      [
        "edgelogic_policy_version_create",
        policy,
        "policyversions-post-201.json",
        201,
        { request: "policyversions-post.json" },
      ],
      [
        "edgelogic_policy_version_update",
        version,
        "policyversion-put-200.json",
        200,
        { request: "policyversion-put.json" },
      ],
      [
        "edgelogic_rule_create",
        { policyId: 1002, version: 2 },
        "matchrules-post-200.json",
        200,
        { request: "matchrule-put.json", unsent: ["id"], also: draft },
      ],
      ["edgelogic_rule_get", rule, "matchrule-get-200.json", 200],
      [
        "edgelogic_rule_update",
        rule,
        "matchrule-get-200.json",
        200,
        { request: "matchrule-put.json", unsent: ["id"], also: draft },
      ],
      ["edgelogic_properties_list", {}, "properties-get-200.json", 200],
      ["edgelogic_policy_properties_list", policy, "properties-get-200.json", 200],
      ["edgelogic_policy_activations_list", policy, "policyactivations-get-200.json", 200],
      ["edgelogic_policy_version_activate", activated, "policyversionactivations-post-200.json", 200, activation],
      [
        "edgelogic_policy_version_activate",
        activated,
        "policyversionactivations-post-200-pending.json",
        200,
        activation,
      ],
      ["edgelogic_policy_version_activate", activated, "error-400-activation-unknown-property.json", 400, activation],
      ["edgelogic_origin_get", origin, "origin-get-200.json", 200],
      ["edgelogic_origin_create", origin, "origins-post-201.json", 201, { request: "origins-post.json" }],
      [
        "edgelogic_origin_update",
        { originId: "clorigin1", body: { description: "Test load balancing configuration." } },
        "origin-put-200.json",
        200,
      ],
      ["edgelogic_origin_versions_list", origin, "originversions-get-200.json", 200],
      [
        "edgelogic_origin_version_create",
        origin,
        "originversion-put-200.json",
        201,
        { request: "originversions-post.json" },
      ],
      ["edgelogic_origin_version_get", { ...origin, version: 2 }, "originversion-get-200.json", 200],
      [
        "edgelogic_origin_version_update",
        { ...origin, version: 3 },
        "originversion-put-200.json",
        200,
        { request: "originversion-put.json" },
      ],
      ["edgelogic_current_activations_list", {}, "currentoriginactivations-get-200.json", 200],
      ["edgelogic_origin_activations_list", origin, "originactivations-get-200.json", 200],
      [
        "edgelogic_origin_activate",
        origin,
        "originactivations-post-200.json",
        200,
        { request: "originactivations-post.json" },
      ],
    ),
  });
});
