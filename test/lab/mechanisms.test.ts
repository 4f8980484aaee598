/** A sample of operations has all their mechanisms, those that the language learns tomorrow included. */
import { expect, it } from "vitest";
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
  const words =
    "answer csv fromRows table,answer xml root,request form separator,paging counts pages,guard undo rewrite";
  expect([...all]).toEqual(expect.arrayContaining(words.split(",")));
});

it("a sample has every mechanism, also future ones, in few operations", () => {
  const sample = sampled(operations, mechanismsOf);
  expect(new Set(sample.flatMap(mechanismsOf))).toEqual(all);
  expect(sample.length).toBeLessThan(operations.length / 4);
  const [usual] = operations as [AnyOperation];
  for (const more of [
    { sings: true },
    { guard: { kind: "delete", sings: true } },
    { guard: { kind: "sing" } },
    { returns: { 200: { codec: "song", type: "audio/song" } } },
    { body: { codec: "song", type: "audio/song" } },
    { query: { song: { style: "sung" } } },
  ]) {
    const first = { ...usual, spec: { ...usual.spec, ...more } } as unknown as AnyOperation;
    expect(sampled([...operations, first], mechanismsOf)).toContain(first);
  }
});
