/** Which version of an include is active where, and the checks that refuse calls which the API would refuse because of it. */
import type { Check } from "../../language/check.js";
import { type Arguments, only } from "../../language/conduct.js";
import { shown } from "../../language/failure.js";
import { defined, memberAt } from "../../language/member.js";
import { type Activation, IncludeActivations, Includes, IncludeVersions } from "./shapes.js";

/** The arguments that find the include. */
export const ofInclude = (args: Arguments): Arguments => defined(only("includeId", "contractId", "groupId")(args));

export const itemsOf = (present: unknown): readonly Activation[] =>
  IncludeActivations.safeParse(present).data?.activations.items ?? [];

/** The version that is active on a network. */
export const activeOn = (network: unknown, present: unknown): number | undefined =>
  itemsOf(present).find(
    (one) => one.network === network && one.status === "ACTIVE" && one.activationType !== "DEACTIVATE",
  )?.includeVersion;

/** An include in words: its name, if a response has it, and its id. */
export function nameOf(args: Arguments, present: unknown): string {
  const name = itemsOf(present)[0]?.includeName ?? memberAt(present, "includes.items.0.includeName");
  const id = String(args["includeId"]);
  return typeof name === "string" ? `${shown(name)} (${id})` : id;
}

/** A version that is or was active cannot be written. */
export const isEditable: Check = async ({ args, read }) => {
  const { includeVersion } = args;
  const refused = (state: string) => {
    const takes = `a version that was never activated, and this one ${state}: create a new one from it with include_version_create`;
    return [{ field: "includeVersion", given: String(includeVersion), takes }];
  };
  const version = IncludeVersions.safeParse(await read("include_version_get", { ...ofInclude(args), includeVersion }));
  for (const { productionStatus, stagingStatus } of version.data?.versions.items ?? [])
    for (const status of [productionStatus, stagingStatus])
      if (/^(ACTIVE|PENDING)/.test(status)) return refused(`is ${status.toLowerCase()}`);
  // A version that was replaced on its network is INACTIVE, like one that was never on it.
  const activations = itemsOf(await read("include_activations_list", ofInclude(args)));
  const reached = activations.some(
    (one) => one.includeVersion === includeVersion && !/^(ABORTED|FAILED)$/.test(one.status),
  );
  return reached ? refused("was active before") : [];
};

/** An include with an active version cannot be deleted; the API responds with 500. */
export const isInactive: Check = async ({ args, present }) => {
  const [one] = Includes.safeParse(await present()).data?.includes.items ?? [];
  const active = Object.entries({ staging: one?.stagingVersion, production: one?.productionVersion }).filter(
    ([, number]) => typeof number === "number",
  );
  if (active.length === 0) return [];
  const where = active.map(([network, number]) => `version ${number} on ${network}`).join(" and ");
  const takes = `an include without an active version, and this one has ${where}: deactivate with include_version_activate first`;
  return [{ field: "includeId", given: String(args["includeId"]), takes }];
};

/** An activation that is over cannot be cancelled. */
export const isCancellable: Check = async ({ args, present }) => {
  const [one] = itemsOf(await present());
  if (one === undefined || /^(NEW|PENDING.*|ABORTED)$/.test(one.status)) return [];
  const takes = `an activation that is PENDING, and this one is ${shown(one.status)}: activate the version that you want there with include_version_activate`;
  return [{ field: "activationId", given: String(args["activationId"]), takes }];
};
