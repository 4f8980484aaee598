/** Lays out a picture of values over time, as lines or bars. */
import { completeOf, incompleteIn } from "./buckets.js";
import { figure, nameWithUnit, type Unit } from "./figures.js";
import {
  axis,
  colorAt,
  dashes,
  gray,
  type Heading,
  headingOf,
  incompleteColor,
  type Layout,
  type LegendRow,
  legendOf,
  margin,
  pale,
  restColor,
  textStyle,
  width,
} from "./picture.js";
import { type ChartSeries, endsOf, type Point } from "./series.js";
import { momentText, ticksOf } from "./times.js";

interface TimePicture extends Heading {
  readonly kind: "line" | "bar";
  readonly series: readonly ChartSeries[];
  readonly stepMs: number;
  readonly zone: string;
  /** Whether the series are parts of one whole, so that their bars are stacked. */
  readonly areParts: boolean;
}

/** Finds the most extreme value, the first of equal ones. */
const extremeBy =
  (isMore: (value: number, than: number) => boolean) =>
  <Valued extends { readonly value: number }>(all: readonly Valued[]): Valued | undefined =>
    all.reduce<Valued | undefined>((most, one) => (most && !isMore(one.value, most.value) ? most : one), undefined);
export const highestOf = extremeBy((value, than) => value > than);
export const lowestOf = extremeBy((value, than) => value < than);

const colorOf = (series: ChartSeries, index: number): string => (series.isRest ? restColor : colorAt(index));

const plotHeight = 236;
const maxTicks = 8;

/** The units of the series, one axis each, in order. */
export const axisUnits = (series: readonly ChartSeries[]): readonly Unit[] => [
  ...new Set(series.map(({ unit }) => unit)),
];

/**
 * The points of one of the two lines of a series: that of its complete steps, or that to and from its incomplete ones.
 * There is a gap where points are missing, and a symbol on a point between two gaps.
 */
function drawn(points: readonly Point[], stepMs: number, ofComplete: boolean) {
  const isOfLine = ({ isIncomplete = false }: Point): boolean => isIncomplete !== ofComplete;
  const isNext = (before: Point | undefined, after: Point | undefined): boolean =>
    before !== undefined && after !== undefined && after.at - before.at < 1.75 * stepMs;
  const areJoined = (before: Point | undefined, after: Point | undefined): boolean =>
    before !== undefined &&
    after !== undefined &&
    isNext(before, after) &&
    (ofComplete ? isOfLine(before) && isOfLine(after) : isOfLine(before) || isOfLine(after));
  return points.flatMap((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    const [follows, isFollowed] = [areJoined(before, point), areJoined(point, after)];
    const value = [point.at, point.value];
    const gap = { value: [point.at - stepMs, null] };
    if (follows || isFollowed) return follows ? [{ value }] : [gap, { value }];
    const isAlone = isOfLine(point) && !isNext(before, point) && !isNext(point, after);
    return isAlone ? [gap, { value, symbol: ofComplete ? "circle" : "emptyCircle", symbolSize: 4 }] : [];
  });
}

/** Shares near a hundred percent would be a flat line on an axis that begins at zero. */
export const beginsAtZero = (unit: Unit, series: readonly ChartSeries[]): boolean =>
  unit.isSummed ||
  unit.name !== "%" ||
  series.some((one) => one.unit === unit && one.points.some(({ value }) => value < 50));

/** The marked point: the highest or, for shares near a hundred percent, the lowest, which is the problem. */
const markedOf = (one: ChartSeries, series: readonly ChartSeries[]): Point | undefined =>
  beginsAtZero(one.unit, series) ? highestOf(one.points) : lowestOf(completeOf(one.points));

function markedText(chartSeries: ChartSeries, { series, zone, stepMs }: TimePicture): string {
  const marked = markedOf(chartSeries, series);
  if (marked === undefined) return chartSeries.points.length === 0 ? "no values" : "";
  const which = beginsAtZero(chartSeries.unit, series) ? "max" : "min";
  const soFar = marked.isIncomplete ? " so far" : "";
  return `${which} ${figure(marked.value, chartSeries.unit)}${soFar} · ${momentText(zone, marked.at, stepMs)}`;
}

/** The legend for incomplete steps; none if there are none. */
function incompleteRow({ kind, series, zone, stepMs }: TimePicture): LegendRow[] {
  const { first, last } = incompleteIn(series);
  if (first.length + last.length === 0) return [];
  const moment = (at: number | undefined) => (at === undefined ? [] : [momentText(zone, at, stepMs)]);
  const said = [...moment(first.at(0)), ...moment(last.at(0)).map((text) => `from ${text}`)].join(" · ");
  const color = kind === "line" ? {} : { color: incompleteColor };
  return [{ ...color, what: first.length === 0 ? "not complete yet" : "not complete", said }];
}

export function timeLayout(picture: TimePicture): Layout {
  const { kind, series, stepMs, zone } = picture;
  const [from, last] = endsOf(series);
  // A bar spans its whole period.
  const to = last + (kind === "bar" ? stepMs : 0);
  const ticks = ticksOf(zone, from, to, maxTicks);
  const at = ticks.map((tick) => tick.at);
  const texts = new Map(ticks.map((tick) => [tick.at, tick.text]));
  const units = axisUnits(series);
  const { title, bottom } = headingOf(picture);
  const legend = legendOf(bottom, [
    ...series.map((chartSeries, index) => ({
      color: colorOf(chartSeries, index),
      what: nameWithUnit(chartSeries.name, chartSeries.unit),
      said: markedText(chartSeries, picture),
    })),
    ...incompleteRow(picture),
  ]);
  const top = legend.bottom + 14;
  return {
    height: top + plotHeight,
    option: {
      title,
      graphic: legend.graphic,
      // Half of the last tick's label extends beyond the plot; a second axis has room for it.
      grid: { left: margin, right: units.length > 1 ? margin : 2 * margin, top, bottom: 12, containLabel: true },
      xAxis: {
        ...axis,
        type: "time",
        min: from,
        max: Math.max(to, from + 1),
        axisTick: { ...axis.axisTick, customValues: at },
        axisLabel: {
          ...textStyle(),
          customValues: at,
          hideOverlap: true,
          // The engine measures its own ticks, which use this machine's time zone; without labels it leaves no room.
          formatter: (value: number) => texts.get(value) ?? " ",
        },
      },
      yAxis: units.map((unit, index) => {
        const unitSeries = series.filter((chartSeries) => chartSeries.unit === unit);
        const color =
          units.length > 1 && unitSeries.length === 1
            ? colorAt(series.findIndex((chartSeries) => chartSeries.unit === unit))
            : "#374151";
        return {
          ...axis,
          type: "value",
          position: index === 0 ? "left" : "right",
          scale: !beginsAtZero(unit, series),
          alignTicks: index > 0,
          splitLine: { show: index === 0, lineStyle: { color: gray.grid } },
          axisLabel: { ...textStyle(12, color), formatter: (value: number) => figure(value, unit) },
        };
      }),
      series: series.flatMap((chartSeries, index) =>
        seriesOptions(chartSeries, colorOf(chartSeries, index), picture, { units, width: barWidth(from, to, picture) }),
      ),
    },
  };
}

/** The engine's input for a series: its bars, or its line and the dashes to and from its incomplete steps. */
function seriesOptions(
  chartSeries: ChartSeries,
  color: string,
  { kind, series, stepMs, areParts }: TimePicture,
  { units, width }: { readonly units: readonly Unit[]; readonly width: number },
): readonly object[] {
  const shared = {
    name: chartSeries.name,
    type: kind,
    yAxisIndex: units.indexOf(chartSeries.unit),
    itemStyle: { color },
  };
  const middle = kind === "bar" ? stepMs / 2 : 0;
  const marked = markedOf(chartSeries, series);
  const mark =
    marked && (kind === "line" || series.length === 1)
      ? {
          markPoint: {
            symbol: "circle",
            symbolSize: 8,
            itemStyle: { color: "#ffffff", borderColor: color, borderWidth: 2.5 },
            label: { show: false },
            data: [{ coord: [marked.at + middle, marked.value] }],
          },
        }
      : {};
  if (kind === "bar") {
    const data = chartSeries.points.map(({ at, value, isIncomplete }) => ({
      value: [at + middle, value],
      ...(isIncomplete ? { itemStyle: { opacity: pale } } : {}),
    }));
    return [{ ...shared, ...mark, ...(areParts ? { stack: "all" } : {}), barWidth: width, data }];
  }
  const line = (ofComplete: boolean) => ({
    ...shared,
    showSymbol: true,
    symbol: "none",
    lineStyle: { width: 1.5, color, ...(ofComplete ? {} : { type: dashes }) },
    sampling: "minmax",
    data: drawn(chartSeries.points, stepMs, ofComplete),
  });
  const hasIncomplete = chartSeries.points.some(({ isIncomplete }) => isIncomplete);
  // The dashes come first, so that the mark of the highest value is above them.
  return [...(hasIncomplete ? [line(false)] : []), { ...line(true), ...mark }];
}

/** The width of a bar: its period's share of the plot, less a gap if there is room for one. */
function barWidth(from: number, to: number, { series, stepMs, areParts }: TimePicture): number {
  const related = areParts ? 1 : series.length;
  const room = ((width - 2 * margin - 60) * stepMs) / Math.max(stepMs, to - from) / related;
  return Math.max(1, Math.min(48, room > 4 ? room - 2 : room * 0.8));
}
