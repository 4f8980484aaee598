/**
 * The catalogue of what the API offers: one folder for each service, in which operations are declared as data. Code that
 * serves all services finds them here and knows none of them by name. Each service is imported lazily, so that a call
 * loads only the one it needs.
 */
import type { AccountReading, AccountsReading } from "../language/account.js";
import type { AnyOperation } from "../language/define.js";
import { lazily } from "../language/once-for.js";
import { type Apis, type Service, servicesIn } from "../language/service.js";

/**
 * A lazily imported service with the path prefixes of its operations: they identify the service of a request without loading
 * its declarations.
 */
const withRoots = <S>(roots: readonly `/${string}`[], load: () => Promise<S>) => Object.assign(lazily(load), { roots });

/** Service name, as in the operations table, to its declarations, in the order of the documents. */
export const services = {
  reporting: withRoots(["/reporting-api/v1/"], async () => (await import("./reporting/index.js")).reporting),
  "reporting-v2": withRoots(["/reporting-api/v2/"], async () => (await import("./reporting-v2/index.js")).reportingV2),
  "billing-usage": withRoots(
    ["/billing-center-api/v2/"],
    async () => (await import("./billing-usage/index.js")).billingUsage,
  ),
  contracts: withRoots(["/contract-api/v1/"], async () => (await import("./contracts/index.js")).contracts),
  purge: withRoots(["/ccu/v2/"], async () => (await import("./purge/index.js")).purge),
  "purge-v3": withRoots(["/ccu/v3/"], async () => (await import("./purge/v3.js")).purgeV3),
  "alerts-v1": withRoots(["/alerts/v1/"], async () => (await import("./alerts-v1/index.js")).alertsV1),
  "alerts-v2": withRoots(
    ["/alerts/v2/", "/alerts/redirect"],
    async () => (await import("./alerts-v2/index.js")).alertsV2,
  ),
  diagnostics: withRoots(["/diagnostic-tools/v2/"], async () => (await import("./diagnostics/index.js")).diagnostics),
  "edge-diagnostics": withRoots(
    ["/edge-diagnostics/v1/"],
    async () => (await import("./edge-diagnostics/index.js")).edgeDiagnostics,
  ),
  events: withRoots(["/events/ws/api/v2/"], async () => (await import("./events/index.js")).events),
  "events-v3": withRoots(["/events/v3/"], async () => (await import("./events/v3.js")).eventsV3),
  certificates: withRoots(["/cps/v2/"], async () => (await import("./certificates/index.js")).certificates),
  "secure-provisioning": withRoots(
    ["/config-secure-provisioning-service/v1/"],
    async () => (await import("./secure-provisioning/index.js")).secureProvisioning,
  ),
  properties: withRoots(["/papi/v0/"], async () => (await import("./properties/index.js")).properties),
  "properties-v1": withRoots(
    [
      ...(["/papi/v1/properties", "/papi/v1/hostnames", "/papi/v1/edgehostnames", "/papi/v1/cpcodes"] as const),
      ...(["/papi/v1/groups", "/papi/v1/contracts", "/papi/v1/products", "/papi/v1/schemas"] as const),
      ...(["/papi/v1/rule-formats", "/papi/v1/client-settings", "/papi/v1/build", "/papi/v1/search"] as const),
    ],
    async () => (await import("./properties/v1.js")).propertiesV1,
  ),
  includes: withRoots(["/papi/v1/includes"], async () => (await import("./includes/index.js")).includes),
  "property-bulk": withRoots(["/papi/v1/bulk/"], async () => (await import("./property-bulk/index.js")).propertyBulk),
  "edge-logic": withRoots(["/cloudlets/api/v2/"], async () => (await import("./edge-logic/index.js")).edgeLogic),
  "edge-logic-today": withRoots(
    ["/cloudlets/api/v2/"],
    async () => (await import("./edge-logic/today.js")).edgeLogicToday,
  ),
  "shared-policies": withRoots(
    ["/cloudlets/v3/"],
    async () => (await import("./shared-policies/index.js")).sharedPolicies,
  ),
  "visitor-queue": withRoots(
    ["/config-visitor-prioritization-data/api/v1/"],
    async () => (await import("./visitor-queue/index.js")).visitorQueue,
  ),
  "saas-access": withRoots(["/config-saas-rules/v2/"], async () => (await import("./saas-access/index.js")).saasAccess),
  "saas-registration": withRoots(
    ["/config-saas-registration/v1/"],
    async () => (await import("./saas-registration/index.js")).saasRegistration,
  ),
  dns: withRoots(["/config-dns/v1/"], async () => (await import("./dns/index.js")).dns),
  "dns-v2": withRoots(["/config-dns/v2/"], async () => (await import("./dns/v2.js")).dnsV2),
  users: withRoots(["/identity-management/v2/"], async () => (await import("./users/index.js")).users),
  "users-v3": withRoots(
    [
      ...(["ui-identities", "groups", "properties", "roles", "common"] as const).map(
        (part) => `/identity-management/v3/user-admin/${part}` as const,
      ),
      "/identity-management/v3/user-profile",
    ],
    async () => (await import("./users/v3.js")).usersV3,
  ),
  credentials: withRoots(
    ["/identity-management/v1/"],
    async () => (await import("./credentials/index.js")).credentials,
  ),
  "api-clients": withRoots(
    ["/identity-management/v3/api-clients", "/identity-management/v3/users"],
    async () => (await import("./api-clients/index.js")).apiClients,
  ),
  "sign-in": withRoots(
    ["/identity-management/v3/user-admin/ip-acl/"],
    async () => (await import("./sign-in/index.js")).signIn,
  ),
  "threat-protection": withRoots(
    ["/etp-config/v1/"],
    async () => (await import("./threat-protection/index.js")).threatProtection,
  ),
  "log-delivery": withRoots(["/lds-api/v3/"], async () => (await import("./log-delivery/index.js")).logDelivery),
  "live-streaming": withRoots(
    ["/config-media-live/v1/"],
    async () => (await import("./live-streaming/index.js")).liveStreaming,
  ),
  "media-analytics": withRoots(
    ["/media-analytics/v1/"],
    async () => (await import("./media-analytics/index.js")).mediaAnalytics,
  ),
  "network-lists": withRoots(
    ["/network-list/v2/"],
    async () => (await import("./network-lists/index.js")).networkLists,
  ),
} satisfies Record<string, () => Promise<Service>>;

export type ServiceName = keyof typeof services;

/**
 * All services, loaded; for the build, the reference pages and the tests, never for a call.
 * @param apis Only those of the documents, or only those that are offered with today's APIs; all by default.
 */
export async function allServices(apis?: Apis): Promise<Service[]> {
  const all = await Promise.all(Object.values(services).map((load): Promise<Service> => load()));
  if (apis === undefined) return all;
  if (apis === "documents") return [...servicesIn(all, apis)];
  const replaced = new Set(all.flatMap(({ replaces }) => replaces?.services ?? []));
  return all.filter(({ name, standing }) => !replaced.has(name) && standing.state !== "retired");
}

const isServiceName = (name: string): name is ServiceName => Object.hasOwn(services, name);

/** A service by its name in the operations table; `undefined` when there is none. */
export const serviceOf = async (name: string): Promise<Service | undefined> =>
  isServiceName(name) ? services[name]() : undefined;

/** How the services of a setting identify the account, in the order in which they are tried. */
export const accountReadings = async (apis: Apis): Promise<AccountReading[]> => {
  const { accountOfGroups } = await import("./properties/index.js");
  // The events of today do not name the account.
  return apis === "today" ? [accountOfGroups] : [(await import("./events/index.js")).accountOfEvents, accountOfGroups];
};

/** How a credential's other accounts are read, and the operation for it, which both settings of APIs may call. */
export async function accountsReading(): Promise<AccountsReading & { readonly declared: AnyOperation }> {
  const { accountsToSwitchTo: reading, apiClients } = await import("./api-clients/index.js");
  return { ...reading, declared: apiClients.operations.apiclient_switch_keys_list };
}

/** The declaration of a tool, also of an imported operation; undefined if the tool is not an operation. */
export async function operation(
  tool: string,
  entry: { readonly service: string; readonly imported?: { operation(): Promise<AnyOperation> } } | undefined,
): Promise<AnyOperation | undefined> {
  if (entry?.imported) return entry.imported.operation();
  const found = await serviceOf(entry?.service ?? "");
  return found && Object.hasOwn(found.operations, tool) ? found.operations[tool] : undefined;
}
