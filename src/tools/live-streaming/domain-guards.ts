/** What a person has to know before a live-streaming configuration is deleted. */
import { type Guard, only } from "../../language/conduct.js";
import { listAt, memberAt } from "../../language/member.js";
import { listed, plain } from "../../language/words.js";
import { domainName, numberOf, statusIn, versionsIn } from "./naming.js";

/** Its streams, which its deletion takes from their viewers: the approval is bound to them. */
export const besideDomain = {
  streams: { by: "live_streams_list", args: only("domain"), isBound: true },
} as const;

export const domainDeletion: Guard = {
  kind: "delete",
  thing: "live-streaming configuration",
  undo: { never: "A deleted configuration does not come back, and its streams do not either." },
  says: (args, present, { streams }) => {
    const names = listAt(streams, "stream").map((one) => plain(memberAt(one, ["stream-name"])));
    const lost =
      streams === undefined
        ? "streams that could not be read"
        : names.length === 0
          ? "no stream"
          : `${names.length === 1 ? "the stream" : "the streams"} ${listed(names)}`;
    const numbers = versionsIn(present).map(numberOf);
    const versions =
      numbers.length === 0 ? "" : `${numbers.length === 1 ? "version" : "versions"} ${listed(numbers)} and `;
    return `DELETE live-streaming configuration ${domainName(args, present)} with ${versions}${lost}`;
  },
  warns: (_, present) => {
    const active = versionsIn(present).filter((one) => statusIn(one, "Production") === "activated");
    return active.map(
      (one) => `Version ${numberOf(one)} is active on PRODUCTION: whoever watches its streams loses them.`,
    );
  },
};
