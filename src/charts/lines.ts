/** Lays out a picture of values over time, as lines or as bars. */
import { figure, type Unit } from "./figures.js";
import {
  axis,
  colorAt,
  gray,
  type Heading,
  headingBottom,
  headingOf,
  type Layout,
  legendLine,
  legendRow,
  margin,
  restColor,
  text,
  width,
} from "./picture.js";
import type { Point, Series } from "./series.js";
import { momentText, ticksOf } from "./times.js";

/** What is drawn over time. */
export interface TimePicture extends Heading {
  readonly kind: "line" | "bar";
  readonly series: readonly Series[];
  readonly stepMs: number;
  readonly zone: string;
  /** Whether the series are parts of one whole, so that their bars stand on each other. */
  readonly areParts: boolean;
  /** From when on the values are not complete yet. */
  readonly incompleteFrom?: number | undefined;
}

/** The highest point of a series, the first of equal ones. */
export const highestOf = (points: readonly Point[]): Point | undefined =>
  points.reduce<Point | undefined>(
    (high, point) => (high === undefined || point.value > high.value ? point : high),
    undefined,
  );
export const lowestOf = (points: readonly Point[]): Point | undefined =>
  points.reduce<Point | undefined>(
    (low, point) => (low === undefined || point.value < low.value ? point : low),
    undefined,
  );

const colorOf = (series: Series, index: number): string => (series.isRest ? restColor : colorAt(index));

/** Behind values that are not complete yet. */
const shade = "rgba(107,114,128,0.18)";

const plotHeight = 236;
const maxTicks = 8;

/** The units of the series, one axis each, in their order. */
export const unitsOf = (series: readonly Series[]): readonly Unit[] => [...new Set(series.map(({ unit }) => unit))];

/** The points with a gap where one or more are missing, and a symbol on one that stands between two gaps. */
function drawn(points: readonly Point[], stepMs: number) {
  const isNext = (index: number): boolean => {
    const [before, after] = [points[index - 1], points[index]];
    return before !== undefined && after !== undefined && after.at - before.at < 1.75 * stepMs;
  };
  return points.flatMap(({ at, value }, index) => {
    const [follows, isFollowed] = [isNext(index), isNext(index + 1)];
    const point =
      follows || isFollowed ? { value: [at, value] } : { value: [at, value], symbol: "circle", symbolSize: 4 };
    return index === 0 || follows ? [point] : [{ value: [at - stepMs, null] }, point];
  });
}

const name = (series: Series): string =>
  series.unit.name === "" ? series.name : `${series.name} (${series.unit.name})`;

/** Shares near a hundred percent would be a flat line on an axis that begins with zero. */
export const beginsAtZero = (unit: Unit, series: readonly Series[]): boolean =>
  unit.isSummed ||
  unit.name !== "%" ||
  series.some((one) => one.unit === unit && one.points.some(({ value }) => value < 50));

/** The point that is marked: the highest, or of shares near a hundred percent the lowest, which is what went wrong. */
const markedOf = (one: Series, series: readonly Series[]): Point | undefined =>
  beginsAtZero(one.unit, series) ? highestOf(one.points) : lowestOf(one.points);

/** The marked value with its time: beside its dot where a series is alone, above the plot where several would meet. */
function legendText(one: Series, { series, zone, stepMs }: TimePicture): string {
  const marked = markedOf(one, series);
  const which = beginsAtZero(one.unit, series) ? "max" : "min";
  return marked ? `${which} ${figure(marked.value, one.unit)} · ${momentText(zone, marked.at, stepMs)}` : "no values";
}

/** Lays out values over time. */
export function timeLayout(picture: TimePicture): Layout {
  const { kind, series, stepMs, zone, incompleteFrom } = picture;
  const times = series.flatMap(({ points }) => [points[0], points.at(-1)].flatMap((point) => point?.at ?? []));
  // A bar stands over the whole time that it is for.
  const [from, to] = [Math.min(...times), Math.max(...times) + (kind === "bar" ? stepMs : 0)];
  const ticks = ticksOf(zone, from, to, maxTicks);
  const at = ticks.map((tick) => tick.at);
  const texts = new Map(ticks.map((tick) => [tick.at, tick.text]));
  const units = unitsOf(series);
  const isIncomplete = incompleteFrom !== undefined && incompleteFrom < to;
  const lines = series.length + (isIncomplete ? 1 : 0);
  const top = headingBottom + lines * legendLine + 14;
  const middle = kind === "bar" ? stepMs / 2 : 0;
  const only = series.length === 1;
  const legend = series.flatMap((one, index) =>
    legendRow(headingBottom + index * legendLine, colorOf(one, index), name(one), only ? "" : legendText(one, picture)),
  );
  const shaded = isIncomplete
    ? legendRow(
        headingBottom + series.length * legendLine,
        shade,
        "not complete yet",
        `from ${momentText(zone, incompleteFrom, 0)}`,
      )
    : [];
  return {
    height: top + plotHeight,
    option: {
      title: headingOf(picture),
      graphic: [...legend, ...shaded],
      // Half of the last tick's label stands beyond the plot; a second axis has room for it.
      grid: { left: margin, right: units.length > 1 ? margin : 2 * margin, top, bottom: 12, containLabel: true },
      xAxis: {
        ...axis,
        type: "time",
        min: from,
        max: Math.max(to, from + 1),
        axisTick: { ...axis.axisTick, customValues: at },
        axisLabel: {
          ...text(),
          customValues: at,
          hideOverlap: true,
          // The engine measures its own ticks, which stand by this machine's zone; where they say nothing it leaves no room.
          formatter: (value: number) => texts.get(value) ?? " ",
        },
      },
      yAxis: units.map((unit, index) => {
        const own = series.filter((one) => one.unit === unit);
        const color =
          units.length > 1 && own.length === 1 ? colorAt(series.findIndex((one) => one.unit === unit)) : "#374151";
        return {
          ...axis,
          type: "value",
          position: index === 0 ? "left" : "right",
          scale: !beginsAtZero(unit, series),
          alignTicks: index > 0,
          splitLine: { show: index === 0, lineStyle: { color: gray.grid } },
          axisLabel: { ...text(12, color), formatter: (value: number) => figure(value, unit) },
        };
      }),
      series: series.map((one, index) => {
        const color = colorOf(one, index);
        const marked = markedOf(one, series);
        const share = marked ? (marked.at - from) / Math.max(1, to - from) : 0;
        return {
          name: one.name,
          type: kind,
          yAxisIndex: units.indexOf(one.unit),
          itemStyle: { color },
          ...(kind === "line"
            ? {
                showSymbol: true,
                symbol: "none",
                lineStyle: { width: 1.5, color },
                sampling: "minmax",
                data: drawn(one.points, stepMs),
              }
            : {
                ...(picture.areParts ? { stack: "all" } : {}),
                barWidth: barWidth(from, to, stepMs, picture.areParts ? 1 : series.length),
                data: one.points.map((point) => [point.at + middle, point.value]),
              }),
          ...(marked && (kind === "line" || only)
            ? {
                markPoint: {
                  symbol: "circle",
                  symbolSize: 8,
                  itemStyle: { color: "#ffffff", borderColor: color, borderWidth: 2.5 },
                  label: {
                    ...text(12, "#111827"),
                    show: only,
                    position: share < 0.5 ? "right" : "left",
                    formatter: legendText(one, picture),
                    backgroundColor: "rgba(255,255,255,0.85)",
                    padding: [2, 4],
                  },
                  data: [{ coord: [marked.at + middle, marked.value] }],
                },
              }
            : {}),
          ...(index === 0 && isIncomplete
            ? {
                markArea: {
                  itemStyle: { color: shade },
                  data: [[{ xAxis: Math.max(from, incompleteFrom) }, { xAxis: to }]],
                },
              }
            : {}),
        };
      }),
    },
  };
}

/** The width of a bar: its time's share of the plot, less a gap where there is room for one. */
function barWidth(from: number, to: number, stepMs: number, beside: number): number {
  const room = ((width - 2 * margin - 60) * stepMs) / Math.max(stepMs, to - from) / beside;
  return Math.max(1, Math.min(48, room > 4 ? room - 2 : room * 0.8));
}
