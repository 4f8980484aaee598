/** Previews of copying a property's version, of deleting a property or an include, and of cancelling an activation of either. */
import type { Resolve } from "../../language/check.js";
import type { Arguments, Guard } from "../../language/conduct.js";
import { quoteValue } from "../../language/failure.js";
import { act, guardsOf } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { calling, naming } from "../../language/sentence.js";
import { countOf } from "../../language/value-text.js";
import { listInWords, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { treeForm } from "./difference.js";
import { NotifyEmails, PropertyVersion } from "./ids.js";
import { Versions } from "./shapes.js";
import { objectName, objectOf, propertyKind, type VersionedKind } from "./states.js";

/** A version that is written, as the object of a sentence; only one that was never active can be. */
export const inVersion = ({ noun }: VersionedKind, args: Arguments): string =>
  `version ${String(args[`${noun}Version`])} of ${noun} ${String(args[`${noun}Id`])}, which is live on no network until it is activated`;

/** The rules below a rule, at any depth. */
const rulesBelow = (rule: unknown): readonly unknown[] =>
  listAt(rule, "children").flatMap((child) => [child, ...rulesBelow(child)]);

/** A warning about a tree that lacks most of the present rules, as one does that was meant to add to them. */
function lossWarning(args: Arguments, present: unknown): string | false {
  const nameOf = (rule: unknown) => memberAt(rule, "name");
  const before = rulesBelow(memberAt(present, "rules"));
  const names = new Set(rulesBelow(memberAt(args, "body.rules")).map(nameOf));
  const lost = before.filter((rule) => !names.has(nameOf(rule))).length;
  return (
    2 * lost > before.length &&
    `${lost} of the ${countOf(before.length, "present rule")} below the default one ${lost === 1 ? "goes: the new tree has none of its name" : "go: the new tree has none of their names"}.`
  );
}

/** The guard of a replacement of the rules of a version. */
export const treeReplacement = (kind: VersionedKind): Guard => ({
  kind: "overwrite",
  thing: "rule tree",
  names: (args) => `the rule tree of ${inVersion(kind, args)}`,
  replaces: "body.rules",
  review: treeForm,
  warns: (args, present) => [lossWarning(args, present)],
});

/** The versions in the response that lists a property's versions, newest first. */
export const versionsIn = (body: unknown) =>
  [...(Versions.safeParse(body).data?.versions.items ?? [])].sort((a, b) => b.propertyVersion - a.propertyVersion);

type ListedVersion = ReturnType<typeof versionsIn>[number];

/** Where a version is active, in words. */
export function whereActive({
  stagingStatus,
  productionStatus,
}: Pick<ListedVersion, "stagingStatus" | "productionStatus">) {
  const networks = withoutFalse(stagingStatus === "ACTIVE" && "STAGING", productionStatus === "ACTIVE" && "PRODUCTION");
  return networks.length === 0 ? "not active on any network" : `active on ${networks.join(" and ")}`;
}

export type PropertyNetwork = "STAGING" | "PRODUCTION";

/** The version that is active on a network, of a property or an include. */
export const activeVersionAmong = <T extends Pick<ListedVersion, "stagingStatus" | "productionStatus">>(
  versions: readonly T[],
  network: PropertyNetwork,
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
  const names = listInWords(newer, ({ propertyVersion }) => String(propertyVersion));
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
export const noteCopiedVersion: Resolve = async ({ args, read }) => {
  const copy = copyOf(args, await read("property_versions_list", objectOf(propertyKind)(args)).catch(() => undefined));
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
    const which = typeof name === "string" ? quoteValue(name) : String(args["propertyId"]);
    return copy === undefined
      ? undefined
      : act`CREATE version ${copy.becomes} of ${which} as a copy of ${copy.copied}: it is not live on any network until it is activated`;
  },
  warns: (args, present) => [copyOf(args, present)?.leavesOut],
};

/** The guard of cancelling an activation. */
export const cancellationGuard = (kind: VersionedKind): Guard => ({
  kind: "cancel",
  thing: "activation",
  undo: {
    by: ({ given, before }) => {
      const [activation] = kind.activationsIn(before);
      const tool = `${kind.noun}_version_activate`;
      const ended = "A cancelled activation cannot be resumed:";
      // The suggested call repeats only those members of the response that it accepts.
      const body = z
        .object({
          [`${kind.noun}Version`]: PropertyVersion,
          network: z.enum(["STAGING", "PRODUCTION"]),
          activationType: z.enum(["ACTIVATE", "DEACTIVATE"]),
          notifyEmails: NotifyEmails,
        })
        .safeParse(activation).data;
      if (body === undefined) return `${ended} call ${tool} for the version again.`;
      return naming`${ended} ${calling({ tool, arguments: { ...objectOf(kind)(given), body } })}.`;
    },
  },
  says: ({ activationId }, present) => {
    const [activation] = kind.activationsIn(present);
    if (activation === undefined) return act`CANCEL activation ${String(activationId)}: its version does not go live`;
    const what = `${kind.title}${quoteValue(activation.name)}`;
    return act`CANCEL the activation of version ${activation.version} of ${what} on ${activation.network}: it does not go live, and the active version stays`;
  },
});

/**
 * The guard of deleting a property or an include.
 * @param content What is gone with its versions.
 */
export const deletionGuard = (kind: VersionedKind, content: string): Guard =>
  guardsOf(kind.noun, (args, present) => `${kind.noun} ${objectName(kind, args, present)}`)("DELETE", {
    kind: "delete",
    undo: { never: `A deleted ${kind.noun} and its versions cannot be restored.` },
    results: (_, present) => {
      const newest = memberAt(present, `${kind.list}.items.0.latestVersion`);
      if (typeof newest !== "number") return `all its versions are gone, with ${content}`;
      return `${newest === 1 ? "its only version is gone" : `its versions 1 to ${newest} are gone`}, with ${content}`;
    },
  });
