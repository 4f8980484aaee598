/** That nothing written in a picture lies on its data, on another text or beyond its edge, whatever is drawn. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ChartRequest } from "../../../src/answers/charts/index.js";
import { runs } from "../../lab/depth.js";
import { needsImages } from "../../lab/engines.js";
import { boxesIn, coveringIn, draw, overlapsOf, rowsFrom, textsIn } from "./drawn.js";

const hourMs = 3_600_000;
const start = "2026-10-22T00:00:00Z";

/** Holds the texts of a drawing to what every reader needs. */
function readable(svg: string): void {
  const { width, height } = textsIn(svg);
  const texts = boxesIn(svg);
  for (const { text, left, right, top, bottom } of texts)
    expect([left >= 4, right <= width - 4, top >= 0, bottom <= height], text).toEqual([true, true, true, true]);
  expect(overlapsOf(texts)).toEqual([]);
  expect(coveringIn(svg)).toEqual([]);
}

const value = fc.oneof(
  fc.constantFrom(0, 1, 99.99, 1e9, 1e25, -5),
  fc.integer({ min: 0, max: 1_000 }),
  fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000),
);
const words = fc.constantFrom(
  "edge hits",
  "W".repeat(120),
  "Zugriffe auf alle Objekte des Kontos ".repeat(3),
  "日本語の題名".repeat(15),
);
const names = ["hits", "edgeBytes", "avail_pct"];
const requests = fc.record(
  {
    kind: fc.constantFrom("line" as const, "bar" as const),
    title: words,
    by: fc.constantFrom(undefined, "place"),
    metrics: fc.subarray(names, { minLength: 1, maxLength: 2 }),
    details: fc.array(words, { maxLength: 3 }),
  },
  { requiredKeys: ["metrics"] },
);

it("leaves data, texts and edges free for any series", needsImages, () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 60 }),
      fc.constantFrom(hourMs / 12, hourMs, 24 * hourMs),
      fc.integer({ min: 1, max: 12 }),
      fc.nat({ max: 3 }),
      requests,
      (values, stepMs, groups, missing, request) => {
        const rows = rowsFrom(start, stepMs, values.length, (index) => ({
          ...Object.fromEntries(names.map((name) => [name, values[index]])),
          place: `${"a-place-of-a-very-long-name-".repeat(groups > 6 ? 3 : 1)}${index % groups}`,
        }));
        const until = Date.parse(start) + (values.length - missing / 2) * stepMs;
        const metrics = request.metrics.slice(0, request.by === undefined ? 2 : 1);
        readable(draw(rows, { ...request, metrics, measured: { until } } as Partial<ChartRequest>).svg);
      },
    ),
    { numRuns: runs(6) },
  );
});

it("leaves data, texts and edges free for any groups and any heat map", needsImages, () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 30 }), words, (values, title) => {
      const groups = values.map((hits, index) => ({ hits, place: `${title.slice(0, 60)} ${index}` }));
      readable(draw(groups, { kind: "bar", title }).svg);
      const hours = rowsFrom(start, hourMs, values.length, (index) => ({ hits: values[index] }));
      const until = Date.parse(start) + (values.length - 0.5) * hourMs;
      readable(draw(hours, { kind: "heatmap", title, measured: { until } }).svg);
    }),
    { numRuns: runs(2) },
  );
});
