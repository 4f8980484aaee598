/** The operations on the versions of a configuration and on where they are active. */
import type { Answered, Arguments } from "../../language/conduct.js";
import { op, xml } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { z } from "../../language/z.js";
import { domain, domainMissing, message } from "./domains.js";
import { statusIn } from "./naming.js";
import { Activation, NewVersion, Version } from "./shapes.js";
import { besideActivation, versionActivation } from "./version-guards.js";

const version = { ...domain, versionId: z.int().positive() };
const versionMissing = { 404: "There is no such version: live_domain_get shows those of a configuration." };

const statusOf = ({ body }: Answered, { environment }: Arguments): string => statusIn(body, environment);

export const versionOperations = {
  live_version_create: op("POST /config-media-live/v1/live/{domain}/version", {
    does: "Adds a version to a configuration; it serves nobody until it is activated.",
    path: domain,
    body: xml("domain-version", NewVersion),
    returns: { 200: message, 201: message },
    effect: "create",
    shownBy: "live_domain_get",
    rules: ["live-next-version", "live-order"],
    means: domainMissing,
    note: "Document C shows the elements of a version where it is read, and no body of this call.",
    example: {
      domain: "live.shop.example",
      body: {
        "delivery-formats": { "hd-flash-1.0": "Disabled", "adobe-hds": "Disabled", "apple-hls": "Enabled" },
        "advanced-configuration": { "apple-hls-advanced-config": { "hls-segment-duration": "6" } },
      },
    },
  }),
  live_version_get: op("GET /config-media-live/v1/live/{domain}/version/{versionId}", {
    does: "Reads a version of a configuration: formats, security, where it is active.",
    path: version,
    returns: { 200: xml("domain-version", Version) },
    rules: ["live-text"],
    means: versionMissing,
    example: { domain: "live.shop.example", versionId: 2 },
  }),
  live_activation_get: op("GET /config-media-live/v1/live/{domain}/version/{versionId}/activation", {
    does: "Reads where a version is active, or being activated.",
    path: version,
    returns: { 200: xml("domain-version", Activation) },
    rules: ["live-activation"],
    means: versionMissing,
    example: { domain: "live.shop.example", versionId: 1 },
  }),
  live_version_activate: op("PUT /config-media-live/v1/live/{domain}/version/{versionId}/activation", {
    does: "Activates a version in an environment, in place of the one that is active there.",
    path: version,
    query: { environment: z.enum(["Production", "Staging"]) },
    returns: { 200: message, 202: message },
    effect: "destructive",
    guard: versionActivation,
    shownBy: "live_activation_get",
    shownBeside: besideActivation,
    awaits: {
      status: "live_activation_get",
      follow: (_, { domain: name, versionId }) => ({ domain: name, versionId }),
      isReady: (answer, given) => statusOf(answer, given) === "activated",
      state: statusOf,
      reads: ["versionId", "environment"],
      failure: (answer, given) =>
        /fail|error|reject/.test(statusOf(answer, given))
          ? `The activation of version ${String(memberAt(given, "versionId"))} has failed.`
          : undefined,
      pauseSeconds: () => 5,
    },
    rules: ["live-activation"],
    means: {
      400: "The version cannot be activated: live_domain_get shows whether another activation is under way.",
      ...versionMissing,
    },
    note: "Production is the one environment that the documents show; Staging is an assumption.",
    example: { domain: "live.shop.example", versionId: 2, environment: "Staging" },
  }),
};
