/** Finds the operation that a request names; a service is loaded with its behaviours when its first request comes. */
import type { AnyOperation, Service } from "../api/define.js";
import { type ServiceName, services } from "../tools/index.js";
import { Problem } from "./problem.js";
import { behaviours } from "./services/index.js";
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

export interface Match {
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
    const pattern = new RegExp(`^${escaped(path).replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    const run = own[tool] as Route["run"];
    return { operation, method, pattern, fixed: [...new URLSearchParams(query)], run };
  });
}

const placeholders = ({ operation }: Route): number => operation.route.split("{").length;
const lastPlaceholder = ({ operation }: Route): number => operation.route.lastIndexOf("{");

/** A fixed query wins, then fewer placeholders, then the one that is literal to the end. */
const isMoreSpecific = (a: Route, b: Route): number =>
  b.fixed.length - a.fixed.length || placeholders(a) - placeholders(b) || lastPlaceholder(a) - lastPlaceholder(b);

/** Makes the function that finds routes; it keeps the services that it has loaded. */
export function createRouter(): (method: string, url: URL) => Promise<Match> {
  const loaded = new Map<ServiceName, Promise<Route[]>>();
  return async (method, url) => {
    const name = names.find((candidate) => prefixes[candidate].some((prefix) => url.pathname.startsWith(prefix)));
    const routes =
      name === undefined ? [] : await (loaded.get(name) ?? loaded.set(name, routesOf(name)).get(name) ?? []);
    const matching = routes.filter(
      ({ pattern, fixed }) =>
        pattern.test(url.pathname) && fixed.every(([key, value]) => url.searchParams.get(key) === value),
    );
    const [route] = matching.filter((candidate) => candidate.method === method).sort(isMoreSpecific);
    if (route) return { route, segments: route.pattern.exec(url.pathname)?.groups ?? {} };
    if (matching.length === 0)
      throw new Problem(404, {
        type: "/error-types/404",
        title: "Not Found",
        status: 404,
        detail: "There is no such resource",
      });
    const allow = [...new Set(matching.map((candidate) => candidate.method))].join(", ");
    const body = { type: "/error-types/405", title: "Method Not Allowed", status: 405, detail: `Use ${allow}` };
    throw new Problem(405, body, "application/problem+json", { allow });
  };
}
