/** Finds the operation of a request, and loads its service with its behaviours on the first request. */
import type { AnyOperation } from "../language/define.js";
import { onceFor } from "../language/once-for.js";
import { type ErrorFormat, Refusal, usualErrorFormat } from "./reply.js";
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

interface Route {
  readonly operation: AnyOperation;
  readonly method: string;
  readonly pattern: RegExp;
  /** The query parameters that are part of the route. */
  readonly fixed: readonly (readonly [string, string])[];
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

function routed(
  { service, behaviours, errorFormat, requestsPerMinute }: EmulatedService,
  vendor: string,
): RoutedService {
  const routes = Object.entries(service.operations).map(([tool, operation]) => {
    const [method = "", target = ""] = operation.route.split(" ");
    const [path = "", query = ""] = target.replaceAll("<vendor>", vendor).split("?");
    // The trailing slash of a documented path is not in the public ones (public facts A, 3 and 6): it is optional.
    const optional = path.endsWith("/") ? "?" : "";
    const pattern = new RegExp(`^${escaped(path).replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}${optional}$`);
    const run = behaviours[tool] as Route["run"];
    return { operation, method, pattern, fixed: [...new URLSearchParams(query)], run };
  });
  return { name: service.name, routes, errorFormat, requestsPerMinute };
}

const matches = (url: URL, { pattern, fixed }: Route): boolean =>
  pattern.test(url.pathname) && fixed.every(([key, value]) => url.searchParams.get(key) === value);

/**
 * Creates the function that finds the service of a request; loaded services are cached. If several have the path's
 * beginning, it is the first that has the route: imported operations are behind the declared ones of the same API.
 */
export function createRouter(
  entries: readonly ServiceEntry[],
  vendor: string,
): (url: URL, method: string) => Promise<RoutedService> {
  const loadedFrom = onceFor((entry: ServiceEntry) => entry.load().then((one) => routed(one, vendor)));
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

const placeholders = ({ operation }: Route): number => operation.route.split("{").length;
const lastPlaceholder = ({ operation }: Route): number => operation.route.lastIndexOf("{");

/** A fixed query wins, then fewer placeholders, then the longest literal end. */
const bySpecificity = (a: Route, b: Route): number =>
  b.fixed.length - a.fixed.length || placeholders(a) - placeholders(b) || lastPlaceholder(a) - lastPlaceholder(b);

/** Finds the operation that a request names, or refuses it. */
export function findRoute({ routes }: RoutedService, method: string, url: URL): Match {
  const matching = routes.filter((route) => matches(url, route));
  const [route] = matching.filter((candidate) => candidate.method === method).sort(bySpecificity);
  if (route) return { route, segments: route.pattern.exec(url.pathname)?.groups ?? {} };
  if (matching.length === 0) throw new Refusal(404, "Not Found", "There is no such resource");
  const allow = [...new Set(matching.map((candidate) => candidate.method))].join(", ");
  throw new Refusal(405, "Method Not Allowed", `Use ${allow}`, { headers: { allow } });
}
