/** That a step that was not measured to its end is not shown, marked or called as a fall, whatever the kind of the picture. */
import { describe, expect, it } from "vitest";
import { draw, rowsFrom, textsIn } from "./drawn.js";

const hourMs = 3_600_000;
const start = "2026-10-22T00:00:00Z";
const from = Date.parse(start);
const hours = (values: readonly number[]) =>
  rowsFrom(start, hourMs, values.length, (index) => ({ hits: values[index] }));
// The last hour is measured by half, and so is the first.
const values = [2, 9, 8, 12, 9, 3];
const halves = { from: from + hourMs / 2, until: from + 5.5 * hourMs };
const last = { until: halves.until };
const textsOf = (svg: string) => textsIn(svg).texts.map(({ text }) => text);
const dashed = /<path d="([^"]*)" fill="none" stroke="#2563eb"[^>]*stroke-dasharray="3,3"/;
const solid = /<path d="([^"]*)" fill="none" stroke="#2563eb" stroke-width="1.5" stroke-linejoin/;
const corners = (svg: string, line: RegExp) => (line.exec(svg)?.[1]?.match(/[ML]/g) ?? []).join("");

describe("in words", () => {
  it("in words, an incomplete last step is not the lowest or in the mean", () => {
    expect(draw(hours(values.slice(1)), { zone: "UTC", measured: { until: halves.until - hourMs } }).says).toEqual([
      expect.stringMatching(/total 41, mean 9\.5; highest 12 at .* 02:00\+00:00, lowest 8 at .* 01:00\+00:00\.$/),
      expect.stringMatching(/^The last step, .* 04:00\+00:00, /),
    ]);
  });

  it("an incomplete first step is treated as an incomplete last one", () => {
    const { says } = draw(hours(values), { zone: "UTC", measured: halves });
    expect(says[0]).toContain("mean 9.5; highest 12 at Thu 2026-10-22 03:00+00:00, lowest 8 at");
    expect(says[1]).toMatch(/^The first step, .* 00:00\+00:00, and the last step, .* 05:00\+00:00, /);
  });

  it("an incomplete step that is the highest is marked as so far", () => {
    const { says, svg } = draw(hours([...values.slice(0, 5), 40]), { zone: "UTC", measured: last });
    expect(says[0]).toContain("highest 40 so far at Thu 2026-10-22 05:00+00:00, lowest 2 at");
    expect(textsOf(svg)).toContain("max 40 so far · Thu 22 Oct 05:00");
  });

  it("of several steps the first one is named, and shares have no total", () => {
    const rows = rowsFrom(start, hourMs, 6, () => ({ avail_pct: 99 }));
    const { says } = draw(rows, { zone: "UTC", measured: { until: from + 3.5 * hourMs } });
    expect(says.at(-1)).toMatch(/^The last 3 steps, from .* 03:00\+00:00 on, /);
    expect(says.at(-1)).not.toContain("total");
  });

  it("nothing is said if all is complete or nothing is known", () => {
    for (const measured of [undefined, {}, { from, until: from + 6 * hourMs }])
      expect(draw(hours(values), { measured }).says).toHaveLength(1);
  });
});

describe("drawn", () => {
  it("a line ends with its last complete step, and dashes lead on", () => {
    const { svg } = draw(hours(values), { measured: last, zone: "UTC" });
    expect([corners(svg, solid), corners(svg, dashed)]).toEqual(["MLLLL", "ML"]);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(["not complete yet", "from Thu 22 Oct 05:00"]));
    const both = draw(hours(values), { measured: halves }).svg;
    expect([corners(both, solid), corners(both, dashed)]).toEqual(["MLLL", "MLML"]);
  });

  it("a complete line has no dashes, and neither has its legend", () => {
    const { svg } = draw(hours(values), { measured: { until: from + 6 * hourMs } });
    expect(svg).not.toContain("stroke-dasharray");
    expect(textsOf(svg).join()).not.toContain("not complete");
  });

  it("the lowest of shares near a hundred percent is a complete one", () => {
    const rows = rowsFrom(start, hourMs, 6, (index) => ({ avail_pct: [99.9, 99.9, 99.1, 99.9, 99.9, 97][index] }));
    expect(textsOf(draw(rows, { zone: "UTC", measured: last }).svg)).toContain("min 99.1 % · Thu 22 Oct 02:00");
  });

  it("bars are paler, also if they are stacked", () => {
    const { svg } = draw(hours(values), { kind: "bar", measured: halves });
    expect(svg.match(/fill="#2563eb" fill-opacity="0.4"/g)).toHaveLength(2);
    const parts = hours(values).flatMap((row) => ["a", "b"].map((place) => ({ ...row, place })));
    expect(draw(parts, { kind: "bar", by: "place", measured: last }).svg.match(/fill-opacity="0.4"/g)).toHaveLength(2);
  });

  it("incomplete heat map cells: no scale color, not in the usual day", () => {
    const { svg, says } = draw(hours(values), { kind: "heatmap", zone: "UTC", measured: halves });
    // The legend has the color as well.
    expect(svg.match(/fill="#d1d5db"/g)).toHaveLength(3);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(["not complete", "8", "12"]));
    expect(says.at(-1)).toMatch(/begins at 03:00 \(12\), the quietest at 02:00 \(8\)\.$/);
  });

  it("a single step can be incomplete, too, if its length is known", () => {
    const one = { stepMs: hourMs, measured: { until: from + hourMs / 2 } };
    expect(draw(hours([5]), one).says[0]).toMatch(/^hits: 1 point; total 5; highest 5 so far at [^,]*\.$/);
    expect(draw(hours([5]), { ...one, measured: { until: from + hourMs } }).says).toHaveLength(1);
  });
});

it("bars of hours or days are incomplete where rows do not fill them", () => {
  const rows = rowsFrom("2026-10-22T10:30:00Z", hourMs / 2, 500, () => ({ hits: 1 }));
  const { says } = draw(rows, { kind: "bar", zone: "UTC" });
  expect(says[0]).toMatch(/^hits: 11 points, daily; total 500, mean 48; .*lowest 48 at/);
  expect(says[1]).toMatch(/^The first step, .* 00:00\+00:00, and the last step, /);
});

it("months and the days of a clock change are complete at their own ends", () => {
  const months = ["2026-12-01", "2027-01-01", "2027-02-01"].map((day) => ({ time: `${day}T00:00:00Z`, hits: 1 }));
  const until = Date.parse("2027-03-01T00:00:00Z");
  expect(draw(months, { zone: "UTC", measured: { until } }).says).toHaveLength(1);
  expect(draw(months, { zone: "UTC", measured: { until: until - 1 } }).says).toHaveLength(2);
  const days = [24, 25].map((day) => ({ time: new Date(Date.UTC(2026, 9, day - 1, 22)).toISOString(), hits: 1 }));
  const midnight = Date.parse("2026-10-25T23:00:00Z");
  expect(draw(days, { measured: { until: midnight } }).says).toHaveLength(1);
  expect(draw(days, { measured: { until: midnight - hourMs } }).says).toHaveLength(2);
});
