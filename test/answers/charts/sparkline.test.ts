/** Pictures in characters: within the columns that there are, no peak lost, and nothing that is not complete drawn as a fall. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChartRequest } from "../../../src/answers/charts/index.js";
import { runs } from "../../lab/depth.js";
import { draw, rowsFrom } from "./drawn.js";

const hourMs = 3_600_000;
const start = "2026-10-22T00:00:00Z";
const hours = (values: readonly (number | "")[], name = "hits") =>
  rowsFrom(start, hourMs, values.length, (index) => ({ [name]: values[index] }));
const inBlocks = (rows: unknown, columns: number, request: Partial<ChartRequest> = {}) =>
  draw(rows, { zone: "UTC", ...request }).inBlocks(columns);
const blocksIn = (lines: readonly string[]) => lines.find((line) => /^[▁▂▃▄▅▆▇█]+$/.test(line));
const until = (count: number) => ({ measured: { until: Date.parse(start) + count * hourMs } });

describe("a series", () => {
  it("a series is a line of blocks between its extremes and its times", () => {
    expect(inBlocks(hours([1, 2, 4, 8, 7, 5, 3, 8, 1]), 80, until(8.5))).toEqual([
      "hits:  max 8 · Thu 22 Oct 03:00  min 1 · Thu 22 Oct 00:00",
      "▂▃▅██▆▄█·",
      "· not complete",
    ]);
  });

  it("a series shows its times if they have room, and all its extremes", () => {
    const lines = inBlocks(hours(Array.from({ length: 40 }, (_, at) => at)), 40);
    expect(lines.slice(0, 2)).toEqual(["hits:  max 39 · Fri 23 Oct 15:00", "min 0 · Thu 22 Oct 00:00"]);
    expect(lines[2]).toMatch(/^▁+▂+▃+▄+▅+▆+▇+█+$/);
    expect(lines[3]).toBe("Thu 22 Oct 00:00        Fri 23 Oct 15:00");
  });

  it("keeps a peak of one step where a block stands for many", () => {
    const values = Array.from({ length: 500 }, (_, at) => (at === 250 ? 900 : 1));
    expect(blocksIn(inBlocks(hours(values), 20))).toBe("▁▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁");
  });

  it("keeps a dip of shares near a hundred percent", () => {
    const values = Array.from({ length: 500 }, (_, at) => (at === 250 ? 97 : 99.9));
    expect(blocksIn(inBlocks(hours(values, "avail_pct"), 20))).toBe("██████████▁█████████");
  });

  it("has a space where there is no value", () => {
    expect(inBlocks(hours([4, 4, 4, "", 4, ""]), 80)[1]).toBe("███ █");
    expect(inBlocks(hours([0, 0, 0]), 80)[1]).toBe("▁▁▁");
  });
});

it("a heat map has one scale, a line per day and a limit of days", () => {
  const values = Array.from({ length: 30 }, (_, at) => at);
  expect(inBlocks(hours(values), 80, { kind: "heatmap", ...until(29.5) })).toEqual([
    "           00:00 06:00 12:00 18:00",
    "Thu 22 Oct ▁▁▁▁▂▂▂▂▃▃▃▄▄▄▄▅▅▅▅▆▆▆▇▇",
    "Fri 23     ▇▇███·",
    "· not complete",
  ]);
  expect(inBlocks(hours(Array.from({ length: 40 * 24 }, () => 1)), 80, { kind: "heatmap" })).toEqual([]);
});

it("groups have a row each", () => {
  const rows = [
    { place: "oslo", hits: 10 },
    { place: `a-place-${"of-a-long-name-".repeat(5)}`, hits: 5 },
  ];
  expect(inBlocks(rows, 45, { kind: "bar" })).toEqual([
    `oslo${" ".repeat(24)} ${"█".repeat(13)} 10`,
    `a-place-of-a-l…f-a-long-name- ${"█".repeat(7)} 5`.replace("…f-a-long", "…-a-long"),
  ]);
});

it("pictures fit the columns unless names or figures alone do not", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -50, max: 1_000_000 }), { minLength: 1, maxLength: 300 }),
      fc.integer({ min: 40, max: 200 }),
      fc.constantFrom("line" as const, "bar" as const, "heatmap" as const),
      (values, columns, kind) => {
        for (const line of inBlocks(hours(values), columns, { kind }))
          expect([...line].length).toBeLessThanOrEqual(columns);
        const groups = values.map((hits, index) => ({ hits, place: `p${index}` }));
        for (const line of inBlocks(groups, columns, { kind: "bar" }))
          expect([...line].length).toBeLessThanOrEqual(columns);
      },
    ),
    { numRuns: runs(4) },
  );
});
