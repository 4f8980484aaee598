/** A list that is cut comes with its totals and extremes, worked out over all of it. */
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { summaryOf } from "../../src/answers/summary.js";

const rows = Array.from({ length: 2_000 }, (_, hour) => ({
  time: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
  hits: String((hour * 7_919) % 1_000),
  bytes: 9_007_199_254_740_000 + hour,
  ratio: 0.1,
  cpcode: 12_345,
  statusCode: 200,
}));

it("says the sum exactly, and the extremes with their first times", () => {
  const hits = rows.map((row) => Number(row.hits));
  const summary = summaryOf({ data: rows }, {});
  expect(summary).toEqual({
    rows: 2_000,
    hits: `sum ${hits.reduce((a, b) => a + b)}; max 999 at ${rows[hits.indexOf(999)]?.time}; min 0 at ${rows[0]?.time}`,
    bytes: `sum ${rows.reduce((sum, row) => sum + BigInt(row.bytes), 0n)}; max ${rows[1_999]?.bytes} at ${rows[1_999]?.time}; min ${rows[0]?.bytes} at ${rows[0]?.time}`,
    ratio: `sum 200; max 0.1 at ${rows[0]?.time}; min 0.1 at ${rows[0]?.time}`,
  });
});

it.each([
  ["few rows", { data: rows.slice(0, 10) }],
  ["nothing to add up", rows.map(({ time }) => ({ time, name: "x" }))],
  ["codes alone", rows.map(({ statusCode }) => ({ statusCode }))],
  ["no rows", { a: 1 }],
])("says nothing of %s", (_, body) => {
  expect(summaryOf(body, {})).toBeUndefined();
});

it("stands in both forms of an answer that is cut, and in none that is whole", () => {
  const presentation = { upstream: "h", secrets: [], maxTokens: 1_000 };
  const { structuredContent, content } = successResult({ status: 200, body: rows, notes: [] }, presentation);
  expect(structuredContent).toMatchObject({ cut: true, summary: { rows: 2_000 } });
  expect(content[0]?.text).toMatch(/^Summary: rows = 2000,hits = sum \d+; max 999 at /m);
  const whole = successResult(
    { status: 200, body: rows.slice(0, 30), notes: [] },
    { ...presentation, maxTokens: 9_000 },
  );
  expect(whole.structuredContent).not.toHaveProperty("summary");
});

it("is short, whatever the rows hold: what is longer than a figure or a time is neither", () => {
  const long = rows.map((row) => ({ ...row, time: `${row.time} ${"x".repeat(5_000)}`, hits: "9".repeat(5_000) }));
  const summary = summaryOf(long, {});
  expect(Object.keys(summary ?? {})).toEqual(["rows", "bytes", "ratio"]);
  expect(JSON.stringify(summary).length).toBeLessThan(300);
  const named = rows.map(({ bytes }) => ({ [`bytes${"s".repeat(5_000)}`]: bytes }));
  expect(summaryOf(named, {})).toBeUndefined();
});

it("takes no more of a later row than of the first ones", () => {
  const odd = (more: object) => summaryOf([...rows, { ...rows[0], ...more }], {});
  const usual = { ...summaryOf(rows, {}), rows: 2_001 };
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
  expect(summaryOf(many, {})?.["bytes"]).toContain(`sum ${all};`);
});
