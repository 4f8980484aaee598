/** Previews of replacing and activating a load-balancing version. */

import { type Approved, type Arguments, type ByHand, type Guard, only } from "../../language/conduct.js";
import { activationDifference, factDifference, factsIn, itemDifference } from "../../language/line-difference.js";
import { memberAt } from "../../language/member.js";
import { calling, naming, type Sentence } from "../../language/sentence.js";
import { act } from "../../language/statement.js";
import { isSameNetwork, listed, networkName, plain, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { OriginActivation, OriginVersion } from "./shapes.js";

/** All versions of the load balancer: the one to activate, and the one that it replaces. */
export const readForOrigin = {
  versions: { by: "edgelogic_origin_versions_list", args: only("originId"), isBound: true },
} as const;

type Version = z.output<typeof OriginVersion>;

const versionsIn = (versions: unknown): readonly Version[] => z.array(OriginVersion).safeParse(versions).data ?? [];

const isDryRun = (args: Arguments): boolean => memberAt(args, "body.dryrun") === true;

/** The data centers of a version with their shares of the traffic: `shopFrankfurt 80 %, shopStandby 20 %`. */
function sharesOf(version: Version | undefined): string {
  if (version === undefined) return "its data centers could not be read";
  const centers = (version.dataCenters ?? []).map(({ originId, percent }) => `${plain(originId)} ${percent} %`);
  return centers.length === 0 ? "no data centers" : listed(centers);
}

/** The distribution of traffic by a version. */
function goesTo(version: Version | undefined): string {
  if (version === undefined) return "its distribution of traffic could not be read";
  return (version.dataCenters ?? []).length === 0 ? "it has no data centers" : `traffic goes to ${sharesOf(version)}`;
}

/** The common settings of a version, and each of its data centers by name. */
function settingsOf({ balancingType, livenessSettings, dataCenters = [] }: Version) {
  const isSaid = ([, value]: [string, unknown]) => value !== null && value !== undefined;
  const said = (members: Arguments) => Object.fromEntries(Object.entries(members).filter(isSaid));
  return {
    whole: new Map([...factsIn(said({ balancingType })), ...factsIn(said(livenessSettings ?? {}), "liveness test")]),
    centers: dataCenters.map(({ originId, ...center }) => ({ name: plain(originId), value: said(center) })),
  };
}

/** The change in the distribution of traffic. */
function comparison(args: Arguments, present: unknown, { versions }: Arguments): readonly string[] {
  const { version, network } = memberAt(args, "body") as { readonly version: number; readonly network: string };
  if (isDryRun(args)) return [];
  const from = activeOn(network, present);
  const find = (number: number | undefined) => versionsIn(versions).find((one) => one.version === number);
  const [now, next] = [find(from), find(version)];
  const before = from === undefined ? { whole: new Map(), centers: [] } : now && settingsOf(now);
  const after = next && settingsOf(next);
  return activationDifference(
    { from, to: version, where: networkName(network) },
    before &&
      after && [
        ...itemDifference("data center", before.centers, after.centers),
        ...factDifference(before.whole, after.whole),
      ],
    "The data centers, their shares and the liveness test are the same.",
  );
}

/** The active or pending version on the network of a call; the newest activation comes first. */
function activeOn(network: unknown, present: unknown): number | undefined {
  const { data = [] } = z.array(OriginActivation).safeParse(present);
  return data.find((one) => isSameNetwork(one.network, network) && /^(active|pending)$/i.test(one.status))?.version;
}

/**
 * The call that returns to the previously active version; the API takes no version off a network (public facts B, 4).
 */
function undoOf({ given, before }: Approved): Sentence | ByHand {
  const { network, version } = memberAt(given, "body") as Arguments;
  if (isDryRun(given)) return "A dry run changes nothing, so there is nothing to undo.";
  if (before === undefined)
    return "The previously active version could not be read: edgelogic_origin_activations_list names it, and edgelogic_origin_activate returns to it.";
  const former = activeOn(network, before);
  if (former === version) return `Version ${former} was active there before, so nothing was replaced.`;
  if (former === undefined)
    return "No version was active there before, and none can be taken off a network. It can only be replaced by activating another version with edgelogic_origin_activate.";
  const args = { originId: given["originId"], body: { network, version: former } };
  const call = { tool: "edgelogic_origin_activate", arguments: args };
  return { says: naming`Return to version ${String(former)}: ${calling(call)}.`, call };
}

export const originActivation: Guard = {
  kind: "activate",
  thing: "load-balancing version",
  network: "body.network",
  undo: { by: undoOf },
  compares: comparison,
  target: (args) => `${String(args["originId"])} version ${String(memberAt(args, "body.version"))}`,
  says: (args, present, { versions }) => {
    const { version, network } = memberAt(args, "body") as Arguments;
    const find = (number: unknown) => versionsIn(versions).find((one) => one.version === number);
    const from = activeOn(network, present);
    const what = `version ${String(version)} of load balancer ${String(args["originId"])}`;
    const where = networkName(network);
    const now =
      from === undefined
        ? "no version is active there now"
        : from === version
          ? "it is already active there"
          : `${isDryRun(args) ? "active there now is" : "it replaces"} version ${from} (${sharesOf(find(from))})`;
    return isDryRun(args)
      ? act(
          "CHECK",
          `whether ${what} (${sharesOf(find(version))}) could be activated on ${where}`,
          `a dry run changes nothing; ${now}`,
        )
      : act("ACTIVATE", `${what} on ${where}`, `${goesTo(find(version))}; ${now}`);
  },
  warns: (args, present, { versions }) => {
    const { version, network } = memberAt(args, "body") as Arguments;
    const found = versionsIn(versions).find((one) => one.version === version);
    const total = (found?.dataCenters ?? []).reduce((sum, { percent }) => sum + percent, 0);
    const { data = [] } = z.array(OriginActivation).safeParse(present);
    const isOnStaging = data.some((one) => one.version === version && isSameNetwork(one.network, "STAGING"));
    const from = activeOn(network, present);
    return withoutFalse(
      versions !== undefined && !found && `There is no version ${String(version)}: the API will refuse it.`,
      found && Math.abs(total - 100) > 0.001 && `Its shares add up to ${total} % and not to 100 %.`,
      found &&
        !found.livenessSettings &&
        "It has no liveness test, so traffic also goes to a data center that is down.",
      networkName(network) === "PRODUCTION" &&
        !isOnStaging &&
        !isDryRun(args) &&
        "This version was never activated on STAGING, where it could be tested first.",
      from === version && `Version ${from} is already active there.`,
    );
  },
};

export const originVersionReplacement: Guard = {
  kind: "overwrite",
  thing: "load-balancing version",
  replaces: "body",
  undo: "rewrite",
  target: ({ originId, version }) => `${String(originId)} version ${String(version)}`,
  critical: [{ argument: "body.deleted", unless: false, because: "it deletes the version" }],
  says: (args, present) => {
    const which = `version ${String(args["version"])} of load balancer ${String(args["originId"])}`;
    if (memberAt(args, "body.deleted") === true && memberAt(present, "deleted") !== true) return act("DELETE", which);
    const before = OriginVersion.safeParse(present).data;
    if (before === undefined) return undefined;
    const after = { ...before, dataCenters: [], ...(args["body"] as Partial<Version>) };
    const names = (version: Version) => (version.dataCenters ?? []).map(({ originId }) => plain(originId));
    const lost = names(before).filter((name) => !names(after).includes(name));
    const isTestLost = Boolean(before.livenessSettings) && !memberAt(args, "body.livenessSettings");
    const losses = withoutFalse(
      lost.length > 0 && `the ${lost.length === 1 ? "data center" : "data centers"} ${listed(lost)}`,
      isTestLost && "the liveness test",
    );
    return act(
      "REPLACE",
      `${which}, which is not on any network yet`,
      `${losses.length === 0 ? "no data center and no liveness test is lost" : `it loses ${losses.join(" and ")}`}; ${goesTo(after)}`,
    );
  },
};
