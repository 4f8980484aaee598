/** What a person has to know before a stream is changed or deleted. */
import { type Arguments, type Guard, only } from "../../language/conduct.js";
import { shown } from "../../language/failure.js";
import { listAt, memberAt } from "../../language/member.js";
import { listed, plain, told } from "../../language/words.js";
import { isOnAir } from "./event-guards.js";
import { streamName } from "./naming.js";

/** Its events, whose recordings its deletion may take away. */
export const besideStream = {
  events: { by: "live_events_list", args: only("domain", "streamId"), isBound: true },
} as const;

/** A member of what the call writes and of what is there now, where the two differ. */
function changed(args: Arguments, present: unknown, path: readonly string[]) {
  const [from, to] = [memberAt(present, path), memberAt(args, ["body", ...path])];
  return present === undefined || from === to ? undefined : { from, to };
}
const orNone = (value: unknown): string => (value === undefined ? "none" : plain(value));

export const streamCreation: Guard = {
  kind: "create",
  thing: "stream {body.stream-name}",
  // It takes nothing from anybody, and nobody watches it yet: the address that is told of it is what has to be seen.
  when: "sending",
  target: ({ body }) => String(memberAt(body, ["stream-name"])),
  undo: { by: "Delete the stream with live_stream_delete. Its id is in live_streams_list." },
};

export const streamChange: Guard = {
  kind: "overwrite",
  thing: "stream",
  replaces: "body",
  undo: "rewrite",
  network: "PRODUCTION",
  target: streamName,
  says: (args, present) => {
    const name = changed(args, present, ["stream-name"]);
    const renamed = name === undefined ? "" : `it is called ${orNone(name.to)}; `;
    return `REPLACE the settings of stream ${streamName(args, present)}: ${renamed}what the call leaves out is removed, and the rest is live at once`;
  },
  warns: (args, present) => {
    const addresses = (["primary", "backup"] as const).flatMap((which) => {
      const one = changed(args, present, ["encoder-settings", `${which}-encoder-ip`]);
      if (one === undefined) return [];
      return one.to === undefined
        ? [`The ${which} encoder's address ${orNone(one.from)} is removed: an encoder there can no longer send.`]
        : [
            `The ${which} encoder's address goes from ${orNone(one.from)} to ${plain(one.to)}: one that sends from another address is refused at once.`,
          ];
    });
    const type = changed(args, present, ["stream-type"]);
    const mail = changed(args, present, ["notification-email"]);
    const isPasswordGiven = memberAt(args, ["body", "encoder-settings", "password"]) !== undefined;
    return told(
      ...addresses,
      isPasswordGiven
        ? "The encoders' password is replaced: they cannot send until they have the new one."
        : "The encoders' password is left out, and no source says whether the present one stays.",
      mail && `Notifications would go to ${orNone(mail.to)} and no longer to ${orNone(mail.from)}.`,
      type && `The type goes from ${shown(type.from)} to ${shown(type.to)}: encoders have to send it.`,
    );
  },
};

export const streamDeletion: Guard = {
  kind: "delete",
  thing: "stream",
  warns: (_given, _present, { events }) =>
    listAt(events, "event")
      .filter(isOnAir)
      .map((one) => `Event ${plain(memberAt(one, ["event-name"]))} is on air now: whoever watches it loses it.`),
  undo: { never: "A deleted stream does not come back, and a new one by live_stream_create has other entry points." },
  target: streamName,
  says: (args, present, { events }) => {
    const names = listAt(events, "event").map((one) => plain(memberAt(one, ["event-name"])));
    const lost =
      names.length === 0 ? "" : `, which has the ${names.length === 1 ? "event" : "events"} ${listed(names)}`;
    const type = memberAt(present, ["stream-type"]);
    const status = memberAt(present, ["status"]);
    const known = [type, status].filter((one) => typeof one === "string").map(plain);
    return `DELETE stream ${streamName(args, present)}${known.length === 0 ? "" : ` (${known.join(", ")})`}${lost}: encoders can no longer send it and viewers lose it`;
  },
};
