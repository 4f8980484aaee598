/** The kinds of pictures, and the notation of figures: with prefixes and units. */
import { unitNames } from "../../language/units.js";

export const chartKinds = ["line", "bar", "heatmap"] as const;
export type ChartKind = (typeof chartKinds)[number];

/** The unit of a column. */
export interface Unit {
  /** Shown next to the name of the metric; empty if the unit is unknown. */
  readonly name: string;
  /** Shown after each figure. */
  readonly suffix: string;
  readonly prefixes: readonly string[];
  /** Whether values are aggregated as a sum; otherwise as a mean. */
  readonly isSummed: boolean;
}

const ofCounts = ["", " k", " M", " bn", " tn"];
const ofBytes = [" B", " kB", " MB", " GB", " TB", " PB", " EB"];
const none = [""];
const unit = (name: string, suffix: string, prefixes: readonly string[], isSummed: boolean): Unit => ({
  name,
  suffix,
  prefixes,
  isSummed,
});

/** The units that reports declare for their metrics, and the two defaults for columns without a declaration. */
export const units = {
  COUNT: unit("count", "", ofCounts, true),
  COUNT_PER_SECOND: unit(unitNames.COUNT_PER_SECOND, "/s", ofCounts, false),
  BYTE: unit(unitNames.BYTE, "", ofBytes, true),
  RATIO: unit(unitNames.RATIO, " %", none, false),
  number: unit("", "", ofCounts, true),
  level: unit("", "", ofCounts, false),
} as const satisfies Readonly<Record<string, Unit>>;

// Units by column name, the first match counts; means or maxima of several rows are not sums.
const named: readonly (readonly [pattern: RegExp, unit: Unit])[] = [
  [/(pct|percent|percentage)$/i, units.RATIO],
  [/per_?second|_rate$|_?rps$/i, units.COUNT_PER_SECOND],
  [/^(avg|mean|min|max|peak|p\d+)(_|[A-Z])|(Max|Min|_avg|_mean|_min|_max)$|latency|duration/, units.level],
  [/bytes(_?(sum|total))?$/i, units.BYTE],
];

/** The unit that a column's name suggests, if none is declared. */
export const unitOfName = (name: string): Unit => named.find(([pattern]) => pattern.test(name))?.[1] ?? units.number;

/** The name of a metric, with its unit. */
export const nameWithUnit = (name: string, { name: unit }: Unit): string => (unit === "" ? name : `${name} (${unit})`);

/** A figure with at most one decimal and its prefix: `739.9 k`, `1.2 TB`, `99.95 %`. */
export function figure(value: number, { prefixes, suffix }: Unit): string {
  const size = Math.abs(value);
  const step = size < 1 ? 0 : Math.min(prefixes.length - 1, Math.floor(Math.log10(size) / 3));
  // A thousand of one prefix is one of the next, even if only by rounding.
  const isNext = step < prefixes.length - 1 && Number((size / 1000 ** step).toFixed(1)) >= 1000;
  const at = isNext ? step + 1 : step;
  const scaled = value / 1000 ** at;
  // Beyond the common prefixes.
  if (prefixes.length > 1 && Math.abs(scaled) >= 1e6)
    return `${value.toExponential(1).replace("e+", "e")}${prefixes[0] ?? ""}${suffix}`;
  const digits = at === 0 ? (size > 0 && size < 1 ? 4 : 2) : 1;
  return `${Number(scaled.toFixed(digits))}${prefixes[at] ?? ""}${suffix}`;
}

/** A figure in full, for a text: `739,912`, `99.95 %`. */
export const wholeFigure = (value: number, { suffix }: Unit): string =>
  `${value.toLocaleString("en-US", { maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 })}${suffix}`;
