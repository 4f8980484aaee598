/** What all pictures share: their measures, fonts and colors, and the lines at their top. */
import { cutInMiddle, linesOf, textWidth } from "./text-width.js";

/** The width that a picture is laid out for; it is drawn in twice as many pixels. */
export const width = 600;
export const margin = 20;
export const font = "Inter";

/** What an SVG asks for: who sees it without the font has a face without serifs, and not the reader's usual one. */
const family = `${font}, sans-serif`;

/** Every text names the font, because an axis without it falls back to a face that is not there. */
export const text = (size = 12, color = "#374151") => ({ fontFamily: family, fontSize: size, color });
/** A text that ends with an ellipsis where it has no room. */
export const within = (room: number, size?: number, color?: string) => ({
  ...text(size, color),
  width: room,
  overflow: "truncate" as const,
});

// Told apart by people who do not see all colors, too.
/** Of what is not told apart. */
export const restColor = "#6b7280";
const colors = ["#2563eb", "#d97706", "#059669", "#db2777", "#7c3aed", "#0891b2", "#65a30d", "#b91c1c", "#6b7280"];
export const colorAt = (index: number): string => colors[index % colors.length] ?? restColor;

export const gray = { line: "#9ca3af", grid: "#e5e7eb" };

/** What stands at the top of a picture. */
export interface Heading {
  readonly title: string;
  /** The period, the interval, the zone, the objects. */
  readonly subtitle: string;
}

const titleTop = 12;
// Widths are known to a few percent only.
const surely = 0.95;
const textRoom = surely * (width - 2 * margin);
const maxTitleLines = 3;
const maxSubtitleLines = 2;
const titleLine = 20;
const subtitleLine = 16;
const headingGap = 6;
const legendGap = 10;

/** The title and the lines below it, and where what follows begins. */
export function headingOf({ title, subtitle }: Heading) {
  const titles = linesOf(title, textRoom, "600 16px", maxTitleLines);
  const subtitles = linesOf(subtitle, textRoom, "12px", maxSubtitleLines);
  return {
    bottom: titleTop + titles.length * titleLine + headingGap + subtitles.length * subtitleLine + legendGap,
    title: {
      text: titles.join("\n"),
      subtext: subtitles.join("\n"),
      left: margin,
      top: titleTop,
      padding: 0,
      itemGap: headingGap,
      textStyle: { ...text(16, "#111827"), fontWeight: 600 as const, lineHeight: titleLine },
      subtextStyle: { ...text(12, "#4b5563"), lineHeight: subtitleLine },
    },
  };
}

/** An axis whose texts and lines look like those of every other. */
export const axis = {
  axisLabel: text(),
  nameTextStyle: text(),
  axisLine: { show: true, lineStyle: { color: gray.line } },
  axisTick: { show: true, lineStyle: { color: gray.line } },
  splitLine: { show: false },
};

/** A finished layout: what the engine is given, and how high the picture is. */
export interface Layout {
  readonly height: number;
  readonly option: import("echarts/core").EChartsCoreOption;
}

const legendLine = 18;
const boxRoom = 16;
const figureGap = 12;

// Steps that were not measured to their end: a line to them is dashed, a bar is paler, and a cell has no color of the scale.
export const dashes = [3, 3];
export const pale = 0.4;
/** The color of such a cell, and in the legend that of the paler bars. */
export const incompleteColor = "#d1d5db";
const dashed = (y: number) => ({
  type: "line",
  x: margin,
  y: y + 6,
  shape: { x1: 0, y1: 0, x2: 12, y2: 0 },
  style: { stroke: restColor, lineWidth: 1.5, lineDash: dashes },
});

/** A line above the plot. Figures are there because in the plot they would cover what is drawn. */
export interface LegendRow {
  /** Left out for dashes in no series' color. */
  readonly color?: string;
  readonly what: string;
  /** A figure of it, at the right. */
  readonly said?: string;
}

function legendRow(y: number, { color, what, said = "" }: LegendRow) {
  const style = { ...text(), fill: "#111827", font: `12px ${family}` };
  const left = margin + boxRoom;
  const room = surely * (width - margin - left) - textWidth(said, "12px") - figureGap;
  return [
    color === undefined
      ? dashed(y)
      : { type: "rect", x: margin, y: y + 1, shape: { width: 10, height: 10, r: 2 }, style: { fill: color } },
    { type: "text", x: left, y, style: { ...style, text: cutInMiddle(what, room, "12px") } },
    { type: "text", x: width - margin, y, style: { ...style, text: said, textAlign: "right" } },
  ];
}

/** The lines above the plot, each below the one before, and where what follows begins. */
export const legendOf = (top: number, rows: readonly LegendRow[]) => ({
  bottom: top + rows.length * legendLine,
  graphic: rows.flatMap((row, index) => legendRow(top + index * legendLine, row)),
});
