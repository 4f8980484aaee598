/** Diagnostic tools (document A): names, routes, URLs and requests, as seen from an edge location or address. */
import { json, op } from "../../language/define.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { members, Timestamp } from "../fields.js";
import { requestOperations } from "./requests.js";
import {
  Curl,
  cpCode,
  Dig,
  EndUser,
  errors,
  explains,
  Geo,
  ipAddress,
  LogLines,
  locationId,
  Mtr,
  memberAnswer,
  note,
  Url,
} from "./shapes.js";

const digInfo = {
  query: {
    hostName: z.string().min(1).max(253).describe("Name to look up"),
    queryType: z.enum(["A", "AAAA", "CNAME", "MX", "NS", "PTR", "SOA"]).optional().describe("A by default"),
  },
  returns: { 200: Dig },
  shows: { raw: ["digInfo.result"] },
  rules: ["diag-dig-types"],
  means: errors,
  explains,
} as const;
const mtrData = {
  query: {
    destinationDomain: z.string().min(1).max(253).describe("Host name or address to trace to"),
    resolveDns: z.boolean().optional().describe("false: addresses only"),
  },
  returns: { 200: Mtr },
  shows: { raw: ["mtr.result"], aside: { "mtr.result": "mtr.hops" } },
  rules: ["diag-mtr-resolve"],
  means: errors,
  explains,
} as const;
const curlResults = {
  body: json({ url: Url, userAgent: z.string().optional() }),
  returns: { 200: Curl },
  shows: { raw: ["curlResults.responseBody"] },
  means: errors,
  explains,
  note,
} as const;
const logLines = {
  query: {
    endTime: Timestamp.optional().describe("ISO 8601, in the last 48 hours; now by default"),
    ...members(z.string().optional(), "arl", "clientIp"),
    cpCode: cpCode.optional(),
    duration: z.int().min(1).max(360).optional().describe("Minutes before endTime; 30 by default"),
    hostHeader: z.string().optional(),
    httpStatusCode: z.int().min(100).max(599).optional(),
    logType: z.enum(["r", "f", "both"]).optional().describe("r: from clients (default), f: to origins"),
    maxLogLines: z.int().min(1).max(1_000).optional().describe("200 by default"),
    ...members(z.string().optional(), "objStatus", "requestId", "userAgent"),
  },
  returns: { 200: LogLines },
  shows: { raw: ["logLines.logs"], columns: { columns: "logLines.headers", rows: "logLines.logs" } },
  rules: ["diag-log-window"],
  means: errors,
  explains,
  note,
} as const;
const example = { url: "http://www.shop.example/sale", userAgent: "Mozilla/5.0" };

export const diagnostics = service("diag", {
  name: "diagnostics",
  document: "A",
  title: "Diagnostic tools",
  about: "Runs diagnostics from edge locations and addresses: DNS, routes, responses, logs, errors.",
  standing: { state: "superseded", successor: "Edge Diagnostics v1 (/edge-diagnostics/v1)" },
  // Its headers are public, its figures are not.
  rateLimit: { api: "Diagnostic tools", isPerOperation: true, source: "public facts A, 0.3" },
  ids: {
    locationId: "diag_locations_list",
    property: "diag_gtm_properties_list",
    domain: "diag_gtm_properties_list",
    cpCode: "property_cpcodes_list",
    ipAddress: { given: "an IP address" },
    errorCode: { given: "the reference number that an error page shows" },
    requestId: { given: "the request id of a log line" },
    httpStatusCode: { given: "an HTTP status" },
  },
  rules: {
    "diag-location-id": "The id of a listed location is the locationId of the other operations.",
    "diag-dig-types": "dig looks up A records unless queryType names another of the seven types.",
    "diag-mtr-resolve": "With resolveDns false a trace has only addresses.",
    "diag-log-window": "Log lines end in the last 48 hours and cover at most 360 minutes and 1,000 lines.",
    "diag-launch-check-result":
      "A POST launches a request, a GET of its id returns 303 when it is ready, and the GET below that returns the result.",
    "diag-result-not-ready": "A result requested too early is refused.",
  },
  operations: {
    diag_locations_list: op("GET /diagnostic-tools/v2/ghost-locations/available", {
      does: "Lists the edge locations that diagnostics can run from.",
      returns: {
        200: json(z.looseObject({ locations: z.array(z.looseObject({ id: z.string(), value: z.string() })) })),
      },
      rules: ["diag-location-id"],
    }),
    diag_location_dig_run: op("GET /diagnostic-tools/v2/ghost-locations/{locationId}/dig-info", {
      does: "Looks up a name in DNS from an edge location.",
      path: { locationId },
      ...digInfo,
      example: { locationId: "tokyo-japan", hostName: "www.shop.example" },
    }),
    diag_location_mtr_run: op("GET /diagnostic-tools/v2/ghost-locations/{locationId}/mtr-data", {
      does: "Traces the route from an edge location, with loss and latency by hop.",
      path: { locationId },
      ...mtrData,
      example: { locationId: "saopaulo-brazil", destinationDomain: "origin.shop.example" },
    }),
    diag_location_curl_run: op("POST /diagnostic-tools/v2/ghost-locations/{locationId}/curl-results", {
      does: "Requests a URL from an edge location: status, headers, body.",
      path: { locationId },
      effect: "launch",
      shownBy: "diag_location_logs_list",
      ...curlResults,
      example: { locationId: "tokyo-japan", body: example },
    }),
    diag_location_logs_list: op("GET /diagnostic-tools/v2/ghost-locations/{locationId}/log-lines", {
      does: "Reads a location's edge log lines, with filters.",
      path: { locationId },
      ...logLines,
      example: { locationId: "tokyo-japan", endTime: "{now}", cpCode: 12345, maxLogLines: 20 },
    }),
    diag_ip_location_get: op("GET /diagnostic-tools/v2/ip-addresses/{ipAddress}/geo-location", {
      does: "Locates an address: country, city, network.",
      path: { ipAddress },
      returns: { 200: Geo },
      means: errors,
      note,
      example: { ipAddress: "203.0.113.10" },
    }),
    diag_ip_dig_run: op("GET /diagnostic-tools/v2/ip-addresses/{ipAddress}/dig-info", {
      does: "Looks up a name in DNS from an edge address.",
      path: { ipAddress },
      ...digInfo,
      example: { ipAddress: "192.0.2.20", hostName: "www.shop.example", queryType: "CNAME" },
    }),
    diag_ip_mtr_run: op("GET /diagnostic-tools/v2/ip-addresses/{ipAddress}/mtr-data", {
      does: "Traces the route from an edge address, with loss and latency by hop.",
      path: { ipAddress },
      ...mtrData,
      example: { ipAddress: "192.0.2.20", destinationDomain: "203.0.113.10", resolveDns: false },
    }),
    diag_ip_curl_run: op("POST /diagnostic-tools/v2/ip-addresses/{ipAddress}/curl-results", {
      does: "Requests a URL from an edge address: status, headers, body.",
      path: { ipAddress },
      effect: "launch",
      shownBy: "diag_ip_logs_list",
      ...curlResults,
      example: { ipAddress: "192.0.2.20", body: example },
    }),
    diag_ip_logs_list: op("GET /diagnostic-tools/v2/ip-addresses/{ipAddress}/log-lines", {
      does: "Reads an address's edge log lines, with filters.",
      path: { ipAddress },
      ...logLines,
      example: { ipAddress: "192.0.2.20", endTime: "{now}", logType: "both", maxLogLines: 10 },
    }),
    diag_user_link_create: op("POST /diagnostic-tools/v2/end-users/diagnostic-url", {
      does: "Creates a link that collects a visitor's addresses and browser.",
      body: json({ endUserName: z.string().min(1), url: z.string().min(1) }),
      returns: { 201: json(z.looseObject({ diagnosticUrl: z.string() })) },
      effect: "create",
      shownBy: "diag_user_requests_list",
      means: errors,
      note,
      example: { body: { endUserName: "Jane Doe", url: "http://www.shop.example/" } },
    }),
    diag_user_requests_list: op("GET /diagnostic-tools/v2/end-users/ip-requests", {
      does: "Lists the requests that visitors submitted.",
      returns: {
        200: json(
          z.looseObject({
            endUserIpRequests: z.array(
              z.looseObject({ name: z.string(), requestId: z.int(), url: z.string(), timestamp: z.string() }),
            ),
          }),
        ),
      },
      note,
    }),
    diag_user_request_get: op("GET /diagnostic-tools/v2/end-users/ip-requests/{requestId}/ip-details", {
      does: "Reads a visitor's addresses and browser.",
      path: { requestId: z.int().positive() },
      returns: { 200: EndUser },
      means: { ...errors, 404: "There is no such request: diag_user_requests_list lists the ids." },
      note,
      example: { requestId: 4711 },
    }),
    diag_gtm_properties_list: op("GET /diagnostic-tools/v2/gtm/gtm-properties", {
      does: "Lists the traffic management properties with their domains.",
      returns: {
        200: json(
          z.looseObject({
            gtmProperties: z.array(z.looseObject(members(z.string(), "property", "domain", "hostName"))),
          }),
        ),
      },
      note,
    }),
    diag_gtm_ips_list: op("GET /diagnostic-tools/v2/gtm/{property}/{domain}/gtm-property-ips", {
      does: "Lists a traffic management property's test and target addresses.",
      path: { property: z.string().min(1), domain: z.string().min(1) },
      returns: {
        200: memberAnswer("gtmPropertyIps", {
          ...members(z.string().optional(), "property", "domain"),
          ...members(z.array(z.string()), "testIps", "targetIps"),
        }),
      },
      means: { ...errors, 404: "There is no such property: diag_gtm_properties_list lists them with their domains." },
      note,
      example: { property: "www", domain: "shop.example" },
    }),
    diag_url_translation_get: op("GET /diagnostic-tools/v2/translated-url", {
      does: "Shows how the CDN interprets a URL: CP code, origin, time to live.",
      query: { url: Url },
      returns: {
        200: memberAnswer("translatedUrl", {
          ...members(z.string(), "typeCode", "originServer"),
          ...members(z.int(), "cpCode", "serialNumber"),
          ttl: z.string(),
        }),
      },
      means: errors,
      note,
      example: { url: "http://www.shop.example/sale" },
    }),
    ...requestOperations,
  },
  resources: [
    {
      address: "diagnostic://locations",
      name: "diagnostic-locations",
      title: "Diagnostic locations",
      description: "The edge locations that diagnostics can run from, read from the account.",
      content: { tool: "diag_locations_list" },
    },
  ],
});
