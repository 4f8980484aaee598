/** Diagnostics of today (Edge Diagnostics v1): names, routes, responses, logs and errors, as seen from the edge. */
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { launchedOperations } from "./launches.js";
import { explains, limitMembers, means, operationAt } from "./shapes.js";

const statistics = "Statistics of today answer at once: call edgediag_statistic_get";
const membership = "The check of today answers at once: call edgediag_edge_ip_check with body.ipAddresses.";

/** The tool of today that replaces each tool of the former diagnostics. */
const gone = {
  diag_locations_list: "Call edgediag_locations_list.",
  diag_location_dig_run: "Look names up with edgediag_dig_run and body.edgeLocationId.",
  diag_location_mtr_run: "Trace routes with edgediag_mtr_run, body.source and body.sourceType LOCATION.",
  diag_location_curl_run: "Request URLs with edgediag_curl_run and body.edgeLocationId.",
  diag_location_logs_list:
    "Log lines of today are those of an edge address: find one with edgediag_dig_run, then call edgediag_logs_list.",
  diag_ip_location_get: "Call edgediag_ip_location_get with body.ipAddresses.",
  diag_ip_dig_run: "Look names up with edgediag_dig_run and body.edgeIp.",
  diag_ip_mtr_run: "Trace routes with edgediag_mtr_run, body.source and body.sourceType EDGE_IP.",
  diag_ip_curl_run: "Request URLs with edgediag_curl_run and body.edgeIp.",
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
  diag_error_translation_launch: "Call edgediag_error_translation_launch.",
  diag_error_translation_status:
    "Call edgediag_error_translation_result: it reports the state until the result is there.",
  diag_error_translation_result: "Call edgediag_error_translation_result.",
  diag_url_debug_get: "Checks of a URL are launched today: call edgediag_url_health_launch with wait.",
  diag_url_debug_launch: "Call edgediag_url_health_launch.",
  diag_url_debug_status: "Call edgediag_url_health_result: it reports the state until the result is there.",
  diag_url_debug_result: "Call edgediag_url_health_result.",
};

const unseen = "The API keeps no list of what was requested.";

export const edgeDiagnostics = service("edgediag", {
  name: "edge-diagnostics",
  document: "today",
  title: "Edge diagnostics",
  about: "Runs diagnostics from edge servers: DNS, routes, responses, logs, errors, metadata traces.",
  standing: { state: "alive" },
  // Published are 20, 40 or 60 a minute, by tool; the headers of each response say which.
  rateLimit: {
    api: "Edge diagnostics",
    isPerOperation: true,
    source: "https://techdocs.akamai.com/edge-diagnostics/reference/rate-limiting",
  },
  replaces: { services: ["diagnostics"], gone },
  ids: {
    edgeLocationId: "edgediag_locations_list",
    mdtLocationId: "edgediag_metadata_locations_list",
    groupId: "edgediag_user_groups_list",
    property: "edgediag_gtm_properties_list",
    domain: "edgediag_gtm_properties_list",
    cpCode: { given: "a CP code, as a number" },
    cpCodes: { given: "CP codes, as numbers" },
    errorCode: { given: "the reference number that an error page shows" },
    httpStatusCode: { given: "an HTTP status" },
  },
  rules: {
    "edgediag-launch-result": "A launch answers with an id; its result is read by that id once retryAfter has passed.",
    "edgediag-one-place": "A diagnostic runs from a location or from an edge address, never from both.",
    "edgediag-one-subject":
      "Statistics are of a URL or a CP code, and a diagnostic link is for a URL or an IP acceleration hostname.",
    "edgediag-log-subject": "A log search names hostnames or CP codes.",
    "edgediag-log-window": "Log lines are kept for 6 to 24 hours.",
    "edgediag-link-life": "A diagnostic link works for 7 days or 50 submissions.",
  },
  operations: {
    edgediag_locations_list: operationAt("GET /edge-diagnostics/v1/edge-locations", {
      does: "Lists the edge locations that diagnostics can run from.",
    }),
    edgediag_dig_run: operationAt("POST /edge-diagnostics/v1/dig", {
      does: "Looks up a name in DNS from an edge location or address.",
      effect: "read",
      checks: [limitMembers(0, 1, "edgeLocationId", "edgeIp")],
      means,
      explains,
      shows: { raw: ["result.result"] },
      rules: ["edgediag-one-place"],
      example: {
        body: { hostname: "www.shop.example", queryType: "A", isGtmHostname: false, edgeLocationId: "tokyo-japan" },
      },
    }),
    edgediag_mtr_run: operationAt("POST /edge-diagnostics/v1/mtr", {
      does: "Traces the route from an edge location or address to a host, with loss and latency by hop.",
      effect: "read",
      means,
      explains,
      shows: { raw: ["result.result"], aside: { "result.result": "result.hops" } },
      example: {
        body: {
          destination: "origin.shop.example",
          destinationType: "HOST",
          packetType: "ICMP",
          source: "saopaulo-brazil",
          sourceType: "LOCATION",
          resolveDns: true,
          showIps: true,
          showLocations: true,
        },
      },
    }),
    edgediag_curl_run: operationAt("POST /edge-diagnostics/v1/curl", {
      does: "Requests a URL from an edge location or address: status, headers, body.",
      effect: "launch",
      unseen,
      checks: [limitMembers(0, 1, "edgeLocationId", "edgeIp")],
      means,
      explains,
      shows: { raw: ["result.responseBody"] },
      rules: ["edgediag-one-place"],
      example: { body: { url: "http://www.shop.example/sale", edgeLocationId: "tokyo-japan" } },
    }),
    edgediag_logs_list: operationAt("GET /edge-diagnostics/v1/grep", {
      does: "Reads the log lines of a CP code from one edge server at once, with filters.",
      arguments: members(z.string(), "arl", "clientIp", "objectStatus", "userAgent"),
      period: { form: "iso", start: "start", end: "end", isPast: true },
      means,
      rules: ["edgediag-log-window"],
      example: { edgeIp: "192.0.2.20", cpCode: 12345, httpStatusCode: 404 },
    }),
    edgediag_statistic_get: operationAt("POST /edge-diagnostics/v1/estats", {
      does: "Reads error statistics for a URL or a CP code: edge and origin failures by status and address.",
      effect: "read",
      checks: [limitMembers(1, 1, "url", "cpCode")],
      means,
      rules: ["edgediag-one-subject"],
      note: "They are a sample of nine seconds out of the last two minutes.",
      example: { body: { url: "http://api.shop.example/cart" } },
    }),
    edgediag_url_translation_get: operationAt("POST /edge-diagnostics/v1/translated-url", {
      does: "Shows how the CDN interprets a URL: CP code, cache key, time to live.",
      effect: "read",
      means,
      example: { body: { url: "http://www.shop.example/sale" } },
    }),
    edgediag_edge_ip_check: operationAt("POST /edge-diagnostics/v1/verify-edge-ip", {
      does: "Checks which of up to ten addresses belong to edge servers.",
      effect: "read",
      means,
      example: { body: { ipAddresses: ["192.0.2.20", "203.0.113.10"] } },
    }),
    edgediag_ip_location_get: operationAt("POST /edge-diagnostics/v1/locate-ip", {
      does: "Locates up to ten addresses: country, city, network.",
      effect: "read",
      means,
      example: { body: { ipAddresses: ["203.0.113.10"] } },
    }),
    edgediag_ip_describe: operationAt("POST /edge-diagnostics/v1/verify-locate-ip", {
      does: "Checks whether one address belongs to an edge server, and locates it.",
      effect: "read",
      means,
      example: { body: { ipAddress: "192.0.2.20" } },
    }),
    edgediag_esi_debug_run: operationAt("POST /edge-diagnostics/v1/esi-debugger-api/v1/debug", {
      does: "Debugs the ESI code of a page and of the pages it includes.",
      effect: "launch",
      unseen,
      means,
      example: { body: { url: "http://www.shop.example/" } },
    }),
    edgediag_gtm_properties_list: operationAt("GET /edge-diagnostics/v1/gtm/gtm-properties", {
      does: "Lists the traffic management properties with their domains.",
    }),
    edgediag_gtm_ips_list: operationAt("GET /edge-diagnostics/v1/gtm/{property}/{domain}/gtm-property-ips", {
      does: "Lists a traffic management property's test and target addresses.",
      means: { 404: "There is no such property: edgediag_gtm_properties_list lists them with their domains." },
      example: { property: "www", domain: "shop.example" },
    }),
    edgediag_ipa_hostnames_list: operationAt("GET /edge-diagnostics/v1/ipa/hostnames", {
      does: "Lists the IP acceleration hostnames for which a diagnostic link can be created.",
    }),
    edgediag_user_groups_list: operationAt("GET /edge-diagnostics/v1/user-diagnostic-data/groups", {
      does: "Lists the groups of visitors who share a diagnostic link, with submission counts.",
    }),
    edgediag_user_group_create: operationAt("POST /edge-diagnostics/v1/user-diagnostic-data/groups", {
      does: "Creates a diagnostic link for visitors: it collects the address, resolver and browser of each who opens it.",
      effect: "create",
      shownBy: "edgediag_user_groups_list",
      checks: [limitMembers(1, 1, "url", "ipaHostname")],
      means,
      rules: ["edgediag-one-subject", "edgediag-link-life"],
      example: { body: { url: "http://www.shop.example/", note: "Jane Doe" } },
    }),
    edgediag_user_records_list: operationAt("GET /edge-diagnostics/v1/user-diagnostic-data/groups/{groupId}/records", {
      does: "Reads what the visitors of a group have submitted: addresses, resolvers, browsers.",
      means: { 404: "There is no such group: edgediag_user_groups_list lists the ids." },
      rules: ["edgediag-link-life"],
      example: { groupId: "4711" },
    }),
    ...launchedOperations,
  },
  resources: [
    {
      address: "diagnostic://locations",
      name: "diagnostic-locations",
      title: "Diagnostic locations",
      description: "The edge locations that diagnostics can run from, read from the account.",
      content: { tool: "edgediag_locations_list" },
    },
  ],
});
