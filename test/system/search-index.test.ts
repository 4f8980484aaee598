/** The index of the search, which a build writes. */
import { expect, it } from "vitest";
import { searchIndex } from "../../scripts/search-index.js";

it("the index of the search is the same in every build", async () => {
  expect(await searchIndex("documents")).toBe(await searchIndex("documents"));
});
