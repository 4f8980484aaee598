/** Draws rows as SVG, and describes the picture in words. */
import { BarChart, HeatmapChart, LineChart } from "echarts/charts";
import {
  GraphicComponent,
  GridComponent,
  MarkPointComponent,
  TitleComponent,
  VisualMapContinuousComponent,
} from "echarts/components";
import { init, setPlatformAPI, use } from "echarts/core";
import { LegacyGridContainLabel } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";
import { dayMs, hourMs } from "../../time/durations.js";
import { bucketSeries, heatCellsOf, type MeasuredPeriod, measuredPeriodOf, withIncomplete } from "./buckets.js";
import { groupLayout, heatLayout } from "./category-layout.js";
import type { ChartKind, Unit } from "./figures.js";
import { type Layout, textStyle, textWidth, width } from "./picture.js";
import {
  type ChartData,
  type ChartSeries,
  chartDataOf,
  chartRefusal,
  type DataSelection,
  endsOf,
  type Groups,
  type TimeData,
} from "./series.js";
import { axisUnits, beginsAtZero, timeLayout } from "./time-layout.js";
import { clockText, dateText, stepText } from "./times.js";
import { cellsInBlocks, groupsInBlocks, groupsInWords, seriesInBlocks, seriesInWords, usualDay } from "./words.js";

use([
  BarChart,
  GraphicComponent,
  GridComponent,
  HeatmapChart,
  LegacyGridContainLabel,
  LineChart,
  MarkPointComponent,
  SVGRenderer,
  TitleComponent,
  VisualMapContinuousComponent,
]);

// Without a browser the engine estimates widths, for another font.
setPlatformAPI({ measureText: (written, style) => ({ width: textWidth(written, style ?? "") }) });

/**
 * The drawing without hover effects, which an image does not have, and without the chart number that the engine puts
 * into ids. Text cannot be mistaken for markup, because its angle brackets and quotes are escaped.
 */
const withoutEffects = (svg: string): string =>
  svg
    .replaceAll(/<style[\s\S]*?<\/style>\s*/g, "")
    .replaceAll(/<[^<>]*>/g, (tag) =>
      tag.replaceAll(/ (class|pointer-events|ecmeta_\w+)="[^"]*"/g, "").replaceAll(/\bzr\d+-/g, "zr-"),
    );

function svgOf({ option, height }: Layout): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption({ animation: false, backgroundColor: "#ffffff", textStyle: textStyle(), ...option });
    return withoutEffects(chart.renderToSVGString());
  } finally {
    // A chart that is not disposed of keeps the process alive.
    chart.dispose();
  }
}

/** What to draw, and what is known about the rows. */
export interface ChartRequest {
  readonly kind: ChartKind;
  readonly metrics?: readonly string[] | undefined;
  readonly by?: string | undefined;
  readonly zone: string;
  /** The metric is the default title. */
  readonly title?: string | undefined;
  /** Further context of the rows, such as filters. */
  readonly details: readonly string[];
  /** What is declared of a column. */
  readonly declared: (column: string) => { readonly label: string; readonly unit: Unit } | undefined;
  /** The measured period, as far as it is known. */
  readonly measured?: MeasuredPeriod | undefined;
  /** The length of a step, if it is known. */
  readonly stepMs?: number | undefined;
  /** A sanitized text, because drawn text cannot be searched for secrets. */
  readonly sanitize: (text: string) => string;
}

export interface Chart {
  readonly svg: string;
  /** A description of the picture, in sentences. */
  readonly says: readonly string[];
  /** Notes on how it was drawn. */
  readonly notes: readonly string[];
  /** The same in characters, for a terminal of the given width. */
  inBlocks(columns: number): readonly string[];
}

const maxMetrics = 6;
const usualMetrics = 2;
const maxSeries = 7;
const maxBars = 15;
const maxTimeBars = 200;

const selectionOf = (request: ChartRequest): DataSelection => ({
  ...request,
  maxMetrics: request.kind === "heatmap" ? 1 : maxMetrics,
  usualMetrics: request.kind === "heatmap" ? 1 : usualMetrics,
  maxSeries,
  maxBars,
});

/** The period, from the start of the first value to that of the last one. */
function periodText({ series, stepMs }: TimeData, zone: string): string {
  const text = (at: number) => (stepMs >= dayMs ? dateText(zone, at) : `${dateText(zone, at)} ${clockText(zone, at)}`);
  const [first, last] = endsOf(series);
  const [from, to] = [text(first), text(last)];
  return from === to ? from : `${from} – ${to}`;
}

const metricText = (names: readonly string[], by: string | undefined): string =>
  `${names.join(", ")}${by === undefined ? "" : ` by ${by}`}`;

/** Series with few enough bars to be visible, and the period of a bar. */
function barsOf(data: TimeData, zone: string): TimeData {
  const most = (series: readonly ChartSeries[]) => Math.max(...series.map(({ points }) => points.length));
  if (most(data.series) <= maxTimeBars) return data;
  const hourly = data.stepMs < hourMs ? data.series.map((one) => bucketSeries(one, zone, "hour")) : undefined;
  if (hourly && most(hourly) <= maxTimeBars) return { series: hourly, stepMs: hourMs };
  return { series: data.series.map((one) => bucketSeries(one, zone, "day")), stepMs: dayMs };
}

interface Drawing extends Omit<Chart, "svg"> {
  readonly layout: Layout;
}

function heatOf({ series, stepMs }: TimeData, request: ChartRequest): Drawing {
  const { zone, by, title, details } = request;
  const measured = measuredPeriodOf({ series, stepMs }, zone, request.measured ?? {});
  if (by !== undefined) throw chartRefusal("by", by, "nothing together with the kind heatmap, which shows one metric");
  if (stepMs > hourMs)
    throw chartRefusal("kind", "heatmap", "rows an hour or less apart, as with the interval HOUR or FIVE_MINUTES");
  const hourly = { series: series.map((each) => bucketSeries(each, zone, "hour")), stepMs: hourMs };
  const [heatSeries] = withIncomplete(hourly, zone, measured).series;
  if (!heatSeries) throw new Error("A heat map without a series was requested.");
  const { name, unit } = heatSeries;
  const cells = heatCellsOf(heatSeries, zone);
  const subtitle = [periodText({ series, stepMs }, zone), "hour by day", zone, ...details].join(" · ");
  return {
    layout: heatLayout({ title: title ?? name, subtitle, name, unit, zone, cells }),
    says: [...seriesInWords([heatSeries], hourMs, zone), usualDay(cells, unit)],
    inBlocks: () => cellsInBlocks(cells, zone),
    notes: cells.hasTwice ? ["One hour occurred twice: its cell has the mean of both."] : [],
  };
}

function timeOf(data: TimeData, kind: "line" | "bar", metric: string, request: ChartRequest): Drawing {
  const { zone, by, title, details } = request;
  const measured = measuredPeriodOf(data, zone, request.measured ?? {});
  const drawn = withIncomplete(kind === "bar" ? barsOf(data, zone) : data, zone, measured);
  const units = axisUnits(drawn.series);
  if (units.length > 2)
    throw chartRefusal(
      "metrics",
      request.metrics?.join(",") ?? "",
      "metrics in at most two units, because there is one axis on the left and one on the right",
    );
  const usual = metricText(by === undefined ? drawn.series.map(({ name }) => name) : [metric], by);
  const unit = units[0]?.name;
  const rate = [stepText(drawn.stepMs), ...(by !== undefined && unit ? [`in ${unit}`] : [])].join(", ");
  const subtitle = [periodText(data, zone), rate, zone, ...details].join(" · ");
  const isRaised = units.some((one) => !beginsAtZero(one, drawn.series));
  return {
    layout: timeLayout({
      ...drawn,
      kind,
      title: title ?? usual,
      subtitle,
      zone,
      areParts: by !== undefined,
    }),
    says: seriesInWords(drawn.series, drawn.stepMs, zone),
    inBlocks: (columns) => seriesInBlocks(drawn, zone, columns),
    notes: [
      ...(drawn.stepMs === data.stepMs
        ? []
        : [
            `The bars are ${drawn.stepMs === dayMs ? "days" : "hours"}, because there are too many points for separate bars.`,
          ]),
      ...(isRaised ? ["The axis does not begin at zero."] : []),
    ],
  };
}

function groupedOf(groups: readonly Groups[], request: ChartRequest): Drawing {
  const { kind, by, title, details, metrics } = request;
  if (kind === "heatmap") throw chartRefusal("kind", kind, "line or bar: the rows have no column of times");
  const [first] = groups;
  if (!first) throw new Error("Bars without a metric were requested.");
  const alike = groups.filter(({ unit }) => unit === first.unit);
  if (metrics !== undefined && alike.length < groups.length)
    throw chartRefusal("metrics", metrics.join(","), "metrics of one unit if the rows have no times");
  const usual = metricText(
    alike.map(({ name }) => name),
    by,
  );
  return {
    layout: groupLayout({ title: title ?? usual, subtitle: details.join(" · "), groups: alike }),
    says: groupsInWords(alike),
    inBlocks: (columns) => groupsInBlocks(alike, columns),
    notes: kind === "line" ? ["The rows have no column of times, so there is a bar for each group."] : [],
  };
}

/** The data with every name sanitized. */
function shownData(data: ChartData, sanitize: ChartRequest["sanitize"]): ChartData {
  if ("over" in data)
    return { over: { ...data.over, series: data.over.series.map((one) => ({ ...one, name: sanitize(one.name) })) } };
  const visible = ({ group, value }: Groups["values"][number]) => ({ group: sanitize(group), value });
  return { groups: data.groups.map((one) => ({ ...one, name: sanitize(one.name), values: one.values.map(visible) })) };
}

// The font of the PNG has no others.
const drawable = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\P{L}]/u;
const isDrawable = (text: string): boolean => [...text].every((character) => drawable.test(character));

/**
 * Draws the rows in a value.
 * @throws Failure `invalid_input` if there are none, or if they do not have what was requested.
 */
export function chartOf(value: unknown, rawRequest: ChartRequest): Chart {
  const request = {
    ...rawRequest,
    title: rawRequest.title === undefined ? undefined : rawRequest.sanitize(rawRequest.title),
    details: rawRequest.details.map(rawRequest.sanitize),
  };
  const { metric, ...chartData } = chartDataOf(value, selectionOf(request));
  const data = shownData(chartData, rawRequest.sanitize);
  const { layout, says, notes, inBlocks } =
    "groups" in data
      ? groupedOf(data.groups, request)
      : request.kind === "heatmap"
        ? heatOf(data.over, request)
        : timeOf(data.over, request.kind, rawRequest.sanitize(metric), request);
  const svg = svgOf(layout);
  const isWhole = isDrawable([request.title ?? "", ...says].join(""));
  return {
    svg,
    says,
    inBlocks,
    notes: isWhole
      ? notes
      : [...notes, "The PNG's font has Latin, Greek and Cyrillic letters; other letters are only in the SVG."],
  };
}
