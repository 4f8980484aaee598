/** What a reader takes for the same is told apart: letters of other scripts, case, a final dot, values that stand for none. */
import { expect, it } from "vitest";
import { likeness, lookAlikeMark, lookOf } from "../../src/guard/preview/text.js";

it.each<[string, string]>([
  ["plain text, ~!", ""],
  ["Größe", ""],
  ["東京CDN", ""],
  ["Москва", ""],
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
