/** The guides and prompts of the services, each imported only when it is read. */
import type { Guide } from "../language/guide.js";
import { lazily } from "../language/once-for.js";
import type { Prompt } from "../language/reading.js";
import type { ServiceName } from "./index.js";

const guides: Readonly<Record<ServiceName, () => Promise<Guide>>> = {
  reporting: lazily(async () => (await import("./reporting/guide.js")).reporting),
  "billing-usage": lazily(async () => (await import("./billing-usage/guide.js")).billingUsage),
  contracts: lazily(async () => (await import("./contracts/guide.js")).contracts),
  purge: lazily(async () => (await import("./purge/guide.js")).purge),
  "purge-v3": lazily(async () => (await import("./purge/guide-v3.js")).purgeV3),
  "alerts-v1": lazily(async () => (await import("./alerts-v1/guide.js")).alertsV1),
  "alerts-v2": lazily(async () => (await import("./alerts-v2/guide.js")).alertsV2),
  diagnostics: lazily(async () => (await import("./diagnostics/guide.js")).diagnostics),
  "edge-diagnostics": lazily(async () => (await import("./edge-diagnostics/guide.js")).edgeDiagnostics),
  events: lazily(async () => (await import("./events/guide.js")).events),
  "events-v3": lazily(async () => (await import("./events/guide-v3.js")).eventsV3),
  certificates: lazily(async () => (await import("./certificates/guide.js")).certificates),
  "secure-provisioning": lazily(async () => (await import("./secure-provisioning/guide.js")).secureProvisioning),
  properties: lazily(async () => (await import("./properties/guide.js")).properties),
  "properties-v1": lazily(async () => (await import("./properties/guide.js")).propertiesV1),
  includes: lazily(async () => (await import("./includes/guide.js")).includes),
  "property-bulk": lazily(async () => (await import("./property-bulk/guide.js")).propertyBulk),
  "edge-logic": lazily(async () => (await import("./edge-logic/guide.js")).edgeLogic),
  "edge-logic-today": lazily(async () => (await import("./edge-logic/guide.js")).edgeLogic),
  "shared-policies": lazily(async () => (await import("./shared-policies/guide.js")).sharedPolicies),
  "visitor-queue": lazily(async () => (await import("./visitor-queue/guide.js")).visitorQueue),
  "saas-access": lazily(async () => (await import("./saas-access/guide.js")).saasAccess),
  "saas-registration": lazily(async () => (await import("./saas-registration/guide.js")).saasRegistration),
  dns: lazily(async () => (await import("./dns/guide.js")).dns),
  "dns-v2": lazily(async () => (await import("./dns/guide-v2.js")).dnsV2),
  users: lazily(async () => (await import("./users/guide.js")).users),
  "users-v3": lazily(async () => (await import("./users/guide-v3.js")).usersV3),
  credentials: lazily(async () => (await import("./credentials/guide.js")).credentials),
  "api-clients": lazily(async () => (await import("./api-clients/guide.js")).apiClients),
  "sign-in": lazily(async () => (await import("./sign-in/guide.js")).signIn),
  "threat-protection": lazily(async () => (await import("./threat-protection/guide.js")).threatProtection),
  "log-delivery": lazily(async () => (await import("./log-delivery/guide.js")).logDelivery),
  "live-streaming": lazily(async () => (await import("./live-streaming/guide.js")).liveStreaming),
  "media-analytics": lazily(async () => (await import("./media-analytics/guide.js")).mediaAnalytics),
  "network-lists": lazily(async () => (await import("./network-lists/guide.js")).networkLists),
};

const isServiceName = (name: string): name is ServiceName => Object.hasOwn(guides, name);

/** The names of the services that have a guide. */
export const guideNames: readonly string[] = Object.keys(guides);

/** The written part of a service's guide, by the service's name in the operations table; undefined for an unknown name. */
export const guideOf = async (service: string): Promise<Guide | undefined> =>
  isServiceName(service) ? guides[service]() : undefined;

const prompts: Readonly<Partial<Record<ServiceName, () => Promise<Prompt>>>> = {
  "billing-usage": lazily(async () => (await import("./billing-usage/prompt.js")).explainUsage),
  purge: lazily(async () => (await import("./purge/prompt.js")).purgeSafely),
  "purge-v3": lazily(async () => (await import("./purge/prompt.js")).purgeSafelyToday),
  diagnostics: lazily(async () => (await import("./diagnostics/prompt.js")).investigateOutage),
  "edge-diagnostics": lazily(async () => (await import("./diagnostics/prompt.js")).investigateOutageToday),
  events: lazily(async () => (await import("./events/prompt.js")).planEvent),
  "events-v3": lazily(async () => (await import("./events/prompt.js")).planEventToday),
  certificates: lazily(async () => (await import("./certificates/prompt.js")).renewCertificate),
  properties: lazily(async () => (await import("./properties/prompt.js")).goLive),
  "properties-v1": lazily(async () => (await import("./properties/prompt.js")).goLive),
  dns: lazily(async () => (await import("./dns/prompt.js")).moveRecord),
  "dns-v2": lazily(async () => (await import("./dns/prompt.js")).moveRecordToday),
  credentials: lazily(async () => (await import("./credentials/prompt.js")).rotateCredentials),
  "api-clients": lazily(async () => (await import("./credentials/prompt.js")).rotateCredentialsToday),
  "threat-protection": lazily(async () => (await import("./threat-protection/prompt.js")).blockDomain),
  "log-delivery": lazily(async () => (await import("./log-delivery/prompt.js")).deliverLogs),
  "live-streaming": lazily(async () => (await import("./live-streaming/prompt.js")).watchStream),
};

/** The prompt of a service, by the service's name in the operations table; undefined if it has none. */
export const promptOf = async (service: string): Promise<Prompt | undefined> =>
  Object.hasOwn(prompts, service) ? prompts[service as ServiceName]?.() : undefined;
