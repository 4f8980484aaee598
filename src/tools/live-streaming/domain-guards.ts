/** What a person has to know before a live-streaming configuration is deleted. */
import type { Arguments, Guard } from "../../api/conduct.js";
import { memberAt } from "../../api/member.js";
import { counted, listed, plain } from "../../api/words.js";
import { domainName, listAt, numberOf, statusIn, versionsIn } from "./words.js";

/** Its streams, which its deletion takes from their viewers: the approval is bound to them. */
export const besideDomain = {
  streams: { by: "live_streams_list", args: ({ domain }: Arguments): Arguments => ({ domain }), isBound: true },
} as const;

export const domainDeletion: Guard = {
  kind: "delete",
  thing: "live-streaming configuration",
  undo: { never: "A deleted configuration does not come back; live_domain_create makes a new one with new streams." },
  says: (args, present, { streams }) => {
    const names = listAt(streams, ["stream"]).map((one) => plain(memberAt(one, ["stream-name"])));
    const lost =
      streams === undefined
        ? "streams that could not be read"
        : `${counted(names.length, "stream")}${names.length === 0 ? "" : ` (${listed(names)})`}`;
    const versions = counted(versionsIn(present).length, "version");
    return `DELETE live-streaming configuration ${domainName(args, present)} with ${versions} and ${lost}`;
  },
  warns: (_, present) => {
    const active = versionsIn(present).filter((one) => statusIn(one, "Production") === "activated");
    return active.map(
      (one) => `Version ${numberOf(one)} is active on PRODUCTION: whoever watches its streams loses them.`,
    );
  },
};
