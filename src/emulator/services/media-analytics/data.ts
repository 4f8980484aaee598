/** The data of a media report: the sessions of its subjects by the dimensions and in the intervals that a query asks for. */
import { dayMs, minuteMs } from "../../../time/durations.js";
import { readUsDate } from "../../../time/instant.js";
import type { mediaAnalytics as declared } from "../../../tools/media-analytics/index.js";
import type { Call } from "../../behaviour.js";
import { RequestRefusal } from "../../reply.js";
import type { World } from "../../world.js";
import { slotMs } from "../reporting/series.js";
import { type MediaSubject, type SessionSums, subjectsOf, sumsOf } from "./audience.js";
import {
  figureOf,
  type MediaDataStore,
  type MediaDimension,
  type MediaMetric,
  type MediaPack,
  pickByIds,
  timeId,
  valuesOf,
} from "./catalogue.js";

type Query = Call<(typeof declared)["operations"]["media_data_get"]>["query"];
type Filter = NonNullable<Query["filterParams"]>[number];
type Place = Pick<Filter, "type" | "id">;

const invalid = (detail: string, field?: string): RequestRefusal =>
  new RequestRefusal(400, "Invalid query", detail, field === undefined ? {} : { field });

/** The store that has all that a query uses, and takes its period. */
function storeFor({ dataStores }: MediaPack, query: Query, minutes: number): MediaDataStore {
  const { dimensions = [], metrics = [], filterParams = [], sortParams = [] } = query;
  if (dimensions.length + metrics.length === 0) throw invalid("dimensions or metrics are required");
  const uses: readonly Place[] = [
    ...dimensions.map((id) => ({ type: "dimension" as const, id })),
    ...metrics.map((id) => ({ type: "metric" as const, id })),
    ...filterParams,
    ...sortParams,
  ];
  const able = dataStores.filter((store) =>
    uses.every(({ type, id }) => store[`${type}s`].some((one) => String(one.id) === String(id))),
  );
  if (able.length === 0) throw invalid("The dimensions and metrics are not those of one data store");
  const longEnough = able.filter(({ maxQueryDurationInMinutes }) => maxQueryDurationInMinutes >= minutes);
  const isAsked = ({ aggregation }: MediaDataStore) => String(aggregation) === String(query.aggregation);
  const store = longEnough.find(isAsked) ?? longEnough[0];
  if (store === undefined) throw invalid("The period is longer than the data store takes", "endDate");
  return store;
}

const words: Readonly<Record<string, number>> = { day: 86_400, week: 604_800 };

/** The seconds that a row covers: a multiple of the store's own. */
function secondsFor(store: MediaDataStore, { aggregation }: Query): number {
  const seconds = aggregation === undefined ? store.aggregation : (words[String(aggregation)] ?? Number(aggregation));
  if (!(seconds > 0) || seconds % store.aggregation !== 0)
    throw invalid(`The aggregation is not a multiple of ${store.aggregation} seconds`, "aggregation");
  return seconds;
}

/** A subject's sessions with some values of the dimensions. */
interface Slice {
  readonly key: readonly string[];
  readonly subject: MediaSubject;
  readonly share: number;
}

/** Every combination of the dimensions' values that the filters leave, by the dimensions that are columns. */
function slicesOf(
  subjects: readonly MediaSubject[],
  columns: readonly MediaDimension[],
  all: readonly MediaDimension[],
  filters: readonly Filter[],
): readonly Slice[] {
  const isLeft = ({ id }: MediaDimension, value: string) =>
    filters.every((filter) => String(filter.id) !== String(id) || passes(filter, value));
  return subjects.flatMap((subject) => {
    let some: { readonly values: ReadonlyMap<MediaDimension, string>; readonly share: number }[] = [
      { values: new Map(), share: 1 },
    ];
    for (const dimension of all.filter(({ id }) => id !== timeId))
      some = some.flatMap(({ values, share }) =>
        Object.entries(valuesOf(dimension, subject))
          .filter(([value]) => isLeft(dimension, value))
          .map(([value, part]) => ({ values: new Map(values).set(dimension, value), share: share * part })),
      );
    return some.map(({ values, share }) => ({
      key: columns.map((dimension) => values.get(dimension) ?? ""),
      subject,
      share,
    }));
  });
}

/** Whether a value passes a filter; only the two conditions that public facts show are known. */
function passes({ condition, values }: Filter, value: string): boolean {
  if (condition === "in") return values.map(String).includes(value);
  if (condition === "gt") return values.every((one) => Number(value) > Number(one));
  throw invalid(`${condition} is not a known condition`, "filterParams");
}

const figureText = ({ unit }: MediaMetric, value: number): string =>
  unit === "COUNT" || unit === "MS" || unit === "KBPS" ? String(Math.round(value)) : value.toFixed(2);

/** The intervals of a period; one for the whole where the time is no column. */
function intervalsOf(from: number, to: number, seconds: number, isByTime: boolean) {
  if (from >= to) return [];
  if (!isByTime) return [{ label: "", from, to }];
  const step = seconds * 1_000;
  const first = Math.floor(from / step) * step;
  return Array.from({ length: Math.ceil((to - first) / step) }, (_, at) => {
    const start = first + at * step;
    return { label: String(start / 1_000), from: Math.max(from, start), to: Math.min(to, start + step) };
  });
}

function compare(a: string, b: string): number {
  const [first, second] = [Number(a), Number(b)];
  return Number.isNaN(first - second) ? a.localeCompare(b) : first - second;
}

/** The rows of a query, each cell as text, in the order of time unless the query asks for another. */
function rowsOf(
  world: World,
  slices: readonly Slice[],
  intervals: ReturnType<typeof intervalsOf>,
  metrics: readonly MediaMetric[],
) {
  return intervals.flatMap(({ label, from, to }) => {
    const known = new Map<MediaSubject, SessionSums>();
    const groups = new Map<string, { readonly key: readonly string[]; plays: number; failures: number }>();
    for (const { key, subject, share } of slices) {
      const sums = known.get(subject) ?? sumsOf(world, subject, from, to);
      known.set(subject, sums);
      const name = key.join("\u0000");
      const group = groups.get(name) ?? { key, plays: 0, failures: 0 };
      group.plays += sums.plays * share;
      group.failures += sums.failures * share;
      groups.set(name, group);
    }
    return (
      [...groups.values()]
        .filter(({ plays }) => plays > 0)
        // The figures of a row cover whole sessions, so that a failure rate is never shown without failures.
        .map(({ key, plays, failures }) => {
          const sums = { plays: Math.round(plays), failures: Math.round(failures) };
          return {
            label,
            key,
            figures: metrics.map((one) => figureText(one, figureOf(one, sums, (to - from) / 1_000))),
          };
        })
    );
  });
}

/** The data of a report pack, of all its subjects or of one viewer. */
export function dataOf(world: World, pack: MediaPack, query: Query, viewer?: string) {
  const [start, end] = [readUsDate(query.startDate), readUsDate(query.endDate)];
  if (end < start) throw invalid("endDate is before startDate", "endDate");
  const store = storeFor(pack, query, (end - start) / minuteMs);
  const seconds = secondsFor(store, query);
  const { limit = 300, offset = 0, filterParams = [], sortParams = [] } = query;
  const columns = pickByIds(store.dimensions, query.dimensions);
  const metrics = pickByIds(store.metrics, query.metrics);
  const filtersOf = (type: Place["type"]) => filterParams.filter((filter) => filter.type === type);
  const filtered = filtersOf("dimension").map(({ id }) => id);
  const used = new Set([...columns, ...pickByIds(store.dimensions, filtered)]);
  const subjects = subjectsOf[pack.subjects](world).filter((one) => viewer === undefined || one.viewer === viewer);
  const slices = slicesOf(subjects, columns, [...used], filtersOf("dimension"));
  // What is too old has been deleted, and the newest minutes are not counted yet.
  const from = Math.max(start, world.now() - store.purgeIntervalInDays * dayMs);
  const to = Math.min(end, Math.floor(world.now() / slotMs) * slotMs);
  const isByTime = [...used].some(({ id }) => id === timeId);
  const ofTime = filtersOf("dimension").filter(({ id }) => String(id) === String(timeId));
  const intervals = intervalsOf(from, to, seconds, isByTime).filter(({ label }) =>
    ofTime.every((filter) => passes(filter, label)),
  );
  const titles = [
    ...columns.map((one) => ["dimension", one] as const),
    ...metrics.map((one) => ["metric", one] as const),
  ];
  const placeOf = ({ type, id }: Place): number => {
    const place = titles.findIndex(([kind, one]) => kind === type && String(one.id) === String(id));
    if (place < 0) throw invalid(`The ${type} ${id} is no column of the query`);
    return place;
  };
  const limits = filtersOf("metric").map((filter) => [placeOf(filter), filter] as const);
  const orders = sortParams.map((sort) => [placeOf(sort), sort.order === "desc" ? -1 : 1] as const);
  const rows = rowsOf(world, slices, intervals, metrics)
    .map(({ label, key, figures }) => [
      ...columns.map(({ id }, at) => (id === timeId ? label : (key[at] ?? ""))),
      ...figures,
    ])
    .filter((row) => limits.every(([place, filter]) => passes(filter, row[place] ?? "")))
    .sort((a, b) =>
      orders.reduce((found, [place, sign]) => found || sign * compare(a[place] ?? "", b[place] ?? ""), 0),
    );
  return {
    columns: titles.map(([type, one], index) => ({
      index,
      id: one.id,
      name: one.name,
      type,
      description: one.description,
      dataType: one.dataType,
      unit: "unit" in one ? one.unit : undefined,
    })),
    rows: rows.slice(offset, offset + limit),
    metaData: {
      aggregation: seconds,
      limit,
      offset,
      startTimeInEpoch: start / 1_000,
      endTimeInEpoch: end / 1_000,
      timeZone: "GMT",
      hasMoreData: rows.length > offset + limit,
      reportPack: pack.id,
    },
  };
}
