/** The meaning of statuses, and whether the vendor still runs an operation. */
import { searchTool } from "./server-tools.js";

/** A hint as text, or as a function of the call's path arguments. */
export type Hint = string | ((path: Readonly<Record<string, string>>) => string);

const fails = (status: number): boolean => status >= 400;

interface Meaning {
  readonly means?: Readonly<Record<number, Hint>>;
}

/** The statuses that an operation explains, either of successes or of failures. */
export const statusesExplained = ({ means = {} }: Meaning, isFailure: boolean): readonly number[] =>
  Object.keys(means)
    .map(Number)
    .filter((status) => fails(status) === isFailure);

/** How an operation explains a status; without path arguments, in words that apply to every call. */
export function meaningOf(
  { means }: Meaning,
  status: number,
  path: Readonly<Record<string, string>> = {},
): string | undefined {
  const hint = means?.[status];
  return typeof hint === "function" ? hint(path) : hint;
}

/** How an operation explains the status of a failure. */
export const hintFor: typeof meaningOf = (spec, status, path) =>
  fails(status) ? meaningOf(spec, status, path) : undefined;

export interface ApiStanding {
  readonly state: "alive" | "superseded" | "retired" | "unknown";
  /** The date of the notice, `YYYY-MM-DD` or a part of it; absent if there is none. */
  readonly since?: string;
  readonly successor?: string;
  /** The stage that its document states, if it is not simply released. */
  readonly stage?: "deprecated" | "beta";
}

/** The standing in a few words, for tables and pages. */
export function standingInWords({ state, since, successor }: ApiStanding): string {
  if (state === "superseded") return successor === undefined ? "superseded" : `superseded by ${successor}`;
  if (state === "unknown") return "unknown whether the vendor still runs it";
  return state === "retired" && since !== undefined ? `retired ${since}` : state;
}

/** The advice after a refusal or a 404; undefined for a service that is still running. */
export function standingAdvice({ state, since, successor }: ApiStanding): string | undefined {
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

/** The advice after a live API refused or did not find a call: the standing, and the setting that offers a successor. */
export function adviceOnToday(standing: ApiStanding): string | undefined {
  const advice = standingAdvice(standing);
  const isReplaced = standing.state !== "unknown" && standing.successor !== undefined;
  return advice && isReplaced
    ? `${advice} A server with --apis today offers it: ${searchTool} finds it there.`
    : advice;
}

/** A note for previews of changes; undefined if the vendor runs the service and has no successor for it. */
export function standingNote(standing: ApiStanding): string | undefined {
  const { state, successor } = standing;
  if (state === "retired" || state === "superseded") return standingAdvice(standing);
  return successor === undefined ? undefined : `The vendor has a successor to this part of its APIs: ${successor}.`;
}
