/** What a person has to know before a property is deleted, or an activation cancelled. */
import type { Guard } from "../../language/conduct.js";
import { shown } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { z } from "../../language/z.js";
import { itemsOf } from "./activation-state.js";
import { NotifyEmails, PropertyVersion } from "./ids.js";

/** What an activation that was cancelled takes to be made again. */
const Again = z.object({
  propertyVersion: PropertyVersion,
  network: z.enum(["STAGING", "PRODUCTION"]),
  activationType: z.enum(["ACTIVATE", "DEACTIVATE"]),
  notifyEmails: NotifyEmails,
});

export const cancelGuard: Guard = {
  kind: "cancel",
  thing: "activation",
  undo: {
    by: ({ given, before }) => {
      const [cancelled] = itemsOf(before);
      // A sentence of ours takes nothing of the answer but what the call itself would take.
      const body = Again.safeParse(cancelled).data;
      const { activationId: _, ...of } = given;
      if (body === undefined)
        return "A cancelled activation is not resumed: call property_version_activate for the version again.";
      return `A cancelled activation is not resumed: call property_version_activate with ${JSON.stringify({ ...of, body })}.`;
    },
  },
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
    const versions =
      typeof count !== "number" ? "all its versions" : count === 1 ? "its only version" : `its versions 1 to ${count}`;
    return `DELETE property ${which}: ${versions}, with rules and hostnames, ${count === 1 ? "is" : "are"} gone for good`;
  },
};
