/**
 * Every sample that belongs to an operation, served by a replaying upstream, comes through unchanged but for the documents'
 * words: the vendor's, and the project's own for what the vendor has none of.
 */
import { expect, it } from "vitest";
import { allServices } from "../../src/tools/index.js";
import { replaySamples, sectionsIn } from "./replay.js";

const vendor = sectionsIn("test/system/samples.tsv");
const own = sectionsIn("test/system/own-samples.tsv");
replaySamples(vendor, "../shared/samples");
replaySamples(own);

const toolsIn = (sections: typeof own) => new Set(sections.flatMap(({ rows }) => rows.map(({ tool }) => tool)));

it("every service has a sample of the project's own", async () => {
  const tools = toolsIn(own);
  const without = (await allServices("documents")).filter(
    ({ operations }) => !Object.keys(operations).some((tool) => tools.has(tool)),
  );
  expect(without.map(({ name }) => name)).toEqual([]);
});

it("every operation of document C has a sample", async () => {
  const tools = toolsIn([...vendor, ...own]);
  const ofC = (await allServices("documents")).filter(({ document }) => document === "C");
  const all = ofC.flatMap(({ operations }) => Object.keys(operations));
  expect(all.filter((tool) => !tools.has(tool))).toEqual([]);
});
