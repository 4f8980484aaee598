/** Which verb a query asks for, learned from the phrases of each tool. */
import { termOf, wordsOf } from "./terms.js";

/** The counts of phrases: how many each verb has, and how many of them have each sign. */
export interface Wording {
  readonly verbs: readonly string[];
  readonly phrases: readonly number[];
  /** By the sign: indexes in `verbs`, each followed by its count. */
  readonly signs: Readonly<Record<string, readonly number[]>>;
}

/** A tool's service, verb, effect, and phrases. */
interface PhrasedTool {
  readonly home: string;
  readonly verb: string;
  readonly effect: string;
  readonly said: readonly string[];
}

// The words for a rarer verb would be about its tools; such tools share the words of their effect.
const fewestTools = 4;
// A sign in fewer services is about their objects, and the index finds tools by such words.
const fewestHomes = 6;
// Smoothing of the counts, so that one phrase has little effect.
const doubt = 0.5;
// The signs of a query repeat one another, so that each counts much less than a single one would.
const power = 0.08;

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** The words of a phrase, including stop words, and the first once more as its beginning. */
function signsOf(phrase: string): Set<string> {
  const words = wordsOf(phrase).map((word) => termOf(word) ?? word);
  return new Set([...words, `^${words[0] ?? ""}`]);
}

/** Counts the phrases; for the build. */
export function wordingOf(all: readonly PhrasedTool[]): Wording {
  const toolsWith = (verb: string) => all.filter((tool) => tool.verb === verb).length;
  const classOf = ({ verb, effect }: PhrasedTool) => (toolsWith(verb) < fewestTools ? effect : verb);
  const verbs = [...new Set(all.map(classOf))];
  const phrases = verbs.map(() => 0);
  const counts = new Map<string, number[]>();
  const homes = new Map<string, Set<string>>();
  for (const tool of all) {
    const at = verbs.indexOf(classOf(tool));
    for (const phrase of tool.said) {
      phrases[at] = (phrases[at] ?? 0) + 1;
      for (const sign of signsOf(phrase)) {
        const ofSign = counts.get(sign) ?? verbs.map(() => 0);
        ofSign[at] = (ofSign[at] ?? 0) + 1;
        counts.set(sign, ofSign);
        homes.set(sign, (homes.get(sign) ?? new Set()).add(tool.home));
      }
    }
  }
  const signs = [...counts]
    .filter(([sign]) => (homes.get(sign)?.size ?? 0) >= fewestHomes)
    .map(([sign, ofSign]) => [sign, ofSign.flatMap((count, at) => (count > 0 ? [at, count] : []))] as const);
  return { verbs, phrases, signs: Object.fromEntries(signs) };
}

/**
 * The score of a tool for a query, by its verb: how much more often than usual the query's words are used for tools
 * with this verb.
 */
export function suitabilityFor(
  { verbs, phrases, signs }: Wording,
  query: string,
): (tool: Pick<PhrasedTool, "verb" | "effect">) => number {
  const all = sum(phrases);
  const logarithms = verbs.map(() => 0);
  for (const sign of signsOf(query)) {
    const ofSign = Object.hasOwn(signs, sign) ? (signs[sign] ?? []) : [];
    if (ofSign.length === 0) continue;
    const counts = verbs.map(() => 0);
    for (let at = 0; at < ofSign.length; at += 2) counts[ofSign[at] ?? 0] = ofSign[at + 1] ?? 0;
    const whole = sum(counts);
    for (const [at, ofVerb] of phrases.entries())
      logarithms[at] = (logarithms[at] ?? 0) + Math.log(((counts[at] ?? 0) + doubt) / ((whole * ofVerb) / all + doubt));
  }
  const factors = new Map(verbs.map((verb, at) => [verb, Math.exp(power * (logarithms[at] ?? 0))]));
  return ({ verb, effect }) => factors.get(verb) ?? factors.get(effect) ?? 1;
}
