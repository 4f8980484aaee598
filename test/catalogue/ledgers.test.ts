/** The ledgers: each rule of the documents, and each promise of SECURITY.md, is cited by a test, and no test cites another. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allServices } from "../../src/tools/index.js";

const filesThatEnd = (ending: string) =>
  readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => readFileSync(join("test", path), "utf8"));
const sources = filesThatEnd(".test.ts");
const citations = (word: string) =>
  sources.flatMap((source) =>
    [...source.matchAll(new RegExp(`\\b${word}\\(\\s*"([a-z0-9-]+)"`, "g"))].map(([, id]) => id),
  );
const scenarios = filesThatEnd(".scenario").flatMap((source) => [...source.matchAll(/^## .*\[([a-z0-9-]+)\]$/gm)]);
const cited = new Set([...citations("rule"), ...scenarios.map(([, id]) => id)]);
const all = (await allServices()).flatMap(({ rules }) => Object.entries(rules));
const known = all.map(([id]) => id);

it("every rule has a unique id that today's services keep with it", () => {
  const texts = new Map(all);
  expect(all.filter(([id, text]) => texts.get(id) !== text)).toEqual([]);
});

it("finds each rule cited by a test", () => {
  expect(known.filter((id) => !cited.has(id))).toEqual([]);
});

it("finds no citation of an unknown rule", () => {
  expect([...cited].filter((id) => id === undefined || !known.includes(id))).toEqual([]);
});

const promises =
  readFileSync("SECURITY.md", "utf8")
    .split("## What is not promised")[0]
    ?.split(/\n(?=\*\*)/)
    .slice(1) ?? [];
const citedIn = (text: string) =>
  [...(/^Held by ([^.]+)\.$/m.exec(text)?.[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, id]) => id);
const held = citations("promise");

it("has a test for each promise", () => {
  expect(promises.filter((text) => citedIn(text).length === 0)).toEqual([]);
});

it("names each test that holds a promise once, and no other", () => {
  expect(promises.flatMap(citedIn).toSorted()).toEqual(held.toSorted());
});
