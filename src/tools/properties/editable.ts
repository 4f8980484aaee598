/** Refuses writes to a version that is or was active, which the API would refuse, before anything is sent. */
import type { Check } from "../../api/check.js";
import { z } from "../../api/z.js";
import { Activations, Versions } from "./shapes.js";

/** The states of an activation that never reached a network. */
const withoutEffect = ["ABORTED", "FAILED"];

export const isEditable: Check = async ({ args, read }) => {
  const { propertyId, propertyVersion, contractId, groupId } = args;
  const of = Object.fromEntries(
    Object.entries({ propertyId, contractId, groupId }).filter(([, value]) => value !== undefined),
  );
  const refused = (state: string) => [
    {
      field: "propertyVersion",
      given: String(propertyVersion),
      takes: `a version that was never activated, and this one ${state}: make a new one from it with property_version_create`,
    },
  ];
  const version = Versions.safeParse(await read("property_version_get", { ...of, propertyVersion }));
  for (const one of version.data?.versions.items ?? [])
    for (const status of [one.productionStatus, one.stagingStatus])
      if (status === "ACTIVE" || status === "PENDING") return refused(`is ${status.toLowerCase()}`);
  // A version that was replaced on its network is INACTIVE, as is one that never was there.
  const activations = Activations.safeParse(await read("property_activations_list", of));
  const own = z.array(z.looseObject({ propertyVersion: z.int(), status: z.string() }));
  const reached = own
    .parse(activations.data?.activations.items ?? [])
    .some((one) => one.propertyVersion === propertyVersion && !withoutEffect.includes(one.status));
  return reached ? refused("was active before") : [];
};
