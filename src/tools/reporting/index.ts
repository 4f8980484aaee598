/** Reporting (document A): traffic reports over time or by group, as JSON or CSV. */
import type { Check, Explain, Resolve } from "../../language/check.js";
import { comma, csv, json, op, pairs } from "../../language/define.js";
import { quoteValue } from "../../language/failure.js";
import { determinedBy } from "../../language/fills.js";
import { introduction } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { unitNames } from "../../language/units.js";
import { z } from "../../language/z.js";
import { didYouMean, guessName } from "../../text/nearest.js";
import { midnightWithin, tooEarly } from "../../time/instant.js";
import { members, Names, Timestamp } from "../fields.js";
import { allIntervals, reportTypes } from "./catalogue.js";
import { reportOf, reportTable } from "./csv.js";
import { withinLimits } from "./limits.js";

const known = Object.fromEntries(reportTypes.map(({ name, version }) => [name, version]));
const reportName = z.string().min(1).describe("Report name; see report_types_list");
const reportPath = {
  reportName,
  version: determinedBy("reportName", known, z.int().positive().describe("The report's known version by default")),
};
const period = {
  start: Timestamp.describe("Start, inclusive, ISO 8601"),
  end: Timestamp.describe("End, exclusive, ISO 8601"),
  interval: z.enum(allIntervals).optional().describe("Required by reports over time, refused by the others"),
};
const Metric = z.looseObject({
  ...members(z.string(), "name", "label"),
  description: z.string().optional(),
  unit: z.string(),
  summaryStatistic: z.boolean().describe("True: in summaryStatistics, not in the rows"),
});
const Filter = z.looseObject({
  name: z.string(),
  type: z.string().describe("int or enum"),
  description: z.string().optional(),
  required: z.boolean(),
  values: z
    .array(z.looseObject({ value: z.string(), description: z.string().optional() }))
    .optional()
    .describe("Values of an enum"),
});
const strings = z.array(z.string());
const ReportType = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  version: z.int(),
  businessObjectName: z.string().describe("What objectIds identify"),
  status: z.string(),
  ...members(z.boolean(), "deprecated", "timeBased"),
  supportsPagination: z.boolean().optional(),
  outputType: z.string().optional(),
  available: z.boolean().optional(),
  ...members(strings.optional(), "requiredProducts", "requiredRoles"),
  metrics: z.array(Metric),
  groupOutlyingValues: z.looseObject({ enabled: z.boolean() }).optional(),
  groupBy: strings.describe("Columns that identify a row"),
  filters: z.array(Filter),
  intervals: strings.optional(),
  dataRetentionDays: z.number(),
  links: z.array(z.looseObject({ rel: z.string(), href: z.string() })).optional(),
});
const ReportResult = z.looseObject({
  metadata: z.looseObject({
    ...members(z.string(), "name", "version", "start", "end"),
    ...members(z.string().optional(), "interval", "outputType"),
    groupBy: strings.optional(),
    availableDataEnds: z.string().nullable().describe("Data is complete until this time; null if complete"),
    suggestedRetryTime: z.string().nullable(),
    rowCount: z.number(),
    filters: z.array(z.looseObject({ name: z.string(), values: strings })).optional(),
    columns: z.array(z.looseObject({ name: z.string(), label: z.string() })).optional(),
    objectType: z.string().optional(),
    objectIds: strings,
  }),
  data: z.array(z.record(z.string(), z.string())),
  summaryStatistics: z.record(z.string(), z.looseObject({ value: z.string(), details: z.looseObject({}).optional() })),
});
const week = {
  reportName: "endpoint-usage-by-time",
  version: 1,
  start: "{now-7d}",
  end: "{now}",
  interval: "HOUR",
} as const;
/** What to do about an unknown report. An account can have undocumented ones, so none is refused before the call. */
function unknownReport({ reportName = "", version }: Readonly<Record<string, string>>): string {
  const list = reportTypes.map((one) => `${one.name} (version ${one.version})`).join(", ");
  const isKnown = Object.hasOwn(known, reportName);
  const hint = !isKnown
    ? `There is no report with that name${version === undefined ? "" : " and version"}${didYouMean(reportName, Object.keys(known))}.`
    : version === undefined || String(known[reportName]) === version
      ? "The report exists, so this account's contract or its user's role does not include it."
      : `The known version of ${reportName} is ${known[reportName]}, not ${version}.`;
  return `${hint} Known reports: ${list}; report_type_get describes each.`;
}
const everyMetric = reportTypes.flatMap(({ metrics }) => metrics);
const isRate = ({ unit }: (typeof everyMetric)[number]): boolean => unit === "RATIO" || unit === "COUNT_PER_SECOND";
const namesOfUnits: Readonly<Record<string, string>> = unitNames;
const retentionDays = 90;
/** Explains why a report was refused: an unknown name or version, or a start before the retention period. */
const explains: Explain = ({ status, args, nowMs }) => {
  const { reportName = "", version } = args;
  const name = guessName(String(reportName), Object.keys(known));
  const isOtherVersion = version !== undefined && name !== undefined && known[name] !== version;
  if (status === 404 && name !== undefined && (name !== reportName || isOtherVersion)) {
    const versionMends = version === undefined ? [] : [{ at: ["version"], value: known[name] }];
    if (name === reportName)
      return [
        { field: "version", given: quoteValue(version), takes: `${known[name]}, the known one`, mends: versionMends },
      ];
    const mends = [{ at: ["reportName"], value: name, isGuess: true } as const, ...versionMends];
    return [
      { field: "reportName", given: quoteValue(reportName), takes: `the name of a report, such as ${name}`, mends },
    ];
  }
  if (status !== 400) return [];
  const earliest = midnightWithin(retentionDays, nowMs);
  const because = `report data is available for ${retentionDays} days`;
  return tooEarly(args, { argument: "start", earliest, because, period: `last_${retentionDays}d` });
};
const coversSome: Check = ({ args: { objectIds, allObjectIds } }) =>
  objectIds === undefined && allObjectIds === false
    ? [{ field: "objectIds", takes: "object ids; or set allObjectIds to true for all objects" }]
    : [];
/** A report covers the named objects or all: a call that names none means all of them, and a note says so. */
const coversAll: Resolve = async ({ args: { objectIds, allObjectIds } }) =>
  objectIds === undefined && allObjectIds === undefined
    ? { values: { allObjectIds: true }, notes: ["objectIds was left out: the report covers all objects."] }
    : { values: {}, notes: [] };
/** The common parts of the two calls that run a report. */
const run = {
  path: reportPath,
  period: { start: "start", end: "end", form: "iso", interval: "interval", isPast: true },
  explains,
  returns: { 200: [json(ReportResult), csv(ReportResult, reportOf, reportTable)] },
  shows: {
    levels: everyMetric.filter((one) => isRate(one) && !one.summaryStatistic).map(({ name }) => name),
    units: Object.fromEntries(
      everyMetric.flatMap(({ name, unit }) => (namesOfUnits[unit] ? [[name, namesOfUnits[unit]]] : [])),
    ),
  },
  memberNotes: [
    {
      when: "metadata.availableDataEnds",
      says: "Data is complete until {metadata.availableDataEnds}; retry at {metadata.suggestedRetryTime}.",
    },
  ],
  means: {
    400: "The period, the interval or a filter does not fit the report: call report_type_get.",
    403: "You have no access to some of the objects: the response names them.",
    404: unknownReport,
  },
} as const;

export const reporting = service("report", {
  name: "reporting",
  document: "A",
  title: "Reporting",
  about: "Runs traffic reports and describes each report type.",
  standing: { state: "alive", since: "2024-07-18", successor: "Reporting v2 (/reporting-api/v2)" },
  rateLimit: {
    api: "Reporting",
    isPerOperation: true,
    // Published are 120 a minute. However they are counted, these never add up to more.
    bucket: { burst: 40, perMinute: 80 },
    source: "https://techdocs.akamai.com/reporting/v1/reference/rate-limiting",
  },
  frontLine: ["report_data_get"],
  ids: {
    reportName: "report_types_list",
    version: "report_types_list",
    objectIds: { given: "the ids of the objects that the report covers, such as CP codes" },
  },
  rules: {
    "report-end-exclusive": "start is inclusive and end is exclusive.",
    "report-interval-required":
      "A report over time needs one of its intervals; a no-interval report takes only start and end.",
    "report-availability-intervals": "The availability report accepts only HOUR, DAY and FIVE_MINUTES.",
    "report-all-metrics": "Without metrics the response contains all of them.",
    "report-all-objects-ignored": "allObjectIds is ignored when objectIds is given.",
    "report-values-strings": "Every value in a row is a string.",
    "report-retention": "Report data is available for 90 days.",
    "report-csv-sections": "The CSV holds the metadata, summary, columns and data sections in this order.",
    "report-filter-values":
      "A filter with an enumeration takes only its values, and only reports with filters take filters.",
    "report-objects-required": "A report covers the named objects, or all objects.",
    "report-columns": "The columns that identify a row are named groupBy and labelled with their own names.",
    "report-api-gateway": "Reports of the API gateway require its product and its viewer or administrator role.",
    "report-type-links": "A report type links to itself, its versions, all reports and its execution.",
    "report-catalogue": "There are eight report types, each with its version, object type, metrics and filters.",
  },
  operations: {
    report_data_find: op("POST /reporting-api/v1/reports/{reportName}/versions/{version}/report-data", {
      does: "Runs a traffic report; use this form for long lists of objects or filters.",
      ...run,
      query: period,
      body: json({
        objectIds: z.union([Names, z.literal("all")]).describe('Object ids, or "all"'),
        metrics: Names.optional().describe("All when left out"),
        filters: z.record(z.string(), Names).optional().describe("Filter name to values"),
      }),
      checks: [withinLimits("body.")],
      effect: "read",
      rules: [
        "report-end-exclusive",
        "report-interval-required",
        "report-objects-required",
        "report-all-metrics",
        "report-filter-values",
      ],
      example: { ...week, body: { objectIds: ["12345"], metrics: ["edgeHits"], filters: { response_class: ["5xx"] } } },
    }),
    report_data_get: op("GET /reporting-api/v1/reports/{reportName}/versions/{version}/report-data", {
      does: "Runs a traffic report for some objects or for all.",
      ...run,
      query: {
        ...period,
        objectIds: comma(Names.optional().describe("Object ids")),
        allObjectIds: z.boolean().optional().describe("Ignored when objectIds is given"),
        metrics: comma(Names.optional().describe("All when left out")),
        filters: pairs(z.record(z.string(), Names).optional().describe("Filter name to values")),
      },
      resolves: coversAll,
      checks: [coversSome, withinLimits("")],
      rules: [
        "report-csv-sections",
        "report-columns",
        "report-values-strings",
        "report-retention",
        "report-all-objects-ignored",
        "report-availability-intervals",
      ],
      example: { ...week, allObjectIds: true, metrics: ["edgeHits", "edgeHitsTotal"] },
    }),
    report_type_get: op("GET /reporting-api/v1/reports/{reportName}/versions/{version}", {
      does: "Describes a report type: its metrics, filters, intervals and row keys.",
      path: reportPath,
      returns: { 200: json(ReportType) },
      explains,
      means: { 404: unknownReport },
      rules: ["report-catalogue", "report-api-gateway", "report-type-links"],
      note: "The links of a report type have a different path prefix from the one used to call it.",
      example: { reportName: "endpoint-usage-by-time", version: 1 },
    }),
    report_type_versions_list: op("GET /reporting-api/v1/reports/{reportName}/versions", {
      does: "Lists the versions of a report type, each with its status, metrics and filters.",
      path: { reportName },
      query: members(z.boolean().optional().describe("True by default"), "showDeprecated", "showUnavailable"),
      returns: { 200: json(z.array(ReportType)) },
      explains,
      means: { 404: unknownReport },
      document: "today",
      example: { reportName: "endpoint-usage-by-time" },
    }),
  },
  resources: [
    {
      address: "report://catalogue",
      name: "report-catalogue",
      title: "Traffic reports",
      description: "Every report type with its version, object type, intervals, metrics and filters.",
      content: { value: () => ({ reports: reportTypes }), values: [] },
    },
    {
      address: "report://types/{reportName}",
      name: "report-type",
      title: "Report type",
      description: "One report type: metrics, filters, intervals.",
      content: { value: (wanted) => reportTypes.find(({ name }) => name === wanted), values: Object.keys(known) },
    },
  ],
  introduction: introduction`${"report_types_list"} lists the traffic reports.`,
});
