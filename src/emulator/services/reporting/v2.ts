/** Reporting of today: adds up the traffic of the edge, its parents and the origin by the dimensions of a request. */
import { dayMs, hourMs, minuteMs } from "../../../time/durations.js";
import { reportingV2 as declared, type TrafficComparison } from "../../../tools/reporting-v2/index.js";
import {
  defaultDimensions,
  trafficDimensions,
  trafficLimits,
  trafficMetrics,
} from "../../../tools/reporting-v2/report.js";
import type { Call } from "../../behaviour.js";
import { type ErrorFormat, ok, RequestRefusal } from "../../reply.js";
import { emulateService } from "../../service.js";
import { utcOf } from "../../values.js";
import { hexDigits, noiseText, type World } from "../../world.js";
import { deliveryNetworks } from "../account.js";
import { type Entry, entriesOf } from "./ledger.js";
import { objectsOf, slotMs } from "./series.js";

type Request = Call<(typeof declared)["operations"]["report_traffic_find"]>;
type Filter = NonNullable<Request["body"]["filters"]>[number];
type Value = string | number;
type Row = Record<string, Value>;

/** The error format of the definition: a problem with an id, and the errors of single members of the request. */
const errorFormat: ErrorFormat = ({ status, title, detail, extras: { field } }, _, world) => {
  const problemId = noiseText(world, hexDigits, 32, "report problem", world.next("report problem v2", 1)).replace(
    /^(.{8})(.{4})(.{4})(.{4})/,
    "$1-$2-$3-$4-",
  );
  const type = `/reporting-api/error-types/${title.toLowerCase().replaceAll(" ", "-")}`;
  const body =
    field === undefined
      ? { type, title, status, detail, problemId }
      : {
          type: "/reporting-api/error-types/invalid-request",
          title: "Invalid request",
          status,
          problemId,
          errors: [{ type: field, title: "Validation error", detail, problemId }],
        };
  return { body, type: "application/problem+json" };
};
const invalid = (field: string, detail: string): RequestRefusal =>
  new RequestRefusal(400, "Invalid request", detail, { field });

/** Data arrive for half an hour: of a slot nothing is there when it ends, and all after that time. */
const arrivesForMs = 30 * minuteMs;
const arrived = (world: World, slotStart: number): number =>
  Math.min(1, Math.max(0, (world.now() - slotStart - slotMs) / arrivesForMs));

/** The parts of the traffic by what the world does not tell apart otherwise. */
const shares: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  httpMethod: { get_head: 0.83, put_post: 0.17 },
  deliveryType: {
    secure: deliveryNetworks["essl"]?.share ?? 0,
    non_secure: deliveryNetworks["freeflow"]?.share ?? 0,
  },
  ipVersion: { ipv4: 0.68, ipv6: 0.32 },
  httpProtocol: { "http1.1": 0.12, "https1.1": 0.08, http2: 0.6, http3: 0.2 },
};
const secondsOf = (startMs: number, lengthMs: number): number => Math.floor(startMs / lengthMs) * (lengthMs / 1000);
/** The values of an entry by dimension, of those that it has one of. */
const entryValues: Readonly<Record<string, (entry: Entry) => Value>> = {
  time5minutes: ({ startMs }) => secondsOf(startMs, slotMs),
  time1hour: ({ startMs }) => secondsOf(startMs, hourMs),
  time1day: ({ startMs }) => secondsOf(startMs, dayMs),
  cpcode: ({ cpCode }) => Number(cpCode),
  hostname: ({ hostName }) => hostName,
  responseCode: ({ code }) => Number(code),
  responseClass: ({ code }) => `${code[0]}xx`,
  responseStatus: ({ code }) => (Number(code) >= 400 ? "error" : "success"),
};

const compare: Readonly<Record<TrafficComparison, (value: string, expression: string) => boolean>> = {
  IN_LIST: (value, expression) => value === expression,
  EXACT: (value, expression) => value === expression,
  BEGINS_WITH: (value, expression) => value.startsWith(expression),
  ENDS_WITH: (value, expression) => value.endsWith(expression),
  CONTAINS: (value, expression) => value.includes(expression),
};
function passes({ operator, expressions }: Filter, value: Value): boolean {
  const isNegated = operator.startsWith("NOT_");
  const matches = compare[operator.replace(/^NOT_/, "") as TrafficComparison];
  return expressions.some((one) => matches(String(value), one)) !== isNegated;
}

/** The figures that metrics are made of, each a sum. */
type Sums = Record<"edge" | "midgress" | "origin", { hits: number; bytes: number }>;
const noSums = (): Sums => ({
  edge: { hits: 0, bytes: 0 },
  midgress: { hits: 0, bytes: 0 },
  origin: { hits: 0, bytes: 0 },
});
/** The part of all bytes that requests are; the rest are responses. */
const requestPart = 0.04;
const bytePart = { "": 1, Request: requestPart, Response: 1 - requestPart } as const;

/** A metric of a part of the traffic that was added up. */
function figureOf(metric: string, sums: Sums, part: number): number {
  const [, side, kind = "", what] = /^(edge|midgress|origin)(Request|Response)?(Hits|Bytes)Sum$/.exec(metric) ?? [];
  if (side !== undefined) {
    const { hits, bytes } = sums[side as keyof Sums];
    return Math.round(what === "Hits" ? hits * part : bytes * part * bytePart[kind as keyof typeof bytePart]);
  }
  const member = metric === "offloadedHitsPercentage" ? "hits" : "bytes";
  const [edge, origin] = [sums.edge[member] * part, sums.origin[member] * part];
  return edge === 0 ? 0 : Math.round(1e6 * (1 - origin / edge)) / 1e4;
}

/** Refuses what the report does not have, as the vendor's own example of a refusal does. */
function checkNames(field: "metrics" | "dimensions", names: readonly string[], known: readonly string[]): void {
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) throw invalid(field, `Incorrect ${field.slice(0, -1)} name: '${wrong}'`);
}
const namesOf = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name);

function periodOf(world: World, { start, end }: Request["query"]): readonly [from: number, to: number] {
  const [from, to] = [utcOf(start), utcOf(end)];
  if (to <= from) throw invalid("end", "The end date must be after the start date");
  const { retentionDays } = trafficLimits;
  if (from < world.now() - retentionDays * dayMs) throw invalid("start", `Data is available for ${retentionDays} days`);
  return [from, to];
}

/** The CP codes that a request covers: those that its filters leave of the account's. */
function coveredCpCodes(world: World, filters: readonly Filter[]): readonly string[] {
  const own = objectsOf(world, "cpcode");
  const byCpCode = filters.filter(({ dimensionName }) => dimensionName === "cpcode");
  const foreign = byCpCode
    .filter(({ operator }) => operator === "IN_LIST" || operator === "EXACT")
    .flatMap(({ expressions }) => expressions)
    .filter((id) => !own.includes(id));
  if (foreign.length > 0)
    throw new RequestRefusal(
      403,
      "Unauthorized objects",
      `Some of the requested objects are unauthorized: [${foreign.join(", ")}]`,
    );
  return own.filter((id) => byCpCode.every((filter) => passes(filter, id)));
}

/** The combinations of shared values that a request tells apart, or its filters choose, each with its part. */
function sharedParts(dimensions: readonly string[], filters: readonly Filter[]): readonly (readonly [Row, number])[] {
  let parts: readonly (readonly [Row, number])[] = [[{}, 1]];
  for (const [dimension, values] of Object.entries(shares)) {
    const own = filters.filter(({ dimensionName }) => dimensionName === dimension);
    const left = Object.entries(values).filter(([value]) => own.every((filter) => passes(filter, value)));
    parts = dimensions.includes(dimension)
      ? parts.flatMap(([row, part]) =>
          left.map(([value, share]) => [{ ...row, [dimension]: value }, part * share] as const),
        )
      : parts.map(([row, part]) => [row, part * left.reduce((sum, [, share]) => sum + share, 0)] as const);
  }
  return parts;
}

const byColumns =
  (sortBys: readonly { readonly name: string; readonly sortOrder: "ASCENDING" | "DESCENDING" }[]) =>
  (a: Row, b: Row): number => {
    for (const { name, sortOrder } of sortBys) {
      const [one, other] = [a[name] ?? 0, b[name] ?? 0];
      if (one !== other) return (one < other ? -1 : 1) * (sortOrder === "ASCENDING" ? 1 : -1);
    }
    return 0;
  };

/** The rows of a request, in the order of their dimensions, with one for each combination that has traffic. */
function rowsOf(world: World, { query, body }: Request, dimensions: readonly string[]): readonly Row[] {
  const { filters = [], metrics } = body;
  const period = periodOf(world, query);
  const cpCodes = coveredCpCodes(world, filters);
  const ofEntries = filters.filter(({ dimensionName }) => entryValues[dimensionName] !== undefined);
  const groups = new Map<string, { readonly key: Row; readonly sums: Sums }>();
  for (const entry of entriesOf(world, cpCodes, period, (slotStart) => arrived(world, slotStart))) {
    if (!ofEntries.every((filter) => passes(filter, entryValues[filter.dimensionName]?.(entry) ?? ""))) continue;
    const values = dimensions.flatMap((name) => {
      const value = entryValues[name]?.(entry);
      return value === undefined ? [] : [[name, value] as const];
    });
    const id = values.map(([, value]) => value).join("\0");
    const group = groups.get(id) ?? { key: Object.fromEntries(values), sums: noSums() };
    groups.set(id, group);
    for (const side of ["edge", "midgress", "origin"] as const) {
      group.sums[side].hits += entry[side].hits;
      group.sums[side].bytes += entry[side].bytes;
    }
  }
  const parts = sharedParts(dimensions, filters);
  return [...groups.values()].flatMap(({ key, sums }) =>
    parts.flatMap(([shared, part]) => {
      const all: Row = { ...key, ...shared };
      const columns = [
        ...dimensions.map((name) => [name, all[name] ?? ""] as const),
        ...metrics.map((name) => [name, figureOf(name, sums, part)] as const),
      ];
      return sums.edge.hits * part === 0 ? [] : [Object.fromEntries(columns)];
    }),
  );
}

const path = "/reporting-api/v2/reports/delivery/traffic/current";
/** What is named of all that the report has, in the order of the names. */
const byName = <T extends { readonly name: string }>(all: readonly T[], names: readonly string[]): readonly T[] =>
  names.flatMap((name) => all.filter((one) => one.name === name));

export const reportingV2 = emulateService(declared, errorFormat, {
  report_traffic_find: (request, world) => {
    const { metrics, filters = [], limit = trafficLimits.maxRows } = request.body;
    const dimensions = [...new Set(request.body.dimensions ?? defaultDimensions)];
    checkNames("metrics", metrics, namesOf(trafficMetrics));
    checkNames("dimensions", dimensions, namesOf(trafficDimensions));
    if (dimensions.length > trafficLimits.maxDimensions)
      throw invalid("dimensions", `At most ${trafficLimits.maxDimensions} dimensions are allowed`);
    const filterable = trafficDimensions.filter(({ isFilterable }) => isFilterable);
    checkNames(
      "dimensions",
      filters.map(({ dimensionName }) => dimensionName),
      namesOf(filterable),
    );
    const columns: readonly string[] = [...dimensions, ...metrics];
    const sortBys = request.body.sortBys ?? dimensions.map((name) => ({ name, sortOrder: "ASCENDING" as const }));
    const unsortable = sortBys.find(({ name }) => !columns.includes(name));
    if (unsortable) throw invalid("sortBys", `Incorrect sort by name: '${unsortable.name}'`);
    const rows = rowsOf(world, request, dimensions).toSorted(byColumns(sortBys));
    return ok({
      data: rows.slice(0, limit),
      metadata: {
        name: "CDN traffic report data",
        start: new Date(utcOf(request.query.start)).toISOString(),
        end: new Date(utcOf(request.query.end)).toISOString(),
        metrics: byName(trafficMetrics, metrics).map(({ name, description, type }) => {
          return { name, description, type, filterable: true, mandatory: false };
        }),
        dimensions: byName(trafficDimensions, dimensions).map(({ name, description, type, isFilterable, values }) => ({
          name,
          description,
          type,
          filterable: isFilterable,
          mandatory: false,
          filterType: values ? "ENUM" : "TEXT",
          ...(values && { filterEnumValues: [...values] }),
          authorizable: name === "cpcode",
        })),
        filters: filters.map((filter) => ({ ...filter, expressions: [...filter.expressions] })),
        sortBys: [...sortBys],
        limit,
        hasMoreRows: rows.length > limit,
        links: [{ rel: "self", href: `${path}/data`, allow: ["POST"] }],
      },
    });
  },
});
