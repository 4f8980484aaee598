/** A sample of operations has all their mechanisms, those that the language learns tomorrow included. */
import { describe, expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { allServices } from "../../src/tools/index.js";
import { mechanismsOf, sampled } from "./mechanisms.js";

const operations = (await allServices("documents")).flatMap(({ operations: own }) => Object.values<AnyOperation>(own));
const all = new Set(operations.flatMap(mechanismsOf));

it("finds what the language has words for", () => {
  const guards = "purge delete overwrite create activate credential access cancel suspend resume".split(" ");
  expect([...all].filter((word) => /^guard kind \w/.test(word)).sort()).toEqual(
    guards.map((kind) => `guard kind ${kind}`).sort(),
  );
  expect([...all]).toEqual(
    expect.arrayContaining([
      "answer csv fromRows table",
      "answer xml root",
      "request form separator",
      "request json",
      "paging counts pages",
      "guard undo rewrite",
      "secretTo members",
      "style pairs",
      "awaits",
      "lock",
    ]),
  );
});

describe("a sample", () => {
  it("a sample has every mechanism in few operations, always the same", () => {
    const sample = sampled(operations, mechanismsOf);
    expect(new Set(sample.flatMap(mechanismsOf))).toEqual(all);
    expect(sample.length).toBeLessThan(operations.length / 4);
    expect(sampled(operations, mechanismsOf)).toEqual(sample);
  });

  const [usual] = operations as [AnyOperation];
  it.each<[string, Partial<AnyOperation["spec"]>]>([
    ["a word that it has not had", { sings: true } as never],
    ["a word inside one that it has had", { guard: { kind: "delete", sings: true } } as never],
    ["a kind of guard", { guard: { kind: "sing" } as never }],
    ["a medium of an answer", { returns: { 200: { codec: "song", type: "audio/song" } } } as never],
    ["a medium of a request", { body: { codec: "song", type: "audio/song" } } as never],
    ["a style", { query: { song: { style: "sung" } } } as never],
  ])("has the operation that is the first to use %s", (_, more) => {
    const first = { ...usual, spec: { ...usual.spec, ...more } } as AnyOperation;
    expect(sampled([...operations, first], mechanismsOf)).toContain(first);
  });
});
