/** Previews of replacing and activating a load-balancing version. */
import { type Activation, activates } from "../../language/activation.js";
import { type Arguments, type Guard, pickArguments, type ReviewForm } from "../../language/conduct.js";
import { differenceLines } from "../../language/difference-lines.js";
import { act, flag, membership } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { isSameNetwork, listInWords, networkName, plainOrQuoted, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { OriginActivation, OriginVersion } from "./shapes.js";

/** All versions of the load balancer: the one to activate, and the one that it replaces. */
export const readForOrigin = {
  versions: { by: "edgelogic_origin_versions_list", args: pickArguments("originId"), isBound: true },
} as const;

type Version = z.output<typeof OriginVersion>;

/** The distribution of traffic by a version: `traffic goes to shopFrankfurt 80 %, shopStandby 20 %`. */
function goesTo(version: Version | undefined): string {
  if (version === undefined) return "its distribution of traffic could not be read";
  const centers = (version.dataCenters ?? []).map(({ originId, percent }) => `${plainOrQuoted(originId)} ${percent} %`);
  return centers.length === 0 ? "it has no data centers" : `traffic goes to ${listInWords(centers)}`;
}

/** Data centers are known by their names, and have no order. */
const form: ReviewForm = {
  sets: "all",
  usual: { "*": null },
  nouns: { dataCenters: "data center" },
  title: (list, { originId }) => (list === "dataCenters" ? [originId] : undefined),
  titled: ["originId"],
};

/** The common settings of a version, and its data centers. */
function settingsOf(version: Version | undefined) {
  if (version === undefined) return undefined;
  const { balancingType, livenessSettings, dataCenters = [] } = version;
  return { dataCenters, balancingType, "liveness test": livenessSettings ?? undefined };
}

const activationOf = (args: Arguments, present: unknown, { versions }: Arguments): Activation => {
  const { version, network, dryrun } = memberAt(args, "body") as Arguments;
  const isTrial = dryrun === true;
  // The newest activation comes first.
  const { data: activations = [] } = z.array(OriginActivation).safeParse(present);
  const on = (where: unknown) => activations.filter((one) => isSameNetwork(one.network, where));
  const from = on(network).find(({ status }) => /^(active|pending)$/i.test(status))?.version;
  const isOnStaging = on("STAGING").some((one) => one.version === version);
  const { data: all = [] } = z.array(OriginVersion).safeParse(versions);
  const find = (number: unknown) => all.find((one) => one.version === number);
  const next = find(version);
  const total = (next?.dataCenters ?? []).reduce((sum, { percent }) => sum + percent, 0);
  return {
    of: `load balancer ${String(args["originId"])}`,
    to: Number(version),
    from: present === undefined ? undefined : from === undefined ? [] : [from],
    network: networkName(network),
    isTrial,
    content: "data centers, their shares and the liveness test",
    difference: (one) => {
      const before = one === undefined ? {} : settingsOf(find(one));
      const after = settingsOf(next);
      return before && after && differenceLines(before, after, form);
    },
    results: [goesTo(next), from !== undefined && from !== version && `so far, ${goesTo(find(from))}`],
    isMissing: versions !== undefined && next === undefined,
    untried: !isOnStaging && !isTrial && "was never activated on",
    warnings: [
      next && Math.abs(total - 100) > 0.001 && `Its shares add up to ${total} % and not to 100 %.`,
      next && !next.livenessSettings && "It has no liveness test, so traffic also goes to a data center that is down.",
    ],
  };
};

export const originActivation: Guard = {
  ...activates("load-balancing version", "body.network", activationOf, {
    tool: "edgelogic_origin_activate",
    list: "edgelogic_origin_activations_list",
    args: ({ originId, body }, version) => ({ originId, body: { network: memberAt(body, "network"), version } }),
    // The API takes no version off a network (public facts B, 4).
    instead: "It can only be replaced by activating another version with edgelogic_origin_activate.",
  }),
  target: (args) => `${String(args["originId"])} version ${String(memberAt(args, "body.version"))}`,
};

export const originVersionReplacement: Guard = {
  kind: "overwrite",
  thing: "load-balancing version",
  replaces: "body",
  review: form,
  undo: "rewrite",
  target: ({ originId, version }) => `${String(originId)} version ${String(version)}`,
  critical: [flag("body.deleted", "it deletes the version")],
  says: (args, present) => {
    const version = `version ${String(args["version"])} of load balancer ${String(args["originId"])}`;
    if (memberAt(args, "body.deleted") === true && memberAt(present, "deleted") !== true) return act`DELETE ${version}`;
    const before = OriginVersion.safeParse(present).data;
    if (before === undefined) return undefined;
    const after = { ...before, dataCenters: [], ...(args["body"] as Partial<Version>) };
    const names = ({ dataCenters = [] }: Version) => dataCenters.map(({ originId }) => plainOrQuoted(originId));
    const { lost } = membership(names(before), names(after));
    const isTestLost = Boolean(before.livenessSettings) && !memberAt(args, "body.livenessSettings");
    const losses = withoutFalse(
      lost.length > 0 && `the ${lost.length === 1 ? "data center" : "data centers"} ${listInWords(lost)}`,
      isTestLost && "the liveness test",
    );
    const loses = losses.length > 0 && `it loses ${losses.join(" and ")}`;
    const which = `${version}, which is not on any network yet`;
    return act`REPLACE ${which}: ${loses || "no data center and no liveness test is lost"}; ${goesTo(after)}`;
  },
};
