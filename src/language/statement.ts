/** What a change does, as data, from which the sentence of its preview is made. */

export interface Statement {
  /** What is done, in capitals: `DELETE`, `LOCK OUT`. */
  readonly verb: string;
  /** What it is done to, with its names, its network, and whom it reaches. */
  readonly target: string;
  /** What comes of it, as clauses: what is lost, from where to where, until when. */
  readonly results: readonly string[];
}

type Clause = string | false | undefined;

/** A statement, without the results that do not apply. */
export const statement = (verb: string, target: string, ...results: readonly Clause[]): Statement => ({
  verb,
  target,
  results: results.filter((one) => typeof one === "string"),
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
