/** The chart tool on the emulator's account: what it draws, from a report and from a stored result, and what it refuses. */
import { describe, expect, it } from "vitest";
import { pngOf } from "../../src/answers/charts/png.js";
import { workflowResult } from "../../src/answers/result.js";
import type { CallsOptions } from "../../src/calls/index.js";
import { incidentCpCode } from "../../src/emulator/services/account.js";
import { incident } from "../../src/emulator/services/reporting/series.js";
import { createWorld } from "../../src/emulator/world.js";
import type { Picture } from "../../src/rows/result-store.js";
import { callsIn } from "../lab/calls.js";
import { imageEngine, needsImages, withoutPixels } from "../lab/engines.js";
import { noResults } from "../lab/options.js";

const world = createWorld({ seed: 11, vendor: "akamai", frozenAt: Date.parse("2026-10-29T09:30:00Z") });
const kept = new Map<string, unknown>();
/** The options of calls for which something is stored. */
const keeping = (get: (owner: string, handle: string) => unknown): Pick<CallsOptions, "results"> => ({
  results: ({ owner }) => ({
    ...noResults,
    get: async (handle) => {
      const content = get(owner, handle);
      return content === undefined ? undefined : { content };
    },
  }),
});
const { call, answer, refused } = callsIn(
  world,
  keeping((owner, handle) => kept.get(`${owner} ${handle}`)),
);

const pixels = Buffer.from("pixels");

async function drawn(args: Record<string, unknown>) {
  const outcome = await withoutPixels(pixels, () => call("report_chart", args));
  if (outcome.kind !== "workflow") throw new Error(JSON.stringify(outcome));
  const [picture] = outcome.pictures ?? [];
  if (!picture) throw new Error("It showed no picture.");
  const { shows = [], notes = [] } = outcome.result as { shows?: readonly string[]; notes?: readonly string[] };
  return { outcome, picture, shows, notes };
}

const week = { start: "2026-10-22T00:00:00Z", end: "2026-10-29T00:00:00Z", objectIds: [incidentCpCode] };
const errors = { ...week, reportName: "endpoint-errors-by-time", filters: { response_class_errors: ["5xx"] } };
const { start, end } = incident(world);

describe("the incident of the account", () => {
  it.each([
    ["HOUR", week.start],
    ["FIVE_MINUTES", "2026-10-28T00:00:00Z"],
  ])("is the maximum of the line by %s, with the right hour", needsImages, async (interval, from) => {
    const { picture, shows } = await drawn({ report: { ...errors, interval, start: from }, timeZone: "Europe/Berlin" });
    const [, day, time, offset] = /highest [\d,]+ at \w+ (\S+) (\d\d:\d\d)([+-]\d\d:\d\d)/.exec(shows[0] ?? "") ?? [];
    const at = Date.parse(`${day}T${time}:00${offset}`);
    expect(at).toBeGreaterThanOrEqual(start);
    expect(at).toBeLessThan(end);
    const local = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", hour: "2-digit", minute: "2-digit" });
    expect(picture.svg).toContain(` · Wed 28 Oct ${local.format(at)}<`);
    expect(picture.png).toBe(pixels);
  });

  it("is the framed hour of the heat map", async () => {
    const { picture, shows } = await drawn({ report: { ...errors, interval: "HOUR" }, kind: "heatmap" });
    expect(shows[0]).toMatch(
      /^Edge hits \(count\): 168 points, hourly; .* highest [\d,]+ at Wed 2026-10-28 1[34]:00\+00:00/,
    );
    expect(picture.svg).toMatch(/max [\d.]+ k · Wed 28 Oct 1[34]:00</);
    expect(picture.svg).toContain('stroke="#f59e0b"');
  });
});

it("has title, units, period, zone and filters in the picture", async () => {
  const { picture } = await drawn({
    report: { ...week, reportName: "endpoint-usage-by-time", interval: "HOUR" },
    timeZone: "Asia/Tokyo",
  });
  for (const text of [
    "API traffic over time",
    "Edge bytes (bytes)",
    "Edge hits (count)",
    "hourly · Asia/Tokyo",
    "22 Oct 2026 09:00 – 29 Oct 2026 08:00",
  ])
    expect(picture.svg).toContain(text);
  const filtered = await drawn({ report: { ...errors, interval: "DAY" }, title: "Errors <of> the shop", kind: "bar" });
  expect(filtered.picture.svg).toContain("Errors &lt;of&gt; the shop");
  expect(filtered.picture.svg).toContain(`${incidentCpCode} · response_class_errors 5xx`);
});

it("a chart draws groups without times, and all objects if none named", async () => {
  const { reportName, ...rest } = { ...week, reportName: "endpoint-usage-by-response-code" };
  const { objectIds: _, ...all } = rest;
  const { picture, shows, notes } = await drawn({ report: { reportName, ...all }, metrics: ["edgeHits"], kind: "bar" });
  const { body } = await answer("report_data_get", { reportName, ...all, allObjectIds: true });
  const rows = (body as { data: { response_code: string; edgeHits: string }[] }).data;
  const total = rows.reduce((sum, { edgeHits }) => sum + Number(edgeHits), 0);
  expect(shows[0]).toContain(`total ${total.toLocaleString("en-US")}; 200 `);
  expect(picture.svg).toContain("2026-10-22T00:00:00Z – 2026-10-29T00:00:00Z");
  expect(notes.filter((note) => !note.startsWith("There is no image"))).toEqual([]);
});

describe("a stored result", () => {
  const rows = [0, 1, 2, 3].map((hour) => ({
    time: Date.parse("2026-10-28T10:00:00Z") / 1_000 + 3_600 * hour,
    place: "oslo",
    hits: hour === 2 ? "40" : "3",
  }));
  kept.set("local r1", { data: rows });

  it.each(["r1", "result://r1"])("is drawn by its handle %s", async (result) => {
    const { shows, picture } = await drawn({ result, timeZone: "Europe/Oslo" });
    expect(shows).toEqual([
      "hits: 4 points, hourly; total 49, mean 12.25; highest 40 at Wed 2026-10-28 13:00+01:00, lowest 3 at Wed 2026-10-28 11:00+01:00.",
    ]);
    expect(picture.svg).toContain("max 40 · Wed 28 Oct 13:00");
  });

  it("of another owner, or one that is no longer stored, is not found", async () => {
    kept.set("somebody r2", rows);
    for (const result of ["r2", "gone"])
      expect(await refused("report_chart", { result })).toMatchObject({
        code: "invalid_input",
        fields: ["result: the handle of a result that is still stored, for this client"],
      });
  });
});

it("lets no secret of the process into the picture", async () => {
  const secret = "s3cret-value-of-the-process";
  const { call: careful } = callsIn(world, {
    secrets: [secret],
    ...keeping(() => [{ time: "2026-10-28T10:00:00Z", place: secret, hits: 4 }]),
  });
  const args = { result: "r", by: "place", title: `About ${secret}` };
  const outcome = await withoutPixels(pixels, () => careful("report_chart", args));
  expect(outcome.kind).toBe("workflow");
  expect(JSON.stringify(outcome)).not.toContain(secret);
  expect(JSON.stringify(outcome)).toContain("place [secret]");
});

describe("the result", () => {
  const presentation = { upstream: "host.example", secrets: [], maxTokens: 2_000 };
  const picture: Picture = { what: "chart", svg: "<svg/>", png: new Uint8Array([1, 2, 3]), inBlocks: () => [] };

  it("has the image beside its text, and says where the drawing is stored", () => {
    const keep: unknown[] = [];
    const { content, structuredContent } = workflowResult(
      { shows: ["x"] },
      presentation,
      (document) => `h${keep.push(document)}`,
      { pictures: [picture] },
    );
    expect(content.slice(1)).toEqual([{ type: "image", data: "AQID", mimeType: "image/png" }]);
    expect(content[0].text).toContain("result://h1");
    expect(structuredContent["notes"]).toEqual(["The chart as SVG can be read at result://h1."]);
    expect(keep).toEqual([{ mimeType: "image/svg+xml", text: "<svg/>" }]);
  });

  it("has no image if there is none, and no address if nothing is stored", () => {
    const { content, structuredContent } = workflowResult({ shows: ["x"] }, presentation, undefined, {
      pictures: [{ ...picture, png: undefined }],
    });
    expect(content).toHaveLength(1);
    expect(structuredContent).toEqual({ shows: ["x"], upstream: "host.example" });
  });
});

it("without the engine for images there is no PNG and no failure", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const missing = async () => {
    throw Object.assign(new Error("Cannot find module '/home/me/node_modules/@resvg/resvg-js'"), {
      code: "MODULE_NOT_FOUND",
    });
  };
  expect(await pngOf(svg, missing)).toBeUndefined();
  if (imageEngine !== undefined) expect(Buffer.from((await pngOf(svg)) ?? []).toString("latin1", 1, 4)).toBe("PNG");
});
