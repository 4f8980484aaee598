/** The search over all declarations, made once for the tests of a worker: that takes longer than most of them. */
import { searchIndex } from "../../scripts/search-index.js";
import { lazily } from "../../src/language/once-for.js";
import { openSearch } from "../../src/search/index.js";

/** The text of the index. */
export const wholeIndex = lazily(() => searchIndex("documents"));

/** The search as it is opened from that text. */
export const wholeSearch = lazily(async () => openSearch(await wholeIndex()));
