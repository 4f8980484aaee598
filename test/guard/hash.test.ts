/** What an approval is bound to: every part of a request counts, and a JSON value whatever the order of its keys. */
import { describe, expect, it } from "vitest";
import { requestHash, stateHash } from "../../src/guard/difference.js";
import { canonical } from "../../src/language/canonical.js";
import type { ResolvedRequest } from "../../src/wire/index.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const request = {
  method: "PUT",
  url: new URL("https://a.example/x?y=1"),
  headers: { accept: "a", "content-type": "b", "if-match": "c" },
  body: bytes("body"),
} as unknown as ResolvedRequest;
const hashOf = (change: object = {}) => requestHash({ ...request, ...change } as ResolvedRequest);

describe("the hash of a request", () => {
  it("is one of 256 bits, the same for the same request", () => {
    expect(hashOf()).toMatch(/^[\w-]{43}$/);
    expect(hashOf()).toBe(hashOf({ url: new URL(request.url), headers: { ...request.headers }, body: bytes("body") }));
  });

  it.each([
    [{ "if-match": "c", "content-type": "b", accept: "a" }],
    [{ "content-type": "b", accept: "a", "if-match": "c" }],
    [{ accept: "a", "if-match": "c", "content-type": "b" }],
  ])("does not depend on the order of headers: %j", (headers) => {
    expect(hashOf({ headers })).toBe(hashOf());
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

  it("keeps its parts apart: no text moves from one to the next, and no body passes for a header", () => {
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
  ])("of %j is the JSON of it with its keys in one order", (value, text) => {
    expect(canonical(value)).toBe(text);
  });
});

it("gives a state one hash whatever the order of its keys, and another one for another value", () => {
  expect(stateHash({ a: 1, b: 2 })).toBe(stateHash({ b: 2, a: 1 }));
  expect(stateHash({ a: 1, b: 2 })).toMatch(/^[\w-]{43}$/);
  expect(stateHash([1, 2])).not.toBe(stateHash([2, 1]));
  expect(stateHash(undefined)).not.toBe(stateHash(null));
});
