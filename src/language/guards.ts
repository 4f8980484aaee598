/** Statements of what changes do, and templates of guards: of one kind of object, of the members of a set, and their undo. */
import {
  type Arguments,
  type DifferenceLine,
  type Guard,
  pickArguments,
  type Statement,
  type Undo,
  type UpstreamAnswer,
} from "./conduct.js";
import { signedLine } from "./difference-lines.js";
import { memberAt } from "./member.js";
import { type Clause, listInWords, plainOrQuoted, withoutFalse } from "./words.js";

/** A statement, without the results that do not apply. */
export const statement = (verb: string, target: string, ...results: readonly Clause[]): Statement => ({
  verb,
  target,
  results: withoutFalse(...results),
});

/** A value in a statement: a text, or where it is a result of its own a list of them, or false if it does not apply. */
type Value = string | number | false | undefined | readonly Clause[];

/** The results that some of the notation stands for, between two marks. */
function resultsIn(pieces: readonly Value[]): readonly Clause[] {
  const [first, ...others] = pieces.filter((one) => one !== "");
  if (others.length > 0) return [pieces.join("")];
  return [typeof first === "number" ? String(first) : first].flat();
}

/**
 * A statement in the notation ``act`VERB target: result; result` ``, with a verb of one word. Marks count only in the
 * notation, never in a value.
 */
export function act(texts: TemplateStringsArray, ...values: readonly Value[]): Statement {
  const [start = "", ...rest] = texts;
  const [verb = ""] = start.split(" ", 1);
  const parts: Value[][] = [[]];
  for (const [at, text] of [start.slice(verb.length + 1), ...rest].entries()) {
    const head = parts.length > 1 ? -1 : text.indexOf(": ");
    const [same = "", ...others] = parts.length > 1 ? text.split("; ") : [head < 0 ? text : text.slice(0, head)];
    parts.at(-1)?.push(same);
    const next = head < 0 ? others : text.slice(head + 2).split("; ");
    parts.push(...next.map((one) => [one]));
    parts.at(-1)?.push(values[at] ?? (at < values.length ? undefined : ""));
  }
  const [target = [], ...results] = parts;
  return statement(verb, target.join(""), ...results.flatMap(resultsIn));
}

/** The first part of a sentence: what is done to what. */
export const headOf = ({ verb, target }: Statement): string => `${verb} ${target}`;

/** The results in a sentence; empty if there are none. */
export const resultsOf = ({ results }: Statement): string => results.join("; ");

/** What a guard's functions receive. */
export type GuardParameters = readonly [args: Arguments, present: unknown, related: Arguments];

/** A guard without what all guards of its kind of object share. */
interface Change extends Omit<Guard, "says"> {
  /** What comes of it, as a clause or several; see `Statement`. */
  readonly results?: (...seen: GuardParameters) => Clause | readonly Clause[];
}

/**
 * Makes the guards of changes to one kind of object, each from its verb and what comes of it.
 * @param thing The noun for the object.
 * @param nameOf The object of a call in words.
 * @param target What an approver types to approve a critical call; the last path argument by default.
 */
export const guardsOf =
  (thing: string, nameOf: (...seen: GuardParameters) => string, target?: Guard["target"]) =>
  (verb: string, { results, ...change }: Change): Guard => ({
    thing,
    ...(target && { target }),
    ...change,
    says: (...seen) => statement(verb, nameOf(...seen), ...[results?.(...seen)].flat()),
  });

/** Members that say who wrote an object and when, or which copy it is, for `ReviewForm.ignores`. */
export const stamps = (...names: readonly string[]): Readonly<Record<string, "stamp">> =>
  Object.fromEntries(names.map((name) => [name, "stamp"]));

/** An argument that makes a call critical if it is set, and why. */
export const flag = (argument: string, because: string) => ({ argument, unless: false, because }) as const;

/** Why a change that reaches several properties is critical, or one of which that is unknown. */
export const reachesMany = (reached: readonly unknown[] | undefined): readonly Clause[] =>
  reached === undefined
    ? ["the properties that it reaches are unknown"]
    : [reached.length > 1 && `it reaches ${reached.length} properties`];

/** An undo by another operation on the same object, which the named arguments find. */
export const reversal = (tool: string, ...names: readonly string[]): Undo => ({
  tool,
  args: ({ given }) => pickArguments(...names)(given),
});

/** An undo that removes the object that was created, whose id is a member of the response. */
export const removal = (tool: string, id: string): Undo => ({
  tool,
  made: ({ body }: UpstreamAnswer) => {
    const made = memberAt(body, id);
    return made === undefined ? undefined : { [id]: made };
  },
});

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
export const memberLines = <T>(
  { lost, gained }: Membership<T>,
  wordsOf: (one: T) => string = plainOrQuoted,
): DifferenceLine[] => [
  ...lost.map((one) => signedLine("removed", wordsOf(one))),
  ...gained.map((one) => signedLine("added", wordsOf(one))),
];

/**
 * A clause on what is lost, and one on what is gained.
 * @param none The clause if nothing is.
 * @param verbs The subject of both clauses with its verbs.
 */
export function memberClauses<T>(
  { lost, gained }: Membership<T>,
  none: string,
  wordsOf: (one: T) => string = plainOrQuoted,
  [loses, gains]: readonly [loses: string, gains: string] = ["it loses", "it gains"],
): string[] {
  const clauses = withoutFalse(
    lost.length > 0 && `${loses} ${listInWords(lost, wordsOf)}`,
    gained.length > 0 && `${gains} ${listInWords(gained, wordsOf)}`,
  );
  return clauses.length === 0 ? [none] : clauses;
}
