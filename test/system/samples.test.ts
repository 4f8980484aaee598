/** Every sample of document A that belongs to an operation, served by a replaying upstream, comes through unchanged. */
import { describe } from "vitest";
import { type Line, type Row, replaySamples, samplesIn, under } from "./replay.js";

const folder = "../shared/samples/A";
const found = samplesIn(folder);

const problem = "application/problem+json";
const page = "text/html;charset=utf-8";
const schema = "application/schema+json";

const report = {
  reportName: "ipatraffic-by-time",
  version: 3,
  start: "2026-05-01T00:00:00Z",
  end: "2026-05-02T00:00:00Z",
};
const month = { productId: "M-SITE-7", month: 8, year: 2016 };
const ofContract = { contractId: "3-1EFAKE", ...month };
const ofGroup = { reportingGroupId: "12289", ...month };
const contract = { contractId: "K-0N7RAK7" };
const group = { reportingGroupId: 12289 };
const queue = { queueName: "default" };
const purge = { purgeId: "12345678-1234-5678-1234-123456789012" };
const event = { eventId: "20051" };
const definition = { definitionId: "s@123" };
const adaptive = { definitionId: "a@cp_314159_1234" };
const suppression = { ...adaptive, start: "2015-11-12T21:15:00Z", end: "2015-11-12T21:40:00Z" };
const fields = {
  definitionId: "",
  templateId: "s@150",
  name: "Origin fails",
  network: "both",
  paramName: "cpercent",
  param: 20,
  alertLowerBound: 5,
  isSum: true,
  emailHtmlFormat: true,
  aca_cpcode: ["12345"],
  email: ["operations@example.com"],
  emailBrief: [],
};
const newDefinition = { body: { definitionId: "", origin: "STATIC", fields } };
const also = {
  "/alerts/v2/alert-templates/s@150": () => found.textOf("alerts-v2/template-get-200.json").replaceAll("s@7", "s@150"),
};
const location = { locationId: "zurich-switzerland" };
const address = { ipAddress: "192.0.2.9" };
const errorCode = { errorCode: "1.5e3b5b68.1621415935.409841" };
const url = { url: "http://www.example.com/" };

const recordedPurge = (name: string, status: number, type = "application/json"): Line => [
  "purge_submit",
  queue,
  `${name}.json#response#body`,
  status,
  { request: `${name}.json#request#body`, type },
];

const samples: readonly Row[] = [
  ...under("common-errors/", ["contract_ids_list", {}, "gateway-401-signature.json#body", 401, { type: problem }]),
  ...under(
    "reporting-api-v1/",
    ["report_type_get", { reportName: report.reportName, version: 3 }, "report-list-row-example.json", 200],
    ["report_data_get", report, "generate-report-400.json", 400],
    ["report_data_find", report, "generate-report-403.json", 403, { request: "report-request-example.json" }],
  ),
  ...under(
    "billing-center-v2/constructed-samples.json#",
    ["usage_contract_measures_list", ofContract, "GET .../measures 200", 200],
    ["usage_group_measures_list", ofGroup, "GET .../measures 200", 200],
    ["usage_contract_statistics_list", ofContract, "GET .../statistics 200", 200],
    ["usage_group_statistics_list", ofGroup, "GET .../statistics 200", 200],
    ["usage_contract_measures_list", ofContract, "error", 400],
  ),
  ...under(
    "contract-api-v1/",
    ["contract_ids_list", {}, "contract-identifiers-list-200.json", 200],
    ["contract_product_summary_get", contract, "product-summaries-200.json", 200],
    ["contract_product_summary_get", contract, "error-404.json", 404, { type: problem }],
    ["contract_group_product_summary_get", group, "product-summaries-200.json", 200],
    ["contract_group_product_summary_get", group, "contract-hypermedia-list-200.json", 300],
    ["contract_groups_list", {}, "repGrpIdNameList.json", 200],
    ["contract_group_ids_list", {}, "repGrpList.json", 200],
    ["contract_group_ids_list", {}, "error-401.json", 401, { type: problem }],
  ),
  ...under(
    "ccu-v2/",
    ["purge_queue_get", queue, "status-valid_credentials.json#response#body", 200],
    recordedPurge("arl_remove-single_item", 201),
    recordedPurge("arl_remove-multiple_items", 201),
    recordedPurge("arl_remove-invalid_credentials", 400, problem),
    recordedPurge("cpcode_invalidate-single_item", 201),
    recordedPurge("cpcode_invalidate-invalid_credentials", 400, problem),
    recordedPurge("cpcode_invalidate-invalid_item", 403, "application/api-problem+json"),
    recordedPurge("cpcode_remove-multiple_items", 201),
    ["purge_status", purge, "purge_status-completed_request.json#response#body", 200],
    ["purge_status", { purgeId: "foobarbaz" }, "purge_status-not_found_request.json#response#body", 200],
    ["purge_status", purge, "purge_status-invalid_credentials.json#response#body", 401, { type: page }],
  ),
  ...under(
    "events-v2/",
    ["event_get", event, "event-sample-from-overview-partial.json", 200],
    [
      "event_update",
      event,
      "event-sample-from-overview-partial.json",
      200,
      {
        request: "event-sample-from-overview-partial.json",
        unsent: ["id", "createdBy", "createdDate", "modifiedBy", "modifiedDate", "customer", "eventType"],
      },
    ],
  ),
  ...under(
    "alerts-v2/",
    ["alert_templates_list", {}, "templates-get-200.json", 200],
    ["alert_template_get", { templateId: "s@7" }, "template-get-200.json", 200],
    ["alert_definitions_list", {}, "alerts-get-200.json", 200],
    ["alert_definitions_list", {}, "401.json", 401, { type: problem }],
    ["alert_definition_create", newDefinition, "alerts-post-201.json", 201, { also }],
    ["alert_definition_create", newDefinition, "409.json", 409, { also, type: problem }],
    ["alert_definition_get", adaptive, "alert-get-200.json", 200],
    ["alert_definition_get", definition, "400.json", 400, { type: problem }],
    ["alert_definition_get", { definitionId: "a@123" }, "500.json", 500, { type: problem }],
    ["alert_definition_replace", definition, undefined, 204, { also, request: "alert-put.json" }],
    ["alert_definition_replace", definition, "415.json", 415, { also, request: "alert-put.json", type: problem }],
    ["alert_definition_delete", definition, undefined, 204],
    ["alert_definition_delete", definition, "403.json", 403, { type: problem }],
    ["alert_activities_list", adaptive, "alert-activities-get-200.json", 200],
    ["alert_active_firings_list", {}, "firings-active-get-200.json", 200],
    ["alert_firings_list", { definitionId: "s@1524" }, "firings-200.json", 200],
    ["alert_suppression_create", suppression, "suppressions-post-201.json", 201],
    ["alert_suppression_create", suppression, "405.json", 405, { type: problem }],
    ["alert_suppressions_list", adaptive, "suppressions-get-200.json", 200],
    ["alert_access_controls_list", { type: "cpcode" }, "access-control-data-get-200.json", 200],
    ["alert_summaries_list", {}, "alert-summaries-get-200.json", 200],
    ["alert_summaries_list", {}, "summaries-get-200.json", 200],
    ["alert_summary_get", { definitionId: "s@1234" }, "alert-summary-get-200.json", 200],
    ["alert_summary_get", definition, "404.json", 404, { type: problem }],
    ["alert_summary_detail_get", { definitionId: "s@17652" }, "details-get-200.json", 200],
    ["alert_sparklines_list", { definitionIds: ["a@17652"] }, "sparklines-get-200.json", 200],
    ["alert_template_schema_get", {}, "template-schema-get-200.json", 200, { type: schema }],
    ["alert_definition_schema_get", { templateId: "s@7" }, "schema-definition-get-200.json", 200, { type: schema }],
    ["alert_firing_schema_get", {}, "schema-firings-get-200.json", 200, { type: schema }],
    ["alert_summary_schema_get", {}, "summary-schema-get-200.json", 200, { type: schema }],
    ["alert_detail_schema_get", {}, "details-schema-get-200.json", 200, { type: schema }],
    ["alert_detail_schema_get", {}, "schema-details-get-200.json", 200, { type: schema }],
  ),
  ...under(
    "diagnostic-tools-v2/constructed-samples.json#",
    [
      "diag_location_curl_run",
      location,
      "POST .../curl-results 200",
      200,
      { request: "POST .../curl-results request" },
    ],
    ["diag_location_logs_list", { ...location, endTime: "2026-05-01T00:00:00Z" }, "GET .../log-lines 200", 200],
    ["diag_ip_cdn_check", address, "GET is-cdn-ip 200", 200],
    ["diag_ip_location_get", address, "GET geo-location 200", 200],
    ["diag_ip_cdn_launch", address, "launch response (any POST launch)", 202],
    ["diag_error_translation_launch", errorCode, "launch response (any POST launch)", 202],
    [
      "diag_user_link_create",
      {},
      "POST /end-users/diagnostic-url 201",
      201,
      { request: "POST /end-users/diagnostic-url request" },
    ],
    ["diag_user_requests_list", {}, "GET /end-users/ip-requests 200", 200],
    ["diag_user_request_get", { requestId: 4711 }, "GET /end-users/ip-requests/{id}/ip-details 200", 200],
    ["diag_gtm_properties_list", {}, "GET /gtm/gtm-properties 200", 200],
    ["diag_gtm_ips_list", { property: "www", domain: "example.akadns.net" }, "GET gtm-property-ips 200", 200],
    ["diag_url_statistic_get", url, "GET estats 200", 200],
    ["diag_url_translation_get", url, "GET /translated-url 200", 200],
    ["diag_url_translation_get", url, "error", 400, { type: problem }],
  ),
];

const foreignSamples = {
  "ccu-v3/": "a newer version",
  "edge-diagnostics-v1/": "a newer version",
  "event-viewer-v1/": "a newer service",
  "events-v3/": "a newer version",
  "diagnostic-tools-v2/schema/": "JSON Schemas that no operation returns",
  "alerts-v1/README.txt": "words about a missing recording",
  "alerts-v2/firings-count-200.json": "of alert-firings/alertcount, which the document does not have",
  "contract-api-v1/preLaunchProdContractAssocDetails.json": "of pre-launch products, which the document does not have",
  "contract-api-v1/preLaunchProdContractAssocList.json": "of pre-launch products, which the document does not have",
};

describe("document A", () => {
  replaySamples({ ...found, rows: samples, foreign: foreignSamples });
});
