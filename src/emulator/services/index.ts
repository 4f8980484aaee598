/** The emulated services, each imported lazily; a service that is not registered does not compile. */
import type { Service } from "../../language/service.js";
import { type ServiceName, services } from "../../tools/index.js";
import type { ServiceEntry } from "../router.js";
import type { EmulatedServiceOf } from "../service.js";

type Declared<N extends ServiceName> = Awaited<ReturnType<(typeof services)[N]>>;

/** Service name to its registration. */
export const emulatedServices: {
  readonly [N in ServiceName]: () => Promise<Declared<N> extends Service ? EmulatedServiceOf<Declared<N>> : never>;
} = {
  reporting: async () => (await import("./reporting/index.js")).reporting,
  "reporting-v2": async () => (await import("./reporting/v2.js")).reportingV2,
  "billing-usage": async () => (await import("./billing-usage/index.js")).billingUsage,
  contracts: async () => (await import("./contracts/index.js")).contracts,
  purge: async () => (await import("./purge/index.js")).purge,
  "purge-v3": async () => (await import("./purge/v3.js")).purgeV3,
  "alerts-v1": async () => (await import("./alerts-v1/index.js")).alertsV1,
  "alerts-v2": async () => (await import("./alerts-v2/index.js")).alertsV2,
  diagnostics: async () => (await import("./diagnostics/index.js")).diagnostics,
  "edge-diagnostics": async () => (await import("./diagnostics/today.js")).edgeDiagnostics,
  events: async () => (await import("./events/index.js")).events,
  "events-v3": async () => (await import("./events/v3.js")).eventsV3,
  certificates: async () => (await import("./certificates/index.js")).certificates,
  "secure-provisioning": async () => (await import("./secure-provisioning/index.js")).secureProvisioning,
  properties: async () => (await import("./properties/index.js")).properties,
  "properties-v1": async () => (await import("./properties/v1.js")).propertiesV1,
  includes: async () => (await import("./includes/index.js")).includes,
  "property-bulk": async () => (await import("./property-bulk/index.js")).propertyBulk,
  "edge-logic": async () => (await import("./edge-logic/index.js")).edgeLogic,
  "edge-logic-today": async () => (await import("./edge-logic/today.js")).edgeLogicToday,
  "shared-policies": async () => (await import("./shared-policies/index.js")).sharedPolicies,
  "visitor-queue": async () => (await import("./visitor-queue/index.js")).visitorQueue,
  "saas-access": async () => (await import("./saas-access/index.js")).saasAccess,
  "saas-registration": async () => (await import("./saas-registration/index.js")).saasRegistration,
  dns: async () => (await import("./dns/index.js")).dns,
  "dns-v2": async () => (await import("./dns/v2.js")).dnsV2,
  users: async () => (await import("./users/index.js")).users,
  "users-v3": async () => (await import("./users/v3.js")).usersV3,
  credentials: async () => (await import("./credentials/index.js")).credentials,
  "api-clients": async () => (await import("./api-clients/index.js")).apiClients,
  "sign-in": async () => (await import("./sign-in/index.js")).signIn,
  "live-streaming": async () => (await import("./live-streaming/index.js")).liveStreaming,
  "media-analytics": async () => (await import("./media-analytics/index.js")).mediaAnalytics,
  "log-delivery": async () => (await import("./log-delivery/index.js")).logDelivery,
  "threat-protection": async () => (await import("./threat-protection/index.js")).threatProtection,
  "network-lists": async () => (await import("./network-lists/index.js")).networkLists,
};

/** The services for the router, with their path prefixes. */
export const serviceEntries: readonly ServiceEntry[] = (Object.keys(emulatedServices) as ServiceName[]).map((name) => ({
  roots: services[name].roots,
  load: emulatedServices[name],
}));
