/** Checks a report request against its type; refusals have the reporting service's own error format. */
import { dayMs } from "../../../time/durations.js";
import { allIntervals, type ReportInterval, type ReportType } from "../../../tools/reporting/catalogue.js";
import type { reporting } from "../../../tools/reporting/index.js";
import type { Call } from "../../behaviour.js";
import { type ErrorFormat, RequestRefusal } from "../../reply.js";
import { utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { dimensionValues, objectsOf, type TrafficDimension } from "./series.js";

type Filters = Readonly<Record<string, readonly string[]>>;

type Find = Call<(typeof reporting)["operations"]["report_data_find"]>;
/** A report request, as it arrives from either form of the call. */
export type ReportRequest = Find["query"] & Find["body"];

export interface CheckedRequest {
  readonly from: number;
  readonly to: number;
  readonly interval: ReportInterval | undefined;
  readonly objectIds: readonly string[];
  readonly metrics: ReportType["metrics"];
  readonly filters: Filters;
  /** The values that traffic is limited to, by dimension. */
  readonly limits: Readonly<Partial<Record<TrafficDimension, readonly string[]>>>;
}

const unreadableDate = ["date.range.invalid.date.format", "Could not parse provided date"] as const;
const intervalOf = (intervals: readonly ReportInterval[]) =>
  [
    "date.range.invalid.unrecognized.interval",
    `Missing or invalid interval, should be one of [${[...intervals].reverse().join(", ")}]`,
  ] as const;
/** The error types of parameters that cannot be parsed. */
const unreadable: Readonly<Record<string, readonly [type: string, title: string]>> = {
  start: unreadableDate,
  end: unreadableDate,
  interval: intervalOf(allIntervals),
};

/** The reporting service's own error format, which has no status (public facts A, 0.2). */
export const reportErrorFormat: ErrorFormat = ({ status, title, detail, extras: { field = "" } }, _, world) => {
  const [type, what] = unreadable[field] ?? [title.toLowerCase().replaceAll(" ", "."), detail];
  const instance = `583e39eb-47f4-4a76-b513-${String(world.next("report problem", 100_000_000_000))}`;
  const outer =
    status !== 400 || type === unreadableDate[0]
      ? { type: "reporting.re.problem", title: "Reporting exception" }
      : { type: "reporting.re.invalid.request", title: "Request is invalid." };
  return { body: { ...outer, instance, errors: [{ type, title: what }] }, type: "application/json" };
};
export const refusal = (status: number, type: string, title: string): RequestRefusal =>
  new RequestRefusal(status, type, title);

function checkInterval({ intervals }: ReportType, interval: ReportInterval | undefined): void {
  if (intervals === undefined && interval !== undefined)
    throw refusal(400, "date.range.invalid.unexpected.interval", "This report takes no interval");
  if (intervals !== undefined && (interval === undefined || !intervals.includes(interval)))
    throw refusal(400, ...intervalOf(intervals));
}

/** The dimension of a filter or of a column that rows are grouped by. */
export const dimensionOf = (name: string): TrafficDimension =>
  name.startsWith("response_") ? "response_code" : (name as TrafficDimension);

function limitsOf(filters: Filters): CheckedRequest["limits"] {
  const codes = dimensionValues("response_code");
  const limits: Partial<Record<TrafficDimension, readonly string[]>> = {};
  for (const [name, values] of Object.entries(filters)) {
    const dimension = dimensionOf(name);
    const allowed = name.startsWith("response_class")
      ? codes.filter((code) => values.includes(`${code[0]}xx`))
      : values;
    // Two filters on the same dimension must both match.
    limits[dimension] = limits[dimension]?.filter((value) => allowed.includes(value)) ?? allowed;
  }
  return limits;
}

function checkFilters({ filters: known }: ReportType, filters: Filters): void {
  for (const [name, values] of Object.entries(filters)) {
    const filter = known.find((one) => one.name === name);
    if (filter === undefined) throw refusal(400, "filter.invalid.name", `Unknown filter: ${name}`);
    const isValue = (value: string) =>
      filter.values ? filter.values.some((one) => one.value === value) : /^\d+$/.test(value);
    const bad = values.find((value) => !isValue(value));
    if (bad !== undefined) throw refusal(400, "filter.invalid.value", `Invalid value for filter ${name}: ${bad}`);
  }
}

/** Checks a whole report request; names that it has twice count once. */
export function checkReportRequest(world: World, type: ReportType, request: ReportRequest): CheckedRequest {
  checkInterval(type, request.interval);
  const from = utcOf(request.start);
  const to = utcOf(request.end);
  if (to <= from) throw refusal(400, "date.range.invalid.end.before.start", "End must be after start");
  if (from < world.now() - (type.dataRetentionDays + 1) * dayMs)
    throw refusal(400, "date.range.invalid.out.of.retention", `Data is available for ${type.dataRetentionDays} days`);
  const accountObjectIds = objectsOf(world, type.objectType);
  const objectIds = request.objectIds === "all" ? accountObjectIds : [...new Set(request.objectIds)];
  const foreign = objectIds.filter((id) => !accountObjectIds.includes(id));
  if (foreign.length > 0)
    throw refusal(
      403,
      "reporting.re.problem.forbidden.objects",
      `Some of the requested objects are unauthorized: [${foreign.join(", ")}]`,
    );
  const unknown = request.metrics?.find((name) => !type.metrics.some((metric) => metric.name === name));
  if (unknown !== undefined) throw refusal(400, "metric.invalid.name", `Unknown metric: ${unknown}`);
  const filters = Object.fromEntries(
    Object.entries(request.filters ?? {}).map(([name, values]) => [name, [...new Set(values)]]),
  );
  checkFilters(type, filters);
  return {
    from,
    to,
    interval: request.interval,
    objectIds,
    metrics: type.metrics.filter(({ name }) => request.metrics?.includes(name) ?? true),
    filters,
    limits: limitsOf(filters),
  };
}
