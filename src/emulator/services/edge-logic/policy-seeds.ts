/** The policies that a world begins with: one of each application that has something to show. */
import { dayMs } from "../../../language/durations.js";
import type { World } from "../../world.js";
import { portalUser } from "../account.js";
import { authored } from "../authorship.js";
import { propertiesIn } from "../properties/served.js";
import { workGroupId } from "./applications.js";
import type { Activation, Network, Policy, Rule, Version } from "./policy-records.js";

const redirect = (vendorRuleId: string, name: string, matchURL: string, redirectURL: string): Rule => ({
  type: "erMatchRule",
  vendorRuleId,
  name,
  start: 0,
  end: 0,
  id: null,
  matchURL,
  redirectURL,
  statusCode: 301,
  useIncomingQueryString: true,
  useRelativeUrl: "relative_url",
});

const queue: Rule = {
  type: "vpMatchRule",
  vendorRuleId: "7ad069c880278ac1",
  name: "Checkout",
  start: 0,
  end: 0,
  id: 0,
  matchURL: "/checkout",
  matches: [
    {
      matchType: "hostname",
      matchOperator: "contains",
      matchValue: "www.shop.example",
      negate: false,
      caseSensitive: false,
    },
  ],
  passThroughPercent: 50,
  useIncomingQueryString: true,
};
const offices: Rule = {
  type: "saMatchRule",
  vendorRuleId: "8be17ad991389bd2",
  name: "Offices",
  start: 0,
  end: 0,
  id: 0,
  matches: [
    {
      matchType: "clientip",
      matchOperator: "contains",
      matchValue: "198.51.100.0/24",
      negate: false,
      caseSensitive: false,
    },
  ],
};

export function seeds(world: World): Policy[] {
  const at = (days: number) => Math.floor(world.startedAtMs / dayMs) * dayMs - days * dayMs;
  const version = (id: number, number: number, days: number, description: string, rules: readonly Rule[]): Version => ({
    id,
    version: number,
    description,
    rules,
    isDeleted: false,
    ...authored(at(days), portalUser),
  });
  const policy = (
    policyId: number,
    cloudletId: number,
    name: string,
    days: number,
    versions: Version[],
    activations: Activation[] = [],
  ): Policy => ({
    policyId,
    cloudletId,
    name,
    description: null,
    groupId: workGroupId,
    isDeleted: false,
    ...authored(at(days), portalUser),
    versions,
    activations,
  });
  const [front] = propertiesIn(world);
  const active = (network: Network, number: number, days: number): Activation[] =>
    front ? [{ network, property: front, version: number, atMs: at(days), by: portalUser }] : [];
  const spring = redirect("5db847a66e0566ad", "Spring", "/spring", "/sale");
  return [
    policy(
      1001,
      0,
      "spring_redirects",
      40,
      [
        version(11_870, 1, 40, "Spring", [spring]),
        version(11_871, 2, 3, "Spring, extended", [spring, redirect("6ec958b77f1677be", "Old", "/old", "/new")]),
      ],
      [...active("staging", 1, 35), ...active("prod", 1, 30)],
    ),
    policy(1002, 9, "shop_balancing", 60, [version(11_872, 1, 60, "Both regions", [])]),
    policy(1003, 1, "sale_queue", 50, [version(102, 1, 50, "Sale", [queue])], active("staging", 1, 20)),
    policy(1004, 2, "crm_access", 50, [version(103, 1, 50, "Offices", [offices])]),
    policy(1005, 3, "old_rewrites", 300, [version(11_873, 1, 300, "Before the relaunch", [])]),
  ];
}
