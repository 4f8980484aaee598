/** What is known of an answer beforehand: what a status means, and whether the vendor still runs what is called. */

/** A hint as a text, or made from the call's path arguments. */
export type Hint = string | ((path: Readonly<Record<string, string>>) => string);

const fails = (status: number): boolean => status >= 400;

interface Meaning {
  readonly means?: Readonly<Record<number, Hint>>;
}

/** The statuses that an operation says something of: those of answers, or those of failures. */
export const statusesExplained = ({ means = {} }: Meaning, isFailure: boolean): readonly number[] =>
  Object.keys(means)
    .map(Number)
    .filter((status) => fails(status) === isFailure);

/** What an operation says of a status; without a call's arguments, in the words that fit every call. */
export function meaningOf(
  { means }: Meaning,
  status: number,
  path: Readonly<Record<string, string>> = {},
): string | undefined {
  const hint = means?.[status];
  return typeof hint === "function" ? hint(path) : hint;
}

/** The hint that an operation has of its own for a status of failure. */
export const hintFor: typeof meaningOf = (spec, status, path) =>
  fails(status) ? meaningOf(spec, status, path) : undefined;

// A route that the upstream does not have is not found, or has no such method.
const ofRoutes: readonly number[] = [404, 405];

interface Routed {
  readonly published?: { readonly route: string };
}

/** The statuses that may be about the route of a call, which has another in public facts. */
export const statusesOfRoutes = ({ published }: Routed): readonly number[] => (published === undefined ? [] : ofRoutes);

/**
 * What to do about a status that may be about the route of a call; undefined for another, and for a call with one route.
 * @param isPublished Whether the call was sent by the route of public facts.
 */
export function adviceOnRoute(
  tool: string,
  { route, spec }: { readonly route: string; readonly spec: Routed },
  status: number,
  isPublished = false,
): string | undefined {
  if (spec.published === undefined || !statusesOfRoutes(spec).includes(status)) return undefined;
  return isPublished
    ? `It was sent in the published form, because the setting published-routes lists ${tool}; if that form is not there, whoever operates the server can take it out, and it goes by ${route} again.`
    : `If what the call names is there, the API may take the call by ${spec.published.route} instead: whoever operates the server can list ${tool} in the setting published-routes to use that form.`;
}

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
