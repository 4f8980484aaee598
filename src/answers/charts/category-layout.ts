/** Lays out pictures of values by category: a bar for each group, and heat maps with the hours of each day as cells. */
import type { HeatCells } from "./buckets.js";
import { figure, nameWithUnit, type Unit } from "./figures.js";
import {
  axis,
  colorAt,
  cutInMiddle,
  gray,
  type Heading,
  headingOf,
  incompleteColor,
  type Layout,
  legendOf,
  margin,
  textStyle,
  truncatedStyle,
  width,
} from "./picture.js";
import type { Groups } from "./series.js";
import { highestOf } from "./time-layout.js";
import { dayTexts, momentText } from "./times.js";

const barRoom = 22;
const nameRoom = 190;
const figureRoom = 76;

export function groupLayout(picture: Heading & { readonly groups: readonly Groups[] }): Layout {
  const { groups } = picture;
  const names = groups[0]?.values.map(({ group }) => group) ?? [];
  const { title, bottom } = headingOf(picture);
  const legend = legendOf(
    bottom,
    groups.map(({ name, unit }, index) => ({ color: colorAt(index), what: nameWithUnit(name, unit) })),
  );
  const top = legend.bottom + 8;
  return {
    height: top + names.length * Math.max(barRoom, groups.length * 14 + 8) + 36,
    option: {
      title,
      graphic: legend.graphic,
      grid: { left: margin, right: margin + figureRoom, top, bottom: 8, containLabel: true },
      xAxis: {
        ...axis,
        type: "value",
        splitNumber: 4,
        axisLine: { show: false },
        splitLine: { show: true, lineStyle: { color: gray.grid } },
        axisLabel: {
          ...textStyle(),
          hideOverlap: true,
          formatter: (value: number) => (groups[0] ? figure(value, groups[0].unit) : ""),
        },
      },
      yAxis: {
        ...axis,
        type: "category",
        inverse: true,
        data: names.map((_, index) => index),
        axisTick: { show: false },
        axisLabel: {
          ...textStyle(),
          interval: 0,
          formatter: (index: string) => cutInMiddle(names[Number(index)] ?? "", nameRoom, "12px"),
        },
      },
      series: groups.map(({ name, unit, values }, index) => ({
        name,
        type: "bar",
        itemStyle: { color: colorAt(index) },
        barMaxWidth: 16,
        data: values.map(({ value }) => value),
        label: {
          ...truncatedStyle(figureRoom, 12, "#111827"),
          show: true,
          position: "right",
          formatter: ({ value }: { readonly value: number }) => figure(value, unit),
        },
      })),
    },
  };
}

interface HeatPicture extends Heading {
  readonly name: string;
  readonly unit: Unit;
  readonly zone: string;
  readonly cells: HeatCells;
}

// From light to dark in one hue, so that the order is visible without color vision.
const shades = ["#eff6ff", "#bfdbfe", "#60a5fa", "#2563eb", "#1e3a8a"];
const hours = 24;
const rowHeight = 11;
// With few days, each has a label; wider labels may all name a month, which takes more room.
const maxDays = 9;
const maxLabels = 7;
const hourRoom = 40;
const plotWidth = width - 2 * margin - hourRoom;
/** Half of the widest label of a day, for which a column near the edge has no room. */
const halfLabel = 38;
const two = (hour: number): string => String(hour).padStart(2, "0");

export function heatLayout(picture: HeatPicture): Layout {
  const { name, unit, zone, cells: heatCells } = picture;
  const { days, cells } = heatCells;
  const places = new Map(days.map((day, index) => [day, index]));
  const complete = cells.filter(({ isIncomplete }) => !isIncomplete);
  const incomplete = cells.filter(({ isIncomplete }) => isIncomplete);
  const values = (complete.length > 0 ? complete : cells).map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const highest = highestOf(cells);
  const each = days.length > maxDays ? Math.ceil(days.length / maxLabels) : 1;
  const labels = dayTexts(zone, days, each);
  const soFar = highest?.isIncomplete ? " so far" : "";
  const said = highest ? `max ${figure(highest.value, unit)}${soFar} · ${momentText(zone, highest.at, 0)}` : "";
  const { title, bottom: headingBottom } = headingOf(picture);
  const legend = legendOf(headingBottom, [
    { color: shades.at(-1) ?? "", what: nameWithUnit(name, unit), said },
    ...(incomplete.length === 0 ? [] : [{ color: incompleteColor, what: "not complete" }]),
  ]);
  const top = legend.bottom + 8;
  const cellOf = ({ day, hour, value, isIncomplete }: HeatCells["cells"][number]) => ({
    value: [places.get(day) ?? 0, hour, value],
    ...(isIncomplete ? { visualMap: false, itemStyle: { color: incompleteColor } } : {}),
  });
  const bottom = 62;
  return {
    height: top + hours * rowHeight + bottom,
    option: {
      title,
      graphic: legend.graphic,
      grid: { left: margin + hourRoom, right: margin, top, height: hours * rowHeight },
      xAxis: {
        ...axis,
        type: "category",
        data: days.map((_, index) => index),
        axisTick: { show: false },
        // Every n-th day has a label, centered below its column.
        axisLabel: {
          ...textStyle(),
          interval: (index: number) =>
            index % each === 0 && (days.length - index - 0.5) * (plotWidth / days.length) > halfLabel - margin,
          formatter: (index: string) => labels[Number(index)] ?? "",
        },
      },
      yAxis: {
        ...axis,
        type: "category",
        inverse: true,
        data: Array.from({ length: hours }, (_, hour) => hour),
        axisTick: { show: false },
        axisLabel: {
          ...textStyle(),
          interval: (hour: number) => hour % 3 === 0,
          formatter: (hour: string) => `${two(Number(hour))}:00`,
        },
      },
      visualMap: {
        type: "continuous",
        min: low,
        max: Math.max(high, low + Number.MIN_VALUE),
        calculable: false,
        orient: "horizontal",
        left: margin,
        bottom: 8,
        itemWidth: 10,
        itemHeight: 180,
        padding: 0,
        text: [figure(high, unit), figure(low, unit)],
        textStyle: textStyle(),
        inRange: { color: shades },
      },
      series: [
        {
          name,
          type: "heatmap",
          itemStyle: { borderColor: "#ffffff", borderWidth: days.length > 31 ? 0 : 1 },
          data: cells.map(cellOf),
        },
        // Drawn again above its neighbors, which would hide its frame.
        {
          name: "highest",
          type: "heatmap",
          itemStyle: { borderColor: "#f59e0b", borderWidth: 2.5 },
          data: highest ? [cellOf(highest)] : [],
        },
      ],
    },
  };
}
