/** Finds the operation that a request names; a service is loaded with its behaviours when its first request comes. */
import type { AnyOperation } from "../api/define.js";
import { Refusal, usualWording, type Wording } from "./problem.js";
import type { EmulatedService } from "./service.js";
import type { ReadCall } from "./wire.js";
import type { World } from "./world.js";

/** A service that requests can be for: how the paths of its operations begin, and how to load it. */
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
  /** The query that belongs to the route. */
  readonly fixed: readonly (readonly [string, string])[];
  readonly run: (call: ReadCall, world: World) => Answer;
}

interface Match {
  readonly route: Route;
  readonly segments: Readonly<Record<string, string>>;
}

/** A service whose requests can be answered: its routes, how it words its refusals, and its limit when it has one. */
export interface RoutedService {
  readonly name: string;
  readonly routes: readonly Route[];
  readonly wording: Wording;
  readonly requestsPerMinute?: number | undefined;
}

/** What stands for the service where the path is of none. */
const unknownService: RoutedService = { name: "", routes: [], wording: usualWording };

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");

function routed({ service, behaviours, wording, requestsPerMinute }: EmulatedService, vendor: string): RoutedService {
  const routes = Object.entries(service.operations).map(([tool, operation]) => {
    const [method = "", target = ""] = operation.route.split(" ");
    const [path = "", query = ""] = target.replaceAll("<vendor>", vendor).split("?");
    // A slash that ends a documented path is not in the public ones (public facts A, 3 and 6): it may be left out.
    const ending = path.endsWith("/") ? "?" : "";
    const pattern = new RegExp(`^${escaped(path).replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}${ending}$`);
    const run = behaviours[tool] as Route["run"];
    return { operation, method, pattern, fixed: [...new URLSearchParams(query)], run };
  });
  return { name: service.name, routes, wording, requestsPerMinute };
}

/** Makes the function that finds the service of a request; it keeps the services that it has loaded. */
export function createRouter(entries: readonly ServiceEntry[], vendor: string): (url: URL) => Promise<RoutedService> {
  const loaded = new Map<ServiceEntry, Promise<RoutedService>>();
  const beginnings = entries
    .flatMap((entry) => entry.roots.map((root) => ({ entry, root: root.replaceAll("<vendor>", vendor) })))
    .sort((a, b) => b.root.length - a.root.length);
  return ({ pathname }) => {
    const entry = beginnings.find(({ root }) => pathname.startsWith(root))?.entry;
    if (!entry) return Promise.resolve(unknownService);
    const service = loaded.get(entry) ?? entry.load().then((one) => routed(one, vendor));
    loaded.set(entry, service);
    return service;
  };
}

const placeholders = ({ operation }: Route): number => operation.route.split("{").length;
const lastPlaceholder = ({ operation }: Route): number => operation.route.lastIndexOf("{");

/** A fixed query wins, then fewer placeholders, then the one that is literal to the end. */
const bySpecificity = (a: Route, b: Route): number =>
  b.fixed.length - a.fixed.length || placeholders(a) - placeholders(b) || lastPlaceholder(a) - lastPlaceholder(b);

/** Finds the operation that a request names, or refuses it. */
export function findRoute({ routes }: RoutedService, method: string, url: URL): Match {
  const matching = routes.filter(
    ({ pattern, fixed }) =>
      pattern.test(url.pathname) && fixed.every(([key, value]) => url.searchParams.get(key) === value),
  );
  const [route] = matching.filter((candidate) => candidate.method === method).sort(bySpecificity);
  if (route) return { route, segments: route.pattern.exec(url.pathname)?.groups ?? {} };
  if (matching.length === 0) throw new Refusal(404, "Not Found", "There is no such resource");
  const allow = [...new Set(matching.map((candidate) => candidate.method))].join(", ");
  throw new Refusal(405, "Method Not Allowed", `Use ${allow}`, { headers: { allow } });
}
