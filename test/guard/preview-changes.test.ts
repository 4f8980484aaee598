/** Differences as a person reads them: items by their names, the same item before and after, and what is lost first. */
import { describe, expect, it } from "vitest";
import { changeLines, isLeftOut, linesByRecord } from "../../src/guard/preview/changes.js";
import type { ItemNotation } from "../../src/language/conduct.js";
import { holdsForEach } from "../lab/laws.js";
import { sectionsOf } from "../lab/tables.js";

const changesOf = (before: unknown, after: unknown, notation?: ItemNotation) =>
  changeLines(before, after, notation, (value) => value);
const linesOf = (...all: Parameters<typeof changesOf>) => changesOf(...all).map(({ member: _, ...line }) => line);
const textsOf = (before: unknown, after: unknown, notation?: ItemNotation) =>
  linesOf(before, after, notation).map(({ text }) => text);

/** The value before and after, and the lines of the difference, by what the case is about. */
const cases = [...sectionsOf("guard/differences.txt")];

it("each listed difference is rendered as recorded", () =>
  holdsForEach(cases, (_, [before = "", after = "", ...lines]) => {
    expect(textsOf(JSON.parse(before.slice(2)), JSON.parse(after.slice(2)))).toEqual(lines);
  }));

describe("an item in the notation of its field", () => {
  const notation: ItemNotation = {
    title: (list, { name }) => [name ?? "@", list.toUpperCase()],
    titled: ["name"],
    words: { target: "", ttl: "TTL" },
    usual: { active: true },
    rank: (list, item) => (list === "ns" ? 1 : item === undefined ? 7 : 3),
  };

  it("an item is written in the declared order, without usual values", () => {
    const a = { ttl: 300, name: "www", active: true, target: "192.0.2.1", note: "x" };
    expect(textsOf({ a: [] }, { a: [a] }, notation)).toEqual(["+ www A 192.0.2.1 TTL 300 note x"]);
    expect(textsOf({ a: [{ ...a, active: false }] }, { a: [] }, notation)).toEqual([
      "- www A 192.0.2.1 TTL 300 active false note x",
    ]);
    expect(textsOf({ a: [{ name: "www" }] }, { a: [] }, notation)).toEqual(["- www A"]);
    expect(textsOf({ a: [a] }, { a: [{ ...a, ttl: 60, target: "192.0.2.2" }] }, notation)).toEqual([
      "www A: TTL 300 → 60, target 192.0.2.1 → 192.0.2.2",
    ]);
  });

  it("items are sorted by rank, and removed ones come first in a rank", () => {
    const before = { serial: 1, a: [{ name: "x" }, { name: "y", ttl: 1 }, "odd"], ns: [] };
    const after = { serial: 2, a: [{ name: "y", ttl: 2 }, { name: "z" }], ns: [{ target: "n" }] };
    expect(linesOf(before, after, notation)).toEqual([
      { text: "+ @ NS n", verb: "added", list: "ns", rank: 1 },
      { text: "- x A", verb: "removed", list: "a", rank: 3 },
      { text: "y A: TTL 1 → 2", verb: "changed", list: "a", rank: 3 },
      { text: "+ z A", verb: "added", list: "a", rank: 3 },
      { text: "- a: odd", verb: "removed", list: "a", rank: 7 },
      { text: "serial: 1 → 2", verb: "changed", list: "serial", rank: 7 },
    ]);
  });
});

it("too many items of one name are not compared pairwise", () => {
  const items = (count: number, start: number) =>
    Array.from({ length: count }, (_, at) => ({ name: "a", x: start + at }));
  const verbsOf = (removed: number, added: number) => [
    ...new Set(linesOf({ l: items(removed, 0) }, { l: items(added, 1_000) }).map(({ verb }) => verb)),
  ];
  expect(verbsOf(50, 50)).toEqual(["changed"]);
  expect(verbsOf(51, 50)).toEqual(["removed", "added"]);
});

it("two values that look alike are said to differ", () => {
  const masked = (value: unknown) => (value === 1 || value === 2 ? "*" : { a: "*" });
  expect(changeLines({ a: 1 }, { a: 2 }, undefined, masked).map(({ text }) => text)).toEqual([
    'a: "*" → "*" (a different value)',
  ]);
});

it("differences show what is added, removed, changed or only reordered", () => {
  expect(linesOf({ gone: 1, x: 1, l: [1, 2] }, { new: 2, x: 2, l: [2, 1] })).toEqual([
    { text: "- gone: 1", verb: "removed", list: "gone", rank: 0 },
    { text: "x: 1 → 2", verb: "changed", list: "x", rank: 0 },
    { text: "l, in its new order: 2, 1", verb: "changed", list: "l", rank: 0 },
    { text: "+ new: 2", verb: "added", list: "new", rank: 0 },
  ]);
  const nested = linesOf({ l: [{ name: "a", x: { y: 1 } }] }, { l: [{ name: "a", x: { y: 2 }, z: [1] }] });
  expect(new Set(nested.map(({ list }) => list))).toEqual(new Set(["l"]));
});

it("items with their own notation have no order", () => {
  const notation: ItemNotation = { title: (list) => [list], titled: [], words: {} };
  expect(linesOf({ l: [1, 2] }, { l: [2, 1] }, notation)).toEqual([
    { text: "l: the same items in a different order", verb: "changed", list: "l", rank: 0 },
  ]);
  expect(textsOf({ l: [1, 2] }, { l: [3, 1, 2] }, notation)).toEqual(["+ l: 3"]);
});

it("members left out without a value come last, on one line", () => {
  const before = { a: null, b: "", d: {}, e: 0, f: false, g: 1 };
  expect(linesOf(before, { g: 2, h: null })).toEqual([
    { text: "- e: 0", verb: "removed", list: "e", rank: 0 },
    { text: "- f: false", verb: "removed", list: "f", rank: 0 },
    { text: "g: 1 → 2", verb: "changed", list: "g", rank: 0 },
    { text: "+ h: null", verb: "added", list: "h", rank: 0 },
    { text: 'left out, without a value now: a null, b "", d {}', verb: "emptied", list: "a", rank: 0 },
  ]);
});

it("changes of one record are on one line for each kind of change", () => {
  const before = { a: 1, at: { x: 1, y: "u v", z: 3 }, l: ["k"], other: { x: 1 } };
  const changes = changesOf(before, { at: { z: 4, n: 5, m: null }, l: [], other: { x: 2 } });
  expect(linesByRecord(changes)).toEqual([
    { text: "- a: 1", whole: 1 },
    { text: '- at: x 1, y "u v"', whole: 2 },
    { text: "- l: k", whole: 1 },
    { text: "at.z: 3 → 4", whole: 1 },
    { text: "other.x: 1 → 2", whole: 1 },
    { text: "+ at: n 5, m null", whole: 2 },
  ]);
  expect(changes.map(isLeftOut)).toEqual([true, true, true, false, false, false, false, false]);
  expect(linesByRecord(changesOf({ a: 1, b: 2 }, {}))).toEqual([{ text: "- a 1, b 2", whole: 2 }]);
});
