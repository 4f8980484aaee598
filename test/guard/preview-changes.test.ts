/** Differences as a person reads them: items by their names, the same item before and after, and what is lost first. */
import { describe, expect, it } from "vitest";
import { changeLines, isLeftOut, linesByRecord } from "../../src/guard/preview/changes.js";
import type { ItemNotation } from "../../src/language/conduct.js";

const changesOf = (before: unknown, after: unknown, notation?: ItemNotation) =>
  changeLines(before, after, notation, (value) => value);
const linesOf = (...all: Parameters<typeof changesOf>) => changesOf(...all).map(({ member: _, ...line }) => line);
const textsOf = (before: unknown, after: unknown, notation?: ItemNotation) =>
  linesOf(before, after, notation).map(({ text }) => text);

describe("an item is called by", () => {
  it.each<[object, string]>([
    [{ id: 1, ttl: 5 }, "- list (id 1): ttl 5"],
    [{ ruleId: 1, ttl: 5 }, "- list (ruleId 1): ttl 5"],
    [{ ruleID: 1, ttl: 5 }, "- list (ruleID 1): ttl 5"],
    [{ rId: 1, ttl: 5 }, "- list (rId 1): ttl 5"],
    [{ ttl: 5, name: "a b" }, '- list (name "a b"): ttl 5'],
    [{ key: "k", ttl: 5 }, "- list (key k): ttl 5"],
    [{ path: "/p", ttl: 5 }, "- list (path /p): ttl 5"],
    [{ id: 1 }, "- list (id 1)"],
    [{ name: null, key: "k" }, "- list (key k): name null"],
    [{ name: { en: "x" }, key: "k" }, "- list (key k): name {en: x}"],
    [
      { ids: 1, idle: 2, names: 3, valid: 4, Id: 5, keys: 6, "a-Id": 7 },
      "- list: ids 1, idle 2, names 3, valid 4, Id 5, keys 6, a-Id 7",
    ],
    [{ ruleIds: 1 }, "- list: ruleIds 1"],
    [{ xId1: 1 }, "- list: xId1 1"],
    [{}, "- list"],
  ])("the first member that names it, or by its list: %j", (item, text) => {
    expect(textsOf({ list: [item] }, { list: [] })).toEqual([text]);
  });

  it.each<[unknown, string]>([
    ["x", "+ x"],
    [{ id: 1, ttl: 5 }, "+ (id 1): ttl 5"],
    [{ ttl: 5 }, "+ ttl 5"],
  ])("its value alone where the list is the whole: %j", (item, text) => {
    expect(textsOf([], [item])).toEqual([text]);
  });

  it.each<[unknown, string]>([
    ["x", "+ list: x"],
    [["x", 1], "+ list: [x, 1]"],
    [null, "+ list: null"],
  ])("its list and its value where it has no members: %j", (item, text) => {
    expect(linesOf({ list: [] }, { list: [item] })).toEqual([{ text, verb: "added", list: "list", rank: 0 }]);
  });
});

describe("an item in the notation of its field", () => {
  const notation: ItemNotation = {
    title: (list, { name }) => [name ?? "@", list.toUpperCase()],
    titled: ["name"],
    words: { target: "", ttl: "TTL" },
    usual: { active: true },
    rank: (list, item) => (list === "ns" ? 1 : item === undefined ? 7 : 3),
  };

  it("has its words in their order, and is silent on what is usual", () => {
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

  it("items stand by rank, and within a rank removed ones come first", () => {
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

describe("removed and added items are one that changes", () => {
  it("when they have one name, and each with the most similar one alone", () => {
    const before = [
      { name: "a", x: 1, y: 1, z: 1 },
      { name: "a", x: 2, y: 2, z: 2 },
      { name: "b", x: 1, y: 1, z: 1 },
    ];
    const after = [
      { name: "a", x: 2, y: 2, z: 9 },
      { name: "a", x: 1, y: 9, z: 1 },
      { name: "c", x: 1, y: 1, z: 1 },
    ];
    expect(textsOf({ l: before }, { l: after })).toEqual([
      "- l (name b): x 1, y 1, z 1",
      "l (name a): y 1 → 9",
      "l (name a): z 2 → 9",
      "l, in its new order: a, a, c",
      "+ l (name c): x 1, y 1, z 1",
    ]);
  });

  it("but not when nothing names them", () => {
    expect(textsOf({ l: [{ x: 1, y: 1 }, "s"] }, { l: [{ x: 1, y: 2 }, "t"] })).toEqual([
      "- l: x 1, y 1",
      "- l: s",
      "+ l: x 1, y 2",
      "+ l: t",
    ]);
  });

  it("and not when there are too many of one name to compare each with each", () => {
    const items = (count: number, start: number) =>
      Array.from({ length: count }, (_, at) => ({ name: "a", x: start + at }));
    const verbsOf = (removed: number, added: number) => [
      ...new Set(linesOf({ l: items(removed, 0) }, { l: items(added, 1_000) }).map(({ verb }) => verb)),
    ];
    expect(verbsOf(50, 50)).toEqual(["changed"]);
    expect(verbsOf(51, 50)).toEqual(["removed", "added"]);
  });

  it("a changed item lists its additions, removals and nested changes", () => {
    const before = { l: [{ name: "a", x: 1, gone: 2, in: { deep: 1 }, items: [{ name: "i", v: 1 }, { name: "j" }] }] };
    const after = { l: [{ name: "a", x: 2, new: 3, in: { deep: 2 }, items: [{ name: "i", v: 2 }, { name: "k" }] }] };
    const lines = linesOf(before, after);
    expect(lines.map(({ text }) => text)).toEqual([
      "- l (name a) gone: 2",
      "- l (name a) items (name j)",
      "l (name a): x 1 → 2",
      "l (name a) in.deep: 1 → 2",
      "l (name a) items (name i): v 1 → 2",
      "+ l (name a) items (name k)",
      "+ l (name a) new: 3",
    ]);
    expect(new Set(lines.map(({ list }) => list))).toEqual(new Set(["l"]));
  });

  it("a changed item has no line where only its nested values change", () => {
    const items = (deep: number) => ({ l: [{ name: "a", in: { deep } }] });
    expect(textsOf(items(1), items(2))).toEqual(["l (name a) in.deep: 1 → 2"]);
  });

  it("and are called by the name of the member where it is odd", () => {
    expect(textsOf({ l: [{ name: "a", "b c": 1 }] }, { l: [{ name: "a", "b c": 2 }] })).toEqual([
      'l (name a): "b c" 1 → 2',
    ]);
  });
});

it("says of two values that look alike that they differ", () => {
  const masked = (value: unknown) => (value === 1 || value === 2 ? "*" : { a: "*" });
  expect(changeLines({ a: 1 }, { a: 2 }, undefined, masked).map(({ text }) => text)).toEqual([
    'a: "*" → "*" (a different value)',
  ]);
});

it("differences show what comes, goes, changes or is only reordered", () => {
  expect(linesOf({ gone: 1, x: 1, l: [1, 2] }, { new: 2, x: 2, l: [2, 1] })).toEqual([
    { text: "- gone: 1", verb: "removed", list: "gone", rank: 0 },
    { text: "x: 1 → 2", verb: "changed", list: "x", rank: 0 },
    { text: "l, in its new order: 2, 1", verb: "changed", list: "l", rank: 0 },
    { text: "+ new: 2", verb: "added", list: "new", rank: 0 },
  ]);
  expect(linesOf({ a: [1] }, { a: [1] })).toEqual([]);
});

describe("the order of a list is shown", () => {
  const item = (name: string, x = 1) => ({ name, x });
  it.each<[string, unknown[], unknown[], string | undefined]>([
    ["where items change places", [item("a"), item("b")], [item("b"), item("a")], "b, a"],
    ["where a new item stands before others", [item("a")], [item("n"), item("a")], "n, a"],
    [
      "where a new item stands in the place of one that is gone",
      [item("a"), item("b")],
      [item("n"), item("b")],
      "n, b",
    ],
    ["where an item that changes goes elsewhere", [item("a"), item("b")], [item("b"), item("a", 2)], "b, a"],
    ["but not where new items stand at the end", [item("a")], [item("a"), item("n"), item("m")], undefined],
    ["nor where items go", [item("a"), item("b"), item("c")], [item("a"), item("c")], undefined],
    ["nor where one changes in its place", [item("a"), item("b")], [item("a", 2), item("b")], undefined],
    ["nor where nothing is left", [item("a"), item("b")], [], undefined],
  ])("%s", (_, before, after, names) => {
    const found = textsOf({ l: before }, { l: after }).filter((text) => text.includes("order"));
    expect(found).toEqual(names === undefined ? [] : [`l, in its new order: ${names}`]);
  });

  it("so that two other orders never look alike", () => {
    expect(textsOf([1, 2, 3], [3, 2, 1])).not.toEqual(textsOf([1, 2, 3], [2, 1, 3]));
  });

  it("but not of records in a notation of their own, which have none", () => {
    const notation: ItemNotation = { title: (list) => [list], titled: [], words: {} };
    expect(linesOf({ l: [1, 2] }, { l: [2, 1] }, notation)).toEqual([
      { text: "l: the same items in a different order", verb: "changed", list: "l", rank: 0 },
    ]);
    expect(textsOf({ l: [1, 2] }, { l: [3, 1, 2] }, notation)).toEqual(["+ l: 3"]);
  });
});

describe("what reads alike and differs is marked", () => {
  it.each<[string, unknown, unknown, string]>([
    ["case", "www.Example.com", "www.example.com", "only upper and lower case differ"],
    ["a final dot", "ns1.example", "ns1.example.", "only the final dot differs"],
    ["letters", "p\u0430y.example", "pay.example", "the characters look alike but differ"],
    ["digits", "paypa1", "paypal", "the characters look alike but differ"],
    ["the kind of value", 5, "5", "a different type of value"],
    ["null and an empty text", null, "", "a different type of value"],
  ])("%s", (_, from, to, how) => {
    expect(textsOf({ a: from }, { a: to })[0]).toMatch(new RegExp(`^a: .* → .* \\(${how}\\)$`));
  });

  it("and nothing else is", () => {
    expect(textsOf({ a: "x" }, { a: "y" })).toEqual(["a: x → y"]);
  });
});

it("members left out without a value come last, on one line", () => {
  const before = { a: null, b: "", d: {}, e: 0, f: false, g: 1 };
  expect(linesOf(before, { g: 2, h: null })).toEqual([
    { text: "- e: 0", verb: "removed", list: "e", rank: 0 },
    { text: "- f: false", verb: "removed", list: "f", rank: 0 },
    { text: "g: 1 → 2", verb: "changed", list: "g", rank: 0 },
    { text: "+ h: null", verb: "added", list: "h", rank: 0 },
    {
      text: 'left out, without a value now: a null, b "", d {}',
      verb: "emptied",
      list: "a",
      rank: 0,
    },
  ]);
});

it.each<[unknown, string]>([
  [{ x: 1 }, "- d: {x: 1}"],
  [{ x: null }, "- d: {x: null}"],
  [[0], "- d: 0"],
  [[""], '- d: ""'],
])("counts as lost what is left out with anything in it: %j", (d, text) => {
  expect(linesOf({ d, e: 1 }, { e: 1 })).toEqual([{ text, verb: "removed", list: "d", rank: 0 }]);
});

it("has the changes of one record on one line, each kind by itself", () => {
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

it("places a change by the member of the whole that it is in", () => {
  expect(linesOf({ a: { b: { c: 1 } } }, { a: { b: { c: 2 } } })).toEqual([
    { text: "a.b.c: 1 → 2", verb: "changed", list: "a", rank: 0 },
  ]);
});
