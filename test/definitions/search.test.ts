/** The search of imported operations: on prompts that were written without its words, and beside what is declared. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { boxedDefinitions, boxedPhrases } from "../../scripts/box.js";
import { onceFor } from "../../src/language/once-for.js";
import { openSearch, type Search } from "../../src/search/index.js";
import { inDepth } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { wholeIndex, wholeSearch } from "../search/whole.js";
import { boxed } from "./boxed.js";

const operations = boxedDefinitions().flatMap((definition) => Object.entries(definition.operations));
const plain = (route: string): string => route.replaceAll(/\{[^}]*\}/g, "{}");
const routes = new Map(operations.map(([name, { route }]) => [name, plain(route)]));

const all = readFileSync("test/definitions/prompts.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly prompt: string; readonly expect: readonly string[] });
const prompts = inDepth(
  all,
  all.filter((_, at) => at % 4 === 0),
);

let search: Search;
beforeAll(async () => {
  const [text, files] = await Promise.all([wholeIndex(), boxed()]);
  search = openSearch(text, () => [files["search.json"] ?? ""]);
});

const found = onceFor(({ prompt }: (typeof prompts)[number]) => search.find(prompt, 5, () => true));

it("search: an imported operation is in the top 5 for 85 % of prompts", () => {
  const places = prompts.map((one) => {
    const { expect: wanted } = one;
    const names = found(one).imported.map(({ tool }) => routes.get(tool));
    return names.findIndex((route) => wanted.map(plain).includes(route ?? ""));
  });
  const share = (most: number) => places.filter((at) => at >= 0 && at < most).length / prompts.length;
  expect(share(5)).toBeGreaterThanOrEqual(0.85);
  expect(share(1)).toBeGreaterThanOrEqual(0.6);
});

it("imported operations leave the search of declared tools as it is", async () => {
  const declaredAlone = await wholeSearch();
  await holdsForEach(prompts, (one) => {
    const { imported: _, ...beside } = found(one);
    const { imported: none, ...alone } = declaredAlone.find(one.prompt, 5, () => true);
    expect([none, beside]).toEqual([[], alone]);
  });
});

it("imported operations: each has phrases, and nothing else has", () => {
  const names = operations.map(([name]) => name);
  expect(Object.keys(boxedPhrases()).toSorted()).toEqual(names.toSorted());
});
