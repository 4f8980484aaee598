/** Every sample of threat protection that the documents' version has, served by a replaying upstream, comes through unchanged. */
import { describe } from "vitest";
import { replaySamples, samplesIn, under } from "./replay.js";

const found = samplesIn("../shared/samples/C/etp");

const config = { configId: 1100 };
const stamp = { ifMatch: '"1577000000000"' };
const site = { ...config, siteId: 101 };
const list = { ...config, listId: 3785 };
const policy = { ...config, policyId: 120 };
const honeypot = { ...config, honeypotId: 760 };
const own = "/etp-config/v1/configs/1100";
const room = { [`${own}/lists/quota`]: () => '{"count":1000,"remainingCount":990}' };
const few = {
  ...room,
  [`${own}/lists/items?numItemsPerPage=10000&page=0&listId=3785`]: () => '{"totalCount":0,"items":[]}',
};

describe("threat protection", () => {
  replaySamples({
    ...found,
    foreign: {
      "v1-concurrency.txt": "describes the stamps in prose",
      "v3-create-site-body.json": "has members that only the next version takes",
      "v3-deployment-post-request-200.json": "names kinds that only the next version has",
      "v3-etp-configs-all-200.json": "has objects where document C has ids",
      "v3-policy-metadata-200.json": "belongs to an operation of the next version",
      "v3-unauthorized-401.json": "is the answer of a gateway of the next version",
    },
    rows: [
      ...under(
        "v1-",
        ["threat_site_get", site, "site-get-200.verbatim.json", 200],
        [
          "threat_list_item_update",
          list,
          undefined,
          200,
          { request: "list-items-patch-request.from-cli-etp.json", also: room },
        ],
        [
          "threat_list_deployment_launch",
          config,
          undefined,
          200,
          { request: "list-deployment-post-request.from-cli-etp.json" },
        ],
      ),
      ...under(
        "v3-",
        ["threat_responses_list", {}, "akamai-responses-200.json", 200],
        ["threat_builtin_lists_list", {}, "akamai-security-lists-200.json", 200],
        ["threat_security_categories_list", {}, "security-categories-200.json", 200],
        ["threat_dns_configuration_get", config, "dns-vips-200.json", 200],
        ["threat_site_get", site, "site-retrieve-specific-200.json", 200],
        ["threat_site_update", { ...site, ...stamp }, undefined, 200, { request: "update-site-body.json" }],
        [
          "threat_site_update",
          { ...site, ...stamp },
          "precondition-failed-412.json",
          412,
          { request: "update-site-body.json" },
        ],
        ["threat_site_update", { ...site, ...stamp }, "conflict-409.json", 409, { request: "update-site-body.json" }],
        ["threat_site_get", site, "not-found-error-404.json", 404],
        ["threat_site_get", site, "problem-response-403.json", 403],
        ["threat_site_get", site, "insufficient-permission-403.json", 403],
        ["threat_site_get", site, "method-not-allowed-405.json", 405],
        ["threat_policy_create", config, undefined, 201, { request: "create-policy-body.json" }],
        ["threat_policy_get", policy, "policy-retrieve-specific-200.json", 200],
        ["threat_policy_update", { ...policy, ...stamp }, undefined, 200, { request: "update-policy-body.json" }],
        ["threat_lists_list", config, "list-retrieve-all-200.json", 200],
        ["threat_list_create", config, undefined, 200, { request: "create-list-body.json" }],
        ["threat_list_quota_get", config, "list-get-global-quota-200.json", 200],
        ["threat_list_items_list", list, "list-retrieve-by-search-200.json", 200],
        ["threat_list_item_update", list, undefined, 200, { request: "list-modify-items-body.json", also: room }],
        [
          "threat_list_item_replace",
          { ...list, ...stamp },
          undefined,
          200,
          { request: "set-list-items-content-body.json", also: few },
        ],
        ["threat_honeypot_create", config, undefined, 200, { request: "create-honeypot-body.json" }],
        ["threat_honeypot_update", honeypot, undefined, 200, { request: "update-honeypot-body.json" }],
        ["threat_changes_list", config, "deployment-diff-200.json", 200],
        [
          "threat_changes_list",
          config,
          "etp-configuration-deployment-changes-made-since-last-deployment-200.json",
          200,
        ],
        ["threat_deployments_list", config, "deployments-response-200.json", 200],
        ["threat_deployment_get", { ...config, configDeploymentId: 101 }, "deployment-specific-response-200.json", 200],
      ),
    ],
  });
});
