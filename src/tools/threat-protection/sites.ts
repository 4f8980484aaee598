/** The operations on what a configuration deployment rolls out: sites, policies and honeypots. */
import { type Arguments, recreation } from "../../language/conduct.js";
import { json, op } from "../../language/define.js";
import { listAt, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { EntityTag } from "../fields.js";
import { deletionDelay, deploymentMeanings, objectOperations } from "./kinds.js";
import {
  Honeypot,
  handlingMembers,
  honeypotBody,
  honeypotChange,
  Policy,
  policyBody,
  policyChange,
  Site,
  siteBody,
  siteChange,
  stampHeader,
} from "./shapes.js";

/** A named set of public addresses whose visitors are protected. */
const site = objectOperations(Site, "site", "sites", stampHeader, deploymentMeanings);
/** How threats and unwanted categories are handled at sites. */
const policy = objectOperations(Policy, "policy", "policies", stampHeader, deploymentMeanings);
/** A monitoring device to which a policy can direct traffic. */
const honeypot = objectOperations(
  Honeypot,
  "honeypot",
  "honeypots",
  // Only the next version is known to demand the stamp of a honeypot (public facts C, 3).
  { "If-Match": { argument: "ifMatch", schema: EntityTag.optional() } },
  deploymentMeanings,
);

const namesIn = (present: unknown, member: string): readonly string[] =>
  listAt(present, member).map((one) => plainOrQuoted(memberAt(one, "name") ?? memberAt(one, "id") ?? "?"));

/** The lists and the categories that a policy handles. */
function handledBy(policy: unknown): string {
  const lists = listAt(policy, "securitySettings").map((one) =>
    plainOrQuoted(memberAt(one, "listInfo.name") ?? memberAt(one, "listId")),
  );
  const categories = listAt(policy, "aupSettings").map((one) => plainOrQuoted(memberAt(one, "categoryId")));
  const of = (noun: string, plural: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`the ${names.length === 1 ? noun : plural} ${listInWords([...new Set(names)])}`];
  const all = [
    ...of("list", "lists", lists),
    ...of("acceptable-use category", "acceptable-use categories", categories),
  ];
  return all.length === 0 ? "nothing" : all.join(" and ");
}

const pickedFrom = (of: unknown, list: string, members: readonly string[]): unknown =>
  listAt(of, list).map((one) => Object.fromEntries(members.map((member) => [member, memberAt(one, member)])));

const guests = {
  description: "Guests of the offices",
  sites: [],
  basicSettings: { dnssec: true, edns0ecs: false },
  aupSettings: [{ categoryId: 2, responseId: 4 }],
  securitySettings: [
    {
      listId: 1,
      confirmedResponseId: 2,
      suspectedResponseId: 1,
      shouldNotifyConfirmed: true,
      shouldNotifySuspected: false,
    },
  ],
};

export const siteOperations = {
  threat_sites_list: op("GET /etp-config/v1/configs/{configId}/sites", {
    does: "Lists a configuration's sites.",
    ...site.list,
  }),
  threat_site_create: op("POST /etp-config/v1/configs/{configId}/sites", {
    does: "Creates a site: public addresses, including the local DNS server's, under a policy.",
    body: json(siteBody),
    ...site.creation,
    rules: ["threat-name-unique", "threat-configuration-deployment"],
    example: {
      configId: 1100,
      body: {
        name: "Leipzig office",
        policyId: 1031,
        exitPoints: [{ addrType: "ADDR_TYPE_IPV4", ipAddr: "198.51.100.32/28" }],
      },
    },
  }),
  threat_site_get: op("GET /etp-config/v1/configs/{configId}/sites/{siteId}", {
    does: "Reads a site with its etag.",
    ...site.read,
    example: { configId: 1100, siteId: 101 },
  }),
  threat_site_update: op("PUT /etp-config/v1/configs/{configId}/sites/{siteId}", {
    does: "Replaces a site's name, policy and addresses.",
    body: json(siteChange),
    ...site.update,
    rules: ["threat-stamp", "threat-configuration-deployment"],
    example: {
      configId: 1100,
      siteId: 101,
      ifMatch: '"1735722000000"',
      body: {
        name: "Berlin office",
        policyId: 1030,
        exitPoints: [{ addrType: "ADDR_TYPE_IPV4", ipAddr: "198.51.100.16/28" }],
      },
    },
  }),
  threat_site_delete: op("DELETE /etp-config/v1/configs/{configId}/sites/{siteId}", {
    does: "Deletes a site: its addresses become unidentified.",
    ...site.deletion,
    guard: site.guard("DELETE", {
      kind: "delete",
      undo: {
        tool: "threat_site_create",
        args: recreation("configId", ["name", "description", "policyId", "exitPoints"]),
      },
      results: (_, present) => {
        const policy = memberAt(present, "policyInfo.name");
        const visitors = listInWords(listAt(present, "exitPoints"), (one) => plainOrQuoted(memberAt(one, "ipAddr")));
        return [
          policy !== undefined && `it is under policy ${plainOrQuoted(policy)}`,
          visitors === "" ? "it has no addresses" : `visitors from ${visitors} become unidentified`,
          deletionDelay,
        ];
      },
    }),
    rules: ["threat-stamp", "threat-configuration-deployment"],
    example: { configId: 1100, siteId: 102, ifMatch: '"1735722000000"' },
  }),
} as const;

export const policyOperations = {
  threat_policies_list: op("GET /etp-config/v1/configs/{configId}/policies", {
    does: "Lists a configuration's policies.",
    ...policy.list,
  }),
  threat_policy_create: op("POST /etp-config/v1/configs/{configId}/policies", {
    does: "Creates a policy: how sites handle threats and categories.",
    body: json(policyBody),
    ...policy.creation,
    rules: ["threat-name-unique", "threat-response-honeypot", "threat-configuration-deployment"],
    example: { configId: 1100, body: { name: "Visiting partners", ...guests } },
  }),
  threat_policy_get: op("GET /etp-config/v1/configs/{configId}/policies/{policyId}", {
    does: "Reads a policy with its etag.",
    ...policy.read,
    example: { configId: 1100, policyId: 1030 },
  }),
  threat_policy_update: op("PUT /etp-config/v1/configs/{configId}/policies/{policyId}", {
    does: "Replaces a policy and the sites that it protects.",
    body: json(policyChange),
    ...policy.update,
    rules: ["threat-stamp", "threat-response-honeypot", "threat-configuration-deployment"],
    example: {
      configId: 1100,
      policyId: 1031,
      ifMatch: '"1735722000000"',
      body: { name: "Guests", ...guests, sites: [102] },
    },
  }),
  threat_policy_delete: op("DELETE /etp-config/v1/configs/{configId}/policies/{policyId}", {
    does: "Deletes a policy.",
    ...policy.deletion,
    guard: policy.guard("DELETE", {
      kind: "delete",
      undo: {
        tool: "threat_policy_create",
        args: (past) => {
          const again = recreation("configId", ["name", "description", "sites", "basicSettings"])(past);
          if (again === undefined) return undefined;
          const settings = {
            aupSettings: pickedFrom(past.before, "aupSettings", ["categoryId", "responseId"]),
            securitySettings: pickedFrom(past.before, "securitySettings", Object.keys(handlingMembers)),
          };
          return { ...again, body: { ...(again["body"] as Arguments), ...settings } };
        },
      },
      results: (_, present) => [`it is gone with its settings for ${handledBy(present)}`, deletionDelay],
      warns: (_, present) => {
        const sites = listInWords(namesIn(present, "sitesInfo"));
        const without = "no document says which policy applies to them without it. Assign another one first.";
        return [sites !== "" && `It protects ${sites}: ${without}`];
      },
    }),
    rules: ["threat-stamp", "threat-configuration-deployment"],
    example: { configId: 1100, policyId: 1032, ifMatch: '"1735722000000"' },
  }),
} as const;

export const honeypotOperations = {
  threat_honeypots_list: op("GET /etp-config/v1/configs/{configId}/honeypots", {
    does: "Lists a configuration's honeypots.",
    ...honeypot.list,
  }),
  threat_honeypot_create: op("POST /etp-config/v1/configs/{configId}/honeypots", {
    does: "Creates a honeypot: addresses that policies can direct traffic to.",
    body: json(honeypotBody),
    ...honeypot.creation,
    rules: ["threat-name-unique", "threat-configuration-deployment"],
    example: {
      configId: 1100,
      body: { name: "Sinkhole 2", description: "Standby", ipv4Addrs: ["203.0.113.201"], ipv6Addrs: [] },
    },
  }),
  threat_honeypot_get: op("GET /etp-config/v1/configs/{configId}/honeypots/{honeypotId}", {
    does: "Reads a honeypot with its etag.",
    ...honeypot.read,
    example: { configId: 1100, honeypotId: 760 },
  }),
  threat_honeypot_update: op("PUT /etp-config/v1/configs/{configId}/honeypots/{honeypotId}", {
    does: "Replaces a honeypot's name and addresses.",
    body: json(honeypotChange),
    ...honeypot.update,
    rules: ["threat-configuration-deployment"],
    example: {
      configId: 1100,
      honeypotId: 760,
      body: { name: "Sinkhole 1", description: "Frankfurt", ipv4Addrs: ["203.0.113.202"], ipv6Addrs: [] },
    },
  }),
  threat_honeypot_delete: op("DELETE /etp-config/v1/configs/{configId}/honeypots/{honeypotId}", {
    does: "Deletes a honeypot.",
    ...honeypot.deletion,
    guard: honeypot.guard("DELETE", {
      kind: "delete",
      undo: {
        tool: "threat_honeypot_create",
        args: recreation("configId", ["name", "description", "ipv4Addrs", "ipv6Addrs", "aliases"]),
        isWhole: true,
      },
      results: () => ["traffic is directed to it for monitoring", deletionDelay],
      warns: (_, present) => {
        const policies = listInWords(namesIn(present, "policies"));
        const then = "Their settings will refer to a response that does not exist.";
        return [policies !== "" && `Policies direct traffic to it: ${policies}. ${then}`];
      },
    }),
    rules: ["threat-configuration-deployment"],
    example: { configId: 1100, honeypotId: 761 },
  }),
} as const;
