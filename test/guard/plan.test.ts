/** What plans are made of: hashes that tell requests and states apart, and the differences that a preview shows. */
import { describe, expect, it } from "vitest";
import { differences } from "../../src/guard/difference.js";
import { requestHash, stateHash } from "../../src/guard/hash.js";
import { noAnswers } from "../checked.js";

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
