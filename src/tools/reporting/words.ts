/** What people say for traffic reports. */
import type { Said } from "../../language/guide.js";
import type { reporting as service } from "./index.js";

export const reporting = {
  service: "traffic report; statistics; analytics; hits, requests, bandwidth, bytes; numbers for the site",
  operations: {
    report_data_find:
      "traffic report for hundreds of CP codes at once; long list of objects or many filters; the big form of the report, by POST; DNS or API numbers for a period over all objects; calls per method and response code; statistics for a huge object list; DNS availability or error report with a filter body; report over several properties, keys or endpoints together; traffic or offload report where the list of CP codes, hostnames or filters is too long for a URL; thousands of objects; big filter; POST report; bulk report over hundreds of keys; stats for a monster list of cp codes; crunch hits for every single key with filters; report whose object list won't fit in a link; figures for every name server, key or zone by a request body; long filter list in a report; report over very many objects; body with ids and filters; numbers for a long list of codes; POST query of traffic; mass report; lots of cp codes in one body",
    report_data_get:
      "how much traffic did we get last week; hits, requests and bandwidth over time; traffic spike or drop, when was the peak; rate of 404s and 5xx errors per hour; pull the stats as CSV; how many visits or bytes did the edge serve yesterday; DNS queries, NXDOMAIN or availability of the name servers in a month; API calls per method, key, endpoint or response code; uptime percentage of DNS in a quarter; busiest hour or day; compare months; graph of errors by code; which API key or endpoint is used most; midgress bytes; stats in five-minute buckets; export for a spreadsheet; prove to management that traffic grew; find the hour in which errors jumped; see if an attack raised requests; bandwidth, throughput, Gbps, hits per second, requests, offload, cache hit ratio, bytes delivered, GB served, error rate, response codes, top URLs by time; how busy was the site; page views; traffic stats for a CP code by day, hour or month; how much traffic does the origin get; peak; run a report; last 7 days; yesterday; usage of an API endpoint; DNS requests; how available were the name servers; numbers for a period; latency; how busy were we over the weekend; did anybody hit the API after midnight; error percentage last Tuesday; how much was served from cache versus origin; bytes out the door; how many lookups did our DNS answer; figures for the quarterly report; how available was DNS, name servers, last month; prove that the SLA was met; find the hour with most traffic; decide whether more capacity is needed; number of requests, answers, codes in June; numbers per five minutes; how heavily is an API used; growth since January; rate of failed answers; which endpoint gets hit the most; pull, fetch, run a report; yesterday's numbers; how many requests, bytes or errors; API calls per key; DNS queries a second; NXDOMAIN rate; give me figures between two dates; availability of DNS in a month; export stats as CSV; traffic figures for a period; requests by hour; error rates; DNS queries count; how was API use",
    report_type_get:
      "which metrics, filters and intervals does this report have; what columns are in the report; explain one report type; how fine can the report go, five minutes or hours; knobs, versions and deprecation of one report; details of a single report such as the availability or errors report; is this report going away; which granularity, dimensions and fields does it offer; learn a report before running it; data retention of a report; describe a report; which metrics, filters, dimensions, columns, intervals a given report accepts; can this report be filtered by; definition of a report; how long does the report keep data; report's required parameters; what can I ask of the report; what goodies are in that report; before pulling a report learn its row keys; is hourly resolution possible in this report; which options does a report take, which versions; is a report deprecated, still supported, replaced; what does the errors, hits, availability report offer, contain, measure; one report's knobs, settings, columns; before building on a report; columns, filters and intervals of one report; can it go down to five minutes; is this report deprecated; how long is its data kept; which roles or products does a report need; what does a metric in a report mean; describe a report; what can I filter or group by; granularity; columns",
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
