/** What an operation says of a status and what to do about it, in the words that fit the call. */

/** A hint as a text, or made from the call's path arguments. */
export type Hint = string | ((path: Readonly<Record<string, string>>) => string);

/** Whether a status is one of failure. */
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
