/** Charts of made-up rows, and what is in their drawings: texts with the place that they take, and what they are set in. */
import { createRequire } from "node:module";
import { fontPaths } from "../../src/charts/fonts.js";
import { type Chart, chartOf, type Request } from "../../src/charts/index.js";

const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js") as typeof import("@resvg/resvg-js");

export const draw = (value: unknown, request: Partial<Request> = {}): Chart =>
  chartOf(value, {
    kind: "line",
    zone: "Europe/Berlin",
    details: [],
    declared: () => undefined,
    shown: (text) => text,
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

/** The texts of a drawing, each with the pixels that its letters take, as the engine that makes the PNG measures them. */
export function textsIn(svg: string) {
  const [, width = "", height = ""] = /<svg width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const font = { loadSystemFonts: false, fontFiles: fontPaths() };
  const texts = [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].map(([element, attributes = "", text = ""]) => {
    const alone = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${element}</svg>`;
    const box = new Resvg(alone, { font }).getBBox();
    return {
      text: unescaped(text),
      attributes,
      left: box?.x ?? 0,
      right: (box?.x ?? 0) + (box?.width ?? 0),
      top: box?.y ?? 0,
      bottom: (box?.y ?? 0) + (box?.height ?? 0),
    };
  });
  return { width: Number(width), height: Number(height), texts };
}
