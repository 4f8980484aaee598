/** Every sample of the visitor queue and of SaaS access, replayed: the JSON in the form, and the answer out of its envelope. */
import { describe } from "vitest";
import { replaySamples, samplesIn, under } from "./replay.js";

const queue = samplesIn("../shared/samples/B/visitor-queue");
const access = samplesIn("../shared/samples/B/saas-rules");

describe("visitor queue", () => {
  const list = "synthetic-getAllPolicyInfoMaps-response.json";
  replaySamples({
    ...queue,
    foreign: {},
    rows: under(
      "",
      ["visitor_policies_list", {}, list, 200, { request: "getAllPolicyInfoMaps-request-query-json.json" }],
      [
        "visitor_policy_versions_list",
        { body: { policyManagerRequest: { getPolicyInfoList: { policyId: 101 } } } },
        list,
        200,
      ],
      ["visitor_policy_activate", {}, list, 200, { request: "activate-request-query-json.json" }],
      ["visitor_activations_list", {}, "synthetic-activation-list-response.json", 200],
    ),
  });
});

describe("SaaS access", () => {
  const owners = { contractId: "C-1FRYVV3", groupId: "11111" };
  replaySamples({
    ...access,
    foreign: {},
    rows: under("", [
      "saasaccess_policy_create",
      owners,
      "create-policy-request.json#policyManagerRequest",
      409,
      { request: "create-policy-request.json" },
    ]),
  });
});
