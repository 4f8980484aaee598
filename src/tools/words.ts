/** What people say, of all services; for the build and the tests, never for a call. */
import type { Said } from "../language/guide.js";
import type { Service } from "../language/service.js";
import { alertsV1 } from "./alerts-v1/words.js";
import { alertsV2 } from "./alerts-v2/words.js";
import { billingUsage } from "./billing-usage/words.js";
import { certificates } from "./certificates/words.js";
import { contracts } from "./contracts/words.js";
import { credentials } from "./credentials/words.js";
import { diagnostics } from "./diagnostics/words.js";
import { dns } from "./dns/words.js";
import { edgeLogic } from "./edge-logic/words.js";
import { events } from "./events/words.js";
import type { ServiceName } from "./index.js";
import { liveStreaming } from "./live-streaming/words.js";
import { logDelivery } from "./log-delivery/words.js";
import { mediaAnalytics } from "./media-analytics/words.js";
import { properties } from "./properties/words.js";
import { purge } from "./purge/words.js";
import { reporting } from "./reporting/words.js";
import { saasAccess } from "./saas-access/words.js";
import { saasRegistration } from "./saas-registration/words.js";
import { secureProvisioning } from "./secure-provisioning/words.js";
import { threatProtection } from "./threat-protection/words.js";
import { users } from "./users/words.js";
import { visitorQueue } from "./visitor-queue/words.js";

export { reportTypes } from "./reporting/words.js";

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
