/** The search of imported operations: on prompts that were written without its words, and beside what is declared. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { boxedDefinitions, boxedPhrases } from "../../scripts/box.js";
import { onceFor } from "../../src/language/once-for.js";
import { openSearch, type Search } from "../../src/search/index.js";
import { inDepth } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { promptsOf } from "../search/hit-rates.js";
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

const found = onceFor(({ prompt }: { readonly prompt: string }) => search.find(prompt, 5, () => true));

it("search: imported operations are found where nothing declared answers", () => {
  const places = prompts.map((one) => {
    const { expect: wanted } = one;
    const names = found(one).imported.map(({ tool }) => routes.get(tool));
    return { shown: names.length > 0, place: names.findIndex((route) => wanted.map(plain).includes(route ?? "")) };
  });
  const share = (isSuch: (one: (typeof places)[number]) => boolean) => places.filter(isSuch).length / prompts.length;
  expect(share(({ shown }) => shown)).toBeGreaterThanOrEqual(0.7);
  expect(share(({ place }) => place >= 0)).toBeGreaterThanOrEqual(0.6);
});

it("search: declared tools stand alone or before imported ones", async () => {
  const tuned = promptsOf("prompts-tuned.json").filter((_, at) => at % 4 === 0);
  const alone = tuned.filter((one) => found(one).imported.length === 0);
  expect(alone.length / tuned.length).toBeGreaterThanOrEqual(0.9);
  const declaredAlone = await wholeSearch();
  await holdsForEach(prompts, (one) => {
    const { imported, tools } = found(one);
    const declared = declaredAlone.find(one.prompt, 5, () => true).tools;
    expect(tools).toEqual(declared.slice(0, 5 - imported.length));
    expect(imported.length).toBeLessThanOrEqual(declared.length === 0 ? 5 : 2);
  });
});

it("imported operations: each has phrases, and nothing else has", () => {
  const names = operations.map(([name]) => name);
  expect(Object.keys(boxedPhrases()).toSorted()).toEqual(names.toSorted());
});
