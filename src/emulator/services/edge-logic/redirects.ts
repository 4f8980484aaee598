/** What active redirect rules do with a request that reaches the edge. */
import type { World } from "../../world.js";
import { propertyServing } from "../properties/served.js";
import type { EdgeNetwork, Property } from "../properties/world.js";
import { policies as shared, standingOn, usersOn } from "../shared-policies/store.js";
import { activeVersion, type MatchRule, type PolicyVersion, policies } from "./policy-store.js";

const redirector = 0;

/** Whether a rule is switched on and within its time; its further matches are not emulated, so it must have none. */
function isInForce({ disabled, start = 0, end = 0, matches }: MatchRule, nowMs: number): boolean {
  const seconds = nowMs / 1000;
  return (
    String(disabled) !== "true" && seconds >= start && (end === 0 || seconds < end) && (matches ?? []).length === 0
  );
}

const rulesIn = ({ versions }: { readonly versions: readonly PolicyVersion[] }, active: number | undefined) =>
  versions.find(({ version }) => version === active)?.rules ?? [];

/** The rules of redirects that are active for a property, those of policies that are not shared first. */
const activeRules = (world: World, network: EdgeNetwork, property: Property): readonly MatchRule[] => [
  ...policies(world)
    .filter(({ cloudletId }) => cloudletId === redirector)
    .flatMap((policy) => rulesIn(policy, activeVersion(world, policy, network, property))),
  ...shared(world)
    .all.filter(
      (policy) => policy.type === "ER" && usersOn(world, policy, network).some((one) => one.property === property),
    )
    .flatMap((policy) => rulesIn(policy, standingOn(world, policy, network).active)),
];

/** The redirect that a path of a host gets on a network: of the first rule in order that fits. */
export function redirectOf(world: World, network: EdgeNetwork, hostName: string, pathname: string) {
  const property = propertyServing(world, network, hostName);
  if (!property) return undefined;
  const rule = activeRules(world, network, property).find(
    (one) => one.matchURL === pathname && isInForce(one, world.now()),
  );
  return rule && { status: rule.statusCode ?? 302, location: rule.redirectURL ?? "/" };
}
