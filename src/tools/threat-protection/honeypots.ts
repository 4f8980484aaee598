/** The operations on honeypots, the monitoring devices to which a policy can direct traffic. */
import { empty, json, op } from "../../api/define.js";
import { EntityTag } from "../../api/fields.js";
import { z } from "../../api/z.js";
import { sameId } from "./checks.js";
import { honeypotDeletion } from "./guards.js";
import { liveByDeployment, nameTaken, noSuch, stale } from "./notes.js";
import { config, Honeypot, honeypotBody, honeypotChange, id, stamped } from "./shapes.js";

const honeypot = { ...config, honeypotId: id };
// Only the next version is known to demand the stamp of a honeypot (public facts C, 3).
const headers = { "If-Match": { argument: "ifMatch", schema: EntityTag.optional() } } as const;
const errors = { ...noSuch("threat_honeypots_list"), ...stale("threat_honeypot_get") };
const lock = { field: "ifMatch", from: "threat_honeypot_get", at: "headers.etag" } as const;

export const honeypotOperations = {
  threat_honeypots_list: op("GET /etp-config/v1/configs/{configId}/honeypots", {
    does: "Lists a configuration's honeypots.",
    path: config,
    returns: { 200: json(z.array(Honeypot)) },
    example: { configId: 1100 },
  }),
  threat_honeypot_create: op("POST /etp-config/v1/configs/{configId}/honeypots", {
    does: "Creates a honeypot: addresses that policies can direct traffic to.",
    path: config,
    body: json(honeypotBody),
    answerHeaders: stamped,
    returns: { 200: json(Honeypot.optional()), 201: json(Honeypot.optional()) },
    means: liveByDeployment,
    effect: "create",
    shownBy: "threat_honeypots_list",
    rules: ["threat-name-unique", "threat-configuration-deployment"],
    errors: nameTaken,
    example: {
      configId: 1100,
      body: { name: "Sinkhole 2", description: "Standby", ipv4Addrs: ["203.0.113.201"], ipv6Addrs: [] },
    },
  }),
  threat_honeypot_get: op("GET /etp-config/v1/configs/{configId}/honeypots/{honeypotId}", {
    does: "Reads a honeypot with its etag.",
    path: honeypot,
    answerHeaders: stamped,
    returns: { 200: json(Honeypot) },
    errors: noSuch("threat_honeypots_list"),
    example: { configId: 1100, honeypotId: 760 },
  }),
  threat_honeypot_update: op("PUT /etp-config/v1/configs/{configId}/honeypots/{honeypotId}", {
    does: "Replaces a honeypot's name and addresses.",
    path: honeypot,
    headers,
    body: json(honeypotChange),
    answerHeaders: stamped,
    returns: { 200: json(Honeypot.optional()), 204: empty },
    means: liveByDeployment,
    effect: "update",
    shownBy: "threat_honeypot_get",
    lock,
    checks: [sameId("honeypotId")],
    previewedAs: { kind: "overwrite", thing: "honeypot", named: "name", replaces: "body" },
    rules: ["threat-configuration-deployment"],
    errors: { ...errors, ...nameTaken },
    example: {
      configId: 1100,
      honeypotId: 760,
      body: { name: "Sinkhole 1", description: "Frankfurt", ipv4Addrs: ["203.0.113.202"], ipv6Addrs: [] },
    },
  }),
  threat_honeypot_delete: op("DELETE /etp-config/v1/configs/{configId}/honeypots/{honeypotId}", {
    does: "Deletes a honeypot.",
    path: honeypot,
    headers,
    returns: { 200: json(Honeypot.optional()), 204: empty },
    means: liveByDeployment,
    guard: honeypotDeletion,
    shownBy: "threat_honeypot_get",
    lock,
    rules: ["threat-configuration-deployment"],
    errors,
    example: { configId: 1100, honeypotId: 761 },
  }),
} as const;
