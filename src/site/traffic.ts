/**
 * The traffic of hostnames or CP codes, by report: now, in the same hour of the last week, and the peak that follows from
 * both for the coming hour.
 */
import { type CarriedTraffic, type Forecasted, isUnknown, type ReachedHostnames } from "../language/forecast.js";
import { memberAt } from "../language/member.js";
import { dayMs, hourMs, minuteMs } from "../time/durations.js";
import { countIn, listIn, orUnknown, type SiteReads } from "./reads.js";

const tool = "report_traffic_find";
const report = "delivery/traffic/current";
const stepMs = 5 * minuteMs;
// The report does not mark data that are still arriving (decision 039).
const lateMs = 30 * minuteMs;
const weekMs = 7 * dayMs;
const maxNames = 3;
const maxHostnames = 5_000;

/** The rows of the report to count: those of some CP codes or hostnames; all of the account's if absent. */
export interface TrafficFilter {
  readonly dimension: "cpcode" | "hostname";
  readonly values: readonly string[];
}

/** The traffic of a scope, in requests a second. */
export interface ScopeTraffic {
  readonly carried: CarriedTraffic;
  readonly originRate: number;
  /** How many times the present rate the highest five minutes of the coming hour have, if that follows last week's. */
  readonly peak: number;
  /** The hostnames with traffic, the busiest first; absent for that of the whole account. */
  readonly hostnames?: ReachedHostnames;
}

/** Hostnames as facts. */
export const reachedHostnames = (names: readonly string[]): ReachedHostnames => ({
  total: names.length,
  names: names.slice(0, maxNames),
});

/** The sums of a report, and the first of its hostnames. */
interface TrafficSums {
  readonly edge: number;
  readonly origin: number;
  readonly hostnames: ReachedHostnames;
  readonly isWhole: boolean;
}

function sumsIn(body: unknown): TrafficSums {
  const rows = listIn(body, "data");
  const sum = (metric: string): number => rows.reduce<number>((total, row) => total + countIn(row, metric), 0);
  const names = rows.map((row) => memberAt(row, "hostname")).filter((name) => typeof name === "string");
  return {
    edge: sum("edgeHitsSum"),
    origin: sum("originHitsSum"),
    hostnames: { ...reachedHostnames(names), isByTraffic: true },
    isWhole: memberAt(body, "metadata.hasMoreRows") !== true,
  };
}

/** The edge's requests in each interval, by its beginning in milliseconds since 1970. */
type EdgeSeries = readonly (readonly [startMs: number, edge: number])[];
const seriesIn = (body: unknown): EdgeSeries =>
  listIn(body, "data").map((row) => [1_000 * countIn(row, "time5minutes"), countIn(row, "edgeHitsSum")]);

/** The beginning of the interval of five minutes in which an instant lies. */
const stepOf = (ms: number): number => Math.floor(ms / stepMs) * stepMs;
const periodOf = (startMs: number, endMs: number) => ({
  start: new Date(startMs).toISOString(),
  end: new Date(endMs).toISOString(),
});
const filtersOf = (filter: TrafficFilter | undefined) =>
  filter && {
    filters: [{ dimensionName: filter.dimension, operator: "IN_LIST", expressions: filter.values }],
  };

/**
 * The course of last week from the hour of the present data to the end of the coming hour: the mean rate in the coming hour,
 * and its highest rate as a multiple of that in the first hour.
 */
export function courseOf(series: EdgeSeries, firstMs: number, comingMs: number) {
  const between = (startMs: number): readonly number[] =>
    series.filter(([atMs]) => atMs >= startMs && atMs < startMs + hourMs).map(([, edge]) => edge);
  const meanOf = (counts: readonly number[]): number =>
    counts.reduce((sum, count) => sum + count, 0) / (hourMs / stepMs);
  const coming = between(comingMs);
  const before = meanOf(between(firstMs));
  return {
    rate: (meanOf(coming) * 1_000) / stepMs,
    peak: before === 0 ? undefined : Math.max(...coming, 0) / before,
  };
}

/** The course of last week; undefined without data of it, which only makes a forecast less exact. */
async function lastWeek(reads: SiteReads, filter: TrafficFilter | undefined, endMs: number) {
  const [firstMs, comingMs] = [endMs - hourMs - weekMs, stepOf(reads.nowMs) - weekMs];
  const series = await orUnknown(
    report,
    reads.recall(
      tool,
      {
        ...periodOf(firstMs, comingMs + hourMs),
        body: { metrics: ["edgeHitsSum"], dimensions: ["time5minutes"], ...filtersOf(filter) },
      },
      seriesIn,
    ),
  );
  return isUnknown(series) || series.length === 0 ? undefined : courseOf(series, firstMs, comingMs);
}

/** The traffic of a scope on the production network, or why it is unknown. */
export async function trafficOf(
  reads: SiteReads,
  filter: TrafficFilter | undefined,
): Promise<Forecasted<ScopeTraffic>> {
  const endMs = stepOf(reads.nowMs - lateMs);
  const rows = filter
    ? {
        dimensions: ["hostname"],
        sortBys: [{ name: "edgeHitsSum", sortOrder: "DESCENDING" }],
        limit: maxHostnames,
        ...filtersOf(filter),
      }
    : { dimensions: ["time1day"] };
  const [sums, course] = await Promise.all([
    orUnknown(
      "traffic report",
      reads.recall(
        tool,
        { ...periodOf(endMs - hourMs, endMs), body: { metrics: ["edgeHitsSum", "originHitsSum"], ...rows } },
        sumsIn,
      ),
    ),
    lastWeek(reads, filter, endMs),
  ]);
  if (isUnknown(sums)) return sums;
  if (!sums.isWhole)
    return { unknown: `more than ${maxHostnames.toLocaleString("en-US")} hostnames share the traffic` };
  const perSecond = (count: number): number => (count * 1_000) / hourMs;
  return {
    carried: {
      edgeRate: perSecond(sums.edge),
      ...(course && { rateLastWeek: course.rate }),
      report,
      untilMs: endMs,
    },
    originRate: perSecond(sums.origin),
    peak: course?.peak ?? 1,
    ...(filter && { hostnames: sums.hostnames }),
  };
}

/** The traffic that hostnames carry on the production network, or why it is unknown. */
export async function trafficOfHostnames(
  reads: SiteReads,
  hostnames: readonly string[],
): Promise<Forecasted<CarriedTraffic>> {
  // The report has the names that were requested, and never the wildcard that stands for them.
  if (hostnames.some((name) => name.startsWith("*")))
    return { unknown: "a wildcard answers for names that are not listed" };
  const traffic = await trafficOf(reads, { dimension: "hostname", values: hostnames });
  return isUnknown(traffic) ? traffic : traffic.carried;
}
