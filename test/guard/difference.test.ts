/** What an approval is bound to, by hashes of every part of a request and of the state, and the differences of two values. */
import { describe, expect, it } from "vitest";
import { fieldDifferences, requestHash, stateHash } from "../../src/guard/difference.js";
import { changesBetween } from "../../src/language/difference.js";
import { canonical } from "../../src/text/canonical.js";
import type { ResolvedRequest } from "../../src/wire/index.js";
import { holdsForEach } from "../lab/laws.js";
import { sectionsOf } from "../lab/tables.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const request = {
  method: "PUT",
  url: new URL("https://a.example/x?y=1"),
  headers: { accept: "a", "content-type": "b", "if-match": "c" },
  body: bytes("body"),
} as unknown as ResolvedRequest;
const hashOf = (change: object = {}) => requestHash({ ...request, ...change } as ResolvedRequest);

describe("the hash of a request", () => {
  it("a request's hash has 256 bits and is the same for the same request", () => {
    expect(hashOf()).toMatch(/^[\w-]{43}$/);
    expect(hashOf()).toBe(hashOf({ url: new URL(request.url), headers: { ...request.headers }, body: bytes("body") }));
    const reordered = Object.fromEntries(Object.entries(request.headers).toReversed());
    expect(hashOf({ headers: reordered })).toBe(hashOf());
  });

  it.each<[string, object]>([
    ["its method", { method: "POST" }],
    ["its origin", { url: new URL("https://b.example/x?y=1") }],
    ["its path", { url: new URL("https://a.example/z?y=1") }],
    ["its query", { url: new URL("https://a.example/x?y=2") }],
    ["a header's value", { headers: { ...request.headers, accept: "b" } }],
    ["a header's name", { headers: { accepts: "a", "content-type": "b", "if-match": "c" } }],
    ["a header more", { headers: { ...request.headers, more: "" } }],
    ["its body", { body: bytes("bodies") }],
    ["having no body", { body: undefined }],
  ])("differs by %s", (_, change) => {
    expect(hashOf(change)).not.toBe(hashOf());
  });

  it("a request's hash keeps its parts apart: no text moves between them", () => {
    const { body: _, ...bodiless } = request;
    const of = (headers: object, body?: string) =>
      requestHash({ ...bodiless, headers, ...(body === undefined ? {} : { body: bytes(body) }) } as ResolvedRequest);
    expect(of({ ab: "c" })).not.toBe(of({ a: "bc" }));
    expect(of({ b: "c" })).not.toBe(of({}, "1:b\n1:c\n"));
    expect(of({ a: "", b: "" })).not.toBe(of({ a: "0:\n1:b" }));
  });
});

describe("the text of a value", () => {
  it.each<[unknown, string]>([
    [undefined, ""],
    [null, "null"],
    ["a\n", '"a\\n"'],
    [1.5, "1.5"],
    [[], "[]"],
    [{}, "{}"],
    [[1, "x", null, undefined, [true]], '[1,"x",null,null,[true]]'],
    [{ b: 1, a: { d: [{ z: 1, y: 2 }], c: null } }, '{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}'],
    [{ a: undefined, b: undefined }, "{}"],
    [{ a: undefined, b: 1, c: undefined, d: 2 }, '{"b":1,"d":2}'],
    [{ "": 1, 'a"': 2 }, '{"":1,"a\\"":2}'],
  ])("the text of %j is its JSON with sorted keys", (value, text) => {
    expect(canonical(value)).toBe(text);
  });
});

it("the hash of a state ignores key order and differs by value", () => {
  expect(stateHash({ a: 1, b: 2 })).toBe(stateHash({ b: 2, a: 1 }));
  expect(stateHash({ a: 1, b: 2 })).toMatch(/^[\w-]{43}$/);
  expect(stateHash([1, 2])).not.toBe(stateHash([2, 1]));
  expect(stateHash(undefined)).not.toBe(stateHash(null));
});

it("the differences of each listed pair are as recorded", () =>
  holdsForEach(sectionsOf("guard/compared.txt"), (_, lines) => {
    const [now, then, ...expected] = lines.map((line) => JSON.parse(line));
    expect(fieldDifferences(now, then)).toEqual(expected);
  }));

it("a difference counts all added and removed records and shows five", () => {
  const records = (name: string) => Array.from({ length: 1_000 }, (_, index) => `${name}${index}`);
  const five = { added: records("new").slice(0, 5), removed: records("old").slice(0, 5) };
  const counts = { addedCount: 1_000, removedCount: 1_000 };
  expect(fieldDifferences({ a: records("old") }, { a: records("new") })).toEqual([{ at: "a", ...counts, ...five }]);
});

it("a difference names its full path and shows each value by its path", () => {
  const show = (value: unknown, path: readonly PropertyKey[]) => `${path.join("/")}=${JSON.stringify(value)}`;
  expect(fieldDifferences({ a: 1, l: ["x"], o: 2 }, { a: 2, l: ["y"] }, { at: ["body"], show })).toEqual([
    { at: "body.a", from: "body/a=1", to: "body/a=2" },
    { at: "body.l", addedCount: 1, removedCount: 1, added: ['body/l/0="y"'], removed: ['body/l/0="x"'] },
    { at: "body.o", from: "body/o=2", isRemoved: true },
  ]);
});

it("lists are compared by items, which tells order from content", () => {
  const item = (index: number, value: number) => ({ index, value });
  const [one, two] = [
    [item(0, 1), item(1, 1)],
    [item(1, 2), item(0, 2)],
  ];
  expect(changesBetween([1, 2], [2, 1])).toEqual([{ path: [], added: [], removed: [], staying: [two, one] }]);
  expect(changesBetween([1, 2], [3, 1], {}, ["a"])).toEqual([
    { path: ["a"], added: [item(0, 3)], removed: [item(1, 2)], staying: [one] },
  ]);
  expect(changesBetween(undefined, [])).toEqual([{ path: [], to: [], ignored: "default" }]);
  expect(changesBetween(undefined, [1])).toEqual([{ path: [], added: [item(0, 1)], removed: [], staying: [] }]);
});
