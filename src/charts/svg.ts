/** Draws a layout as SVG, without a browser; equal layouts give equal bytes. */
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
import { type Layout, text, width } from "./picture.js";
import { textWidth } from "./text-width.js";

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

// Without a browser the engine guesses widths, and by another font.
setPlatformAPI({ measureText: (written, style) => ({ width: textWidth(written, style ?? "") }) });

/**
 * The drawing without what changes under a pointer, which no image has, and without the number that the engine gives each
 * chart in its ids. A text cannot be mistaken for markup: its angle brackets and quotes are escaped.
 */
const still = (svg: string): string =>
  svg
    .replaceAll(/<style[\s\S]*?<\/style>\s*/g, "")
    .replaceAll(/<[^<>]*>/g, (tag) =>
      tag.replaceAll(/ (class|pointer-events|ecmeta_\w+)="[^"]*"/g, "").replaceAll(/\bzr\d+-/g, "zr-"),
    );

/** Draws a layout. */
export function svgOf({ option, height }: Layout): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption({ animation: false, backgroundColor: "#ffffff", textStyle: text(), ...option });
    return still(chart.renderToSVGString());
  } finally {
    // A chart that is not disposed of keeps the process alive.
    chart.dispose();
  }
}
