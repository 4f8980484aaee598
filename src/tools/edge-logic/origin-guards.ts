/** What a person has to know before a load-balancing version is replaced or activated. */
import type { Approved, Arguments, Guard } from "../../api/conduct.js";
import { memberAt } from "../../api/member.js";
import { isSameNetwork, listed, networkName, plain } from "../../api/words.js";
import { z } from "../../api/z.js";
import { OriginActivation, OriginVersion } from "./shapes.js";

/** All versions of the load balancer: what the one that is activated says, and the one that it replaces. */
export const besideOrigin = {
  versions: {
    by: "edgelogic_origin_versions_list",
    args: ({ originId }: Arguments): Arguments => ({ originId }),
    isBound: true,
  },
} as const;

type Version = z.output<typeof OriginVersion>;

const versionsIn = (versions: unknown): readonly Version[] => z.array(OriginVersion).safeParse(versions).data ?? [];

/** The data centers of a version with their shares of the traffic: `shopFrankfurt 80 %, shopStandby 20 %`. */
function sharesOf(version: Version | undefined): string {
  if (version === undefined) return "whose data centers could not be read";
  const centers = (version.dataCenters ?? []).map(({ originId, percent }) => `${plain(originId)} ${percent} %`);
  return centers.length === 0 ? "without data centers" : listed(centers);
}

/** The version that is active, or about to be, on the network of a call; the newest activation comes first. */
function activeOn(network: unknown, present: unknown): number | undefined {
  const { data = [] } = z.array(OriginActivation).safeParse(present);
  return data.find((one) => isSameNetwork(one.network, network) && /^(active|pending)$/i.test(one.status))?.version;
}

const isDryRun = (args: Arguments): boolean => memberAt(args, "body.dryrun") === true;

/** The call that returns to what was active before; the API takes no version off a network (public facts B, 4). */
function wayBack({ given, before }: Approved): string {
  const { network, version } = memberAt(given, "body") as Arguments;
  if (isDryRun(given)) return "A dry run changes nothing, so there is nothing to take back.";
  if (before === undefined)
    return "Activate the version that was active before, which edgelogic_origin_activations_list names, with edgelogic_origin_activate.";
  const former = activeOn(network, before);
  if (former === version) return `Version ${former} was active there before, so nothing was replaced.`;
  const call = { originId: given["originId"], body: { network, version: former } };
  return former === undefined
    ? "No version was active there before, and none can be taken off a network: activate another one with edgelogic_origin_activate."
    : `Return to version ${former}: call edgelogic_origin_activate with ${JSON.stringify(call)}.`;
}

export const originActivation: Guard = {
  kind: "activate",
  thing: "load-balancing version",
  network: "body.network",
  undo: { by: wayBack },
  target: (args) => `${String(args["originId"])} version ${String(memberAt(args, "body.version"))}`,
  says: (args, present, { versions }) => {
    const { version, network } = memberAt(args, "body") as Arguments;
    const of = (number: unknown) => sharesOf(versionsIn(versions).find((one) => one.version === number));
    const from = activeOn(network, present);
    const what = `version ${String(version)} of load balancer ${String(args["originId"])}`;
    const where = networkName(network);
    const now = from === undefined ? "no version is active there now" : `now version ${from} (${of(from)})`;
    return isDryRun(args)
      ? `CHECK whether ${what} (${of(version)}) could be activated on ${where}: a dry run changes nothing; ${now}`
      : `ACTIVATE ${what} on ${where}: traffic goes to ${of(version)}; ${now}`;
  },
  warns: (args, present, { versions }) => {
    const { version, network } = memberAt(args, "body") as Arguments;
    const found = versionsIn(versions).find((one) => one.version === version);
    const total = (found?.dataCenters ?? []).reduce((sum, { percent }) => sum + percent, 0);
    const { data = [] } = z.array(OriginActivation).safeParse(present);
    const isOnStaging = data.some((one) => one.version === version && isSameNetwork(one.network, "STAGING"));
    const from = activeOn(network, present);
    return [
      ...(versions !== undefined && !found ? [`There is no version ${String(version)}: the API will refuse it.`] : []),
      ...(found && Math.abs(total - 100) > 0.001 ? [`Its shares add up to ${total} % and not to 100 %.`] : []),
      ...(found && !found.livenessSettings
        ? ["It has no liveness test, so traffic also goes to a data center that is down."]
        : []),
      ...(networkName(network) === "PRODUCTION" && !isOnStaging && !isDryRun(args)
        ? ["This version was never activated on staging, where it could be tried first."]
        : []),
      ...(from === version ? [`Version ${from} is active there already.`] : []),
    ];
  },
};

export const originVersionReplacement: Guard = {
  kind: "overwrite",
  thing: "load-balancing version",
  replaces: "body",
  undo: "rewrite",
  target: ({ originId, version }) => `${String(originId)} version ${String(version)}`,
  critical: [{ argument: "body.deleted", unless: false, because: "it deletes the version" }],
  says: (args, present) =>
    memberAt(args, "body.deleted") === true && memberAt(present, "deleted") !== true
      ? `DELETE version ${String(args["version"])} of load balancer ${String(args["originId"])}`
      : undefined,
};
