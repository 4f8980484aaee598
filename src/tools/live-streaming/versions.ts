/** The operations on the versions of a configuration, and previews of activations. */
import { type Activation, activates } from "../../language/activation.js";
import { type Arguments, type Guard, pickArguments, type UpstreamAnswer } from "../../language/conduct.js";
import { op, xml } from "../../language/define.js";
import { differenceLines } from "../../language/difference-lines.js";
import { isRecord, memberAt } from "../../language/member.js";
import { listInWords, networkName, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { deploymentStatusIn, domainName, messageMedium, ofDomain, versionNumberOf, versionsIn } from "./domains.js";
import { Activation as ActivationShape, NewVersion, Version } from "./shapes.js";

/** The version to activate, and the active one: an approval is bound to both. */
const readForActivation = {
  version: { by: "live_version_get", args: pickArguments("domain", "versionId"), isBound: true },
  domain: { by: "live_domain_get", args: pickArguments("domain"), isBound: true },
} as const;

/** The fields of a version about itself and its activations, which are not delivery settings. */
const ownMembers = new Set(["version", "author", "activate-environment"]);
const isSetting = (name: string): boolean => !ownMembers.has(name) && !name.endsWith("-deployment-status");

/** The settings of a version. */
const settingsOf = (version: unknown): Arguments =>
  Object.fromEntries(Object.entries(isRecord(version) ? version : {}).filter(([name]) => isSetting(name)));

/** The formats that a version delivers. */
function formatsOf(version: unknown): readonly string[] {
  const formats = memberAt(version, ["delivery-formats"]);
  return Object.entries(isRecord(formats) ? formats : {}).flatMap(([name, state]) =>
    state === "Enabled" ? [plainOrQuoted(name)] : [],
  );
}

/** The formats of the active version that the new one no longer delivers. */
const stoppedBy = (version: unknown, active: unknown): readonly string[] =>
  formatsOf(active).filter((name) => !formatsOf(version).includes(name));

/** The active or pending version in the environment of a call. */
const inState = (state: string, args: Arguments, domain: unknown): unknown =>
  versionsIn(domain).find((one) => deploymentStatusIn(one, args["environment"]) === state);

const activationOf = (args: Arguments, _: unknown, { domain, version }: Arguments): Activation => {
  const [active, pending] = [inState("activated", args, domain), inState("pending", args, domain)];
  const formats = formatsOf(version);
  const stopped = active === undefined || version === undefined ? [] : stoppedBy(version, active);
  const delivers = formats.length === 0 ? "it delivers no format" : `it delivers ${listInWords(formats)}`;
  const lost = stopped.length === 0 ? "" : ` and no longer ${listInWords(stopped)}`;
  return {
    of: `live-streaming configuration ${domainName(args, domain)}`,
    to: String(args["versionId"]),
    from: domain === undefined ? undefined : active === undefined ? [] : [versionNumberOf(active)],
    network: networkName(args["environment"]),
    content: "settings",
    difference: () => (version === undefined ? undefined : differenceLines(settingsOf(active), settingsOf(version))),
    results: [version === undefined ? "its settings could not be read" : `${delivers}${lost}`],
    warnings: [
      ...stopped.map((name) => `${name} would no longer be delivered there: players that use it stop.`),
      pending !== undefined && `Version ${versionNumberOf(pending)} is being activated there: this may be refused.`,
    ],
  };
};

const versionActivation: Guard = {
  ...activates("version of a live-streaming configuration", "environment", activationOf, {
    tool: "live_version_activate",
    list: "live_domain_get",
    args: (given, version) => ({ ...given, versionId: Number(version) }),
    instead: "It can only be replaced by activating another version with live_version_activate.",
  }),
  target: ({ domain, versionId }) => `${String(domain)} version ${String(versionId)}`,
};

const ofVersion = {
  path: { ...ofDomain.path, versionId: z.int().positive() },
  means: { 404: "There is no such version: live_domain_get shows those of a configuration." },
} as const;

const statusOf = ({ body }: UpstreamAnswer, { environment }: Arguments): string =>
  deploymentStatusIn(body, environment);

export const versionOperations = {
  live_version_create: op("POST /config-media-live/v1/live/{domain}/version", {
    does: "Adds a version to a configuration; it is not live until it is activated.",
    ...ofDomain,
    body: xml("domain-version", NewVersion),
    returns: { 200: messageMedium, 201: messageMedium },
    effect: "create",
    shownBy: "live_domain_get",
    rules: ["live-next-version", "live-order"],
    note: "Document C shows the elements of a version only in responses, and no body of this call.",
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
    ...ofVersion,
    returns: { 200: xml("domain-version", Version) },
    rules: ["live-text"],
    example: { domain: "live.shop.example", versionId: 2 },
  }),
  live_activation_get: op("GET /config-media-live/v1/live/{domain}/version/{versionId}/activation", {
    does: "Reads where a version is active, or being activated.",
    ...ofVersion,
    returns: { 200: xml("domain-version", ActivationShape) },
    rules: ["live-activation"],
    example: { domain: "live.shop.example", versionId: 1 },
  }),
  live_version_activate: op("PUT /config-media-live/v1/live/{domain}/version/{versionId}/activation", {
    does: "Activates a version in an environment, in place of the one that is active there.",
    path: ofVersion.path,
    query: { environment: z.enum(["Production", "Staging"]) },
    returns: { 200: messageMedium, 202: messageMedium },
    effect: "destructive",
    guard: versionActivation,
    shownBy: "live_activation_get",
    relatedReads: readForActivation,
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
      400: "The version cannot be activated: live_domain_get shows whether another activation is in progress.",
      ...ofVersion.means,
    },
    note: "Only Production is documented as an environment; Staging is an assumption.",
    example: { domain: "live.shop.example", versionId: 2, environment: "Staging" },
  }),
};
