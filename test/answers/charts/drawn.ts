/** Charts of made-up rows, and what is in their drawings: texts with the place that they take, and what they are set in. */
import { type Chart, type ChartRequest, chartOf } from "../../../src/answers/charts/index.js";
import { fontPaths } from "../../../src/answers/charts/png.js";
import { imageEngine } from "../../lab/engines.js";

export const draw = (value: unknown, request: Partial<ChartRequest> = {}): Chart =>
  chartOf(value, {
    kind: "line",
    zone: "Europe/Berlin",
    details: [],
    declared: () => undefined,
    sanitize: (text) => text,
    ...request,
  });

/** Rows at equal distances, with the values that are given by their place. */
export const rowsFrom = (start: string, stepMs: number, count: number, cellsOf: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => ({
    time: new Date(Date.parse(start) + index * stepMs).toISOString(),
    ...cellsOf(index),
  }));

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** The texts of a drawing. */
export function textsIn(svg: string) {
  const [, width = "", height = ""] = /<svg width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const texts = [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].map(([element, attributes = "", text = ""]) => ({
    text: unescaped(text),
    attributes,
    element,
  }));
  return { width: Number(width), height: Number(height), texts };
}

/** The texts of a drawing with the pixels that their letters take, as the engine that makes the PNG measures them. */
export function boxesIn(svg: string) {
  const { width, height, texts } = textsIn(svg);
  const font = { loadSystemFonts: false, fontFiles: fontPaths() };
  return texts.map(({ text, element }) => {
    const alone = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${element}</svg>`;
    const box = new imageEngine.Resvg(alone, { font }).getBBox();
    return {
      text,
      left: box?.x ?? 0,
      right: (box?.x ?? 0) + (box?.width ?? 0),
      top: box?.y ?? 0,
      bottom: (box?.y ?? 0) + (box?.height ?? 0),
    };
  });
}

type Boxes = ReturnType<typeof boxesIn>;

/** The pairs of texts that lie on each other. */
export const overlapsOf = (texts: Boxes): string[] =>
  texts.flatMap((a, index) =>
    texts
      .slice(index + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.text} / ${b.text}`),
  );

/** The texts of a drawing in whose boxes something of its data is, by the pixels of what is neither text, axis nor grid. */
export function coveringIn(svg: string): string[] {
  const data = svg
    .replaceAll(/<text[^>]*>[^<]*<\/text>/g, "")
    .replace(/(<rect [^>]*)fill="#ffffff"/, '$1fill="none"')
    .replaceAll(/stroke="#(9ca3af|e5e7eb)"/g, 'stroke="none"');
  const { pixels, width, height } = new imageEngine.Resvg(data).render();
  const isDrawn = (x: number, y: number): boolean => (pixels[4 * (y * width + x) + 3] ?? 0) > 0;
  return boxesIn(svg).flatMap(({ text, left, right, top, bottom }) => {
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y += 1)
      for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, right); x += 1) if (isDrawn(x, y)) return [text];
    return [];
  });
}
