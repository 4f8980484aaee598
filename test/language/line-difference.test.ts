/** How values, facts and lists of named items differ, line by line. */
import { expect, it } from "vitest";
import {
  activationDifference,
  changeIn,
  factDifference,
  factsIn,
  itemDifference,
  limitLines,
  movedIn,
} from "../../src/language/line-difference.js";

const facts = (value: unknown) => new Map(factsIn(value));
const named = (...names: readonly string[]) => names.map((name) => ({ name, value: {} }));

it("facts are shown as removed, changed and added, in this order", () => {
  const [before, after] = [
    { a: 1, deep: { b: "x", c: true } },
    { deep: { b: "y", c: true }, d: "5" },
  ];
  expect(factDifference(facts(before), facts(after))).toEqual(["- a: 1", "deep.b: x → y", '+ d: "5"']);
});

it("facts tell a number from its text, and no text from the word none", () => {
  const [before, after] = [
    { a: 5, b: "", c: "true" },
    { a: "5", b: "none", c: true },
  ];
  expect(factDifference(facts(before), facts(after))).toEqual(['a: 5 → "5"', 'b: none → "none"', 'c: "true" → true']);
});

it("a list shows the items that it gains and loses, or its order", () => {
  const of = (list: readonly unknown[]) => facts({ list });
  expect(factDifference(of(["/a", "/b", "/b"]), of(["/b", "/c"]))).toEqual(["list: /a, /b removed, /c added"]);
  expect(factDifference(of([1, 2]), of([2, 1]))).toEqual(["list: [1,2] → [2,1]"]);
});

it("long texts show the part that differs, wherever it is", () => {
  const long = (at: number, letter: string) => `${"x".repeat(at)}${letter}${"x".repeat(1_000 - at)}`;
  for (const at of [0, 500, 999, 1_000]) {
    const [line = ""] = factDifference(facts({ a: long(at, "b") }), facts({ a: long(at, "c") }));
    expect(line).toMatch(/b.* → .*c/);
    expect(line.length).toBeLessThan(150);
  }
});

it("a line of a difference is removed, added or changed", () => {
  const lines = [
    ...factDifference(facts({ a: 1, b: "x", l: [1, 2] }), facts({ b: "y - + z", l: [2, 3], d: 5 })),
    ...factDifference(facts({ l: [1, 2] }), facts({ l: [2] })),
    ...itemDifference("rule", named("a", "b", "c"), named("c", "a", "d"), { isOrdered: true }),
  ];
  expect(lines.map(changeIn)).toEqual([
    ...["removed", "changed", "changed", "added", "changed"],
    ...["removed", "changed", "added"],
  ]);
  const others = activationDifference({ from: 1, to: 2, where: "STAGING" }, [], "The rules are the same.");
  const [more = ""] = limitLines(
    Array.from({ length: 600 }, () => "+ a"),
    "",
  ).slice(-1);
  expect([...others, more].map(changeIn)).toEqual([undefined, undefined, undefined]);
});

it("items are paired by name, and shown whole if added or removed", () => {
  const before = [
    { name: "a", value: { to: "/1", deep: { x: 1 } } },
    { name: "b", value: { to: "/2" } },
    { name: "b", value: { to: "/3" } },
  ];
  const after = [
    { name: "a", value: { to: "/9", deep: { x: 1 } } },
    { name: "b", value: { to: "/2" } },
    { name: "c", value: { to: "/3", deep: { x: 1 } } },
  ];
  expect(itemDifference("rule", before, after)).toEqual([
    "- rule b (2): to /3",
    "rule a.to: /1 → /9",
    "+ rule c: to /3, deep.x 1",
  ]);
});

it("only items in another order are said to move", () => {
  const [before, after] = [named("a", "b", "c", "d"), named("d", "a", "b", "new", "c")];
  expect(itemDifference("rule", before, after, { isOrdered: true })).toEqual([
    "rule d: moves from place 4 to place 1",
    "+ rule new at place 4",
  ]);
  expect(itemDifference("rule", before, named("d", "a", "b", "c"))).toEqual([]);
  expect(movedIn(["a", "b"], ["x", "a", "y", "b"])).toEqual([]);
});

const where = "STAGING";
it("an activation says which version replaces which", () => {
  expect(activationDifference({ from: 1, to: 2, where, of: "queue" }, ["+ a"], "Same.")).toEqual([
    "From version 1 to version 2 of queue on STAGING:",
    "+ a",
  ]);
  expect(activationDifference({ from: undefined, to: 2, where }, [], "It has no rules.")).toEqual([
    "No version is active on STAGING now, so all of it is new there:",
    "It has no rules.",
  ]);
  expect(activationDifference({ from: "2", to: 2, where }, undefined, "Same.")).toEqual([
    "Version 2 is active on STAGING already, so nothing changes.",
  ]);
  expect(activationDifference({ from: 1, to: 2, where }, undefined, "Same.")[1]).toMatch(/could not be read/);
});

it("an activation with very many lines shows the first and a count", () => {
  expect(limitLines(Array.from({ length: 501 }, String), "").at(-1)).toBe("And 1 more.");
  expect(limitLines(["a"], "")).toEqual(["a"]);
});
