/** The operations on policies, which say how threats and unwanted categories are handled at sites. */
import { empty, json, op } from "../../api/define.js";
import { z } from "../../api/z.js";
import { sameId } from "./checks.js";
import { policyDeletion } from "./guards.js";
import { liveByDeployment, nameTaken, noSuch, stale } from "./notes.js";
import { config, id, locked, Policy, policyBody, policyChange, stamped } from "./shapes.js";

const policy = { ...config, policyId: id };
const errors = { ...noSuch("threat_policies_list"), ...stale("threat_policy_get") };
const lock = { field: "ifMatch", from: "threat_policy_get", at: "headers.etag" } as const;
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
    answerHeaders: stamped,
    returns: { 200: json(Policy.optional()), 201: json(Policy.optional()) },
    means: liveByDeployment,
    effect: "create",
    shownBy: "threat_policies_list",
    rules: ["threat-name-unique", "threat-response-honeypot", "threat-configuration-deployment"],
    errors: nameTaken,
    example: { configId: 1100, body: { name: "Visiting partners", ...example } },
  }),
  threat_policy_get: op("GET /etp-config/v1/configs/{configId}/policies/{policyId}", {
    does: "Reads a policy with its etag.",
    path: policy,
    answerHeaders: stamped,
    returns: { 200: json(Policy) },
    errors: noSuch("threat_policies_list"),
    example: { configId: 1100, policyId: 1030 },
  }),
  threat_policy_update: op("PUT /etp-config/v1/configs/{configId}/policies/{policyId}", {
    does: "Replaces a policy and the sites that it protects.",
    path: policy,
    headers: locked,
    body: json(policyChange),
    answerHeaders: stamped,
    returns: { 200: json(Policy.optional()), 204: empty },
    means: liveByDeployment,
    effect: "update",
    shownBy: "threat_policy_get",
    lock,
    checks: [sameId("policyId")],
    previewedAs: { kind: "overwrite", thing: "policy", named: "name", replaces: "body" },
    rules: ["threat-stamp", "threat-response-honeypot", "threat-configuration-deployment"],
    errors: { ...errors, ...nameTaken },
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
    returns: { 200: json(Policy.optional()), 204: empty },
    means: liveByDeployment,
    guard: policyDeletion,
    shownBy: "threat_policy_get",
    lock,
    rules: ["threat-stamp", "threat-configuration-deployment"],
    errors,
    example: { configId: 1100, policyId: 1032, ifMatch: '"1735722000000"' },
  }),
} as const;
