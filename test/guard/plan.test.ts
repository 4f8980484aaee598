/** What plans are made of: hashes that tell requests and states apart, and the differences that a preview shows. */
import { describe, expect, it } from "vitest";
import { compare, differences, requestHash, stateHash } from "../../src/guard/difference.js";
import { noAnswers } from "../lab/checked.js";

describe("hashes", () => {
  const request = {
    method: "POST",
    url: new URL("https://h.example/a?b=1"),
    headers: { accept: "x", "content-type": "y" },
    body: new TextEncoder().encode("body"),
    answers: noAnswers,
  };
  it("tell requests apart by everything that decides what they do", () => {
    const others = [
      { ...request, method: "PUT" },
      { ...request, url: new URL("https://h.example/a?b=2") },
      { ...request, url: new URL("https://other.example/a?b=1") },
      { ...request, headers: { ...request.headers, "content-type": "z" } },
      { ...request, headers: { ...request.headers, accept: "z" } },
      { ...request, headers: { ...request.headers, "if-match": '"1"' } },
      { ...request, headers: { ...request.headers, "if-match": '"2"' } },
      { ...request, body: new TextEncoder().encode("bodY") },
    ];
    expect(new Set([request, ...others].map(requestHash)).size).toBe(9);
    expect(requestHash({ ...request })).toBe(requestHash(request));
  });

  it("do not depend on the order of keys", () => {
    expect(stateHash({ a: 1, b: { c: 2, d: 3 } })).toBe(stateHash({ b: { d: 3, c: 2 }, a: 1 }));
    expect(stateHash({ a: [1, 2] })).not.toBe(stateHash({ a: [2, 1] }));
  });
});

it("reports what would change, record by record", () => {
  const now = {
    name: "z",
    soa: { serial: 1, ttl: 9 },
    a: [
      { name: "x", target: "1" },
      { name: "y", target: "2" },
    ],
    txt: [{ name: "t" }],
  };
  const then = {
    name: "z",
    soa: { serial: 2, ttl: 9 },
    a: [
      { target: "2", name: "y" },
      { name: "x", target: "3" },
    ],
    mx: [{ name: "m" }],
  };
  expect(differences(now, then)).toEqual([
    { at: "soa.serial", from: 1, to: 2 },
    {
      at: "a",
      addedCount: 1,
      removedCount: 1,
      added: [{ name: "x", target: "3" }],
      removed: [{ name: "x", target: "1" }],
    },
    { at: "txt", addedCount: 0, removedCount: 1, added: [], removed: [{ name: "t" }] },
    { at: "mx", addedCount: 1, removedCount: 0, added: [{ name: "m" }], removed: [] },
  ]);
  expect(differences(now, structuredClone(now))).toEqual([]);
});

it("counts all records that would come and go, and shows five of them", () => {
  const records = (name: string) => Array.from({ length: 1_000 }, (_, index) => `${name}${index}`);
  const [change] = differences({ a: records("old") }, { a: records("new") });
  expect(change).toEqual({
    at: "a",
    addedCount: 1_000,
    removedCount: 1_000,
    added: records("new").slice(0, 5),
    removed: records("old").slice(0, 5),
  });
});

describe("a difference", () => {
  it.each<[string, unknown, unknown, unknown]>([
    ["a member that goes", { a: 1 }, {}, [{ at: "a", from: 1, isRemoved: true }]],
    ["a member that comes", {}, { a: 1 }, [{ at: "a", from: undefined, to: 1 }]],
    ["a list in the place of a value", { a: 1 }, { a: [1] }, [{ at: "a", from: 1, to: [1] }]],
    ["a value in the place of a list", { a: [1] }, { a: 1 }, [{ at: "a", from: [1], to: 1 }]],
    ["a value in the place of a record", { a: { b: 1 } }, { a: 1 }, [{ at: "a", from: { b: 1 }, to: 1 }]],
    [
      "an item that is there less often",
      ["x", "x", "y"],
      ["y", "x"],
      [{ at: "", addedCount: 0, removedCount: 1, added: [], removed: ["x"] }],
    ],
  ])("is %s", (_, now, then, expected) => {
    expect(differences(now, then)).toEqual(expected);
  });

  it.each<[string, unknown, unknown]>([
    ["the order of a list", { a: [1, 2] }, { a: [2, 1] }],
    ["an empty list in the place of none", {}, { a: [] }],
    ["none in the place of an empty list", { a: [] }, {}],
  ])("is not %s", (_, now, then) => {
    expect(differences(now, then)).toEqual([]);
  });

  it("names its place from where the values stand, and shows each value for its own place", () => {
    const show = (value: unknown, path: readonly PropertyKey[]) => `${path.join("/")}=${JSON.stringify(value)}`;
    expect(differences({ a: 1, l: ["x"], o: 2 }, { a: 2, l: ["y"] }, { at: ["body"], show })).toEqual([
      { at: "body.a", from: "body/a=1", to: "body/a=2" },
      { at: "body.l", addedCount: 1, removedCount: 1, added: ['body/l/0="y"'], removed: ['body/l/0="x"'] },
      { at: "body.o", from: "body/o=2", isRemoved: true },
    ]);
  });
});

it("compares lists by their items and tells another order from another content", () => {
  expect(compare([1, 2], [2, 1])).toEqual([{ path: [], added: [], removed: [] }]);
  expect(compare([1, 2], [3, 1], ["a"])).toEqual([
    { path: ["a"], added: [{ index: 0, value: 3 }], removed: [{ index: 1, value: 2 }] },
  ]);
  expect(compare(undefined, [])).toEqual([]);
  expect(compare(undefined, [1])).toEqual([{ path: [], added: [{ index: 0, value: 1 }], removed: [] }]);
});
