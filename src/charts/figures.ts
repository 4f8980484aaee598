/** The kinds of pictures, and how the figures in them are written: with the prefix that keeps them short, and with their unit. */

export const kinds = ["line", "bar", "heatmap"] as const;
export type Kind = (typeof kinds)[number];

/** What a column counts. */
export interface Unit {
  /** Beside the name of what is measured; empty where the unit is not known. */
  readonly name: string;
  /** Behind each figure. */
  readonly suffix: string;
  readonly prefixes: readonly string[];
  /** Whether the values of a longer time are their sum; otherwise they are their mean. */
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

/** The units that reports declare for their metrics, and the two of columns of which nothing is declared. */
export const units = {
  COUNT: unit("count", "", ofCounts, true),
  COUNT_PER_SECOND: unit("per second", "/s", ofCounts, false),
  BYTE: unit("bytes", "", ofBytes, true),
  RATIO: unit("%", " %", none, false),
  number: unit("", "", ofCounts, true),
  level: unit("", "", ofCounts, false),
} as const satisfies Readonly<Record<string, Unit>>;

// What the names of columns say, the first that fits; a mean or a maximum of several rows is not their sum.
const named: readonly (readonly [pattern: RegExp, unit: Unit])[] = [
  [/(pct|percent|percentage)$/i, units.RATIO],
  [/per_?second|_rate$|_?rps$/i, units.COUNT_PER_SECOND],
  [/^(avg|mean|min|max|peak|p\d+)(_|[A-Z])|(Max|Min|_avg|_mean|_min|_max)$|latency|duration/, units.level],
  [/bytes(_?(sum|total))?$/i, units.BYTE],
];

/** The unit that a column's name suggests, where nothing is declared. */
export const unitOfName = (name: string): Unit => named.find(([pattern]) => pattern.test(name))?.[1] ?? units.number;

/** The name of what is measured, with its unit. */
export const nameWithUnit = (name: string, { name: unit }: Unit): string => (unit === "" ? name : `${name} (${unit})`);

/** A figure in at most one decimal and its prefix: `739.9 k`, `1.2 TB`, `99.95 %`. */
export function figure(value: number, { prefixes, suffix }: Unit): string {
  const size = Math.abs(value);
  const step = size < 1 ? 0 : Math.min(prefixes.length - 1, Math.floor(Math.log10(size) / 3));
  // A thousand of one prefix is one of the next, also where only the rounding makes it a thousand.
  const isNext = step < prefixes.length - 1 && Number((size / 1000 ** step).toFixed(1)) >= 1000;
  const at = isNext ? step + 1 : step;
  const scaled = value / 1000 ** at;
  // Beyond the prefixes that people know.
  if (prefixes.length > 1 && Math.abs(scaled) >= 1e6)
    return `${value.toExponential(1).replace("e+", "e")}${prefixes[0] ?? ""}${suffix}`;
  const digits = at === 0 ? (size > 0 && size < 1 ? 4 : 2) : 1;
  return `${Number(scaled.toFixed(digits))}${prefixes[at] ?? ""}${suffix}`;
}

/** A figure in full, for a text: `739,912`, `99.95 %`. */
export const wholeFigure = (value: number, { suffix }: Unit): string =>
  `${value.toLocaleString("en-US", { maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 })}${suffix}`;
