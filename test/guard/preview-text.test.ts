/** How a preview writes values: one line each, none that reads like another one, and a secret by its mask alone. */
import { describe, expect, it } from "vitest";
import { behind, clipped, single, together } from "../../src/guard/preview/entry.js";
import {
  countOf,
  isScalar,
  likeness,
  lookAlikeMark,
  lookOf,
  memberForms,
  nameOf,
  placeOf,
  withMasks,
  written,
} from "../../src/guard/preview/text.js";
import { z } from "../../src/language/z.js";

it("masking secrets leaves everything else in a value as it is", () => {
  const raw = { a: null, b: [null, 1], c: "x", d: { e: undefined } };
  expect(withMasks(raw, structuredClone(raw))).toEqual(raw);
  expect(withMasks(null, null)).toBeNull();
  expect(withMasks(raw, raw)).toBe(raw);
});

describe("a value is written", () => {
  it.each<[unknown, string]>([
    ["www.example.com", "www.example.com"],
    ["https://a.example/x?y=1&z=%20#f~+*$!-", "https://a.example/x?y=1&z=%20#f~+*$!-"],
    ["_dmarc", "_dmarc"],
    ["@", "@"],
    ["", '""'],
    ["a b", '"a b"'],
    ["-x", '"-x"'],
    ["a,b", '"a,b"'],
    ['a"b', '"a\\"b"'],
    ["[secret, 5 characters]", '"[secret, 5 characters]"'],
    ["true", '"true"'],
    ["False", '"False"'],
    ["null", '"null"'],
    ["5", '"5"'],
    ["5.25", '"5.25"'],
    ["1e9", '"1e9"'],
    ["1E-90", '"1E-90"'],
    ["5.", "5."],
    ["15a", "15a"],
    ["a15", "a15"],
    ["truest", "truest"],
    [5, "5"],
    [true, "true"],
    [null, "null"],
    [undefined, "undefined"],
    [[], "[]"],
    [["a", 5, "5"], '[a, 5, "5"]'],
    [{}, "{}"],
    [{ a: "x", "b c": [1] }, '{a: x, "b c": [1]}'],
  ])("%j as %s", (value, text) => {
    expect(written(value)).toBe(text);
  });

  it("with the letters that are not what they look like", () => {
    expect(written("www.münchen.example")).toBe('"www.münchen.example"');
    expect(written("\uff41pple")).toBe('"\uff41pple" (look-alike letters: \uff41 is U+FF41)');
  });

  it("with a mark where it is its schema's default", () => {
    const forms = [z.string().default("remove"), z.string()];
    expect(written("remove", forms)).toBe("remove (default)");
    expect(written("a b", [z.string().default("a b")])).toBe('"a b" (default)');
    expect(written("invalidate", forms)).toBe("invalidate");
    expect(written(5, [z.int().prefault(5)])).toBe("5 (default)");
    expect(written(["a"], [z.array(z.string()).default(["a"])])).toBe("[a] (default)");
    expect(written({ a: 1 }, [z.object({ a: z.int() }).default({ a: 1 })])).toBe("{a: 1} (default)");
    expect(written({ a: 1 }, [z.object({ a: z.int().default(1) })])).toBe("{a: 1 (default)}");
    expect(written([1, 2], [z.array(z.int().default(1))])).toBe("[1 (default), 2]");
  });

  it("a secret is written as its mask, and a lookalike in quotes", () => {
    const raw = { key: "hunter2", note: "[secret, 7 characters]", list: [{ key: "k" }, "x"] };
    const seen = { key: "[secret, 7 characters]", note: raw.note, list: [{ key: "[secret, 1 characters]" }, "x"] };
    const value = withMasks(raw, seen);
    expect(written(value)).toBe(
      '{key: [secret, 7 characters], note: "[secret, 7 characters]", list: [{key: [secret, 1 characters]}, x]}',
    );
    expect(isScalar((value as { key: unknown }).key)).toBe(true);
    expect(withMasks({ a: 1 }, "[secret, 7 characters]")).not.toBe("[secret, 7 characters]");
    expect(withMasks("same", "same")).toBe("same");
  });
});

it.each<[unknown, boolean]>([
  ["a", true],
  [5, true],
  [null, true],
  [undefined, true],
  [[], true],
  [{}, true],
  [[1], false],
  [{ a: 1 }, false],
])("takes %j for one word: %s", (value, expected) => {
  expect(isScalar(value)).toBe(expected);
});

it("never writes two places alike", () => {
  expect(placeOf(["a", "b", 0, "c_d-e$@1"])).toBe("a.b[0].c_d-e$@1");
  expect(placeOf([0, "a"])).toBe("[0].a");
  expect(placeOf([])).toBe("");
  expect(placeOf(["a.b"])).toBe('"a.b"');
  expect(placeOf(["a", "[0]", "b c", ""])).toBe('a."[0]"."b c".""');
  expect(nameOf("a: b")).toBe('"a: b"');
});

it("knows the form of an item by its place in a tuple alone", () => {
  const item = z.object({ a: z.int() });
  const listed = [z.array(item)];
  expect(memberForms(listed, 0)).toContain(item);
  expect(memberForms(listed, 7)).toBe(memberForms(listed, 0));
  const [first, second] = [z.string(), z.int()];
  const pair = [z.tuple([first, second])];
  expect([memberForms(pair, 0)[0], memberForms(pair, 1)[0]]).toEqual([first, second]);
});

it.each([
  [0, "0 URLs"],
  [1, "1 URL"],
  [2, "2 URLs"],
  [12_345, "12,345 URLs"],
])("counts %i as %s", (count, text) => {
  expect(countOf(count, "URL")).toBe(text);
});

it("never writes two spaces alike on a line", () => {
  const spaces = [..." \u00a0\u1680\u2002\u2003\u2009\u200a\u202f\u205f\u3000"];
  const lines = spaces.map((space) => single(`a${space}b`).lines[0]?.text);
  expect(lines.slice(0, 3)).toEqual(["a b", "a[U+00A0]b", "a[U+1680]b"]);
  expect(lines.filter((line) => line?.replaceAll(/\s/gu, " ") === "a b")).toEqual(["a b"]);
});

describe("a long text", () => {
  it("is cut at its end and says how long it is, and one that fits stays", () => {
    expect(clipped("x".repeat(240))).toBe("x".repeat(240));
    expect(clipped("x".repeat(1_241))).toBe(`${"x".repeat(210)}… (1,241 characters)`);
    expect(clipped("abc", 3)).toBe("abc");
  });

  it("is not cut within a character", () => {
    expect(clipped(`${"x".repeat(209)}😀${"y".repeat(100)}`)).toBe(`${"x".repeat(209)}… (311 characters)`);
    expect(clipped(`${"x".repeat(208)}😀${"y".repeat(100)}`)).toBe(`${"x".repeat(208)}😀… (310 characters)`);
  });

  it("is a whole line of the preview, and a part of one in the short form", () => {
    const text = "x".repeat(300);
    expect(single(text, "change")).toEqual({
      lines: [{ text, is: "changed" }],
      brief: [{ text, whole: 1, is: "change" }],
      short: [{ text: `${"x".repeat(210)}… (300 characters)`, whole: 0, is: "change" }],
    });
    const brief = [{ text: "short", whole: 1 }];
    expect(single("short")).toStrictEqual({ lines: [{ text: "short", is: "request" }], brief, short: brief });
    expect(single("a\nAccount: other").lines).toHaveLength(1);
  });
});

it("parts join, and one sentence stands for their lines in a question", () => {
  const parts = together([single("one"), single("two", "warning")]);
  const both = [
    { text: "one", whole: 1 },
    { text: "two", whole: 1, is: "warning" },
  ];
  const lines = [
    { text: "one", is: "request" },
    { text: "two", is: "warning" },
  ];
  expect(parts).toStrictEqual({ lines, brief: both, short: both });
  const sentence = [{ text: "Two lines.", whole: 2 }];
  expect(behind(parts, "Two lines.")).toStrictEqual({
    lines: lines.map((line) => ({ ...line, behind: "Two lines." })),
    brief: sentence,
    short: sentence,
  });
  expect(behind(single("one"), "One line.").lines).toStrictEqual(single("one").lines);
});

it.each<[string, string]>([
  ["plain text, ~!", ""],
  ["東京CDN Größe", ""],
  ["\u0432\u0445\u043e\u0434 login", ""],
  ["\u0430", " (look-alike letters: \u0430 is U+0430)"],
  ["shop-\u0430\u0440\u0440.example", " (look-alike letters: \u0430 is U+0430, \u0440 is U+0440)"],
  ["a\u0434", " (look-alike letters: \u0434 is U+0434)"],
  ["\u0430\u0441\u0435x", " (look-alike letters: \u0430 is U+0430, \u0441 is U+0441, \u0435 is U+0435)"],
  ["\u0430\u0441\u0435\u043ex", " (look-alike letters: \u0430 is U+0430, \u0441 is U+0441, \u0435 is U+0435, …)"],
  ["\u{1d41a}bc", " (look-alike letters: \u{1d41a} is U+1D41A)"],
  ["e\u0301 x", ""],
  ["\u03bf", " (look-alike letters: \u03bf is U+03BF)"],
  ["\u0430\u0301", " (look-alike letters: \u0430 is U+0430)"],
  ["1\u0434", ""],
])("marks the letters of %j that stand where a Latin one is expected", (text, mark) => {
  expect(lookAlikeMark(text)).toBe(mark);
});

it("has one look for what is drawn alike, and another for the rest", () => {
  for (const [one, other] of [
    ["PayPa1", "paypal"],
    ["p\u0430y", "pay"],
    ["\uff41b", "ab"],
    ["a.", "a"],
    ["o0", "0o"],
    ["|I1l", "llll"],
    [null, ""],
    [undefined, null],
    [5, "5"],
    [true, "TRUE"],
  ] as const)
    expect([one, lookOf(one)]).toEqual([one, lookOf(other)]);
  for (const [one, other] of [
    ["a", "b"],
    [".a", "a"],
    ["a..", "a"],
    ["a b", "ab"],
    [0, ""],
    [false, ""],
  ] as const)
    expect(lookOf(one)).not.toBe(lookOf(other));
});

it.each<[unknown, unknown, string | undefined]>([
  ["a", "a", undefined],
  ["a", "b", undefined],
  ["a", "A", "only upper and lower case differ"],
  ["a.", "a", "only the final dot differs"],
  ["a", "a.", "only the final dot differs"],
  ["A.", "a", "the characters look alike but differ"],
  ["l", "1", "the characters look alike but differ"],
  [5, "5", "a different type of value"],
  ["5", 5, "a different type of value"],
  [null, undefined, "a different type of value"],
])("says how %j and %j differ", (one, other, how) => {
  expect(likeness(one, other)).toBe(how);
});
