/** What all pictures share: their measures, fonts and colors, and the lines at their top. */

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
const textRoom = 0.95 * (width - 2 * margin);
export const headingBottom = 58;

/** The title and the line below it. */
export const headingOf = ({ title, subtitle }: Heading) => ({
  text: title,
  subtext: subtitle,
  left: margin,
  top: titleTop,
  padding: 0,
  itemGap: 6,
  textStyle: { ...within(textRoom, 16, "#111827"), fontWeight: 600 as const },
  subtextStyle: within(textRoom, 12, "#4b5563"),
});

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

export const legendLine = 18;
const figureRoom = 230;
const boxRoom = 16;

/** A line above the plot: a color, what it stands for, and at the right a figure of it. */
export function legendRow(y: number, color: string, what: string, said: string) {
  const style = (room: number) => ({ ...within(room), ellipsis: "…", fill: "#111827", font: `12px ${family}` });
  return [
    { type: "rect", x: margin, y: y + 1, shape: { width: 10, height: 10, r: 2 }, style: { fill: color } },
    {
      type: "text",
      x: margin + boxRoom,
      y,
      style: { ...style(width - 2 * margin - boxRoom - figureRoom - 10), text: what },
    },
    { type: "text", x: width - margin, y, style: { ...style(figureRoom), text: said, textAlign: "right" } },
  ];
}
