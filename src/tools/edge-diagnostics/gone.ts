/** What does today the job of each tool of the former diagnostics. */

const fromEdge = (what: string, tool: string, at: string) => `${what} with ${tool} and ${at}.`;
const launched = (name: string) => ({
  launch: `Call edgediag_${name}_launch.`,
  status: `Call edgediag_${name}_result: it reports the state until the result is there.`,
  result: `Call edgediag_${name}_result.`,
});
const [translation, health] = [launched("error_translation"), launched("url_health")];
const location = "body.edgeLocationId";
const address = "body.edgeIp";
const statistics = "Statistics of today answer at once: call edgediag_statistic_get";
const membership = "The check of today answers at once: call edgediag_edge_ip_check with body.ipAddresses.";

export const gone = {
  diag_locations_list: "Call edgediag_locations_list.",
  diag_location_dig_run: fromEdge("Look names up", "edgediag_dig_run", location),
  diag_location_mtr_run: "Trace routes with edgediag_mtr_run, body.source and body.sourceType LOCATION.",
  diag_location_curl_run: fromEdge("Request URLs", "edgediag_curl_run", location),
  diag_location_logs_list:
    "Log lines of today are those of an edge address: find one with edgediag_dig_run, then call edgediag_logs_list.",
  diag_ip_location_get: "Call edgediag_ip_location_get with body.ipAddresses.",
  diag_ip_dig_run: fromEdge("Look names up", "edgediag_dig_run", address),
  diag_ip_mtr_run: "Trace routes with edgediag_mtr_run, body.source and body.sourceType EDGE_IP.",
  diag_ip_curl_run: fromEdge("Request URLs", "edgediag_curl_run", address),
  diag_ip_logs_list: "Call edgediag_logs_list with a CP code, or edgediag_log_search_launch with hostnames.",
  diag_ip_cdn_check: "Call edgediag_edge_ip_check with body.ipAddresses.",
  diag_ip_cdn_launch: membership,
  diag_ip_cdn_status: membership,
  diag_ip_cdn_result: membership,
  diag_user_link_create: "Call edgediag_user_group_create: the link of today is for a group of visitors.",
  diag_user_requests_list: "Call edgediag_user_groups_list.",
  diag_user_request_get: "Call edgediag_user_records_list with the groupId.",
  diag_gtm_properties_list: "Call edgediag_gtm_properties_list.",
  diag_gtm_ips_list: "Call edgediag_gtm_ips_list.",
  diag_url_translation_get: "Call edgediag_url_translation_get.",
  diag_url_statistic_get: "Call edgediag_statistic_get with body.url.",
  diag_url_statistic_launch: `${statistics} with body.url.`,
  diag_cpcode_statistic_get: "Call edgediag_statistic_get with body.cpCode.",
  diag_cpcode_statistic_launch: `${statistics} with body.cpCode.`,
  diag_statistic_status: `${statistics}.`,
  diag_statistic_result: `${statistics}.`,
  diag_error_translation_get: "Explanations of today are launched: call edgediag_error_translation_launch with wait.",
  diag_error_translation_launch: translation.launch,
  diag_error_translation_status: translation.status,
  diag_error_translation_result: translation.result,
  diag_url_debug_get: "Checks of a URL are launched today: call edgediag_url_health_launch with wait.",
  diag_url_debug_launch: health.launch,
  diag_url_debug_status: health.status,
  diag_url_debug_result: health.result,
};
