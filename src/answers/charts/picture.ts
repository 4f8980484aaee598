/** Common parts of all pictures: dimensions, fonts, colors, truncated texts, and the header. */

// Measured in the font: character widths relative to its size, in groups of about equal ones.
const groups: readonly (readonly [characters: string, em: number])[] = [
  [" ijlI!,.:·';`\\", 0.29],
  ["ft|()/[]r1{}", 0.38],
  ['-_"^–', 0.48],
  ["acekLJsvxyz?7F", 0.57],
  ["mwMW@%…", 0.95],
  ["CDGHNOQUAV", 0.74],
];
const known = new Map(groups.flatMap(([characters, em]) => [...characters].map((one) => [one, em] as const)));
const usual = 0.63;
const beyondLatin = 0.85;
const ideographic = 1.05;
const boldFactor = 1.05;

function emOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return known.get(character) ?? (code < 0x250 ? usual : code < 0x2e80 ? beyondLatin : ideographic);
}

/** The width of a text; `fontStyle` is a CSS font, of which the size and the weight are used. */
export function textWidth(text: string, fontStyle: string): number {
  const size = Number(/(?<![\d.])([\d.]+)px/.exec(fontStyle)?.[1] ?? 12);
  let em = 0;
  for (const character of text) em += emOf(character);
  return em * size * (/\b(bold|600)\b/.test(fontStyle) ? boldFactor : 1);
}

const fits = (written: string, room: number, fontStyle: string): boolean => textWidth(written, fontStyle) <= room;

/** A text that is truncated in the middle, because similar names usually differ at their ends. */
export function cutInMiddle(text: string, room: number, fontStyle: string): string {
  if (fits(text, room, fontStyle)) return text;
  const characters = [...text];
  const cutTo = (count: number): string =>
    `${characters.slice(0, Math.ceil(count / 2)).join("")}…${characters.slice(characters.length - Math.floor(count / 2)).join("")}`;
  let count = characters.length - 1;
  while (count > 0 && !fits(cutTo(count), room, fontStyle)) count -= 1;
  return cutTo(count);
}

/** A text that is truncated at the end with an ellipsis. */
function cutAtEnd(text: string, room: number, fontStyle: string): string {
  if (fits(text, room, fontStyle)) return text;
  const characters = [...text];
  while (characters.length > 0 && !fits(`${characters.join("").trimEnd()}…`, room, fontStyle)) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}

/** How much of a text fits on a line: up to the end of a word, or a part of a word that is too long. */
function lineEnd(characters: readonly string[], room: number, fontStyle: string): number {
  let end = 0;
  while (
    end < characters.length &&
    fits(
      characters
        .slice(0, end + 1)
        .join("")
        .trimEnd(),
      room,
      fontStyle,
    )
  )
    end += 1;
  if (end === characters.length) return end;
  const space = characters.slice(0, end + 1).lastIndexOf(" ");
  return space > 0 ? space + 1 : Math.max(1, end);
}

/** A text wrapped into lines; the last line ends with an ellipsis if the text does not fit. */
function linesOf(text: string, room: number, fontStyle: string, max: number): string[] {
  const lines: string[] = [];
  let rest = [...text];
  while (lines.length < max - 1 && !fits(rest.join(""), room, fontStyle)) {
    const end = lineEnd(rest, room, fontStyle);
    lines.push(rest.slice(0, end).join("").trimEnd());
    rest = rest.slice(end);
  }
  return [...lines, cutAtEnd(rest.join(""), room, fontStyle)].filter((line) => line !== "");
}

/** The width of the layout; it is drawn in twice as many pixels. */
export const width = 600;
export const margin = 20;
export const font = "Inter";

/** The font of the SVG, with a sans-serif fallback. */
const family = `${font}, sans-serif`;

/** Every text names the font, because an axis without it falls back to a missing font. */
export const textStyle = (size = 12, color = "#374151") => ({ fontFamily: family, fontSize: size, color });
/** A text that ends with an ellipsis if it does not fit. */
export const truncatedStyle = (room: number, size?: number, color?: string) => ({
  ...textStyle(size, color),
  width: room,
  overflow: "truncate" as const,
});

// Distinguishable with color vision deficiencies, too.
/** The color of an undistinguished series. */
export const restColor = "#6b7280";
const colors = ["#2563eb", "#d97706", "#059669", "#db2777", "#7c3aed", "#0891b2", "#65a30d", "#b91c1c", "#6b7280"];
export const colorAt = (index: number): string => colors[index % colors.length] ?? restColor;

export const gray = { line: "#9ca3af", grid: "#e5e7eb" };

/** The header of a picture. */
export interface Heading {
  readonly title: string;
  /** The period, the interval, the zone, the objects. */
  readonly subtitle: string;
}

const titleTop = 12;
// Widths are known only to a few percent.
const surely = 0.95;
const textRoom = surely * (width - 2 * margin);
const maxTitleLines = 3;
const maxSubtitleLines = 2;
const titleLine = 20;
const subtitleLine = 16;
const headingGap = 6;
const legendGap = 10;

/** The title and the lines below it, and where the plot begins. */
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
      textStyle: { ...textStyle(16, "#111827"), fontWeight: 600 as const, lineHeight: titleLine },
      subtextStyle: { ...textStyle(12, "#4b5563"), lineHeight: subtitleLine },
    },
  };
}

/** An axis in the common style. */
export const axis = {
  axisLabel: textStyle(),
  nameTextStyle: textStyle(),
  axisLine: { show: true, lineStyle: { color: gray.line } },
  axisTick: { show: true, lineStyle: { color: gray.line } },
  splitLine: { show: false },
};

/** A finished layout: the engine's input, and the height of the picture. */
export interface Layout {
  readonly height: number;
  readonly option: import("echarts/core").EChartsCoreOption;
}

const legendLine = 18;
const boxRoom = 16;
const figureGap = 12;

// Incomplete steps: a line to them is dashed, a bar is paler, and a cell has no color of the scale.
export const dashes = [3, 3];
export const pale = 0.4;
/** The color of such a cell and, in the legend, of the paler bars. */
export const incompleteColor = "#d1d5db";
const dashed = (y: number) => ({
  type: "line",
  x: margin,
  y: y + 6,
  shape: { x1: 0, y1: 0, x2: 12, y2: 0 },
  style: { stroke: restColor, lineWidth: 1.5, lineDash: dashes },
});

/** A legend line above the plot. Figures are here because they would cover the plot. */
export interface LegendRow {
  /** Absent for dashes without a series' color. */
  readonly color?: string;
  readonly what: string;
  /** Its figure, on the right. */
  readonly said?: string;
}

function legendRow(y: number, { color, what, said = "" }: LegendRow) {
  const style = { ...textStyle(), fill: "#111827", font: `12px ${family}` };
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

/** The legend above the plot, and where the plot begins. */
export const legendOf = (top: number, rows: readonly LegendRow[]) => ({
  bottom: top + rows.length * legendLine,
  graphic: rows.flatMap((row, index) => legendRow(top + index * legendLine, row)),
});
