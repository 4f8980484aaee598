/** Finds the operation that a request names; a service is loaded with its behaviours when its first request comes. */
import type { AnyOperation } from "../api/define.js";
import type { Service } from "../api/service.js";
import { type ServiceName, services } from "../tools/index.js";
import { Refusal, usualWording, type Wording } from "./problem.js";
import { behaviours, requestsPerMinute, wordings } from "./services/index.js";
import type { ReadCall } from "./wire.js";
import type { World } from "./world.js";

/** What a behaviour answers, before its types are known. */
interface Answered {
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
  readonly run: (call: ReadCall, world: World) => Answered;
}

interface Match {
  readonly route: Route;
  readonly segments: Readonly<Record<string, string>>;
}

/** How the paths of each service begin; longer beginnings first where one contains another. */
export const prefixes: Readonly<Record<ServiceName, readonly string[]>> = {
  reporting: ["/reporting-api/v1/"],
  "billing-usage": ["/billing-center-api/v2/"],
  contracts: ["/contract-api/v1/"],
  purge: ["/ccu/v2/"],
  "alerts-v1": ["/alerts/v1/"],
  "alerts-v2": ["/alerts/v2/", "/alerts/redirect"],
  diagnostics: ["/diagnostic-tools/v2/"],
  events: ["/events/ws/api/v2/"],
  "saas-registration": ["/config-saas-registration/v1/"],
  dns: ["/config-dns/v1/"],
  credentials: ["/identity-management/v1/"],
};

const names = Object.keys(prefixes) as ServiceName[];
const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");

async function routesOf(name: ServiceName): Promise<Route[]> {
  const service: Service = await services[name]();
  const own: Readonly<Record<string, unknown>> = await behaviours[name]();
  return Object.entries(service.operations).map(([tool, operation]) => {
    const [method = "", target = ""] = operation.route.split(" ");
    const [path = "", query = ""] = target.replaceAll("<vendor>", "akamai").split("?");
    // A slash that ends a documented path is not in the public ones (public facts A, 3 and 6): it may be left out.
    const ending = path.endsWith("/") ? "?" : "";
    const pattern = new RegExp(`^${escaped(path).replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}${ending}$`);
    const run = own[tool] as Route["run"];
    return { operation, method, pattern, fixed: [...new URLSearchParams(query)], run };
  });
}

const placeholders = ({ operation }: Route): number => operation.route.split("{").length;
const lastPlaceholder = ({ operation }: Route): number => operation.route.lastIndexOf("{");

/** A fixed query wins, then fewer placeholders, then the one that is literal to the end. */
const isMoreSpecific = (a: Route, b: Route): number =>
  b.fixed.length - a.fixed.length || placeholders(a) - placeholders(b) || lastPlaceholder(a) - lastPlaceholder(b);

/** A service that has been loaded: its routes, how it words its refusals, and its limit when it has one. */
export interface Loaded {
  readonly name: string;
  readonly routes: readonly Route[];
  readonly wording: Wording;
  readonly requestsPerMinute?: number | undefined;
}

/** What stands for the service where the path is of none. */
export const nobody: Loaded = { name: "", routes: [], wording: usualWording };

const load = async (name: ServiceName): Promise<Loaded> => ({
  name,
  routes: await routesOf(name),
  wording: (await wordings[name]?.()) ?? usualWording,
  requestsPerMinute: requestsPerMinute[name],
});

/** Makes the function that finds the service of a request; it keeps the services that it has loaded. */
export function createRouter(): (url: URL) => Promise<Loaded> {
  const kept = new Map<ServiceName, Promise<Loaded>>();
  return async ({ pathname }) => {
    const name = names.find((candidate) => prefixes[candidate].some((prefix) => pathname.startsWith(prefix)));
    return name === undefined ? nobody : (kept.get(name) ?? kept.set(name, load(name)).get(name) ?? nobody);
  };
}

/** Finds the operation that a request names, or refuses it. */
export function matchOf({ routes }: Loaded, method: string, url: URL): Match {
  const matching = routes.filter(
    ({ pattern, fixed }) =>
      pattern.test(url.pathname) && fixed.every(([key, value]) => url.searchParams.get(key) === value),
  );
  const [route] = matching.filter((candidate) => candidate.method === method).sort(isMoreSpecific);
  if (route) return { route, segments: route.pattern.exec(url.pathname)?.groups ?? {} };
  if (matching.length === 0) throw new Refusal(404, "Not Found", "There is no such resource");
  const allow = [...new Set(matching.map((candidate) => candidate.method))].join(", ");
  throw new Refusal(405, "Method Not Allowed", `Use ${allow}`, { headers: { allow } });
}
