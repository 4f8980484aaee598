/**
 * The search: an index that the build writes and the first search loads, and the ranking of its hits. How words are
 * normalized, corrected and weighed stays in this room. It finds no tool that cannot be called here.
 */
import MiniSearch, { type AsPlainObject, type Options } from "minisearch";
import type { Effect } from "../language/define.js";
import { lazily } from "../language/once-for.js";
import type { ImportedFound, ReportFound, ResourceFound, SearchDocument, ToolFound } from "./documents.js";
import { correctQuery, queryTermsIn } from "./query.js";
import { stemOf, termOf, termsOf, wordsOf } from "./terms.js";
import { suitabilityFor, type Wording, wordingOf } from "./wording.js";

// So many hits of one side show the direction of a search.
const leads = 2;

/**
 * The first hits and, right after the best of them, the best hit of the other side about one of their objects.
 * @param limit The number of returned hits.
 */
export function withBothSides<Hit extends Pick<Findable, "object" | "reads">>(
  ranked: readonly Hit[],
  limit: number,
): Hit[] {
  const best = ranked.slice(0, Math.min(leads, limit - 1));
  const [first] = best;
  const isOfOneSide = best.every(({ reads }) => reads === first?.reads);
  const objects = new Set(best.map(({ object }) => object));
  const other = ranked.find(({ object, reads }) => isOfOneSide && reads !== first?.reads && objects.has(object));
  if (other === undefined) return ranked.slice(0, limit);
  return [...best, other, ...ranked.slice(best.length).filter((hit) => hit !== other)].slice(0, limit);
}

export { documentsOf } from "./documents.js";

interface SearchResult {
  readonly tools: readonly ToolFound[];
  /** Operations of imported definitions, in at most half of the rows, only where nothing declared answers. */
  readonly imported: readonly ImportedFound[];
  readonly reports: readonly ReportFound[];
  readonly resources: readonly ResourceFound[];
}

export interface Search {
  /**
   * The best matches for a query, best first.
   * @param isOffered Whether a tool can be called here; others are not found.
   */
  find(query: string, limit: number, isOffered: (tool: string) => boolean): SearchResult;
}

const options: Options<SearchDocument> = {
  fields: ["name", "said", "does", "service", "arguments"],
  storeFields: ["found", "home", "stars"],
  tokenize: (text) => termsOf(text),
  processTerm: (term) => term,
};

/** How much the words of each kind weigh, and how much the service of a match matters. */
interface Weights {
  readonly boost: Readonly<Record<"name" | "said" | "does" | "service" | "arguments", number>>;
  readonly homePower: number;
}

// Phrases weigh most, because they are written in the words of tasks; the words of a service distinguish services.
const declaredWeights: Weights = {
  boost: { name: 2, said: 4, does: 0.75, service: 1, arguments: 0.4 },
  homePower: 0.3,
};
// Imported operations have few words, so that those of their API count more.
const importedWeights: Weights = {
  boost: { name: 1, said: 4, does: 0.75, service: 4, arguments: 0.4 },
  homePower: 0.3,
};
// A share of the score of the best document about the same object is added to each: one tool of an object may have
// words that the others lack.
const objectShare = 0.2;
// A tool that does what a query begins with, to what it names next, goes before others.
const verbFactor = 1.2;
// How much each star of what people need often counts for a query of one word; the more words it has, the less. Nearly
// nothing for a tool that has fewer of them than another, and less for one whose verb the query's words do not suit.
const starPower = 0.7;
const coverPower = 8;
const suitPower = 0.5;
// A query with a number names one thing, which a list is not.
const listFactor = 0.7;
const number = /(?<![\d.:-])\b\d+\b(?![\d.:%-])/;
// The score of a service without a match.
const leastHome = 0.02;
// In long names and titles a repeated word is not significant.
const bm25 = { k: 1.2, b: 0.5, d: 0.3 };

/** The generated file: the index, its words, most frequent first, and the verbs for which they are used. */
interface StoredIndex {
  readonly words: readonly string[];
  readonly wording: Wording;
  readonly index: AsPlainObject;
}

/** The text of the generated file. */
export function indexText(documents: readonly SearchDocument[]): string {
  const frequencies = new Map<string, number>();
  const index = new MiniSearch({
    ...options,
    tokenize: (text) => {
      for (const word of wordsOf(text)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
      return termsOf(text);
    },
  });
  index.addAll(documents);
  const words = [...frequencies].sort(([, one], [, other]) => other - one).map(([word]) => word);
  const tools = documents.map((one) => ({ ...findableOf(one.id, one), said: one.said }));
  const wording = wordingOf(tools.filter(({ kind }) => kind === "tool"));
  return JSON.stringify({ words, wording, index } satisfies { [K in keyof StoredIndex]: unknown });
}

type FoundFields = Pick<SearchDocument, "found" | "home" | "stars">;

/** The properties of a searchable document, without its words. */
interface Findable extends FoundFields {
  readonly kind: "tool" | "report" | "resource";
  /** The object of a tool: its name without its verb and plural forms. */
  readonly object: string;
  /** The last word of a tool's name; for anything else its kind. */
  readonly verb: string;
  readonly effect: Effect;
  readonly reads: boolean;
}

interface Hit extends Findable {
  readonly score: number;
  /** The share of the query's words that it has. */
  readonly covers: number;
}

function findableOf(id: string, { found, home, stars }: FoundFields): Findable {
  const kind = "tool" in found ? "tool" : "report" in found ? "report" : "resource";
  const [, object = id, verb = kind] = (kind === "tool" && /^(.*?)(?:ies|y|s)?_([a-z]+)$/.exec(id)) || [];
  const effect = "effect" in found ? found.effect : "read";
  return { kind, found, home, ...(stars ? { stars } : {}), object, verb, effect, reads: effect === "read" };
}

/** A map whose values are computed on demand. */
function memoize<Value>(workOut: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const value = values.get(key) ?? workOut(key);
    values.set(key, value);
    return value;
  };
}

type Sums = Map<string, number>;
const add = (sums: Sums, key: string, value: number) => sums.set(key, (sums.get(key) ?? 0) + value);
const raise = (values: Sums, key: string, value: number) => {
  if (value > (values.get(key) ?? 0)) values.set(key, value);
};

/** Opens an index from the text of `indexText`, and ranks its documents for a query, best first. */
function openIndex(text: string, { boost, homePower }: Weights): (query: string) => Hit[] {
  const stored = JSON.parse(text) as StoredIndex;
  const index = MiniSearch.loadJS<SearchDocument>(stored.index, options);
  const vocabulary = {
    words: new Set(stored.words),
    terms: new Set(stored.words.flatMap((word) => termOf(word) ?? [])),
  };
  const findable = memoize((id) => findableOf(id, index.getStoredFields(id) as unknown as FoundFields));
  const scoresFor = memoize((term) =>
    index.search(term, { tokenize: (one) => [one], boost, bm25 }).map(({ id, score }) => [String(id), score] as const),
  );

  /** The documents with a word or one of its alternatives, of which the best match counts. */
  const bestOf = (terms: ReadonlyMap<string, number>): Sums => {
    const best: Sums = new Map();
    for (const [term, share] of terms) for (const [id, score] of scoresFor(term)) raise(best, id, score * share);
    return best;
  };

  return (query) => {
    const plain = correctQuery(query, vocabulary);
    const queryTerms = queryTermsIn(plain);
    const [scores, covered, objects, homes]: [Sums, Sums, Sums, Sums] = [new Map(), new Map(), new Map(), new Map()];
    for (const { terms, weight } of queryTerms) {
      const best = bestOf(terms);
      const all = [...best.values()].reduce((sum, score) => sum + score, 0);
      const bestOfObjects: Sums = new Map();
      for (const [id, score] of best) {
        const { object, home } = findable(id);
        add(scores, id, score * weight);
        add(covered, id, weight);
        add(homes, home, (score / all) * weight);
        raise(bestOfObjects, object, score);
      }
      for (const [object, score] of bestOfObjects) add(objects, object, score * weight);
    }
    const whole = queryTerms.reduce((sum, { weight }) => sum + weight, 0);
    const shareOf = (sums: Sums, key: string) => (sums.get(key) ?? 0) / whole;
    const suits = suitabilityFor(stored.wording, plain);
    const [first] = plain.split(/\s+/).filter((word) => termsOf(word).length > 0);
    const verbs = /ions?$/.test(first ?? "") ? undefined : queryTerms[0]?.terms;
    const doesThat = ({ verb, object }: Findable) =>
      verbs?.has(stemOf(verb)) && wordsOf(object).some((word) => queryTerms[1]?.terms.has(stemOf(word)));
    const mostCovered = Math.max(...covered.values());
    const usual = ({ stars = 0 }: Findable, suited: number, cover: number) =>
      Math.exp(
        ((starPower * stars) / queryTerms.length ** 1.5) *
          (cover / mostCovered) ** coverPower *
          Math.min(1, suited) ** suitPower,
      );
    const isOfOne = number.test(query);
    return [...scores]
      .map(([id, score]) => {
        const candidate = findable(id);
        const baseScore = score * shareOf(covered, id) + objectShare * (objects.get(candidate.object) ?? 0);
        const suited = candidate.kind === "tool" ? suits(candidate) : 1;
        const home = (leastHome + shareOf(homes, candidate.home)) ** homePower;
        return {
          ...candidate,
          covers: shareOf(covered, id),
          score:
            baseScore *
            home *
            suited *
            usual(candidate, suited, covered.get(id) ?? 0) *
            (doesThat(candidate) ? verbFactor : 1) *
            (isOfOne && candidate.verb === "list" ? listFactor : 1),
        };
      })
      .sort((one, other) => other.score - one.score);
  };
}

// Imported operations that match much worse than the best one are left out.
const leastImported = 0.4;
// Something declared answers a query unless the best imported operation matches so much better. What people need often
// answers also then if it has so many of the words.
const importedLead = 1.5;
const coveredOften = 0.9;

/**
 * Opens the search.
 * @param text The index of everything declared.
 * @param importedTexts The indexes of imported definitions, which are opened with the first query; names in an earlier one
 * go before those in a later one.
 */
export function openSearch(text: string, importedTexts: () => readonly string[] = () => []): Search {
  const hitsOf = openIndex(text, declaredWeights);
  const imported = lazily(() => importedTexts().map((one) => openIndex(one, importedWeights)));
  const nameOf = ({ found }: Hit) => (found as ToolFound | ImportedFound).tool;

  /** The best imported operations; none where something declared answers. */
  const importedFor = (query: string, isOffered: (tool: string) => boolean, best: Hit | undefined): Hit[] => {
    if (best?.stars && best.covers >= coveredOften) return [];
    const known = new Set<string>();
    const hits = imported().flatMap((search) => {
      const newHits = search(query).filter((hit) => !known.has(nameOf(hit)));
      for (const hit of newHits) known.add(nameOf(hit));
      return newHits.filter((hit) => isOffered(nameOf(hit)));
    });
    const ranked = hits.sort((one, other) => other.score - one.score);
    const highest = ranked[0]?.score ?? 0;
    const strength = (hit: Hit | undefined) => (hit ? hit.score * hit.covers : 0);
    if (strength(ranked[0]) < importedLead * strength(best)) return [];
    return ranked.filter(({ score }) => score >= highest * leastImported);
  };

  return {
    find(query, limit, isOffered) {
      const hits = hitsOf(query);
      // Documents that are not tools are shown if they match about as well as the best one.
      const least = (hits[0]?.score ?? 0) * 0.85;
      const beside = (kind: Hit["kind"]) =>
        hits
          .filter((hit) => hit.kind === kind && hit.score >= least)
          .slice(0, 2)
          .map(({ found }) => found);
      const tools = hits.filter((hit) => hit.kind === "tool" && isOffered(nameOf(hit)));
      const others = importedFor(query, isOffered, tools[0]).slice(0, tools.length > 0 ? Math.floor(limit / 2) : limit);
      return {
        tools: withBothSides(tools, limit)
          .slice(0, limit - others.length)
          .map(({ found }) => found as ToolFound),
        imported: others.map(({ found }) => found as ImportedFound),
        reports: beside("report") as ReportFound[],
        resources: beside("resource") as ResourceFound[],
      };
    },
  };
}
