/** The search: an index that the build writes and the first search opens, and how what it finds is ranked. */
import MiniSearch, { type AsPlainObject, type Options, type SearchResult } from "minisearch";
import type { ReportFound, ResourceFound, SearchDocument, ToolFound } from "./documents.js";
import { type Asked, askedIn } from "./query.js";
import { termsOf } from "./terms.js";

export type { Searchable } from "./documents.js";
export { documentsOf } from "./documents.js";

export interface Found {
  readonly tools: readonly ToolFound[];
  readonly reports: readonly ReportFound[];
  readonly resources: readonly ResourceFound[];
}

export interface Search {
  /**
   * What suits a query best, the best first.
   * @param isOffered Whether a tool can be called here; what cannot is not found.
   */
  find(query: string, limit: number, isOffered: (tool: string) => boolean): Found;
}

const options: Options<SearchDocument> = {
  fields: ["name", "said", "does", "service", "arguments"],
  storeFields: ["kind", "found"],
  tokenize: (text) => termsOf(text),
  processTerm: (term) => term,
};

// What people say counts most, because it is written in the words of the tasks; a service's own words tell services apart.
const boost = { name: 2, said: 4, does: 1.5, service: 1, arguments: 0.4 };
// How much it matters that a document has all of what was asked for.
const coverage = 1;
// In long names and titles a word that repeats says little.
const bm25 = { k: 1.2, b: 0.6, d: 0.3 };

/** What the generated file holds: the index, and its terms, which the library does not tell. */
interface Stored {
  readonly terms: readonly string[];
  readonly index: AsPlainObject;
}

/** The text of the generated file. */
export function indexText(documents: readonly SearchDocument[]): string {
  const terms = new Set<string>();
  const index = new MiniSearch({
    ...options,
    processTerm: (term) => {
      terms.add(term);
      return term;
    },
  });
  index.addAll(documents);
  return JSON.stringify({ terms: [...terms], index } satisfies { [K in keyof Stored]: unknown });
}

type Hit = SearchResult & Pick<SearchDocument, "kind" | "found">;

/** How well a document suits: the mean over what was matched, and the more of the query it has the better. */
function rank(hit: Hit, asked: readonly Asked[]): number {
  const matched = new Set(hit.queryTerms);
  const covered = asked.filter((one) => [...one.keys()].some((term) => matched.has(term)));
  return (hit.score / hit.queryTerms.length) * (covered.length / asked.length) ** coverage;
}

/** Opens an index from the text that `indexText` made. */
export function openSearch(text: string): Search {
  const stored = JSON.parse(text) as Stored;
  const index = MiniSearch.loadJS<SearchDocument>(stored.index, options);
  const vocabulary = new Set(stored.terms);

  const hitsOf = (query: string): Hit[] => {
    const asked = askedIn(query, vocabulary);
    const weights = new Map<string, number>();
    for (const [term, share] of asked.flatMap((one) => [...one]))
      weights.set(term, Math.max(share, weights.get(term) ?? 0));
    return index
      .search(query, { tokenize: () => [...weights.keys()], boost, bm25, boostTerm: (term) => weights.get(term) ?? 0 })
      .map((hit) => ({ ...(hit as Hit), score: rank(hit as Hit, asked) }))
      .sort((one, other) => other.score - one.score);
  };

  return {
    find(query, limit, isOffered) {
      const hits = hitsOf(query);
      // What is no tool is shown where it suits about as well as the best of all.
      const least = (hits[0]?.score ?? 0) * 0.6;
      const beside = (kind: Hit["kind"]) =>
        hits
          .filter((hit) => hit.kind === kind && hit.score >= least)
          .slice(0, 2)
          .map(({ found }) => found);
      return {
        tools: hits
          .filter(({ kind, found }) => kind === "tool" && isOffered((found as ToolFound).tool))
          .slice(0, limit)
          .map(({ found }) => found as ToolFound),
        reports: beside("report") as ReportFound[],
        resources: beside("resource") as ResourceFound[],
      };
    },
  };
}
