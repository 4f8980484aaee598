/** What a person has to know before a version of a configuration is activated. */
import { type Approved, type Arguments, type ByHand, type Guard, only } from "../../language/conduct.js";
import { activationDifference, type Facts, factDifference, factsIn } from "../../language/line-difference.js";
import { isRecord, memberAt } from "../../language/member.js";
import { callInWords } from "../../language/next-call.js";
import { listed, networkName, plain, told } from "../../language/words.js";
import { domainName, numberOf, statusIn, versionsIn } from "./naming.js";

/** What would be activated, and what is active now: an approval is bound to both. */
export const besideActivation = {
  version: { by: "live_version_get", args: only("domain", "versionId"), isBound: true },
  domain: { by: "live_domain_get", args: only("domain"), isBound: true },
} as const;

/** What a version says of itself and of where it is active, which is no setting of its delivery. */
const ownMembers = new Set(["version", "author", "activate-environment"]);
const isSetting = (name: string): boolean => !ownMembers.has(name) && !name.endsWith("-deployment-status");

/** The settings of a version by their path. */
const settingsOf = (version: unknown): Facts =>
  new Map(
    Object.entries(isRecord(version) ? version : {}).flatMap(([name, value]) =>
      isSetting(name) ? [...factsIn(value, name)] : [],
    ),
  );

/** The formats that a version delivers. */
function formatsOf(version: unknown): readonly string[] {
  const formats = memberAt(version, ["delivery-formats"]);
  return Object.entries(isRecord(formats) ? formats : {}).flatMap(([name, state]) =>
    state === "Enabled" ? [plain(name)] : [],
  );
}

/** The formats that the active version delivers and the one that is activated does not. */
const stoppedBy = (version: unknown, active: unknown): readonly string[] =>
  formatsOf(active).filter((name) => !formatsOf(version).includes(name));

/** The version that is active, or another that is about to be, in the environment of a call. */
const inState = (state: string, args: Arguments, domain: unknown): unknown =>
  versionsIn(domain).find((one) => statusIn(one, args["environment"]) === state);

/** How what would be active differs from what is. */
function comparison(args: Arguments, _: unknown, { domain, version }: Arguments): readonly string[] {
  if (domain === undefined) return [];
  const active = inState("activated", args, domain);
  const from = active === undefined ? undefined : numberOf(active);
  return activationDifference(
    { from, to: String(args["versionId"]), where: networkName(args["environment"]) },
    version === undefined ? undefined : factDifference(settingsOf(active), settingsOf(version)),
    "The settings are the same.",
  );
}

/** The call that returns to what was active before. */
function wayBack({ given, beside: { domain } }: Approved): string | ByHand {
  if (domain === undefined)
    return "What was active before could not be read: live_domain_get names it, and live_version_activate returns to it.";
  const active = inState("activated", given, domain);
  if (active === undefined)
    return "No version was active there before, and none can be taken off a network. Only another version, activated with live_version_activate, takes its place.";
  const former = numberOf(active);
  if (former === String(given["versionId"]))
    return `Version ${former} was active there before, so nothing was replaced.`;
  const call = { tool: "live_version_activate", arguments: { ...given, versionId: Number(former) } };
  return { says: `Return to version ${former}: call ${callInWords(call)}.`, call };
}

export const versionActivation: Guard = {
  kind: "activate",
  thing: "version of a live-streaming configuration",
  network: "environment",
  undo: { by: wayBack },
  compares: comparison,
  target: ({ domain, versionId }) => `${String(domain)} version ${String(versionId)}`,
  says: (args, _, { domain, version }) => {
    const active = inState("activated", args, domain);
    const what = `ACTIVATE version ${String(args["versionId"])} of live-streaming configuration ${domainName(args, domain)} on ${networkName(args["environment"])}`;
    if (domain === undefined || version === undefined) return `${what}: its settings could not be read`;
    const formats = formatsOf(version);
    const delivers = formats.length === 0 ? "it delivers no format" : `it delivers ${listed(formats)}`;
    if (active === undefined) return `${what}: no version is active there now; ${delivers}`;
    if (numberOf(active) === String(args["versionId"])) return `${what}: it is active there already`;
    const stopped = stoppedBy(version, active);
    const lost = stopped.length === 0 ? "" : ` and no longer ${listed(stopped)}`;
    return `${what}: it replaces version ${numberOf(active)}; ${delivers}${lost}`;
  },
  warns: (args, _, { domain, version }) => {
    const active = inState("activated", args, domain);
    const pending = inState("pending", args, domain);
    const isActive = active !== undefined && numberOf(active) === String(args["versionId"]);
    const stopped = active === undefined || version === undefined ? [] : stoppedBy(version, active);
    const isBack = active !== undefined && Number(numberOf(active)) > Number(args["versionId"]);
    return told(
      isActive && "This version is active there already.",
      ...stopped.map((name) => `${name} would no longer be delivered there: players that use it stop.`),
      isBack && `Version ${numberOf(active)}, which is active there, is newer: this goes back.`,
      pending !== undefined && `Version ${numberOf(pending)} is being activated there: this may be refused.`,
    );
  },
};
