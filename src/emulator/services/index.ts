/** What the emulator does for each service; the compiler refuses a service, or an operation, without a behaviour. */
import type { Behaviours } from "../../api/behaviour.js";
import type { Service } from "../../api/service.js";
import type { ServiceName, services } from "../../tools/index.js";
import type { Wording } from "../problem.js";
import type { World } from "../world.js";

type Declared<N extends ServiceName> = Awaited<ReturnType<(typeof services)[N]>>;
type Loaders = {
  readonly [N in ServiceName]: () => Promise<Declared<N> extends Service ? Behaviours<Declared<N>, World> : never>;
};

export const behaviours: Loaders = {
  reporting: async () => (await import("./reporting.js")).reporting,
  "billing-usage": async () => (await import("./billing-usage.js")).billingUsage,
  contracts: async () => (await import("./contracts.js")).contracts,
  purge: async () => (await import("./purge.js")).purge,
  "alerts-v1": async () => (await import("./alerts-v1.js")).alertsV1,
  "alerts-v2": async () => (await import("./alerts-v2.js")).alertsV2,
  diagnostics: async () => (await import("./diagnostics.js")).diagnostics,
  events: async () => (await import("./events.js")).events,
  "saas-registration": async () => (await import("./saas-registration.js")).saasRegistration,
  dns: async () => (await import("./dns.js")).dns,
  credentials: async () => (await import("./credentials.js")).credentials,
};

/** How the services word their refusals, as far as their own shapes are known (public facts A, 0.2). */
export const wordings: { readonly [N in ServiceName]?: () => Promise<Wording> } = {
  reporting: async () => (await import("./report-request.js")).reportWording,
  "billing-usage": async () => (await import("./billing-usage.js")).billingWording,
  contracts: async () => (await import("./contracts.js")).contractWording,
  purge: async () => (await import("./purge.js")).purgeWording,
  "alerts-v2": async () => (await import("./alert-templates.js")).alertWording,
  diagnostics: async () => (await import("./diagnostic-world.js")).diagnosticWording,
  events: async () => (await import("./events.js")).eventWording,
};

/** How many requests a client has in a minute (public facts A, 0.3, which give no number). */
export const requestsPerMinute: { readonly [N in ServiceName]?: number } = { diagnostics: 300 };
