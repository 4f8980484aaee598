/** Finds the operation of a request, and loads its service with its behaviours on the first request. */
import type { AnyOperation } from "../language/define.js";
import { onceFor } from "../language/once-for.js";
import { type ErrorFormat, RequestRefusal, usualErrorFormat } from "./reply.js";
import type { EmulatedService } from "./service.js";
import type { ReadCall } from "./wire.js";
import type { World } from "./world.js";

/** A service that can receive requests: the path prefixes of its operations, and how to load it. */
export interface ServiceEntry {
  readonly roots: readonly string[];
  readonly load: () => Promise<EmulatedService>;
}

/** What a behaviour answers, before its types are known. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The place of an operation. */
interface RoutePattern {
  readonly tool: string;
  readonly operation: AnyOperation;
  readonly method: string;
  readonly pattern: RegExp;
  /** The query parameters that are part of the route. */
  readonly fixed: readonly (readonly [string, string])[];
}

interface Route extends RoutePattern {
  readonly run: (call: ReadCall, world: World) => Answer;
}

interface Match {
  readonly route: Route;
  readonly segments: Readonly<Record<string, string>>;
}

/** A loaded service: its routes, its error format, and its rate limit if it has one. */
export interface RoutedService {
  readonly name: string;
  readonly routes: readonly Route[];
  readonly errorFormat: ErrorFormat;
  readonly requestsPerMinute?: number | undefined;
}

/** The placeholder for paths of no service. */
const unknownService: RoutedService = { name: "", routes: [], errorFormat: usualErrorFormat };

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");

/** The places of operations, by the names of their tools. */
export const routePatternsOf = (operations: Readonly<Record<string, AnyOperation>>, vendor: string): RoutePattern[] =>
  Object.entries(operations).map(([tool, operation]) => {
    const [method = "", target = ""] = operation.route.split(" ");
    const [path = "", query = ""] = target.replaceAll("<vendor>", vendor).split("?");
    // The trailing slash of a documented path is not in the public ones (public facts A, 3 and 6): it is optional.
    const optional = path.endsWith("/") ? "?" : "";
    const pattern = new RegExp(`^${escaped(path).replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}${optional}$`);
    return { tool, operation, method, pattern, fixed: [...new URLSearchParams(query)] };
  });

function routedService(
  { service, behaviours, errorFormat, requestsPerMinute }: EmulatedService,
  vendor: string,
): RoutedService {
  const routes = routePatternsOf(service.operations, vendor).map((place) => ({
    ...place,
    run: behaviours[place.tool] as Route["run"],
  }));
  return { name: service.name, routes, errorFormat, requestsPerMinute };
}

const matches = (url: URL, { pattern, fixed }: RoutePattern): boolean =>
  pattern.test(url.pathname) && fixed.every(([key, value]) => url.searchParams.get(key) === value);

/**
 * Creates the function that finds the service of a request; loaded services are cached. If several have the path's
 * beginning, it is the first that has the route: imported operations are behind the declared ones of the same API.
 */
export function createRouter(
  entries: readonly ServiceEntry[],
  vendor: string,
): (url: URL, method: string) => Promise<RoutedService> {
  const loadedFrom = onceFor((entry: ServiceEntry) => entry.load().then((one) => routedService(one, vendor)));
  const prefixes = entries
    .flatMap((entry) => entry.roots.map((root) => ({ entry, root: root.replaceAll("<vendor>", vendor) })))
    .sort((a, b) => b.root.length - a.root.length);
  return async (url, method) => {
    const candidates = prefixes.filter(({ root }) => url.pathname.startsWith(root)).map(({ entry }) => entry);
    const [first, ...others] = candidates;
    if (!first) return unknownService;
    const service = await loadedFrom(first);
    const has = ({ routes }: RoutedService) => routes.some((one) => one.method === method && matches(url, one));
    if (has(service)) return service;
    for (const entry of others) {
      const other = await loadedFrom(entry);
      if (has(other)) return other;
    }
    return service;
  };
}

const placeholders = ({ operation }: RoutePattern): number => operation.route.split("{").length;
const lastPlaceholder = ({ operation }: RoutePattern): number => operation.route.lastIndexOf("{");

/** A fixed query wins, then fewer placeholders, then the longest literal end. */
const bySpecificity = (a: RoutePattern, b: RoutePattern): number =>
  b.fixed.length - a.fixed.length || placeholders(a) - placeholders(b) || lastPlaceholder(a) - lastPlaceholder(b);

/** The place that a request names, with the values of its keys as they are in the path; undefined if there is none. */
export function patternAt<P extends RoutePattern>(places: readonly P[], method: string, url: URL) {
  const [place] = places.filter((one) => one.method === method && matches(url, one)).sort(bySpecificity);
  return place && { place, segments: place.pattern.exec(url.pathname)?.groups ?? {} };
}

/** Finds the operation that a request names, or refuses it. */
export function findRoute({ routes }: RoutedService, method: string, url: URL): Match {
  const found = patternAt(routes, method, url);
  if (found) return { route: found.place, segments: found.segments };
  const matching = routes.filter((route) => matches(url, route));
  if (matching.length === 0) throw new RequestRefusal(404, "Not Found", "There is no such resource");
  const allow = [...new Set(matching.map((candidate) => candidate.method))].join(", ");
  throw new RequestRefusal(405, "Method Not Allowed", `Use ${allow}`, { headers: { allow } });
}
