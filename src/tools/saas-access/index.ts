/** SaaS access (document B, beta): policies that allow or deny access by address or country. */
import { contractArgument, groupArgument } from "../../language/defaults.js";
import { comma, json, op } from "../../language/define.js";
import { openObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { CountryCode } from "../fields.js";
import { activeIn, idsToRead, versionActivation } from "../policy-manager/guards.js";
import {
  AccessPolicy,
  Activations,
  commandBody,
  envelope,
  enveloped,
  matchMembers,
  policyAnswer,
  ruleMembers,
  updateMembers,
} from "../policy-manager/shapes.js";

const id = z.int().positive();
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
const Match = z.discriminatedUnion("matchType", [
  openObject({
    matchType: z.literal("clientip"),
    matchValue: z
      .string()
      .refine(
        (text) => text.split(" ").every((one) => address.safeParse(one).success),
        "IP addresses or CIDR blocks such as 192.0.2.0/24, separated by single spaces",
      ),
    ...matchMembers,
  }),
  openObject({ matchType: z.literal("country"), matchValue: CountryCode, ...matchMembers }),
]);
const Rule = openObject({
  type: z.literal("saMatchRule"),
  ...ruleMembers,
  // No null: an empty list would be read as one, and the rule would apply to everyone.
  matches: z
    .array(Match)
    .min(1)
    .refine(
      (matches) => new Set(matches.map(({ matchType }) => matchType)).size === 1,
      "matches of one type: addresses or countries, not both",
    ),
});
const matchRules = z.array(Rule).nullable().optional();
const owners = {
  contractId: contractArgument(z.string().min(1), "contract_ids_list"),
  groupId: groupArgument(z.string().min(1), "user_groups_list"),
};
const network = z.enum(["staging", "production"]);
const ids = z
  .array(z.string().regex(/^\d+$/, "the id of a policy version, in digits"))
  .min(1)
  .describe("Policy version ids");
const unknownId = { 404: "There is no such policy version: saasaccess_policies_list shows the ids." };
const match = {
  type: "saMatchRule",
  matches: [{ matchType: "clientip", matchValue: "192.0.2.0/24 198.51.100.7" }],
} as const;

const activation = versionActivation({
  ids: "ids",
  network: "network",
  activeFor: (_, present) => activeIn(present),
  decides: "who is allowed in and who is denied access",
  warns: () => ["The API does not say whether a match allows or denies access: check the policy before approving."],
  list: "saasaccess_activations_list",
  instead: ({ network }, ids) => ({ tool: "saasaccess_policy_activate", arguments: { network, ids: ids.map(String) } }),
});

export const saasAccess = service("saasaccess", {
  name: "saas-access",
  document: "B",
  title: "SaaS access (beta)",
  about: "Allows or denies access to SaaS applications by address or country.",
  envelope,
  standing: { state: "unknown", stage: "beta" },
  ids: {
    id: "saasaccess_policies_list",
    ids: "saasaccess_policies_list",
    policyId: "saasaccess_policies_list",
    cloneId: "saasaccess_policies_list",
    contractId: "property_contracts_list",
    groupId: "property_groups_list",
    cloudletId: "edgelogic_applications_list",
  },
  rules: {
    "saasaccess-envelope": "A response code other than 0 is a failure with its message.",
    "saasaccess-owners": "Creating or listing policies takes the contract and the group.",
    "saasaccess-name-taken": "A policy with a taken name is refused with 409; the response is the existing policy.",
    "saasaccess-matches": "A match has addresses and CIDR blocks, separated by spaces, or a country code.",
    "saasaccess-update-id": "An update returns a new id.",
    "saasaccess-clone": "cloneId names the version whose rules a new policy copies.",
    "saasaccess-activation": "An activation makes a version of a policy active on a network.",
  },
  operations: {
    saasaccess_policy_create: op("POST /config-saas-rules/v2/policies", {
      does: "Creates an access policy, or clones one.",
      query: { cloneId: z.string().min(1).optional().describe("Id of the version to clone"), ...owners },
      body: json(
        commandBody(
          "create",
          openObject({
            cloudletId: z.string().min(1).describe("2"),
            policyName: z.string().min(1),
            policyDescription: z.string().nullable().optional(),
            matchRules,
          }),
        ),
      ),
      ...policyAnswer(AccessPolicy),
      effect: "create",
      shownBy: "saasaccess_policies_list",
      rules: [
        "saasaccess-envelope",
        "saasaccess-owners",
        "saasaccess-name-taken",
        "saasaccess-matches",
        "saasaccess-clone",
      ],
      means: {
        403: "The user is not associated with this contract or group.",
        409: "The name is taken by the policy in the response: change that one with saasaccess_policy_update, or choose another name.",
      },
      example: {
        contractId: "C-1FRYVV3",
        groupId: "11111",
        body: { policyManagerRequest: { create: { cloudletId: "2", policyName: "wiki_access", matchRules: [match] } } },
      },
    }),
    saasaccess_policies_list: op("GET /config-saas-rules/v2/policyInfoMaps", {
      does: "Lists access policies.",
      query: owners,
      ...policyAnswer(z.array(AccessPolicy)),
      rules: ["saasaccess-envelope", "saasaccess-owners"],
      example: { contractId: "C-1FRYVV3", groupId: "11111" },
    }),
    saasaccess_policy_get: op("GET /config-saas-rules/v2/policies/{id}", {
      does: "Reads one version of a policy with its rules.",
      path: { id },
      ...policyAnswer(AccessPolicy),
      rules: ["saasaccess-envelope"],
      means: unknownId,
      example: { id: 103 },
    }),
    saasaccess_policy_update: op("PUT /config-saas-rules/v2/policies/{id}", {
      does: "Changes a policy; returns a version with a new id.",
      path: { id },
      body: json(
        commandBody(
          "update",
          openObject({ ...updateMembers, id: id.optional().describe("As in the path"), matchRules }),
        ),
      ),
      ...policyAnswer(AccessPolicy),
      effect: "update",
      shownBy: "saasaccess_policy_get",
      rules: ["saasaccess-envelope", "saasaccess-update-id", "saasaccess-matches"],
      means: unknownId,
      example: { id: 103, body: { policyManagerRequest: { update: { overwriteRules: true, matchRules: [match] } } } },
    }),
    saasaccess_policy_versions_list: op("GET /config-saas-rules/v2/policyInfoList/{policyId}", {
      does: "Lists the versions of a policy.",
      path: { policyId: id },
      ...policyAnswer(z.array(AccessPolicy)),
      rules: ["saasaccess-envelope"],
      means: { 404: "There is no such policy: saasaccess_policies_list shows all." },
      note: "The document does not show the response; its shape is assumed to be that of the visitor queue.",
      example: { policyId: 1004 },
    }),
    saasaccess_policy_activate: op("PUT /config-saas-rules/v2/activations/", {
      does: "Activates policy versions on a network.",
      query: { network, ids: comma(ids), historyOnly: z.boolean().optional() },
      returns: { 200: enveloped(z.unknown()) },
      effect: "destructive",
      guard: activation,
      shownBy: { by: "saasaccess_activations_list", args: () => ({ ids: undefined, historyOnly: undefined }) },
      // The versions that are active now have other ids than those in the call.
      relatedReads: {
        versions: {
          by: "saasaccess_policy_get",
          args: (args, present) => idsToRead(args["ids"], activeIn(present)).map((one) => ({ id: one })),
          isBound: true,
        },
      },
      rules: ["saasaccess-envelope", "saasaccess-activation"],
      means: unknownId,
      note: "The document shows neither a request body nor a response; all arguments that it names are in the query.",
      example: { network: "production", ids: ["103"] },
    }),
    saasaccess_activations_list: op("GET /config-saas-rules/v2/activations/", {
      does: "Lists which policy versions are active where.",
      query: {
        network: network.optional(),
        ids: comma(ids.optional()),
        historyOnly: z.boolean().optional().describe("true: past ones too"),
      },
      returns: { 200: enveloped(Activations) },
      rules: ["saasaccess-envelope", "saasaccess-activation"],
      note: "The document does not show the response; its shape is assumed to be that of the visitor queue.",
      example: { network: "staging" },
    }),
  },
});
