/** Differences as a person reads them: items by their names, the same item before and after, and what is lost first. */
import { describe, expect, it } from "vitest";
import type { ReviewForm } from "../../src/language/conduct.js";
import { isLeftOut, linesByRecord, review } from "../../src/language/review.js";
import { holdsForEach } from "../lab/laws.js";
import { sectionsOf } from "../lab/tables.js";

const changesOf = (before: unknown, after: unknown, form?: ReviewForm) => review(before, after, form).changes;
const linesOf = (...all: Parameters<typeof changesOf>) =>
  changesOf(...all).map(({ text, verb, list, rank }) => ({ text, verb, list, rank }));
const textsOf = (...all: Parameters<typeof changesOf>) => changesOf(...all).map(({ text }) => text);
const ignoredOf = (before: unknown, after: unknown, form?: ReviewForm) =>
  review(before, after, form).ignored.map(({ text, ignored }) => [ignored, text]);

/** The value before and after, and the lines of the difference, by what the case is about. */
const cases = [...sectionsOf("guard/differences.txt")];

it("each listed difference is rendered as recorded", () =>
  holdsForEach(cases, (_, [before = "", after = "", ...lines]) => {
    expect(textsOf(JSON.parse(before.slice(2)), JSON.parse(after.slice(2)))).toEqual(lines);
  }));

describe("an item in the notation of its field", () => {
  const notation: ReviewForm = {
    sets: "all",
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

it("long texts of a comparison are cut to what differs, not of a write", () => {
  const long = (at: number, letter: string) => `${"x".repeat(at)}${letter}${"x".repeat(1_000 - at)}`;
  for (const at of [0, 500, 999, 1_000]) {
    const [before, after] = [{ a: long(at, "b") }, { a: long(at, "c") }];
    const [line = ""] = textsOf(before, after);
    expect(line).toMatch(/b.* → .*c/);
    expect(line.length).toBeLessThan(150);
    expect(review(before, after, {}, (value) => value).changes[0]?.text).toContain(`${after.a}`);
  }
  expect(textsOf({}, { a: "x".repeat(2_001) })[0]).toMatch(/x{2000}… \(2,001 characters\)$/);
  expect(textsOf({}, { a: "x".repeat(2_000) })[0]).toMatch(/x{2000}$/);
});

it("two values that look alike are said to differ", () => {
  const masked = (value: unknown) => (value === 1 || value === 2 ? "*" : { a: "*" });
  expect(review({ a: 1 }, { a: 2 }, undefined, masked).changes.map(({ text }) => text)).toEqual([
    'a: "*" → "*" (a different value)',
  ]);
});

it("differences show what is added, removed, changed or only reordered", () => {
  expect(linesOf({ gone: 1, x: 1, l: [1, 2] }, { new: 2, x: 2, l: [2, 1] })).toEqual([
    { text: "- gone: 1", verb: "removed", list: "gone", rank: 0 },
    { text: "x: 1 → 2", verb: "changed", list: "x", rank: 0 },
    { text: "l: 2 moves from place 2 to place 1", verb: "changed", list: "l", rank: 0 },
    { text: "+ new: 2", verb: "added", list: "new", rank: 0 },
  ]);
  const nested = linesOf({ l: [{ name: "a", x: { y: 1 } }] }, { l: [{ name: "a", x: { y: 2 }, z: [1] }] });
  expect(new Set(nested.map(({ list }) => list))).toEqual(new Set(["l"]));
});

it("the order of a set is ignored and counted, of other lists it is not", () => {
  const form: ReviewForm = { sets: ["l"] };
  expect(textsOf({ l: [1, 2], o: [1, 2] }, { l: [2, 1], o: [2, 1] }, form)).toEqual([
    "o: 2 moves from place 2 to place 1",
  ]);
  expect(ignoredOf({ l: [1, 2] }, { l: [2, 1] }, form)).toEqual([["order", "l: the same items in another order"]]);
  expect(textsOf({ l: [1, 2] }, { l: [3, 1, 2] }, form)).toEqual(["+ l: 3"]);
  expect(ignoredOf({ l: [1, 2] }, { l: [3, 1, 2] }, form)).toEqual([]);
});

it("a member below the place of an ignored one counts", () => {
  const form: ReviewForm = { ignores: { id: "id", "made.at": "stamp" } };
  const value = (id: number) => ({
    id,
    options: { id },
    made: { at: id, on: { at: id } },
    at: id,
    l: [{ name: "a", id, x: { id } }],
  });
  expect(textsOf(value(1), value(2), form)).toEqual([
    "options.id: 1 → 2",
    "made.on.at: 1 → 2",
    "at: 1 → 2",
    "l (name a) x.id: 1 → 2",
  ]);
  expect(ignoredOf(value(1), value(2), form)).toEqual([
    ["id", "id: 1 → 2"],
    ["stamp", "made.at: 1 → 2"],
    ["id", "l (name a) id: 1 → 2"],
  ]);
});

it("names that every object has are names like others", () => {
  const names = ["constructor", "toString", "hasOwnProperty"];
  const form: ReviewForm = {
    nouns: { l: "rule" },
    words: { x: "X" },
    effects: { x: "caching" },
    ignores: { id: "id" },
  };
  const titles: ReviewForm = { ...form, title: (_, { name }) => [name], titled: ["name"] };
  for (const name of names) {
    const [before, after] = [1, 2].map((x) => ({ [name]: x, l: [{ name, x, [name]: x }] }));
    for (const one of [form, titles]) {
      expect(textsOf(before, after, one)).toHaveLength(2);
      expect(ignoredOf(before, after, one)).toEqual([]);
    }
  }
});

it("each item of a long list is titled a few times", () => {
  let count = 0;
  const form: ReviewForm = {
    title: (_, { name }) => {
      count += 1;
      return [name];
    },
    titled: ["name"],
  };
  const items = (x: number) => Array.from({ length: 1_000 }, (_, at) => ({ name: "a", x: x + at }));
  expect(textsOf({ l: items(0) }, { l: items(5_000) }, form)).toHaveLength(2_000);
  expect(count).toBeLessThan(20_000);
});

it("ids, stamps and defaults are ignored wherever they are, and listed", () => {
  const form: ReviewForm = { ignores: { uuid: "id", at: "stamp" }, usual: { on: true, "*": null } };
  const before = {
    rules: [
      { name: "a", uuid: 1, x: 1, in: [{ y: 1 }] },
      { name: "b", uuid: 2 },
    ],
    at: 5,
  };
  const after = {
    rules: [
      { name: "a", uuid: 8, x: 2, on: true, in: [{ y: 1, z: null }] },
      { name: "b", uuid: 9 },
    ],
  };
  expect(textsOf(before, after, form)).toEqual(["rules (name a): x 1 → 2"]);
  expect(ignoredOf(before, after, form)).toEqual([
    ["id", "rules (name a) uuid: 1 → 8"],
    ["default", "rules (name a) in z: none → null"],
    ["default", "rules (name a) on: none → true"],
    ["id", "rules (name b) uuid: 2 → 9"],
    ["stamp", "at: 5 → none"],
  ]);
  // An item without a name is the same where its differences are none.
  const sets: ReviewForm = { sets: ["s"] };
  expect(textsOf({ l: [{ s: [1, 2] }] }, { l: [{ s: [2, 1] }] }, sets)).toEqual([]);
  expect(ignoredOf({ l: [{ s: [1, 2] }] }, { l: [{ s: [2, 1] }] }, sets)).toEqual([
    ["order", "l s: the same items in another order"],
  ]);
  // Another value than the default is a change.
  expect(textsOf({}, { on: false }, form)).toEqual(["+ on: false"]);
});

it("an item that moves has one line, and a new one before others its place", () => {
  const of = (...names: readonly string[]) => ({ l: names.map((name) => ({ name })) });
  expect(textsOf(of("a", "b", "c", "d"), of("d", "a", "n", "b", "c"))).toEqual([
    "l (name d): moves from place 4 to place 1",
    "+ l (name n) at place 3",
  ]);
  expect(textsOf(of("a"), of("a", "n"))).toEqual(["+ l (name n)"]);
});

it("two items of an ordered list with one title are told apart by number", () => {
  const form: ReviewForm = { title: (_, { name }) => [name], titled: ["name"], joint: " › " };
  const of = (...ttls: readonly number[]) => ({ l: ttls.map((ttl) => ({ name: "a", in: { ttl } })) });
  expect(textsOf(of(1, 2), of(1, 3), form)).toEqual(["a (2) › in.ttl: 2 → 3"]);
  expect(textsOf(of(1, 2), of(1), { ...form, sets: "all" })).toEqual(["- a: in {ttl: 2}"]);
});

it("a change is about its nearest known name, or what its holder does", () => {
  const form: ReviewForm = {
    effects: { caching: "caching", origin: "origin", path: "holder" },
    apart: ["rules"],
  };
  const tree = (ttl: number, host: string, path: string) => ({
    rules: [
      { name: "origin", path, do: [{ name: "caching", ttl }], rules: [{ name: "x", do: [{ name: "origin", host }] }] },
    ],
  });
  const effectsOf = (before: unknown, after: unknown) => changesOf(before, after, form).map(({ effect }) => effect);
  expect(effectsOf(tree(1, "a", "/"), tree(2, "b", "/b"))).toEqual(["origin", "caching", "caching"]);
  expect(effectsOf({ a: 1 }, { a: 2 })).toEqual(["other"]);
});

it("members left out without a value come last, on one line", () => {
  const before = { a: null, b: "", d: {}, e: 0, f: false, g: 1 };
  expect(linesOf(before, { g: 2, h: null })).toEqual([
    { text: "- e: 0", verb: "removed", list: "e", rank: 0 },
    { text: "- f: false", verb: "removed", list: "f", rank: 0 },
    { text: "g: 1 → 2", verb: "changed", list: "g", rank: 0 },
    { text: "+ h: null", verb: "added", list: "h", rank: 0 },
    { text: 'left out, without a value now: a null, b "", d {}', verb: "changed", list: "a", rank: 0 },
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
