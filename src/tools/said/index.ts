/** What people say, of all services; for the build and the tests, never for a call. */
import type { Said } from "../../api/said.js";
import type { Service } from "../../api/service.js";
import type { ServiceName } from "../index.js";
import { alertsV1 } from "./alerts-v1.js";
import { alertsV2 } from "./alerts-v2.js";
import { billingUsage } from "./billing-usage.js";
import { certificates } from "./certificates.js";
import { contracts } from "./contracts.js";
import { credentials } from "./credentials.js";
import { diagnostics } from "./diagnostics.js";
import { dns } from "./dns.js";
import { edgeLogic } from "./edge-logic.js";
import { events } from "./events.js";
import { liveStreaming } from "./live-streaming.js";
import { logDelivery } from "./log-delivery.js";
import { mediaAnalytics } from "./media-analytics.js";
import { properties } from "./properties.js";
import { purge } from "./purge.js";
import { reporting } from "./reporting.js";
import { saasAccess } from "./saas-access.js";
import { saasRegistration } from "./saas-registration.js";
import { secureProvisioning } from "./secure-provisioning.js";
import { threatProtection } from "./threat-protection.js";
import { users } from "./users.js";
import { visitorQueue } from "./visitor-queue.js";

export { reportTypes } from "./reporting.js";

/** By the service's name in the operations table. */
export const said: Readonly<Record<ServiceName, Said<Service>>> = {
  reporting,
  "billing-usage": billingUsage,
  contracts,
  purge,
  "alerts-v1": alertsV1,
  "alerts-v2": alertsV2,
  diagnostics,
  events,
  certificates,
  "secure-provisioning": secureProvisioning,
  properties,
  "edge-logic": edgeLogic,
  "visitor-queue": visitorQueue,
  "saas-access": saasAccess,
  "saas-registration": saasRegistration,
  dns,
  users,
  credentials,
  "threat-protection": threatProtection,
  "log-delivery": logDelivery,
  "live-streaming": liveStreaming,
  "media-analytics": mediaAnalytics,
};
