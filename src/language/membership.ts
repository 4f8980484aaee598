/** The template of changes to the members of a set: what it loses and gains, as data, lines and clauses. */
import { listed, plain, withoutFalse } from "./words.js";

/** What a set loses and gains. */
export interface Membership<T> {
  readonly lost: readonly T[];
  readonly gained: readonly T[];
}

/**
 * The difference between two sets, each member once.
 * @param keyOf What members are compared by; themselves by default.
 */
export function membership<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (one: T) => unknown = (one) => one,
): Membership<T> {
  const [old, now] = [before, after].map((all) => new Map(all.map((one) => [keyOf(one), one])));
  const missing = (some: ReadonlyMap<unknown, T> | undefined, others: ReadonlyMap<unknown, T> | undefined): T[] =>
    [...(some ?? [])].filter(([key]) => !others?.has(key)).map(([, one]) => one);
  return { lost: missing(old, now), gained: missing(now, old) };
}

/** A line for each member, those that are lost first. */
export const memberLines = <T>({ lost, gained }: Membership<T>, wordsOf: (one: T) => string = plain): string[] => [
  ...lost.map((one) => `- ${wordsOf(one)}`),
  ...gained.map((one) => `+ ${wordsOf(one)}`),
];

/**
 * A clause on what is lost, and one on what is gained.
 * @param none The clause if nothing is.
 * @param verbs The subject of both clauses with its verbs.
 */
export function memberClauses<T>(
  { lost, gained }: Membership<T>,
  none: string,
  wordsOf: (one: T) => string = plain,
  [loses, gains]: readonly [loses: string, gains: string] = ["it loses", "it gains"],
): string[] {
  const clauses = withoutFalse(
    lost.length > 0 && `${loses} ${listed(lost, wordsOf)}`,
    gained.length > 0 && `${gains} ${listed(gained, wordsOf)}`,
  );
  return clauses.length === 0 ? [none] : clauses;
}
