/** Which activations are active or under way, and the checks that refuse calls which the API would refuse because of them. */
import type { Check } from "../../language/check.js";
import type { Arguments } from "../../language/conduct.js";
import { shown } from "../../language/failure.js";
import { defined } from "../../language/member.js";
import { z } from "../../language/z.js";
import { Activations, Properties, Versions } from "./shapes.js";

type Activation = z.output<typeof Activations>["activations"]["items"][number];

export const itemsOf = (present: unknown): readonly Activation[] =>
  Activations.safeParse(present).data?.activations.items ?? [];
export const isUnderWay = ({ status }: Pick<Activation, "status">): boolean => /^(NEW|PENDING.*|ZONE_\d)$/.test(status);

/** A property in words: its id, and its name if an activation has it. */
export function nameOf(args: Arguments, present: unknown): string {
  const [first] = itemsOf(present);
  return first ? `${shown(first.propertyName)} (${String(args["propertyId"])})` : String(args["propertyId"]);
}

/** The version that is active on a network. */
export const activeOn = (network: unknown, present: unknown): number | undefined =>
  itemsOf(present).find(
    (one) => one.network === network && one.status === "ACTIVE" && one.activationType !== "DEACTIVATE",
  )?.propertyVersion;

/** The states of an activation that never reached a network. */
const withoutEffect = ["ABORTED", "FAILED"];

/** A version that is or was active cannot be written. */
export const isEditable: Check = async ({ args, read }) => {
  const { propertyId, propertyVersion, contractId, groupId } = args;
  const of = defined({ propertyId, contractId, groupId });
  const refused = (state: string) => {
    const takes = `a version that was never activated, and this one ${state}: create a new one from it with property_version_create`;
    return [{ field: "propertyVersion", given: String(propertyVersion), takes }];
  };
  const version = Versions.safeParse(await read("property_version_get", { ...of, propertyVersion }));
  for (const one of version.data?.versions.items ?? [])
    for (const status of [one.productionStatus, one.stagingStatus])
      if (status === "ACTIVE" || status === "PENDING") return refused(`is ${status.toLowerCase()}`);
  // A version that was replaced on its network is INACTIVE, like one that was never on it.
  const activations = Activations.safeParse(await read("property_activations_list", of));
  const own = z.array(z.looseObject({ propertyVersion: z.int(), status: z.string() }));
  const reached = own
    .parse(activations.data?.activations.items ?? [])
    .some((one) => one.propertyVersion === propertyVersion && !withoutEffect.includes(one.status));
  return reached ? refused("was active before") : [];
};

/** A property with an active version cannot be deleted; the API responds with 500 (public facts B, 3.1). */
export const isInactive: Check = async ({ args, present }) => {
  const [one] = Properties.safeParse(await present()).data?.properties.items ?? [];
  const active = Object.entries({ staging: one?.stagingVersion, production: one?.productionVersion }).filter(
    ([, number]) => typeof number === "number",
  );
  if (active.length === 0) return [];
  const where = active.map(([network, number]) => `version ${number} on ${network}`).join(" and ");
  const takes = `a property without an active version, and this one has ${where}: deactivate with property_version_activate first`;
  return [{ field: "propertyId", given: String(args["propertyId"]), takes }];
};

/** An activation that is over cannot be cancelled; one that was cancelled before can, without effect (public facts B, 3.3). */
export const isCancellable: Check = async ({ args, present }) => {
  const [one] = itemsOf(await present());
  if (one === undefined || /^(NEW|PENDING.*|ABORTED)$/.test(one.status)) return [];
  const takes = `an activation that is PENDING, and this one is ${shown(one.status)}: activate the version that you want there with property_version_activate`;
  return [{ field: "activationId", given: String(args["activationId"]), takes }];
};
