/** That pictures can be read: nothing is cut off, one font that is there, the maximum marked, the same bytes each time. */
import { describe, expect, it } from "vitest";
import { figure, units } from "../../src/answers/charts/figures.js";
import type { ChartRequest } from "../../src/answers/charts/index.js";
import { textWidth } from "../../src/answers/charts/picture.js";
import { pngOf } from "../../src/answers/charts/png.js";
import { boxesIn, coveringIn, draw, overlapsOf, rowsFrom, textsIn } from "../answers/charts/drawn.js";
import { needsImages } from "../lab/engines.js";

const hourMs = 3_600_000;
const start = "2026-10-22T00:00:00Z";
const wave = (index: number, period: number): number => 1.1 + Math.sin((index / period) * 2 * Math.PI);
// The incident: a spike on 28 October at 13:00 UTC, which is 14:00 in Berlin.
const hitsAt = (index: number, ofDay: number): number =>
  Math.round(100_000 * wave(index, ofDay)) + (Math.floor(index / (ofDay / 24)) === 157 ? 530_000 : 0);
const week = (count: number) =>
  rowsFrom(start, (168 * hourMs) / count, count, (index) => ({
    hits: String(hitsAt(index, count / 7)),
    edgeBytes: String(hitsAt(index, count / 7) * 31_337),
    place: `${["frankfurt-germany-of-a-very-long-name-indeed", "osaka", "lima", "oslo", "bern", "rome", "cork", "nice", "graz", "lyon"][index % 10]}`,
  }));
const long =
  "A title of so many words that no picture has the room for all of them, whatever the size of its letters may be";
const cases: readonly (readonly [string, unknown, Partial<ChartRequest>])[] = [
  ["a line of 168 points", week(168), { metrics: ["hits"], title: long, details: [long] }],
  ["two lines of different units, 168 points", week(168), {}],
  ["two lines of different units, 2,016 points", week(2_016), {}],
  ["lines by group with long names", week(2_016), { by: "place", metrics: ["hits"] }],
  ["bars of 168 points", week(168), { kind: "bar", metrics: ["hits"] }],
  ["bars of 2,016 points", week(2_016), { kind: "bar" }],
  ["bars by group over time", week(2_016), { kind: "bar", by: "place" }],
  ["a heat map of 168 points", week(168), { kind: "heatmap", metrics: ["hits"], title: long }],
  ["a heat map of 2,016 points", week(2_016), { kind: "heatmap", metrics: ["edgeBytes"] }],
  [
    "a heat map of 90 days",
    rowsFrom("2026-03-01T00:00:00Z", hourMs, 90 * 24, (index) => ({ hits: index % 97 })),
    { kind: "heatmap" },
  ],
  ["groups with long names", week(168).map(({ time: _, ...row }) => row), { kind: "bar", title: long }],
  ["one point", week(1), {}],
  ["nothing but zeros", rowsFrom(start, hourMs, 30, () => ({ hits: 0 })), {}],
];

/** The pictures with so many lines that they would be too many bytes at the usual size. */
const dense = new Set(["lines by group with long names", "bars by group over time"]);

describe.each(cases)("%s", (what, rows, request) => {
  const { svg, says } = draw(rows, request);
  const { width, height, texts } = textsIn(svg);

  it("a picture is the same in every byte, in one font, and told in words", () => {
    for (const { attributes, text } of texts)
      expect(attributes, text).toMatch(/font-family:Inter, sans-serif;|font: normal normal 12px Inter, sans-serif"/);
    expect(svg.replaceAll("Inter, sans-serif", "")).not.toMatch(/serif|Arial|Microsoft/);
    expect(draw(rows, request).svg).toBe(svg);
    expect(says.length).toBeGreaterThan(0);
    expect(says.join("\n")).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("has no text that is cut off, or lies on another or on the data", needsImages, () => {
    const boxes = boxesIn(svg);
    expect(width).toBe(600);
    expect(boxes.length).toBeGreaterThan(5);
    const cut = boxes.filter(
      ({ left, right, top, bottom }) => left < 4 || right > width - 4 || top < 0 || bottom > height,
    );
    expect([cut, overlapsOf(boxes), coveringIn(svg)]).toEqual([[], [], []]);
  });

  it("is an image of 1,200 pixels under 120 kB, or of 900 where it is dense", needsImages, async () => {
    const png = Buffer.from((await pngOf(svg)) ?? []);
    expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    const wide = dense.has(what) ? 900 : 1_200;
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([wide, (wide / width) * height]);
    expect(png.length).toBeLessThan(120_000);
    // Letters, lines and ground: a picture without any has far fewer.
    expect(png.length).toBeGreaterThan(20_000);
  });
});

it.each([{}, { kind: "bar" }, { kind: "heatmap" }] as const)(
  "%o is the same in every byte wherever it is drawn",
  (kind) => {
    const { TZ } = process.env;
    const request = { ...kind, metrics: ["hits"] };
    try {
      const drawn = ["UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin"].map((zone) => {
        process.env["TZ"] = zone;
        return draw(week(168), request).svg;
      });
      expect(new Set(drawn).size).toBe(1);
    } finally {
      if (TZ === undefined) delete process.env["TZ"];
      else process.env["TZ"] = TZ;
    }
  },
);

describe("the incident", () => {
  it("is the dot of a line, with its figure and its time in the zone", () => {
    const { svg, says } = draw(week(168), { metrics: ["hits"] });
    expect(textsIn(svg).texts.map(({ text }) => text)).toContain("max 614.1 k · Wed 28 Oct 14:00");
    expect(svg.match(/<path[^>]*fill="#ffffff"[^>]*stroke="#2563eb"/g)).toHaveLength(1);
    expect(says[0]).toMatch(
      /^hits: 168 points, hourly; total 19,01\d,\d{3}, mean [\d,.]+; highest 614,\d{3} at Wed 2026-10-28 14:00\+01:00, lowest /,
    );
  });

  it("has a dot on each of two lines, and their figures above them", () => {
    const { svg } = draw(week(2_016), { zone: "Asia/Tokyo" });
    const texts = textsIn(svg).texts.map(({ text }) => text);
    const maxima = texts.filter((text) => text.startsWith("max "));
    expect(maxima).toHaveLength(2);
    for (const text of maxima) expect(text).toMatch(/· Wed 28 Oct 22:\d\d$/);
    expect(maxima[1]).toMatch(/GB/);
    expect(texts).toContain("edgeBytes (bytes)");
    expect(svg.match(/<path[^>]*fill="#ffffff"[^>]*stroke="#(2563eb|d97706)"/g)).toHaveLength(2);
  });

  it("is the framed cell of a heat map", () => {
    const { svg, says } = draw(week(2_016), { kind: "heatmap", metrics: ["hits"] });
    expect(textsIn(svg).texts.map(({ text }) => text)).toContain("max 7.2 M · Wed 28 Oct 14:00");
    expect(svg.match(/stroke="#f59e0b"/g)).toHaveLength(1);
    expect(says[1]).toMatch(/^By the mean of all days the busiest hour of the day begins at 0\d:00 \(/);
  });
});

it.each([1, 2, 8, 9, 10, 31, 61, 63, 64, 90])("no label of a heat map of %s days is cut off", needsImages, (days) => {
  const rows = rowsFrom("2026-02-20T00:00:00Z", hourMs, days * 24 - 2, (index) => ({ hits: index }));
  const { svg } = draw(rows, { kind: "heatmap" });
  const { width } = textsIn(svg);
  const texts = boxesIn(svg);
  expect(texts.map(({ text }) => text)).toContain("Fri 20 Feb");
  for (const { left, right, text } of texts) expect(left > 4 && right < width - 4, text).toBe(true);
});

it("a group without values has its line in the legend and none in the plot", () => {
  const rows = rowsFrom(start, hourMs, 48, (index) => ({
    hits: index % 2 ? "" : 3,
    key: index % 2 ? "silent" : "loud",
  }));
  const { svg, says } = draw(rows, { by: "key" });
  expect(textsIn(svg).texts.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["key silent", "no values", "Fri 23 Oct"]),
  );
  expect(says).toContain("key silent: no values.");
});

it("a gap in values is a gap in the line, and a lone value is a dot", () => {
  const rows = rowsFrom(start, hourMs, 24, () => ({ hits: 5 })).filter((_, index) => ![6, 7, 15, 17].includes(index));
  const { svg } = draw(rows);
  const [, line = ""] = /<path d="([^"]*)" fill="none"[^>]*stroke="#2563eb"/.exec(svg) ?? [];
  expect(line.match(/M/g)).toHaveLength(4);
  // The box above the plot, and the dot of the value by itself, where there is no line to see.
  expect(svg.match(/<path[^>]*fill="#2563eb"/g)).toHaveLength(2);
});

it("a share near 100 is not drawn flat, and its lowest value is marked", () => {
  const rows = rowsFrom(start, hourMs, 48, (index) => ({ avail_pct: index === 30 ? "97.5" : "99.99" }));
  const { svg, notes } = draw(rows);
  expect(notes).toEqual(["The axis does not begin at zero."]);
  const texts = textsIn(svg).texts.map(({ text }) => text);
  expect(texts).not.toContain("0 %");
  expect(texts).toContain("min 97.5 % · Fri 23 Oct 08:00");
});

it("too many bars become hours, and the note says so", () => {
  const { notes, says } = draw(week(2_016), { kind: "bar", metrics: ["hits"] });
  expect(notes).toEqual(["The bars are hours, because there are too many points for separate bars."]);
  expect(says[0]).toContain("168 points, hourly");
});

it("chart names are drawn masked, and letters the font lacks are noted", () => {
  const rows = rowsFrom(start, hourMs, 4, () => ({ hits: 1, key: "<b>&東京 s3cret" }));
  const { svg, notes } = draw(rows, { by: "key", sanitize: (text) => text.replace("s3cret", "[secret]") });
  expect(svg).not.toContain("s3cret");
  expect(textsIn(svg).texts.map(({ text }) => text)).toContain("key <b>&東京 [secret]");
  expect(notes.at(-1)).toMatch(/Latin, Greek and Cyrillic/);
});

it.each([
  [{ kind: "heatmap", by: "place" }, "by"],
  [{ metrics: ["hits", "edgeBytes", "x_pct"] }, "metrics"],
] as const)("what cannot be drawn together is refused: %j", (request, field) => {
  const rows = week(24).map((row) => ({ ...row, x_pct: 5 }));
  expect(() => draw(rows, request as Partial<ChartRequest>)).toThrow(
    expect.objectContaining({ detail: expect.objectContaining({ fields: [expect.objectContaining({ field })] }) }),
  );
});

it.each([
  [0, units.COUNT, "0"],
  [999.4, units.COUNT, "999.4"],
  [999_960, units.COUNT, "1 M"],
  [739_912, units.COUNT, "739.9 k"],
  [1_234_567_890_123, units.BYTE, "1.2 TB"],
  [0.0312, units.RATIO, "0.0312 %"],
  [1_500, units.COUNT_PER_SECOND, "1.5 k/s"],
])("%s is written in short", (value, unit, text) => expect(figure(value, unit)).toBe(text));

it.each([
  "max 739.9 k · Wed 28 Oct 13:05",
  "frankfurt-germany-of-a-very-long-name-indeed",
  "WWW MMM @ %",
  "illicit, trifle!",
])("the width of %s is known closely", needsImages, (text) => {
  const svg = `<svg width="900" height="40"><text style="font-size:12px;font-family:Inter;" x="10" y="20">${text}</text></svg>`;
  const [measured] = boxesIn(svg);
  const ratio = textWidth(text, "12px Inter") / ((measured?.right ?? 0) - (measured?.left ?? 0));
  expect(ratio).toBeGreaterThan(0.93);
  expect(ratio).toBeLessThan(1.15);
});
