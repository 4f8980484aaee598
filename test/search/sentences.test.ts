/** What operators say for the commonest jobs, against the tools that do them, in the setting of the project. */
import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { searchIndex } from "../../scripts/search-index.js";
import { resultOf } from "../../src/answers/outcome.js";
import type { WorkflowContext } from "../../src/calls/workflow.js";
import { withImported } from "../../src/engine/catalogue.js";
import { openSearch } from "../../src/search/index.js";
import { operationSearch } from "../../src/workflows/catalogue.js";
import { boxed, importing } from "../definitions/boxed.js";
import { inDepth } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { apis, catalogueOfProject } from "../lab/project.js";
import { wholeIndex } from "./whole.js";

// By job, sentence, and the tools that are right in each setting, of which there may be none. They were written before the
// ranking was tuned, on every second of them; the others were kept.
const sentences = readFileSync(new URL("sentences.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line, at) => {
    const [, said = "", documents = "", today = ""] = line.split("\t");
    return { said, right: (apis === "today" ? today : documents).split(" "), isKept: at % 2 === 1 };
  })
  .filter(({ right }) => right[0] !== "-");
const [text, files] = await Promise.all([apis === "documents" ? wholeIndex() : searchIndex(apis), boxed()]);
const search = openSearch(text, () => [files["search.json"] ?? ""]);
const found = sentences.map((one) => {
  const { tools } = search.find(one.said, 10, () => true);
  const place = tools.findIndex(({ tool }) => one.right.includes(tool));
  return { ...one, tools, place: place < 0 ? 10 : place };
});

it("the sentences name tools that exist", async () => {
  const catalogue = await catalogueOfProject();
  expect(sentences.flatMap(({ right }) => right).filter((tool) => !catalogue.has(tool))).toEqual([]);
});

it.each([
  { half: "tuned", first: 0.9, five: 0.99 },
  { half: "kept", first: 0.85, five: 0.99 },
])("$half half: right tool first in $first, top five in $five", ({ half, first, five }) => {
  const own = found.filter(({ isKept }) => isKept === (half === "kept"));
  const misses = own
    .filter(({ place }) => place > 0)
    .map(({ said, place, tools }) => `${place} ${said}: ${tools[0]?.tool}`);
  const share = (most: number) => own.filter(({ place }) => place < most).length / own.length;
  expect(share(1), misses.join("\n")).toBeGreaterThanOrEqual(first);
  expect(share(5), misses.join("\n")).toBeGreaterThanOrEqual(five);
});

it("a search with ten rows costs at most 300 tokens for each sentence", async () => {
  const { library } = await importing();
  const tools = withImported(await catalogueOfProject(), library);
  const context = { search: async () => search, tools } as unknown as WorkflowContext;
  const presentation = { upstream: "emulator", secrets: [], maxTokens: 8_000 };
  const some = inDepth(
    sentences,
    sentences.filter(({ isKept }) => isKept),
  );
  await holdsForEach(some, async ({ said }) => {
    const result = await operationSearch.run({ query: said, limit: 10 }, context);
    const shown = resultOf({ kind: "workflow", result, texts: operationSearch.texts }, presentation);
    const texts = shown.content.flatMap((one) => (one.type === "text" ? [one.text] : []));
    for (const text of [texts.join("\n"), JSON.stringify(shown.structuredContent)])
      expect(encode(text).length).toBeLessThanOrEqual(300);
  });
});
