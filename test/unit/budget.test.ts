/** What an assistant receives stays within its bound, is cut at whole records, and says what was cut. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { bounded } from "../../src/answers/budget.js";
import { failureResult, previewResult, successResult } from "../../src/answers/result.js";

const presentation = { upstream: "h.example", secrets: [], maxBytes: 2_000 };
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ index, name: `row ${index}` }));

it("leaves a small answer as it is, and the same object", () => {
  const value = { a: [1, 2], b: "x" };
  expect(bounded(value, 1_000)).toEqual({ value, cuts: [] });
  expect(bounded(value, 1_000).value).toBe(value);
});

it("cuts the longest list at whole records and counts what it leaves out", () => {
  const { value, cuts } = bounded({ data: rows(1_000), total: 1_000 }, 2_000);
  expect(JSON.stringify(value).length).toBeLessThanOrEqual(2_000);
  expect(value.data).toEqual(rows(1_000).slice(0, value.data.length));
  expect(cuts).toEqual([{ at: "data", kept: value.data.length, total: 1_000 }]);
});

it("stays within any bound, in 1,000 made-up answers, and does not touch the answer itself", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          name: fc.string({ maxLength: 300 }),
          tags: fc.array(fc.string({ maxLength: 20 }), { maxLength: 20 }),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      (data) => {
        const before = JSON.stringify(data);
        const { value, cuts } = bounded({ data }, 4_000);
        expect(JSON.stringify(value).length).toBeLessThanOrEqual(4_000);
        expect(cuts.length > 0).toBe(JSON.stringify({ data }).length > 4_000);
        expect(JSON.stringify(data)).toBe(before);
      },
    ),
    { numRuns: 1_000 },
  );
});

it("tells the assistant in a note how to see the rest", () => {
  const { structuredContent, content } = successResult({ status: 200, body: rows(1_000), notes: [] }, presentation);
  expect(structuredContent["notes"]).toEqual([
    expect.stringMatching(/^the answer: \d+ of 1000 are shown; ask for less/),
  ]);
  expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
});

it("shows a preview without the plan getting lost, however long it is", () => {
  const { structuredContent } = previewResult({ sample: rows(1_000) }, "plan_x", 0, presentation);
  expect(structuredContent).toMatchObject({
    approval: "required",
    confirm: "plan_x",
    expiresAt: "1970-01-01T00:00:00.000Z",
  });
});

it("shows nothing of an error that is not the project's own", () => {
  const { structuredContent, content, isError } = failureResult(new TypeError("secret path /etc/x"), presentation);
  expect(isError).toBe(true);
  expect(structuredContent).toMatchObject({ error: "internal" });
  expect(JSON.stringify(content)).not.toContain("secret path");
});
