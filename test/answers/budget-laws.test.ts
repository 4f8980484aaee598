/** Shaping keeps its promises for values of any shape: within the bound, marked where it is cut, and whole where it is not. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Truncation, truncateValue } from "../../src/answers/budget.js";
import { successResult } from "../../src/answers/result.js";
import { estimateTokens } from "../../src/answers/tokens.js";
import { pathTo } from "../../src/language/member.js";
import { showHidden } from "../../src/secrets/held-secrets.js";
import { cutMark, hasCutMark } from "../../src/text/marks.js";
import { runs } from "../lab/depth.js";

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 60 }) },
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "日本語".repeat(200),
    "\u200b\u0085\u0001".repeat(90),
    '"\\\n'.repeat(300),
    "😀".repeat(150),
    "__proto__",
  ),
);
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    text,
    fc.integer(),
    // JSON writes -0 as 0.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 40 }),
    fc.dictionary(text, tie("value"), { maxKeys: 40 }),
  ),
}));
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Holds a shown value to be the beginning of a whole one, with a mark wherever the next of the cuts is, and only there. */
function holdTo(shown: unknown, whole: unknown, at: string, cuts: Truncation[]): void {
  const cut = cuts[0]?.at === (at || "the result") && shown !== whole ? cuts.shift() : undefined;
  const mark = cut && cutMark(cut.kept, cut.total);
  if (typeof whole === "string") {
    expect(cut?.total ?? whole.length).toBe(whole.length);
    expect(shown).toBe(whole.slice(0, cut?.kept) + (mark ?? ""));
  } else if (typeof whole !== "object" || whole === null) expect(shown).toBe(whole);
  else {
    const members = Object.entries(whole);
    const left = Object.entries(shown as object);
    expect(Array.isArray(shown)).toBe(Array.isArray(whole));
    expect(cut?.total ?? members.length).toBe(members.length);
    expect(left).toHaveLength(cut ? cut.kept + 1 : members.length);
    if (cut)
      expect(Array.isArray(shown) ? shown.at(-1) : left.at(-1)).toEqual(Array.isArray(shown) ? mark : [mark, true]);
    for (const [index, [key, member]] of left.slice(0, cut?.kept).entries()) {
      expect(key).toBe(members[index]?.[0]);
      holdTo(member, members[index]?.[1], pathTo(at, Array.isArray(whole) ? index : key), cuts);
    }
  }
}

it("a cut value: within the bound, marked where it is cut", () => {
  fc.assert(
    fc.property(anyValue, fc.integer({ min: 64, max: 4_000 }), (value, maxBytes) => {
      const before = JSON.stringify(value);
      const { value: shown, cuts } = truncateValue(value, maxBytes);
      expect(bytesOf(shown)).toBeLessThanOrEqual(maxBytes);
      expect(JSON.stringify(value)).toBe(before);
      if (cuts.length === 0) expect(shown).toBe(value);
      const left = [...cuts];
      holdTo(shown, value, "", left);
      expect(left).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

it("a value that fits to the byte is not cut, one byte more is", () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      // Each text for itself, as an answer shows it: in the JSON, a text's first character stands behind a quote.
      fc.pre(showHidden(value).count === 0);
      const size = bytesOf(value);
      fc.pre(size > 64);
      expect(truncateValue(value, size).cuts).toEqual([]);
      expect(truncateValue(value, size - 1).cuts).not.toEqual([]);
    }),
    { numRuns: runs(100), examples: [[{ "\ufe00": "x".repeat(100) }]] },
  );
});

it("a result is within its tokens, and says that it is cut", () => {
  fc.assert(
    fc.property(anyValue, (body) => {
      const { structuredContent, content } = successResult(
        { status: 200, body, notes: [] },
        { upstream: "h", secrets: [], maxTokens: 600 },
      );
      const data = structuredContent["data"];
      const text = content[0]?.text ?? "";
      expect(estimateTokens(JSON.stringify(structuredContent))).toBeLessThanOrEqual(600);
      expect(estimateTokens(text)).toBeLessThanOrEqual(600);
      expect(structuredContent["cut"] ?? false).toBe(hasCutMark(JSON.stringify(data)));
      expect(text.startsWith("HTTP 200 (h), truncated.")).toBe(hasCutMark(text));
      expect(JSON.stringify(data)).not.toMatch(/[\u200b\u0085\u2028]|(?<!\\)(?:\\\\)*\\u00/);
    }),
    { numRuns: runs(100), examples: [["a backslash and u00: \\u00"]] },
  );
});
