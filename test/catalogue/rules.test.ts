/** The ledger: every rule of the documents is cited by a test, and no test cites a rule that there is not. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { allServices } from "../../src/tools/index.js";

const root = new URL("../", import.meta.url);
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(test\.ts|scenario)$/.test(path))
  .map((path) => readFileSync(new URL(path.replaceAll("\\", "/"), root), "utf8"));
const cited = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/\brule\(\s*"([a-z0-9-]+)"|^## .*\[([a-z0-9-]+)\]$/gm)].map(
      ([, id, scenario]) => id ?? scenario,
    ),
  ),
);
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
