/** Undoes a change of several record sets with the version that was served before it. */
import type { Guard } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { calling, naming } from "../../language/sentence.js";

/** Needs the related read `config`, which names the version that is served. */
export const byFormerVersion: NonNullable<Guard["undo"]> = {
  by: ({ given: { zone }, related }) => {
    const uuid = memberAt(related["config"], "versionId");
    if (typeof uuid !== "string") return "Activate the version before with dns_zone_version_activate.";
    const call = { tool: "dns_zone_version_activate", arguments: { zone, uuid } };
    return { says: naming`To serve the version before again, ${calling(call)}.`, call };
  },
};
