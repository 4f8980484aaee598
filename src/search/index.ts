/** The search: an index that the build writes and the first search opens, and how what it finds is ranked. */
import MiniSearch, { type AsPlainObject, type Options, type SearchResult } from "minisearch";
import type { ReportFound, ResourceFound, SearchDocument, ToolFound } from "./documents.js";
import { suiting } from "./intents.js";
import { askedIn } from "./query.js";
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
const boost = { name: 2, said: 4, does: 0.75, service: 1, arguments: 0.4 };
// How much it matters that a document has all of what was asked for.
const coverage = 1;
// In long names and titles a word that repeats says little.
const bm25 = { k: 1.2, b: 0.5, d: 0.3 };

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

type Hit = Pick<SearchDocument, "id" | "kind" | "found"> & { readonly score: number };

/** Opens an index from the text that `indexText` made. */
export function openSearch(text: string): Search {
  const stored = JSON.parse(text) as Stored;
  const index = MiniSearch.loadJS<SearchDocument>(stored.index, options);
  const vocabulary = new Set(stored.terms);

  const matching = (term: string): (SearchResult & Hit)[] =>
    index.search(term, { tokenize: (one) => [one], boost, bm25 }) as (SearchResult & Hit)[];

  /** What has any of a query's words. Of a word and those that stand for it, the one that suits best counts. */
  const hitsOf = (query: string): Hit[] => {
    const asked = askedIn(query, vocabulary);
    const hits = new Map<string, Hit & { readonly covered: number }>();
    for (const terms of asked) {
      const best = new Map<string, Hit>();
      for (const [term, share] of terms)
        for (const hit of matching(term))
          if (hit.score * share > (best.get(hit.id)?.score ?? 0))
            best.set(hit.id, { ...hit, score: hit.score * share });
      for (const [id, hit] of best) {
        const { score = 0, covered = 0 } = hits.get(id) ?? {};
        hits.set(id, { ...hit, score: score + hit.score, covered: covered + 1 });
      }
    }
    const suits = suiting(query);
    return [...hits.values()]
      .map(({ covered, ...hit }) => ({
        ...hit,
        score: hit.score * (covered / asked.length) ** coverage * suits(hit.id),
      }))
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
