/** What a change does, as data, from which the sentence of its preview is made. */

export interface Statement {
  /** What is done, in capitals: `DELETE`, `LOCK OUT`. */
  readonly verb: string;
  /** What it is done to, with its names, its network, and whom it reaches. */
  readonly target: string;
  /** What comes of it, as clauses: what is lost, from where to where, until when. */
  readonly results: readonly string[];
}

/** A statement, without the results that do not apply. */
export const act = (verb: string, target: string, ...results: readonly (string | false | undefined)[]): Statement => ({
  verb,
  target,
  results: results.filter((one) => typeof one === "string"),
});

/** The first part of a sentence: what is done to what. */
export const headOf = ({ verb, target }: Statement): string => `${verb} ${target}`;

/** The results in a sentence; empty if there are none. */
export const resultsOf = ({ results }: Statement): string => results.join("; ");
