/** What people say for traffic reports. */
import type { Said } from "../../api/said.js";
import type { reporting as service } from "../reporting/index.js";

export const reporting = {
  service: "traffic report; statistics; analytics; hits, requests, bandwidth, bytes; numbers for the site",
  operations: {
    report_data_find:
      "traffic report for hundreds of CP codes at once; long list of objects or many filters; the big form of the report, by POST; DNS or API numbers for a period over all objects; calls per method and response code; statistics for a huge object list; DNS availability or error report with a filter body; report over several properties, keys or endpoints together",
    report_data_get:
      "how much traffic did we get last week; hits, requests and bandwidth over time; traffic spike or drop, when was the peak; rate of 404s and 5xx errors per hour; pull the stats as CSV; how many visits or bytes did the edge serve yesterday; DNS queries, NXDOMAIN or availability of the name servers in a month; API calls per method, key, endpoint or response code; uptime percentage of DNS in a quarter; busiest hour or day; compare months; graph of errors by code; which API key or endpoint is used most; midgress bytes; stats in five-minute buckets; export for a spreadsheet; prove to management that traffic grew; find the hour in which errors jumped; see if an attack raised requests",
    report_type_get:
      "which metrics, filters and intervals does this report have; what columns are in the report; explain one report type; how fine can the report go, five minutes or hours; knobs, versions and deprecation of one report; details of a single report such as the availability or errors report; is this report going away; which granularity, dimensions and fields does it offer; learn a report before running it; data retention of a report",
  },
  resources: {
    "report-catalogue": "every kind of traffic report with its metrics as one document",
    "report-type": "one kind of traffic report as a document: metrics and filters",
  },
} satisfies Said<typeof service>;

/** What people say for what each traffic report measures. */
export const reportTypes: Readonly<Record<string, string>> = {
  "authoritative-dns-traffic-by-time":
    "DNS queries over time; how many NXDOMAIN answers; queries per second to the name servers",
  "authoritative-dns-availability": "DNS uptime; was our name service up; availability percentage of DNS for the SLA",
  "endpoint-api-key-usage-by-time": "which API key uses the most; traffic by API key; heavy API consumers",
  "endpoint-errors-by-response-code": "API errors by status code; which endpoints return 500s or 404s",
  "endpoint-errors-by-time": "API error rate over time; when did the errors start",
  "endpoint-usage-by-response-code": "share of 2xx, 3xx, 4xx and 5xx answers; responses by status code",
  "endpoint-usage-by-time":
    "hits and bytes over time; traffic per hour or day; when was the peak; requests and bandwidth",
  "endpoint-hits-by-method-and-response": "GET and POST requests by status; hits by HTTP method",
};
