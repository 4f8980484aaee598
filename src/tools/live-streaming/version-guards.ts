/** What a person has to know before a version of a configuration is activated. */
import type { Arguments, Guard } from "../../api/conduct.js";
import { isRecord, memberAt } from "../../api/member.js";
import { listed, networkName, plain } from "../../api/words.js";
import { domainName, numberOf, statusIn, versionsIn } from "./words.js";

/** What would be activated, and what is active now: an approval is bound to both. */
export const besideActivation = {
  version: {
    by: "live_version_get",
    args: ({ domain, versionId }: Arguments): Arguments => ({ domain, versionId }),
    isBound: true,
  },
  domain: { by: "live_domain_get", args: ({ domain }: Arguments): Arguments => ({ domain }), isBound: true },
} as const;

/** What a version says of delivery. */
const content = ["delivery-formats", "security", "advanced-configuration"];

/** The settings of a version by their path. */
function settingsOf(version: unknown): ReadonlyMap<string, string> {
  const walk = (value: unknown, path: readonly string[]): readonly (readonly [string, string])[] =>
    isRecord(value)
      ? Object.entries(value).flatMap(([name, inner]) => walk(inner, [...path, name]))
      : [[path.join(" "), plain(value)] as const];
  return new Map(content.flatMap((name) => walk(memberAt(version, [name]) ?? {}, name === content[0] ? [] : [name])));
}

interface Difference {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}
const none = "none";

/** Where the settings of two versions differ. */
function differencesOf(from: unknown, to: unknown): readonly Difference[] {
  const [before, after] = [settingsOf(from), settingsOf(to)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, from: before.get(name) ?? none, to: after.get(name) ?? none }))
    .filter((one) => one.from !== one.to);
}

/** The version that is active, or another that is about to be, in the environment of a call. */
const inState = (state: string, args: Arguments, domain: unknown): unknown =>
  versionsIn(domain).find((one) => statusIn(one, args["environment"]) === state);

export const versionActivation: Guard = {
  kind: "activate",
  thing: "version of a live-streaming configuration",
  network: "environment",
  undo: { by: "Activate the version that was active before, which the preview names, with live_version_activate." },
  target: ({ domain, versionId }) => `${String(domain)} version ${String(versionId)}`,
  says: (args, _, { domain, version }) => {
    const active = inState("activated", args, domain);
    const what = `ACTIVATE version ${String(args["versionId"])} of live-streaming configuration ${domainName(args, domain)} on ${networkName(args["environment"])}`;
    if (domain === undefined || version === undefined) return `${what}, whose settings could not be read`;
    if (active === undefined) return `${what}, where no version is active`;
    const changes = differencesOf(active, version).map(({ name, from, to }) => `${plain(name)} from ${from} to ${to}`);
    return `${what} in place of version ${numberOf(active)}: ${changes.length === 0 ? "the same settings" : listed(changes)}`;
  },
  warns: (args, _, { domain, version }) => {
    const active = inState("activated", args, domain);
    const pending = inState("pending", args, domain);
    const isActive = active !== undefined && numberOf(active) === String(args["versionId"]);
    const stopped =
      active === undefined || version === undefined
        ? []
        : differencesOf(
            { "delivery-formats": memberAt(active, ["delivery-formats"]) },
            { "delivery-formats": memberAt(version, ["delivery-formats"]) },
          ).filter(({ from, to }) => from === "Enabled" && to !== "Enabled");
    const isBack = active !== undefined && Number(numberOf(active)) > Number(args["versionId"]);
    return [
      ...(isActive ? ["This version is active there already."] : []),
      ...stopped.map(({ name }) => `${plain(name)} would no longer be delivered there: players that use it stop.`),
      ...(isBack ? [`Version ${numberOf(active)}, which is active there, is newer: this goes back.`] : []),
      ...(pending === undefined ? [] : [`Version ${numberOf(pending)} is being activated there: this may be refused.`]),
    ];
  },
};
