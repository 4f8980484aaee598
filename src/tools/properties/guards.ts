/** What a person has to know before a property is deleted, or a version activated or its activation cancelled. */
import type { Arguments, Guard } from "../../api/conduct.js";
import { shown } from "../../api/failure.js";
import { memberAt } from "../../api/member.js";
import type { z } from "../../api/z.js";
import { Activations } from "./shapes.js";

type Activation = z.output<typeof Activations>["activations"]["items"][number];

const itemsOf = (present: unknown): readonly Activation[] =>
  Activations.safeParse(present).data?.activations.items ?? [];
const isUnderWay = ({ status }: Activation): boolean => /^(NEW|PENDING.*|ZONE_\d)$/.test(status);

/** A property as people know it: its name where an activation tells it, and its id. */
function nameOf(args: Arguments, present: unknown): string {
  const [first] = itemsOf(present);
  return first ? `${shown(first.propertyName)} (${String(args["propertyId"])})` : String(args["propertyId"]);
}

/** The version that is active on the network of a call. */
const activeOn = (network: unknown, present: unknown): number | undefined =>
  itemsOf(present).find(
    (one) => one.network === network && one.status === "ACTIVE" && one.activationType !== "DEACTIVATE",
  )?.propertyVersion;

export const activationGuard: Guard = {
  kind: "activate",
  thing: "property version",
  network: "body.network",
  critical: [
    {
      argument: "body.acknowledgeAllWarnings",
      unless: undefined,
      because: "it acknowledges warnings that nobody has read",
    },
  ],
  says: (args, present) => {
    const { propertyVersion, network, activationType } = memberAt(args, "body") as Arguments;
    const from = activeOn(network, present);
    const what = `version ${String(propertyVersion)} of ${nameOf(args, present)}`;
    if (activationType === "DEACTIVATE")
      return `DEACTIVATE ${what} on ${String(network)}: its hostnames are no longer served there`;
    const instead = from === undefined ? "no version is active there now" : `it replaces version ${from}`;
    return `ACTIVATE ${what} on ${String(network)}: ${instead}`;
  },
  undo: {
    by: "Cancel it with property_activation_cancel while it is PENDING; once it is ACTIVE, activate the version that was active before with property_version_activate.",
  },
  target: (args) => `${String(args["propertyId"])} version ${String(memberAt(args, "body.propertyVersion"))}`,
  warns: (args, present) => {
    const { propertyVersion, network, activationType } = memberAt(args, "body") as Arguments;
    const from = activeOn(network, present);
    const pending = itemsOf(present).filter(isUnderWay);
    const isOnStaging = itemsOf(present).some(
      (one) =>
        one.network === "STAGING" && one.propertyVersion === propertyVersion && !/ABORTED|FAILED/.test(one.status),
    );
    return [
      ...pending.map(
        (one) =>
          `An activation of version ${one.propertyVersion} on ${one.network} is ${one.status} (${one.activationId}).`,
      ),
      ...(activationType !== "DEACTIVATE" && network === "PRODUCTION" && !isOnStaging
        ? [`Version ${String(propertyVersion)} was never activated on STAGING, where it could be tried first.`]
        : []),
      ...(activationType !== "DEACTIVATE" && from !== undefined && from > Number(propertyVersion)
        ? [`Version ${from}, which is active there, is newer: this goes back.`]
        : []),
    ];
  },
};

export const cancelGuard: Guard = {
  kind: "cancel",
  thing: "activation",
  undo: { by: "Activate the version again with property_version_activate; a cancelled activation is not resumed." },
  says: ({ activationId }, present) => {
    const [one] = itemsOf(present);
    if (!one) return `CANCEL activation ${String(activationId)}: what it would activate does not go live`;
    return `CANCEL the activation of version ${one.propertyVersion} of ${shown(one.propertyName)} on ${one.network}: it does not go live, and what is active there stays`;
  },
  warns: (_, present) =>
    itemsOf(present)
      .filter(({ status }) => status !== "PENDING")
      .map(({ status }) => `It is ${status}; only a PENDING activation can be cancelled.`),
};

export const deletionGuard: Guard = {
  kind: "delete",
  thing: "property",
  undo: { never: "A deleted property and its versions cannot be brought back." },
  says: ({ propertyId }, present) => {
    const name = memberAt(present, "properties.items.0.propertyName");
    const count = memberAt(present, "properties.items.0.latestVersion");
    const which = typeof name === "string" ? `${shown(name)} (${String(propertyId)})` : String(propertyId);
    return `DELETE property ${which}: ${typeof count === "number" ? `its versions up to ${count}` : "all its versions"} and their rule trees are gone for good`;
  },
};
