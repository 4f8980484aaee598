/** Lays out a picture of a value for each group, as bars that lie below each other so that long names can be read. */
import { figure, nameWithUnit } from "./figures.js";
import {
  axis,
  colorAt,
  gray,
  type Heading,
  headingOf,
  type Layout,
  legendOf,
  margin,
  text,
  within,
} from "./picture.js";
import type { Groups } from "./series.js";
import { cutInMiddle } from "./text-width.js";

/** What is drawn by group; all in one unit. */
export interface GroupPicture extends Heading {
  readonly groups: readonly Groups[];
}

const barRoom = 22;
const nameRoom = 190;
const figureRoom = 76;

/** Lays out values by group. */
export function groupLayout(picture: GroupPicture): Layout {
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
          ...text(),
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
          ...text(),
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
          ...within(figureRoom, 12, "#111827"),
          show: true,
          position: "right",
          formatter: ({ value }: { readonly value: number }) => figure(value, unit),
        },
      })),
    },
  };
}
