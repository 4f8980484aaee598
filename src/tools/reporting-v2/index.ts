/** Reporting of today (v2): hits, bytes and offload of the edge and the origin, by CP code, hostname, response or time. */
import type { Check, Explain } from "../../language/check.js";
import { json, op } from "../../language/define.js";
import { quoteValue } from "../../language/failure.js";
import { listAt, memberAt } from "../../language/member.js";
import { openObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { unitNames } from "../../language/units.js";
import { z } from "../../language/z.js";
import { didYouMean, guessName } from "../../text/nearest.js";
import { midnightWithin, tooEarly } from "../../time/instant.js";
import { EpochSeconds, members, Names, Timestamp } from "../fields.js";
import { trafficDimensions, trafficLimits, trafficMetrics } from "./report.js";

const namesOf = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name);
const metricNames = namesOf(trafficMetrics);
const dimensionNames = namesOf(trafficDimensions);
const filterable = namesOf(trafficDimensions.filter(({ isFilterable }) => isFilterable));

// Patterns (MATCH_REGEXP) are not offered: lists and parts of a name say the same.
const comparisons = ["IN_LIST", "EXACT", "BEGINS_WITH", "ENDS_WITH", "CONTAINS"] as const;
export type TrafficComparison = (typeof comparisons)[number];
const Filter = openObject({
  dimensionName: z.string().describe(`One of ${filterable.join(", ")}`),
  operator: z
    .enum([...comparisons, ...comparisons.filter((one) => one !== "EXACT").map((one) => `NOT_${one}` as const)])
    .describe("How the value is compared with the expressions"),
  expressions: Names.describe("Values as text, such as CP codes"),
});
const SortBy = openObject({
  name: z.string().describe("One of the metrics or dimensions"),
  sortOrder: z.enum(["ASCENDING", "DESCENDING"]),
});
const Column = z.looseObject({ name: z.string(), type: z.string() });
const TrafficResult = z.looseObject({
  data: z.array(
    z
      .object(members(EpochSeconds.optional(), "time5minutes", "time1hour", "time1day"))
      .catchall(z.union([z.number(), z.string()])),
  ),
  metadata: z.looseObject({
    name: z.string(),
    start: z.string(),
    end: z.string(),
    metrics: z.array(Column).optional(),
    dimensions: z.array(Column).optional(),
    filters: z.array(z.looseObject({})).optional(),
    sortBys: z.array(SortBy).optional(),
    limit: z.number().optional(),
    hasMoreRows: z.boolean().describe("Whether limit cut off rows"),
    links: z.array(z.looseObject({ rel: z.string(), href: z.string() })),
  }),
});

/** A problem for each name that the report does not have. */
const knownNames =
  (
    field: string,
    known: readonly string[],
    namesIn: (args: Readonly<Record<string, unknown>>) => readonly unknown[],
  ): Check =>
  ({ args }) =>
    namesIn(args).flatMap((one, at) => {
      const name = String(one);
      if (known.includes(name)) return [];
      const meant = guessName(name, known);
      const path = field.replace("[]", `[${at}]`);
      const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
      const where = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      return [
        {
          field: path,
          given: quoteValue(name),
          takes: `one of ${known.join(", ")}${didYouMean(name, known)}`,
          ...(meant !== undefined && { mends: [{ at: where, value: meant }] }),
        },
      ];
    });
const sortsByColumns: Check = ({ args }) => {
  const columns = [...listAt(args, "body.metrics"), ...listAt(args, "body.dimensions")].map(String);
  return knownNames("body.sortBys[].name", columns, () =>
    listAt(args, "body.sortBys").map((one) => memberAt(one, "name")),
  )({ args } as Parameters<Check>[0]);
};

/** Explains a refusal because the start is before the retention period. */
const explains: Explain = ({ status, args, nowMs }) => {
  if (status !== 400) return [];
  const days = trafficLimits.retentionDays;
  return tooEarly(args, {
    argument: "start",
    earliest: midnightWithin(days, nowMs),
    because: `report data is available for ${days} days`,
    period: `last_${days}d`,
  });
};

export const reportingV2 = service("report", {
  name: "reporting-v2",
  document: "today",
  title: "Reporting v2",
  about: "Reports how much traffic the edge, its parents and the origin had, and the offload.",
  standing: { state: "alive", since: "2024-07-18" },
  rateLimit: {
    api: "Reporting v2",
    isPerOperation: true,
    // The example of a refusal has 20 a minute for the account. However they are counted, these never add up to more.
    bucket: { burst: 8, perMinute: 12 },
    source: "https://techdocs.akamai.com/reporting/reference/rate-limiting",
  },
  rules: {
    "traffic-dimensions": "A report has at most four dimensions.",
    "traffic-offload": "Offload is 1 less the origin's share of the edge's figures, from 0 to 100.",
    "traffic-authorized": "A CP code that is not the account's is refused with all that were named.",
    "traffic-late": "The last half hour is incomplete, and nothing in the response says so.",
    "traffic-retention": "Traffic data is available for 92 days.",
    "traffic-limit": "If limit cuts off rows, hasMoreRows is true.",
  },
  operations: {
    report_traffic_find: op("POST /reporting-api/v2/reports/delivery/traffic/current/data", {
      does: "Reports edge hits, origin hits, midgress, bytes and offload by CP code, hostname, response or time.",
      needs: "The last half hour is incomplete: end the period before it.",
      query: {
        start: Timestamp.describe("Start, inclusive, ISO 8601"),
        end: Timestamp.describe("End, exclusive, ISO 8601"),
      },
      period: { start: "start", end: "end", form: "iso", isPast: true },
      body: json({
        metrics: Names.describe(`Some of ${metricNames.join(", ")}`),
        dimensions: z
          .array(z.string().min(1))
          .max(trafficLimits.maxDimensions)
          .optional()
          .describe(
            `At most ${trafficLimits.maxDimensions} of ${dimensionNames.join(", ")}; by hostname and responseCode if left out`,
          ),
        filters: z.array(Filter).min(1).optional(),
        sortBys: z.array(SortBy).min(1).optional(),
        limit: z.int().min(1).max(trafficLimits.maxRows).optional().describe("Rows at most"),
      }),
      returns: { 200: json(TrafficResult) },
      effect: "read",
      isBehindCallTools: true,
      checks: [
        knownNames("body.metrics[]", metricNames, (args) => listAt(args, "body.metrics")),
        knownNames("body.dimensions[]", dimensionNames, (args) => listAt(args, "body.dimensions")),
        knownNames("body.filters[].dimensionName", filterable, (args) =>
          listAt(args, "body.filters").map((one) => memberAt(one, "dimensionName")),
        ),
        sortsByColumns,
      ],
      explains,
      shows: {
        levels: trafficMetrics.filter(({ unit }) => unit === "RATIO").map(({ name }) => name),
        units: Object.fromEntries(trafficMetrics.flatMap(({ name, unit }) => (unit ? [[name, unitNames[unit]]] : []))),
      },
      means: {
        400: "A metric, a dimension, a filter or the period does not fit the report.",
        403: "You have no access to some of the CP codes: the response names them.",
        422: "The request would cost too much: ask for a shorter period, fewer dimensions or longer intervals.",
      },
      rules: [
        "traffic-dimensions",
        "traffic-offload",
        "traffic-authorized",
        "traffic-late",
        "traffic-retention",
        "traffic-limit",
      ],
      note: "The vendor's report takes patterns, filters by metrics and three more dimensions, which this tool leaves out. Without start and end it covers ten minutes.",
      example: {
        start: "{now-7d}",
        end: "{now}",
        body: {
          metrics: ["edgeHitsSum", "originHitsSum", "offloadedHitsPercentage"],
          dimensions: ["cpcode", "time1day"],
          filters: [{ dimensionName: "cpcode", operator: "IN_LIST", expressions: ["12345"] }],
        },
      },
    }),
  },
});
