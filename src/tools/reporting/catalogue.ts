/** The eight report types of document A, "Report catalogue": what each measures, takes and groups by. */

export const allIntervals = ["MONTH", "WEEK", "DAY", "HOUR", "FIVE_MINUTES"] as const;
export type ReportInterval = (typeof allIntervals)[number];

interface ReportMetric {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly unit: "COUNT" | "COUNT_PER_SECOND" | "STRING" | "BYTE" | "RATIO";
  readonly summaryStatistic: boolean;
}

interface ReportFilter {
  readonly name: string;
  readonly type: "int" | "enum";
  readonly description: string;
  readonly required: false;
  readonly values?: readonly { readonly value: string; readonly description: string }[];
}

export interface ReportType {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  readonly objectType: "edns" | "contracts" | "cpcode";
  /** Absent for a report that takes only start and end. */
  readonly intervals?: readonly ReportInterval[];
  readonly groupBy: readonly string[];
  readonly metrics: readonly ReportMetric[];
  readonly filters: readonly ReportFilter[];
  readonly requiresApiGateway: boolean;
  readonly dataRetentionDays: 90;
}

type Unit = ReportMetric["unit"];
const metric = (name: string, label: string, description: string, unit: Unit): ReportMetric => ({
  name,
  label,
  description,
  unit,
  summaryStatistic: false,
});
const summary = (...of: Parameters<typeof metric>): ReportMetric => ({ ...metric(...of), summaryStatistic: true });

const number = (name: string, description: string): ReportFilter => ({
  name,
  type: "int",
  description,
  required: false,
});
const choice = (name: string, description: string, values: Readonly<Record<string, string>>): ReportFilter => ({
  ...number(name, description),
  type: "enum",
  values: Object.entries(values).map(([value, meaning]) => ({ value, description: meaning })),
});

const methods =
  "move unlock proppatch delete put head mkcol patch propfind trace post get options lock copy connect".split(" ");
const classes = {
  "0xx": "aborted on the client's side",
  "1xx": "informational",
  "2xx": "successful",
  "3xx": "redirection",
  "4xx": "client error",
  "5xx": "server error",
  "6xx": "invalid headers",
};
const apiKey = number("api_key", "API key id");
const endpoint = number("endpoint_id", "API endpoint id");
const errorFilters = [
  apiKey,
  endpoint,
  choice("response_class_errors", "Class of error", { "4xx": classes["4xx"], "5xx": classes["5xx"] }),
  number("response_code_errors", "Error code"),
];
const usageFilters = [
  endpoint,
  choice("http_method", "HTTP method", Object.fromEntries(methods.map((method) => [method, method.toUpperCase()]))),
  choice("response_class", "Class of response", classes),
  number("response_code", "Response code"),
];

const statistics = (name: string, label: string, unit: Unit): ReportMetric[] => [
  summary(`${name}Max`, `${label}, highest`, `Highest ${label}`, unit),
  summary(`${name}Min`, `${label}, lowest`, `Lowest ${label}`, unit),
  summary(`${name}Total`, `${label}, total`, `Total ${label}`, unit),
];
const edgeHits = metric("edgeHits", "Edge hits", "Request count", "COUNT");
const usageMetrics = [
  metric("edgeBytes", "Edge bytes", "API traffic leaving the delivery network", "BYTE"),
  edgeHits,
  metric("midgressBytes", "Midgress bytes", "Internal API traffic between edge servers", "BYTE"),
  ...statistics("edgeBytes", "Edge bytes", "BYTE"),
  ...statistics("edgeHits", "Edge hits", "COUNT"),
  ...statistics("midgressBytes", "Midgress bytes", "BYTE"),
];
const errorMetrics = [edgeHits, ...statistics("edgeHits", "Edge hits", "COUNT")];

const common = {
  version: 1,
  objectType: "cpcode",
  groupBy: ["startdatetime"],
  requiresApiGateway: true,
  dataRetentionDays: 90,
} as const;

export const reportTypes: readonly ReportType[] = [
  {
    ...common,
    name: "authoritative-dns-traffic-by-time",
    version: 3,
    description: "DNS responses and NXDOMAIN responses of zones over time.",
    objectType: "edns",
    intervals: allIntervals,
    metrics: [
      metric("sum_hits", "Hits", "Responses per second", "COUNT_PER_SECOND"),
      metric("sum_nxdomain", "NXDOMAIN", "NXDOMAIN responses per second", "COUNT_PER_SECOND"),
      metric("sum_requests", "Requests", "Responses per second less NXDOMAIN per second", "COUNT_PER_SECOND"),
      summary("peak_hits", "Peak hits", "Maximum of responses per second", "COUNT_PER_SECOND"),
      summary("peak_nxhits", "Peak NXDOMAIN", "Maximum of NXDOMAIN responses per second", "COUNT_PER_SECOND"),
      summary("total_hits", "Total hits", "Total of responses", "COUNT"),
      summary("total_nxhits", "Total NXDOMAIN", "Total of NXDOMAIN responses", "COUNT"),
    ],
    filters: [],
    requiresApiGateway: false,
  },
  {
    ...common,
    name: "authoritative-dns-availability",
    description: "Availability of the DNS service of contracts over time.",
    objectType: "contracts",
    intervals: ["HOUR", "DAY", "FIVE_MINUTES"],
    metrics: [
      metric("avail_pct", "Availability", "Availability percentage", "RATIO"),
      metric("contract_id", "Contract", "Contract id", "STRING"),
      summary("avg_avail_pct", "Average availability", "Average of the availability percentage", "RATIO"),
      summary("max_avail_pct", "Highest availability", "Highest availability percentage", "RATIO"),
      summary("min_avail_pct", "Lowest availability", "Lowest availability percentage", "RATIO"),
    ],
    filters: [],
    requiresApiGateway: false,
  },
  {
    ...common,
    name: "endpoint-api-key-usage-by-time",
    description: "API traffic by API key and endpoint over time.",
    intervals: allIntervals,
    metrics: usageMetrics,
    filters: [apiKey, endpoint],
  },
  {
    ...common,
    name: "endpoint-errors-by-response-code",
    description: "API errors by endpoint, API key and error code.",
    groupBy: ["endpoint_id", "api_key", "response_code_errors"],
    metrics: errorMetrics,
    filters: errorFilters,
  },
  {
    ...common,
    name: "endpoint-errors-by-time",
    description: "API errors over time.",
    intervals: allIntervals,
    metrics: errorMetrics,
    filters: errorFilters,
  },
  {
    ...common,
    name: "endpoint-usage-by-response-code",
    description: "API traffic by response code.",
    groupBy: ["response_code"],
    metrics: usageMetrics,
    filters: usageFilters,
  },
  {
    ...common,
    name: "endpoint-usage-by-time",
    description: "API traffic over time.",
    intervals: allIntervals,
    metrics: usageMetrics,
    filters: usageFilters,
  },
  {
    ...common,
    name: "endpoint-hits-by-method-and-response",
    description: "API traffic by endpoint, method and response code.",
    groupBy: ["endpoint_id", "http_method", "response_code"],
    metrics: usageMetrics,
    filters: usageFilters,
  },
];
