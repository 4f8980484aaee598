/**
 * The traffic report of Reporting v2, `delivery/traffic/current`: what it measures, and by what it divides the figures.
 * Names, types and limits are those of the vendor's definition; record 039 of the decisions has the certainty of each
 * fact.
 */

interface TrafficMetric {
  readonly name: string;
  readonly description: string;
  /** The vendor's word for a count or a number of bytes, and for a percentage. */
  readonly type: "LONG" | "DOUBLE";
  /** Absent for a count. */
  readonly unit?: "BYTE" | "RATIO";
}

interface TrafficDimension {
  readonly name: string;
  readonly description: string;
  readonly type: "LONG" | "STRING" | "TIMESTAMP_SEC";
  /** Whether rows can be chosen by it; times are chosen by the period alone. */
  readonly isFilterable: boolean;
  /** Its values, if they are a closed set. */
  readonly values?: readonly string[];
}

/** Where requests are counted: at the edge, between edge servers, and at the origin. */
const sides = {
  edge: "between visitors and the edge",
  midgress: "between edge servers and their parents",
  origin: "between the CDN and the origin",
} as const;
const kinds = { "": "Bytes", Request: "Bytes of requests", Response: "Bytes of responses" } as const;

const metricsOf = ([side, where]: readonly [string, string]): readonly TrafficMetric[] => [
  { name: `${side}HitsSum`, description: `Requests ${where}`, type: "LONG" },
  ...Object.entries(kinds).map(
    ([kind, what]): TrafficMetric => ({
      name: `${side}${kind}BytesSum`,
      description: `${what} ${where}`,
      type: "LONG",
      unit: "BYTE",
    }),
  ),
];
const offload = (of: string, what: string): TrafficMetric => ({
  name: `offloaded${of}Percentage`,
  description: `Part of the ${what} that did not need the origin, from 0 to 100`,
  type: "DOUBLE",
  unit: "RATIO",
});

export const trafficMetrics: readonly TrafficMetric[] = [
  ...Object.entries(sides).flatMap(metricsOf),
  offload("Hits", "requests"),
  offload("Bytes", "bytes"),
  offload("RequestBytes", "bytes of requests"),
  offload("ResponseBytes", "bytes of responses"),
];

const time = (name: string, length: string): TrafficDimension => ({
  name,
  description: `Start of an interval of ${length}, in seconds since 1970`,
  type: "TIMESTAMP_SEC",
  isFilterable: false,
});
const text = (name: string, description: string, ...values: readonly string[]): TrafficDimension => ({
  name,
  description,
  type: "STRING",
  isFilterable: true,
  ...(values.length > 0 && { values }),
});
const number = (name: string, description: string): TrafficDimension => ({ ...text(name, description), type: "LONG" });

// Not offered: arlId, contentType and cacheability, since no public source says which ids and values they have.
export const trafficDimensions: readonly TrafficDimension[] = [
  time("time5minutes", "five minutes"),
  time("time1hour", "an hour"),
  time("time1day", "a day"),
  number("cpcode", "CP code"),
  text("hostname", "Hostname"),
  number("responseCode", "HTTP status"),
  text("responseClass", "Class of status", "0xx", "1xx", "2xx", "3xx", "4xx", "5xx", "6xx"),
  text("responseStatus", "Outcome", "error", "success"),
  text("httpMethod", "Kind of method", "get_head", "put_post"),
  text("deliveryType", "Whether it was encrypted", "non_secure", "secure"),
  text("ipVersion", "IP version of visitors", "ipv4", "ipv6"),
  text("httpProtocol", "HTTP version", "http1.1", "https1.1", "http2", "http3"),
];

/** The limits that the report's options state. */
export const trafficLimits = { maxDimensions: 4, retentionDays: 92, maxRows: 50_000 } as const;

/** By what the report divides the figures if a request does not say it. */
export const defaultDimensions = ["hostname", "responseCode"] as const;
