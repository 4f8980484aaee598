/** The lines of a forecast: few, marked, above the request, in every form, and never the reason why nobody is asked. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { foldPreview, isAskable, question, withForecast } from "../../src/guard/index.js";
import { lineOrClipped } from "../../src/guard/preview/lines.js";
import { describeAll } from "../../src/guard/preview/several.js";
import type { CallDescription } from "../../src/guard/preview.js";
import type { Forecast } from "../../src/language/forecast.js";

const untilMs = Date.parse("2026-06-10T13:30:00Z");
const purge: Forecast = {
  hostnames: { total: 2, names: ["www.shop.example", "images.shop.example"] },
  traffic: { edgeRate: 28.55, rateLastWeek: 37.51, report: "delivery/traffic/current", untilMs },
  originLoad: { from: 6.53, upTo: 26.1, atMost: 38.7 },
};
const previewOf = (request: readonly string[] = ["id: 1"]) => {
  const description: CallDescription = {
    sentence: { verb: "PURGE", target: "it", results: [], isIrreversible: true },
    facts: {
      ...{ summary: "PURGE it.", kind: "purge", account: "the account", target: "it", warnings: ["It is large."] },
      request: { method: "POST", path: "/it" },
    },
    parts: {
      undo: lineOrClipped("Undo: not possible.", "undo"),
      difference: [],
      route: lineOrClipped("Request: POST /it (it_purge)"),
      inRoute: [],
      request: request.flatMap((line) => lineOrClipped(line)),
      state: lineOrClipped("Now: it is there", "now"),
    },
    gravity: 1,
    digest: "d",
  };
  return describeAll("it_purge", [description]);
};
const linesOf = (forecast: Forecast): readonly string[] => {
  const { lines } = withForecast(previewOf(), forecast);
  return lines.slice(4, lines.indexOf("Request: POST /it (it_purge)"));
};

it("a forecast is marked as context, and says whose figures it has", () => {
  expect(linesOf(purge)).toEqual([
    "For context, 2 hostnames: www.shop.example, images.shop.example.",
    "Traffic: 28.6 requests/s at the edge, 37.5 a week ago (by delivery/traffic/current until 13:30 UTC).",
    "Origin load: 6.53 to 26.1 requests/s more at the peak of the first hour, an estimate: 20 to 80% of what the cache answers then; at most 38.7, all requests then.",
  ]);
  expect(encode(linesOf(purge).join("\n")).length).toBeLessThanOrEqual(120);
});

it("what is unknown for one reason is one line, with the known maximum", () => {
  const unknown = "nobody counts it";
  expect(linesOf({ hostnames: { unknown }, traffic: { unknown }, originLoad: { unknown, atMost: 1_234_567 } })).toEqual(
    [
      "For context, unknown: hostnames, traffic and origin load, because nobody counts it; the origin gets at most 1,234,567 requests/s more, all requests at the peak.",
    ],
  );
  expect(
    linesOf({
      hostnames: { total: 0, names: [], isByTraffic: true },
      originLoad: { from: 0, upTo: 0, atMost: 4 },
      leftOut: 2,
    }),
  ).toEqual([
    "For context, no hostname with traffic.",
    "Origin load: nothing more, because every request reaches the origin now.",
    "2 more changes: not forecast.",
  ]);
  const busiest = { total: 3, names: ["www.shop.example"], isByTraffic: true } as const;
  expect(linesOf({ hostnames: busiest })).toEqual(["For context, 3 hostnames with traffic: www.shop.example, …."]);
  expect(linesOf({ originLoad: { from: 0, upTo: 0, atMost: 0 } })).toEqual([
    "For context, origin load: nothing more, because there are no requests.",
  ]);
});

it("long names and great figures stay within five lines and 120 tokens", () => {
  const names = Array.from({ length: 3 }, (_, at) => `${at}.${"international-assets.".repeat(11)}example`);
  const lines = linesOf({
    hostnames: { total: 123_456, names, isByTraffic: true },
    traffic: { edgeRate: 1_234_567.8, rateLastWeek: 7_654_321.1, report: "delivery/traffic/current", untilMs },
    originLoad: { from: 308_000, upTo: 1_230_000, atMost: 1_240_000 },
    leftOut: 49,
  });
  expect(lines.length).toBeLessThanOrEqual(5);
  expect(encode(lines.join("\n")).length).toBeLessThanOrEqual(120);
});

it("an activation says what changes for its hostnames, within 120 tokens", () => {
  expect(
    linesOf({
      hostnames: { total: 3, names: ["www.shop.example", "b.example"], added: 1, removed: 0, changed: 2 },
      certificates: { covered: 2, uncovered: ["b.example"], contractId: "C-1", endsMs: untilMs },
      pending: [{ what: "version 2", network: "STAGING", status: "PENDING", by: "a@shop.example" }],
    }),
  ).toEqual([
    "For context, 3 hostnames: www.shop.example, b.example, …; 1 appears, the rules of 2 change.",
    "Certificates of contract C-1 cover 2 hostnames until 2026-06-10, not b.example.",
    "Version 2 on STAGING is PENDING (a@shop.example).",
  ]);
  expect(
    linesOf({
      hostnames: { total: 1, names: ["www.shop.example"], added: 0, removed: 0, changed: 0 },
      certificates: { covered: 0, uncovered: ["www.shop.example"] },
      pending: [],
    }),
  ).toEqual([
    "For context, 1 hostname: www.shop.example; no rule changes.",
    "No certificate covers www.shop.example.",
    "Nothing else is under way at the API.",
  ]);
  expect(linesOf({ hostnames: { unknown: "no API names them" }, entries: { added: 1, removed: 0 } })).toEqual([
    "For context, 1 entry is added, 0 removed.",
    "Unknown: hostnames, because no API names them.",
  ]);
  const names = Array.from({ length: 3 }, (_, at) => `${at}.${"international-assets.".repeat(11)}example`);
  const lines = linesOf({
    hostnames: { total: 412, names, added: 12, removed: 3, changed: { unknown: "nobody may read the rule tree" } },
    traffic: { edgeRate: 12_345.6, rateLastWeek: 23_456.7, report: "delivery/traffic/current", untilMs },
    certificates: { covered: 400, uncovered: names, contractId: "C-1FRYVV3", endsMs: untilMs },
    pending: Array.from({ length: 3 }, () => {
      return { what: "version 123", network: "PRODUCTION", status: "PENDING_DEACTIVATION", by: names.join("@") };
    }),
  });
  expect(lines).toHaveLength(5);
  expect(encode(lines.join("\n")).length).toBeLessThanOrEqual(120);
});

it("facts that have no line are counted", () => {
  const six: Forecast = {
    ...purge,
    oldAnswers: { seconds: 60 },
    entries: { added: 1, removed: 0 },
    pending: [],
  };
  const lines = linesOf(six);
  expect(lines).toHaveLength(5);
  expect(lines[4]).toBe("2 more facts: not shown.");
  const { pending, ...five } = six;
  expect(linesOf(five)[4]).toMatch(/^Origin load: /);
  expect(linesOf({ ...five, leftOut: 1 })[4]).toBe("1 more change: not forecast; 1 more fact: not shown.");
});

it("traffic beside hostnames that were not read is that of the others", () => {
  const traffic = { edgeRate: 2, report: "a report", untilMs };
  const hostnames = { total: 1, names: ["www.shop.example"], unread: 7 };
  expect(linesOf({ hostnames, traffic })[1]).toBe(
    "Traffic of the hostnames read: 2 requests/s at the edge (by a report until 13:30 UTC).",
  );
  expect(linesOf({ hostnames: { ...hostnames, unread: 0 }, traffic })[1]).toMatch(/^Traffic: 2 /);
});

it("every form has it, above the request", () => {
  const preview = withForecast(previewOf(), purge);
  const asked = question(preview);
  expect(asked.indexOf("For context, 2 hostnames")).toBeGreaterThan(asked.indexOf("Warning: It is large."));
  expect(asked.indexOf("Request: ")).toBeGreaterThan(asked.indexOf("Origin load: "));
  expect(foldPreview(preview, 3, () => 1).lines).toContain(linesOf(purge)[0]);
  expect(preview.outline).toContainEqual({ is: "forecast", count: 3 });
});

it("a user who can be asked without it is asked, and reads the request", () => {
  // The lines of a forecast do not fit into what is left of a question.
  const request = Array.from({ length: 17 }, (_, at) => `id: ${at} ${"x".repeat(192)}`);
  const plain = previewOf(request);
  const preview = withForecast(plain, purge);
  expect([isAskable(plain), isAskable(preview)]).toEqual([true, true]);
  expect(question(preview)).not.toContain("For context");
  expect(question(preview)).toContain("id: 16");
  expect(preview.lines).toContain(linesOf(purge)[0]);
  // One that cannot be asked anyway keeps them.
  expect(isAskable(withForecast(previewOf([...request, ...request]), purge))).toBe(false);
});
