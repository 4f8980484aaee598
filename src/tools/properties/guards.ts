/** Previews of deleting a property, copying a version, and cancelling an activation. */
import type { Resolve } from "../../language/check.js";
import { type Arguments, type Guard, only } from "../../language/conduct.js";
import { shown } from "../../language/failure.js";
import { act, guardsOf } from "../../language/guards.js";
import { defined, memberAt } from "../../language/member.js";
import { calling, naming } from "../../language/sentence.js";
import { listed, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { NotifyEmails, PropertyVersion } from "./ids.js";
import { Versions } from "./shapes.js";
import { itemsOf } from "./states.js";

/** The versions in the response that lists a property's versions, newest first. */
export const versionsIn = (body: unknown) =>
  [...(Versions.safeParse(body).data?.versions.items ?? [])].sort((a, b) => b.propertyVersion - a.propertyVersion);

/** The arguments that find the property. */
export const ofProperty = (args: Arguments): Arguments => defined(only("propertyId", "contractId", "groupId")(args));

type Listed = ReturnType<typeof versionsIn>[number];

/** Where a version is active, in words. */
export function whereActive({ stagingStatus, productionStatus }: Pick<Listed, "stagingStatus" | "productionStatus">) {
  const networks = withoutFalse(stagingStatus === "ACTIVE" && "STAGING", productionStatus === "ACTIVE" && "PRODUCTION");
  return networks.length === 0 ? "not active on any network" : `active on ${networks.join(" and ")}`;
}

export type Network = "STAGING" | "PRODUCTION";

/** The version that is active on a network, of a property or an include. */
export const activeAmong = <T extends Pick<Listed, "stagingStatus" | "productionStatus">>(
  versions: readonly T[],
  network: Network,
): T | undefined =>
  versions.find((one) => (network === "STAGING" ? one.stagingStatus : one.productionStatus) === "ACTIVE");

/** Which version is copied and which are newer, from the list of versions; undefined if the list lacks it. */
function copyOf(args: Arguments, present: unknown) {
  const number = Number(memberAt(args, "body.createFromVersion"));
  const versions = versionsIn(present);
  const copied = versions.find(({ propertyVersion }) => propertyVersion === number);
  if (copied === undefined) return undefined;
  const newer = versions.filter(({ propertyVersion }) => propertyVersion > number).reverse();
  const is = newer.length === 1 ? "is" : "are";
  const names = listed(newer, ({ propertyVersion }) => String(propertyVersion));
  return {
    copied: `version ${number}, ${whereActive(copied)}`,
    becomes: (versions[0]?.propertyVersion ?? number) + 1,
    leavesOut:
      newer.length === 0
        ? undefined
        : `Version${newer.length === 1 ? "" : "s"} ${names} ${is} newer and not part of the copy; property_versions_compare shows what the copy lacks.`,
  };
}

/** Notes in the result which version is copied and which newer ones are not part of it; this never stops the call. */
export const copiedVersion: Resolve = async ({ args, read }) => {
  const { propertyId, contractId, groupId } = args;
  const of = defined({ propertyId, contractId, groupId });
  const copy = copyOf(args, await read("property_versions_list", of).catch(() => undefined));
  const notes =
    copy === undefined
      ? ["It is unknown whether there are versions newer than the copied one."]
      : [`This copies ${copy.copied}. ${copy.leavesOut ?? "It is the newest, so nothing is left out."}`];
  return { values: {}, notes };
};

/** The preview of a copy. */
export const copyGuard: Guard = {
  kind: "create",
  when: "asked",
  thing: "property version",
  undo: {
    by: "Leave the new version unused. The API cannot delete a single version, and this one has no effect until it is activated.",
  },
  says: (args, present) => {
    const copy = copyOf(args, present);
    const name = memberAt(present, "propertyName");
    const which = typeof name === "string" ? shown(name) : String(args["propertyId"]);
    return copy === undefined
      ? undefined
      : act`CREATE version ${copy.becomes} of ${which} as a copy of ${copy.copied}: it is not live on any network until it is activated`;
  },
  warns: (args, present) => [copyOf(args, present)?.leavesOut],
};

/** An activation that is cancelled, of a property or an include. */
interface Cancelled {
  readonly version: number | undefined;
  readonly of: string;
  readonly network: string;
}

/**
 * The guard of cancelling an activation.
 * @param tool The tool that activates the version again.
 * @param version The member of its body that names the version.
 * @param ofObject The arguments that find the property or the include.
 * @param read The activation, from the response that shows it.
 */
export const cancels = (
  tool: string,
  version: "propertyVersion" | "includeVersion",
  ofObject: (given: Arguments) => Arguments,
  read: (present: unknown) => Cancelled | undefined,
): Guard => ({
  kind: "cancel",
  thing: "activation",
  undo: {
    by: ({ given, before }) => {
      // The suggested call repeats only those members of the response that it accepts.
      const body = z
        .object({
          [version]: PropertyVersion,
          network: z.enum(["STAGING", "PRODUCTION"]),
          activationType: z.enum(["ACTIVATE", "DEACTIVATE"]),
          notifyEmails: NotifyEmails,
        })
        .safeParse(read(before)).data;
      const ended = "A cancelled activation cannot be resumed:";
      if (body === undefined) return `${ended} call ${tool} for the version again.`;
      return naming`${ended} ${calling({ tool, arguments: { ...ofObject(given), body } })}.`;
    },
  },
  says: ({ activationId }, present) => {
    const one = read(present);
    if (one === undefined) return act`CANCEL activation ${String(activationId)}: its version does not go live`;
    return act`CANCEL the activation of version ${one.version} of ${one.of} on ${one.network}: it does not go live, and the active version stays`;
  },
});

export const cancelGuard: Guard = {
  ...cancels("property_version_activate", "propertyVersion", ofProperty, (present) => {
    const [one] = itemsOf(present);
    return one && { ...one, version: one.propertyVersion, of: shown(one.propertyName) };
  }),
  warns: (_, present) =>
    itemsOf(present)
      .filter(({ status }) => status !== "PENDING")
      .map(({ status }) => `It is ${status}; only a PENDING activation can be cancelled.`),
};

/** The versions that are gone with a property or an include, of which the newest has this number. */
export const versionsGone = (newest: unknown): string => {
  if (typeof newest !== "number") return "all its versions are gone";
  return newest === 1 ? "its only version is gone" : `its versions 1 to ${newest} are gone`;
};

export const deletionGuard = guardsOf("property", ({ propertyId }, present) => {
  const name = memberAt(present, "properties.items.0.propertyName");
  return `property ${typeof name === "string" ? `${shown(name)} (${String(propertyId)})` : String(propertyId)}`;
})("DELETE", {
  kind: "delete",
  undo: { never: "A deleted property and its versions cannot be restored." },
  results: (_, present) =>
    `${versionsGone(memberAt(present, "properties.items.0.latestVersion"))}, with rules and hostnames`,
});
