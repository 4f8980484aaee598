/** What an operation says of a failing status and what to do about it, in the words that fit the call. */

/** A hint as a text, or made from the call's path arguments. */
export type Hint = string | ((path: Readonly<Record<string, string>>) => string);

/** The hint that an operation has of its own for a status; without a call's arguments, in the words that fit every call. */
export function hintFor(
  { errors }: { readonly errors?: Readonly<Record<number, Hint>> },
  status: number,
  path: Readonly<Record<string, string>> = {},
): string | undefined {
  const hint = errors?.[status];
  return typeof hint === "function" ? hint(path) : hint;
}

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
