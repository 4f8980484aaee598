/** The operations on honeypots, the monitoring devices to which a policy can direct traffic. */
import { json, op } from "../../language/define.js";
import { z } from "../../language/z.js";
import { EntityTag } from "../fields.js";
import { sameId } from "./checks.js";
import { honeypotDeletion } from "./guards.js";
import { kindOf, liveByDeployment } from "./notes.js";
import { config, Honeypot, honeypotBody, honeypotChange, id } from "./shapes.js";

const honeypot = { ...config, honeypotId: id };
// Only the next version is known to demand the stamp of a honeypot (public facts C, 3).
const headers = { "If-Match": { argument: "ifMatch", schema: EntityTag.optional() } } as const;
const kind = kindOf(Honeypot, "threat_honeypots_list", "threat_honeypot_get", liveByDeployment);

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
    ...kind.creation,
    effect: "create",
    shownBy: "threat_honeypots_list",
    rules: ["threat-name-unique", "threat-configuration-deployment"],
    example: {
      configId: 1100,
      body: { name: "Sinkhole 2", description: "Standby", ipv4Addrs: ["203.0.113.201"], ipv6Addrs: [] },
    },
  }),
  threat_honeypot_get: op("GET /etp-config/v1/configs/{configId}/honeypots/{honeypotId}", {
    does: "Reads a honeypot with its etag.",
    path: honeypot,
    ...kind.read,
    example: { configId: 1100, honeypotId: 760 },
  }),
  threat_honeypot_update: op("PUT /etp-config/v1/configs/{configId}/honeypots/{honeypotId}", {
    does: "Replaces a honeypot's name and addresses.",
    path: honeypot,
    headers,
    body: json(honeypotChange),
    ...kind.update,
    effect: "update",
    shownBy: "threat_honeypot_get",
    checks: [sameId("honeypotId")],
    guard: { kind: "overwrite", when: "asked", thing: "honeypot {name}", replaces: "body" },
    rules: ["threat-configuration-deployment"],
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
    ...kind.deletion,
    shownBy: "threat_honeypot_get",
    guard: honeypotDeletion,
    rules: ["threat-configuration-deployment"],
    example: { configId: 1100, honeypotId: 761 },
  }),
} as const;
