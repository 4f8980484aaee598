/** A list that is cut comes with its totals and extremes, worked out over all of it. */
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { CsvScanner } from "../../src/rows/csv-scanner.js";
import { summarizeRowFile, summarizeRows } from "../../src/rows/summary.js";

const rows = Array.from({ length: 2_000 }, (_, hour) => ({
  time: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
  hits: String((hour * 7_919) % 1_000),
  bytes: 9_007_199_254_740_000 + hour,
  load: 0.1,
  cpcode: 12_345,
  statusCode: 200,
}));

it("says the sum exactly, and the extremes with their first times", () => {
  const hits = rows.map((row) => Number(row.hits));
  const summary = summarizeRows({ data: rows }, {});
  expect(summary).toEqual({
    rows: 2_000,
    hits: `sum ${hits.reduce((a, b) => a + b)}; max 999 at ${rows[hits.indexOf(999)]?.time}; min 0 at ${rows[0]?.time}`,
    bytes: `sum ${rows.reduce((sum, row) => sum + BigInt(row.bytes), 0n)}; max ${rows[1_999]?.bytes} at ${rows[1_999]?.time}; min ${rows[0]?.bytes} at ${rows[0]?.time}`,
    load: `sum 200; max 0.1 at ${rows[0]?.time}; min 0.1 at ${rows[0]?.time}`,
  });
});

it.each([
  ["few rows", { data: rows.slice(0, 10) }],
  ["nothing to add up", rows.map(({ time }) => ({ time, name: "x" }))],
  ["codes alone", rows.map(({ statusCode }) => ({ statusCode }))],
  ["no rows", { a: 1 }],
])("says nothing of %s", (_, body) => {
  expect(summarizeRows(body, {})).toBeUndefined();
});

it("says something of twenty rows, and nothing of nineteen", () => {
  expect([20, 19].map((count) => summarizeRows(rows.slice(0, count), {})?.["rows"])).toEqual([20, undefined]);
});

it("says a mean to six digits, and which row is meant by three of its keys", () => {
  const keyed = Array.from({ length: 30 }, (_, at) => ({
    ...{ first: `a${at}`, second: `b${at}`, third: `c${at}`, fourth: `d${at}` },
    latency: at === 0 ? 123_458 : 123_456,
  }));
  expect(summarizeRows(keyed, {})).toEqual({
    rows: 30,
    latency: "mean 123456; max 123458 (first a0, second b0, third c0); min 123456 (first a1, second b1, third c1)",
  });
});

it("says the same mean of a long report as of a list with empty cells", () => {
  const latencies = Array.from({ length: 90 }, (_, at) => ({ name: `a${at}`, latency: at < 60 ? String(at) : "" }));
  const scanner = new CsvScanner({ begin: "#BEGIN", end: "#END", at: "", columns: () => ["name", "latency"] });
  const lines = latencies.map(({ name, latency }) => `${name},${latency}`);
  scanner.push(Buffer.from(["#BEGIN", ...lines, "#END", ""].join("\n")));
  const ofFile = summarizeRowFile(scanner.end().table, latencies, (at) => latencies[at]);
  expect(ofFile).toEqual(summarizeRows(latencies, {}));
  expect(ofFile["latency"]).toMatch(/^mean 29\.5; max 59 /);
});

it("a cut answer has its summary in both forms, a whole one in none", () => {
  const presentation = { upstream: "h", secrets: [], maxTokens: 1_000 };
  const { structuredContent, content } = successResult({ status: 200, body: rows, notes: [] }, presentation);
  expect(structuredContent).toMatchObject({ cut: true, summary: { rows: 2_000 } });
  expect(content[0]?.text).toMatch(/^Summary of the 2000 rows of this result:\n {2}hits: sum \d+; max 999 at /m);
  const whole = successResult(
    { status: 200, body: rows.slice(0, 30), notes: [] },
    { ...presentation, maxTokens: 9_000 },
  );
  expect(whole.structuredContent).not.toHaveProperty("summary");
});

it("a summary is short, whatever the rows hold", () => {
  const long = rows.map((row) => ({ ...row, time: `${row.time} ${"x".repeat(5_000)}`, hits: "9".repeat(5_000) }));
  const summary = summarizeRows(long, {});
  expect(Object.keys(summary ?? {})).toEqual(["rows", "bytes", "load"]);
  expect(JSON.stringify(summary).length).toBeLessThan(300);
  const named = rows.map(({ bytes }) => ({ [`bytes${"s".repeat(5_000)}`]: bytes }));
  expect(summarizeRows(named, {})).toBeUndefined();
});

it("takes no more of a later row than of the first ones", () => {
  const next = new Date(Date.UTC(2026, 0, 1, rows.length)).toISOString();
  const odd = (more: object) => summarizeRows([...rows, { ...rows[0], time: next, ...more }], {});
  const usual = { ...summarizeRows(rows, {}), rows: 2_001 };
  const without = (member: "hits" | "bytes", value: unknown) => {
    const { [member]: told, ...others } = { ...odd({ [member]: value }) };
    expect(JSON.stringify(told).length).toBeLessThan(200);
    return [told, others];
  };
  for (const value of ["9".repeat(5_000), "n/a", null, undefined, {}]) {
    const [hits] = without("hits", value);
    expect([value, hits]).toEqual([value, usual["hits" as keyof typeof usual]]);
    // The sum of these is beyond what a number holds exactly.
    expect([value, without("bytes", value)[0]]).toEqual([value, usual["bytes" as keyof typeof usual]]);
  }
  expect(odd({ hits: "5000", time: `2026-01-01T${"x".repeat(5_000)}` })).toMatchObject({
    hits: expect.stringMatching(/max 5000; min 0 at /),
  });
});

it.each([1e21, "12.0"])("adds whole numbers exactly however they are written: %j", (bytes) => {
  const many = [...rows, { bytes }].map((row) => ({ bytes: row.bytes }));
  const all = BigInt(Number(bytes)) + rows.reduce((total, row) => total + BigInt(row.bytes), 0n);
  expect(summarizeRows(many, {})?.["bytes"]).toContain(`sum ${all};`);
});

it("a summary averages rates and shares, and adds up no times", () => {
  const levels = rows.map(({ time, hits }, at) => ({
    time,
    epochTime: 1_767_225_600 + 3_600 * at,
    errorPct: at % 2,
    avgLatency: 10,
    requests: at % 4,
    hits,
  }));
  const summary = summarizeRows(levels, { levels: ["requests"] });
  expect(summary).toMatchObject({
    errorPct: expect.stringMatching(/^mean 0\.5; max 1 at 2026-01-01T01:00:00.000Z/),
    avgLatency: expect.stringMatching(/^mean 10; /),
    requests: expect.stringMatching(/^mean 1\.5; /),
    hits: expect.stringMatching(/^sum \d+; /),
  });
  expect(summary).not.toHaveProperty("epochTime");
});

it("says where an extreme is, and when in UTC, whatever form the time has", () => {
  const lines = Array.from({ length: 40 }, (_, at) => ({
    "Date & Time": new Date(Date.UTC(2026, 10, 22, 2, at * 10)).toUTCString(),
    host: at % 2 ? "api.shop.example" : "www.shop.example",
    code: 200,
    size: (at * 7) % 40,
  }));
  const highest = lines.find(({ size }) => size === 39);
  expect(summarizeRows(lines, {})?.["size"]).toContain(
    `max 39 at ${new Date(highest?.["Date & Time"] ?? "").toISOString().replace(".000Z", "Z")} (host ${highest?.host})`,
  );
  const local = lines.map(({ size }, at) => ({ time: `2026-11-22 ${String(at % 24).padStart(2, "0")}:00`, size }));
  expect(summarizeRows(local, {})?.["size"]).toMatch(/max 39 at 2026-11-22 \d\d:00 UTC/);
});

it("names the busiest hour where an hour has several rows, with its zone", () => {
  const minutes = Array.from({ length: 288 }, (_, at) => ({
    time: new Date(Date.UTC(2026, 4, 10) + at * 300_000).toISOString(),
    // The largest single value is not in the hour that has the most.
    hits: at === 13 ? 50 : Math.floor(at / 12) === 20 ? 30 : 10,
  }));
  expect(summarizeRows(minutes, {})?.["hits"]).toMatch(
    /max 50 at 2026-05-10T01:05:00.000Z; min 10 at .*; busiest hour 2026-05-10T20:00Z with 360$/,
  );
  const hourly = minutes.filter((_, at) => at % 12 === 0);
  expect(summarizeRows(hourly, {})?.["hits"]).not.toContain("busiest");
});
