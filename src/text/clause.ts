/** What a description says first, for lists; the rest is for the page of the tool. */
const mostLetters = 44;

/** The first clause of a description, cut behind a word. */
export function clauseOf(description: string): string {
  const [clause = ""] = description.split(/[.;:(](?:\s|$)|,\s|\s\(/);
  return clause.length <= mostLetters ? clause : `${clause.slice(0, clause.lastIndexOf(" ", mostLetters))}…`;
}
