/** The written parts of the guides, each imported when its guide is read. */
import type { Guide } from "../../api/guide.js";
import { lazily } from "../../api/lazily.js";
import type { ServiceName } from "../index.js";

const guides: Readonly<Record<ServiceName, () => Promise<Guide>>> = {
  reporting: lazily(async () => (await import("./reporting.js")).reporting),
  "billing-usage": lazily(async () => (await import("./billing-usage.js")).billingUsage),
  contracts: lazily(async () => (await import("./contracts.js")).contracts),
  purge: lazily(async () => (await import("./purge.js")).purge),
  "alerts-v1": lazily(async () => (await import("./alerts-v1.js")).alertsV1),
  "alerts-v2": lazily(async () => (await import("./alerts-v2.js")).alertsV2),
  diagnostics: lazily(async () => (await import("./diagnostics.js")).diagnostics),
  events: lazily(async () => (await import("./events.js")).events),
  certificates: lazily(async () => (await import("./certificates.js")).certificates),
  "secure-provisioning": lazily(async () => (await import("./secure-provisioning.js")).secureProvisioning),
  properties: lazily(async () => (await import("./properties.js")).properties),
  "edge-logic": lazily(async () => (await import("./edge-logic.js")).edgeLogic),
  "visitor-queue": lazily(async () => (await import("./visitor-queue.js")).visitorQueue),
  "saas-access": lazily(async () => (await import("./saas-access.js")).saasAccess),
  "saas-registration": lazily(async () => (await import("./saas-registration.js")).saasRegistration),
  dns: lazily(async () => (await import("./dns.js")).dns),
  users: lazily(async () => (await import("./users.js")).users),
  credentials: lazily(async () => (await import("./credentials.js")).credentials),
  "threat-protection": lazily(async () => (await import("./threat-protection.js")).threatProtection),
  "log-delivery": lazily(async () => (await import("./log-delivery.js")).logDelivery),
  "live-streaming": lazily(async () => (await import("./live-streaming.js")).liveStreaming),
  "media-analytics": lazily(async () => (await import("./media-analytics.js")).mediaAnalytics),
};

const isServiceName = (name: string): name is ServiceName => Object.hasOwn(guides, name);

/** The names of the services that have a guide. */
export const guideNames: readonly string[] = Object.keys(guides);

/** The written part of a service's guide, by the service's name in the operations table; undefined for another name. */
export const guideOf = async (service: string): Promise<Guide | undefined> =>
  isServiceName(service) ? guides[service]() : undefined;
