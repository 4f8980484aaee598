/** Threat protection (document C): the domains that are blocked for a company's sites, and how changes are deployed. */
import { json, op } from "../../language/define.js";
import { guardsOf, memberClauses, membership } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { introduction } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { deploymentOperations } from "./deployments.js";
import { deploymentMeanings, itemForm } from "./kinds.js";
import { listOperations } from "./lists.js";
import { BuiltinList, Category, config, DnsConfiguration, EmergencyItem, EmergencyList, Response } from "./shapes.js";
import { honeypotOperations, policyOperations, siteOperations } from "./sites.js";

const ListType = z.string().regex(/^[A-Za-z][\w-]{0,39}$/, "a type that threat_emergency_lists_list lists");
const oneEmergencyList = { ...config, listType: ListType.describe("Such as whitelist or blacklist") };

/** Whether an entry is suspiciously broad: a whole top-level domain, or a block of a million addresses. */
const isBroad = (value: string): boolean => {
  const [, bits] = value.split("/");
  const isWide = bits !== undefined && Number(bits) < (value.includes(":") ? 32 : 12);
  return isWide || /^(\*\.)?[^.:/]+$/.test(value);
};

const valuesIn = (emergencyList: unknown): readonly string[] =>
  listAt(emergencyList, "items").map((one) => String(memberAt(one, "value")));

export const threatProtection = service("threat", {
  name: "threat-protection",
  document: "C",
  title: "Threat protection",
  about: "Manages sites, policies, lists and honeypots of a threat-protection configuration, and deploys them.",
  standing: { state: "retired", since: "2023-09-08", successor: "SIA configuration v3 (/etp-config/v3)" },
  ids: {
    "body.id": "threat_lists_list",
    categoryId: "threat_aup_categories_list",
    securityCategoryId: "threat_security_categories_list",
    responseId: "threat_responses_list",
    confirmedResponseId: "threat_responses_list",
    suspectedResponseId: "threat_responses_list",
    confidenceLevelId: {
      given: "2 for known to be malicious, 1 for suspected, 0 for unknown",
    },
  },
  rules: {
    "threat-config-ids": "The list of configurations is an array of their integer ids.",
    "threat-configuration-deployment":
      "Changes to sites, policies, emergency lists and honeypots take effect with a configuration deployment.",
    "threat-list-deployment": "Changes to custom lists take effect with a list deployment.",
    "threat-deployment-times":
      "A configuration deployment typically takes 20 to 30 seconds, a list deployment about 30 minutes.",
    "threat-emergency-limit": "An emergency list has at most 1,000 entries.",
    "threat-list-quota": "The custom lists of a configuration hold at most 200,000 items in total.",
    "threat-stamp":
      "GET and POST of a site, a policy and a custom list return an ETag; PUT and DELETE send it in If-Match, and an older one is refused with 412 (public facts C, 3).",
    "threat-name-unique": "A name that another object of the same kind has is refused with 409 (public facts C, 3).",
    "threat-response-honeypot": "A policy's action is a response or a honeypot, by its id (public facts C, 3).",
    "threat-item-difference": "A PATCH adds items and deletes values, and leaves the others (public facts C, 3).",
    "threat-item-overwrite": "A PUT of items overwrites all items of the list (public facts C, 3).",
    "threat-item-pages":
      "Items come in pages of numItemsPerPage from page 0, limited by type, confidence and search (public facts C, 3).",
  },
  introduction: introduction`Threat protection: changes are live only after a deployment; ${"threat_undeployed_changes_list"} shows the others.`,
  resources: [
    {
      address: "threat://configs/{configId}/lists",
      name: "threat-lists",
      title: "Custom lists of threats",
      description: "The custom lists of a threat-protection configuration, with counts of their items.",
      content: {
        tool: "threat_lists_list",
        values: { configId: { tool: "threat_configs_list", of: z.array(z.int().transform(String)).catch([]) } },
      },
    },
  ],
  operations: {
    threat_builtin_lists_list: op("GET /etp-config/v1/<vendor>-lists", {
      does: "Lists the built-in lists of threats.",
      returns: { 200: json(z.array(BuiltinList)) },
    }),
    threat_responses_list: op("GET /etp-config/v1/responses", {
      does: "Lists the built-in responses of policies, and which of them acceptable-use settings take.",
      returns: { 200: json(z.array(Response)) },
      rules: ["threat-response-honeypot"],
    }),
    threat_aup_categories_list: op("GET /etp-config/v1/aup-categories", {
      does: "Lists the categories of acceptable-use settings.",
      returns: { 200: json(z.array(Category)) },
    }),
    threat_security_categories_list: op("GET /etp-config/v1/security-categories", {
      does: "Lists the security categories of lists.",
      returns: { 200: json(z.array(Category)) },
    }),
    threat_configs_list: op("GET /etp-config/v1/configs", {
      does: "Lists the ids of the threat-protection configurations.",
      returns: { 200: json(z.array(z.int())) },
      rules: ["threat-config-ids"],
    }),
    threat_dns_configuration_get: op("GET /etp-config/v1/configs/{configId}/dnsConfiguration", {
      does: "Reads the addresses of the DNS servers that sites have to use.",
      path: config,
      returns: { 200: json(DnsConfiguration) },
      example: { configId: 1100 },
    }),
    ...siteOperations,
    ...policyOperations,
    ...listOperations,
    threat_emergency_lists_list: op("GET /etp-config/v1/configs/{configId}/emergency-lists", {
      does: "Lists the emergency lists, which allow or deny before any policy.",
      path: config,
      returns: { 200: json(z.array(EmergencyList)) },
      note: "No source shows the body of emergency lists or the values of listType.",
      example: { configId: 1100 },
    }),
    threat_emergency_list_get: op("GET /etp-config/v1/configs/{configId}/emergency-lists/{listType}", {
      does: "Reads one emergency list.",
      path: oneEmergencyList,
      returns: { 200: json(EmergencyList) },
      example: { configId: 1100, listType: "whitelist" },
    }),
    threat_emergency_list_replace: op("PUT /etp-config/v1/configs/{configId}/emergency-lists/{listType}", {
      does: "Replaces all entries of an emergency list, at most 1,000.",
      path: oneEmergencyList,
      body: json({ listType: ListType.optional(), items: z.array(EmergencyItem).max(1_000) }),
      returns: { 200: json(EmergencyList.optional()) },
      means: deploymentMeanings,
      effect: "destructive",
      guard: guardsOf(
        "emergency list",
        ({ configId, listType }) =>
          `the emergency ${plainOrQuoted(listType)} of configuration ${plainOrQuoted(configId)}`,
        ({ listType }) => `emergency list ${String(listType)}`,
      )("REPLACE", {
        kind: "overwrite",
        replaces: "body.items",
        undo: "rewrite",
        results: ({ body }, present) => [
          ...memberClauses(membership(valuesIn(present), valuesIn(body)), "its items stay the same"),
          "it takes effect with the next configuration deployment",
        ],
        review: itemForm,
        warns: ({ body }) => {
          const values = valuesIn(body);
          const broad = values.filter(isBroad);
          return [
            values.length === 0 && "The list would be empty.",
            broad.length > 0 && `These entries are very broad: ${listInWords(broad, plainOrQuoted)}.`,
          ];
        },
      }),
      shownBy: "threat_emergency_list_get",
      rules: ["threat-emergency-limit", "threat-configuration-deployment"],
      note: "No source shows its body; items is the likely form.",
      example: {
        configId: 1100,
        listType: "blacklist",
        body: { items: [{ type: "LIST_TYPE_DOMAIN", value: "malware.example.org" }] },
      },
    }),
    ...honeypotOperations,
    ...deploymentOperations,
  },
});
