/** Differences as a person reads them: items by their names, the same item before and after, and what is lost first. */
import { describe, expect, it } from "vitest";
import type { ReviewForm } from "../../src/language/conduct.js";
import { isLeftOut, linesByRecord, review } from "../../src/language/review.js";
import { withMaskMarks } from "../../src/language/value-text.js";
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

it("what is no change is so at its path, not wherever its name is", () => {
  const form: ReviewForm = {
    ignores: { id: "id" },
    sets: ["in.l"],
    usual: { on: true },
    title: (_, { name }) => [name],
  };
  const of = (id: number, l: readonly number[], on: object) => ({ r: [{ name: "a", id, in: { l }, ...on }] });
  expect(textsOf(of(1, [1, 2], {}), of(2, [2, 1], { on: true }), form)).toEqual([]);
  const deep = (id: number, l: readonly number[], on: object) => ({
    r: [{ name: "a", l, at: { id, in: { l }, ...on } }],
  });
  expect(textsOf(deep(1, [1, 2], {}), deep(2, [2, 1], { on: true }), { ...form, titled: ["name"] })).toEqual([
    "a l: 2 moves from place 2 to place 1",
    "a at.id: 1 → 2",
    "a at.in.l: 2 moves from place 2 to place 1",
    "+ a at.on: true",
  ]);
});

it("a list that has an order among the sets shows it", () => {
  const form: ReviewForm = { sets: ["l"], ordered: (list) => list.every((one) => typeof one === "number") };
  expect(textsOf({ l: ["a", "b"] }, { l: ["b", "a"] }, form)).toEqual([]);
  expect(textsOf({ l: [1, 25] }, { l: [25, 1] }, form)).toEqual(["l: 25 moves from place 2 to place 1"]);
  expect(textsOf({ r: [{ l: [1, 25] }] }, { r: [{ l: [25, 1] }] }, form)).toEqual([
    ...["- r: l [1, 25]", "+ r: l [25, 1]"],
  ]);
});

it("a name that every object has is no entry of a table", () => {
  const names = ["constructor", "toString", "__proto__"];
  const form: ReviewForm = {
    title: (_, { name }) => [name],
    nouns: {},
    words: {},
    ignores: {},
    usual: {},
    effects: {},
  };
  const of = (value: number) =>
    JSON.parse(`{${names.map((name) => `"${name}": [{"name": "${name}", "${name}": ${value}}]`).join()}}`);
  const changes = changesOf(of(1), of(2), { ...form, titled: ["name"] });
  expect(changes.map(({ text, effect }) => [text, effect])).toEqual(
    names.map((name) => [`${name}: ${name} 1 → 2`, "other"]),
  );
  const odd = { toString: 1, valueOf: 1 };
  expect(changesOf({ a: [{ name: odd }] }, {}, form).map(({ effect }) => effect)).toEqual(["other"]);
  expect(textsOf({ a: "x" }, { a: odd })).toEqual(["a: x → {toString: 1, valueOf: 1}"]);
});

it("a secret with members is written as one mask, and its change said", () => {
  const shown = (value: unknown) => ({ ...(value as object), s: "***" });
  const says = (before: unknown, after: unknown) =>
    review({ s: before }, { s: after }, {}, (value) => withMaskMarks(value, shown(value))).changes.map(
      ({ text }) => text,
    );
  expect(says(["a", "b"], ["a", "c", "d"])).toEqual(["s: *** → *** (a different value)"]);
  expect(says({ a: 1 }, { a: 2, b: 3 })).toEqual(["s: *** → *** (a different value)"]);
  expect(says({ a: 1 }, { a: 1 })).toEqual([]);
  const list = (value: unknown) => withMaskMarks(value, { l: ["***", "***"] });
  const { changes, ignored } = review({ l: ["a", "b"] }, { l: ["a", "c"] }, {}, list);
  expect(changes.map(({ text }) => text)).toEqual(["- l: ***", "+ l: ***"]);
  expect(ignored).toEqual([]);
  const stamp = review({ s: "a" }, { s: "b" }, { ignores: { s: "stamp" } }, (value) =>
    withMaskMarks(value, shown(value)),
  );
  expect(stamp.ignored.map(({ text }) => text)).toEqual(["s: *** → *** (a different value)"]);
});

it("what a record is about is read once for all of its members", () => {
  let reads = 0;
  const counted = {
    get name() {
      reads += 1;
      return "cache";
    },
  };
  const of = (value: number) => ({
    do: [counted],
    when: Array.from({ length: 100 }, (_, at) => ({ name: `${at}`, value })),
  });
  const changes = changesOf(of(1), of(2), {
    effects: { cache: "caching", when: "holder" },
    title: (_, { name }) => [name],
    titled: ["name"],
  });
  expect(new Set(changes.map(({ effect }) => effect))).toEqual(new Set(["caching"]));
  expect(reads).toBeLessThan(100);
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
