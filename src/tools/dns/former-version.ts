/** Undoes a change of several record sets with the version that was served before it. */
import type { Guard } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { callInWords, NextCall } from "../../language/next-call.js";

/** Needs the related read `config`, which names the version that is served. */
export const byFormerVersion: NonNullable<Guard["undo"]> = {
  by: ({ given: { zone }, related }) => {
    const uuid = memberAt(related["config"], "versionId");
    if (typeof uuid !== "string") return "Activate the version before with dns_zone_version_activate.";
    const call = new NextCall("dns_zone_version_activate", { zone, uuid });
    return { says: `To serve the version before again, call ${callInWords(call)}.`, call };
  },
};
