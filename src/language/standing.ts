/** Whether the vendor still runs a service or an operation, according to public notices, and what that means for a call that found nothing. */

export interface Standing {
  readonly state: "alive" | "superseded" | "retired" | "unknown";
  /** The date of the notice, `YYYY-MM-DD` or a part of it; absent where there is none. */
  readonly since?: string;
  readonly successor?: string;
  /** What its own document says of it, where it is not finished or no longer advised. */
  readonly stage?: "deprecated" | "beta";
}

/** A short form of the standing, for a table or a page. */
export function standingInWords({ state, since, successor }: Standing): string {
  if (state === "superseded") return successor === undefined ? "superseded" : `superseded by ${successor}`;
  if (state === "unknown") return "not known whether the vendor still runs it";
  return state === "retired" && since !== undefined ? `retired ${since}` : state;
}

/** The advice after a refusal or a 404; undefined for a service that is alive. */
export function standingAdvice({ state, since, successor }: Standing): string | undefined {
  const when = since === undefined ? "" : since.length === 10 ? ` on ${since}` : ` in ${since}`;
  const instead = successor === undefined ? "." : `; its successor is ${successor}.`;
  switch (state) {
    case "retired":
      return `The vendor retired this part of its APIs${when}${instead}`;
    case "superseded":
      return `The vendor superseded this part of its APIs${when}, and it may no longer answer${instead}`;
    case "unknown":
      return "No public notice says whether the vendor still runs this part of its APIs.";
    case "alive":
      return undefined;
  }
}

/** What to know of a service before a change is made by it; undefined where the vendor runs it and has no other. */
export function standingNote(standing: Standing): string | undefined {
  const { state, successor } = standing;
  if (state === "retired" || state === "superseded") return standingAdvice(standing);
  return successor === undefined ? undefined : `The vendor has a successor to this part of its APIs: ${successor}.`;
}
