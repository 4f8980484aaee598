/** The reporting service: builds the eight reports from the traffic, over time or by group. */
import { dayMs, hourMs, minuteMs } from "../../../time/durations.js";
import { type ReportInterval, type ReportType, reportTypes } from "../../../tools/reporting/catalogue.js";
import { reporting as declared } from "../../../tools/reporting/index.js";
import { ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { extraMidgressByCode } from "./ledger.js";
import {
  type CheckedRequest,
  checkReportRequest,
  dimensionOf,
  type ReportRequest,
  refusal,
  reportErrorFormat,
} from "./request.js";
import {
  availability,
  bytesPerHit,
  dimensionValues,
  dnsResponses,
  hitsByCode,
  midgressShare,
  shareOf,
  slotMs,
  sum,
  type TrafficDimension,
} from "./series.js";

type Row = Record<string, string>;
type Figures = Readonly<Record<string, number>>;
/** A row's figures before they are formatted as text. */
interface Measured {
  readonly key: Row;
  readonly figures: Figures;
  readonly seconds: number;
}

const settlesAfterMs = 30 * minuteMs;

function reportTypeOf({ reportName, version }: { readonly reportName: string; readonly version: number }): ReportType {
  const type = reportTypes.find((one) => one.name === reportName && one.version === version);
  if (!type)
    throw refusal(404, "reporting.re.problem.unknown.report", `There is no report ${reportName} of version ${version}`);
  return type;
}

const steps = { FIVE_MINUTES: slotMs, HOUR: hourMs, DAY: dayMs, WEEK: 7 * dayMs } as const;

/** The start of the interval that contains an instant; weeks begin on Monday, as 5 January 1970 was. */
function startOf(interval: ReportInterval, at: number): number {
  const date = new Date(at);
  if (interval === "MONTH") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const first = interval === "WEEK" ? 4 * dayMs : 0;
  return at - ((at - first) % steps[interval]);
}
const nextStart = (interval: ReportInterval, start: number): number =>
  interval === "MONTH" ? startOf(interval, start + 32 * dayMs) : start + steps[interval];

/** The requests in a period and the unusual bytes from parents, by response code, for each requested object. */
const trafficOfObjects = (world: World, { objectIds }: CheckedRequest, from: number, to: number) =>
  objectIds.map((cpCode) => ({
    hits: hitsByCode(world, cpCode, from, to),
    extraMidgress: extraMidgressByCode(world, cpCode, from, to),
  }));

/** Totals of the API traffic of some objects, for some values of each dimension. */
function usage(
  type: ReportType,
  checked: CheckedRequest,
  ofEach: ReturnType<typeof trafficOfObjects>,
  only: Partial<Record<TrafficDimension, string>>,
) {
  const areErrorsAlone = type.name.startsWith("endpoint-errors");
  const allowed = (dimension: TrafficDimension): readonly string[] | undefined => {
    const value = only[dimension];
    const limit = checked.limits[dimension];
    return value === undefined ? limit : limit === undefined || limit.includes(value) ? [value] : [];
  };
  const split =
    shareOf("endpoint_id", allowed("endpoint_id")) *
    shareOf("api_key", allowed("api_key")) *
    shareOf("http_method", allowed("http_method"));
  const wanted = (allowed("response_code") ?? dimensionValues("response_code")).filter(
    (code) => !areErrorsAlone || Number(code) >= 400,
  );
  const counted = ofEach.flatMap((one) => wanted.map((code) => [code, (one.hits[code] ?? 0) * split] as const));
  const hits = sum(counted.map(([, share]) => share));
  const bytes = sum(counted.map(([code, share]) => share * bytesPerHit(code)));
  const extra = split * sum(ofEach.flatMap((one) => wanted.map((code) => one.extraMidgress[code] ?? 0)));
  return {
    edgeHits: Math.round(hits),
    edgeBytes: Math.round(bytes),
    midgressBytes: Math.round(bytes * midgressShare + extra),
  };
}

/** The rows of an interval; their keys lack its start. */
function rowsIn(world: World, type: ReportType, checked: CheckedRequest, from: number, to: number): Measured[] {
  const seconds = (to - from) / 1000;
  if (type.objectType === "contracts")
    return checked.objectIds.map((contract_id) => {
      return { key: { contract_id }, figures: { avail_pct: availability(world, contract_id, from, to) }, seconds };
    });
  if (type.objectType === "cpcode")
    return [{ key: {}, figures: usage(type, checked, trafficOfObjects(world, checked, from, to), {}), seconds }];
  const sums = checked.objectIds.map((zone) => dnsResponses(world, zone, from, to));
  const hits = sum(sums.map((one) => one.hits)) / seconds;
  const nxdomain = sum(sums.map((one) => one.nxdomain)) / seconds;
  return [{ key: {}, figures: { sum_hits: hits, sum_nxdomain: nxdomain, sum_requests: hits - nxdomain }, seconds }];
}

function overTime(world: World, type: ReportType, checked: CheckedRequest, dataEnds: number): Measured[] {
  const { interval = "DAY" } = checked;
  const rows: Measured[] = [];
  const end = Math.min(checked.to, dataEnds);
  const first = startOf(interval, checked.from);
  // An interval that began before the start would be incomplete.
  for (
    let start = first < checked.from ? nextStart(interval, first) : first;
    start < end;
    start = nextStart(interval, start)
  ) {
    const to = Math.min(nextStart(interval, start), end);
    for (const row of rowsIn(world, type, checked, start, to))
      rows.push({ ...row, key: { startdatetime: instant(start), ...row.key } });
  }
  return rows;
}

function byGroup(world: World, type: ReportType, checked: CheckedRequest, dataEnds: number): Measured[] {
  const to = Math.max(Math.min(checked.to, dataEnds), checked.from);
  const ofEach = trafficOfObjects(world, checked, checked.from, to);
  let keys: Row[] = [{}];
  for (const column of type.groupBy)
    keys = keys.flatMap((key) => dimensionValues(dimensionOf(column)).map((value) => ({ ...key, [column]: value })));
  return keys
    .map((key) => {
      const only = Object.fromEntries(Object.entries(key).map(([column, value]) => [dimensionOf(column), value]));
      return { key, figures: usage(type, checked, ofEach, only), seconds: 0 };
    })
    .filter((row) => row.figures.edgeHits > 0);
}

const text = (name: string, value: number): string =>
  name.endsWith("_pct") || name.startsWith("sum_") || name.startsWith("peak_")
    ? value.toFixed(name.endsWith("_pct") ? 3 : 2)
    : String(Math.round(value));

/** The figure that a summary metric aggregates, and how, where its name does not say both. */
const aggregated: Readonly<Record<string, readonly [figure: string, kind: string]>> = {
  peak_hits: ["sum_hits", "Max"],
  peak_nxhits: ["sum_nxdomain", "Max"],
  total_hits: ["sum_hits", "Integral"],
  total_nxhits: ["sum_nxdomain", "Integral"],
  avg_avail_pct: ["avail_pct", "Average"],
  max_avail_pct: ["avail_pct", "Max"],
  min_avail_pct: ["avail_pct", "Min"],
};
/** How values are aggregated, each with the seconds that it covers. */
const aggregates: Readonly<Record<string, (values: readonly number[], seconds: readonly number[]) => number>> = {
  Max: (values) => values.reduce((a, b) => Math.max(a, b)),
  Min: (values) => values.reduce((a, b) => Math.min(a, b)),
  Total: sum,
  Average: (values) => sum(values) / values.length,
  Integral: (values, seconds) => sum(values.map((value, at) => value * (seconds[at] ?? 0))),
};

/** A summary metric from the rows: its name says which figure it aggregates, and how. */
function summaryOf(name: string, rows: readonly Measured[]): string {
  const [, plainFigure = "", plainKind = ""] = /^(\w+?)(Max|Min|Total)$/.exec(name) ?? [];
  const [figure, kind] = aggregated[name] ?? [plainFigure, plainKind];
  const values = rows.map((row) => row.figures[figure] ?? 0);
  const aggregate = aggregates[kind] ?? sum;
  const seconds = rows.map((row) => row.seconds);
  return text(name, values.length === 0 ? 0 : aggregate(values, seconds));
}

function runReport(world: World, type: ReportType, request: ReportRequest) {
  const checked = checkReportRequest(world, type, request);
  const now = world.now();
  const dataEnds = Math.floor((now - settlesAfterMs) / slotMs) * slotMs;
  const isIncomplete = checked.to > dataEnds;
  const measured = type.intervals ? overTime(world, type, checked, dataEnds) : byGroup(world, type, checked, dataEnds);
  const metrics = checked.metrics.filter((metric) => !metric.summaryStatistic);
  const summaries = checked.metrics.filter((metric) => metric.summaryStatistic);
  const data = measured.map((row) => ({
    ...Object.fromEntries(type.groupBy.map((column) => [column, row.key[column] ?? ""])),
    ...Object.fromEntries(metrics.map(({ name }) => [name, row.key[name] ?? text(name, row.figures[name] ?? 0)])),
  }));
  return {
    metadata: {
      name: type.name,
      version: String(type.version),
      outputType: "FLAT",
      groupBy: [...type.groupBy],
      interval: checked.interval,
      start: instant(checked.from),
      end: instant(checked.to),
      availableDataEnds: isIncomplete ? instant(dataEnds) : null,
      suggestedRetryTime: isIncomplete ? new Date(Math.max(now, checked.to) + settlesAfterMs).toISOString() : null,
      rowCount: data.length,
      filters: Object.entries(checked.filters).map(([name, values]) => ({ name, values: [...values] })),
      columns: [
        ...type.groupBy.map((label) => ({ name: "groupBy", label })),
        ...metrics.map(({ name, label }) => ({ name, label })),
      ],
      objectType: type.objectType,
      objectIds: [...checked.objectIds],
    },
    data,
    summaryStatistics: Object.fromEntries(
      summaries.map(({ name }) => [name, { value: summaryOf(name, measured), details: {} }]),
    ),
  };
}

/** A report type as the API describes it. */
function reportTypeBody(type: ReportType) {
  const { name, version, intervals } = type;
  // The documents' links have a different prefix from the one in use (document A, "Report type").
  const prefix = `/media-reports/v1/reports/${name}/versions`;
  return {
    name,
    description: type.description,
    businessObjectName: type.objectType,
    version,
    status: "PUBLISHED",
    deprecated: false,
    timeBased: intervals !== undefined,
    outputType: "FLAT",
    available: true,
    requiredProducts: type.requiresApiGateway ? ["API Gateway"] : undefined,
    requiredRoles: type.requiresApiGateway ? ["API Gateway Viewer", "API Gateway Admin"] : undefined,
    metrics: type.metrics.map((metric) => ({ ...metric })),
    groupOutlyingValues: { enabled: false },
    groupBy: [...type.groupBy],
    filters: type.filters.map(({ values, ...filter }) => ({ ...filter, values: values && [...values] })),
    intervals: intervals && [...intervals],
    dataRetentionDays: type.dataRetentionDays,
    links: [
      { rel: "self", href: `${prefix}/${version}` },
      { rel: "versions", href: prefix },
      { rel: "all-reports", href: "/media-reports/v1/reports" },
      { rel: "execute-report", href: `${prefix}/${version}/report-data` },
    ],
  };
}

export const reporting = emulateService(declared, reportErrorFormat, {
  report_data_find: ({ path, query, body }, world) => ok(runReport(world, reportTypeOf(path), { ...query, ...body })),

  report_data_get: ({ path, query }, world) => {
    const type = reportTypeOf(path);
    const { objectIds, allObjectIds, ...rest } = query;
    if (objectIds === undefined && allObjectIds !== true)
      throw refusal(400, "object.ids.missing", "Give objectIds, or allObjectIds=true");
    return ok(runReport(world, type, { ...rest, objectIds: objectIds ?? "all" }));
  },

  report_type_get: ({ path }) => ok(reportTypeBody(reportTypeOf(path))),

  report_type_versions_list: ({ path }) => {
    const versions = reportTypes.filter(({ name }) => name === path.reportName).map(reportTypeBody);
    if (versions.length === 0)
      throw refusal(404, "reporting.re.problem.unknown.report", `There is no report ${path.reportName}`);
    // None is deprecated or unavailable, so no query leaves any out.
    return ok(versions);
  },
});
