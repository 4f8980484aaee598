/** The operations on policies, which say how threats and unwanted categories are handled at sites. */
import { json, op } from "../../language/define.js";
import { z } from "../../language/z.js";
import { sameId } from "./checks.js";
import { policyDeletion } from "./guards.js";
import { kindOf, liveByDeployment } from "./notes.js";
import { config, id, locked, Policy, policyBody, policyChange } from "./shapes.js";

const policy = { ...config, policyId: id };
const kind = kindOf(Policy, "threat_policies_list", "threat_policy_get", liveByDeployment);
const example = {
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

export const policyOperations = {
  threat_policies_list: op("GET /etp-config/v1/configs/{configId}/policies", {
    does: "Lists a configuration's policies.",
    path: config,
    returns: { 200: json(z.array(Policy)) },
    example: { configId: 1100 },
  }),
  threat_policy_create: op("POST /etp-config/v1/configs/{configId}/policies", {
    does: "Creates a policy: how sites handle threats and categories.",
    path: config,
    body: json(policyBody),
    ...kind.creation,
    effect: "create",
    shownBy: "threat_policies_list",
    rules: ["threat-name-unique", "threat-response-honeypot", "threat-configuration-deployment"],
    example: { configId: 1100, body: { name: "Visiting partners", ...example } },
  }),
  threat_policy_get: op("GET /etp-config/v1/configs/{configId}/policies/{policyId}", {
    does: "Reads a policy with its etag.",
    path: policy,
    ...kind.read,
    example: { configId: 1100, policyId: 1030 },
  }),
  threat_policy_update: op("PUT /etp-config/v1/configs/{configId}/policies/{policyId}", {
    does: "Replaces a policy and the sites that it protects.",
    path: policy,
    headers: locked,
    body: json(policyChange),
    ...kind.update,
    effect: "update",
    shownBy: "threat_policy_get",
    checks: [sameId("policyId")],
    guard: { kind: "overwrite", when: "asked", thing: "policy {name}", replaces: "body" },
    rules: ["threat-stamp", "threat-response-honeypot", "threat-configuration-deployment"],
    example: {
      configId: 1100,
      policyId: 1031,
      ifMatch: '"1735722000000"',
      body: { name: "Guests", ...example, sites: [102] },
    },
  }),
  threat_policy_delete: op("DELETE /etp-config/v1/configs/{configId}/policies/{policyId}", {
    does: "Deletes a policy.",
    path: policy,
    headers: locked,
    ...kind.deletion,
    shownBy: "threat_policy_get",
    guard: policyDeletion,
    rules: ["threat-stamp", "threat-configuration-deployment"],
    example: { configId: 1100, policyId: 1032, ifMatch: '"1735722000000"' },
  }),
} as const;
