/** The emulated services, each imported lazily; a service that is not registered does not compile. */
import type { Service } from "../../language/service.js";
import { type ServiceName, services } from "../../tools/index.js";
import type { ServiceEntry } from "../router.js";
import type { Emulated } from "../service.js";

type Declared<N extends ServiceName> = Awaited<ReturnType<(typeof services)[N]>>;

/** Service name to its registration. */
export const emulatedServices: {
  readonly [N in ServiceName]: () => Promise<Declared<N> extends Service ? Emulated<Declared<N>> : never>;
} = {
  reporting: async () => (await import("./reporting/index.js")).reporting,
  "billing-usage": async () => (await import("./billing-usage/index.js")).billingUsage,
  contracts: async () => (await import("./contracts/index.js")).contracts,
  purge: async () => (await import("./purge/index.js")).purge,
  "purge-v3": async () => (await import("./purge/v3.js")).purgeV3,
  "alerts-v1": async () => (await import("./alerts-v1/index.js")).alertsV1,
  "alerts-v2": async () => (await import("./alerts-v2/index.js")).alertsV2,
  diagnostics: async () => (await import("./diagnostics/index.js")).diagnostics,
  events: async () => (await import("./events/index.js")).events,
  certificates: async () => (await import("./certificates/index.js")).certificates,
  "secure-provisioning": async () => (await import("./secure-provisioning/index.js")).secureProvisioning,
  properties: async () => (await import("./properties/index.js")).properties,
  "edge-logic": async () => (await import("./edge-logic/index.js")).edgeLogic,
  "visitor-queue": async () => (await import("./visitor-queue/index.js")).visitorQueue,
  "saas-access": async () => (await import("./saas-access/index.js")).saasAccess,
  "saas-registration": async () => (await import("./saas-registration/index.js")).saasRegistration,
  dns: async () => (await import("./dns/index.js")).dns,
  users: async () => (await import("./users/index.js")).users,
  credentials: async () => (await import("./credentials/index.js")).credentials,
  "live-streaming": async () => (await import("./live-streaming/index.js")).liveStreaming,
  "media-analytics": async () => (await import("./media-analytics/index.js")).mediaAnalytics,
  "log-delivery": async () => (await import("./log-delivery/index.js")).logDelivery,
  "threat-protection": async () => (await import("./threat-protection/index.js")).threatProtection,
};

/** The services for the router, with their path prefixes. */
export const serviceEntries: readonly ServiceEntry[] = (Object.keys(emulatedServices) as ServiceName[]).map((name) => ({
  roots: services[name].roots,
  load: emulatedServices[name],
}));
