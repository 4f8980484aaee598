/** What active redirect rules do with a request that reaches the edge. */
import type { World } from "../../world.js";
import { propertyServing } from "../properties/served.js";
import type { Network } from "../properties/world.js";
import { activeVersion, policies, type Rule } from "./policy-store.js";

const redirector = 0;

/** Whether a rule is switched on and within its time; its further matches are not emulated, so it must have none. */
function isInForce({ disabled, start = 0, end = 0, matches }: Rule, nowMs: number): boolean {
  const seconds = nowMs / 1000;
  return (
    String(disabled) !== "true" && seconds >= start && (end === 0 || seconds < end) && (matches ?? []).length === 0
  );
}

const networks = { STAGING: "staging", PRODUCTION: "prod" } as const;

/** The redirect that a path of a host gets on a network: of the first rule in order that fits. */
export function redirectOf(world: World, network: Network, hostName: string, pathname: string) {
  const property = propertyServing(world, network, hostName);
  if (!property) return undefined;
  for (const policy of policies(world)) {
    if (policy.cloudletId !== redirector) continue;
    const active = activeVersion(world, policy, networks[network], property);
    const rules = policy.versions.find(({ version }) => version === active)?.rules ?? [];
    const rule = rules.find((one) => one.matchURL === pathname && isInForce(one, world.now()));
    if (rule) return { status: rule.statusCode ?? 302, location: rule.redirectURL ?? "/" };
  }
  return undefined;
}
